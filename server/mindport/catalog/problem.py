"""A problem of the mapping data, and the sentence that says it."""

from __future__ import annotations

from dataclasses import dataclass

from mindport.language import Language, Text

TEXTS = {
    "format": Text("invalid format: {detail}", "格式不符：{detail}"),
    "no_torch": Text("`{detail}` is not in the torch catalog", "torch 接口目录中没有 `{detail}`"),
    "no_target": Text("`{detail}` is not in the MindSpore catalog", "MindSpore 接口目录中没有 `{detail}`"),
    "no_torch_parameter": Text("unknown torch parameter `{detail}`", "torch 没有参数 `{detail}`"),
    "no_parameter": Text("unknown MindSpore parameter `{detail}`", "MindSpore 没有参数 `{detail}`"),
    "twice": Text("duplicate `{detail}`", "`{detail}` 重复出现"),
    "no_style": Text("the new candidate `{detail}` has no style", "新增的候选 `{detail}` 没有 style"),
    "language": Text("missing in one language: {detail}", "缺少一种语言的文本：{detail}"),
    "unsorted": Text("`{detail}` is out of order: lines must be sorted", "`{detail}` 位置不对：各行须排序"),
    "template": Text("invalid template: {detail}", "模板无效：{detail}"),
    "unknown_name": Text(
        "`{detail}` in the template is neither a parameter of the torch API nor a builtin",
        "模板中的 `{detail}` 既不是 torch 接口的参数，也不是内置名称",
    ),
    "shadowed": Text(
        "`{detail}` is called as a builtin but is a parameter of the torch API",
        "`{detail}` 作为内置函数调用，但它是 torch 接口的参数",
    ),
    "no_member": Text("no known class has a member `{detail}`", "没有已知的类具有成员 `{detail}`"),
    "many_arguments": Text("too many positional arguments: {detail}", "位置参数过多：{detail}"),
    "code": Text("the code does not parse: {detail}", "代码无法解析：{detail}"),
    "code_name": Text(
        "the code uses `{detail}`, which is not in the MindSpore catalog",
        "代码使用了 `{detail}`，但 MindSpore 接口目录中没有它",
    ),
    "contradiction": Text("these contradict each other: {detail}", "相互矛盾：{detail}"),
    "official": Text(
        "the official tables have `{detail}`: add it, or give the reason in official_exceptions.json",
        "官方映射表中有 `{detail}`：请补充，或在 official_exceptions.json 中写明原因",
    ),
    "needless": Text(
        "the exception for `{detail}` is not needed: the data agrees, or the tables have no such row",
        "不需要 `{detail}` 的例外：数据与官方表一致，或官方表中没有该行",
    ),
    "not_written": Text(
        "`{detail}` is not what `mindport verify all --write` wrote: restore it, or run the command again",
        "`{detail}` 与 `mindport verify all --write` 写入的内容不一致：请还原该文件，或重新运行该命令",
    ),
    "no_match": Text("`{detail}` matches no torch API", "`{detail}` 没有匹配任何 torch 接口"),
}


@dataclass(frozen=True, slots=True)
class DataProblem:
    """One problem: the `file` (relative to the folder checked), the API, a code and what it is about."""

    file: str
    api: str
    code: str
    detail: str

    def message(self, language: Language) -> str:
        """`file: api: sentence`, without the API where it is about the file."""
        sentence = TEXTS[self.code].render(language, detail=self.detail)
        return ": ".join(part for part in (self.file, self.api, sentence) if part)
