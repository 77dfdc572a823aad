"""Code for another device can be tried on a CPU: what MindSpore lacks there is substituted.

About half of `mindspore.mint` has no kernel on CPU. What stands in for a function is what mindport itself
writes for its torch API with `--whole --device cpu`: a table of all of them is converted like any module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mindport.app.convert import convert_files, files_to_convert, helper_files, write_file
from mindport.app.convert_tree import IntoFolder
from mindport.app.helpers_place import HelpersPlaces
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Target
from mindport.scan.scan import Progress

if TYPE_CHECKING:
    from mindport.catalog.answer import Candidate
    from mindport.language import Language
    from mindport.project.setting_table import Settings

MODULE: Final = "mindport_substitutes"
TABLE: Final = "SUBSTITUTES"
_MINT: Final = "mindspore.mint."
_METHOD: Final = "mindspore.Tensor."
_DISTRIBUTED: Final = f"{_MINT}distributed"
_FALLS_SHORT: Final = ("partly", "differs", "dtype_differs")
_INDEXING: Final = "Tensor.__getitem__"
"""The gradient of slices with steps, which has a kernel on CPU that fails."""


def write_substitutes(folder: Path, settings: Settings, language: Language) -> None:
    """Write a folder with the module that `mindport.verify.inside.substitutes` takes."""
    on_cpu = replace(settings, device="cpu", style="classic", exclude=())
    torch = folder / "torch"
    torch.mkdir(parents=True)
    table = "".join(f'    "{name}": {api},\n' for name, api in _substituted(settings.target))
    source = torch / f"{MODULE}.py"
    source.write_text(f"import torch\n\n{TABLE} = {{\n{table}}}\n", encoding="utf-8")
    files = files_to_convert([torch], on_cpu, None)
    converted = list(convert_files(files, on_cpu, language, False, Progress(), torch))
    destination = IntoFolder(folder, torch, files.files, True)
    for file in [*converted, *helper_files(converted, HelpersPlaces.of(torch), language)]:
        write_file(file, destination, language)


def _substituted(version: str) -> Iterator[tuple[str, str]]:
    """The APIs of MindSpore that fall short on CPU, each with an API of torch's that it is the counterpart
    of."""
    catalog = Catalog.load()
    target = Target(version, "cpu")
    found: dict[str, str] = {f"mindspore.{_INDEXING}": f"torch.{_INDEXING}"}
    for torch in catalog.correspondences.table.names:
        if torch.startswith("torch.") and catalog.is_documented(torch):
            for candidate in catalog.answer(torch, target).candidates:
                name = candidate.target
                if _falls_short(candidate) and (name not in found or _is_namesake(torch, name)):
                    found[name] = torch
    yield from sorted(found.items())


def _falls_short(candidate: Candidate) -> bool:
    if candidate.kind != "api" or candidate.target.startswith(_DISTRIBUTED):
        return False
    if candidate.target.startswith(_METHOD):
        return candidate.runs is False
    if not candidate.target.startswith(_MINT):
        return False
    ran = candidate.evidence is not None and candidate.evidence.result in _FALLS_SHORT
    return candidate.runs is False or ran


def _is_namesake(torch: str, mindspore: str) -> bool:
    return torch.removeprefix("torch.") == mindspore.removeprefix(_MINT).removeprefix("mindspore.")
