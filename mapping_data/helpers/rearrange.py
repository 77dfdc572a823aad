"""The operations of einops on Tensors."""

import math

from mindspore import ops


def pattern_groups(side):
    """The axes of one side of a pattern: a list of names for each, or an ellipsis."""
    groups, inside = [], None
    for word in side.replace("(", " ( ").replace(")", " ) ").replace("…", "...").split():
        if word == "(":
            inside = []
        elif word == ")":
            groups.append(inside)
            inside = None
        elif inside is not None:
            inside += [] if word == "1" else [word]
        else:
            groups.append("..." if word == "..." else [] if word == "1" else [word])
    return groups


def ellipsis_axes(groups, hidden):
    """The groups with the hidden axes in the place of the ellipsis."""
    found = []
    for group in groups:
        if group == "...":
            found += [[axis] for axis in hidden]
        else:
            found.append([axis for name in group for axis in (hidden if name == "..." else [name])])
    return found


def number_axes(groups, side):
    """The groups with a name of its own for each axis that is given as a number, and the sizes of those."""
    sizes, found = {}, []
    for place, group in enumerate(groups):
        names = [
            f"{name} {side} {place}.{index}" if name.isdigit() else name for index, name in enumerate(group)
        ]
        sizes.update({name: int(number) for name, number in zip(names, group) if number.isdigit()})
        found.append(names)
    return found, sizes


def axis_sizes(groups, shape, known):
    """The size of each named axis."""
    sizes = dict(known)
    for group, size in zip(groups, shape):
        unknown = [name for name in group if name not in sizes]
        given = math.prod(sizes[name] for name in group if name in sizes)
        if len(unknown) > 1 or size % given or (not unknown and size != given):
            raise ValueError(f"an axis of {size} does not divide into {group} with {known}")
        sizes.update(dict.fromkeys(unknown, size // given))
    return sizes


def reduce_axes(tensor, axes, reduction):
    """The tensor without these axes."""
    if not axes:
        return tensor
    if callable(reduction):
        return reduction(tensor, axes)
    if reduction == "prod":
        for axis in sorted(axes, reverse=True):
            tensor = tensor.prod(axis)
        return tensor
    reductions = {
        "mean": ops.mean,
        "sum": ops.sum,
        "max": ops.amax,
        "min": ops.amin,
        "any": ops.any,
        "all": ops.all,
    }
    return reductions[reduction](tensor, axes)


def arrange(tensor, pattern, reduction, lengths):
    """What all operations of einops are: split axes, reduce, order and add axes, join axes."""
    if isinstance(tensor, (list, tuple)):
        tensor = ops.stack(list(tensor), 0)
    left, right = (pattern_groups(side) for side in pattern.split("->"))
    hidden = [f".{axis}" for axis in range(tensor.ndim - len(left) + 1)] if "..." in pattern else []
    left, lengths_left = number_axes(ellipsis_axes(left, hidden), "left")
    right, lengths_right = number_axes(ellipsis_axes(right, hidden), "right")
    lengths = {**lengths, **lengths_left, **lengths_right}
    if len(left) != tensor.ndim:
        raise ValueError(f"{pattern} does not fit a Tensor of {tensor.ndim} dimensions")
    wanted = [name for group in right for name in group]
    names = [name for group in left for name in group]
    sizes = axis_sizes(left, tensor.shape, {name: lengths[name] for name in lengths if name in names})
    sizes = {**lengths, **sizes}
    tensor = tensor.reshape(tuple(sizes[name] for name in names))
    gone = tuple(axis for axis, name in enumerate(names) if name not in wanted)
    if gone and reduction is None:
        raise ValueError(f"{pattern}: axes are missing on the right")
    tensor = reduce_axes(tensor, gone, reduction)
    names = [name for name in names if name in wanted]
    added = [name for name in wanted if name not in names]
    tensor = tensor.permute(tuple(names.index(name) for name in wanted if name in names))
    for axis, name in enumerate(wanted):
        tensor = tensor.expand_dims(axis) if name in added else tensor
    if added:
        tensor = ops.broadcast_to(tensor, tuple(sizes[name] for name in wanted))
    return tensor.reshape(tuple(math.prod(sizes[name] for name in group) for group in right))


def rearrange(tensor, pattern, **axes_lengths):
    """einops.rearrange."""
    return arrange(tensor, pattern, None, axes_lengths)


def reduce(tensor, pattern, reduction, **axes_lengths):
    """einops.reduce."""
    return arrange(tensor, pattern, reduction, axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    """einops.repeat."""
    return arrange(tensor, pattern, None, axes_lengths)


def parse_shape(x, pattern):
    """einops.parse_shape."""
    names = pattern.split()
    if "..." in names:
        at = names.index("...")
        names[at : at + 1] = ["_"] * (x.ndim - len(names) + 1)
    return {name: size for name, size in zip(names, x.shape) if name != "_"}


def einops_einsum(*tensors_and_pattern):
    """einops.einsum: names instead of letters."""
    *tensors, pattern = tensors_and_pattern
    letters = {}
    entering, leaving = pattern.split("->")
    terms = []
    for term in (*entering.split(","), leaving):
        words = term.replace("...", " ... ").split()
        terms.append(
            "".join(w if w == "..." else letters.setdefault(w, chr(97 + len(letters))) for w in words)
        )
    return einsum(",".join(terms[:-1]) + "->" + terms[-1], *tensors)


def pack(tensors, pattern):
    """einops.pack."""
    names = pattern.split()
    before, after = names.index("*"), len(names) - names.index("*") - 1
    packed = [tuple(tensor.shape[before : tensor.ndim - after]) for tensor in tensors]
    flat = [
        tensor.reshape((*tensor.shape[:before], -1, *tensor.shape[tensor.ndim - after :]))
        for tensor in tensors
    ]
    return ops.cat(flat, before), packed


def unpack(tensor, packed_shapes, pattern):
    """einops.unpack."""
    axis = pattern.split().index("*")
    counts = [-1 if -1 in shape else math.prod(shape) for shape in packed_shapes]
    if -1 in counts:
        counts[counts.index(-1)] = tensor.shape[axis] - sum(count for count in counts if count != -1)
    parts, start = [], 0
    for count, shape in zip(counts, packed_shapes):
        part = ops.narrow(tensor, axis, start, count)
        parts.append(part.reshape((*tensor.shape[:axis], *shape, *tensor.shape[axis + 1 :])))
        start += count
    return parts


class Rearrange(Module):
    """einops.layers.torch.Rearrange."""

    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths

    def construct(self, input):
        return rearrange(input, self.pattern, **self.axes_lengths)

    def extra_repr(self):
        return repr(self.pattern)


class Reduce(Module):
    """einops.layers.torch.Reduce."""

    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths

    def construct(self, input):
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)
