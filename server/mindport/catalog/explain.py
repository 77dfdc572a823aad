"""One API on one page of Markdown: what it is, what it becomes, what differs, where it runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mindport.catalog.answer import Answer, Candidate
from mindport.catalog.api import Api
from mindport.catalog.catalog import Catalog
from mindport.catalog.differences import Difference
from mindport.catalog.other_frameworks import OtherName
from mindport.catalog.ran_text import DEVICES, ran_text
from mindport.catalog.search import SearchResult
from mindport.catalog.target import Target
from mindport.language import CLAUSE, COLON, END, LIST, SEMICOLON, Language, Text, joined

_MOST_SIGNATURES = 3
_MOST_OTHERS = 3
_MOST_COUNTERPARTS = 20
_MOST_LINKS = 3
_MOST_FOUND = 4
_STATUS = {
    "equivalent": Text("equivalent", "等价"),
    "differs": Text("equivalent exists, with differences", "有对应接口，但存在差异"),
    "missing": Text("no equivalent", "没有对应接口"),
    "not_needed": Text("not needed in MindSpore", "MindSpore 中不需要"),
    "unmapped": Text("not in the mapping table", "不在映射表中"),
}
_NOT_NEEDED = Text("(not needed)", "（不需要）")
_WITHOUT_COUNTERPART = Text("(no equivalent)", "（无对应接口）")
_ONLY_HERE = Text("(MindSpore only)", "（仅 MindSpore 有）")
_TABLE = Text("| PyTorch | MindSpore | Difference |", "| PyTorch | MindSpore | 差异 |")
_NOT_THERE = ("missing", "missing_general")
_SAME = Text("Same parameters: {names}", "相同的参数：{names}")
_EXTRA = Text("Only in MindSpore: {names}", "仅 MindSpore 有：{names}")
_PLATFORMS = Text("documented for {names}", "文档注明支持 {names}")
_SINCE = Text("MindSpore {since} and later", "MindSpore {since} 及以上版本")
_SPAN = Text("MindSpore {since} to {until}", "MindSpore {since} 至 {until}")
_OTHERS = Text("Other candidates: {names}", "其他候选：{names}")
_WRITE = Text("Write", "写法")
_FOR = Text("For calls", "上述写法适用于")
_GIVEN = Text("if {names} is passed", "传入 {names} 时")
_OMITTED = Text("if {names} is omitted", "未传入 {names} 时")
_REASON = Text("Why: {text}", "原因：{text}")
_STRATEGIES = {
    "equivalent": Text("Workaround: use an equivalent expression.", "解决办法：用等价表达式替换。"),
    "package": Text("Workaround: wrap existing APIs in a helper.", "解决办法：把现有接口封装成辅助函数。"),
    "custom_operator": Text("Workaround: write a custom operator.", "解决办法：编写自定义算子。"),
    "community": Text("Workaround: ask the MindSpore community.", "解决办法：向 MindSpore 社区求助。"),
}
_DOCS = Text("Documentation", "文档")
_UNKNOWN = Text("`{name}` is not in the mapping table.", "映射表中没有 `{name}`。")
_NEAR = Text("Similar names: {names}", "相近的名称：{names}")
_FROM = Text("Equivalent of:", "对应的 PyTorch 接口：")
_DEPRECATED = Text("deprecated", "已弃用")


_TENSORFLOW = Text("TensorFlow {versions}", "TensorFlow {versions}")
_TABLE_SAYS = {
    "none": Text("MindSpore's own table: no difference.", "MindSpore 官方映射表：一致。"),
    "names": Text(
        "MindSpore's own table: the same, with other names of parameters.",
        "MindSpore 官方映射表：功能一致，参数名不同。",
    ),
    "yes": Text("MindSpore's own table: there are differences.", "MindSpore 官方映射表：存在差异。"),
    "unknown": Text("MindSpore's own table does not say what differs.", "MindSpore 官方映射表未说明差异。"),
}
_NOT_COMPARED = Text(
    "The signature is that of MindSpore {version}; mindport does not compare TensorFlow's behavior.",
    "上述为 MindSpore {version} 的签名；mindport 不比较 TensorFlow 的行为。",
)


class Here(NamedTuple):
    """What is known of the very use that a page is shown for: the code to write there, the differences that
    matter there, and what else is said of it."""

    code: str | None = None
    differences: Sequence[Difference] = ()
    said: str = ""


def explain(catalog: Catalog, name: str, target: Target, language: Language, here: Here | None = None) -> str:
    """A page about a torch or MindSpore API, by any of its names; for an unknown name, the similar ones. What
    to write comes first: for a use that is known (`here`) with its own arguments."""
    known = catalog.canonical(name)
    if known is not None:
        return _Page(catalog, target, language).torch(known, here or Here())
    if catalog.mindspore_api(name, target.version) is not None:
        return _Page(catalog, target, language).mindspore(name)
    other = catalog.other_frameworks.get(name)
    if other is not None:
        return _Page(catalog, target, language).of_another_framework(other)
    near = [f"`{r.name}`" for r in catalog.search(name, 5)]
    lines = [_UNKNOWN.render(language, name=name)]
    if near:
        lines.append(_NEAR.render(language, names=joined(near, LIST, language)))
    return "\n\n".join(lines) + "\n"


class _Page:
    """Puts the parts of a page together."""

    def __init__(self, catalog: Catalog, target: Target, language: Language) -> None:
        self._catalog = catalog
        self._target = target
        self._language = language

    def torch(self, name: str, here: Here) -> str:
        """The page of a torch API."""
        answer = self._catalog.answer(name, self._target)
        api = self._catalog.api(name)
        chosen = answer.chosen
        parts = [self._title(answer), self._to_write(answer, here), *self._here(here)]
        if chosen is not None:
            parts += self._chosen(chosen, api, here)
        if answer.note is not None:
            parts.append(answer.note.render(self._language))
        parts += self._way_out(answer, is_written=here.code is None and chosen is None)
        parts.append(self._status(answer, api))
        parts += self._others(answer)
        parts.append(code_block(self._signatures(answer, api, here)))
        parts.append(self._links(answer))
        return "\n\n".join(part for part in parts if part) + "\n"

    def _to_write(self, answer: Answer, here: Here) -> str:
        """What to write, as code."""
        if here.code is not None:
            return code_block([here.code])
        chosen = answer.chosen
        if chosen is None:
            way_out = answer.way_out
            return code_block([way_out.code]) if way_out is not None and way_out.code else ""
        if chosen.template is not None:
            return code_block([chosen.template])
        other = self._catalog.mindspore_api(chosen.target, self._target.version)
        return code_block(signature_lines(other, chosen.target) if other is not None else [chosen.target])

    def _signatures(self, answer: Answer, api: Api | None, here: Here) -> list[str]:
        """The signature in PyTorch, and that in MindSpore, unless it is what stands first."""
        lines = signature_lines(api) if api is not None else []
        chosen = answer.chosen
        if chosen is None or (chosen.template is None and here.code is None):
            return lines
        other = self._catalog.mindspore_api(chosen.target, self._target.version)
        return lines + (signature_lines(other, chosen.target) if other is not None else [])

    def _here(self, here: Here) -> list[str]:
        differences = [f"- {one.sentence(self._language)}" for one in here.differences]
        return ["\n".join(differences), here.said]

    def of_another_framework(self, other: OtherName) -> str:
        """The page of a name of another framework."""
        targets = joined((f"`{name}`" for name in other.targets), LIST, self._language)
        parts = [f"### `{other.name}` → {targets}"]
        for name in other.targets:
            api = self._catalog.mindspore_api(name, self._target.version)
            parts += [code_block(signature_lines(api, name))] if api is not None else []
        versions = joined(other.versions, LIST, self._language)
        parts.append(_TENSORFLOW.render(self._language, versions=versions))
        parts.append(_TABLE_SAYS[other.difference].render(self._language))
        parts.append(_NOT_COMPARED.render(self._language, version=self._target.version))
        return "\n\n".join(parts) + "\n"

    def mindspore(self, name: str) -> str:
        """The page of a MindSpore API: its signature and the torch APIs that become it."""
        api = self._catalog.mindspore_api(name, self._target.version)
        assert api is not None
        parts = [f"### `{api.name}`", code_block(signature_lines(api))]
        found = [self._becomes(torch, api.name) for torch in self._catalog.counterparts(api.name)]
        if found:
            parts += [_FROM.render(self._language), "\n".join(found[:_MOST_COUNTERPARTS])]
        parts.append(self._platforms(api.platforms))
        link = self._catalog.mindspore_link(api.name, self._target.version, self._language)
        parts.append(self._labelled(_DOCS.render(self._language), f"[MindSpore]({link})"))
        return "\n\n".join(part for part in parts if part) + "\n"

    def _becomes(self, torch: str, name: str) -> str:
        """A line about a torch API on the page of a MindSpore API that stands for it, alone or in a
        template."""
        candidates = self._catalog.answer(torch, self._target).candidates
        used = next((c for c in candidates if name == c.target or name in c.apis), None)
        if used is None:
            return f"- `{torch}`"
        if used.template is not None:
            return f"- `{torch}`: `{used.template}`"
        grave = "" if used.same else self._labelled("", _STATUS["differs"].render(self._language))
        return f"- `{torch}`{grave}"

    def _joined(self, texts: Iterable[str], between: Text = LIST) -> str:
        return joined(texts, between, self._language)

    def _labelled(self, label: str, text: str) -> str:
        return f"{label}{COLON.render(self._language)}{text}"

    def _title(self, answer: Answer) -> str:
        chosen = answer.chosen
        arrow = f" → `{chosen.template or chosen.target}`" if chosen is not None else ""
        return f"### `{answer.api}`{arrow}"

    def _status(self, answer: Answer, api: Api | None) -> str:
        """One line: the status, and where the counterpart is and was run."""
        words = [_STATUS[answer.status].render(self._language)]
        if api is not None and api.deprecated:
            words.append(self._labelled("PyTorch", _DEPRECATED.render(self._language)))
        if answer.chosen is not None:
            words += [self._versions(answer.chosen), self._runs(answer.chosen)]
        place = f"MindSpore {self._target.version}, {DEVICES[self._target.device]}"
        return self._labelled(f"**{place}**", self._joined(filter(None, words), SEMICOLON))

    def _chosen(self, candidate: Candidate, api: Api | None, here: Here) -> list[str]:
        """For which calls it is, how parameters correspond, and what differs."""
        said = set(here.differences)
        left = [one for one in candidate.differences if one not in said]
        parts = [self._condition(candidate) if here.code is None else "", self._table(left)]
        general = [one for one in left if not (one.torch or one.mindspore)]
        parts.append("\n".join(f"- {one.sentence(self._language)}" for one in general))
        parts.append(self._same(candidate, api))
        extra = [f"`{one.mindspore}`" for one in candidate.differences if one.code == "extra"]
        if extra:
            parts.append(_EXTRA.render(self._language, names=self._joined(extra)))
        return parts

    def _condition(self, candidate: Candidate) -> str:
        """For which calls an expression is, in a sentence; empty, if for all."""
        words = self._when(candidate)
        said = f"{self._joined(words, CLAUSE)}{END.render(self._language).rstrip()}"
        return self._labelled(_FOR.render(self._language), said) if words else ""

    def _when(self, candidate: Candidate) -> list[str]:
        when = candidate.when
        pairs = ((_GIVEN, when.given), (_OMITTED, when.omitted)) if when is not None else ()
        return [
            text.render(self._language, names=self._joined(f"`{name}`" for name in names))
            for text, names in pairs
            if names
        ]

    def _versions(self, candidate: Candidate) -> str:
        text = _SINCE if candidate.until is None else _SPAN
        return text.render(self._language, since=candidate.since, until=candidate.until)

    def _way_out(self, answer: Answer, is_written: bool) -> list[str]:
        """Why there is no counterpart, and what to do. `is_written`: its code stands above already."""
        parts = []
        if answer.reason is not None:
            parts.append(_REASON.render(self._language, text=answer.reason.render(self._language)))
        if answer.way_out is not None:
            strategy = _STRATEGIES[answer.way_out.strategy].render(self._language)
            separator = "" if self._language == "zh-cn" else " "
            parts.append(f"{strategy}{separator}{answer.way_out.text.render(self._language)}")
            code = None if is_written else answer.way_out.code
            parts.append(code_block([code]) if code else "")
        return parts

    def _others(self, answer: Answer) -> list[str]:
        others = [c for c in answer.candidates if c is not answer.chosen][:_MOST_OTHERS]
        names = [f"`{c.target}`" for c in others if c.template is None]
        parts = [_OTHERS.render(self._language, names=self._joined(names))] if names else []
        by_heading: dict[str, list[str]] = {}
        for candidate in others:
            if candidate.template is not None:
                by_heading.setdefault(self._heading(candidate), []).append(candidate.template)
        for heading, templates in by_heading.items():
            parts += [heading, code_block(templates)]
        return parts

    def _heading(self, candidate: Candidate) -> str:
        """What stands above an expression: the calls that it is for."""
        words = [_WRITE.render(self._language), *self._when(candidate)]
        return f"{self._joined(words, CLAUSE)}{COLON.render(self._language).rstrip()}"

    def _table(self, differences: Sequence[Difference]) -> str:
        about = [d for d in differences if (d.torch or d.mindspore) and d.code != "extra"]
        rows = sorted(_without_repeats(about), key=lambda d: not d.grave)
        if not rows:
            return ""
        lines = [_TABLE.render(self._language), "|---|---|---|"]
        said = set()
        for difference in rows:
            sentence = difference.sentence(self._language).replace("|", "\\|")
            if (difference.torch, sentence) in said:
                continue
            said.add((difference.torch, sentence))
            ours = _cell(difference.torch, difference.torch_default)
            theirs = _cell(difference.mindspore, difference.mindspore_default)
            lines.append(f"| {ours} | {theirs} | {sentence} |")
        return "\n".join(lines)

    def _same(self, candidate: Candidate, api: Api | None) -> str:
        if not candidate.compared or candidate.template is not None or api is None:
            return ""
        changed = {d.torch for d in candidate.differences}
        theirs = self._catalog.mindspore_api(candidate.target, self._target.version)
        known = _parameters(theirs) if theirs is not None and theirs.signatures else None
        same = [
            f"`{name}`"
            for name in _parameters(api)
            if name not in changed and (known is None or name in known)
        ]
        return _SAME.render(self._language, names=self._joined(same)) if same else ""

    def _runs(self, candidate: Candidate) -> str:
        """Where it is documented to run, and what was run."""
        ran = ran_text(candidate, self._target.device, self._language)
        return self._joined(filter(None, (self._platforms(candidate.platforms), ran)), SEMICOLON)

    def _platforms(self, platforms: Sequence[str]) -> str:
        names = self._joined(DEVICES[p] for p in ("ascend", "gpu", "cpu") if p in platforms)
        return _PLATFORMS.render(self._language, names=names) if names else ""

    def _links(self, answer: Answer) -> str:
        links = []
        if self._catalog.kind(answer.api) is not None:
            links.append(f"[PyTorch]({self._catalog.torch_link(answer.api)})")
        links += [self._mindspore_link(name) for name in self._linked(answer.chosen)]
        return self._labelled(_DOCS.render(self._language), " · ".join(links)) if links else ""

    def _linked(self, candidate: Candidate | None) -> list[str]:
        if candidate is None:
            return []
        names = candidate.apis[:_MOST_LINKS] or (candidate.target,)
        return [n for n in names if candidate.template is None or self._catalog.mindspore_api(n) is not None]

    def _mindspore_link(self, name: str) -> str:
        return f"[{name}]({self._catalog.mindspore_link(name, self._target.version, self._language)})"


def _without_repeats(differences: Sequence[Difference]) -> list[Difference]:
    """Without the renames, and the parameters that are not there, where another difference tells of the same
    parameters."""
    pairs = {(d.torch, d.mindspore) for d in differences if d.code != "renamed"}
    told = {d.torch for d in differences if d.code not in _NOT_THERE}
    return [
        d
        for d in differences
        if not (d.code == "renamed" and (d.torch, d.mindspore) in pairs)
        and not (d.code in _NOT_THERE and d.torch in told)
    ]


def _parameters(api: Api) -> list[str]:
    """The names of an API's parameters, in all of its signatures."""
    return list(
        dict.fromkeys(p.name for s in api.signatures for p in s.parameters if p.kind != "double_star")
    )


