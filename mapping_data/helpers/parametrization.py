"""Parameters that are computed from others."""

import mindspore
import numpy as np
from mindspore import ops


def parameters_to_vector(parameters):
    """torch.nn.utils.parameters_to_vector."""
    return ops.cat([part.reshape(-1) for part in parameters])


def vector_to_parameters(vec, parameters):
    """torch.nn.utils.vector_to_parameters."""
    start = 0
    for part in parameters:
        count = int(np.prod(part.shape))
        write_(part, vec[start : start + count].reshape(part.shape))
        start += count


def norm_except(weight, dim):
    """The norms over all axes but one; over all with None."""
    axes = tuple(axis for axis in range(weight.ndim) if dim is None or axis != dim % weight.ndim)
    norms = vector_norm(weight, 2, axes, True)
    return norms.reshape(()) if dim is None else norms


def weight_norm(module, name="weight", dim=0):
    """torch.nn.utils.weight_norm: the parameter is computed from its direction and length in each call."""
    weight = module._params.pop(name)
    module.register_parameter(f"{name}_g", mindspore.Parameter(norm_except(weight, dim)))
    module.register_parameter(f"{name}_v", mindspore.Parameter(weight.value()))

    def compute(module, args):
        direction, length = getattr(module, f"{name}_v"), getattr(module, f"{name}_g")
        object.__setattr__(module, name, direction * (length / norm_except(direction, dim)))

    compute(module, None)
    module._weight_norms = {
        **getattr(module, "_weight_norms", {}),
        name: module.register_forward_pre_hook(compute),
    }
    return module


def remove_weight_norm(module, name="weight"):
    """torch.nn.utils.remove_weight_norm."""
    module._weight_norms.pop(name).remove()
    value = mindspore.Tensor(module.__dict__.pop(name).asnumpy())
    del module._params[f"{name}_g"], module._params[f"{name}_v"]
    module.register_parameter(name, mindspore.Parameter(value))
    return module


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """torch.nn.utils.spectral_norm: the parameter is divided by its largest singular value in each call."""
    weight = module._params.pop(name)
    first = dim or (1 if type(module).__name__.startswith("ConvTranspose") else 0)
    module.register_parameter(f"{name}_orig", mindspore.Parameter(weight.value()))
    matrix = weight.swapaxes(0, first).reshape((weight.shape[first], -1))
    for letter, size in zip("uv", matrix.shape):
        drawn = mindspore.Tensor(np.random.normal(size=size), weight.dtype)
        module.register_buffer(f"{name}_{letter}", normalize(drawn, dim=0, eps=eps))

    def compute(module, args):
        weight = getattr(module, f"{name}_orig")
        matrix = weight.swapaxes(0, first).reshape((weight.shape[first], -1))
        u, v = getattr(module, f"{name}_u"), getattr(module, f"{name}_v")
        if module.training:
            fixed = ops.stop_gradient(matrix)
            for _ in range(n_power_iterations):
                v = normalize(ops.matmul(fixed.swapaxes(0, 1), u), dim=0, eps=eps)
                u = normalize(ops.matmul(fixed, v), dim=0, eps=eps)
            setattr(module, f"{name}_u", u)
            setattr(module, f"{name}_v", v)
        object.__setattr__(module, name, weight / (u * ops.matmul(matrix, v)).sum())

    module.register_forward_pre_hook(compute)
    object.__setattr__(module, name, weight.value())
    return module
