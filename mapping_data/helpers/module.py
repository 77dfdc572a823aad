"""torch.nn.Module and what belongs to it."""

import copyreg
import functools
import inspect
import re
import sys
import warnings
from collections import OrderedDict
from collections.abc import Mapping
from functools import wraps

import mindspore
import numpy as np
from mindspore import nn, ops


def prefix_of(name):
    """What the names of a module's parameters begin with for MindSpore, which takes letters, digits, `_`, `.`
    and `-`."""
    return re.sub(r"[^\w.-]", "_", name, flags=re.ASCII) + "."


def names_are_free(module):
    """Let what a Cell has beyond PyTorch's modules be the name of anything (`self.cells`, `self.phase`): what
    a module was given by such a name comes first."""

    def free(name, member):
        def found(self):
            for held in (
                self.__dict__,
                *(self.__dict__.get(of, {}) for of in ("_params", "_cells", "_buffers")),
            ):
                if name in held:
                    return held[name]
            return member.__get__(self, type(self))

        return property(found, lambda self, value: self.__dict__.__setitem__(name, value))

    methods = ("cells", "offload", "recompute", "shard")  # those that modules are called like
    for name, member in vars(nn.Cell).items():
        if name in methods or (isinstance(member, property) and name not in vars(module)):
            setattr(module, name, free(name, member))
    return module


def asked_by_programs(own):
    """A `__getattr__` of a class of modules, which may read what is not set yet (`self.inner`): what a Cell
    asks itself for while it is made, or given a part, is not asked of it."""

    @wraps(own)
    def asked(self, name):
        if self.__dict__.get("_asks_itself", True):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return own(self, name)

    return asked


def asking_itself(method):
    """A method of Cells that asks whether there is an attribute of a name."""

    @wraps(method)
    def call(self, *args, **kwargs):
        before = self.__dict__.get("_asks_itself", True)
        self.__dict__["_asks_itself"] = True
        try:
            return method(self, *args, **kwargs)
        finally:
            self.__dict__["_asks_itself"] = before

    return call


# the names that Cells use themselves, and PyTorch's modules do not
PRIVATE_OF_CELLS = frozenset(name for name in vars(nn.Cell()) if name[0] == "_" and name != "_buffers")


def asks_for_cells():
    """Whether MindSpore, or the module of the helpers, reads or sets the attribute that the caller gives."""
    name = sys._getframe(2).f_globals.get("__name__", "")
    return name == __name__ or name.partition(".")[0] == "mindspore"


# what Cells compute from attributes that they do not have without a graph
PROPERTIES_OF_CELLS = [name for name, member in vars(nn.Cell).items() if isinstance(member, property)]


class PrivateOfPrograms:
    """An attribute of a class of modules that has a name which Cells use themselves (`self._params`): the
    program has its own."""

    def __init__(self, name, default=None):
        self.name = name
        self.own = f"own {name}"
        self.default = default

    def __get__(self, module, kind=None):
        if module is None:
            return self.default
        held = module.__dict__
        if asks_for_cells():
            if self.name not in held:
                raise AttributeError(self.name)
            return held[self.name]
        return held.get(self.own, self.default)

    def __set__(self, module, value):
        module.__dict__[self.name if asks_for_cells() else self.own] = value


# what runs the hooks of a Cell: it belongs to the Cell that it was made for, and cannot be copied
OF_HOOKS = ("_cell_backward_hook", "_cell_backward_pre_hook")


def register_hooks_anew(module):
    """Let the hooks of a copied module run: what runs them belongs to the module that it was made for."""
    if getattr(module, "_backward_hook", None):
        module.register_backward_hook(lambda *given: None).remove()
    if getattr(module, "_backward_pre_hook", None):
        module.register_backward_pre_hook(lambda *given: None).remove()


