"""Functions made of functions: torch.func."""

from contextlib import contextmanager

import mindspore
from mindspore import ops


@contextmanager
def members_replaced(module, given):
    """Have a module take other parameters and buffers, by their dotted names, for as long as this lasts."""
    covered = []
    try:
        for name, value in given.items():
            owner, _, last = name.rpartition(".")
            owner = get_submodule_of(module, owner)
            getattr(owner, last)
            # an attribute of the object itself is found before its parameters and buffers are
            vars(owner)[last] = value
            covered.append((owner, last))
        yield
    finally:
        for owner, last in covered:
            vars(owner).pop(last, None)


@contextmanager
def reparametrize_module(
    module, parameters_and_buffers, tie_weights=False, strict=False, stack_weights=False, **options
):
    """torch.nn.utils.stateless._reparametrize_module."""
    with members_replaced(module, parameters_and_buffers):
        yield


def functional_call(
    module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    """torch.func.functional_call: the module, called with other parameters and buffers for this once."""
    given = parameter_and_buffer_dicts
    if isinstance(given, (tuple, list)):
        given = {name: value for one in given for name, value in one.items()}
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with members_replaced(module, given):
        return module(*args, **(kwargs or {}))


def stack_module_state(models):
    """torch.func.stack_module_state: parameters and buffers of alike modules, each along a first axis."""

    def stacked(members):
        each = [dict(members(model)) for model in models]
        return {name: stack([one[name] for one in each]) for name in each[0]}

    parameters = {name: leaf(value) for name, value in stacked(named_parameters_of).items()}
    return parameters, stacked(named_buffers_of)


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """torch.vmap and torch.func.vmap: the function of each part of its arguments, one after the other."""

    def mapped(*args, **kwargs):
        dims = in_dims if isinstance(in_dims, tuple) else (in_dims,) * len(args)
        leaves = [along(value, dim) for value, dim in zip(args, dims)]
        count = next(size for size, _ in leaves if size is not None)
        found, before = [], GraphsKept.always
        GraphsKept.always = True  # what was computed before has its part in each call
        try:
            for number in range(count):
                found.append(func(*(part(number) for _, part in leaves), **kwargs))
        finally:
            GraphsKept.always = before
        return joined(found, out_dims)

    return mapped


def along(value, dim):
    """How many parts a value has along an axis, and the function that gives one of them."""
    if isinstance(value, (tuple, list, dict)):
        items = list(value.values()) if isinstance(value, dict) else value
        dims = (
            dim if isinstance(dim, (tuple, list)) else list(dim.values()) if isinstance(dim, dict) else None
        )
        inner = [along(one, each) for one, each in zip(items, dims or [dim] * len(items))]
        size = next((size for size, _ in inner if size is not None), None)
        if isinstance(value, dict):
            return size, lambda number: {key: part(number) for key, (_, part) in zip(value, inner)}
        return size, lambda number: type(value)(part(number) for _, part in inner)
    if dim is None or not isinstance(value, mindspore.Tensor):
        return None, lambda number: value
    return value.shape[dim], lambda number: select(value, dim, number)


def joined(found, dim):
    """The results of all parts, as one along an axis."""
    first = found[0]
    if isinstance(first, dict):
        return {key: joined([one[key] for one in found], dim) for key in first}
    if isinstance(first, (tuple, list)):
        dims = dim if isinstance(dim, tuple) else (dim,) * len(first)
        return tuple(joined(parts, each) for parts, each in zip(zip(*found), dims))
    return first if dim is None else stack([as_tensor(one) for one in found], dim)


def grad_and_value(func, argnums=0, has_aux=False):
    """torch.func.grad_and_value: the function that gives the gradient of a function and its value."""

    @GradientMode(True)
    def computed(*args, **kwargs):
        chosen = argnums if isinstance(argnums, tuple) else (argnums,)
        given, before = list(args), tree_flatten([args[place] for place in chosen])[0]
        for place in chosen:
            given[place] = tree_map(recorded_anew, given[place])
        result = func(*given, **kwargs)
        value, rest = result if has_aux else (result, None)
        wanted = [tree_flatten(given[place]) for place in chosen]
        flat = [one for leaves, _ in wanted for one in leaves]
        found = iter(derivatives(value, flat, any(one._requires_grad for one in before)))
        gradients = tuple(tree_unflatten([next(found) for _ in leaves], spec) for leaves, spec in wanted)
        gradients = gradients if isinstance(argnums, tuple) else gradients[0]
        return (gradients, (value, rest)) if has_aux else (gradients, value)

    return computed


def recorded_anew(value):
    """A Tensor whose gradient is asked for: of the same values, and with the gradients of those."""
    if not isinstance(value, mindspore.Tensor):
        return value
    return value * 1 if value._requires_grad else leaf(value.copy())


def derivatives(value, inputs, create_graph=True):
    """The gradients of `inputs`, 0 for what has no part in the value."""
    if not value._requires_grad:
        return tuple(ops.zeros_like(one) for one in inputs)
    return gradients_of(value, inputs, create_graph=create_graph, allow_unused=True, materialize_grads=True)


def gradient_function(func, argnums=0, has_aux=False):
    """torch.func.grad: the function that gives the gradient of a function."""

    @GradientMode(True)
    def computed(*args, **kwargs):
        gradients, value = grad_and_value(func, argnums, has_aux)(*args, **kwargs)
        return (gradients, value[1]) if has_aux else gradients

    return computed


def jacobian_function(func, argnums=0, has_aux=False, **options):
    """torch.func.jacrev and torch.func.jacfwd: the function that gives the derivatives of all results, in the
    structure of results and arguments."""

    @GradientMode(True)
    def computed(*args):
        chosen = argnums if isinstance(argnums, tuple) else (argnums,)
        given = list(args)
        for place in chosen:
            given[place] = tree_map(recorded_anew, given[place])
        result = func(*given)
        value, rest = result if has_aux else (result, None)
        wanted, of_arguments = tree_flatten([given[place] for place in chosen])
        values, of_results = tree_flatten(value)
        found = []
        for one in values:
            rows = [derivatives(each, wanted) for each in one.reshape(-1)]
            blocks = [
                stack([row[index] for row in rows]).reshape(*one.shape, *each.shape)
                for index, each in enumerate(wanted)
            ]
            by_argument = tree_unflatten(blocks, of_arguments)
            found.append(tuple(by_argument) if isinstance(argnums, tuple) else by_argument[0])
        found = tree_unflatten(found, of_results)
        return (found, rest) if has_aux else found

    return computed


def hessian_function(func, argnums=0):
    """torch.func.hessian."""
    return jacobian_function(jacobian_function(func, argnums), argnums)


def pullback(func, *primals, has_aux=False):
    """torch.func.vjp: the result, and the function that gives the gradients for one of it."""
    given = [tree_map(recorded_anew, one) for one in primals]
    result = GradientMode(True)(func)(*given)
    value, rest = result if has_aux else (result, None)
    leaves, spec = tree_flatten(tuple(given))

    def pulled(*cotangents):
        found = gradients_of(
            tree_flatten(value)[0],
            leaves,
            tree_flatten(cotangents)[0],
            retain_graph=True,
            create_graph=True,
            allow_unused=True,
            materialize_grads=True,
        )
        return tree_unflatten(list(found), spec)

    return (value, pulled, rest) if has_aux else (value, pulled)


def pushforward(func, primals, tangents, *, strict=False, has_aux=False):
    """torch.func.jvp: the result and its change with that of the arguments, in their structures."""
    leaves, of_arguments = tree_flatten(tuple(primals))
    vectors, _ = tree_flatten(tuple(tangents))
    kept = []

    def of_leaves(*given):
        result = func(*tree_unflatten(list(given), of_arguments))
        value, *rest = result if has_aux else (result,)
        values, of_results = tree_flatten(value)
        kept[:] = [of_results, *rest]
        return tuple(values)

    values, changes = jvp(of_leaves, tuple(leaves), tuple(vectors))
    of_results, *rest = kept
    return (tree_unflatten(list(values), of_results), tree_unflatten(list(changes), of_results), *rest)
