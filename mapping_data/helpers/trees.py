"""Trees of tuples, lists and dictionaries (torch.utils._pytree)."""

from collections import OrderedDict, defaultdict, deque, namedtuple


def dict_flatten(d):
    """torch.utils._pytree._dict_flatten: the values, and the keys."""
    return list(d.values()), list(d)


def dict_unflatten(values, context):
    """torch.utils._pytree._dict_unflatten."""
    return dict(zip(context, values))


MappingKey = namedtuple("MappingKey", "key")


def dict_flatten_with_keys(d):
    """torch.utils._pytree._dict_flatten_with_keys: the values with the paths to them, and the keys."""
    return [(MappingKey(key), value) for key, value in d.items()], list(d)


# How objects of a class are taken apart and put together
NodeDef = namedtuple("NodeDef", "flatten_fn unflatten_fn")

TREES = {
    tuple: NodeDef(lambda given: (list(given), None), lambda parts, _: tuple(parts)),
    list: NodeDef(lambda given: (list(given), None), lambda parts, _: list(parts)),
    dict: NodeDef(dict_flatten, dict_unflatten),
    namedtuple: NodeDef(lambda given: (list(given), type(given)), lambda parts, kind: kind(*parts)),
    OrderedDict: NodeDef(dict_flatten, lambda parts, keys: OrderedDict(zip(keys, parts))),
    defaultdict: NodeDef(
        lambda given: (list(given.values()), [given.default_factory, list(given)]),
        lambda parts, told: defaultdict(told[0], zip(told[1], parts)),
    ),
    deque: NodeDef(lambda given: (list(given), given.maxlen), lambda parts, most: deque(parts, most)),
}


def register_pytree_node(
    cls,
    flatten_fn,
    unflatten_fn,
    *,
    serialized_type_name=None,
    to_dumpable_context=None,
    from_dumpable_context=None,
    flatten_with_keys_fn=None,
):
    """torch.utils._pytree.register_pytree_node: how objects of a class are taken apart and put together."""
    if cls in TREES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    TREES[cls] = NodeDef(flatten_fn, unflatten_fn)


def get_node_type(tree):
    """torch.utils._pytree._get_node_type: the type of an object; `namedtuple` for its classes."""
    return namedtuple if isinstance(tree, tuple) and hasattr(tree, "_fields") else type(tree)


def kind_of_tree(tree):
    """The key of TREES for what may be taken apart; None for a leaf."""
    kind = get_node_type(tree)
    return kind if kind in TREES else None


class TreeSpec:
    """How a tree is built around its leaves."""

    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, children_specs
        self.num_leaves = sum(child.num_leaves for child in children_specs) if type else 1
        self.num_nodes = 1 + sum(child.num_nodes for child in children_specs)
        self.num_children = len(children_specs)

    def children(self):
        return self.children_specs

    def child(self, index):
        return self.children_specs[index]

    def is_leaf(self):
        return self.type is None

    def unflatten(self, leaves):
        """The tree with other leaves."""
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a "
                f"pytree that holds {self.num_leaves} items ({self})."
            )
        return self.made_of(iter(leaves))

    def made_of(self, leaves):
        if self.type is None:
            return next(leaves)
        parts = [child.made_of(leaves) for child in self.children_specs]
        return TREES[self.type][1](parts, self.context)

    def __eq__(self, other):
        if not isinstance(other, TreeSpec):
            return NotImplemented
        mine = (self.type, self.context, self.children_specs)
        return mine == (other.type, other.context, other.children_specs)

    def __hash__(self):
        return hash((self.type, self.num_leaves))

    def __repr__(self):
        if self.type is None:
            return "*"
        parts = ",\n".join(str(child).replace("\n", "\n  ") for child in self.children_specs)
        parts = parts.replace("\n", "\n  ")
        return f"TreeSpec({self.type.__name__}, {self.context}, [{parts}])"


class LeafSpec(TreeSpec):
    """torch.utils._pytree.LeafSpec: a leaf."""

    def __init__(self):
        super().__init__(None, None, [])


def tree_flatten(tree, is_leaf=None):
    """torch.utils._pytree.tree_flatten: the leaves, and how they are put together."""
    kind = None if is_leaf is not None and is_leaf(tree) else kind_of_tree(tree)
    if kind is None:
        return [tree], LeafSpec()
    parts, context = TREES[kind][0](tree)
    flattened = [tree_flatten(part, is_leaf) for part in parts]
    leaves = [leaf for found, _ in flattened for leaf in found]
    return leaves, TreeSpec(kind, context, [spec for _, spec in flattened])


def tree_unflatten(leaves, treespec):
    """torch.utils._pytree.tree_unflatten."""
    return treespec.unflatten(leaves)


def tree_leaves(tree, is_leaf=None):
    """torch.utils._pytree.tree_leaves."""
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree, is_leaf=None):
    """torch.utils._pytree.tree_iter."""
    return iter(tree_flatten(tree, is_leaf)[0])


def tree_structure(tree, is_leaf=None):
    """torch.utils._pytree.tree_structure."""
    return tree_flatten(tree, is_leaf)[1]


def dict_keys(spec):
    """The keys of the dictionary that a TreeSpec tells of."""
    return spec.context[1] if spec.type is defaultdict else spec.context


def leaves_up_to(spec, tree):
    """What of a tree stands where the leaves of another one are."""
    if spec.type is None:
        return [tree]
    parts, context = TREES[kind_of_tree(tree)][0](tree)
    if isinstance(tree, dict) and context != spec.context:
        parts = [tree[key] for key in dict_keys(spec)]
    pairs = zip(spec.children_specs, parts)
    return [leaf for child, part in pairs for leaf in leaves_up_to(child, part)]


def tree_map(func, tree, *rests, is_leaf=None):
    """torch.utils._pytree.tree_map: the tree with what a function makes of its leaves."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return spec.unflatten(map(func, leaves, *[leaves_up_to(spec, rest) for rest in rests]))


def tree_map_(func, tree, *rests, is_leaf=None):
    """torch.utils._pytree.tree_map_: calls the function with all leaves; the tree is as it was."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def of_kind(asked):
    """What tells leaves by a type, types or a function."""
    return asked if callable(asked) and not isinstance(asked, type) else lambda leaf: isinstance(leaf, asked)


def tree_map_only(type_or_types_or_pred, func, tree, is_leaf=None):
    """torch.utils._pytree.tree_map_only: the same, of the leaves of a kind."""
    wanted = of_kind(type_or_types_or_pred)
    return tree_map(lambda leaf: func(leaf) if wanted(leaf) else leaf, tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    """torch.utils._pytree.tree_all."""
    return all(map(pred, tree_flatten(tree, is_leaf)[0]))


def tree_any(pred, tree, is_leaf=None):
    """torch.utils._pytree.tree_any."""
    return any(map(pred, tree_flatten(tree, is_leaf)[0]))
