"""Chooses a model of each file of timm's folder `models` and writes timm_models.py beside this file: choose_timm.py TIMM
TORCHVISION, the folders that hold these packages. A file's first that builds within the limits is taken, the smallest
by its name first; which files have none is told."""

import importlib
import signal
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from torchvision_sources import declare_operators

LARGEST = 60_000_000
"""Parameters."""
SECONDS = 40
SIZES = (64, 96, 128, 224, 256)
SMALL = (
    *(
        "test_",
        "femto",
        "atto",
        "pico",
        "nano",
        "xxs",
        "xx_small",
        "extra_tiny",
        "_t0",
        "xxxs",
        "x_tiny",
        "tiny",
    ),
    *("mini", "_xs", "micro", "s0", "b0", "_18", "18", "small", "_s", "26", "14", "10", "xs"),
)
"""Parts of names of small models, the smallest first."""
HEAD = '''"""A small model of each file of timm's folder `models`, chosen by `choose_timm.py`: for each file its module, what builds
the model there, and the shape of its input. Two images: with one, PyTorch's own gradient of `batch_norm` on CPU is wrong
where a channel has one value."""

MODELS = {
'''


def rank(name: str) -> tuple[int, int, str]:
    return next((place for place, part in enumerate(SMALL) if part in name), len(SMALL)), len(name), name


def too_late(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS} seconds")


def tried(create, name: str, options: dict, size: int) -> str:
    """What is wrong with a model: nothing if it builds and runs within the limits."""
    signal.signal(signal.SIGALRM, too_late)
    signal.alarm(SECONDS)
    try:
        network = create(name, pretrained=False, num_classes=10, **options).eval()
        parameters = sum(each.numel() for each in network.parameters())
        if parameters > LARGEST:
            return f"{parameters} parameters"
        with torch.no_grad():
            network(torch.randn(2, 3, size, size))
    except Exception as error:  # noqa: BLE001 - told, and the next one is tried
        return f"{type(error).__name__}: {error}"[:200]
    finally:
        signal.alarm(0)
    return ""


def chosen(create, names: list[str]) -> tuple[str, int] | str:
    """The call that builds a model, and the size of its images; or why there is none."""
    wrong = ""
    for name in sorted(names, key=rank)[:4]:
        for options in ({"img_size": 64}, {"img_size": 128}, {}):
            for size in [options["img_size"]] if options else SIZES:
                wrong = tried(create, name, options, size)
                if not wrong:
                    given = {"num_classes": 10, **options}
                    written = ", ".join(f"{key}={value}" for key, value in given.items())
                    return f"{name}(pretrained=False, {written})", size
                if wrong.endswith("parameters") or "unexpected" in wrong:
                    break
            if wrong.endswith("parameters"):
                break
    return wrong


def main(*folders: str) -> None:
    sys.path[:0] = folders
    library = declare_operators()  # noqa: F841 - there as long as the name
    create = importlib.import_module("timm").create_model
    by_file: dict[str, list[str]] = {}
    for name, file in importlib.import_module("timm.models._registry")._model_to_module.items():
        by_file.setdefault(file, []).append(name)
    rows = []
    for file, names in sorted(by_file.items()):
        found = chosen(create, names)
        if isinstance(found, str):
            print(f"{file}: none: {found}")
            continue
        call, size = found
        rows.append(f'    "{file}": ("timm.models.{file}", "{call}", (2, 3, {size}, {size})),\n')
    print(f"{len(by_file)} files, {len(rows)} with a model")
    (Path(__file__).parent / "timm_models.py").write_text(HEAD + "".join(rows) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
