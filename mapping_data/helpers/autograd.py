"""Gradients: contexts, `backward`, functions with a gradient of their own."""

import copy
from contextlib import ContextDecorator, contextmanager
from functools import wraps

import mindspore
from mindspore import mint, nn, ops
from mindspore._c_expression import run_backward
from mindspore.common._grad_function import _Function
from mindspore.nn.cell import _pynative_executor


class GradientMode(ContextDecorator):
    """Whether gradients can be asked for of what is computed, in a context or in a function."""

    def __init__(self, mode):
        self.mode = mode

    def __enter__(self):
        self.before = _pynative_executor.enable_grad()
        _pynative_executor.set_enable_grad(self.mode)
        return self

    def __exit__(self, *exception):
        _pynative_executor.set_enable_grad(self.before)
        return False

    def _recreate_cm(self):
        return copy.copy(self)  # a function may call itself


class set_grad_enabled(GradientMode):
    """torch.set_grad_enabled: from now on, as a context, and as a decorator."""

    def __init__(self, mode):
        super().__init__(mode)
        super().__enter__()

    def __enter__(self):
        return self

    def __call__(self, function):
        self.__exit__()
        return super().__call__(function)

    def _recreate_cm(self):
        return set_grad_enabled(self.mode)


class no_grad(GradientMode):
    """torch.no_grad, as a context and as a decorator, with and without parentheses."""

    def __new__(cls, function=None):
        made = super().__new__(cls)
        if function is None:
            return made
        made.__init__()
        return made(function)

    def __init__(self):
        super().__init__(False)


class enable_grad(no_grad):
    """torch.enable_grad, as a context and as a decorator, with and without parentheses."""

    def __init__(self):
        GradientMode.__init__(self, True)


class inference_mode(GradientMode):
    """torch.inference_mode, as a context and as a decorator, with and without parentheses."""

    def __new__(cls, mode=True):
        made = super().__new__(cls)
        if not callable(mode):
            return made
        made.__init__()
        return made(mode)

    def __init__(self, mode=True):
        super().__init__(not mode)


def is_grad_enabled():
    """torch.is_grad_enabled."""
    return _pynative_executor.enable_grad()


class autocast(ContextDecorator):
    """torch.autocast: each layer computes in the dtype of its parameters, unless bfloat16 on CPU is asked for
    (`autocast_widened`)."""

    def __init__(self, device_type="cuda", dtype=None, enabled=True, cache_enabled=None):
        self.device = device_type
        self.dtype = dtype
        self.enabled = enabled

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


class autocast_of_cpu(autocast):
    """torch.cpu.amp.autocast."""

    def __init__(self, enabled=True, dtype=mindspore.bfloat16, cache_enabled=True):
        super().__init__("cpu", dtype, enabled, cache_enabled)


def checkpoint(
    function, *args, use_reentrant=None, context_fn=None, determinism_check=None, debug=False, **kwargs
):
    """torch.utils.checkpoint.checkpoint: the call itself; nothing is computed twice."""
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """torch.utils.checkpoint.checkpoint_sequential: the calls themselves; nothing is computed twice."""
    for function in children_of(functions) if isinstance(functions, nn.Cell) else functions:
        input = function(input)
    return input


def get_device_states(*args):
    """torch.utils.checkpoint.get_device_states: the numbers drawn on devices belong to no Tensor's device."""
    return [], []


def set_device_states(devices, states, *, device_type=None):
    """torch.utils.checkpoint.set_device_states: of no device."""


class Function(_Function):
    """torch.autograd.Function."""

    saved_variables = property(lambda self: self.saved_tensors)

    @classmethod
    def apply(cls, *args, **kwargs):
        return super().apply(*map(with_own_dtype, args), **kwargs)

    def __call__(self, *args):
        return CalledFunction.apply(self, *args)

    def save_for_backward(self, *tensors):
        super().save_for_backward(*(getattr(each, "copied_from", each) for each in tensors))


class CalledFunction(_Function):
    """A call of an object of a Function, which keeps by itself what its gradients need, as was usual before
    PyTorch 1.5."""

    @staticmethod
    def forward(ctx, function, *args):
        ctx.function = function
        return function.forward(*args)

    @staticmethod
    def backward(ctx, *gradients):
        found = ctx.function.backward(*gradients)
        return None, *(found if isinstance(found, tuple) else (found,))


