"""Convolutions as products of matrices: MindSpore's on CPU are computed value by value."""

import math

import mindspore
from mindspore import ops


class Windows:
    """What a convolution sees of an image at once, and how it moves on."""

    most_values = 2**24  # of all windows that are laid out at a time
    few_places = 64  # fewer columns than these make products by image slow

    def __init__(self, kernel, stride, padding, dilation, groups):
        self.kernel, self.stride, self.padding = tuple(kernel), tuple(stride), tuple(padding)
        self.dilation, self.groups = tuple(dilation), groups
        self.is_pixel = self.kernel == self.stride == (1, 1) and self.padding == (0, 0)

    def places(self, image):
        """How many windows there are in an image, by axis."""
        axes = zip(image.shape[2:], self.kernel, self.stride, self.padding, self.dilation)
        return tuple(
            (size + 2 * edge - gap * (width - 1) - 1) // step + 1 for size, width, step, edge, gap in axes
        )

    def of(self, image):
        """The values in the windows, a column for each: images, groups, values, windows."""
        batch, channels = image.shape[:2]
        if not self.is_pixel:
            image = ops.unfold(image, self.kernel, self.dilation, self.padding, self.stride)
        values = channels // self.groups * math.prod(self.kernel)
        return image.reshape((batch, self.groups, values, -1))

    def put(self, columns, size):
        """An image of what is in the windows, added up where they overlap."""
        batch, groups, values = columns.shape[:3]
        if self.is_pixel:
            return columns.reshape((batch, groups * values, *size))
        columns = columns.reshape((batch, groups * values, -1))
        size = mindspore.Tensor(size, mindspore.int32)
        return ops.fold(columns, size, self.kernel, self.dilation, self.padding, self.stride)

    def matrices(self, weight):
        """The weight as a matrix for each group."""
        return weight.reshape((self.groups, weight.shape[0] // self.groups, -1))

    def product(self, matrices, columns):
        """The columns of each image, multiplied by the matrices of their groups."""
        batch, groups, values, places = columns.shape
        if groups > 1 or places >= self.few_places:
            return ops.matmul(matrices, columns)
        rows = columns.reshape((batch, values, places)).swapaxes(1, 2).reshape((-1, values))
        result = ops.matmul(rows, matrices[0].swapaxes(0, 1))
        # in memory as PyTorch's: what is drawn for each value afterwards is drawn in that order
        return result.reshape((batch, places, -1)).swapaxes(1, 2).contiguous().expand_dims(1)

    def parts(self, batch, values, places):
        """The images in parts, so that no more values are laid out at a time than is good."""
        step = max(1, self.most_values // max(1, values * places))
        return [slice(start, start + step) for start in range(0, batch, step)]


class WindowsOfImage(Function):
    """The values in the windows of an image, as `Windows.of` lays them out."""

    @staticmethod
    def forward(ctx, image, windows):
        ctx.size, ctx.windows = image.shape[2:], windows
        return windows.of(image)

    @staticmethod
    def backward(ctx, gradient):
        return ImageOfWindows.apply(gradient, ctx.windows, ctx.size), None


class ImageOfWindows(Function):
    """An image of what is in its windows."""

    @staticmethod
    def forward(ctx, columns, windows, size):
        ctx.windows = windows
        return windows.put(columns, size)

    @staticmethod
    def backward(ctx, gradient):
        return WindowsOfImage.apply(gradient, ctx.windows), None, None


class ImageConvolution(Function):
    """torch.nn.functional.conv2d without a bias."""

    @staticmethod
    def forward(ctx, image, weight, windows):
        ctx.image, ctx.weight, ctx.windows = image, weight, windows
        places, matrices = windows.places(image), windows.matrices(weight)
        parts = windows.parts(image.shape[0], image.shape[1] * math.prod(windows.kernel), math.prod(places))
        results = [windows.product(matrices, windows.of(image[part])) for part in parts]
        result = results[0] if len(results) == 1 else ops.cat(results)
        return result.reshape((image.shape[0], weight.shape[0], *places))

    @staticmethod
    def backward(ctx, gradient):
        image, weight, windows = ctx.image, ctx.weight, ctx.windows
        asked = ctx.needs_input_grad
        of_image = ImageOfConvolution.apply(gradient, weight, windows, image.shape[2:]) if asked[0] else None
        of_weight = WeightOfConvolution.apply(image, gradient, windows) if asked[1] else None
        return of_image, of_weight, None


class ImageOfConvolution(Function):
    """torch.nn.functional.conv_transpose2d without a bias: the gradient of a convolution's image."""

    @staticmethod
    def forward(ctx, gradient, weight, windows, size):
        ctx.gradient, ctx.weight, ctx.windows = gradient, weight, windows
        batch, places = gradient.shape[0], math.prod(gradient.shape[2:])
        matrices = windows.matrices(weight).swapaxes(1, 2)
        columns = gradient.reshape((batch, windows.groups, -1, places))
        parts = windows.parts(batch, windows.groups * matrices.shape[1], places)
        results = [windows.put(windows.product(matrices, columns[part]), size) for part in parts]
        return results[0] if len(results) == 1 else ops.cat(results)

    @staticmethod
    def backward(ctx, gradient):
        windows, asked = ctx.windows, ctx.needs_input_grad
        first = ImageConvolution.apply(gradient, ctx.weight, windows) if asked[0] else None
        second = WeightOfConvolution.apply(gradient, ctx.gradient, windows) if asked[1] else None
        return first, second, None, None


class WeightOfConvolution(Function):
    """The gradient of a convolution's weight."""

    @staticmethod
    def forward(ctx, image, gradient, windows):
        ctx.image, ctx.gradient, ctx.windows = image, gradient, windows
        batch, channels, places = *image.shape[:2], math.prod(gradient.shape[2:])
        rows = gradient.reshape((batch, windows.groups, -1, places))
        multiply = ops.BatchMatMul(transpose_b=True)
        largest = max(places, gradient.shape[1] // windows.groups)
        parts = windows.parts(batch, channels * math.prod(windows.kernel), largest)
        result = sum(multiply(rows[part], windows.of(image[part])).sum(0) for part in parts)
        return result.reshape((gradient.shape[1], channels // windows.groups, *windows.kernel))

    @staticmethod
    def backward(ctx, gradient):
        windows, size, asked = ctx.windows, ctx.image.shape[2:], ctx.needs_input_grad
        first = ImageOfConvolution.apply(ctx.gradient, gradient, windows, size) if asked[0] else None
        second = ImageConvolution.apply(ctx.image, gradient, windows) if asked[1] else None
        return first, second, None


def is_multiplied(image, weight):
    """Whether a convolution is computed by products of matrices: on CPU, of numbers that these take."""
    kinds = (mindspore.float32, mindspore.float64)
    on_cpu = mindspore.get_context("device_target") == "CPU"
    return on_cpu and image.dtype == weight.dtype and image.dtype in kinds and 0 not in image.shape
