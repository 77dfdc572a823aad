"""bfloat16 on CPU, where MindSpore has few kernels for it: such a Tensor holds float32 that is rounded, and
says that it is bfloat16. Each operator computes in float32 and rounds once, as those of PyTorch do."""

import ctypes
import inspect
from functools import wraps
from types import FunctionType

import mindspore
import numpy as np
from mindspore import mint, ops
from mindspore.common._grad_function import _Function

BFLOAT = mindspore.bfloat16
# what such a Tensor has beside its own
MARK = "is_bfloat"
FLOATS = (mindspore.float16, mindspore.float32, mindspore.float64, mindspore.complex64, mindspore.complex128)


class Widened:
    """Whether Tensors of bfloat16 are taken for what they hold: within an operator; and whether such Tensors
    are float32 that is rounded at all."""

    now = False
    always = False


class LowerPrecision:
    """Whether some operators compute in bfloat16 whatever they are given: within `autocast`."""

    now = False


def is_bfloat(value):
    """Whether a value is a Tensor of bfloat16. One that MindSpore has made holds float32 from now on."""
    if not isinstance(value, mindspore.Tensor):
        return False
    if MARK in value.__dict__:
        return True
    if value._dtype != BFLOAT:
        return False
    SET_DTYPE(value, mindspore.float32)
    value.__dict__[MARK] = True
    return True


def has_bfloat(values):
    """Whether a Tensor of bfloat16, or that dtype itself, is among some values, or in lists of theirs."""
    for value in values:
        kind = type(value)
        if kind is type(BFLOAT) or (kind in (list, tuple) and has_bfloat(value)) or is_bfloat(value):
            return True
    return False


def rounded_bits(bits):
    """The bits of float32 rounded to bfloat16, to the nearest, ties to even."""
    rounded = bits >> np.uint32(16)
    rounded &= np.uint32(1)
    rounded += bits
    rounded += np.uint32(0x7FFF)
    rounded &= np.uint32(0xFFFF0000)
    is_unknown = np.isnan(bits.view(np.float32))
    if is_unknown.any():
        rounded[is_unknown] = np.uint32(0x7FC00000)
    return rounded


def round_memory(tensor):
    """Round the values of a Tensor of float32 where they are, which no gradient knows of."""
    if not tensor.size:
        return
    steps = tensor.stride()
    count = 1 + sum((size - 1) * step for size, step in zip(tensor.shape, steps))
    memory = (ctypes.c_uint32 * count).from_address(tensor.data_ptr())
    bits = np.ndarray(tensor.shape, np.uint32, memory, strides=[4 * step for step in steps])
    bits[...] = rounded_bits(bits)


def round_shared(tensor):
    """Round a Tensor that was changed in place, what it is a view of, and the views of that."""
    find_base = globals().get("base_of_all")
    waiting = [tensor if find_base is None else find_base(tensor)]
    while waiting:
        each = waiting.pop()
        round_memory(each)
        waiting += [view for view in (made() for made in getattr(each, "views", ())) if view is not None]


def as_bfloat(result):
    """What an operator gives in float32, rounded and called bfloat16."""
    if isinstance(result, mindspore.Tensor):
        if result._dtype == mindspore.float32 and MARK not in result.__dict__:
            round_memory(result)
            result.__dict__[MARK] = True
        return result
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*map(as_bfloat, result))
    return type(result)(map(as_bfloat, result)) if type(result) in (list, tuple) else result


def copied(tensor):
    """A Tensor of what another one holds, with its gradient."""
    Widened.now, before = True, Widened.now
    try:
        return MULTIPLY(tensor, 1)
    finally:
        Widened.now = before


def narrowed(tensor):
    """A Tensor in bfloat16."""
    if is_bfloat(tensor):
        return tensor
    if tensor._dtype == mindspore.float32:
        return as_bfloat(copied(tensor))
    Widened.now, before = True, Widened.now
    try:
        return as_bfloat(CAST(tensor, mindspore.float32))
    finally:
        Widened.now = before


def tensors_in(values):
    """The Tensors among some values, and in lists of theirs."""
    for value in values:
        if isinstance(value, mindspore.Tensor):
            yield value
        elif type(value) in (list, tuple):
            yield from tensors_in(value)