def with_own_dtype(value):
    """What a Function is given. MindSpore 2.10 rounds the gradient that it gives a Parameter to the dtype
    that this was made with, be it `double()` since: it gets a copy, and keeps the Parameter itself."""
    is_other = isinstance(value, mindspore.Parameter) and value.dtype != mindspore.float32
    if not is_other or not value.is_floating_point():
        return value
    copied = ops.mul(value, 1)
    copied.copied_from = value
    return copied


class WithoutSlope(_Function):
    """A result as it is, with gradients of 0 for Tensors that it does not change with."""

    @staticmethod
    def forward(ctx, result, *tensors):
        ctx.tensors = tensors
        return ops.mul(result, 1)

    @staticmethod
    def backward(ctx, gradient):
        return gradient, *map(ops.zeros_like, ctx.tensors)


def with_gradient_of(result, tensor):
    """A result that is not computed by operators, with the gradient of a Tensor that it is near to."""
    nothing = ops.where(ops.isfinite(tensor), tensor - ops.stop_gradient(tensor), ops.zeros_like(tensor))
    return result + nothing


def without_slope(result, *tensors):
    """A result that is made of Tensors in steps: in PyTorch its gradient is 0, in MindSpore there is none."""
    tensors = [each for each in tensors if isinstance(each, mindspore.Tensor) and each._requires_grad]
    return WithoutSlope.apply(result, *tensors) if tensors and is_grad_enabled() else result


def record_again():
    """Record what is computed, also after an error that was caught: with each, MindSpore stops to."""
    _pynative_executor.set_grad_flag(True)


def leaf(tensor, requires_grad=True):
    """A Tensor that is no result, as the start of a graph: whether a gradient of it is kept."""
    if requires_grad:
        record_again()
    if isinstance(tensor, mindspore.Parameter):
        tensor.requires_grad = requires_grad
    elif requires_grad or tensor._requires_grad:
        tensor._requires_grad = requires_grad
    return tensor


