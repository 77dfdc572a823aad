"""Words that several formats of the report share."""

from __future__ import annotations

from mindport.language import Text

SEVERITIES = {
    "error": Text("error", "错误"),
    "warning": Text("warning", "警告"),
    "information": Text("information", "信息"),
    "hint": Text("hint", "提示"),
}
STATUSES = {
    "equivalent": Text("equivalent", "等价"),
    "differs": Text("differs", "有差异"),
    "missing": Text("no counterpart", "无对应接口"),
    "not_needed": Text("not needed", "不需要"),
    "unmapped": Text("not known yet", "尚无数据"),
}
DEVICES = {"ascend": "Ascend", "gpu": "GPU", "cpu": "CPU"}
CELL = Text("cell {number}", "单元格 {number}")
"""A cell of a notebook."""
PROBLEM = Text("problem", "问题")
