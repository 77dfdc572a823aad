"""Classes with `__torch_function__`: subclasses of Tensor, what else functions may be given in place of one,
and modes over all functions."""

import builtins
import functools
import numbers
import threading
import types

import mindspore
from mindspore import mint, ops

# the modules of what asks, and what the names of their functions begin with
FUNCTION_MODULES = {
    "torch.": "",
    "torch.Tensor.": "",
    "torch.fft.": "fft_",
    "torch.linalg.": "linalg_",
    "torch.nn.functional.": "",
    "torch.special.": "special_",
}
ASKING_NOBODY = (
    "as_subclass",
    "as_tensor",
    "asarray",
    "from_numpy",
    "get_default_dtype",
    "is_grad_enabled",
    "is_tensor",
    "make_subclass",
    "nothing",
    "promote_types",
    "result_type",
    "save",
    "tensor",
    "typename",
    "vmap",
)
OPERATOR_METHODS = {
    "add": "add",
    "eq": "__eq__",
    "floordiv": "__floordiv__",
    "ge": "ge",
    "gt": "gt",
    "iadd": "add_",
    "ifloordiv": "floor_divide_",
    "imod": "remainder_",
    "imul": "mul_",
    "ipow": "pow_",
    "isub": "sub_",
    "itruediv": "div_",
    "le": "le",
    "lt": "lt",
    "matmul": "matmul",
    "mod": "remainder",
    "mul": "mul",
    "ne": "ne",
    "pow": "pow",
    "radd": "add",
    "rand": "bitwise_and",
    "rfloordiv": "__rfloordiv__",
    "rmatmul": "__rmatmul__",
    "rmod": "__rmod__",
    "rmul": "mul",
    "ror": "bitwise_or",
    "rpow": "__rpow__",
    "rsub": "__rsub__",
    "rtruediv": "__rdiv__",
    "rxor": "bitwise_xor",
    "sub": "sub",
    "truediv": "div",
    **{name: f"__{name}__" for name in ("and", "iand", "ilshift", "ior", "irshift", "ixor")},
    **{name: f"__{name}__" for name in ("lshift", "or", "rshift", "xor")},
}
METHODS_OF_PYTHON = {
    "abs": "abs",
    "neg": "neg",
    "pos": "positive",
    **{name: f"__{name}__" for name in ("bool", "contains", "float", "getitem", "index")},
    **{name: f"__{name}__" for name in ("int", "invert", "len", "setitem")},
}
NAMED_OTHERWISE = {"concat": "cat", "dense": "linear"}
GIVING_TENSORS = ("H", "T", "data", "imag", "mH", "mT", "real")
KEEPING_NO_CLASS = ("grad",)


class FunctionOverrides(threading.local):
    """Whether functions ask what they are given for `__torch_function__`, and the modes that are on."""

    are_on = True
    modes = ()


class DisableTorchFunctionSubclass:
    """torch._C.DisableTorchFunctionSubclass: a context in which no class is asked."""

    def __enter__(self):
        self.before = OVERRIDES.are_on
        OVERRIDES.are_on = False

    def __exit__(self, *error):
        OVERRIDES.are_on = self.before


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """torch._C.DisableTorchFunction: the same, and no mode is on."""

    def __enter__(self):
        super().__enter__()
        self.modes_before = OVERRIDES.modes
        OVERRIDES.modes = ()

    def __exit__(self, *error):
        super().__exit__(*error)
        OVERRIDES.modes = self.modes_before


class TorchFunctionMode:
    """torch.overrides.TorchFunctionMode: a context in which all functions are left to its
    `__torch_function__`."""

    def __enter__(self):
        OVERRIDES.modes = (*OVERRIDES.modes, self)
        return self

    def __exit__(self, *error):
        OVERRIDES.modes = OVERRIDES.modes[:-1]

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError


def torch_function(cls, func, types, args=(), kwargs=None):
    """torch.Tensor.__torch_function__: calls a function and gives the Tensors that result the class."""
    cls = asked_class(cls)
    if not all(issubclass(cls, kind) for kind in types):
        return NotImplemented
    with DisableTorchFunctionSubclass():
        result = func(*args, **(kwargs or {}))
    if func.__name__ in KEEPING_NO_CLASS:
        return result
    return in_class(result, cls, args)


