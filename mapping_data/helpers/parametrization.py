"""Parameters that are computed from others."""

import mindspore
from mindspore import ops


def parameters_to_vector(parameters):
    """torch.nn.utils.parameters_to_vector, and torch._utils._flatten_dense_tensors."""
    return ops.cat([part.reshape(-1) for part in parameters])


def vector_to_parameters(vec, parameters):
    """torch.nn.utils.vector_to_parameters."""
    parameters = list(parameters)
    for part, value in zip(parameters, unflatten_dense_tensors(vec, parameters)):
        write_(part, value)


def unflatten_dense_tensors(flat, tensors):
    """torch._utils._unflatten_dense_tensors: the parts of one axis in the shapes of Tensors."""
    parts, start = [], 0
    for tensor in tensors:
        parts.append(flat[start : start + tensor.size].reshape(tensor.shape))
        start += tensor.size
    return tuple(parts)


def norm_except(weight, dim):
    """The norms over all axes but one; over all with None."""
    axes = tuple(axis for axis in range(weight.ndim) if dim is None or axis != dim % weight.ndim)
    norms = vector_norm(weight, 2, axes, True)
    return norms.reshape(()) if dim is None else norms


def remove_pre_hook(module, hook):
    """Remove a hook without its handle, which cannot be pickled."""
    hooks = module._forward_pre_hooks
    for key in [key for key, kept in hooks.items() if kept is hook]:
        del hooks[key]


class WeightOfLength:
    """Computes a parameter from its direction and length, before each call of a module; it can be pickled."""

    def __init__(self, name, dim):
        self.name, self.dim = name, dim

    def __call__(self, module, args):
        direction, length = getattr(module, f"{self.name}_v"), getattr(module, f"{self.name}_g")
        object.__setattr__(module, self.name, direction * (length / norm_except(direction, self.dim)))


def weight_norm(module, name="weight", dim=0):
    """torch.nn.utils.weight_norm: the parameter is computed from its direction and length in each call."""
    weight = module._params.pop(name)
    module.register_parameter(f"{name}_g", parameter(norm_except(weight, dim)))
    module.register_parameter(f"{name}_v", parameter(weight.value()))
    compute = WeightOfLength(name, dim)
    compute(module, None)
    module.register_forward_pre_hook(compute)
    module._weight_norms = {**getattr(module, "_weight_norms", {}), name: compute}
    return module


def remove_weight_norm(module, name="weight"):
    """torch.nn.utils.remove_weight_norm: what direction and length are by now stays."""
    compute = module._weight_norms.pop(name)
    remove_pre_hook(module, compute)
    compute(module, None)
    value = mindspore.Tensor(module.__dict__.pop(name).asnumpy())
    del module._params[f"{name}_g"], module._params[f"{name}_v"]
    module.register_parameter(name, parameter(value))
    return module


class WeightByLargest:
    """Divides a parameter by its largest singular value, before each call of a module; it can be pickled."""

    def __init__(self, name, n_power_iterations, eps, first):
        self.name, self.n_power_iterations, self.eps, self.first = name, n_power_iterations, eps, first

    def __call__(self, module, args, iterates=True):
        weight = getattr(module, f"{self.name}_orig")
        matrix = weight.swapaxes(0, self.first).reshape((weight.shape[self.first], -1))
        u, v = getattr(module, f"{self.name}_u"), getattr(module, f"{self.name}_v")
        if module.training and iterates:
            fixed = ops.stop_gradient(matrix)
            for _ in range(self.n_power_iterations):
                v = normalize(ops.matmul(fixed.swapaxes(0, 1), u), dim=0, eps=self.eps)
                u = normalize(ops.matmul(fixed, v), dim=0, eps=self.eps)
            setattr(module, f"{self.name}_u", u)
            setattr(module, f"{self.name}_v", v)
        object.__setattr__(module, self.name, weight / (u * ops.matmul(matrix, v)).sum())


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """torch.nn.utils.spectral_norm: the parameter is divided by its largest singular value in each call."""
    weight = module._params.pop(name)
    first = dim or (1 if type(module).__name__.startswith("ConvTranspose") else 0)
    module.register_parameter(f"{name}_orig", weight)
    matrix = weight.swapaxes(0, first).reshape((weight.shape[first], -1))
    for letter, size in zip("uv", matrix.shape):
        drawn = mindspore.Tensor(default_generator.normal((size,), dtype=weight.dtype), weight.dtype)
        module.register_buffer(f"{name}_{letter}", normalize(drawn, dim=0, eps=eps))

    compute = WeightByLargest(name, n_power_iterations, eps, first)
    module.register_forward_pre_hook(compute)
    module._spectral_norms = {**getattr(module, "_spectral_norms", {}), name: compute}
    # until the first call the memory of the original: what initializes the one reaches the other
    object.__setattr__(module, name, getattr(module, f"{name}_orig").data)
    return module


def parametrization_of(module, name):
    """Where the originals of a parameter that is computed are kept: under PyTorch's names."""
    if "parametrizations" not in module._cells:
        module.parametrizations = ModuleDict()
    module.parametrizations[name] = ParametrizationList()
    return module.parametrizations[name]


class WeightNorm(Module):
    """What torch.nn.utils.parametrizations.weight_norm makes of a length and a direction."""

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def construct(self, length, direction):
        return direction * (length / norm_except(direction, self.dim))

    def right_inverse(self, weight):
        return norm_except(weight, self.dim), weight


