"""The helpers without a framework: they can be joined, and need nothing but MindSpore, NumPy and Python."""

from __future__ import annotations

import ast
import builtins
import functools
import subprocess
import sys
from pathlib import Path

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.helpers import (
    Helpers,
    helper_names,
    helper_texts,
    names_of_earlier_versions,
)
from packaged_helpers import DATA, HELPERS

NAMES = helper_names(DATA)
REMOVED = names_of_earlier_versions(DATA)


FILES = helper_texts(DATA)
"""One test for each: thousands, for each helper, take long to hand out."""


@functools.cache
def names_in(file: str) -> list[str]:
    """The names of the helpers in a file."""
    return sorted(Helpers({file: FILES[file]}).names)


@pytest.mark.parametrize("file", FILES)
def test_a_helper_reads_only_what_is_defined(file: str) -> None:
    known = HELPERS.names | HELPERS.imported | set(dir(builtins)) | {"__class__"}
    unknown = {name: HELPERS.fragment(name).reads - known for name in names_in(file)}
    assert {name: reads for name, reads in unknown.items() if reads} == {}


def not_needed_by_others(file: str) -> list[str]:
    """The helpers of a file which come with no other of it: a module of one of these has the others, too."""
    dependencies = {name: HELPERS.with_dependencies([name]) for name in names_in(file)}
    chosen: list[str] = []
    covered: set[str] = set()
    for name in sorted(dependencies, key=lambda name: -len(dependencies[name])):
        if name not in covered:
            chosen.append(name)
            covered.update(dependencies[name])
    return chosen


@pytest.mark.parametrize("file", FILES)
def test_a_helper_by_itself_is_a_module(file: str) -> None:
    for name in not_needed_by_others(file):
        source = HELPERS.source([name])
        module = ast.parse(source)
        compile(module, name, "exec")
        assert max(len(line) for line in source.splitlines()) <= 110, name
        defined = [each for each in module.body if isinstance(each, (ast.FunctionDef, ast.ClassDef))]
        assert all(ast.get_docstring(each) or each.name.startswith("_") for each in defined), name


NEEDED_WHERE_PYTORCH_NEEDS_THEM = (
    "gdown",
    "h5py",
    "nltk",
    "pycocotools",
    "revtok",
    "sacremoses",
    "sentencepiece",
    "soundfile",
    "spacy",
    "tqdm",
)
"""What some helpers import when they are used, as PyTorch and its libraries do: no other does what these do."""


def test_only_mindspore_what_it_needs_and_python_are_imported() -> None:
    module = ast.parse(HELPERS.source(HELPERS.names))
    at_once = set(map(id, module.body))
    for statement in ast.walk(module):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            name = statement.names[0].name if isinstance(statement, ast.Import) else statement.module or ""
            root = name.partition(".")[0]
            if id(statement) in at_once or root not in NEEDED_WHERE_PYTORCH_NEEDS_THEM:
                assert root in ("PIL", "mindspore", "numpy", "scipy") or root in sys.stdlib_module_names


