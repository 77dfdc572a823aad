"""Copies of Tensors."""

import mindspore


def tensors_are_cloned():
    """Let `clone` of what may be a Tensor give a copy that has a gradient: MindSpore has no kernel for that
    of a Tensor on CPU, and makes another Parameter of one."""
    of_parameter = mindspore.Parameter.clone

    def clone_tensor(self, *, memory_format=None):
        return mindspore.Tensor.copy(self)

    def clone_parameter(self, *args, memory_format=None, **options):
        return of_parameter(self, *args, **options) if args or options else mindspore.Tensor.copy(self)

    mindspore.Tensor.clone = clone_tensor
    mindspore.Parameter.clone = clone_parameter
    return True


# Whether `clone` of Tensors gives copies that have gradients
TENSORS_ARE_CLONED = tensors_are_cloned()


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