def disabled_torch_function(func, types, args=(), kwargs=None):
    """torch._C._disabled_torch_function_impl: calls a function, as if its arguments were plain Tensors."""
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


def in_class(value, cls, given=()):
    """Tensors, also those in a tuple or a list, as objects of a subclass; others that are among `given` stay
    what they are."""
    if isinstance(value, mindspore.Tensor):
        if isinstance(value, (cls, mindspore.Parameter)):
            return value
        if any(value is one for one in given):
            return as_subclass(value, cls)
        return set_class(value, cls)
    if isinstance(value, (tuple, list)):
        parts = [in_class(each, cls, given) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


class KeptApart:
    """An attribute of subclasses of Tensor that is not among those that their methods may copy to another
    Tensor (`other.__dict__ = self.__dict__`)."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, tensor, owner=None):
        found = None if tensor is None else tensor._get_user_data(self.name)
        if found is None:
            raise AttributeError(self.name)
        return found

    def __set__(self, tensor, value):
        tensor._set_user_data(self.name, value)

    def __delete__(self, tensor):
        tensor._set_user_data(self.name, None)


def set_class(tensor, kind):
    """Make a Tensor an object of a class; which Tensors share its memory stays known."""
    kept = {name: getattr(tensor, name) for name in OF_VIEWS if hasattr(tensor, name)}
    for name in kept:
        delattr(tensor, name)
    tensor.__class__ = kind
    for name, value in kept.items():
        setattr(tensor, name, value)
    return tensor


class SubclassedTensor(mindspore.Tensor):
    """torch.Tensor as the base of a class: made of sizes, or of data."""

    def __new__(cls, *values, device=None, **_):
        assert FUNCTIONS_ASK_CLASSES
        return set_class(make_tensor(*values), cls)

    def __init__(self, *values, **options):
        pass

    origin, set_shared, reshape_shared, views = KeptApart(), KeptApart(), KeptApart(), KeptApart()

    def __reduce_ex__(self, protocol):
        kept = dict(vars(self))
        plain = as_subclass(ops.stop_gradient(self), mindspore.Tensor)
        return SubclassedTensor.rebuilt, (asked_class(type(self)), leaf(plain, self._requires_grad), kept)

    @staticmethod
    def rebuilt(kind, plain, attributes):
        """What is made of a pickle: a Tensor of a class, with attributes."""
        vars(plain).update(attributes)
        return set_class(plain, kind)

    def __str__(self):
        has_own = type(self).__repr__ is not mindspore.Tensor.__repr__
        return repr(self) if has_own else super().__str__()


def as_subclass(input, cls):
    """torch.Tensor.as_subclass: a Tensor of a class over the same memory, with the same gradient."""
    with DisableTorchFunctionSubclass():
        made = mindspore.Tensor.view(input, input.shape)
    return set_class(made, class_itself(cls))


def make_subclass(cls, data, require_grad=False, **_):
    """torch.Tensor._make_subclass: a Tensor of a class over the same memory, without the gradient."""
    made = as_subclass(ops.stop_gradient(data), cls)
    return leaf(made) if require_grad else made


class ParameterOfClass:
    """A base of the classes of Parameters that are objects of a subclass of Tensor, too."""

    tensor_class = None


@functools.cache
def parameter_class(parameter, tensor_class):
    """The class of Parameters that are objects of a subclass of Tensor, too."""
    members = {"tensor_class": tensor_class}
    return type(parameter)(tensor_class.__name__, (ParameterOfClass, parameter, tensor_class), members)


def asked_class(kind):
    """The class that results have: of a Parameter, that of the Tensor that it was made of."""
    return kind.tensor_class if issubclass(kind, ParameterOfClass) else kind


def keeping_class(parameter):
    """What makes Parameters as what makes them of the class of the Tensor, if that is a subclass."""

    @functools.wraps(parameter)
    def made(data=None, requires_grad=True):
        kind = asked_class(type(data))
        if not issubclass(kind, SubclassedTensor):
            return parameter(data, requires_grad)
        result = parameter(as_subclass(data, mindspore.Tensor), requires_grad)
        set_class(result, parameter_class(type(result), kind))
        attributes = vars(data.detach()).items()  # which the class may have given it
        result.__dict__.update({name: each for name, each in attributes if name not in result.__dict__})
        return result

    return made


@functools.cache
def asks(kind):
    """Whether objects of a class say what functions do with them."""
    owner = next((base for base in kind.__mro__ if "__torch_function__" in vars(base)), None)
    if owner is None or kind.__torch_function__ is disabled_torch_function:
        return False
    return owner is not mindspore.Tensor or issubclass(kind, SubclassedTensor)


def overriding(values):
    """Those of some values, and of the values in tuples and lists among them, that say what functions do with
    them: one of each class, subclasses first."""
    found = []
    for value in values:
        if isinstance(value, (tuple, list)):
            inside = overriding(value)
        else:
            inside = [value] if asks(type(value)) else []
        for each in inside:
            kind = type(each)
            if not any(kind is type(one) for one in found):
                place = next((at for at, one in enumerate(found) if issubclass(kind, type(one))), len(found))
                found.insert(place, each)
    return found


def overridden(function, found, args, kwargs, plain=()):
    """What a mode, or one of the arguments found, makes of a call; NotImplemented if none does. It is told
    of the classes of those, and of `plain` ones."""
    kinds = tuple(asked_class(type(each)) for each in (*plain, *found))
    if OVERRIDES.modes:
        before = OVERRIDES.modes
        OVERRIDES.modes = before[:-1]
        try:
            result = before[-1].__torch_function__(function, kinds, args, kwargs)
        finally:
            OVERRIDES.modes = before
        if result is not NotImplemented:
            return result
    for each in found:
        result = each.__torch_function__(function, kinds, args, kwargs)
        if result is not NotImplemented:
            return result
    return NotImplemented


def has_torch_function(relevant_args):
    """torch.overrides.has_torch_function: whether one of the arguments says what functions do with them."""
    return OVERRIDES.are_on and bool(overriding(relevant_args))


def has_torch_function_unary(obj):
    """torch.overrides.has_torch_function_unary: the same, of one argument."""
    return has_torch_function((obj,))


def has_torch_function_variadic(a, b, *more):
    """torch.overrides.has_torch_function_variadic: the same, of arguments one after the other."""
    return has_torch_function((a, b, *more))


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """torch.overrides.handle_torch_function: what the arguments make of a call. Raises a TypeError if none of
    them does anything."""
    plain = [each for each in relevant_args if type(each) is mindspore.Tensor]
    return answered(public_api, overriding(relevant_args), args, kwargs, plain[:1])


def answered(function, found, args, kwargs, plain=()):
    """What `overridden` gives. Raises a TypeError if that is nothing."""
    result = overridden(function, found, args, kwargs, plain)
    if result is NotImplemented:
        kinds = [type(each) for each in found]
        name = getattr(function, "__name__", function)
        raise TypeError(f"no implementation found for '{name}' on types with __torch_function__: {kinds}")
    return result


def is_tensor_like(inp):
    """torch.overrides.is_tensor_like: whether it is a Tensor, or says what functions do with it."""
    return isinstance(inp, mindspore.Tensor) or hasattr(type(inp), "__torch_function__")


def subclassed(values):
    """Those of some values, and of the values in tuples and lists among them, that are objects of subclasses
    of Tensor."""
    for value in values:
        if isinstance(value, SubclassedTensor):
            yield value
        elif isinstance(value, (tuple, list)):
            yield from subclassed(value)


def call_plainly(function, args, kwargs):
    """A call of a function to which objects of subclasses are plain Tensors meanwhile, so that it calls no
    methods that a class has redefined: PyTorch's functions call none."""
    found = [(each, type(each)) for each in subclassed((*args, *kwargs.values()))]
    for each, kind in found:
        set_class(each, kind.__bases__[1] if issubclass(kind, ParameterOfClass) else mindspore.Tensor)
    try:
        return function(*args, **kwargs)
    finally:
        for each, kind in reversed(found):
            set_class(each, kind)


@functools.cache
def is_apart(kind):
    """Whether objects of a class are anything but plain to a function."""
    return issubclass(kind, SubclassedTensor) or asks(kind)


def has_apart(values):
    """Whether an object is among some values, or in tuples and lists of theirs, that is not plain."""
    for value in values:
        if has_apart(value) if isinstance(value, (tuple, list)) else is_apart(type(value)):
            return True
    return False


def asking(function, name=None):
    """A function as one that leaves to modes and to what it is given what it does."""

    @functools.wraps(function)
    def called(*args, **kwargs):
        if not OVERRIDES.modes and not has_apart((*args, *kwargs.values())):
            return function(*args, **kwargs)
        found = overriding((*args, *kwargs.values())) if OVERRIDES.are_on else ()
        if found:
            return answered(called, found, args, kwargs)
        if OVERRIDES.modes:
            return overridden(called, (), args, kwargs)
        return call_plainly(function, args, kwargs)

    called.__name__ = name or function.__name__
    return called


def asking_operator(function, name):
    """An operator of Tensor as one that leaves to what it is given what it does: to another operand's own
    operator, if that does nothing."""

    @functools.wraps(function)
    def operator(*args):
        found = overriding(args) if OVERRIDES.are_on else ()
        if found or OVERRIDES.modes:
            handled = helper_named(name, operator) if are_plain(args) else operator
            return overridden(handled, found, args, {})
        try:
            return call_plainly(function, args, {})
        except TypeError:
            if are_plain(args):
                raise
            return NotImplemented

    operator.__name__ = name
    return operator


def are_plain(operands):
    """Whether operands are Tensors and numbers alone."""
    return all(isinstance(each, (mindspore.Tensor, numbers.Number)) for each in operands)


def helper_named(name, operator):
    """What PyTorch gives `__torch_function__` for an operator: the function of that name, if the program has
    it."""
    helper = globals().get(name)
    return helper if isinstance(helper, types.FunctionType) and helper.__name__ == name else operator


def pytorch_name(name, function):
    """The name that a helper has in PyTorch; None if it stands for no function that asks what it is given."""
    first = (function.__doc__ or "").partition(" ")[0]
    module, dot, own = first.rstrip(".,:;").rpartition(".")
    if module + dot in FUNCTION_MODULES:
        is_property = isinstance(getattr(mindspore.Tensor, own, None), builtins.property)
        if own in ASKING_NOBODY or own.startswith("_") or is_property:
            return None
        return FUNCTION_MODULES[module + dot] + own
    is_known = hasattr(mindspore.Tensor, name) or hasattr(ops, name) or hasattr(mint, name)
    return name if is_known and name not in ASKING_NOBODY else None


def functions_of(owner):
    """The functions of a module of MindSpore's or of its Tensors, by their names."""
    kinds = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType)
    members = {name: getattr(owner, name, None) for name in dir(owner) if not name.startswith("_")}
    return {
        name: member
        for name, member in members.items()
        if isinstance(member, kinds) and name not in ASKING_NOBODY
    }


