"""What torch.nn.utils and its relatives do with layers and what they hold."""

import copy
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import urlopen

import mindspore
import numpy as np
from mindspore import ops


def skip_init(module_cls, *args, **kwargs):
    """torch.nn.utils.skip_init: the layer, whose first values nobody relies on."""
    kwargs.pop("device", None)
    return module_cls(*args, **kwargs)


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """torch.nn.utils.fuse_conv_bn_weights."""
    conv_b = ops.zeros_like(bn_rm) if conv_b is None else conv_b
    factors = ops.rsqrt(bn_rv + bn_eps) * (ops.ones_like(bn_rm) if bn_w is None else bn_w)
    shape = [1] * conv_w.ndim
    shape[1 if transpose else 0] = -1
    moved = (conv_b - bn_rm) * factors + (0 if bn_b is None else bn_b)
    return parameter(conv_w * factors.reshape(shape)), parameter(moved)


def fuse_conv_bn_eval(conv, bn, transpose=False):
    """torch.nn.utils.fuse_conv_bn_eval: a convolution that does what the normalization behind it does."""
    made = copy.deepcopy(conv)
    made.weight, made.bias = fuse_conv_bn_weights(
        made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, transpose
    )
    return made


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """torch.nn.utils.fuse_linear_bn_weights."""
    return fuse_conv_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)


def fuse_linear_bn_eval(linear, bn):
    """torch.nn.utils.fuse_linear_bn_eval."""
    return fuse_conv_bn_eval(linear, bn)


def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    """torch.nn.modules.utils.consume_prefix_in_state_dict_if_present: in place."""
    for key in [key for key in state_dict if key.startswith(prefix)]:
        state_dict[key[len(prefix) :]] = state_dict.pop(key)


def indented(s_, numSpaces):
    """torch.nn.modules.module._addindent: all lines but the first."""
    first, *rest = s_.split("\n")
    return "\n".join([first, *(" " * numSpaces + line for line in rest)])


def invert_permutation(permutation):
    """torch.nn.utils.rnn.invert_permutation."""
    if permutation is None:
        return None
    return mindspore.Tensor(np.argsort(permutation.asnumpy()), permutation.dtype)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """torch.nn.utils.rnn.unpad_sequence."""
    rows = padded_sequences if batch_first else padded_sequences.swapaxes(0, 1)
    return [row[: int(length)] for row, length in zip(rows, lengths)]


def unpack_sequence(packed_sequences):
    """torch.nn.utils.rnn.unpack_sequence."""
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)


def norm_except_dim(v, pow=2, dim=0):
    """torch.norm_except_dim: the norm over all axes but one."""
    axes = tuple(axis for axis in range(v.ndim) if dim == -1 or axis != dim % v.ndim)
    return vector_norm(v, pow, axes, keepdim=dim != -1)


def traced(func, *args, **kwargs):
    """torch.jit.trace and torch.jit.freeze: what is traced stays as it is, and computes as before."""
    return func


class ScriptModule(Module):
    """torch.jit.ScriptModule: nothing is compiled, so that only objects of classes derived from it are of
    it."""


def detach_(input):
    """torch.Tensor.detach_: the Tensor itself forgets how it was computed."""
    if not input._is_leaf:
        return become(input, ops.stop_gradient(input.copy()))
    return leaf(input, False)


def load_state_dict_from_url(
    url,
    model_dir=None,
    map_location=None,
    progress=True,
    check_hash=False,
    file_name=None,
    weights_only=False,
):
    """torch.hub.load_state_dict_from_url: a file of PyTorch's, downloaded once."""
    folder = Path(get_dir(), "checkpoints") if model_dir is None else Path(model_dir)
    file = folder / (file_name or Path(urlparse(url).path).name)
    if not file.exists():
        download_url_to_file(url, file)
    return load(str(file), map_location)


class tqdm:
    """torch.hub.tqdm: the progress bar of the package tqdm; where that is not installed, nothing is shown."""

    def __new__(cls, *args, **options):
        try:
            from tqdm import tqdm as shown
        except ImportError:
            return super().__new__(cls)
        return shown(*args, **options)

    def __init__(self, iterable=(), *args, **options):
        self.iterable = iterable

    def __iter__(self):
        return iter(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def update(self, n=1):
        """Nothing is shown."""

    set_description = set_postfix = close = update


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """torch.hub.download_url_to_file."""
    file = Path(dst)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(file.name + ".part")
    with urlopen(url) as answer:
        part.write_bytes(answer.read())
    part.replace(file)
