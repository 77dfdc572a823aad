"""Words that several formats of the report share."""

from __future__ import annotations

from mindport.language import Language, Text

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
PAGE = {
    "target": Text("Target", "目标"),
    "device": Text("Device", "设备"),
    "files": Text("Files", "文件"),
    "lines": Text("Lines", "代码行"),
    "uses": Text("Uses of torch", "torch 使用处"),
    "module": Text("Module", "模块"),
    "share": Text("Share", "占比"),
    "total": Text("Total", "合计"),
    "api": Text("torch API", "torch 接口"),
    "work": Text("What to do", "工作清单"),
    "recipe": Text("Training recipe", "训练配置"),
    "made_by": Text("Made by mindport", "生成工具：mindport"),
}
"""The words of pages, by what templates call them."""
_PAGES = "https://github.com/mindport/mindport/blob/main/docs/rules"


def rule_address(code: str, language: Language) -> str:
    """The address of the page about a code such as `MP101`."""
    return f"{_PAGES}/zh-cn/{code}.md" if language == "zh-cn" else f"{_PAGES}/{code}.md"
