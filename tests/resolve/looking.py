"""Shared by the resolution tests: analyse a text (and other modules beside it) and show its uses."""

from __future__ import annotations

from pathlib import Path

from mindport.catalog.catalog import Catalog
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph
from mindport.infer.propagation import Propagation
from mindport.source.document import Document
from mindport.uses.analysis import Analysis, analyse


def analysed(source: str, root: Path | None = None, name: str = "main") -> Analysis:
    """The analysis of `source`, as the module `name` of the project at `root`, when it is known what its calls
    give."""
    graph = ProjectGraph(Catalog.load(), [root] if root is not None else [])
    folder = root if root is not None else Path("/nowhere")
    path = folder.joinpath(*name.split(".")).with_suffix(".py")
    module = graph.set_document(str(path), name, Document.open(str(path), source))
    evaluator = Evaluator(graph, Catalog.load())
    Propagation(evaluator).settle([module])
    return analyse(evaluator, module)


def shown(analysis: Analysis) -> list[str]:
    """Each use as `kind api <- text`, with its certainty where that is not `certain`."""
    lines = []
    for shift, use in analysis.uses():
        text = analysis.document.text(shift + use.start, shift + use.end)
        certainty = "" if use.certainty.value == "certain" else f" ({use.certainty.value})"
        lines.append(f"{use.kind} {use.api} <- {text}{certainty}")
    return lines


def uses(source: str, root: Path | None = None, name: str = "main", imports: bool = False) -> list[str]:
    """The uses in `source`, without those in import statements unless asked for."""
    return [line for line in shown(analysed(source, root, name)) if imports or not line.startswith("import ")]


def write(root: Path, files: dict[str, str]) -> Path:
    """Write a project."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root
