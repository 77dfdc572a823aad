"""Layers that take the number of their inputs from the first input."""

import mindspore
import numpy as np


class UninitializedParameter:
    """torch.nn.UninitializedParameter: makes a Parameter without values, to which
    `materialize` gives a shape."""

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        empty = mindspore.Tensor(np.zeros((0,)), mindspore.float32 if dtype is None else dtype)
        made = parameter(empty, requires_grad)
        made.__class__ = type(cls.__name__, (cls, type(made)), {})
        return made

    def __init__(self, *args, **kwargs):
        """It is a Parameter already."""

    def __deepcopy__(self, memo):
        return UninitializedParameter(self.requires_grad, dtype=self.dtype)

    def materialize(self, shape, device=None, dtype=None):
        """Become a Parameter of this shape."""
        self.__class__ = type(self).__bases__[1]
        self.assign_value(
            mindspore.Tensor(np.zeros(shape_of((shape,))), self.dtype if dtype is None else dtype)
        )


def is_lazy(param):
    """torch.nn.parameter.is_lazy: whether a Parameter has no values yet."""
    return isinstance(param, UninitializedParameter)


class LazyModule(Module):
    """torch.nn.modules.lazy.LazyModuleMixin: a subclass says which layer it becomes, for which axis."""

    becomes = None
    axis = 1

    def __init__(self, *args, **kwargs):
        Module.__init__(self)
        self.waiting = args, kwargs

    def has_uninitialized_params(self):
        return True

    def initialize_parameters(self, input):
        """Become the layer for inputs like this one."""
        (args, kwargs), training, layer = self.waiting, self.training, self.becomes
        size = input.shape[self.axis]
        self.__class__ = layer
        layer.__init__(self, size, *args, **kwargs)
        self.set_train(training)

    def __call__(self, input, *args, **kwargs):
        self.initialize_parameters(input)
        return self(input, *args, **kwargs)

    def construct(self, input):
        return self(input)


class LazyLinear(LazyModule, Linear):
    """torch.nn.LazyLinear."""

    becomes, axis = Linear, -1


class LazyConv1d(LazyModule, Conv1d):
    """torch.nn.LazyConv1d."""

    becomes, axis = Conv1d, -2


class LazyConv2d(LazyModule, Conv2d):
    """torch.nn.LazyConv2d."""

    becomes, axis = Conv2d, -3


class LazyConv3d(LazyModule, Conv3d):
    """torch.nn.LazyConv3d."""

    becomes, axis = Conv3d, -4


class LazyConvTranspose1d(LazyModule, ConvTranspose1d):
    """torch.nn.LazyConvTranspose1d."""

    becomes, axis = ConvTranspose1d, -2


class LazyConvTranspose2d(LazyModule, ConvTranspose2d):
    """torch.nn.LazyConvTranspose2d."""

    becomes, axis = ConvTranspose2d, -3


class LazyConvTranspose3d(LazyModule, ConvTranspose3d):
    """torch.nn.LazyConvTranspose3d."""

    becomes, axis = ConvTranspose3d, -4


class LazyNormalization(LazyModule):
    """torch.nn.modules.batchnorm._LazyNormBase: with weights and statistics unless told otherwise."""

    def __init__(
        self,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(eps, momentum, affine, track_running_stats, device, dtype, bias=bias)


class LazyBatchNorm1d(LazyNormalization, BatchNorm1d):
    """torch.nn.LazyBatchNorm1d."""

    becomes = BatchNorm1d


class LazyBatchNorm2d(LazyNormalization, BatchNorm2d):
    """torch.nn.LazyBatchNorm2d."""

    becomes = BatchNorm2d


class LazyBatchNorm3d(LazyNormalization, BatchNorm3d):
    """torch.nn.LazyBatchNorm3d."""

    becomes = BatchNorm3d


class LazyInstanceNorm1d(LazyNormalization, InstanceNorm1d):
    """torch.nn.LazyInstanceNorm1d."""

    becomes = InstanceNorm1d


class LazyInstanceNorm2d(LazyNormalization, InstanceNorm2d):
    """torch.nn.LazyInstanceNorm2d."""

    becomes = InstanceNorm2d


class LazyInstanceNorm3d(LazyNormalization, InstanceNorm3d):
    """torch.nn.LazyInstanceNorm3d."""

    becomes = InstanceNorm3d