def gives_bfloat(values, promotes):
    """Whether an operator gives bfloat16: where its first Tensor of numbers that are not whole is; or, if the
    operator promotes its operands, where all are. Those without dimensions count only by themselves."""
    floats = [each for each in tensors_in(values) if MARK in each.__dict__ or each._dtype in FLOATS]
    if not promotes:
        return not floats or MARK in floats[0].__dict__
    counted = [each for each in floats if each.ndim] or floats
    return all(MARK in each.__dict__ for each in counted)


def dtype_asked(values):
    """The dtype that is among some values; None if there is none."""
    return next((value for value in values if isinstance(value, mindspore.dtype.Type)), None)


def apart_from(result, values):
    """What an operator gives, in memory of its own."""
    if isinstance(result, mindspore.Tensor) and result.size:
        memory = result.data_ptr()
        if any(each is result or (each.size and each.data_ptr() == memory) for each in tensors_in(values)):
            return copied(result)
    return result


def in_single_precision(function, args, kwargs):
    """What a function gives for Tensors of bfloat16 that are taken for what they hold."""
    Widened.now = True
    try:
        if any(type(value) is type(BFLOAT) for value in (*args, *kwargs.values())):
            args, kwargs = with_each(in_float32, args, kwargs)
        return function(*args, **kwargs)
    finally:
        Widened.now = False


def in_float32(value):
    """An argument; single precision for bfloat16."""
    return mindspore.float32 if type(value) is type(BFLOAT) else value


def calls_back(values):
    """Whether a function is among some values: what it does is no part of an operator."""
    return any(isinstance(value, FunctionType) for value in values)


class Meaning:
    """What the name of an operator says: whether it changes its first argument, promotes its operands, rounds
    numbers beside them, keeps statistics, and how it computes within `autocast`."""

    def __init__(self, name):
        self.changes = name in SETTING or (name.endswith("_") and not name.endswith("__"))
        self.promotes = name in PROMOTING
        self.rounds = name.strip("_") in ROUNDING_NUMBERS
        self.keeps_statistics = name in KEEPING_STATISTICS
        self.in_lower, self.in_full = name in IN_LOWER_PRECISION, name in IN_FULL_PRECISION


def of_bfloats(function, name):
    """An operator that also computes with Tensors of bfloat16."""
    meaning = Meaning(name)

    @wraps(function)
    def called(*args, **kwargs):
        if Widened.now:
            return function(*args, **kwargs)
        if LowerPrecision.now and meaning.in_lower:
            args, kwargs = with_each(in_bfloat, args, kwargs)
        if not (has_bfloat(args) or (kwargs and has_bfloat(kwargs.values()))):
            return function(*args, **kwargs)
        if calls_back((*args, *kwargs.values())):
            return function(*args, **kwargs)
        return computed(function, meaning, args, kwargs)

    return called


def with_each(function, args, kwargs):
    """The arguments of a call, with a function of each."""
    return tuple(map(function, args)), {name: function(value) for name, value in kwargs.items()}


def computed(function, meaning, args, kwargs):
    """What an operator gives that is called with Tensors of bfloat16."""
    values = (*args, *kwargs.values())
    if meaning.rounds and gives_bfloat(values, True):
        args, kwargs = with_each(rounded_value, args, kwargs)
    if meaning.changes:
        return changed(function, args, kwargs)
    result = in_single_precision(function, args, kwargs)
    if meaning.keeps_statistics:
        for each in filter(is_bfloat, values):
            round_memory(each)
    dtype = dtype_asked(values)
    if dtype is not None:
        result = apart_from(result, values)
        return as_bfloat(result) if dtype == BFLOAT else result
    if (LowerPrecision.now and meaning.in_full) or not gives_bfloat(values, meaning.promotes):
        return result
    return as_bfloat(result)


def changed(function, args, kwargs):
    """What a function that changes its first argument gives."""
    if function.__name__ == "__setitem__":  # what is set is less than what it is set in
        args = (*args[:-1], rounded_value(args[-1])) if is_bfloat(args[0]) else args
        return in_single_precision(function, args, kwargs)
    result = in_single_precision(function, args, kwargs)
    if is_bfloat(args[0]):
        round_shared(args[0])
        result = as_bfloat(result)
    return result


