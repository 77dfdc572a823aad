"""Convolutions."""

import math

import mindspore
from mindspore import ops


def tuple_of(value, count):
    """A number, also one in a sequence, as `count` numbers; a longer sequence as a tuple."""
    if getattr(value, "ndim", None) == 0:
        value = value.item()
    if isinstance(value, (int, float)):
        return (value,) * count
    return tuple(value) * count if len(value) == 1 else tuple(value)


def kept_numbers(value, count):
    """A number as `count` numbers; a sequence as a tuple of its numbers, as PyTorch's layers keep them."""
    is_number = getattr(value, "ndim", None) == 0 or not hasattr(value, "__iter__")
    return (value,) * count if is_number else tuple(value)


def same_padding(kernel_size, dilation):
    """The padding, as `pad` takes it, that keeps the size; PyTorch puts the odd one behind."""
    padding = []
    for size, step in zip(reversed(kernel_size), reversed(dilation)):
        total = step * (size - 1)
        padding += [total // 2, total - total // 2]
    return padding


def convolution(convolve, input, weight, bias, stride, padding, dilation, groups):
    """What conv1d, conv2d and conv3d have in common; an input without a batch gets one."""
    spatial = weight.ndim - 2
    if input.ndim == spatial + 1:
        arguments = (weight, bias, stride, padding, dilation, groups)
        return convolution(convolve, input.expand_dims(0), *arguments).squeeze(0)
    stride, dilation = tuple_of(stride, spatial), tuple_of(dilation, spatial)
    if padding == "same":
        input = pad(input, same_padding(weight.shape[2:], dilation))
    padding = (0,) * spatial if isinstance(padding, str) else tuple_of(padding, spatial)
    return convolve(input, weight, bias, stride, padding, dilation, groups)


def native_convolution(convolve, input, weight, bias, stride, padding, dilation, groups):
    """MindSpore's convolution, in single precision where numbers are double."""
    if input.dtype == mindspore.float64:
        parts = [part if part is None else part.float() for part in (input, weight, bias)]
        return native_convolution(convolve, *parts, stride, padding, dilation, groups).double()
    return convolve(input, weight, bias, stride, "pad", padding, dilation, groups)


def image_convolution(input, weight, bias, stride, padding, dilation, groups):
    """The convolution of images with a batch."""
    if not is_multiplied(input, weight):
        return native_convolution(ops.conv2d, input, weight, bias, stride, padding, dilation, groups)
    windows = Windows(weight.shape[2:], stride, padding, dilation, groups)
    result = ImageConvolution.apply(input, weight, windows)
    return result if bias is None else result + bias.reshape((1, -1, 1, 1))


def volume_convolution(input, weight, bias, stride, padding, dilation, groups):
    """The convolution of volumes with a batch: that of images whose channels are those of all layers that a
    kernel sees at once."""
    if not is_multiplied(input, weight):
        return native_convolution(ops.conv3d, input, weight, bias, stride, padding, dilation, groups)
    batch, channels, depth, *size = input.shape
    layers = Windows((weight.shape[2], 1), (stride[0], 1), (padding[0], 0), (dilation[0], 1), 1)
    flat = input.reshape((batch, channels, depth, -1))
    count, seen = layers.places(flat)[0], channels * weight.shape[2]
    images = WindowsOfImage.apply(flat, layers).reshape((batch, seen, count, *size))
    images = images.transpose((0, 2, 1, 3, 4)).reshape((batch * count, seen, *size))
    weight = weight.reshape((weight.shape[0], -1, *weight.shape[3:]))
    result = image_convolution(images, weight, bias, stride[1:], padding[1:], dilation[1:], groups)
    return result.reshape((batch, count, *result.shape[1:])).transpose((0, 2, 1, 3, 4)).contiguous()


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """torch.nn.functional.conv1d."""

    def convolve(input, weight, bias, stride, padding, dilation, groups):
        wide = [(1, step[0]) for step in (stride, dilation)]
        input, weight = input.expand_dims(2), weight.expand_dims(2)
        return image_convolution(input, weight, bias, wide[0], (0, *padding), wide[1], groups).squeeze(2)

    return convolution(convolve, input, weight, bias, stride, padding, dilation, groups)


@in_image_layout
def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """torch.nn.functional.conv2d."""
    return convolution(image_convolution, input, weight, bias, stride, padding, dilation, groups)


@in_image_layout
def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """torch.nn.functional.conv3d."""
    return convolution(volume_convolution, input, weight, bias, stride, padding, dilation, groups)


def spread(input, axis, step):
    """The values of an axis with `step - 1` zeros between them."""
    if step == 1:
        return input
    shape = list(input.shape)
    zeros = ops.zeros((*shape[: axis + 1], step - 1, *shape[axis + 1 :]), input.dtype)
    wide = ops.cat([input.expand_dims(axis + 1), zeros], axis + 1)
    wide = wide.reshape((*shape[:axis], shape[axis] * step, *shape[axis + 1 :]))
    return ops.narrow(wide, axis, 0, (shape[axis] - 1) * step + 1)


def transposed_image_convolution(input, weight, bias, windows, output_padding):
    """The transposed convolution of images with a batch, where it is computed by products of matrices."""
    axes = zip(
        input.shape[2:], windows.kernel, windows.stride, windows.padding, windows.dilation, output_padding
    )
    size = tuple(
        (count - 1) * step - 2 * edge + gap * (width - 1) + 1 + more
        for count, width, step, edge, gap, more in axes
    )
    result = ImageOfConvolution.apply(input, weight, windows, size)
    return result if bias is None else result + bias.reshape((1, -1, 1, 1))


def transposed_convolution(convolve, input, weight, bias, stride, padding, output_padding, groups, dilation):
    """What the conv_transpose functions have in common: a convolution of the input with zeros in between."""
    spatial = weight.ndim - 2
    if input.ndim == spatial + 1:
        arguments = (weight, bias, stride, padding, output_padding, groups, dilation)
        return transposed_convolution(convolve, input.expand_dims(0), *arguments).squeeze(0)
    stride, padding, output_padding, dilation = (
        tuple_of(value, spatial) for value in (stride, padding, output_padding, dilation)
    )
    if spatial == 2 and is_multiplied(input, weight):
        windows = Windows(weight.shape[2:], stride, padding, dilation, groups)
        return transposed_image_convolution(input, weight, bias, windows, output_padding)
    edges = []
    for axis in range(spatial):
        input = spread(input, axis + 2, stride[axis])
        reach = dilation[axis] * (weight.shape[axis + 2] - 1) - padding[axis]
        edges = [reach, reach + output_padding[axis], *edges]
    kernel = weight.shape[2:]
    weight = weight.reshape((groups, weight.shape[0] // groups, weight.shape[1], *kernel)).swapaxes(1, 2)
    weight = ops.flip(weight.reshape((-1, weight.shape[2], *kernel)), tuple(range(2, spatial + 2)))
    return convolve(pad(input, edges), weight, bias, 1, 0, dilation, groups)


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """torch.nn.functional.conv_transpose1d."""
    stride, padding, output_padding, dilation = (
        tuple_of(value, 1) for value in (stride, padding, output_padding, dilation)
    )
    arguments = (weight.expand_dims(2), bias, (1, *stride), (0, *padding), (0, *output_padding), groups)
    return conv_transpose2d(input.expand_dims(-2), *arguments, (1, *dilation)).squeeze(-2)


@in_image_layout
def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """torch.nn.functional.conv_transpose2d."""
    return transposed_convolution(
        conv2d, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


@in_image_layout
def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """torch.nn.functional.conv_transpose3d."""
    return transposed_convolution(
        conv3d, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


class ConvolutionBase(Module):
    """What PyTorch's convolution layers have in common; a subclass says how many dimensions it has."""

    spatial = 2
    transposed = False

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        if in_channels % groups or out_channels % groups:
            raise ValueError("in_channels and out_channels must be divisible by groups")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = tuple_of(kernel_size, self.spatial)
        self.stride = kept_numbers(stride, self.spatial)
        self.padding = padding if isinstance(padding, str) else kept_numbers(padding, self.spatial)
        self.dilation = kept_numbers(dilation, self.spatial)
        self.output_padding = (0,) * self.spatial
        self.groups = groups
        self.padding_mode = padding_mode
        channels = (
            (in_channels, out_channels // groups)
            if self.transposed
            else (out_channels, in_channels // groups)
        )
        self.weight = empty_parameter((*channels, *self.kernel_size), dtype)
        self.bias = empty_parameter((out_channels,), dtype) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        kaiming_uniform_(self.weight, a=math.sqrt(5))
        fan_in = math.prod(self.weight.shape[1:])
        if self.bias is not None and fan_in > 0:
            uniform_(self.bias, -1 / math.sqrt(fan_in), 1 / math.sqrt(fan_in))

    def _edges(self):
        """The padding as `pad` takes it."""
        if self.padding == "same":
            return same_padding(self.kernel_size, tuple_of(self.dilation, self.spatial))
        numbers = (0,) * self.spatial if self.padding == "valid" else tuple_of(self.padding, self.spatial)
        return [edge for number in reversed(numbers) for edge in (number, number)]

    def _conv_forward(self, input, weight, bias):
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = pad(input, self._edges(), self.padding_mode), 0
        return self.convolve(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def construct(self, input):
        return self._conv_forward(input, self.weight, self.bias)

    def extra_repr(self):
        none, one = (0,) * self.spatial, (1,) * self.spatial
        usual = {
            "padding": none,
            "dilation": one,
            "output_padding": none,
            "groups": 1,
            "padding_mode": "zeros",
        }
        parts = [f"{name}={getattr(self, name)}" for name in ("kernel_size", "stride")]
        parts += [f"{name}={getattr(self, name)}" for name in usual if getattr(self, name) != usual[name]]
        parts.insert(
            -1 if self.padding_mode != "zeros" else len(parts), "" if self.bias is not None else "bias=False"
        )
        return ", ".join([str(self.in_channels), str(self.out_channels), *filter(None, parts)])


class Conv1d(ConvolutionBase):
    """torch.nn.Conv1d."""

    spatial = 1
    convolve = staticmethod(conv1d)


class Conv2d(ConvolutionBase):
    """torch.nn.Conv2d."""

    spatial = 2
    convolve = staticmethod(conv2d)


class Conv3d(ConvolutionBase):
    """torch.nn.Conv3d."""

    spatial = 3
    convolve = staticmethod(conv3d)


class TransposedConvolutionBase(ConvolutionBase):
    """What PyTorch's transposed convolution layers have in common."""

    transposed = True

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )
        self.output_padding = kept_numbers(output_padding, self.spatial)

    def construct(self, input, output_size=None):
        output_padding = self.output_padding
        if output_size is not None:
            least = [
                (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1
                for size, stride, padding, dilation, kernel in zip(
                    input.shape[-self.spatial :], self.stride, self.padding, self.dilation, self.kernel_size
                )
            ]
            output_padding = [size - low for size, low in zip(tuple(output_size)[-self.spatial :], least)]
        return self.convolve(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            output_padding,
            self.groups,
            self.dilation,
        )


class ConvTranspose1d(TransposedConvolutionBase):
    """torch.nn.ConvTranspose1d."""

    spatial = 1
    convolve = staticmethod(conv_transpose1d)


class ConvTranspose2d(TransposedConvolutionBase):
    """torch.nn.ConvTranspose2d."""

    spatial = 2
    convolve = staticmethod(conv_transpose2d)


class ConvTranspose3d(TransposedConvolutionBase):
    """torch.nn.ConvTranspose3d."""

    spatial = 3
    convolve = staticmethod(conv_transpose3d)
