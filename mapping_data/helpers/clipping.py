"""Clipping of the gradients that parameters hold."""

import math

import mindspore
from mindspore import ops


def tensor_list(tensors):
    """A Tensor, or several, as a list."""
    return [tensors] if isinstance(tensors, mindspore.Tensor) else list(tensors)


def vector_norm_of(values, norm_type):
    """The norm of all components of a Tensor."""
    if norm_type == 2:
        return ops.sqrt((values * values).sum())
    if math.isinf(norm_type):
        return values.abs().max() if norm_type > 0 else values.abs().min()
    if norm_type == 0:
        return (values != 0).sum().astype(values.dtype)
    return (values.abs() ** norm_type).sum() ** (1.0 / norm_type)


def limited(values, bound):
    """Values with an upper bound; unlike with `ops.clamp`, NaN stays."""
    return ops.where(values > bound, ops.full_like(values, bound), values)


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """torch.nn.utils.get_total_norm."""
    tensors = tensor_list(tensors)
    if not tensors:
        return mindspore.Tensor(0.0, mindspore.float32)
    norm_type = float(norm_type)
    with no_grad():
        total = vector_norm_of(
            ops.stack([vector_norm_of(tensor, norm_type) for tensor in tensors]), norm_type
        )
    if error_if_nonfinite and not math.isfinite(float(total)):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, "
            "so it cannot be clipped."
        )
    return total


def with_gradients(parameters):
    """Those of the parameters that have a gradient."""
    return [parameter for parameter in tensor_list(parameters) if parameter._grad is not None]


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """torch.nn.utils.clip_grads_with_norm_."""
    with no_grad():
        factor = limited(float(max_norm) / (total_norm + 1e-6), 1.0)
        for parameter in with_gradients(parameters):
            gradient = parameter._grad
            parameter._grad = gradient * factor.astype(gradient.dtype)


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """torch.nn.utils.clip_grad_norm_."""
    parameters = with_gradients(parameters)
    gradients = [parameter._grad for parameter in parameters]
    total = get_total_norm(gradients, norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """torch.nn.utils.clip_grad_norm."""
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)


def clip_grad_value_(parameters, clip_value, foreach=None):
    """torch.nn.utils.clip_grad_value_."""
    bound = float(clip_value)
    with no_grad():
        for parameter in with_gradients(parameters):
            parameter._grad = -limited(-limited(parameter._grad, bound), bound)
