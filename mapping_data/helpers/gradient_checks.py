"""Gradients compared with differences: torch.autograd.gradcheck."""

import mindspore
import numpy as np
from mindspore import ops


class GradcheckError(RuntimeError):
    """What `gradcheck` raises."""


def is_differentiable(value):
    """Whether it is a Tensor that requires a gradient."""
    return isinstance(value, mindspore.Tensor) and value._requires_grad


def differentiable_places(values):
    """The places of the Tensors that require gradients."""
    return [place for place, one in enumerate(values) if is_differentiable(one)]


def differentiable(results):
    """Those of the results of a function that have gradients."""
    return [one for one in as_sequence(results) if is_differentiable(one)]


def real_parts(array):
    """Values as real ones in a row: of a complex one, both parts."""
    array = np.ascontiguousarray(array)
    is_complex = np.iscomplexobj(array)
    return (array.view(array.real.dtype) if is_complex else array).reshape(-1)


def differentiable_results(func, values, places):
    """The results of a function that have gradients, and the Tensors at the places that it was given."""
    given = list(values)
    leaves = recorded_inputs([values[place] for place in places], False)
    for place, one in zip(places, leaves):
        given[place] = one
    return differentiable(func(*given)), leaves


def analytic_jacobian(result, leaves):
    """By leaf, the derivatives of the parts of a result, a row each."""
    rows = [[] for _ in leaves]
    for place in range(result.size):
        single = result.reshape((-1,))[place]
        for part in (ops.real(single), ops.imag(single)) if result.is_complex() else (single,):
            found = gradients_of(part, leaves, None, True, False, materialize_grads=True)
            for row, gradient in zip(rows, found):
                row.append(real_parts(gradient.asnumpy()))
    return [np.array(row) for row in rows]


def numeric_jacobians(func, values, places, place, eps):
    """By result, its differences where each part of the value at a place is changed by `eps`, a row each."""
    columns = []
    start = values[place].asnumpy()
    for number in range(real_parts(start).size):
        ends = []
        for step in (eps, -eps):
            array = np.array(start)
            parts = array.reshape(-1).view(array.real.dtype)
            parts[number] += step
            changed = [*values[:place], mindspore.Tensor(array), *values[place + 1 :]]
            results = differentiable_results(func, changed, places)[0]
            ends.append([real_parts(result.asnumpy()) for result in results])
        columns.append([(upper - lower) / (2 * eps) for upper, lower in zip(*ends)])
    return [np.array(parts).T for parts in zip(*columns)]


def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_batched_forward_grad=False,
    check_forward_ad=False,
    check_backward_ad=True,
    fast_mode=False,
    masked=None,
):
    """torch.autograd.gradcheck: whether the gradients of a function are near differences of its results."""
    values = list(as_sequence(inputs))
    places = differentiable_places(values)
    if not places:
        raise ValueError("gradcheck: no input requires a gradient")
    results, leaves = differentiable_results(func, values, places)
    analytic = [analytic_jacobian(result, leaves) for result in results]
    for number, place in enumerate(places):
        numeric = numeric_jacobians(func, values, places, place, eps)
        for found, expected in zip(analytic, numeric):
            if np.allclose(found[number], expected.reshape(found[number].shape), rtol, atol, equal_nan=True):
                continue
            if raise_exception:
                raise GradcheckError(
                    f"gradient of input {place}: {found[number]} where differences give {expected}"
                )
            return False
    return True


def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=True,
    fast_mode=False,
    masked=False,
):
    """torch.autograd.gradgradcheck: `gradcheck` of the gradients of a function."""
    values = list(as_sequence(inputs))
    places = differentiable_places(values)
    results, _ = differentiable_results(func, values, places)
    if grad_outputs is None:
        grad_outputs = [randn_like(ops.stop_gradient(result)) for result in results]
    starts = recorded_inputs(grad_outputs, False)

    def gradients(*given):
        rest, factors = given[: len(values)], given[len(values) :]
        found = differentiable(func(*rest))
        leaves = [rest[place] for place in places]
        return tuple(
            gradients_of(found, leaves, list(factors), True, GRADIENTS_HAVE_GRADIENTS, materialize_grads=True)
        )

    options = {"eps": eps, "atol": atol, "rtol": rtol, "raise_exception": raise_exception}
    return gradcheck(gradients, [*values, *starts], **options)