def rounded_value(value):
    """A value that is written into a Tensor of bfloat16, rounded to it."""
    if isinstance(value, mindspore.Tensor):
        return narrowed(value) if value._dtype in FLOATS else value
    if isinstance(value, float):
        with np.errstate(over="ignore"):
            bits = np.array([value]).astype(np.float32).view(np.uint32)
        return float(rounded_bits(bits).view(np.float32)[0])
    return value


def in_bfloat(value):
    """A value that `autocast` hands to an operator: single precision becomes bfloat16."""
    if isinstance(value, mindspore.Tensor):
        return narrowed(value) if value._dtype == mindspore.float32 else value
    return type(value)(map(in_bfloat, value)) if type(value) in (list, tuple) else value


def casting(function, dtype=None):
    """A cast that knows bfloat16: to `dtype`, or to what it is given, a dtype or a Tensor that has it."""

    @wraps(function)
    def cast(tensor, *args, **kwargs):
        if Widened.now or not isinstance(tensor, mindspore.Tensor):
            return function(tensor, *args, **kwargs)
        wanted = dtype
        for value in (*args, *kwargs.values()):
            if isinstance(value, (mindspore.dtype.Type, mindspore.Tensor)):
                wanted = getattr(value, "dtype", value)
        is_narrow = is_bfloat(tensor)
        if wanted is None or not (is_narrow or wanted == BFLOAT):
            return function(tensor, *args, **kwargs)
        if wanted == BFLOAT:
            return copied_mark(tensor) if is_narrow and kwargs.get("copy") else narrowed(tensor)
        if wanted == mindspore.float32:
            return copied(tensor)
        return in_single_precision(function, (tensor, *args), kwargs)

    return cast


def copied_mark(tensor):
    """A copy of a Tensor of bfloat16."""
    return as_bfloat(copied(tensor))


def making(function):
    """The making of a Tensor, also of bfloat16."""

    @wraps(function)
    def made(self, *args, **kwargs):
        if Widened.now or not has_bfloat((*args, *kwargs.values())):
            function(self, *args, **kwargs)
            is_bfloat(self)
            return
        values = (*args, *kwargs.values())
        dtype = dtype_asked(values)
        if dtype == BFLOAT:
            args = tuple(map(apart_in_float32, args))
            kwargs = {name: apart_in_float32(value) for name, value in kwargs.items()}
        in_single_precision(function, (self, *args), kwargs)
        if dtype == BFLOAT or (dtype is None and gives_bfloat(values, False)):
            if not self.has_init:
                as_bfloat(self)
            self.__dict__[MARK] = True

    return made


def apart_in_float32(value):
    """What a Tensor of bfloat16 is made of, apart from what it was."""
    if isinstance(value, mindspore.Tensor):
        return mindspore.Tensor.copy(value)
    return np.array(value, np.float32) if isinstance(value, np.ndarray) else value


def giving_bfloat(native, is_data=False):
    """A member of Tensors, another Tensor, which has their dtype; `data` takes it from what it is set to."""

    def read(tensor):
        found = native.__get__(tensor)
        if Widened.now or found is None or not is_bfloat(tensor):
            return found
        return as_bfloat(found)

    def write(tensor, value):
        before, Widened.now = Widened.now, True
        try:
            native.__set__(tensor, value)
        finally:
            Widened.now = before
        if is_data:
            tensor.__dict__.pop(MARK, None)
            if isinstance(value, mindspore.Tensor) and is_bfloat(value):
                as_bfloat(tensor)

    return property(read, write, getattr(native, "fdel", None))


def other_if_bfloat(native, function):
    """A member of Tensors that is another one for those of bfloat16."""
    read = native.__get__

    def member(tensor):
        found = read(tensor)
        return function(found) if not Widened.now and MARK in tensor.__dict__ else found

    return property(member, getattr(native, "__set__", None))


def dtypes_set(function):
    """`set_dtype` of Tensors, also to bfloat16 and from it."""

    @wraps(function)
    def set_dtype(tensor, dtype):
        is_narrow = is_bfloat(tensor)
        if dtype != BFLOAT:
            tensor.__dict__.pop(MARK, None)
            return function(tensor, dtype)
        if not is_narrow:
            function(tensor, mindspore.float32)
            as_bfloat(tensor)
        return dtype

    return set_dtype


