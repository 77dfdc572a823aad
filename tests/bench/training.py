"""How long training programs take that `mindport convert --whole` has converted, beside the same programs in PyTorch.

The two take turns, in processes of their own; time is that of `main`, with its imports but those of the framework. See
README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TRAINING = ROOT / "tests" / "differential" / "training"
sys.path.append(str(TRAINING))

from programs import PROGRAMS  # noqa: E402

ARGUMENTS = {
    "mnist": "--epochs 8 --batch-size 32",
    "gpt": "--max_iters 40 --batch_size 8 --learning_rate 3e-3 --sample 4",
    "seq2seq": "--steps 30",
    "language_model_lstm": "--model LSTM --emsize 64 --nhid 64 --batch_size 16 --bptt 20 --epochs 3 --max-batches 20",
    "packed_gru": "--epochs 4",
    "unet": "--epochs 1 --images 28 -l 1e-5",
}
"""The programs that are run if none is named, with enough steps to be timed."""
SIDES = {"pytorch": "torch", "mindspore": "mindspore"}
AT_ONCE = re.compile(rb"^(RUNS_AT_ONCE|CASTS_ARE_QUICK) = .*$", re.MULTILINE)
_TIMED = """
import sys, time, {framework}
sys.path[:0] = [sys.argv[1], {training!r}]
from pathlib import Path
from replay import started
begin = time.perf_counter()
started(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
print(f"seconds {{time.perf_counter() - begin}}")
"""


def convert(source: Path, target: Path) -> Path:
    """The program, converted for a CPU."""
    options = ("--whole", "--target", "2.10", "--device", "cpu", "--style", "classic")
    command = [sys.executable, "-m", "mindport", "convert", str(source), "-o", str(target), *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return target


def seconds(python: str, framework: str, folder: Path, module: str, arguments: str) -> float:
    """How long one run takes. Raises CalledProcessError if it ends with an error."""
    script = _TIMED.format(framework=framework, training=str(TRAINING))
    made = subprocess.run(
        [python, "-c", script, str(folder), module, *arguments.split()],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "GLOG_v": "4", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=folder,
    )
    return float(made.stdout.rsplit(b"seconds ", 1)[1])


def measure(name: str, arguments: str, python: str, rounds: int, without: bool) -> dict[str, float]:
    """The medians for one program, and the ratio to PyTorch; `without` adds a third side, in which MindSpore's
    operators run when they like, and all casts are its own."""
    program = PROGRAMS[name]
    source = TRAINING / "programs" / program.path
    with tempfile.TemporaryDirectory() as base:
        folders = {"pytorch": Path(base, "source")}
        folders["pytorch"].mkdir()
        for file in source.iterdir() if source.is_dir() else [source.with_suffix(".py")]:
            if file.is_file():
                (folders["pytorch"] / file.name).write_bytes(file.read_bytes())
        folders["mindspore"] = convert(folders["pytorch"], Path(base, "converted"))
        if without:
            folders["without"] = convert(folders["pytorch"], Path(base, "without"))
            helpers = folders["without"] / "mindport_helpers.py"
            helpers.write_bytes(AT_ONCE.sub(rb"\1 = True", helpers.read_bytes()))
        found: dict[str, list[float]] = {side: [] for side in folders}
        for _ in range(rounds):
            for side, folder in folders.items():
                framework = SIDES.get(side, "mindspore")
                found[side].append(seconds(python, framework, folder, program.main, arguments))
    ratio = statistics.median(a / b for a, b in zip(found["mindspore"], found["pytorch"], strict=True))
    return {
        **{side: round(statistics.median(each), 2) for side, each in found.items()},
        "to_pytorch": round(ratio, 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(ARGUMENTS)}, or of tests"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without", action="store_true", help="also without what makes them quick on a CPU")
    given = parser.parse_args()
    python = os.environ.get("MINDPORT_TORCH_PYTHON")
    if not python:
        parser.error("MINDPORT_TORCH_PYTHON has to name a Python that has PyTorch and MindSpore")
    found = {}
    for name in given.programs or ARGUMENTS:
        arguments = ARGUMENTS.get(name, PROGRAMS[name].arguments)
        found[name] = measure(name, arguments, python, given.rounds, given.without)
        print(f"{name:24}", *(f"{key} {value}" for key, value in found[name].items()), file=sys.stderr)
    print(json.dumps(found, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
