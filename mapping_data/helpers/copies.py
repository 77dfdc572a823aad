"""Deep copies of Tensors."""

import mindspore


def tensors_are_copied():
    """Give Tensors a deep copy with memory of its own, as in PyTorch. MindSpore's shares the memory, so that
    what changes one in place changes the other, too."""

    def copied(tensor, memo):
        with GradientMode(False):
            made = tensor.copy() if tensor.size else tensor.view(tensor.shape)
        memo[id(tensor)] = made
        return leaf(made) if tensor._requires_grad else made

    mindspore.Tensor.__deepcopy__ = copied
    return True


# Whether deep copies of Tensors have memory of their own
TENSORS_ARE_COPIED = tensors_are_copied()
