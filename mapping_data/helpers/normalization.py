"""Normalization."""

import math

import mindspore
from mindspore import ops


@in_image_layout
def batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5
):
    """torch.nn.functional.batch_norm: in training, the running statistics are updated in place."""
    if training and input.size == input.shape[1]:
        sizes = f"torch.Size({list(input.shape)})"
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {sizes}")
    share = float(momentum) if training else 0.1
    if input.dtype == mindspore.float64 or not 0 < eps <= 1 or not 0 <= share <= 1:
        return composed_batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    channels = input.shape[1]
    flat = input.reshape((input.shape[0], channels, -1, 1))
    weight = ops.ones((channels,), input.dtype) if weight is None else weight
    bias = ops.zeros((channels,), input.dtype) if bias is None else bias
    mean = ops.zeros((channels,), weight.dtype) if running_mean is None else running_mean
    variance = ops.ones((channels,), weight.dtype) if running_var is None else running_var
    normalize = ops.BatchNorm(is_training=training, epsilon=float(eps), momentum=share)
    return normalize(flat, weight, bias, mean, variance)[0].reshape(input.shape)


def composed_batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps):
    """The same for what MindSpore's own does not take: double precision, `eps` and shares beyond 1."""
    axes = (0, *range(2, input.ndim))
    along = (1, -1, *(1,) * (input.ndim - 2))
    mean, variance = running_mean, running_var
    if training:
        mean = input.mean(axes)
        variance = ops.square(input - mean.reshape(along)).mean(axes)
        if running_mean is not None:
            count = input.size // input.shape[1]
            for running, of_batch in ((running_mean, mean), (running_var, variance * count / (count - 1))):
                write_(running, running.asnumpy() * (1 - momentum) + of_batch.asnumpy() * momentum)
    output = (input - mean.reshape(along)) / ops.sqrt(variance.reshape(along) + eps)
    output = output if weight is None else output * weight.reshape(along)
    return output if bias is None else output + bias.reshape(along)


class NormalizationBase(Module):
    """torch.nn.modules.batchnorm._NormBase; a subclass says which ranks its inputs have."""

    ranks = ()

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.weight = empty_parameter((num_features,), dtype) if affine else None
        self.bias = empty_parameter((num_features,), dtype) if affine and bias else None
        self.running_mean = self.running_var = self.num_batches_tracked = None
        if track_running_stats:
            self.running_mean = empty_parameter((num_features,), dtype)
            self.running_var = empty_parameter((num_features,), dtype)
            self.num_batches_tracked = empty_parameter((), mindspore.int64)
            for statistic in (self.running_mean, self.running_var, self.num_batches_tracked):
                statistic.requires_grad = False
        self.reset_parameters()

    def reset_running_stats(self):
        if self.track_running_stats:
            zeros_(self.running_mean)
            ones_(self.running_var)
            zeros_(self.num_batches_tracked)

    def _load_from_state_dict(self, state_dict, prefix, *args):
        if self.num_batches_tracked is not None:
            state_dict.setdefault(prefix + "num_batches_tracked", mindspore.Tensor(0, mindspore.int64))
        super()._load_from_state_dict(state_dict, prefix, *args)

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            ones_(self.weight)
        if self.bias is not None:
            zeros_(self.bias)

    def _check_input_dim(self, input):
        if self.ranks and input.ndim not in self.ranks:
            raise ValueError(f"the input has {input.ndim} dimensions, not one of {self.ranks}")

    def extra_repr(self):
        sizes = f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}"
        return f"{sizes}, bias={self.bias is not None}, track_running_stats={self.track_running_stats}"


class BatchNormBase(NormalizationBase):
    """torch.nn.modules.batchnorm._BatchNorm."""

    def construct(self, input):
        self._check_input_dim(input)
        momentum = self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.set_data(self.num_batches_tracked + 1)
            if momentum is None:
                momentum = 1.0 / float(self.num_batches_tracked)
        return batch_norm(
            input,
            self.running_mean if self.track_running_stats else None,
            self.running_var if self.track_running_stats else None,
            self.weight,
            self.bias,
            self.training or self.running_mean is None,
            momentum or 0.0,
            self.eps,
        )


