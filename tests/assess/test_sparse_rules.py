"""MP501: what it finds of sparse Tensors, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from findings import codes

DATA = Path(__file__).parents[2] / "mapping_data" / "sparse"
HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n"
FOUND = {
    "COO": ("a = torch.sparse_coo_tensor(i, v, (3, 4))", "torch.sparse_coo_tensor"),
    "COO of a dense one": ("a = torch.eye(3).to_sparse()", "torch.eye(3).to_sparse"),
    "an old name": ("a = torch.sparse.FloatTensor(i, v)", "torch.sparse.FloatTensor"),
    "CSR": ("a = torch.sparse_csr_tensor(p, i, v, (3, 4))", "torch.sparse_csr_tensor"),
    "BSR": ("a = torch.eye(3).to_sparse_bsr((1, 1))", "torch.eye(3).to_sparse_bsr"),
    "a product": ("a = torch.sparse.mm(a, b)", "torch.sparse.mm"),
    "a sum": ("a = torch.sparse.sum(a)", "torch.sparse.sum"),
    "softmax": ("a = torch.sparse.softmax(a, 1)", "torch.sparse.softmax"),
    "an embedding": ("e = nn.Embedding(9, 4, sparse=True)", "nn.Embedding"),
    "an embedding, by position": ("e = nn.Embedding(9, 4, None, None, 2.0, False, True)", "nn.Embedding"),
    "an embedding, as it is asked": ("e = nn.Embedding(9, 4, sparse=is_sparse)", "nn.Embedding"),
    "a bag": ("e = nn.EmbeddingBag(9, 4, mode='sum', sparse=True)", "nn.EmbeddingBag"),
    "a function": ("e = F.embedding(i, w, sparse=True)", "F.embedding"),
    "the optimizer": ("o = torch.optim.SparseAdam(p)", "torch.optim.SparseAdam"),
    "torch_scatter": (
        "from torch_scatter import scatter_add\n\na = scatter_add(v, i, 0)",
        "scatter_add",
    ),
    "torch_scatter, by another name": (
        "import torch_scatter as ts\n\na = ts.scatter_add(v, i, 0)",
        "ts.scatter_add",
    ),
    "torch_scatter, imported in a function": (
        "def f(v, i):\n    import torch_scatter as ts\n    return ts.scatter_add(v, i, 0)",
        "ts.scatter_add",
    ),
    "torch_sparse, a word of Tensors": (
        "from torch_sparse import transpose\n\ndef f(i, v):\n    return transpose(i, v, 3, 3)",
        "transpose",
    ),
    "torch_sparse": ("import torch_sparse\n\na = torch_sparse.spmm(i, v, 3, 3, b)", "torch_sparse.spmm"),
}
REAL = {
    "torchmetrics 1.9.0, functional/clustering/utils.py:156": (
        "made = torch.sparse_coo_tensor(torch.stack((i, j)), torch.ones(3), (2, 2)).to_dense()",
        "torch.sparse_coo_tensor",
    ),
    "linear_operator 0.6.1, utils/sparse.py:131": ("return torch.dsmm(a, b)", "torch.dsmm"),
    "torch_geometric 2.8.1, nn/pool/asap.py:150": (
        "a = torch.eye(3)\na = a.t().to_sparse_csr() @ b",
        "a.t().to_sparse_csr",
    ),
    "torch_geometric 2.8.1, nn/kge/base.py:35": (
        "e = torch.nn.Embedding(3, 4, sparse=is_sparse)",
        "torch.nn.Embedding",
    ),
    "torch_geometric 2.8.1, edge_index.py:1843": ("return torch.sparse.mm(a, b, 'sum')", "torch.sparse.mm"),
    "torch_geometric 2.8.1, utils/sparse.py:659": (
        "return torch.sparse_csc_tensor(ccol_indices=p, row_indices=i, values=v, size=(3, 3))",
        "torch.sparse_csc_tensor",
    ),
    "pykeen 1.11.1, nn/message_passing.py:246": ("return torch.spmm(a, b.reshape(-1, 2))", "torch.spmm"),
    "pykeen 1.11.1, nn/weighting.py:55": (
        "import torch_scatter\n\nv = v - torch_scatter.scatter_max(v, i, dim=0, dim_size=3)[0][i]",
        "torch_scatter.scatter_max",
    ),
}
"""The shapes of calls at these places of published packages."""
LEFT_ALONE = {
    "an embedding": "e = nn.Embedding(9, 4)",
    "an embedding that is not sparse": "e = nn.Embedding(9, 4, sparse=False)",
    "seven arguments, none sparse": "e = nn.Embedding(9, 4, None, None, 2.0, False, False)",
    "a dense product": "a = torch.mm(a, b)",
    "weights with many zeros": "nn.init.sparse_(w, 0.1)",
    "a Tensor's own scatter": "a = torch.zeros(3).scatter_add(0, i, v)",
    "a Tensor's own transpose": "a = torch.zeros(3, 3).transpose(0, 1)",
    "a function of the same name": "def scatter_add(a):\n    return a\n\n\na = scatter_add(v)",
    "a matrix of SciPy": "from scipy.sparse import coo_matrix\n\na = coo_matrix((v, (i, j)))",
    "what is named so": "class Sparse:\n    def to_sparse(self):\n        return self\n\n\na = Sparse().to_sparse()",
    "Adam": "o = torch.optim.Adam(p)",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str) -> None:
    body, covered = FOUND[name]
    assert codes(HEAD + body + "\n", select=["MP501"]) == [f"MP501 {covered}"]


@pytest.mark.parametrize("name", FOUND)
def test_found_in_a_function(name: str) -> None:
    body, covered = FOUND[name]
    inner = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"{HEAD}def f(i, j, p, v, w, a, b, is_sparse):\n{inner}"
    assert codes(source, select=["MP501"]) == [f"MP501 {covered}"]


@pytest.mark.parametrize("place", REAL)
def test_as_published_packages_have_it(place: str) -> None:
    body, covered = REAL[place]
    inner = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"{HEAD}def f(i, j, p, v, a, b, is_sparse):\n{inner}"
    assert codes(source, select=["MP501"]) == [f"MP501 {covered}"]


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_left_alone(name: str) -> None:
    assert codes(HEAD + LEFT_ALONE[name] + "\n", select=["MP501"]) == []


def test_what_is_told_was_run() -> None:
    """Each piece of advice rests on operators that were run; those it offers gave what PyTorch gives."""
    operators = {
        one["call"]: one for one in json.loads((DATA / "operators.json").read_text("utf-8"))["operators"]
    }
    for entry in json.loads((DATA / "calls.json").read_text("utf-8"))["calls"]:
        for call in entry.get("operators", ()):
            assert operators[call]["result"] in ("equal", "differs", "raises"), call
    offered = (
        "coo + other_coo",
        "coo - other_coo",
        "coo * dense",
        "coo / dense",
        "csr.mv(column)",
        "csr.mm(matrix)",
        "csr.sum(1)",
        "csr * dense",
        "ops.SparseTensorDenseMatmul()(indices, values, (3, 4), matrix)",
        "ops.csr_softmax(csr, ms.float32)",
        "ops.unsorted_segment_sum(dense, Tensor([0, 1, 1], ms.int32), 2)",
    )
    assert {call: operators[call]["result"] for call in offered} == dict.fromkeys(offered, "equal")
    refused = ("coo @ matrix", "csr.mm(matrix_csr)", "mint.nn.Embedding(3, 4, sparse=True)(rows).shape")
    assert {call: operators[call]["result"] for call in refused} == dict.fromkeys(refused, "raises")


def test_every_operator_of_the_catalog_was_run() -> None:
    """All that the catalog has of sparse Tensors, but for what is private, or attributes of optimizers."""
    lines = (DATA.parent / "catalog" / "mindspore-2.10.jsonl").read_text("utf-8").splitlines()
    names = [json.loads(line)["name"] for line in lines]
    beginnings = (
        "COOTensor.",
        "CSRTensor.",
        "SparseTensor.",
        "ops.coo_",
        "ops.csr_",
        "ops.Sparse",
        "ops.FusedSparse",
    )
    wanted = {
        name
        for name in names
        if name.startswith(tuple(f"mindspore.{one}" for one in beginnings))
        and not name.endswith(("__init__", "__div__", "init_finished"))
        and not (name.startswith("mindspore.ops.") and name.count(".") > 2)
    }
    assert len(wanted) > 120
    assert (
        wanted
        - {one["name"] for one in json.loads((DATA / "operators.json").read_text("utf-8"))["operators"]}
        == set()
    )