class VariableType(type):
    """Every Tensor is a Variable."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, mindspore.Tensor)


class Variable(metaclass=VariableType):
    """torch.autograd.Variable: makes a Tensor over the same memory, which is no result."""

    def __new__(cls, data, requires_grad=False, volatile=None):
        return leaf(ops.stop_gradient(data), requires_grad)


def unshared(gradients, _=None):
    """Gradients in memory of their own."""
    return tuple(gradient if gradient is None else ops.mul(gradient, 1) for gradient in gradients)


@contextmanager
def own_gradients(tensors, create_graph, keeps):
    """Give nodes of the graphs of Tensors gradients in memory of their own, while they are walked back.

    On CPU those that add up what Tensors `keep` cannot keep a gradient that others share. And MindSpore 2.10
    forgets how a gradient came about that is a view, which the gradient of a gradient needs."""
    hooks = []
    for node in graph_nodes(tensors):
        if node.is_leaf() and keeps:
            hooks.append(node.register_prehook(unshared))
        elif create_graph and not node.is_leaf():
            hooks.append(node.register_hook(unshared))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def graph_nodes(tensors):
    """The nodes of the graphs of Tensors, each once."""
    seen, waiting = set(), [tensor._grad_node for tensor in tensors]
    while waiting:
        node = waiting.pop()
        number = None if node is None else node._unique_id()
        if number is None or number in seen:
            continue
        seen.add(number)
        yield node
        if not node.is_leaf():
            waiting += [before for before, _ in node.next_functions]


def first_gradients(tensors, gradients):
    """The gradients that a graph is walked back with: 1 for what is a single number."""
    gradients = [None] * len(tensors) if gradients is None else as_sequence(gradients)
    for tensor, gradient in zip(tensors, gradients):
        if gradient is None and tensor.size != 1:
            raise RuntimeError(f"backward of a Tensor of shape {tensor.shape} needs its gradient")
    return tuple(
        ops.ones_like(tensor) if gradient is None else ops.mul(gradient, 1)
        for tensor, gradient in zip(tensors, gradients)
    )


def as_sequence(value):
    """One Tensor, or several, as a tuple."""
    return (value,) if isinstance(value, mindspore.Tensor) else tuple(value)


class GraphsKept:
    """Whether graphs are kept for as long as something refers to them, as in programs that ask for gradients
    of gradients: what is made once, by steps that PyTorch keeps nothing for (`x.float()`), has its part in
    each of them."""

    always = False


class AfterBackward:
    """What is done behind each walk back, with the Tensors whose gradients were asked for and these; None
    where Tensors keep them."""

    tasks = ()


def backward_of(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    """torch.autograd.backward: gradients are added to the `grad` of the Tensors that need one."""
    tensors = as_sequence(tensors)
    keeps = create_graph or GraphsKept.always if retain_graph is None else retain_graph
    wanted = () if inputs is None else as_sequence(inputs)
    first = first_gradients(tensors, grad_tensors)
    with own_gradients(tensors, create_graph, True):
        run_backward(tensors, first, keeps, create_graph, wanted)
    for task in AfterBackward.tasks:
        task(None, None)


def gradients_of(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """torch.autograd.grad: the gradients of `inputs`, which keep none."""
    outputs, inputs = as_sequence(outputs), as_sequence(inputs)
    if is_grads_batched:
        options = (create_graph, only_inputs, allow_unused, False, materialize_grads)
        batches = zip(*as_sequence(grad_outputs))
        found = zip(*(gradients_of(outputs, inputs, each, True, *options) for each in batches))
        return tuple(None if rows[0] is None else ops.stack(rows) for rows in found)
    keeps = create_graph or GraphsKept.always if retain_graph is None else retain_graph
    first = first_gradients(outputs, grad_outputs)
    with own_gradients(outputs if create_graph else (), create_graph, False):
        found = run_backward(outputs, first, keeps, create_graph, inputs, True, accumulate_grad=False)
    for task in AfterBackward.tasks:
        task(inputs, found)
    if materialize_grads:
        return tuple(
            ops.zeros_like(x) if gradient is None else gradient for x, gradient in zip(inputs, found)
        )
    if not allow_unused and any(gradient is None for gradient in found):
        raise RuntimeError("an input has no part in the outputs; allow_unused=True gives None for it")
    return tuple(found)


class GradientHook:
    """What torch.Tensor.register_hook gives: takes the hook away again."""

    def __init__(self, hooks, hook):
        self.hooks = hooks
        self.hook = hook

    def remove(self):
        if self in self.hooks:
            self.hooks.remove(self)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


def gradient_hook(tensor, hook):
    """torch.Tensor.register_hook: `hook` may give another gradient. The hooks of a Tensor get one and the
    same object, which they may leave something at for each other, as long as none gives another."""
    node = tensor._grad_node
    node = None if node is None else node._unique_id()
    known, hooks = getattr(tensor, "gradient_hooks", (None, []))
    if not hooks or known != node:
        hooks = []
        tensor.gradient_hooks = node, hooks
        register_gradient_hook(tensor, hooks)
    hooks.append(GradientHook(hooks, hook))
    return hooks[-1]


def register_gradient_hook(tensor, hooks):
    """Have all hooks of a list called one after the other with the gradient of a Tensor."""

    def call_all(gradient):
        first = gradient
        for each in list(hooks):
            changed = each.hook(gradient)
            gradient = gradient if changed is None else changed
        return None if gradient is first else gradient

    _pynative_executor.new_empty_graph()
    try:
        tensor.register_hook(call_all)
    finally:
        _pynative_executor.end_empty_graph()


class Accumulated:
    """The Tensors that were given a gradient in a walk back, and have hooks for that."""

    noted = ()


def run_accumulated_hooks(inputs, found):
    """Call the hooks of Tensors that have been given a gradient."""
    noted, Accumulated.noted = Accumulated.noted, ()
    if found is None:
        for tensor in noted:
            for each in list(tensor.accumulated_hooks):
                each.hook(tensor)


def accumulated_hook(tensor, hook):
    """torch.Tensor.register_post_accumulate_grad_hook: called when all gradients have been computed."""
    if not tensor._requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if not tensor._is_leaf:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    if run_accumulated_hooks not in AfterBackward.tasks:
        AfterBackward.tasks += (run_accumulated_hooks,)
    if "accumulated_hooks" not in tensor.__dict__:
        tensor.accumulated_hooks = []
        gradient_hook(tensor, lambda gradient: note_accumulated(tensor))
    tensor.accumulated_hooks.append(GradientHook(tensor.accumulated_hooks, hook))
    return tensor.accumulated_hooks[-1]


def note_accumulated(tensor):
    """Note that a Tensor is given a gradient."""
    Accumulated.noted += (tensor,)


def retain_gradient(tensor):
    """torch.Tensor.retain_grad: the gradient of a result is kept, too."""
    if not tensor._is_leaf:
        gradient_hook(tensor, lambda gradient: keep_gradient(tensor, gradient))


def keep_gradient(tensor, gradient):
    """Add a gradient to what a result keeps."""
    kept = getattr(tensor, "retained_grad", None)
    tensor.retained_grad = gradient if kept is None else kept + gradient


def gradient(tensor):
    """torch.Tensor.grad."""
    return tensor._grad if tensor._grad is not None else getattr(tensor, "retained_grad", None)


def set_gradient(tensor, gradient):
    """Give a Tensor a gradient; None takes it away."""
    tensor._grad = gradient


def set_gradient_to_none(tensor):
    """Take the gradient of a Tensor away."""
    tensor._grad = None


def backward(tensor, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """torch.Tensor.backward."""
    backward_of(tensor, gradient, retain_graph, create_graph, inputs)


def formatted(tensor, specification):
    """A Tensor in a formatted text: one without dimensions as the number that it is."""
    return format(tensor.item() if tensor.ndim == 0 else str(tensor), specification)


CASTS = ("astype", "to", "long", "int", "short", "byte", "argmax", "argmin")
COMPARISONS = (
    "gt",
    "greater",
    "lt",
    "less",
    "ge",
    "greater_equal",
    "le",
    "less_equal",
    "eq",
    "equal",
    "ne",
    "not_equal",
    "isclose",
    "isnan",
    "isinf",
    "isfinite",
    "logical_and",
    "logical_or",
    "logical_not",
    "logical_xor",
    "__gt__",
    "__lt__",
    "__ge__",
    "__le__",
    "__eq__",
    "__ne__",
)


def without_gradient_of_integers(function):
    """A function that casts or compares Tensors: integers and truth values have no gradient, which MindSpore
    hands on, and then adds up where a mask is used twice, for which there is no kernel."""

    @wraps(function)
    def called(*args, **kwargs):
        result = function(*args, **kwargs)
        if not isinstance(result, mindspore.Tensor) or not result._requires_grad:
            return result
        return result if result.is_floating_point() or result.is_complex() else ops.stop_gradient(result)

    return called


def getting_state(get_state):
    """What is pickled of a Tensor, and whether a gradient of it is kept."""

    @wraps(get_state)
    def getstate(self):
        state = get_state(self)
        if isinstance(state, dict) and not isinstance(self, mindspore.Parameter):
            state["requires_grad"] = self._requires_grad
        return state

    return getstate


def setting_state(set_state):
    """Make a Tensor of what was pickled of one."""

    @wraps(set_state)
    def setstate(self, state):
        requires_grad = isinstance(state, dict) and state.pop("requires_grad", False)
        set_state(self, state)
        if requires_grad:
            leaf(self)

    return setstate


def tensors_with_gradients():
    """Record what is computed, and give MindSpore's Tensor PyTorch's members for gradients. They are those of
    all Tensors from then on; one that Tensor has itself stays."""
    record_again()
    members = {
        "grad": property(gradient, set_gradient, set_gradient_to_none),
        "requires_grad": property(lambda tensor: tensor._requires_grad, leaf),
        "is_leaf": property(lambda tensor: tensor._is_leaf),
        "grad_fn": property(lambda tensor: None if tensor._is_leaf else tensor._grad_node),
        "backward": backward,
        "detach": ops.stop_gradient,
        "retain_grad": retain_gradient,
        "__format__": formatted,
    }
    for name, member in members.items():
        if getattr(mindspore.Tensor, name, None) in (None, getattr(object, name, None)):
            setattr(mindspore.Tensor, name, member)
    mindspore.Tensor.__getstate__ = getting_state(mindspore.Tensor.__getstate__)
    mindspore.Tensor.__setstate__ = setting_state(mindspore.Tensor.__setstate__)
    # not those of `mindspore.ops`, which MindSpore itself compiles where it scales losses
    for owner, names in ((mindspore.Tensor, CASTS + COMPARISONS), (mint, COMPARISONS)):
        for name in names:
            if hasattr(owner, name):
                setattr(owner, name, without_gradient_of_integers(getattr(owner, name)))
    return True


# whether operations are recorded for `backward`
RECORDS_GRADIENTS = tensors_with_gradients()
