"""The texts of the HTML report."""

from __future__ import annotations

from collections.abc import Mapping

from mindport.language import Text

TEXTS: Mapping[str, Text] = {
    "title": Text("From PyTorch to MindSpore", "从 PyTorch 到 MindSpore"),
    "subtitle": Text("Migration report by mindport", "mindport 迁移报告"),
    "target": Text("Target", "目标"),
    "device": Text("Device", "设备"),
    "style": Text("Style", "风格"),
    "overview": Text("Overview", "概览"),
    "files": Text("Files", "文件"),
    "lines": Text("Lines", "代码行"),
    "uses": Text("Uses of torch", "torch 使用处"),
    "findings": Text("Findings", "结果"),
    "safe_fixes": Text("Safe fixes", "可安全修复"),
    "problems": Text("Problems", "问题"),
    "all_uses": Text("All uses by status", "全部使用处（按状态）"),
    "by_module": Text("Status by torch module", "按 torch 模块统计"),
    "by_file": Text("Status by file", "按文件统计"),
    "by_api": Text("What each API becomes", "各接口的对应关系"),
    "module": Text("Module", "模块"),
    "file": Text("File", "文件"),
    "share": Text("Share", "占比"),
    "total": Text("Total", "合计"),
    "api": Text("torch API", "torch 接口"),
    "becomes": Text("MindSpore", "MindSpore"),
    "status": Text("Status", "状态"),
    "versions": Text("Versions", "支持的版本"),
    "devices": Text("Devices", "支持的设备"),
    "differs": Text("What differs", "差异"),
    "number": Text("Uses", "次数"),
    "by_place": Text("Findings by file", "各文件的结果"),
    "no_findings": Text("There are no findings.", "没有结果。"),
    "safe": Text("safe fix", "可安全修复"),
    "review": Text("fix to check", "修复需检查"),
    "rules": Text("What the codes mean", "代码说明"),
    "filter": Text("Show only what contains", "只显示包含以下内容的项"),
    "severity": Text("Severity", "级别"),
    "every": Text("all", "全部"),
    "sort_hint": Text("Click a column's title to sort.", "点击列标题可排序。"),
    "open_all": Text("Unfold all", "全部展开"),
    "close_all": Text("Fold all", "全部折叠"),
    "contents": Text("Contents", "目录"),
    "problem": Text("problem", "问题"),
    "made_by": Text("Made by mindport", "生成工具：mindport"),
}
