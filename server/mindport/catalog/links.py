"""Addresses of the documentation of both frameworks."""

from __future__ import annotations

from mindport.catalog.names import ApiNames
from mindport.language import Language

TORCH_DOCS = "https://docs.pytorch.org/docs/2.13"
MINDSPORE_DOCS = "https://www.mindspore.cn/docs"
_BRANCHES = {"2.3": "r2.3.1", "2.4": "r2.4.10", "2.2": "r2.2", "2.1": "r2.1", "2.0": "r2.0", "2.7": "r2.7.2"}
_MODULE_PAGES = (
    "mindspore.common.initializer",
    "mindspore.communication.comm_func",
    "mindspore.communication",
    "mindspore.parallel",
    "mindspore.nn.probability",
)
_FOLDERS = {
    "mindspore.amp": "amp",
    "mindspore.dataset": "dataset",
    "mindspore.dataset.audio": "dataset_audio",
    "mindspore.dataset.text": "dataset_text",
    "mindspore.dataset.transforms": "dataset_transforms",
    "mindspore.dataset.vision": "dataset_vision",
    "mindspore.experimental.optim": "experimental/optim",
    "mindspore.experimental.optim.lr_scheduler": "experimental/optim",
    "mindspore.hal": "hal",
    "mindspore.mint": "mint",
    "mindspore.nn": "nn",
    "mindspore.numpy": "numpy",
    "mindspore.ops": "ops",
    "mindspore.runtime": "runtime",
    "mindspore.scipy": "scipy",
    "mindspore.train": "train",
}


def torch_link(name: str, names: ApiNames) -> str:
    """The page of a torch API; members of classes have an anchor on the class's page, Tensor's an own one."""
    kind = names.kind(name)
    if kind == "module":
        return f"{TORCH_DOCS}/{name.removeprefix('torch.')}.html"
    if kind in ("dtype", "constant"):
        return f"{TORCH_DOCS}/tensor_attributes.html" if kind == "dtype" else f"{TORCH_DOCS}/torch.html"
    owner = name.rpartition(".")[0]
    if names.kind(owner) == "class" and owner != "torch.Tensor":
        return f"{TORCH_DOCS}/generated/{owner}.html#{name}"
    return f"{TORCH_DOCS}/generated/{name}.html"


def mindspore_link(name: str, names: ApiNames, version: str, language: Language) -> str:
    """The page of a MindSpore API in a version's documentation."""
    part = "zh-CN" if language == "zh-cn" else "en"
    branch = _BRANCHES.get(version, f"r{version}.0")
    root = f"{MINDSPORE_DOCS}/{part}/{branch}/api_python"
    owner = name.rpartition(".")[0]
    page, anchor = name, ""
    if names.kind(owner) == "class" and owner != "mindspore.Tensor":
        page, anchor = owner, f"#{name}"
    for module in _MODULE_PAGES:
        if name.startswith(f"{module}."):
            return f"{root}/{module}.html#{name}"
    return f"{root}/{_folder(page)}/{page}.html{anchor}"


def _folder(page: str) -> str:
    if page.startswith("mindspore.Tensor."):
        return "mindspore/Tensor"
    owner = page.rpartition(".")[0]
    while owner:
        if owner in _FOLDERS:
            return _FOLDERS[owner]
        owner = owner.rpartition(".")[0]
    return "mindspore"
