"""Einstein's summation."""

import math

import mindspore
import numpy as np
from mindspore import ops


def einsum_labels(equation, ranks):
    """The labels of each operand and of the result; those that an ellipsis stands for are numbers."""
    entering, arrow, leaving = equation.replace(" ", "").partition("->")
    operands, longest = [], 0
    for term, rank in zip(entering.split(","), ranks):
        before, dots, after = term.partition("...")
        hidden = rank - len(before) - len(after) if dots else 0
        longest = max(longest, hidden)
        operands.append([*before, *range(-hidden, 0), *after])
    if arrow:
        before, dots, after = leaving.partition("...")
        return operands, [*before, *(range(-longest, 0) if dots else ()), *after]
    letters = [label for labels in operands for label in labels if isinstance(label, str)]
    once = sorted(label for label in set(letters) if letters.count(label) == 1)
    return operands, [*range(-longest, 0), *once]


def einsum_term(labels):
    """Numbers, and perhaps an ellipsis, as a term of an equation."""
    return "".join("..." if label is ... else chr(97 + label) for label in labels)


def einsum_diagonal(tensor, labels):
    """The tensor with each label once, and its labels."""
    for label in set(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            size = tensor.shape[first]
            shape = [size if axis in (first, second) else 1 for axis in range(tensor.ndim)]
            same = mindspore.Tensor(np.eye(size).reshape(shape), tensor.dtype)
            tensor = (tensor * same).sum(second)
            labels = labels[:second] + labels[second + 1 :]
    return tensor, labels


def einsum_reduced(tensor, labels, kept):
    """The tensor summed over the labels that are not `kept`, and its labels."""
    alone = tuple(axis for axis, label in enumerate(labels) if label not in kept)
    return tensor.sum(alone) if alone else tensor, [label for label in labels if label in kept]


def einsum_arranged(tensor, labels, groups, sizes):
    """The axes of each group of labels joined to one."""
    order = [label for group in groups for label in group]
    tensor = tensor.permute(tuple(labels.index(label) for label in order))
    tensor = ops.broadcast_to(tensor, tuple(sizes[label] for label in order)) if order else tensor
    return tensor.reshape(tuple(math.prod(sizes[label] for label in group) for group in groups))


def einsum_pair(left, left_labels, right, right_labels, kept):
    """Two operands as one, summed over the labels that are not `kept`, and its labels."""
    sizes = {}
    for tensor, labels in ((left, left_labels), (right, right_labels)):
        for label, size in zip(labels, tensor.shape):
            if size != 1 or label not in sizes:
                sizes[label] = size
    batch = [label for label in left_labels if label in right_labels and label in kept]
    summed = [label for label in left_labels if label in right_labels and label not in kept]
    of_left = [label for label in left_labels if label not in right_labels]
    of_right = [label for label in right_labels if label not in left_labels]
    left = einsum_arranged(left, left_labels, (batch, of_left, summed), sizes)
    right = einsum_arranged(right, right_labels, (batch, summed, of_right), sizes)
    labels = [*batch, *of_left, *of_right]
    result = ops.matmul(left, right) if summed else left * right
    return result.reshape(tuple(sizes[label] for label in labels)), labels


def einsum(equation, *operands):
    """torch.einsum: one matrix product for each operand behind the first."""
    if not isinstance(equation, str):
        everything = (equation, *operands)
        joined = ",".join(map(einsum_term, everything[1::2][: len(everything) // 2]))
        arrow = "->" + einsum_term(everything[-1]) if len(everything) % 2 else ""
        return einsum(joined + arrow, *everything[: 2 * (len(everything) // 2) : 2])
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    labels, wanted = einsum_labels(equation, [operand.ndim for operand in operands])
    parts = [einsum_diagonal(*part) for part in zip(operands, labels)]
    result, names = None, None
    for position, (tensor, own) in enumerate(parts):
        later = set(wanted).union(*(labels for _, labels in parts[position + 1 :]))
        if position == 0:
            result, names = einsum_reduced(tensor, own, later)
        else:
            other = einsum_reduced(tensor, own, later.union(names))
            result, names = einsum_pair(result, names, *other, later)
    return result.permute(tuple(names.index(label) for label in wanted))
