"""Names: aliases, members, modules, types."""

from __future__ import annotations

import pytest
from mindport.catalog.catalog import Catalog


@pytest.mark.parametrize(
    ("dotted", "name"),
    [
        ("torch.nn.Conv2d", "torch.nn.Conv2d"),
        ("torch.nn.modules.conv.Conv2d", "torch.nn.Conv2d"),
        ("torch.nn.modules.Module", "torch.nn.Module"),
        ("torch.nn.parameter.Parameter", "torch.nn.Parameter"),
        ("torch.functional.einsum", "torch.einsum"),
        ("torch.conv2d", "torch.nn.functional.conv2d"),
        ("torch.relu", "torch.relu"),
        ("torch.nn.functional.relu", "torch.nn.functional.relu"),
        ("torch.autograd.no_grad", "torch.no_grad"),
        ("torch.optim.adam.Adam", "torch.optim.Adam"),
        ("torch.float", "torch.float"),
        ("torch.utils.tensorboard.writer.SummaryWriter", "torch.utils.tensorboard.SummaryWriter"),
    ],
)
def test_aliases(catalog: Catalog, dotted: str, name: str) -> None:
    assert catalog.canonical(dotted) == name


@pytest.mark.parametrize(
    ("dotted", "name"),
    [
        ("torch.nn.Conv2d.register_buffer", "torch.nn.Module.register_buffer"),
        ("torch.nn.modules.conv.Conv2d.weight", "torch.nn.Conv2d.weight"),
        ("torch.nn.Conv2d.forward", "torch.nn.Conv2d.forward"),
        ("torch.optim.Adam.zero_grad", "torch.optim.Optimizer.zero_grad"),
        ("torch.nn.Parameter.view", "torch.Tensor.view"),
        ("torch.FloatTensor.view", "torch.Tensor.view"),
        ("torch.Tensor.shape.numel", "torch.Size.numel"),
        ("torch.finfo.eps", "torch.finfo.eps"),
        ("torch.DispatchKey.Autograd", "torch.DispatchKey.Autograd"),
        ("torch.nn.ModuleList.append", "torch.nn.ModuleList.append"),
    ],
)
def test_members(catalog: Catalog, dotted: str, name: str) -> None:
    assert catalog.canonical(dotted) == name


@pytest.mark.parametrize(
    "dotted", ["", ".", "torch.", "torch.nope", "torchmetrics.Metric", "torch.nn.Conv2d.nope", "numpy.sum"]
)
def test_unknown_names(catalog: Catalog, dotted: str) -> None:
    assert catalog.canonical(dotted) is None
    assert catalog.kind(dotted) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("torch", "module"),
        ("torch.nn.functional", "module"),
        ("torch.nn.Linear", "class"),
        ("torch.cat", "function"),
        ("torch.Tensor.view", "method"),
        ("torch.Tensor.shape", "attribute"),
        ("torch.nn.Linear.in_features", "attribute"),
        ("torch.float32", "dtype"),
        ("torch.__version__", "constant"),
        ("torch.backends.cudnn.benchmark", "constant"),
    ],
)
def test_kinds(catalog: Catalog, name: str, kind: str) -> None:
    assert catalog.kind(name) == kind


@pytest.mark.parametrize(
    ("name", "returns"),
    [
        ("torch.cat", "Tensor"),
        ("torch.Tensor.view", "Tensor"),
        ("torch.Tensor.shape", "torch.Size"),
        ("torch.Tensor.dtype", "torch.dtype"),
        ("torch.Tensor.item", "int | float | bool"),
        ("torch.nn.Linear", "torch.nn.Linear"),
        ("torch.Tensor", "Tensor"),
        ("torch.nn.Linear.forward", "Tensor"),
        ("torch.nn.Linear.in_features", "int"),
        ("torch.nn.Module.to", "Self"),
        ("torch.nn.Module.train", "Self"),
        ("torch.nn.Module.parameters", "Iterator[torch.nn.Parameter]"),
        ("torch.chunk", "tuple[Tensor, ...]"),
        ("torch.linalg.svd", "tuple[Tensor, Tensor, Tensor]"),
        ("torch.float32", "torch.dtype"),
    ],
)
def test_returns(catalog: Catalog, name: str, returns: str) -> None:
    assert catalog.returns(name) == returns


def test_named_tuples_say_what_they_hold(catalog: Catalog) -> None:
    assert catalog.returns("torch.topk") == "torch.return_types.topk"
    assert list(catalog.bases("torch.return_types.topk")) == ["tuple[Tensor, Tensor]"]
    assert catalog.returns("torch.return_types.topk.values") == "Tensor"


def test_modules_and_star_names(catalog: Catalog) -> None:
    assert catalog.is_module("torch.nn")
    assert not catalog.is_module("torch.nn.Linear")
    assert {"Linear", "Module"} <= set(catalog.public_names("torch.nn"))
    assert "Tensor" in catalog.public_names("torch")
    assert list(catalog.public_names("torch.nope")) == []


def test_member_and_bases(catalog: Catalog) -> None:
    assert catalog.member("torch.nn.Conv2d", "register_buffer") == "torch.nn.Module.register_buffer"
    assert catalog.member("torch.nn.modules.Linear", "forward") == "torch.nn.Linear.forward"
    assert catalog.member("torch.nn.Conv2d", "nope") is None
    assert list(catalog.bases("torch.optim.SGD")) == ["torch.optim.Optimizer"]


def test_overloads_and_defaults(catalog: Catalog) -> None:
    api = catalog.api("torch.max")
    assert api is not None
    assert [[p.name for p in s.parameters] for s in api.signatures] == [
        ["input", "out"],
        ["input", "other", "out"],
        ["input", "dim", "keepdim", "out"],
    ]
    dropout = catalog.api("torch.nn.functional.dropout")
    assert dropout is not None
    assert dropout.signatures[0].text("dropout") == "dropout(input, p=0.5, training=True, inplace=False)"


def test_signature_text_marks_keyword_and_star_parameters(catalog: Catalog) -> None:
    norm = catalog.api("torch.nn.BatchNorm2d")
    assert norm is not None
    assert norm.signatures[0].text("B").endswith("dtype=None, *, bias=True)")
    view = catalog.api("torch.Tensor.view")
    assert view is not None
    assert "view(*size)" in [s.text("view") for s in view.signatures]


def test_mindspore_api(catalog: Catalog) -> None:
    dense = catalog.mindspore_api("mindspore.nn.Dense", "2.10")
    assert dense is not None
    assert [p.name for p in dense.signatures[0].parameters][:2] == ["in_channels", "out_channels"]
    assert dense.platforms == ("ascend", "cpu", "gpu")
    assert catalog.mindspore_api("mindspore.nn.Nope", "2.10") is None