class BatchNorm1d(BatchNormBase):
    """torch.nn.BatchNorm1d."""

    ranks = (2, 3)


class BatchNorm2d(BatchNormBase):
    """torch.nn.BatchNorm2d."""

    ranks = (4,)


class BatchNorm3d(BatchNormBase):
    """torch.nn.BatchNorm3d."""

    ranks = (5,)


class SyncBatchNorm(BatchNormBase):
    """torch.nn.SyncBatchNorm; the statistics are those of this process."""

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        process_group=None,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        """The module itself: its statistics are those of this process."""
        return module


def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-5,
):
    """torch.nn.functional.instance_norm: running statistics are updated in place."""
    channels = (1, input.shape[1], *(1,) * (input.ndim - 2))
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    axes = tuple(range(2, input.ndim))
    mean = input.mean(axes, keep_dims=True)
    variance = ((input - mean) ** 2).mean(axes, keep_dims=True)
    if running_mean is not None:
        count = math.prod(input.shape[2:])
        average = ops.stop_gradient(mean.mean(0).reshape(-1))
        unbiased = ops.stop_gradient(variance.mean(0).reshape(-1)) * (count / (count - 1))
        running_mean.copy_((1 - momentum) * running_mean + momentum * average)
        running_var.copy_((1 - momentum) * running_var + momentum * unbiased)
    output = (input - mean) * ops.rsqrt(variance + eps)
    output = output if weight is None else output * weight.reshape(channels)
    return output if bias is None else output + bias.reshape(channels)


class InstanceNormBase(NormalizationBase):
    """torch.nn.modules.instancenorm._InstanceNorm."""

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def construct(self, input):
        self._check_input_dim(input)
        if self.ranks and input.ndim == min(self.ranks):
            return self.construct(input.expand_dims(0)).squeeze(0)
        own = self.training or not self.track_running_stats
        statistics = (self.running_mean, self.running_var)
        return instance_norm(input, *statistics, self.weight, self.bias, own, self.momentum or 0.0, self.eps)


class InstanceNorm1d(InstanceNormBase):
    """torch.nn.InstanceNorm1d."""

    ranks = (2, 3)


class InstanceNorm2d(InstanceNormBase):
    """torch.nn.InstanceNorm2d."""

    ranks = (3, 4)


class InstanceNorm3d(InstanceNormBase):
    """torch.nn.InstanceNorm3d."""

    ranks = (4, 5)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """torch.nn.functional.layer_norm."""
    shape = tuple_of(normalized_shape, 1)
    weight = ops.ones(shape, input.dtype) if weight is None else weight
    bias = ops.zeros(shape, input.dtype) if bias is None else bias
    first = input.ndim - len(shape)
    normalize = ops.LayerNorm(begin_norm_axis=first, begin_params_axis=first, epsilon=float(eps))
    return normalize(input, weight, bias)[0]


class LayerNorm(Module):
    """torch.nn.LayerNorm; `normalized_shape` is a number or any sequence."""

    def __init__(
        self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None
    ):
        super().__init__()
        self.normalized_shape = tuple_of(normalized_shape, 1)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = empty_parameter(self.normalized_shape, dtype) if elementwise_affine else None
        self.bias = empty_parameter(self.normalized_shape, dtype) if elementwise_affine and bias else None
        self.reset_parameters()

    def reset_parameters(self):
        if self.weight is not None:
            ones_(self.weight)
        if self.bias is not None:
            zeros_(self.bias)

    def construct(self, input):
        return layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        affine = f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, {affine}"


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """torch.nn.functional.rms_norm."""
    axes = tuple(range(-len(tuple_of(normalized_shape, 1)), 0))
    if eps is None:
        eps = float(limits_of(input.dtype)[1])
    if input.dtype == mindspore.float16:  # squares are too large for it
        weight = None if weight is None else weight.astype(mindspore.float32)
        output = rms_norm(input.astype(mindspore.float32), normalized_shape, weight, eps)
        return output.astype(mindspore.float16)
    output = input * ops.rsqrt((input * input).mean(axes, keep_dims=True) + eps)
    return output if weight is None else output * weight


