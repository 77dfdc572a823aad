"""Compiles the snippets of `mapping_data/graph_mode/snippets.json` and compares what came of each with what
is recorded: `PYTHON scripts/graph_snippets.py [--write] [NAME...]`, with the Python that has MindSpore.

A snippet has a network as people write it (`before`) and, where graph mode rejects or changes that, one that
does the same in it (`after`). Both are run without a graph and in graph mode, at the syntax levels LAX (the
default) and STRICT. `lax` and `strict` say what came of `before`: it `works`, it `raises`, or it `differs`
from what it gives without a graph. `after` has to give that in graph mode at both levels.

`inputs` is what the network is called with, `calls` how often; `probe` is an expression that is compared,
too, with `net`, `module`, `x`, the `results`, and what was `printed` (`only_probe`: it alone, where results
are random).
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SNIPPETS = ROOT / "mapping_data" / "graph_mode" / "snippets.json"
HEAD = "import mindspore as ms\nfrom mindspore import Tensor, mint, nn, ops\n\n\n"
LEVELS = ("LAX", "STRICT")
MARK = "@@ "
"""What lines with results begin with, among all that MindSpore prints."""
MOST = 40
"""As many snippets are run in one process."""


def source_of(snippet: dict[str, Any], form: str) -> str:
    """The text of a module with the network of a snippet."""
    return HEAD + "\n".join(snippet[form]) + "\n"


class Runner:
    """Runs snippets, each from a file of its own: the compiler reads the source."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0

    def run(self, snippet: dict[str, Any], form: str, level: str | None) -> tuple[str, str]:
        """`gives` and what it gives, or `raises` and the error; without a level, without a graph."""
        import mindspore
        import numpy

        mindspore.set_seed(1)
        random.seed(1)
        numpy.random.seed(1)
        mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
        module = self._module(source_of(snippet, form))
        net = module.Net()
        if level is not None:
            mindspore.set_context(mode=mindspore.GRAPH_MODE, jit_syntax_level=getattr(mindspore, level))
        x = mindspore.Tensor(numpy.array([[1, -2, 3], [4, 5, -6]], numpy.float32))
        try:
            return "gives", self._given(snippet, module, net, x)
        except Exception as error:  # noqa: BLE001 — whatever is raised is what is asked for
            lines = str(error).strip().splitlines()
            return "raises", f"{type(error).__name__}: {lines[0] if lines else ''}"

    def _given(self, snippet: dict[str, Any], module: Any, net: Any, x: Any) -> str:
        results = []
        path = self.folder / "printed"
        saved = os.dup(1)
        with path.open("w") as printed:
            os.dup2(printed.fileno(), 1)
            try:
                for _ in range(snippet.get("calls", 1)):
                    names = {"net": net, "x": x, "module": module}
                    results.append(plain(eval(f"net({snippet.get('inputs', 'x')})", names)))
                    if hasattr(module, "between_calls"):
                        module.between_calls(net)
                sys.stdout.flush()
            finally:
                os.dup2(saved, 1)
                os.close(saved)
        names = {"net": net, "x": x, "module": module, "results": results, "printed": path.read_text()}
        probed = eval(snippet["probe"], names) if "probe" in snippet else None
        return json.dumps([None if snippet.get("only_probe") else results, str(probed)])

    def _module(self, text: str) -> Any:
        self.count += 1
        name = f"snippet_{self.count}"
        path = self.folder / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module


def plain(value: Any) -> Any:
    """A result as JSON has it."""
    import mindspore

    if isinstance(value, mindspore.Tensor):
        return [str(value.dtype), list(value.shape), value.asnumpy().tolist()]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *[plain(each) for each in value]]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    return [type(value).__name__, str(value)]


def outcome(expected: tuple[str, str], found: tuple[str, str]) -> str:
    """What came of compiling a network that gives something without a graph."""
    if found[0] == "raises":
        return "raises"
    return "works" if found == expected else "differs"


def measured(runner: Runner, snippet: dict[str, Any]) -> tuple[dict[str, str], list[str]]:
    """What came of `before`, and what is wrong with the snippet."""
    expected = runner.run(snippet, "before", None)
    wrong = [f"without a graph it raises {expected[1]}"] if expected[0] == "raises" else []
    record: dict[str, str] = {}
    for level in LEVELS:
        found = runner.run(snippet, "before", level)
        record[level.lower()] = outcome(expected, found)
        if found[0] == "raises":
            record.setdefault("error", without_places(found[1]))
    for level in (None, *LEVELS) if "after" in snippet else ():
        found = runner.run(snippet, "after", level)
        if found != expected:
            wrong.append(f"after, {level or 'without a graph'}: {found} instead of {expected}")
    return record, wrong


def without_places(error: str) -> str:
    """The first sentence of an error, without what is another one in each run: addresses, numbers, paths."""
    text = re.sub(r"snippet_\d+", "snippet", error)
    text = re.sub(r"/\S*/", "", text)
    text = re.sub(r"0x[0-9a-f]+|@?\d{4,}\w*", "…", text)
    return text[:160].rstrip()


def work(names: list[str]) -> None:
    """Print what came of these snippets, a line each."""
    snippets = read()["snippets"]
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Path(folder))
        for name in names:
            print(MARK + json.dumps([name, *measured(runner, snippets[name])]), flush=True)


def results(names: list[str]) -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """What came of snippets, in processes that take some each. Where one dies, the snippet at hand is run
    again in another one: MindSpore does not always outlive many compilations that fail."""
    waiting, again = list(names), set[str]()
    while waiting:
        command = [sys.executable, __file__, "--work", *waiting[:MOST]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
        for line in lines:
            name, record, wrong = json.loads(line.removeprefix(MARK))
            yield name, record, wrong
        waiting = waiting[len(lines) :]
        if done.returncode and waiting and not lines:
            if waiting[0] in again:
                yield waiting.pop(0), {}, [f"the process ended: {done.stderr[-500:]}"]
            else:
                again.add(waiting[0])


def read() -> dict[str, Any]:
    """The file of snippets."""
    data: dict[str, Any] = json.loads(SNIPPETS.read_text(encoding="utf-8"))
    return data


def main(arguments: list[str]) -> int:
    """Compare, or write."""
    if "--work" in arguments:
        work([one for one in arguments if not one.startswith("--")])
        return 0
    data, problems = read(), []
    snippets = data["snippets"]
    for name, record, wrong in results(
        [one for one in arguments if not one.startswith("--")] or list(snippets)
    ):
        problems += [f"{name}: {one}" for one in wrong]
        known = {key: snippets[name].pop(key) for key in ("lax", "strict", "error") if key in snippets[name]}
        if any(known.get(key) != record.get(key) for key in ("lax", "strict")):
            problems.append(f"{name}: {record}, recorded is {known}")
        snippets[name].update(record)
    if "--write" in arguments:
        data["mindspore"] = metadata.version("mindspore")
        SNIPPETS.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print("\n".join([*problems, f"{len(problems)} problems with MindSpore {metadata.version('mindspore')}"]))
    return 1 if problems and "--write" not in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