def test_the_module_of_all_is_clean(tmp_path: Path) -> None:
    file = tmp_path / "mindport_helpers.py"
    file.write_text(HELPERS.source(HELPERS.names), encoding="utf-8")
    checked = subprocess.run(
        [
            Path(sys.executable).parent / "ruff",
            "check",
            "--isolated",
            "--select",
            "E,F,W,I",
            "--line-length",
            "110",
            file,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


LEFT_OUT = (
    "einops.",
    "huggingface_hub.",
    "safetensors.",
    "tensorboardX.",
    "torch._dynamo.utils.",  # private, not in the catalog
    "torch.backends.flags_frozen",  # undocumented, not in the catalog
    "torch.multiprocessing.",
    "torch.nn._reduction.",  # private modules, which the catalog has not
    "torch.nn.functional._Reduction.",
    "torch.jit.annotations.",  # Python's
    "torch.ops.torchvision.",  # operators of another library
    "torch.utils.data._utils.collate.default_collate_fn_map",  # a dictionary, which the catalog has not
    "torch.utils._pytree.SUPPORTED_NODES",  # likewise
    "torchtext.",  # of several releases; the catalog has those of the last one
    "torchvision._is_tracing",
    "torchvision.datasets.folder.IMG_EXTENSIONS",  # a tuple, which the catalog has not
    "torch.nn.parallel.scatter_gather.scatter_kwargs",  # undocumented, not in the catalog
    "torchvision.models.utils.load_state_dict_from_url",  # of earlier releases
    "torchvision.transforms.RandomSizedCrop",
    "torchvision.transforms.Scale",
    "torchvision.transforms.transforms.",
    "torchvision.models._utils.",
    # parts of networks, which the catalog has not
    *(f"torchvision.models.segmentation.{name}." for name in ("deeplabv3", "fcn", "lraspp")),
    *(f"torchvision.models.video.{name}." for name in ("mvit", "resnet", "s3d", "swin_transformer")),
    *(
        f"torchvision.models.detection.{name}."
        for name in (
            *("_utils", "anchor_utils", "backbone_utils", "faster_rcnn", "generalized_rcnn", "image_list"),
            *(
                "fcos",
                "keypoint_rcnn",
                "mask_rcnn",
                "retinanet",
                "roi_heads",
                "rpn",
                "ssd",
                "ssdlite",
                "transform",
            ),
        )
    ),
)


def test_every_api_is_torchs_and_every_helper_is_defined() -> None:
    catalog = Catalog.load()
    others = {
        api
        for api in NAMES
        if not api.startswith(LEFT_OUT)
        and not api.endswith(".__dict__")
        and api not in REMOVED
        and catalog.canonical(api) != api
    }
    assert others == set()
    assert set(NAMES.values()) <= HELPERS.names


NOT_THE_HELPER_OF_WHAT_IT_NAMES = {
    "DependentConstraint",
    "InverseError",
    "gradient_as_sparse",
    "layout_of",
    "parameter",
    "retain_gradient",
}
"""What says in its docstring which API it has a part in, where another helper stands for the whole."""


def test_an_api_has_the_helper_that_names_it() -> None:
    """A helper begins by saying which API it is: a table that gives the API another one has a wrong name."""
    others = {}
    for statement in ast.parse(HELPERS.source(HELPERS.names)).body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            api = (ast.get_docstring(statement) or "").partition(":")[0]
            if NAMES.get(api, statement.name) != statement.name:
                others[statement.name] = NAMES[api]
    assert set(others) == NOT_THE_HELPER_OF_WHAT_IT_NAMES, others


def test_the_order_is_that_of_definition_and_the_same_each_time() -> None:
    helpers = Helpers(
        {
            "a.py": "import numpy as np\n\n\nclass Child(Base):\n    size = np.pi\n",
            "b.py": "from math import pi\n\n\n# why\n@wrapped\nclass Base:\n    pass\n\n\ndef wrapped(kind):\n    return later(kind)\n\n\ndef later(kind, pi=pi):\n    return kind\n",
        }
    )
    assert helpers.with_dependencies(["Child"]) == ["wrapped", "Base", "Child", "later"]
    assert helpers.source(["Child"]) == helpers.source(["later", "Child"])
    assert helpers.source(["later"]).endswith(
        "\n\nfrom math import pi\n\n\ndef later(kind, pi=pi):\n    return kind\n"
    )
    assert "# why\n@wrapped\nclass Base:" in helpers.source(["Base"])


def test_a_name_is_defined_once() -> None:
    with pytest.raises(ValueError, match="one"):
        Helpers({"a.py": "def one(): pass\n", "b.py": "one = 1\n"})


def test_a_local_name_is_no_dependency() -> None:
    helpers = Helpers({"a.py": "def pad(): pass\n\n\ndef layer(pad):\n    return [pad for _ in range(3)]\n"})
    assert helpers.with_dependencies(["layer"]) == ["layer"]


OF_NO_ACCOUNT = {
    *("self", "input", "out", "generator"),
    *("device", "layout", "pin_memory", "memory_format", "non_blocking", "names", "check_invariants"),
}
"""Parameters that a Tensor is given by place, and those that MindSpore has nothing for."""
PASSED_OVER = {
    "as_it_is": "",  # what is given is what comes out
    "assert_close": "check_layout allow_subclasses check_device check_stride",
    "is_off": "",
    "is_on": "",
    "jacobian_function": "_preallocate_and_copy randomness chunk_size",
    "make_subclass": "dispatch_device device_for_backend_keys dispatch_strides",
    "new_group": "device_id group_desc use_local_synchronization sort_ranks",
    "none_listed": "",
    "nothing": "",
    "randperm": "requires_grad",  # numbers of places have none
    "to_dense": "masked_grad",
    "to_sparse": "blocksize dense_dim sparse_dim",
    "traced": "",
}
"""Helpers that take any names, and which of PyTorch's change nothing there; none: all of them."""


def parameters_of(api: str) -> set[str]:
    """The names that arguments of an API may be given by."""
    found = Catalog.load().api(api)
    signatures = found.signatures if found is not None else ()
    return {
        parameter.name
        for signature in signatures
        for parameter in signature.parameters
        if parameter.kind in (None, "keyword", "star")
    }


def test_no_helper_passes_over_what_it_is_given_by_name() -> None:
    """A function that takes any names (`**options`) reads all that PyTorch's has: `rand(size=(2, 3))`."""
    defined = {
        node.name: node
        for file in sorted((DATA / "helpers").glob("*.py"))
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.args.kwarg is not None
    }
    passed_over = {}
    for api, helper in helper_names(DATA).items():
        function = defined.get(helper)
        if function is None or PASSED_OVER.get(helper) == "":
            continue
        read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        if function.args.kwarg is not None and function.args.kwarg.arg in read:
            continue
        taken = {
            one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        }
        left = parameters_of(api) - taken - OF_NO_ACCOUNT - set(PASSED_OVER.get(helper, "").split())
        if left:
            passed_over[api] = sorted(left)
    assert passed_over == {}
