"""One API on one page of Markdown: what it is, what it becomes, what differs, where it runs."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.catalog.answer import Answer, Candidate
from mindport.catalog.api import Api
from mindport.catalog.catalog import Catalog
from mindport.catalog.differences import Difference
from mindport.catalog.ran_text import DEVICES, ran_text
from mindport.catalog.search import SearchResult
from mindport.catalog.target import Target
from mindport.language import Language, Text

_MOST_SIGNATURES = 3
_MOST_OTHERS = 3
_MOST_COUNTERPARTS = 20
_MOST_LINKS = 3
_MOST_FOUND = 4
_STATUS = {
    "equivalent": Text("equivalent", "等价"),
    "differs": Text("has a counterpart that differs", "有对应接口，但存在差异"),
    "missing": Text("has no counterpart", "没有对应接口"),
    "not_needed": Text("not needed in MindSpore", "MindSpore 中不需要"),
    "unmapped": Text("no correspondence is known", "尚无对应关系数据"),
}
_NOT_NEEDED = Text("(not needed)", "（不需要）")
_WITHOUT_COUNTERPART = Text("(no counterpart)", "（无对应接口）")
_ONLY_HERE = Text("(MindSpore only)", "（仅 MindSpore 有）")
_TABLE = Text("| PyTorch | MindSpore | Difference |", "| PyTorch | MindSpore | 差异 |")
_NOT_THERE = ("missing", "missing_general")
_SAME = Text("Same parameters: {names}", "相同的参数：{names}")
_EXTRA = Text("Only in MindSpore: {names}", "仅 MindSpore 有：{names}")
_PLATFORMS = Text("Documented for {names}", "文档注明支持 {names}")
_SINCE = Text("MindSpore {since} and later", "MindSpore {since} 及以上版本")
_SPAN = Text("MindSpore {since} to {until}", "MindSpore {since} 至 {until}")
_OTHERS = Text("Other candidates: {names}", "其他候选：{names}")
_WRITE = Text("Write", "写法")
_GIVEN = Text("where {names} is given", "传入 {names} 时")
_OMITTED = Text("where {names} is left out", "未传入 {names} 时")
_REASON = Text("Why: {text}", "原因：{text}")
_STRATEGIES = {
    "equivalent": Text("Way out: replace it by an equivalent.", "解决办法：用等价写法替换。"),
    "package": Text("Way out: package existing APIs.", "解决办法：用已有接口封装。"),
    "custom_operator": Text("Way out: write a custom operator.", "解决办法：编写自定义算子。"),
    "community": Text("Way out: ask the community.", "解决办法：向社区求助。"),
}
_DOCS = Text("Documentation", "文档")
_UNKNOWN = Text("Nothing is known of `{name}`.", "没有关于 `{name}` 的信息。")
_NEAR = Text("Similar names: {names}", "相近的名称：{names}")
_FROM = Text("Counterpart of:", "对应的 PyTorch 接口：")
_DEPRECATED = Text("deprecated", "已弃用")


def explain(catalog: Catalog, name: str, target: Target, language: Language) -> str:
    """A page about a torch or MindSpore API, by any of its names; for an unknown name, the similar ones."""
    known = catalog.canonical(name)
    if known is not None:
        return _Page(catalog, target, language).torch(known)
    if catalog.mindspore_api(name, target.version) is not None:
        return _Page(catalog, target, language).mindspore(name)
    near = [f"`{r.name}`" for r in catalog.search(name, 5)]
    lines = [_UNKNOWN.render(language, name=name)]
    if near:
        lines.append(_NEAR.render(language, names=", ".join(near)))
    return "\n\n".join(lines) + "\n"


class _Page:
    """Puts the parts of a page together."""

    def __init__(self, catalog: Catalog, target: Target, language: Language) -> None:
        self._catalog = catalog
        self._target = target
        self._language = language

    def torch(self, name: str) -> str:
        """The page of a torch API."""
        answer = self._catalog.answer(name, self._target)
        api = self._catalog.api(name)
        parts = [self._title(answer), self._status(answer, api), self._signatures(answer, api)]
        if answer.chosen is not None:
            parts += self._chosen(answer.chosen, api)
        if answer.note is not None:
            parts.append(answer.note.render(self._language))
        parts += self._way_out(answer)
        parts += self._others(answer)
        parts.append(self._links(answer))
        return "\n\n".join(part for part in parts if part) + "\n"

    def mindspore(self, name: str) -> str:
        """The page of a MindSpore API: its signature and the torch APIs that become it."""
        api = self._catalog.mindspore_api(name, self._target.version)
        assert api is not None
        parts = [f"### `{api.name}`", _code(_texts(api))]
        found = [self._becomes(torch, api.name) for torch in self._catalog.counterparts(api.name)]
        if found:
            parts += [_FROM.render(self._language), "\n".join(found[:_MOST_COUNTERPARTS])]
        parts.append(self._platforms(api.platforms))
        link = self._catalog.mindspore_link(api.name, self._target.version, self._language)
        parts.append(f"{_DOCS.render(self._language)}: [MindSpore]({link})")
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
        grave = "" if used.same else f": {_STATUS['differs'].render(self._language)}"
        return f"- `{torch}`{grave}"

    def _title(self, answer: Answer) -> str:
        chosen = answer.chosen
        arrow = f" → `{chosen.template or chosen.target}`" if chosen is not None else ""
        return f"### `{answer.api}`{arrow}"

    def _status(self, answer: Answer, api: Api | None) -> str:
        words = [_STATUS[answer.status].render(self._language)]
        if api is not None and api.deprecated:
            words.append(f"PyTorch: {_DEPRECATED.render(self._language)}")
        place = f"MindSpore {self._target.version}, {DEVICES[self._target.device]}"
        return f"**{place}**: {'; '.join(words)}"

    def _signatures(self, answer: Answer, api: Api | None) -> str:
        lines = _texts(api) if api is not None else []
        if answer.chosen is not None and answer.chosen.template is None:
            other = self._catalog.mindspore_api(answer.chosen.target, self._target.version)
            lines += _texts(other, answer.chosen.target) if other is not None else []
        return _code(lines)

    def _chosen(self, candidate: Candidate, api: Api | None) -> list[str]:
        parts = self._template(candidate) if candidate.template is not None else []
        parts.append(self._table(candidate.differences))
        general = [d for d in candidate.differences if not (d.torch or d.mindspore)]
        parts.append("\n".join(f"- {d.sentence(self._language)}" for d in general))
        parts.append(self._same(candidate, api))
        extra = [f"`{d.mindspore}`" for d in candidate.differences if d.code == "extra"]
        if extra:
            parts.append(_EXTRA.render(self._language, names=", ".join(extra)))
        runs = self._runs(candidate)
        parts.append("; ".join(text for text in (self._versions(candidate), runs) if text))
        return parts

    def _template(self, candidate: Candidate) -> list[str]:
        """The expression as code, and the calls that it is for."""
        words = [_WRITE.render(self._language)]
        when = candidate.when
        for text, names in ((_GIVEN, when.given), (_OMITTED, when.omitted)) if when is not None else ():
            if names:
                words.append(text.render(self._language, names=", ".join(f"`{n}`" for n in names)))
        separator = "，" if self._language == "zh-cn" else ", "
        return [f"{separator.join(words)}:", _code([candidate.template or ""])]

    def _versions(self, candidate: Candidate) -> str:
        text = _SINCE if candidate.until is None else _SPAN
        return text.render(self._language, since=candidate.since, until=candidate.until)

    def _way_out(self, answer: Answer) -> list[str]:
        parts = []
        if answer.reason is not None:
            parts.append(_REASON.render(self._language, text=answer.reason.render(self._language)))
        if answer.way_out is not None:
            strategy = _STRATEGIES[answer.way_out.strategy].render(self._language)
            separator = "" if self._language == "zh-cn" else " "
            parts.append(f"{strategy}{separator}{answer.way_out.text.render(self._language)}")
            parts.append(_code([answer.way_out.code]) if answer.way_out.code else "")
        return parts

    def _others(self, answer: Answer) -> list[str]:
        others = [c for c in answer.candidates if c is not answer.chosen][:_MOST_OTHERS]
        names = [f"`{c.target}`" for c in others if c.template is None]
        parts = [_OTHERS.render(self._language, names=", ".join(names))] if names else []
        for candidate in others:
            if candidate.template is not None:
                parts += self._template(candidate)
        return parts

    def _table(self, differences: Sequence[Difference]) -> str:
        about = [d for d in differences if (d.torch or d.mindspore) and d.code != "extra"]
        rows = sorted(_without_repeats(about), key=lambda d: not d.grave)
        if not rows:
            return ""
        lines = [_TABLE.render(self._language), "|---|---|---|"]
        for difference in rows:
            ours = _cell(difference.torch, difference.torch_default)
            theirs = _cell(difference.mindspore, difference.mindspore_default)
            sentence = difference.sentence(self._language).replace("|", "\\|")
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
        return _SAME.render(self._language, names=", ".join(same)) if same else ""

    def _runs(self, candidate: Candidate) -> str:
        """Where it is documented to run, and what was run."""
        ran = ran_text(candidate, self._target.device, self._language)
        return "; ".join(text for text in (self._platforms(candidate.platforms), ran) if text)

    def _platforms(self, platforms: Sequence[str]) -> str:
        names = ", ".join(DEVICES[p] for p in ("ascend", "gpu", "cpu") if p in platforms)
        return _PLATFORMS.render(self._language, names=names) if names else ""

    def _links(self, answer: Answer) -> str:
        links = []
        if self._catalog.kind(answer.api) is not None:
            links.append(f"[PyTorch]({self._catalog.torch_link(answer.api)})")
        links += [self._mindspore_link(name) for name in self._linked(answer.chosen)]
        return f"{_DOCS.render(self._language)}: {' · '.join(links)}" if links else ""

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


def _texts(api: Api, name: str | None = None) -> list[str]:
    shown = name or api.name
    if api.signatures:
        lines = [s.text(shown) + _arrow(api, s.returns) for s in api.signatures[:_MOST_SIGNATURES]]
        return [*lines, "..."] if len(api.signatures) > _MOST_SIGNATURES else lines
    if api.kind in ("property", "attribute", "constant", "dtype") and api.returns:
        return [f"{shown}: {api.returns}"]
    return [shown]


def _arrow(api: Api, returns: str | None) -> str:
    return f" -> {returns}" if returns and api.kind != "class" else ""


def _code(lines: Sequence[str]) -> str:
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
