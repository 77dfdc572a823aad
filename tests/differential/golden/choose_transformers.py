"""Chooses the types of models of transformers and writes transformers_models.py beside this file: choose_transformers.py
TRANSFORMERS, the folder that holds the package. Taken is each type of which `transformers_small.Whole` runs in PyTorch
within the limits, and gives the same twice; of the others it is told why not."""

import signal
import sys
from pathlib import Path

import torch

LARGEST = 30_000_000
"""Parameters."""
SECONDS = 60
HEAD = '''"""The types of models of transformers that `transformers_small.Whole` builds small, chosen by
`choose_transformers.py`: for each the module of its model, what builds it, and the shape of its input."""

FILES = {
'''
TAIL = """}
MODELS = {
    kind: (module, f"__import__('transformers_small').Whole({kind!r})", (2, 3, 32, 32)) for kind, module in FILES.items()
}
"""


def too_late(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS} seconds")


def module_of(whole, kind: str) -> str:
    """The module of a type's model. Raises ValueError where it is not to be taken."""
    network = whole(kind).eval()
    parameters = sum(each.numel() for each in network.parameters())
    if parameters > LARGEST:
        raise ValueError(f"{parameters} parameters")
    given = torch.randn(2, 3, 32, 32, requires_grad=True)
    output = network(given)
    output.sum().backward()
    if not output.isfinite().all():
        raise ValueError("it gives infinities")
    if not torch.equal(output, network(given)):
        raise ValueError("it draws")
    return type(network.model).__module__


def main() -> None:
    sys.path[:0] = [sys.argv[1], str(Path(__file__).parent)]
    torch.manual_seed(0)
    torch.set_num_threads(1)
    from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES
    from transformers_small import Whole

    found = {}
    signal.signal(signal.SIGALRM, too_late)
    for kind in sorted(MODEL_MAPPING_NAMES):
        signal.alarm(SECONDS)
        try:
            found[kind] = module_of(Whole, kind)
        except Exception as error:  # noqa: BLE001 - told of the type, and the others go on
            print(f"{kind}: {type(error).__name__}: {str(error)[:100]}", file=sys.stderr)
        finally:
            signal.alarm(0)
    lines = [f'    "{kind}": "{module}",\n' for kind, module in found.items()]
    Path(__file__).with_name("transformers_models.py").write_text(
        "".join([HEAD, *lines, TAIL]), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