def shown(function):
    """The text for a Tensor, which names its dtype."""

    @wraps(function)
    def text(tensor):
        found = function(tensor)
        return found.replace("Float32", "BFloat16") if MARK in tensor.__dict__ else found

    return text


def functions_applied(native):
    """`apply` of functions with a gradient of their own: what is bfloat16 for `forward` and in what it gives
    is so outside of it, and in `backward`."""

    def apply(cls, *args, **kwargs):
        if Widened.now or not has_bfloat(args):
            return native(cls, *args, **kwargs)
        if not hasattr(cls.forward, "keeps_marks"):
            cls.forward = staticmethod(keeping_marks(cls.forward))
            cls.backward = staticmethod(with_marks(cls.backward))
        result = native(cls, *args, **kwargs)
        return marked_as(result, OF_RESULTS.pop())

    return classmethod(apply)


def marks_of(values):
    """Which of some values, or the one value, are bfloat16."""
    return [is_bfloat(value) for value in (values if isinstance(values, tuple) else (values,))]


def marked_as(values, marks):
    """Some values, or the one value, that are bfloat16 where `marks` says so."""
    if not isinstance(values, tuple):
        return as_bfloat(values) if marks[0] else values
    return tuple(as_bfloat(value) if mark else value for value, mark in zip(values, marks))


# which results of functions with a gradient of their own are bfloat16: MindSpore gives others in their place
OF_RESULTS = []


def keeping_marks(forward):
    """The `forward` of a function, which keeps what of its results is bfloat16."""

    @wraps(forward)
    def called(ctx, *args, **kwargs):
        result = forward(ctx, *args, **kwargs)
        ctx.bfloat_marks = marks_of(result)
        OF_RESULTS.append(ctx.bfloat_marks)
        return result

    called.keeps_marks = True
    return called


def with_marks(backward):
    """The `backward` of a function, given gradients of bfloat16 for such results."""

    @wraps(backward)
    def called(ctx, *gradients):
        marks = getattr(ctx, "bfloat_marks", [False] * len(gradients))
        return backward(ctx, *marked_as(gradients, marks))

    return called


def gradients_marked(function):
    """torch.autograd.grad, whose gradients have the dtypes of what they are for."""

    @wraps(function)
    def called(outputs, inputs, *args, **kwargs):
        found = function(outputs, inputs, *args, **kwargs)
        return marked_as(found, marks_of(as_sequence(inputs)))

    return called


def hooks_marked(function):
    """torch.Tensor.register_hook, whose hooks are given gradients of the Tensor's dtype."""

    @wraps(function)
    def called(tensor, hook):
        mark = is_bfloat(tensor)
        return function(tensor, lambda gradient: hook(as_bfloat(gradient) if mark else gradient))

    return called


