"""Linear layers."""

import math

from mindspore import ops


class Identity(Module):
    """torch.nn.Identity: takes any arguments and returns its input."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, input):
        return input


def linear(input, weight, bias=None):
    """torch.nn.functional.linear."""
    return ops.dense(input, weight, bias)


class Linear(Module):
    """torch.nn.Linear."""

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = empty_parameter((out_features, in_features), dtype)
        self.bias = empty_parameter((out_features,), dtype) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
        uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            uniform_(self.bias, -bound, bound)

    def construct(self, input):
        return linear(input, self.weight, self.bias)

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
        )


class NonDynamicallyQuantizableLinear(Linear):
    """torch.nn.modules.linear.NonDynamicallyQuantizableLinear: the layer behind an attention."""


def bilinear(input1, input2, weight, bias=None):
    """torch.nn.functional.bilinear.

    By one matrix: MindSpore has no gradient of a product with a single matrix that is repeated."""
    count, _, size = weight.shape
    products = ops.matmul(input1, weight.swapaxes(0, 1).reshape((-1, count * size)))
    output = (products.reshape((*products.shape[:-1], count, size)) * input2.expand_dims(-2)).sum(-1)
    return output if bias is None else output + bias


class Bilinear(Module):
    """torch.nn.Bilinear."""

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = empty_parameter((out_features, in1_features, in2_features), dtype)
        self.bias = empty_parameter((out_features,), dtype) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.in1_features)
        uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            uniform_(self.bias, -bound, bound)

    def construct(self, input1, input2):
        return bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        of_inputs = f"in1_features={self.in1_features}, in2_features={self.in2_features}"
        return f"{of_inputs}, out_features={self.out_features}, bias={self.bias is not None}"
