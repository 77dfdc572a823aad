"""APIs of PyTorch without a counterpart in MindSpore."""

import sys


def is_importing():
    """Whether a module is being imported: what is made for later (a table of all that could be asked for) is
    no error yet."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
            return True
        frame = frame.f_back
    return False


class Unavailable:
    """What stands for an API of PyTorch that has no counterpart. It may be named, be a base, and be tested
    for: no object is an instance of it. Calling it raises NotImplementedError, except while a module is
    imported. As a library it is of the oldest version: programs ask for that before they rely on it."""

    __version__ = "0.0.0"

    def __init__(self, name):
        self.__name__ = self.__qualname__ = name

    def __call__(self, *args, **kwargs):
        is_definition = bool(args) and (isinstance(args[0], type) or hasattr(args[0], "__code__"))
        decorates = is_definition and len(args) == 1 and not kwargs
        if decorates or sys._getframe(1).f_code.co_name == "<module>" or is_importing():
            return unavailable(f"{self.__name__}()")
        raise NotImplementedError(f"{self.__name__} has no counterpart in MindSpore")

    def __mro_entries__(self, bases):
        return (WithoutBase,) if all(base is self or not isinstance(base, type) for base in bases) else ()

    def __instancecheck__(self, instance):
        return False

    def __subclasscheck__(self, subclass):
        return False

    def __or__(self, other):
        return self

    __ror__ = __or__

    def __getitem__(self, item):
        return self

    def __contains__(self, item):
        return False

    def __iter__(self):
        raise NotImplementedError(f"{self.__name__} has no counterpart in MindSpore")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unavailable(f"{self.__name__}.{name}")

    def __repr__(self):
        return f"unavailable({self.__name__!r})"


class WithoutBase:
    """The base of a class whose bases in PyTorch have no counterparts: it cannot be built, except while a
    module is imported."""

    def __init__(self, *args, **kwargs):
        if is_importing():
            return
        raise NotImplementedError(f"the base of {type(self).__name__} has no counterpart in MindSpore")


class GraphModule(WithoutBase, Module):
    """torch.fx.GraphModule: has no counterpart, but is a kind of module."""


def unavailable(name):
    """Stands for an API of PyTorch that has no counterpart: it may be named, but not be called."""
    return Unavailable(name)


class TracerWarning(Warning):
    """torch.jit.TracerWarning: nothing is traced, so this is never given."""


class OutOfMemoryError(RuntimeError):
    """torch.OutOfMemoryError. MindSpore raises RuntimeError where memory is out, so this is never raised."""


def not_converted(name):
    """Raises ImportError, as importing a library does that stands on PyTorch and was not converted."""
    raise ImportError(f"{name.partition('.')[0]} needs PyTorch")
