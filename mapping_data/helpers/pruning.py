"""Pruning: parameters of which a mask leaves a part (torch.nn.utils.prune)."""

import numbers

import mindspore
import numpy as np
from mindspore import ops


class BasePruningMethod:
    """torch.nn.utils.prune.BasePruningMethod: a parameter is computed from the original and a mask in each
    call; a subclass computes the mask."""

    PRUNING_TYPE = "unstructured"

    def __call__(self, module, inputs):
        object.__setattr__(module, self._tensor_name, self.apply_mask(module))

    def compute_mask(self, t, default_mask):
        raise NotImplementedError(f"{type(self).__name__} has no compute_mask")

    def apply_mask(self, module):
        """The original with what is pruned set to 0."""
        name = self._tensor_name
        return getattr(module, f"{name}_orig") * getattr(module, f"{name}_mask")

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prune a parameter of a module, or more of it."""
        method = cls(*args, **kwargs)
        method._tensor_name = name
        earlier, hook = prunings_of(module).get(name, (None, None))
        if earlier is None:
            weights = module._params.pop(name)
            mask = ops.ones_like(weights)
            module.register_parameter(f"{name}_orig", weights)
        else:
            hook.remove()
            weights, mask = getattr(module, f"{name}_orig"), getattr(module, f"{name}_mask")
            before = list(earlier) if isinstance(earlier, PruningContainer) else [earlier]
            method = PruningContainer(*before, method)
        with no_grad():
            scores = weights if importance_scores is None else importance_scores
            module.register_buffer(f"{name}_mask", method.compute_mask(scores, mask))
        method(module, None)
        kept = (method, module.register_forward_pre_hook(method))
        module._prunings = {**prunings_of(module), name: kept}
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        """The Tensor with what is pruned set to 0."""
        mask = ops.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(t if importance_scores is None else importance_scores, mask)

    def remove(self, module):
        """Let the parameter be what the mask has left of it by now."""
        name = self._tensor_name
        weights = module._params[f"{name}_orig"]
        with no_grad():
            write_(weights, self.apply_mask(module))
        module.__dict__.pop(name)
        del module._params[f"{name}_orig"]
        module._buffers.pop(f"{name}_mask")
        module.register_parameter(name, weights)


class PruningContainer(BasePruningMethod):
    """torch.nn.utils.prune.PruningContainer: several, one after the other, each of what the others left."""

    def __init__(self, *methods):
        self._tensor_name = methods[0]._tensor_name
        self._pruning_methods = list(methods)

    def add_pruning_method(self, method):
        self._pruning_methods.append(method)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, index):
        return self._pruning_methods[index]

    def compute_mask(self, t, default_mask):
        method, mask = self._pruning_methods[-1], default_mask.asnumpy().copy()
        left = unpruned(method, mask)
        part = method.compute_mask(mindspore.Tensor(t.asnumpy()[left]), mindspore.Tensor(mask[left]))
        mask[left] = part.asnumpy()
        return mindspore.Tensor(mask)


def unpruned(method, mask):
    """Where there is something left, as an index: values, or channels along the axis of the method."""
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "global":
        return ...
    axis = method.dim % mask.ndim
    rest = tuple(each for each in range(mask.ndim) if each != axis)
    return (slice(None),) * axis + (mask.sum(rest) != 0,)


def prunings_of(module):
    """The methods that prune parameters of a module, each with its hook, by the parameter's name."""
    return module.__dict__.get("_prunings", {})


def number_to_prune(amount, size):
    """How many are pruned: a share of them, or this number."""
    if not isinstance(amount, numbers.Real) or amount < 0 or (isinstance(amount, float) and amount > 1):
        raise ValueError(f"amount={amount} should be a share from 0 to 1 or a number that is not negative")
    if isinstance(amount, numbers.Integral):
        if amount > size:
            raise ValueError(f"amount={amount} should be at most {size}")
        return int(amount)
    return round(amount * size)


class IdentityPruning(BasePruningMethod):
    """torch.nn.utils.prune.Identity."""

    def compute_mask(self, t, default_mask):
        return default_mask


