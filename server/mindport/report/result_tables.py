"""What a scan found as tables of rows: one for each torch API and what is said of it, with all its places.

The tables are those that an editor shows. `docs/protocol.md` (`mindport.scanResults`) describes the form of
`results_entry`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.language import Text
from mindport.report import words
from mindport.report.html_report import TEXTS
from mindport.report.json_report import problem_entries
from mindport.report.summary import STATUSES

if TYPE_CHECKING:
    from mindport.language import Language
    from mindport.report.api_uses import ApiUse
    from mindport.report.scan_rows import ScannedFile, ScannedUse

Link = Callable[[str], "str | None"]
"""The address of the documentation of a MindSpore API; None if there is none."""

TABLES: Mapping[str, tuple[Text, Text]] = {
    "convertible": (
        Text("Convertible", "可转换"),
        Text("MindSpore has an equivalent.", "MindSpore 中有等价接口。"),
    ),
    "differs": (
        Text("Behaves differently", "行为有差异"),
        Text(
            "An equivalent exists, but behaves differently.",
            "有对应接口，但行为并不完全相同。",
        ),
    ),
    "missing": (
        Text("No equivalent", "无对应接口"),
        Text("MindSpore has no equivalent.", "MindSpore 中没有对应接口。"),
    ),
    "possible": (
        Text("Possibly Tensor", "可能是 Tensor"),
        Text(
            "Only the name of the method or attribute suggests a Tensor.",
            "仅由方法名或属性名推测其属于 Tensor。",
        ),
    ),
    "not_needed": (
        Text("Not needed", "不需要"),
        Text("Not needed in MindSpore; can be removed.", "MindSpore 中不需要，可以删除。"),
    ),
    "unmapped": (
        Text("Not mapped yet", "尚无映射"),
        Text("Not in the mapping table yet.", "映射表中尚无这些接口。"),
    ),
}
"""The tables by their names, in the order in which they are shown: title, and what is in them."""
_OF_STATUS = {"equivalent": "convertible"}
_FIXES = {
    "safe": Text("safe", "可安全修复"),
    "review": Text("needs review", "需检查"),
    "none": Text("none", "无"),
}
_COLUMNS = ("api", "becomes", "status", "versions", "devices", "differs", "number")
_FIX = Text("Fix", "修复")
_CODE = Text("Code", "代码")


class Place(NamedTuple):
    """Where a use is: the number of its file, of the cell in a notebook, and the range as in `ScannedUse`."""

    file: int
    cell: int | None
    range: tuple[int, int, int, int]


class Row(NamedTuple):
    """A row of a table: an API, what becomes of it, and where that is so, in the order of files and text."""

    table: str
    use: ApiUse
    code: str | None
    fix: str
    places: list[Place]


def table_of(use: ScannedUse) -> str:
    """The name of the table that a use belongs to."""
    if use.certainty == "possible":
        return "possible"
    return _OF_STATUS.get(use.use.status, use.use.status)


def result_rows(files: Sequence[ScannedFile]) -> list[Row]:
    """The rows of all tables, those of most uses first. Files are numbered as they stand in `files`. An
    import of which nothing is shown stands with the uses of what it imports, if there are any."""
    rows: dict[tuple[str, ApiUse, str | None, str], Row] = {}
    imports: list[tuple[ScannedUse, Place]] = []
    for number, file in enumerate(files):
        for use in file.uses:
            place = Place(number, use.cell, use.range)
            if use.kind == "import" and use.code is None:
                imports.append((use, place))
            else:
                _row_of(use, rows).places.append(place)
    used: dict[tuple[str, ApiUse], Row] = {}
    for row in rows.values():
        used.setdefault((row.table, row.use), row)
    for use, place in imports:
        known = used.get((table_of(use), use.use))
        (_row_of(use, rows) if known is None else known).places.append(place)
    for row in rows.values():
        row.places.sort(key=lambda place: (place.file, place.cell or 0, place.range))
    order = {name: number for number, name in enumerate(TABLES)}
    return sorted(rows.values(), key=lambda row: (order[row.table], -len(row.places), row.use.api))


def _row_of(use: ScannedUse, rows: dict[tuple[str, ApiUse, str | None, str], Row]) -> Row:
    """The row of a use, which is made if there is none."""
    about = (table_of(use), use.use, use.code, use.fix)
    row = rows.get(about)
    if row is None:
        row = rows[about] = Row(*about, [])
    return row


def results_entry(files: Mapping[str, ScannedFile], language: Language, link: Link) -> dict[str, Any]:
    """The tables of a scan, as an editor gets them. `files` are by URI."""
    rows = result_rows(list(files.values()))
    number_of: dict[str, list[int]] = {}
    for row in rows:
        number_of.setdefault(row.table, []).append(len(row.places))
    tables = [
        {
            "id": name,
            "title": title.render(language),
            "about": about.render(language),
            "rows": len(number_of.get(name, ())),
            "uses": sum(number_of.get(name, ())),
        }
        for name, (title, about) in TABLES.items()
        if name in number_of or name != "unmapped"
    ]
    columns = {name: TEXTS[name].render(language) for name in _COLUMNS}
    return {
        "tables": tables,
        "columns": columns | {"fix": _FIX.render(language), "code": _CODE.render(language)},
        "statuses": {name: words.STATUSES[name].render(language) for name in STATUSES},
        "fixes": {name: text.render(language) for name, text in _FIXES.items()},
        "files": [{"uri": uri, "path": file.path} for uri, file in files.items()],
        "problems": [
            {"file": number, **entry}
            for number, file in enumerate(files.values())
            for entry in problem_entries(file.problems)
        ],
        "rows": [_row_entry(row, link) for row in rows],
    }


def _row_entry(row: Row, link: Link) -> dict[str, Any]:
    use = row.use
    return {
        "table": row.table,
        "api": use.api,
        "becomes": use.becomes,
        "target": use.targets,
        "link": link(use.targets) if use.targets else None,
        "status": use.status,
        "versions": use.versions,
        "devices": use.devices,
        "differs": use.differs,
        "code": row.code,
        "fix": row.fix,
        "places": _packed(row.places),
    }


def _packed(places: Sequence[Place]) -> list[list[int]]:
    """Places in few bytes: a list for each file or cell, of its numbers (0: no cell) and then for each place
    the line and character of the start, how many lines the end is below it, and the character of the end."""
    lists: list[list[int]] = []
    of: tuple[int, int | None] | None = None
    for place in places:
        if of != (place.file, place.cell):
            of = (place.file, place.cell)
            lists.append([place.file, place.cell or 0])
        line, start, end_line, end = place.range
        lists[-1] += (line, start, end_line - line, end)
    return lists
