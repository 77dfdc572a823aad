"""Modules as PyTorch's files hold them: as objects, with the names of their classes. Helpers are looked for
among those that a program has (`known`, by name)."""

import inspect

import mindspore

# what PyTorch's modules keep for themselves, which those here keep otherwise
OF_PYTORCH_ALONE = (
    *("_non_persistent_buffers_set", "_is_full_backward_hook", "_version", "_compiled_call_impl"),
    *("_has_been_set_quantization_config", "call_super_init", "_is_hf_initialized", "_flat_weights"),
)

# Classes of PyTorch's own that compute what others do
ALSO_CALLED = {"NonDynamicallyQuantizableLinear": "Linear"}


def of_pytorch(module, name, known):
    """The class or function that stands for what a pickle names of PyTorch; None without one."""
    is_of_pytorch = module.partition(".")[0] in ("torch", "torchvision")
    found = known.get(ALSO_CALLED.get(name, name)) if is_of_pytorch else None
    return found if callable(found) and getattr(found, "__module__", "") == known["__name__"] else None


def arguments_in(state, weights, kind):
    """The arguments that a layer was made with, as far as PyTorch's keeps them as members of those names.
    Raises TypeError where one is missing that is needed."""
    found = {}
    for name, parameter in list(inspect.signature(kind.__init__).parameters.items())[1:]:
        if name in state:
            found[name] = state[name]
        elif name in weights:
            found[name] = weights[name] is not None
        elif parameter.kind is parameter.VAR_KEYWORD or (
            parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL
        ):
            raise TypeError(f"{kind.__name__} was made with {name}, which is not known")
    return found


def begin_as_pytorchs(module, state, weights, known):
    """Begin a module that a pickle has not made yet: a layer with its arguments, any other without."""
    generator = known.get("default_generator")
    drawn = None if generator is None else generator.get_state()
    kind = type(module)
    try:
        if kind.__module__ != known["__name__"]:
            raise TypeError(f"nobody knows what {kind.__name__} was made with")
        kind.__init__(module, **arguments_in(state, weights, kind))
    except TypeError:
        known["Module"].__init__(module)
    if generator is not None:
        generator.set_state(drawn)


def become_pytorchs(module, state, known):
    """Make a module, which a pickle has just begun, what PyTorch's module was whose state that is."""
    hooks = ("_hooks", "_hooks_with_kwargs", "_hooks_always_called")
    state = {name: value for name, value in state.items() if not name.endswith(hooks)}
    weights, buffers, modules = (state.pop(f"_{kind}") for kind in ("parameters", "buffers", "modules"))
    passing = state.get("_non_persistent_buffers_set", ())
    is_training = state.pop("training", True)
    begin_as_pytorchs(module, state, weights, known)
    for name, value in weights.items():
        module.register_parameter(name, value)
    for name, value in buffers.items():
        held = getattr(module, name, None)
        if isinstance(held, mindspore.Parameter):  # statistics of batches
            held.set_data(value)
        elif hasattr(module, name):
            setattr(module, name, value)
        else:
            module.register_buffer(name, value, name not in passing)
    for name, value in modules.items():
        module.register_module(name, value)
    for name, value in state.items():
        if name not in OF_PYTORCH_ALONE and not isinstance(getattr(type(module), name, None), property):
            setattr(module, name, value)
    module._phase = "train" if is_training else "predict"
    module.add_flags(training=is_training)


def let_modules_be_read(known):
    """Let modules be read from PyTorch's pickles, too, where the program has modules."""
    kind = known.get("Module")
    if kind is None or hasattr(kind.__setstate__, "of_helpers"):
        return
    of_helpers = kind.__setstate__

    def set_state(self, state):
        if "_modules" in state and "_parameters" in state:
            become_pytorchs(self, state, known)
        else:
            of_helpers(self, state)

    set_state.of_helpers = of_helpers
    kind.__setstate__ = set_state