@names_are_free
class Module(nn.Cell):
    """torch.nn.Module on top of `mindspore.nn.Cell`: PyTorch's members, and its names of parameters.

    The computation is `construct`; a class that defines `forward` instead works, too. Unlike other Cells, it
    starts in training mode.
    """

    _private_of_cells, _private_of_programs = PRIVATE_OF_CELLS, PrivateOfPrograms  # read by subclasses

    def __init__(self, *args, **kwargs):
        self.__dict__["_asks_itself"] = True  # it may be made anew
        super().__init__(*args, **kwargs)
        self._phase = "train"
        self.add_flags(training=True)
        self.__dict__["_asks_itself"] = False

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "__getattr__" in vars(cls):
            cls.__getattr__ = asked_by_programs(cls.__getattr__)
        for name in PRIVATE_OF_CELLS & vars(cls).keys():
            setattr(cls, name, PrivateOfPrograms(name, vars(cls)[name]))
        defined = next(vars(base) for base in cls.__mro__ if {"construct", "forward"} & vars(base).keys())
        if "construct" not in defined:
            cls.construct = defined["forward"]
        elif "forward" not in defined:
            cls.forward = defined["construct"]

    insert_child_to_cell = asking_itself(nn.Cell.insert_child_to_cell)
    insert_param_to_cell = asking_itself(nn.Cell.insert_param_to_cell)
    register_buffer = asking_itself(nn.Cell.register_buffer)

    def __reduce__(self):
        """How to make it anew, and its state; Python's own ends the program, where a class asks for it."""
        return copyreg.__newobj__, (type(self),), self.__getstate__()

    def __getstate__(self):
        kept = {name: one for name, one in self._primitives.items() if name not in OF_HOOKS}
        return {**self.__dict__, **dict.fromkeys(OF_HOOKS), "_primitives": OrderedDict(kept)}

    def __setstate__(self, state):
        nn.Cell.__setstate__(self, ((self._cell_tag,), dict(state)))
        register_hooks_anew(self)

    def __setattr__(self, name, value):
        if name in PRIVATE_OF_CELLS and not asks_for_cells():
            if not isinstance(inspect.getattr_static(type(self), name, None), PrivateOfPrograms):
                setattr(type(self), name, PrivateOfPrograms(name))
            self.__dict__[f"own {name}"] = value
        elif "_params" not in self.__dict__:
            if isinstance(value, (mindspore.Parameter, nn.Cell)):
                raise AttributeError("call super().__init__() before parameters or modules are assigned")
            object.__setattr__(self, name, value)
        elif isinstance(value, mindspore.Parameter):
            self.register_parameter(name, value)
        elif isinstance(value, nn.Cell):
            self.register_module(name, value)
        elif name in self._buffers and (value is None or isinstance(value, mindspore.Tensor)):
            self._buffers[name] = value
        elif isinstance(value, mindspore.Tensor) and hasattr(value, "_becomes_buffer"):
            self.register_buffer(name, value, value._becomes_buffer)
        elif isinstance(value, (list, tuple)):
            object.__setattr__(self, name, value)
        elif isinstance(value, mindspore.Tensor) and name not in self._params and name not in self._cells:
            object.__setattr__(self, name, value)  # the buffer of another module is none here, as in PyTorch
        elif name == "forward":
            object.__setattr__(self, "forward", value)
            object.__setattr__(self, "construct", value)
        else:
            super().__setattr__(name, value)

    def _release(self, name, registry):
        for place in (self.__dict__, self._params, self._cells, self._buffers):
            if place is not registry:
                place.pop(name, None)

    def register_parameter(self, name, param):
        if param is not None and not isinstance(param, mindspore.Parameter):
            raise TypeError(f"{name} is no Parameter: {type(param).__name__}")
        self._release(name, self._params)
        self.insert_param_to_cell(name, param)

    def register_module(self, name, module):
        if module is not None and not isinstance(module, nn.Cell):
            raise TypeError(f"{name} is no Module: {type(module).__name__}")
        self._release(name, self._cells)
        if module is not None:
            module.update_parameters_name(prefix_of(name))
        if hasattr(type(self), name):
            self._cells[name] = module  # the name still means what the class has, as in PyTorch
        else:
            self.insert_child_to_cell(name, module)

    def add_module(self, name, module):
        self.register_module(name, module)

    @property
    def _modules(self):
        return self._cells

    @property
    def _parameters(self):
        return self._params

    @property
    def _forward_hooks(self):
        return self._forward_hook

    @property
    def _forward_pre_hooks(self):
        return self._forward_pre_hook

    @property
    def _backward_hooks(self):
        return self._backward_hook

    @property
    def _backward_pre_hooks(self):
        return self._backward_pre_hook

    def __dir__(self):
        own = {name for held in (self._params, self._cells, self._buffers) for name in held}
        missing = {name for name in PROPERTIES_OF_CELLS if not hasattr(self, name)}
        return sorted(name for name in {*super().__dir__(), *own} - missing if not name[:1].isdigit())

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        return named_modules_of(self, memo, prefix, remove_duplicate)

    def modules(self):
        return modules_of(self)

    def named_children(self):
        return named_children_of(self)

    def children(self):
        return children_of(self)

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return named_parameters_of(self, prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        return parameters_of(self, recurse)

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return named_buffers_of(self, prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        return buffers_of(self, recurse)

    def get_submodule(self, target):
        return get_submodule_of(self, target)

    def set_submodule(self, target, module, strict=False):
        """Replace a module; with `strict` it must be there."""
        owner, _, name = target.rpartition(".")
        owner = get_submodule_of(self, owner)
        if strict and name not in owner._cells:
            raise AttributeError(f"{type(owner).__name__} has no module {name}")
        owner.register_module(name, module)

    def share_memory(self):
        """Other processes have copies, unlike in PyTorch."""
        warnings.warn("a process has a copy of the parameters: what it trains stays in it", stacklevel=2)
        return self

    def get_parameter(self, target):
        owner, _, name = target.rpartition(".")
        return get_submodule_of(self, owner)._params[name]

    def train(self, mode=True):
        record_again()
        return train_of(self, mode)

    def set_train(self, mode=True):
        return self.train(mode)

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        return requires_grad_of(self, requires_grad)

    def zero_grad(self, set_to_none=True):
        record_again()
        for member in parameters_of(self):
            member._grad = None if set_to_none or member._grad is None else member._grad * 0

    def to(self, *args, **kwargs):
        return to_of(self, *args, **kwargs)

    def float(self):
        return to_of(self, mindspore.float32)

    def double(self):
        return to_of(self, mindspore.float64)

    def half(self):
        return to_of(self, mindspore.float16)

    def bfloat16(self):
        return to_of(self, mindspore.bfloat16)

    def type(self, dst_type):
        return to_of(self, dst_type)

    def cuda(self, device=None):
        return self

    def cpu(self):
        return self

    def to_empty(self, *, device, recurse=True):
        """The values stay; PyTorch's are of no account, be it that they were on the device "meta"."""
        return self

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        for name, member in self._params.items():
            if member is not None and not keep_vars:
                destination[prefix + name] = member.data

    def load_state_dict(self, state_dict, strict=True, assign=False):
        return load_state_dict_of(self, state_dict, strict, assign)

    def register_full_backward_hook(self, hook, prepend=False):
        return self.register_backward_hook(hook)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        def without_module(module, *args):
            return hook(*args)

        return self.register_load_state_dict_pre_hook(hook if with_module else without_module)

    def _register_state_dict_hook(self, hook):
        def discarding(*args):
            hook(*args)

        return self.register_state_dict_post_hook(discarding)

    # the attributes that `extra_repr` shows: with "=" by name, with "?" by name where they are true
    _shown = ()

    def extra_repr(self):
        parts = [(name.rstrip("=?"), name[-1], getattr(self, name.rstrip("=?"))) for name in self._shown]
        return ", ".join(
            f"{name}={value!r}" if mark in "=?" else f"{value}"
            for name, mark, value in parts
            if value or mark != "?"
        )

    def extend_repr(self):
        return self.extra_repr()


class ParameterType(type(mindspore.Tensor)):
    """The Parameters of MindSpore are PyTorch's; a class may derive from a Tensor's beside it."""

    def __instancecheck__(cls, instance):
        if cls is Parameter:
            return isinstance(instance, mindspore.Parameter)
        return super().__instancecheck__(instance)


def class_of_all(kind):
    """Let MindSpore make its Parameters of this class, which `type(weight) is nn.Parameter` asks for."""
    mindspore.Parameter._base_type["Parameter"] = kind
    return kind


@class_of_all
class Parameter(mindspore.Parameter, mindspore.Tensor, metaclass=ParameterType):
    """torch.nn.Parameter: makes a `mindspore.Parameter`; a class derived from it makes one of that class."""

    def __new__(cls, data=None, requires_grad=True):
        made = parameter(data, requires_grad)
        if cls is not Parameter:
            made.__class__ = class_of_parameters(cls, type(made))
        return made

    def __init__(self, *values, **options):
        if "_param_info" not in self.__dict__:  # MindSpore makes it
            mindspore.Parameter.__init__(self, *values, **options)


@functools.cache
def class_of_parameters(derived, made):
    """The class of the Parameters of a class that derives from PyTorch's."""
    if issubclass(derived, made):
        return derived
    members = {"__module__": derived.__module__, "__qualname__": derived.__qualname__}
    return ParameterType(derived.__name__, (derived, made), members)


class Buffer:
    """torch.nn.Buffer: makes a Tensor that becomes a buffer of the module that it is assigned to."""

    def __new__(cls, data=None, *, persistent=True):
        made = mindspore.Tensor(np.zeros((0,)), mindspore.float32) if data is None else data * 1
        made._becomes_buffer = persistent
        return made


def parameter(data=None, requires_grad=True):
    """torch.nn.Parameter: a `mindspore.Parameter` that is named when it becomes an attribute of a module."""
    if data is None:
        data = mindspore.Tensor(np.zeros((0,)), mindspore.float32)
    if isinstance(data, mindspore.Parameter) or "sparse_layout" in data.__dict__:
        data = mindspore.Tensor(data)
    if not data._is_leaf:
        data = ops.stop_gradient(data)  # else it would stay a result, which never gets a gradient
    return mindspore.Parameter(data, requires_grad=requires_grad)


def parameters_own_values():
    """Let Parameters be set by views (`p.data = x.view(-1)`): they get values of their own.

    Operators that change a Parameter, as those of optimizers, take no view. With another Parameter they share
    memory. The order of the view's axes is noted: PyTorch's Parameter has it, and numbers are drawn in it."""
    inherited, deep_copy = mindspore.Parameter.data, mindspore.Parameter.__deepcopy__

    def read(parameter):
        values = inherited.__get__(parameter)
        values.is_of_parameter = True
        values.axes_in_memory = getattr(parameter, "axes_in_memory", None)
        return values

    def write(parameter, values):
        parameter.axes_in_memory = None if values.is_contiguous() else axes_by_memory(values)
        is_own = getattr(values, "is_of_parameter", False)
        # a copy has the order in memory of what it is a copy of, where operators keep that
        own = values if is_own else mindspore.Tensor.copy(mindspore.Tensor.contiguous(values))
        inherited.__set__(parameter, own)

    def copied(parameter, memo):
        made = deep_copy(parameter, memo)
        made.axes_in_memory = getattr(parameter, "axes_in_memory", None)
        return made

    mindspore.Parameter.data = property(read, write)
    mindspore.Parameter.__deepcopy__ = copied
    return True


# Whether Parameters that are set by views have values of their own
PARAMETERS_OWN_VALUES = parameters_own_values()


def parameters_take_attributes():
    """Let a Parameter be made with what another one has in `__dict__` as keywords. In PyTorch that is what
    programs have given it; what MindSpore keeps there is left out."""
    own, native = set(vars(mindspore.Parameter(mindspore.Tensor(0.0)))), mindspore.Parameter.__init__

    @wraps(native)
    def made(parameter, *args, **kwargs):
        native(parameter, *args, **{name: value for name, value in kwargs.items() if name not in own})

    mindspore.Parameter.__init__ = made
    return True


# Whether Parameters are made with the attributes of others
PARAMETERS_TAKE_ATTRIBUTES = parameters_take_attributes()


def is_statistic(name):
    """Whether a Parameter of this name is a buffer for PyTorch: the running statistics of a normalization."""
    return name in ("running_mean", "running_var", "num_batches_tracked", "moving_mean", "moving_variance")


def named_modules_of(cell, memo=None, prefix="", remove_duplicate=True):
    """torch.nn.Module.named_modules for any Cell."""
    memo = set() if memo is None else memo
    if cell in memo:
        return
    if remove_duplicate:
        memo.add(cell)
    yield prefix, cell
    for name, child in cell.name_cells().items() if remove_duplicate else cell._cells.items():
        if child is not None:
            below = f"{prefix}.{name}" if prefix else name
            yield from named_modules_of(child, memo, below, remove_duplicate)


def modules_of(cell, remove_duplicate=True):
    """torch.nn.Module.modules for any Cell: itself, its children, their children."""
    for _, module in named_modules_of(cell, remove_duplicate=remove_duplicate):
        yield module


def named_children_of(cell):
    """torch.nn.Module.named_children for any Cell."""
    seen = set()
    for name, child in cell._cells.items():
        if child is not None and child not in seen:
            seen.add(child)
            yield name, child


def children_of(cell):
    """torch.nn.Module.children for any Cell."""
    for _, child in named_children_of(cell):
        yield child


def named_members_of(cell, members, prefix="", recurse=True, remove_duplicate=True):
    """What `members` gives of a Cell and those below it, with dotted names; each once, and None left out."""
    seen = set()
    owners = named_modules_of(cell, None, prefix, remove_duplicate) if recurse else [(prefix, cell)]
    for owner_name, owner in owners:
        for name, member in members(owner):
            if member is None or (remove_duplicate and id(member) in seen):
                continue
            seen.add(id(member))
            yield f"{owner_name}.{name}" if owner_name else name, member


def named_parameters_of(cell, prefix="", recurse=True, remove_duplicate=True):
    """torch.nn.Module.named_parameters for any Cell; running statistics are no parameters."""

    def members(owner):
        return [(name, member) for name, member in owner._params.items() if not is_statistic(name)]

    return named_members_of(cell, members, prefix, recurse, remove_duplicate)


def parameters_of(cell, recurse=True):
    """torch.nn.Module.parameters for any Cell; running statistics are no parameters."""
    cell.check_names_and_refresh_name()
    for _, member in named_parameters_of(cell, "", recurse):
        yield member


def named_buffers_of(cell, prefix="", recurse=True, remove_duplicate=True):
    """torch.nn.Module.named_buffers for any Cell; running statistics are buffers."""

    def members(owner):
        statistics = [(name, member) for name, member in owner._params.items() if is_statistic(name)]
        return [*statistics, *owner._buffers.items()]

    return named_members_of(cell, members, prefix, recurse, remove_duplicate)


def buffers_of(cell, recurse=True):
    """torch.nn.Module.buffers for any Cell; running statistics are buffers."""
    for _, member in named_buffers_of(cell, "", recurse):
        yield member


def get_submodule_of(cell, target):
    """torch.nn.Module.get_submodule for any Cell."""
    for name in target.split(".") if target else ():
        if cell._cells.get(name) is None:
            raise AttributeError(f"{type(cell).__name__} has no module {name}")
        cell = cell._cells[name]
    return cell


def train_of(cell, mode=True):
    """torch.nn.Module.train for any Cell: children with a `train` of their own decide for themselves."""
    cell._phase = "train" if mode else "predict"
    cell.add_flags(training=mode)
    for child in children_of(cell):
        child.set_train(mode)
    return cell


def requires_grad_of(cell, requires_grad=True):
    """torch.nn.Module.requires_grad_ for any Cell."""
    for member in parameters_of(cell):
        member.requires_grad = requires_grad
    return cell


def to_of(cell, *args, **kwargs):
    """torch.nn.Module.to for any Cell: floating point gets the dtype, a device is ignored."""
    wanted = [getattr(value, "dtype", value) for value in (*args, kwargs.get("dtype"))]
    for dtype in wanted:
        dtype = mindspore.float64 if dtype is float else dtype
        if isinstance(dtype, mindspore.dtype.Type):
            for module in modules_of(cell):
                for member in module._params.values():
                    if member is not None and member.is_floating_point():
                        member.set_dtype(dtype)
                for name, member in module._buffers.items():
                    if member is not None and member.is_floating_point():
                        module._buffers[name] = member.astype(dtype)
    return cell


def load_state_dict_of(cell, state_dict, strict=True, assign=False):
    """torch.nn.Module.load_state_dict for any Cell; a NumPy array is as good as a Tensor. With `assign`,
    members get the dtypes of what is loaded."""
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"state_dict is no mapping: {type(state_dict).__name__}")
    tensors = OrderedDict()
    for name, value in state_dict.items():
        tensors[name] = mindspore.Tensor(value) if isinstance(value, (np.ndarray, np.generic)) else value
    for name, member in (*named_parameters_of(cell), *named_buffers_of(cell)) if assign else ():
        if name in tensors and member.dtype != tensors[name].dtype:
            member.set_dtype(tensors[name].dtype)
    return nn.Cell.load_state_dict(cell, tensors, strict)


def tensors_have_pointers():
    """Let Tensors have `_cdata`, PyTorch's pointer to its own object, which programs compare to see whether
    two Tensors are one."""
    mindspore.Tensor._cdata = property(id)
    return True


# Whether Tensors have PyTorch's pointers
TENSORS_HAVE_POINTERS = tensors_have_pointers()
