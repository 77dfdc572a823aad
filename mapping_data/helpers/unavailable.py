"""What stands for PyTorch where MindSpore has nothing like it."""

import sys


class Unavailable(type):
    """The type of what `unavailable` gives: no object is an instance of it, and calling it raises
    NotImplementedError, except while a module is imported."""

    def __call__(cls, *args, **kwargs):
        is_definition = bool(args) and (isinstance(args[0], type) or hasattr(args[0], "__code__"))
        decorates = is_definition and len(args) == 1 and not kwargs
        if decorates or sys._getframe(1).f_code.co_name == "<module>":
            return unavailable(f"{cls.__name__}()")
        raise NotImplementedError(f"{cls.__name__} has no counterpart in MindSpore")

    def __getitem__(cls, item):
        return cls

    def __contains__(cls, item):
        return False

    def __iter__(cls):
        raise NotImplementedError(f"{cls.__name__} has no counterpart in MindSpore")

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unavailable(f"{cls.__name__}.{name}")


def unavailable(name):
    """Stands for an API of PyTorch that has no counterpart: it may be named, but not be called."""
    return Unavailable(name, (), {})


class OutOfMemoryError(RuntimeError):
    """torch.OutOfMemoryError. MindSpore raises RuntimeError where memory is out, so this is never raised."""