def helpers_ask_classes(namespace):
    """Let the functions among the helpers ask what they are given, also where a class has one."""
    asked = {}
    for name, member in list(namespace.items()):
        if isinstance(member, types.FunctionType) and member.__module__ == __name__:
            named = pytorch_name(name, member)
            if named is not None:
                namespace[name] = asked[member] = asking(member, named)
    replace_in_classes(namespace, asked)


def tensors_ask_classes():
    """Let the methods and operators of Tensors ask what they are given."""
    tensor = mindspore.Tensor
    for name, function in functions_of(tensor).items():
        setattr(tensor, name, asking(function, name))
    for names, made in ((OPERATOR_METHODS, asking_operator), (METHODS_OF_PYTHON, asking)):
        for name, named in names.items():
            method = getattr(tensor, f"__{name}__", None)
            if method is not None:
                setattr(tensor, f"__{name}__", made(method, named))
    for name in GIVING_TENSORS:
        member = getattr(tensor, name, None)
        if isinstance(member, builtins.property):
            setattr(tensor, name, builtins.property(asking(member.fget, name), member.fset))


def functions_ask_classes():
    """Let functions, methods and operators ask what they are given for `__torch_function__`, as PyTorch's
    do."""
    for owner in (mint, mint.nn.functional, mint.linalg, ops):
        for name, function in functions_of(owner).items():
            setattr(owner, name, asking(function, NAMED_OTHERWISE.get(name, name)))
    helpers_ask_classes(globals())
    if "parameter" in globals():
        globals()["parameter"] = keeping_class(globals()["parameter"])
    tensors_ask_classes()
    replace_primitives(lambda call, kind: asking(call, kind.__name__))
    mindspore.Tensor.__torch_function__ = classmethod(torch_function)
    return True


OVERRIDES = FunctionOverrides()
# whether functions ask what they are given for `__torch_function__`
FUNCTIONS_ASK_CLASSES = functions_ask_classes()
