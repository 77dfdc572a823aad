"""Other functions in the place of MindSpore's and of helpers, wherever these are kept."""

import functools

from mindspore import ops


def replace(owners, names, made):
    """Put what `made` makes of a function in its place, wherever one of `owners` has it."""
    for owner in owners:
        for name in names.split():
            native = getattr(owner, name, None)
            if native is not None:
                setattr(owner, name, functools.wraps(native)(made(native)))


def classes_below(kind):
    """The classes that are derived from one, at any distance."""
    for each in kind.__subclasses__():
        yield each
        yield from classes_below(each)


def replace_primitives(made):
    """Put what `made` makes of the call of a primitive and of its class in its place, for all of them."""
    for kind in dict.fromkeys((*classes_below(ops.Primitive), ops.Primitive)):
        if "__call__" in vars(kind):
            kind.__call__ = made(kind.__call__, kind)


def replace_in_classes(namespace, replaced):
    """Put functions in the place of others also where classes of a module have them as members."""
    for kind in [value for value in namespace.values() if isinstance(value, type)]:
        for name, member in list(vars(kind).items()):
            if isinstance(member, staticmethod) and member.__func__ in replaced:
                setattr(kind, name, staticmethod(replaced[member.__func__]))