class RMSNorm(Module):
    """torch.nn.RMSNorm."""

    _shown = ("normalized_shape", "eps=", "elementwise_affine=")

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = tuple_of(normalized_shape, 1)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = empty_parameter(self.normalized_shape, dtype) if elementwise_affine else None
        self.reset_parameters()

    def reset_parameters(self):
        if self.weight is not None:
            ones_(self.weight)

    def construct(self, input):
        return rms_norm(input, self.normalized_shape, self.weight, self.eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """torch.nn.functional.group_norm."""
    channels = input.shape[1]
    weight = ops.ones((channels,), input.dtype) if weight is None else weight
    bias = ops.zeros((channels,), input.dtype) if bias is None else bias
    return ops.group_norm(input, num_groups, weight, bias, float(eps))


class GroupNorm(Module):
    """torch.nn.GroupNorm."""

    def __init__(
        self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True
    ):
        super().__init__()
        if num_channels % num_groups:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self.weight = empty_parameter((num_channels,), dtype) if affine else None
        self.bias = empty_parameter((num_channels,), dtype) if affine and bias else None
        self.reset_parameters()

    def reset_parameters(self):
        if self.weight is not None:
            ones_(self.weight)
        if self.bias is not None:
            zeros_(self.bias)

    def construct(self, input):
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        affine = f"affine={self.affine}, bias={self.bias is not None}"
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, {affine}"


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """torch.nn.functional.local_response_norm."""
    squares = pad((input * input).swapaxes(1, -1), (size // 2, (size - 1) // 2)).swapaxes(1, -1)
    total = sum(ops.narrow(squares, 1, start, input.shape[1]) for start in range(size))
    return input / (k + alpha * total / size) ** beta


class LocalResponseNorm(Module):
    """torch.nn.LocalResponseNorm."""

    _shown = ("size", "alpha=", "beta=", "k=")

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def construct(self, input):
        return local_response_norm(input, self.size, self.alpha, self.beta, self.k)


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """torch.nn.functional.normalize."""
    return input / ops.clamp(vector_norm(input, p, dim, keepdim=True), min=eps)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    """torch.linalg.vector_norm: also the norm of PyTorch's `norm` with a number as `p`."""
    x = x if dtype is None else x.astype(dtype)
    x = ops.abs(x) if x.is_complex() else x
    if x.dtype == mindspore.float16:  # powers are too large for it
        found = vector_norm(x.astype(mindspore.float32), ord, dim, keepdim)
        return found.astype(mindspore.float16)
    if dim is None:
        shape = (1,) * x.ndim
        x, dim = x.reshape(-1), 0
        result = vector_norm(x, ord, dim)
        return result.reshape(shape) if keepdim else result
    axes = tuple_of(dim, 1)
    if ord == math.inf:
        return ops.amax(ops.abs(x), axes, keepdim)
    if ord == -math.inf:
        return ops.amin(ops.abs(x), axes, keepdim)
    if ord == 0:
        without_influence = 0 * ops.where(ops.isfinite(x), x, ops.zeros_like(x))  # has a gradient, of 0
        return ((x != 0).astype(x.dtype) + without_influence).sum(axes, keepdims=keepdim)
    if ord == 1:
        return ops.abs(x).sum(axes, keepdims=keepdim)
    if ord == 2:
        squares = (x * x).sum(axes, keepdims=keepdim)
        # the gradient of a norm of 0 is 0
        zero = squares == 0
        return ops.where(
            zero, ops.zeros_like(squares), ops.sqrt(ops.where(zero, ops.ones_like(squares), squares))
        )
    return (ops.abs(x) ** ord).sum(axes, keepdims=keepdim) ** (1.0 / ord)


def torch_batch_norm(
    input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled=False
):
    """torch.batch_norm."""
    return batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def torch_instance_norm(
    input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled=False
):
    """torch.instance_norm."""
    return instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


def torch_layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    """torch.layer_norm."""
    return layer_norm(input, normalized_shape, weight, bias, eps)


def torch_group_norm(input, num_groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True):
    """torch.group_norm."""
    return group_norm(input, num_groups, weight, bias, eps)