def signature_lines(api: Api, name: str | None = None) -> list[str]:
    """The first signatures of an API, each on a line, by its own name or by another one."""
    shown = name or api.name
    if api.signatures:
        lines = [s.text(shown) + _arrow(api, s.returns) for s in api.signatures[:_MOST_SIGNATURES]]
        return [*lines, "..."] if len(api.signatures) > _MOST_SIGNATURES else lines
    if api.kind in ("property", "attribute", "constant", "dtype") and api.returns:
        return [f"{shown}: {api.returns}"]
    return [shown]


def _arrow(api: Api, returns: str | None) -> str:
    return f" -> {returns}" if returns and api.kind != "class" else ""


def code_block(lines: Sequence[str]) -> str:
    """Lines of Python in Markdown; nothing where there are none."""
    return "\n".join(["```python", *lines, "```"]) if lines else ""


def _cell(name: str | None, default: str | None) -> str:
    if name is None:
        return "–"
    return f"`{name}={default}`" if default is not None else f"`{name}`"


def counterparts_text(result: SearchResult, language: Language) -> str:
    """What stands on the other side of a result of a search, in words."""
    named = ", ".join(result.counterparts[:_MOST_FOUND])
    named += ", …" if len(result.counterparts) > _MOST_FOUND else ""
    if not result.is_needed:
        return f"{_NOT_NEEDED.render(language)} {named}".rstrip()
    missing = _ONLY_HERE if result.name.startswith("mindspore.") else _WITHOUT_COUNTERPART
    return named or missing.render(language)
