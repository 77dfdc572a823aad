"""Trees of tuples, lists and dictionaries (torch.utils._pytree)."""

from collections import OrderedDict


class TreeSpec:
    """How a tree is built around its leaves."""

    def __init__(self, build, children):
        self.build = build
        self.children = children

    @property
    def num_leaves(self):
        return sum(child.num_leaves for child in self.children) if self.build else 1

    def unflatten(self, leaves):
        """The tree with other leaves."""
        return self.made_of(iter(leaves))

    def made_of(self, leaves):
        if self.build is None:
            return next(leaves)
        return self.build([child.made_of(leaves) for child in self.children])


def tree_builder(tree):
    """What makes a tree like this one of its parts."""
    kind = type(tree)
    if hasattr(tree, "_fields"):
        return lambda parts: kind(*parts)
    if isinstance(tree, dict):
        return lambda parts: kind(zip(tree, parts))
    return kind


def tree_flatten(tree, is_leaf=None):
    """torch.utils._pytree.tree_flatten: the leaves, and how they are put together."""
    is_tree = isinstance(tree, tuple) and (type(tree) is tuple or hasattr(tree, "_fields"))
    is_tree |= type(tree) in (list, dict, OrderedDict)
    if not is_tree or (is_leaf is not None and is_leaf(tree)):
        return [tree], TreeSpec(None, [])
    parts = tree.values() if isinstance(tree, dict) else tree
    flattened = [tree_flatten(part, is_leaf) for part in parts]
    leaves = [leaf for found, _ in flattened for leaf in found]
    return leaves, TreeSpec(tree_builder(tree), [spec for _, spec in flattened])


def tree_unflatten(leaves, treespec):
    """torch.utils._pytree.tree_unflatten."""
    return treespec.unflatten(leaves)


def tree_map(func, tree, *rests, is_leaf=None):
    """torch.utils._pytree.tree_map: the tree with what a function makes of its leaves."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return spec.unflatten(map(func, leaves, *[tree_flatten(rest, is_leaf)[0] for rest in rests]))