def parametrized_weight_norm(module, name="weight", dim=0):
    """torch.nn.utils.parametrizations.weight_norm: computed from direction and length wherever it is read."""
    return register_parametrization(module, name, WeightNorm(dim))


class SpectralNorm(Module):
    """What torch.nn.utils.parametrizations.spectral_norm makes of a parameter."""

    def __init__(self, weight, n_power_iterations, eps, dim):
        super().__init__()
        self.n_power_iterations, self.eps, self.dim = n_power_iterations, eps, dim
        if weight.ndim > 1:
            matrix = ops.stop_gradient(self.matrix_of(weight))
            for letter, size in zip("uv", matrix.shape):
                drawn = mindspore.Tensor(default_generator.normal((size,), dtype=weight.dtype), weight.dtype)
                self.register_buffer(f"_{letter}", normalize(drawn, dim=0, eps=eps))
            self.iterate(matrix, 15)

    def matrix_of(self, weight):
        return weight.swapaxes(0, self.dim).reshape((weight.shape[self.dim], -1))

    def iterate(self, matrix, count):
        u, v = self._u, self._v
        for _ in range(count):
            u = normalize(ops.matmul(matrix, v), dim=0, eps=self.eps)
            v = normalize(ops.matmul(matrix.swapaxes(0, 1), u), dim=0, eps=self.eps)
        self._u, self._v = u, v

    def construct(self, weight):
        if weight.ndim == 1:
            return normalize(weight, dim=0, eps=self.eps)
        matrix = self.matrix_of(weight)
        if self.training:
            self.iterate(ops.stop_gradient(matrix), self.n_power_iterations)
        return weight / (self._u * ops.matmul(matrix, self._v)).sum()

    def right_inverse(self, value):
        return value


def parametrized_spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """torch.nn.utils.parametrizations.spectral_norm: divided by its largest singular value wherever it is
    read."""
    first = dim if dim is not None else 1 if "ConvTranspose" in type(module).__name__ else 0
    norm = SpectralNorm(getattr(module, name), n_power_iterations, eps, first)
    register_parametrization(module, name, norm)
    with no_grad():
        getattr(module, name)  # PyTorch reads it once, too
    return module


class ParametrizationList(ModuleList):
    """torch.nn.utils.parametrize.ParametrizationList: what a parameter is computed by from its originals."""

    def construct(self):
        values = originals_of(self)
        for parametrization in self:
            values = (parametrization(*values),)
        return values[0]


def computed_parameter(name):
    """The property that computes a parameter whenever it is read."""

    def get(module):
        return module._cells["parametrizations"][name].construct()

    def set_to(module, value):
        kept = module._cells["parametrizations"][name]
        with no_grad():
            for number in reversed(range(len(kept._cells))):
                parametrization = kept._cells[str(number)]
                value = parametrization.right_inverse(value)
            for original, part in zip(originals_of(kept), value if isinstance(value, tuple) else (value,)):
                original.set_data(part)

    return property(get, set_to)


def originals_of(kept):
    """What a parameter is computed from: one, or what `right_inverse` gave several of."""
    if "original" in kept._params:
        return (kept.original,)
    return tuple(value for name, value in kept._params.items() if name.startswith("original"))


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """torch.nn.utils.parametrize.register_parametrization: the parameter is what a module makes of it."""
    if is_parametrized(module, tensor_name):
        kept = module._cells["parametrizations"][tensor_name]
        kept.add_module(str(len(kept._cells)), parametrization)
        return module
    weight = original = module._params.pop(tensor_name)
    if hasattr(parametrization, "right_inverse"):
        with no_grad():
            original = parametrization.right_inverse(weight)
    kept = parametrization_of(module, tensor_name)
    if isinstance(original, (tuple, list)):
        for number, part in enumerate(original):
            kept.register_parameter(f"original{number}", parameter(part))
    else:
        if original is not weight:
            weight.set_data(mindspore.Tensor(original.asnumpy()), slice_shape=True)
        kept.original = weight
    kept.add_module("0", parametrization)
    kind = type(module)
    prefix = "" if kind.__name__.startswith("Parametrized") else "Parametrized"
    module.__class__ = type(prefix + kind.__name__, (kind,), {tensor_name: computed_parameter(tensor_name)})
    return module


def is_parametrized(module, tensor_name=None):
    """torch.nn.utils.parametrize.is_parametrized."""
    there = module._cells.get("parametrizations")
    return there is not None and (tensor_name is None or tensor_name in there)


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """torch.nn.utils.parametrize.remove_parametrizations."""
    kept = module._cells["parametrizations"]
    value = getattr(module, tensor_name) if leave_parametrized else kept[tensor_name].original
    value = mindspore.Tensor(value.asnumpy())
    original = kept[tensor_name]._params.get("original")
    kept.pop(tensor_name)
    bases = [kind for kind in type(module).__mro__ if tensor_name not in vars(kind)]
    module.__class__ = bases[0]
    if not len(kept):
        module._cells.pop("parametrizations")
    if original is None:
        original = parameter(value)
    else:
        original.set_data(value, slice_shape=True)
    module.register_parameter(tensor_name, original)
    return module


def remove_spectral_norm(module, name="weight"):
    """torch.nn.utils.remove_spectral_norm."""
    compute = module._spectral_norms.pop(name)
    remove_pre_hook(module, compute)
    compute(module, None, iterates=False)
    value = mindspore.Tensor(module.__dict__.pop(name).asnumpy())
    module._params.pop(f"{name}_orig")
    for letter in "uv":
        module._buffers.pop(f"{name}_{letter}")
    module.register_parameter(name, parameter(value))
    return module
