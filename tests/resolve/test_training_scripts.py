"""Training scripts in their usual shape: every use of torch is found, with its API, and none is only possible.

What is expected was worked out by reading the scripts: by line, the APIs that are used there (without `torch.`
before them), but for those in imports.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from mindport.catalog.catalog import Catalog
from mindport.project.session import Session
from mindport.project.setting_table import Settings

SCRIPTS = Path(__file__).parents[1] / "data" / "training"
USES = {
    "mnist.py": {
        13: "nn.Module",
        15: "nn.Module.__init__",
        16: "nn.Conv2d",
        17: "nn.Conv2d",
        18: "nn.Dropout",
        19: "nn.Linear",
        20: "nn.Linear",
        23: "nn.functional.relu",
        24: "nn.functional.relu",
        25: "nn.functional.max_pool2d",
        26: "flatten",
        28: "nn.functional.relu",
        29: "nn.functional.log_softmax",
        33: "nn.Module.train",
        35: "Tensor.to Tensor.to",
        36: "optim.Optimizer.zero_grad",
        38: "nn.functional.nll_loss",
        39: "Tensor.backward",
        40: "optim.Adadelta.step",
        42: "Tensor.item utils.data.DataLoader.dataset",
        46: "nn.Module.eval",
        49: "no_grad",
        51: "Tensor.to Tensor.to",
        53: "nn.functional.nll_loss Tensor.item",
        54: "Tensor.argmax",
        55: "Tensor.eq Tensor.sum Tensor.item Tensor.view_as",
        56: "utils.data.DataLoader.dataset",
        65: "manual_seed",
        66: "device cuda.is_available",
        68: "torchvision.transforms.Compose torchvision.transforms.ToTensor torchvision.transforms.Normalize",
        69: "torchvision.datasets.MNIST",
        70: "torchvision.datasets.MNIST",
        71: "utils.data.DataLoader",
        72: "utils.data.DataLoader",
        74: "nn.Module.to",
        75: "optim.Adadelta nn.Module.parameters",
        76: "optim.lr_scheduler.StepLR",
        80: "optim.lr_scheduler.LRScheduler.step",
        81: "save nn.Module.state_dict",
    },
    "vae.py": {
        15: "manual_seed",
        16: "device cuda.is_available",
        18: "utils.data.DataLoader",
        19: "torchvision.datasets.MNIST torchvision.transforms.ToTensor",
        21: "utils.data.DataLoader torchvision.datasets.MNIST torchvision.transforms.ToTensor",
        24: "nn.Module",
        26: "nn.Module.__init__",
        27: "nn.Linear",
        28: "nn.Linear",
        29: "nn.Linear",
        30: "nn.Linear",
        31: "nn.Linear",
        34: "nn.functional.relu",
        38: "exp",
        39: "randn_like",
        43: "nn.functional.relu",
        44: "sigmoid",
        47: "Tensor.view",
        52: "nn.Module.to",
        53: "optim.Adam nn.Module.parameters",
        57: "nn.functional.binary_cross_entropy Tensor.view",
        58: "sum Tensor.pow Tensor.exp",
        63: "nn.Module.train",
        66: "Tensor.to",
        67: "optim.Optimizer.zero_grad",
        70: "Tensor.backward",
        71: "Tensor.item",
        72: "optim.Adam.step",
        73: "utils.data.DataLoader.dataset",
        77: "nn.Module.eval",
        79: "no_grad",
        81: "Tensor.to",
        83: "Tensor.item",
        85: "Tensor.size",
        86: "cat Tensor.view",
        87: "torchvision.utils.save_image Tensor.cpu",
        88: "utils.data.DataLoader.dataset",
        95: "no_grad",
        96: "randn Tensor.to",
        97: "Tensor.cpu",
        98: "torchvision.utils.save_image Tensor.view",
    },
    "dcgan.py": {
        25: "manual_seed",
        26: "backends.cudnn.benchmark",
        27: "device cuda.is_available",
        29: "torchvision.datasets.CIFAR10",
        30: "torchvision.transforms.Compose torchvision.transforms.Resize torchvision.transforms.ToTensor",
        32: "utils.data.DataLoader",
        39: "nn.init.normal_",
        41: "nn.init.normal_",
        42: "nn.init.zeros_",
        45: "nn.Module",
        47: "nn.Module.__init__",
        49: "nn.Sequential",
        50: "nn.ConvTranspose2d",
        51: "nn.BatchNorm2d",
        52: "nn.ReLU",
        53: "nn.ConvTranspose2d",
        54: "nn.Tanh",
        58: "Tensor.is_cuda",
        59: "nn.parallel.data_parallel",
        65: "nn.Module",
        67: "nn.Module.__init__",
        69: "nn.Sequential",
        70: "nn.Conv2d",
        71: "nn.LeakyReLU",
        72: "nn.Conv2d",
        73: "nn.Sigmoid",
        78: "Tensor.view Tensor.squeeze",
        81: "nn.Module.to",
        82: "nn.Module.apply",
        84: "nn.Module.load_state_dict load",
        85: "nn.Module.to",
        86: "nn.Module.apply",
        88: "nn.BCELoss",
        89: "randn",
        90: "optim.Adam nn.Module.parameters",
        91: "optim.Adam nn.Module.parameters",
        96: "nn.Module.zero_grad",
        97: "Tensor.to",
        98: "Tensor.size",
        99: "full Tensor.dtype",
        102: "Tensor.backward",
        103: "Tensor.mean Tensor.item",
        105: "randn",
        107: "Tensor.fill_",
        108: "Tensor.detach",
        110: "Tensor.backward",
        112: "optim.Adam.step",
        114: "nn.Module.zero_grad",
        115: "Tensor.fill_",
        118: "Tensor.backward",
        119: "optim.Adam.step",
        120: "Tensor.item Tensor.item",
        122: "torchvision.utils.save_image",
        124: "torchvision.utils.save_image Tensor.detach",
        125: "save nn.Module.state_dict",
    },
    "words/data.py": {
        40: "tensor Tensor.type int64",
        41: "cat",
    },
    "words/model.py": {
        7: "nn.Module",
        9: "nn.Module.__init__",
        11: "nn.Dropout",
        12: "nn.Embedding",
        14: "nn.LSTM",
        16: "nn.GRU",
        17: "nn.Linear",
        24: "nn.init.uniform_ nn.Embedding.weight",
        25: "nn.init.zeros_ nn.Linear.bias",
        26: "nn.init.uniform_ nn.Linear.weight",
        33: "Tensor.view",
        34: "nn.functional.log_softmax",
        37: "nn.Module.parameters",
        40: "Tensor.new_zeros",
        41: "Tensor.new_zeros",
        43: "Tensor.new_zeros",
    },
    "words/main.py": {
        18: "manual_seed",
        19: "device cuda.is_available",
        24: "Tensor.size",
        25: "Tensor.narrow",
        26: "Tensor.view Tensor.t Tensor.contiguous",
        27: "Tensor.to",
        33: "nn.Module.to",
        34: "nn.NLLLoss",
        38: "Tensor",
        39: "Tensor.detach",
        47: "Tensor.view",
        52: "nn.Module.eval",
        55: "no_grad",
        56: "Tensor.size",
        60: "Tensor.item",
        65: "nn.Module.train",
        68: "Tensor.size",
        70: "nn.Module.zero_grad",
        74: "Tensor.backward",
        75: "nn.utils.clip_grad_norm_ nn.Module.parameters",
        76: "nn.Module.parameters",
        77: "Tensor.data Tensor.add_ Tensor.grad",
        78: "Tensor.item",
        89: "save",
        95: "load",
        96: "nn.RNNBase.flatten_parameters",
    },
}


def found(root: Path, names: list[str]) -> dict[str, list[tuple[int, str, str]]]:
    """The uses in the modules of a project, each with its line and how sure it is."""
    session = Session(Catalog.load(), Settings(), [root])
    for name in names:
        session.place(root / name, [root])
        session.analyse_file(root / name)
    session.settle([str(root / name) for name in names])
    result = {}
    for name in names:
        analysis = session.analyse_file(root / name).analysis
        result[name] = [
            (
                analysis.document.lines.position(shift + use.start, "utf-8")[0] + 1,
                use.api,
                use.certainty.value,
            )
            for shift, use in analysis.uses()
            if use.kind != "import"
        ]
    return result


PROJECTS = (["mnist.py"], ["vae.py"], ["dcgan.py"], ["words/data.py", "words/model.py", "words/main.py"])


@pytest.mark.parametrize("files", PROJECTS, ids=lambda files: files[0])
def test_every_use_is_found(files: list[str]) -> None:
    root = (SCRIPTS / files[0]).parent
    uses = found(root, [Path(file).name for file in files])
    for file in files:
        of_file = uses[Path(file).name]
        by_line: dict[int, list[str]] = {}
        for line, api, _ in of_file:
            by_line.setdefault(line, []).append(api.removeprefix("torch."))
        assert by_line == {line: apis.split() for line, apis in USES[file].items()}
        assert [use for use in of_file if use[2] == "possible"] == []


def test_what_must_run_before_it_is_known_is_certain() -> None:
    """What follows from imports and constructors alone."""
    uses = found(SCRIPTS, ["mnist.py"])["mnist.py"]
    certain = {api for _, api, certainty in uses if certainty == "certain"}
    assert {"torch.nn.Conv2d", "torch.optim.Adadelta", "torch.nn.Module.parameters"} <= certain
