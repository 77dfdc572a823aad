"""Jacobians, Hessians and products with them: torch.autograd.functional."""

from collections import namedtuple

import mindspore
from mindspore import ops


def recorded_inputs(inputs, create_graph):
    """The arguments of a function that is differentiated: leaves, unless the result shall have a gradient."""
    given = as_sequence(inputs)
    if create_graph:
        return tuple(tensor * 1 for tensor in given)
    return tuple(leaf(ops.stop_gradient(tensor) * 1) for tensor in given)


def like_inputs(found, inputs):
    """One Tensor where one was given, else a tuple."""
    return found[0] if isinstance(inputs, mindspore.Tensor) else tuple(found)


def unrecorded(results, create_graph):
    """Results as they are given back: without their history unless it is asked for."""
    if create_graph:
        return results
    if isinstance(results, mindspore.Tensor):
        return ops.stop_gradient(results)
    return tuple(ops.stop_gradient(result) for result in results)


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """torch.autograd.functional.jacobian, a row at a time."""
    keeps = create_graph and GRADIENTS_HAVE_GRADIENTS
    given = recorded_inputs(inputs, create_graph)
    results = func(*given)
    rows = []
    for output in as_sequence(results):
        flat = output.reshape((-1,))
        zeros = [ops.zeros_like(tensor) for tensor in given]
        found = [
            gradients_of(flat[place], given, None, True, keeps, materialize_grads=True)
            if output._requires_grad
            else zeros
            for place in range(flat.shape[0])
        ]
        parts = [ops.stack(part).reshape((*output.shape, *part[0].shape)) for part in zip(*found)]
        rows.append(like_inputs(parts, inputs))
    return like_inputs(rows, results)


def hessian(
    func,
    inputs,
    create_graph=False,
    strict=False,
    vectorize=False,
    outer_jacobian_strategy="reverse-mode",
):
    """torch.autograd.functional.hessian, a row at a time."""

    def gradient_of(*given):
        found = gradients_of(
            func(*given), given, None, True, GRADIENTS_HAVE_GRADIENTS, materialize_grads=True
        )
        return like_inputs(found, inputs)

    return jacobian(gradient_of, inputs, create_graph)


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """torch.autograd.functional.vjp: the function's result, and a vector times the Jacobian."""
    keeps = create_graph and GRADIENTS_HAVE_GRADIENTS
    given = recorded_inputs(inputs, create_graph)
    results = func(*given)
    found = gradients_of(results, given, v, True, keeps, materialize_grads=True)
    return unrecorded(results, create_graph), like_inputs(found, inputs)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """torch.autograd.functional.jvp: the function's result, and the Jacobian times a vector."""
    given = recorded_inputs(inputs, create_graph)
    results = func(*given)
    # the gradient is linear in what it starts with, and the gradient of that is the product
    starts = tuple(leaf(ops.zeros_like(output)) for output in as_sequence(results))
    first = gradients_of(results, given, starts, True, GRADIENTS_HAVE_GRADIENTS, materialize_grads=True)
    vectors = first_gradients(given, v)
    chosen = [pair for pair in zip(first, vectors) if pair[0]._requires_grad]
    found = [ops.zeros_like(output) for output in starts]
    if chosen:
        parts, vectors = zip(*chosen)
        found = gradients_of(parts, starts, vectors, True, create_graph, materialize_grads=True)
    return unrecorded(results, create_graph), like_inputs(found, results)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """torch.autograd.functional.hvp and vhp: the function's result, and the Hessian times a vector."""
    given = recorded_inputs(inputs, create_graph)
    result = func(*given)
    first = gradients_of(result, given, None, True, GRADIENTS_HAVE_GRADIENTS, materialize_grads=True)
    vectors = first_gradients(given, v)
    chosen = [pair for pair in zip(first, vectors) if pair[0]._requires_grad]
    found = [ops.zeros_like(tensor) for tensor in given]
    if chosen:
        parts, vectors = zip(*chosen)
        found = gradients_of(parts, given, vectors, True, create_graph, materialize_grads=True)
    return unrecorded(result, create_graph), like_inputs(found, inputs)


# What unpack_dual gives
UnpackedDualTensor = namedtuple("UnpackedDualTensor", ["primal", "tangent"])


def unpack_dual(tensor, *, level=None):
    """torch.autograd.forward_ad.unpack_dual: nothing is differentiated forwards, so none has a tangent."""
    return UnpackedDualTensor(tensor, None)