class UnstructuredPruning(BasePruningMethod):
    """Of single values: a subclass says which go first."""

    def __init__(self, amount):
        self.amount = amount

    def compute_mask(self, t, default_mask):
        mask = default_mask.asnumpy().copy()
        count = number_to_prune(self.amount, t.size)
        mask.reshape(-1)[np.argsort(self.scores(t), kind="stable")[:count]] = 0
        return mindspore.Tensor(mask)


class RandomUnstructured(UnstructuredPruning):
    """torch.nn.utils.prune.RandomUnstructured."""

    def scores(self, t):
        return -rand_like(t).asnumpy().reshape(-1)  # PyTorch prunes where the largest numbers are drawn


class L1Unstructured(UnstructuredPruning):
    """torch.nn.utils.prune.L1Unstructured."""

    def scores(self, t):
        return np.abs(t.asnumpy()).reshape(-1)


class StructuredPruning(BasePruningMethod):
    """Of channels along an axis: a subclass says which go first."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        self.amount = amount
        self.dim = dim

    def compute_mask(self, t, default_mask):
        mask, axis = default_mask.asnumpy().copy(), self.dim % t.ndim
        count = number_to_prune(self.amount, t.shape[axis])
        channels = np.argsort(self.scores(t, axis), kind="stable")[:count]
        mask[(slice(None),) * axis + (channels,)] = 0
        return mindspore.Tensor(mask)


class RandomStructured(StructuredPruning):
    """torch.nn.utils.prune.RandomStructured."""

    def scores(self, t, axis):
        return rand(t.shape[axis]).asnumpy()


class LnStructured(StructuredPruning):
    """torch.nn.utils.prune.LnStructured."""

    def __init__(self, amount, n, dim=-1):
        super().__init__(amount, dim)
        self.n = n

    def scores(self, t, axis):
        rows = np.moveaxis(t.asnumpy(), axis, 0).reshape(t.shape[axis], -1)
        if self.n == "fro":
            return np.linalg.norm(rows, axis=1)
        if self.n == "nuc":
            return np.array([np.linalg.norm(np.atleast_2d(row), "nuc") for row in rows])
        return np.linalg.norm(rows, float(self.n), axis=1)


class CustomFromMask(BasePruningMethod):
    """torch.nn.utils.prune.CustomFromMask."""

    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        return default_mask * self.mask.astype(default_mask.dtype)


def prune_nothing(module, name):
    """torch.nn.utils.prune.identity."""
    IdentityPruning.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """torch.nn.utils.prune.random_unstructured."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    """torch.nn.utils.prune.l1_unstructured."""
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """torch.nn.utils.prune.random_structured."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """torch.nn.utils.prune.ln_structured."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    """torch.nn.utils.prune.custom_from_mask."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """torch.nn.utils.prune.global_unstructured: of all parameters together."""
    given, scores, masks = importance_scores or {}, [], []
    for module, name in parameters:
        weights = getattr(module, name)
        scores.append(given.get((module, name), weights).asnumpy().reshape(-1))
        mask = module._buffers.get(f"{name}_mask")
        masks.append(np.ones(weights.shape, np.float32) if mask is None else mask.asnumpy())
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    together = PruningContainer(method)
    flat = mindspore.Tensor(np.concatenate([mask.reshape(-1) for mask in masks]))
    found = together.compute_mask(mindspore.Tensor(np.concatenate(scores)), flat).asnumpy()
    for (module, name), mask in zip(parameters, masks):
        custom_from_mask(module, name, mindspore.Tensor(found[: mask.size].reshape(mask.shape)))
        found = found[mask.size :]


def remove_pruning(module, name):
    """torch.nn.utils.prune.remove."""
    if name not in prunings_of(module):
        raise ValueError(f"Parameter '{name}' of {module} is not pruned, so no pruning can be removed")
    method, hook = prunings_of(module)[name]
    module._prunings = {each: pair for each, pair in prunings_of(module).items() if each != name}
    hook.remove()
    method.remove(module)
    return module


def is_pruned(module):
    """torch.nn.utils.prune.is_pruned: whether something in a module is pruned."""
    return any(prunings_of(cell) for _, cell in module.cells_and_names())
