"""`mindport weights`: what it writes, and what it says."""

from __future__ import annotations

from functools import partial

import pytest
from mindport.weights.files import weights_in, write_weights
from mindport.weights.stored_tensor import ELEMENT_TYPES, StoredTensor

FLOAT = next(kind for kind in ELEMENT_TYPES if kind.name == "float32")


def save(path, **shapes):
    """Write zeros of these shapes; `__` in a name is a dot."""
    tensors = []
    for name, shape in shapes.items():
        made = StoredTensor(name.replace("__", "."), FLOAT, shape, lambda: iter(()))
        tensors.append(made._replace(read=partial(iter, [memoryview(bytes(made.bytes))])))
    write_weights(path, tensors)


def names(path):
    with weights_in(path) as found:
        return [each.name for each in found]


def test_weights_become_a_checkpoint(mindport):
    save(mindport.folder / "a.pth", module__weight=(2, 3), module__bias=(2,))
    result = mindport("weights", "a.pth", "-o", "a.ckpt", "--prefix", "module.")
    assert (result.code, result.out, result.err) == (0, "a.ckpt: 2 Tensors, 8 elements.\n", "")
    assert names(mindport.folder / "a.ckpt") == ["weight", "bias"]


def test_names_are_those_of_another_file(mindport):
    save(mindport.folder / "a.pth", norm__weight=(2,), norm__bias=(2,), more=(1,))
    save(mindport.folder / "new.ckpt", norm__gamma=(2,), norm__beta=(2,))
    result = mindport("weights", "a.pth", "-o", "a.ckpt", "--like", "new.ckpt")
    assert result.code == 0
    assert result.err == "mindport: warning: Unused weights (1): more\n"
    assert names(mindport.folder / "a.ckpt") == ["norm.gamma", "norm.beta"]


def test_what_is_missing_is_told_and_counts(mindport):
    save(mindport.folder / "a.pth", norm__weight=(3,))
    save(mindport.folder / "new.ckpt", norm__gamma=(2,), norm__beta=(2,), other=(1,))
    result = mindport("weights", "a.pth", "-o", "a.ckpt", "--like", "new.ckpt", "--language", "zh-cn")
    assert result.code == 2
    assert "norm.beta, other" in result.err
    assert "norm.gamma [2] / norm.weight [3]" in result.err
    assert not (mindport.folder / "a.ckpt").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("a.pth", "-o FILE"),
        ("a.pth -o a.npz", "a.npz: the name of the new file must end in one of .bin, .ckpt"),
        ("a.pth -o there.ckpt", "there.ckpt already exists"),
        ("a.pth -o a.pth --overwrite", "a.pth is the input file"),
        ("none.pth -o b.ckpt", "none.pth: No such file"),
        ("text.txt -o b.ckpt", "text.txt: Not a torch.save file"),
        ("a.pth -o none/b.ckpt", "none"),
        ("a.pth -o b.ckpt --like text.txt", "text.txt: Not a torch.save file"),
        ("a.pth -o b.ckpt --key model", "a.pth: The file has no model. It contains: weight."),
        ("a.pth -o b.ckpt --prefix weight", "a.pth: Removing"),
    ],
)
def test_what_cannot_be_done_is_said(mindport, words, said):
    save(mindport.folder / "a.pth", weight=(2,))
    mindport.write("there.ckpt", "mine")
    mindport.write("text.txt", "hello")
    result = mindport("weights", *words.split())
    assert result.code == 2
    assert said in result.err
    assert (mindport.folder / "there.ckpt").read_text(encoding="utf-8") == "mine"
    assert not (mindport.folder / "b.ckpt").exists()


def test_a_file_that_is_there_is_written_when_asked(mindport):
    save(mindport.folder / "a.pth", weight=(2,))
    mindport.write("there.ckpt", "mine")
    assert mindport("weights", "a.pth", "-o", "there.ckpt", "--overwrite").code == 0
    assert names(mindport.folder / "there.ckpt") == ["weight"]