# operators whose result is bfloat16 only if all operands are
PROMOTING = frozenset(
    f"{before}{name}{after}"
    for name in (
        *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "subtract", "multiply", "div"),
        *("divide", "true_divide", "floor_divide", "remainder", "fmod", "maximum", "minimum", "fmax", "fmin"),
        *("where", "cat", "concat", "concatenate", "stack", "hstack", "vstack", "dstack", "atan2", "arctan2"),
        *("hypot", "logaddexp", "logaddexp2", "lerp", "addcmul", "addcdiv", "xlogy", "copysign", "ldexp"),
        *("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy_with_logits"),
        *("kl_div", "margin_ranking_loss", "outer", "dist", "cosine_similarity", "float_power", "cross"),
        *("realdiv", "select", "clamp", "clip"),
    )
    for before, after in (("", ""), ("__", "__"), ("__r", "__"))
)
# operators that compute in bfloat16, and in float32, within PyTorch's `autocast` on CPU
IN_LOWER_PRECISION = frozenset(
    (
        *("linear", "dense", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d"),
        *("conv_transpose3d", "matmul", "mm", "bmm", "addmm", "addbmm", "baddbmm", "__matmul__"),
        *("einsum", "prelu", "rnn", "scaled_dot_product_attention"),
    )
)
IN_FULL_PRECISION = frozenset(
    (
        *("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "cross_entropy", "nll_loss", "kl_div"),
        *("binary_cross_entropy", "binary_cross_entropy_with_logits", "ctc_loss", "cosine_embedding_loss"),
        *("hinge_embedding_loss", "poisson_nll_loss", "margin_ranking_loss", "soft_margin_loss"),
        *("triplet_margin_loss", "multi_margin_loss", "multilabel_margin_loss", "grid_sample", "prod"),
        *("quantile", "nanquantile", "cdist", "trace", "avg_pool3d", "adaptive_avg_pool3d"),
    )
)
# functions that change their first argument, beside those whose names end in `_`
SETTING = frozenset(
    (
        *("__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__", "__imod__"),
        *("assign", "assign_add", "assign_sub", "assign_value", "set_data"),
        *("applymomentum", "adam", "assignadd", "assignsub"),
    )
)
# operators that round the numbers that they are given to bfloat16 first
ROUNDING_NUMBERS = frozenset(
    (
        *("add", "radd", "iadd", "sub", "rsub", "isub", "subtract", "pow", "rpow", "mod", "imod", "fmod"),
        *("remainder", "eq", "ne", "lt", "le", "gt", "ge", "equal", "not_equal", "greater", "less"),
        *("greater_equal", "less_equal"),
    )
)
# functions that change some of their other arguments
KEEPING_STATISTICS = frozenset(("batch_norm", "instance_norm", "batchnorm", "batchnormext"))
ARITHMETIC_OPERATORS = tuple(
    f"__{before}{name}__"
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
    for before in ("", "r", "i")
)
SPECIAL_METHODS = (
    *ARITHMETIC_OPERATORS,
    *("__neg__", "__abs__", "__pos__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"),
    *("__getitem__", "__setitem__", "__contains__", "__round__"),
)
# methods that do not compute, or that run what the program has written
LEFT_ALONE = frozenset(
    (
        *("asnumpy", "backward", "data_ptr", "dim", "init_data", "is_contiguous", "is_complex", "item"),
        *("is_floating_point", "ndimension", "numel", "register_hook", "requires_grad_", "retain_grad"),
        *("set_dtype", "stride", "storage_offset", "tolist", "untyped_storage", "value_and_grad"),
    )
)
CASTS_TO = {
    "astype": None,
    "cast": None,
    "to": None,
    "type": None,
    "type_as": None,
    "bfloat16": BFLOAT,
    "bool": mindspore.bool_,
    "byte": mindspore.uint8,
    "char": mindspore.int8,
    "double": mindspore.float64,
    "float": mindspore.float32,
    "half": mindspore.float16,
    "int": mindspore.int32,
    "long": mindspore.int64,
    "short": mindspore.int16,
}
# helpers that are one operator in PyTorch, and round once
HELPERS_AS_OPERATORS = (
    *("softmax", "log_softmax", "softmin", "layer_norm", "group_norm", "batch_norm", "instance_norm"),
    *("rms_norm", "local_response_norm", "normalize", "cosine_similarity", "logsumexp", "var", "std"),
    *("var_mean", "std_mean", "norm", "vector_norm", "matrix_norm", "gelu", "silu", "mish", "softplus"),
    *("elu", "selu", "celu", "leaky_relu", "hardswish", "hardsigmoid", "hardtanh", "logsigmoid", "glu"),
    *("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
    *("embedding", "embedding_bag", "pad", "interpolate", "grid_sample", "pixel_shuffle", "unfold", "fold"),
    *("max_pool1d", "max_pool2d", "max_pool3d", "avg_pool1d", "avg_pool2d", "avg_pool3d"),
    *("adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d"),
    *("adaptive_max_pool2d", "scaled_dot_product_attention", "lerp", "addcmul", "addcdiv", "addmm"),
    *("baddbmm", "addbmm", "addmv", "einsum", "prelu", "cumsum", "cumprod", "mean", "sum", "nansum"),
    *("cross_entropy", "nll_loss", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div"),
    *("binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_embedding_loss", "ctc_loss"),
    *("triplet_margin_loss", "margin_ranking_loss", "soft_margin_loss", "poisson_nll_loss"),
    *("hinge_embedding_loss", "gaussian_nll_loss", "multi_margin_loss", "sort", "topk", "cdist", "where"),
)
CAST = mindspore.Tensor.astype
MULTIPLY = ops.mul
SET_DTYPE = mindspore.Tensor.set_dtype


def widen_members(owner, names):
    """Let functions of a class or module compute with Tensors of bfloat16."""
    for name in names:
        member = getattr(owner, name, None)
        if not inspect.isroutine(member):
            continue
        is_cast = name in CASTS_TO and owner in (mindspore.Tensor, ops, mint)
        setattr(owner, name, casting(member, CASTS_TO[name]) if is_cast else of_bfloats(member, name))


def tensors_widened():
    """Let the members of Tensors know bfloat16."""
    tensor, parameter = mindspore.Tensor, mindspore.Parameter
    names = [name for name in dir(tensor) if not name.startswith("_") and name not in LEFT_ALONE]
    widen_members(tensor, (*names, *SPECIAL_METHODS))
    widen_members(parameter, [name for name in ("copy", "clone", "set_data") if name in vars(parameter)])
    for owner in (tensor, parameter):
        owner.__init__ = making(owner.__init__)
        owner.__repr__ = shown(owner.__repr__)
        owner.__str__ = shown(owner.__str__)
    tensor.set_dtype = dtypes_set(tensor.set_dtype)
    for name in ("T", "mT", "H", "mH", "_grad"):
        setattr(tensor, name, giving_bfloat(getattr(tensor, name)))
    parameter.data = giving_bfloat(parameter.data, is_data=True)
    tensor.data = giving_bfloat(tensor.data, is_data=True)
    tensor.dtype = other_if_bfloat(tensor.dtype, lambda dtype: BFLOAT)
    for name in ("itemsize", "nbytes"):
        setattr(tensor, name, other_if_bfloat(getattr(tensor, name), lambda bytes: bytes // 2))


def operators_widened():
    """Let MindSpore's operators and the helpers know bfloat16."""
    for owner in (ops, mint, mint.nn.functional, mint.linalg, mint.special, mindspore.numpy):
        widen_members(owner, [name for name in dir(owner) if not name.startswith("_")])
    replace_primitives(lambda call, kind: of_bfloats(call, kind.__name__.lower()))
    helpers_widened()
    if "RNNBase" in globals():
        globals()["RNNBase"]._steps = of_bfloats(globals()["RNNBase"]._steps, "rnn")


def helpers_widened():
    """Let helpers that are one operator in PyTorch be one, also where layers have them as members."""
    made = {}
    for name in HELPERS_AS_OPERATORS:
        function = globals().get(name)
        if function is not None:
            globals()[name] = made[function] = of_bfloats(function, name)
    replace_in_classes(globals(), made)


def gradients_widened():
    """Let gradients have the dtype of what they are for."""
    _Function.apply = functions_applied(_Function.apply.__func__)
    for name, made in (("gradients_of", gradients_marked), ("gradient_hook", hooks_marked)):
        if name in globals():
            globals()[name] = made(globals()[name])


def autocast_widened():
    """Let `autocast` on CPU compute in bfloat16 what PyTorch's does."""
    kind = globals().get("autocast")
    if kind is None:
        return

    def enter(self):
        self.before = [*getattr(self, "before", ()), LowerPrecision.now]  # a function may call itself
        LowerPrecision.now = bool(self.enabled) and self.device == "cpu" and self.dtype in (None, BFLOAT)
        return self

    def leave(self, *exception):
        LowerPrecision.now = self.before.pop()
        return False

    kind.__enter__, kind.__exit__ = enter, leave


def bfloats_widened():
    """On CPU, let Tensors of bfloat16 be float32 that is rounded."""
    if mindspore.get_context("device_target") != "CPU" or Widened.always:
        return Widened.always
    Widened.always = True
    mindspore.runtime.launch_blocking()  # what is rounded is there
    tensors_widened()
    operators_widened()
    gradients_widened()
    autocast_widened()
    return True


def bfloats_when_read():
    """The same from when a file is read that has such Tensors, in a program that does not name the dtype."""
    bfloats_widened()


# whether Tensors of bfloat16 hold float32 that is rounded
BFLOATS_ARE_WIDENED = bfloats_widened()
