"""Training steps as functions: the value of a loss together with the gradients of weights."""

from mindspore import ops


def value_and_grad(fn, grad_position=None, weights=None, has_aux=False):
    """mindspore.value_and_grad of weights, with PyTorch's gradients: None, not zeros, for a weight that is
    frozen or has no part in the loss, so that an optimizer leaves it as it is. What is computed afterwards is
    recorded as before."""
    if grad_position is not None or weights is None:
        raise NotImplementedError("gradients of arguments: take mindspore.value_and_grad")

    def computed(*args, **kwargs):
        record_again()
        result = fn(*args, **kwargs)
        loss = result[0] if has_aux else result
        return result, gradients_of_weights(loss, list(weights))

    return computed


def gradients_of_weights(loss, weights):
    """The gradient of a loss for each weight."""
    wanted = [weight for weight in weights if weight._requires_grad]
    keeps = GraphsKept.always
    found = gradients_of(loss, wanted, retain_graph=keeps, allow_unused=True) if wanted else ()
    by_weight = {id(weight): gradient for weight, gradient in zip(wanted, found)}
    return tuple(by_weight.get(id(weight)) for weight in weights)


def add_gradients(weights, gradients):
    """Add gradients to the `grad` of weights, as PyTorch's `backward` does."""
    with no_grad():
        for weight, gradient in zip(weights, gradients):
            if gradient is not None:
                # in memory of its own: gradients that are alike may share it
                weight._grad = ops.mul(gradient, 1) if weight._grad is None else weight._grad + gradient


def weights_of(*owners):
    """The parameters of optimizers and modules, each once."""
    found = {}
    for owner in owners:
        parameters = owner.parameters
        for parameter in parameters() if callable(parameters) else parameters:
            found[id(parameter)] = parameter
    return list(found.values())
