"""torchvision.ops: boxes, losses and layers."""

import mindspore
import numpy as np
from mindspore import ops


def box_area(boxes):
    """torchvision.ops.box_area."""
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_overlaps(boxes1, boxes2):
    """The areas that each two boxes share, and that they cover together."""
    low = ops.maximum(boxes1[:, None, :2], boxes2[None, :, :2])
    high = ops.minimum(boxes1[:, None, 2:], boxes2[None, :, 2:])
    sides = ops.clamp(high - low, 0)
    shared = sides[:, :, 0] * sides[:, :, 1]
    return shared, box_area(boxes1)[:, None] + box_area(boxes2)[None, :] - shared


def box_iou(boxes1, boxes2):
    """torchvision.ops.box_iou."""
    shared, together = box_overlaps(boxes1, boxes2)
    return shared / together


def generalized_box_iou(boxes1, boxes2):
    """torchvision.ops.generalized_box_iou."""
    shared, together = box_overlaps(boxes1, boxes2)
    low = ops.minimum(boxes1[:, None, :2], boxes2[None, :, :2])
    high = ops.maximum(boxes1[:, None, 2:], boxes2[None, :, 2:])
    sides = ops.clamp(high - low, 0)
    around = sides[:, :, 0] * sides[:, :, 1]
    return shared / together - (around - together) / around


def distance_box_iou(boxes1, boxes2, eps=1e-7):
    """torchvision.ops.distance_box_iou."""
    shared, together = box_overlaps(boxes1, boxes2)
    return shared / together - distance_of_middles(boxes1[:, None], boxes2[None], eps)


def distance_of_middles(boxes1, boxes2, eps):
    """How far the middles of boxes are apart, squared, as a share of the diagonal around both."""
    apart = (boxes1[..., :2] + boxes1[..., 2:] - boxes2[..., :2] - boxes2[..., 2:]) / 2
    around = ops.maximum(boxes1[..., 2:], boxes2[..., 2:]) - ops.minimum(boxes1[..., :2], boxes2[..., :2])
    return (apart**2).sum(-1) / ((around**2).sum(-1) + eps)


def unlike_shapes(boxes1, boxes2):
    """How different the shapes of boxes are, between 0 and 1."""
    first, second = (
        ops.atan((each[..., 2] - each[..., 0]) / (each[..., 3] - each[..., 1])) for each in (boxes1, boxes2)
    )
    return 4 / np.pi**2 * (first - second) ** 2


def complete_box_iou(boxes1, boxes2, eps=1e-7):
    """torchvision.ops.complete_box_iou."""
    shape = unlike_shapes(boxes1[:, None], boxes2[None])
    weight = ops.stop_gradient(shape / (1 - box_iou(boxes1, boxes2) + shape + eps))
    return distance_box_iou(boxes1, boxes2, eps) - weight * shape


def overlap_of_pairs(boxes1, boxes2, eps):
    """The share that the boxes of each pair have in common, and the area that they cover together."""
    high, low = ops.minimum(boxes1[..., 2:], boxes2[..., 2:]), ops.maximum(boxes1[..., :2], boxes2[..., :2])
    is_shared = (high > low).all(-1)
    shared = ops.where(is_shared, (high - low).prod(-1), ops.zeros_like(high[..., 0]))
    first, second = ((each[..., 2:] - each[..., :2]).prod(-1) for each in (boxes1, boxes2))
    together = first + second - shared
    return shared / (together + eps), together


def reduced_loss(loss, reduction):
    """The losses of boxes as they are asked for."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(
            f"Invalid Value for arg 'reduction': '{reduction} \n "
            "Supported reduction modes: 'none', 'mean', 'sum'"
        )
    if reduction == "mean":
        return loss.mean() if loss.shape[0:1] != (0,) else 0.0 * loss.sum()
    return loss if reduction == "none" else loss.sum()


def generalized_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-7):
    """torchvision.ops.generalized_box_iou_loss."""
    share, together = overlap_of_pairs(boxes1, boxes2, eps)
    around = ops.maximum(boxes1[..., 2:], boxes2[..., 2:]) - ops.minimum(boxes1[..., :2], boxes2[..., :2])
    around = around.prod(-1)
    return reduced_loss(1 - (share - (around - together) / (around + eps)), reduction)


def distance_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-7):
    """torchvision.ops.distance_box_iou_loss."""
    share, _ = overlap_of_pairs(boxes1, boxes2, eps)
    return reduced_loss(1 - share + distance_of_middles(boxes1, boxes2, eps), reduction)


def complete_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-7):
    """torchvision.ops.complete_box_iou_loss."""
    share, _ = overlap_of_pairs(boxes1, boxes2, 1e-7)
    shape = unlike_shapes(boxes1, boxes2)
    weight = ops.stop_gradient(shape / (1 - share + shape + eps))
    return reduced_loss(1 - share + distance_of_middles(boxes1, boxes2, 1e-7) + weight * shape, reduction)


def box_convert(boxes, in_fmt, out_fmt):
    """torchvision.ops.box_convert, between `xyxy`, `xywh` and `cxcywh`."""
    if not {in_fmt, out_fmt} <= {"xyxy", "xywh", "cxcywh"}:
        raise ValueError(f"boxes cannot be converted from {in_fmt} to {out_fmt}")
    if in_fmt == out_fmt:
        return boxes
    a, b, c, d = (boxes[..., part] for part in range(4))
    if in_fmt == "xywh":
        a, b, c, d = a, b, a + c, b + d
    elif in_fmt == "cxcywh":
        a, b, c, d = a - 0.5 * c, b - 0.5 * d, a + 0.5 * c, b + 0.5 * d
    if out_fmt == "xywh":
        a, b, c, d = a, b, c - a, d - b
    elif out_fmt == "cxcywh":
        a, b, c, d = (a + c) / 2, (b + d) / 2, c - a, d - b
    return ops.stack([a, b, c, d], -1)


def clip_boxes_to_image(boxes, size):
    """torchvision.ops.clip_boxes_to_image; `size` is height and width."""
    height, width = size
    x, y = ops.clamp(boxes[..., 0::2], 0, width), ops.clamp(boxes[..., 1::2], 0, height)
    return ops.stack([x, y], boxes.ndim).reshape(boxes.shape)


def remove_small_boxes(boxes, min_size):
    """torchvision.ops.remove_small_boxes: which boxes have sides of this length."""
    values = boxes.asnumpy()
    kept = (values[:, 2] - values[:, 0] >= min_size) & (values[:, 3] - values[:, 1] >= min_size)
    return mindspore.Tensor(np.flatnonzero(kept).astype(np.int64))


def nms(boxes, scores, iou_threshold):
    """torchvision.ops.nms: which boxes are kept, the best first. Those without an area, whose overlap cannot
    be told, do not drive each other out."""
    values = boxes.asnumpy().astype(np.float32)
    order = np.argsort(-scores.asnumpy(), kind="stable")
    areas = (values[:, 2] - values[:, 0]) * (values[:, 3] - values[:, 1])
    kept = []
    while order.size:
        best, order = order[0], order[1:]
        kept.append(best)
        low, high = (
            np.maximum(values[best, :2], values[order, :2]),
            np.minimum(values[best, 2:], values[order, 2:]),
        )
        shared = (high - low).clip(0).prod(1)
        with np.errstate(divide="ignore", invalid="ignore"):
            overlap = shared / (areas[best] + areas[order] - shared)
        order = order[~(overlap > iou_threshold)]
    return mindspore.Tensor(np.array(kept, np.int64))


def batched_nms(boxes, scores, idxs, iou_threshold):
    """torchvision.ops.batched_nms: boxes of different classes do not drive each other out."""
    if not boxes.shape[0]:
        return mindspore.Tensor(np.zeros(0, np.int64))
    apart = idxs.astype(boxes.dtype) * (boxes.max() + 1)
    return nms(boxes + apart[:, None], scores, iou_threshold)


def sigmoid_focal_loss(inputs, targets, alpha=0.25, gamma=2, reduction="none"):
    """torchvision.ops.sigmoid_focal_loss."""
    share = ops.sigmoid(inputs)
    loss = binary_cross_entropy_with_logits(inputs, targets, reduction="none")
    hit = share * targets + (1 - share) * (1 - targets)
    loss = loss * (1 - hit) ** gamma
    if alpha >= 0:
        loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"reduction is none, mean or sum, not {reduction}")
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()


def stochastic_depth(input, p, mode, training=True):
    """torchvision.ops.stochastic_depth: drops whole samples, or all."""
    if not 0 <= p <= 1 or mode not in ("batch", "row"):
        raise ValueError(f"p is between 0 and 1, mode batch or row: {p}, {mode}")
    if not training or p == 0.0:
        return input
    shape = (input.shape[0] if mode == "row" else 1,) + (1,) * (input.ndim - 1)
    return input * kept(shape, p, input.dtype) / (1 - p if p < 1 else 1)


class StochasticDepth(Module):
    """torchvision.ops.StochasticDepth."""

    def __init__(self, p, mode):
        super().__init__()
        self.p = p
        self.mode = mode

    def construct(self, input):
        return stochastic_depth(input, self.p, self.mode, self.training)


class FrozenBatchNorm2d(Module):
    """torchvision.ops.FrozenBatchNorm2d."""

    def __init__(self, num_features, eps=1e-5):
        super().__init__()
        self.eps = eps
        for name, value in (("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, mindspore.Tensor(np.full(num_features, value, np.float32)))

    def construct(self, x):
        weight, bias, mean, variance = (
            value.reshape((1, -1, 1, 1))
            for value in (self.weight, self.bias, self.running_mean, self.running_var)
        )
        scale = weight / ops.sqrt(variance + self.eps)
        return x * scale + (bias - mean * scale)


class ConvNormActivation(Sequential):
    """torchvision.ops.misc.ConvNormActivation."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size=3,
        stride=1,
        padding=None,
        groups=1,
        norm_layer=BatchNorm2d,
        activation_layer=ReLU,
        dilation=1,
        inplace=True,
        bias=None,
        conv_layer=None,
    ):
        if padding is None:
            sides = [
                value if isinstance(value, (tuple, list)) else (value,) for value in (kernel_size, dilation)
            ]
            axes = max(map(len, sides))
            kernels, gaps = (tuple(side) * axes if len(side) == 1 else tuple(side) for side in sides)
            padding = tuple((kernel - 1) // 2 * gap for kernel, gap in zip(kernels, gaps))
            padding = padding[0] if axes == 1 else padding
        convolution = (conv_layer or Conv2d)(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation=dilation,
            groups=groups,
            bias=norm_layer is None if bias is None else bias,
        )
        layers = [convolution]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer(**({} if inplace is None else {"inplace": inplace})))
        super().__init__(*layers)
        self.out_channels = out_channels


class Conv2dNormActivation(ConvNormActivation):
    """torchvision.ops.Conv2dNormActivation."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size=3,
        stride=1,
        padding=None,
        groups=1,
        norm_layer=BatchNorm2d,
        activation_layer=ReLU,
        dilation=1,
        inplace=True,
        bias=None,
    ):
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            groups,
            norm_layer,
            activation_layer,
            dilation,
            inplace,
            bias,
            Conv2d,
        )


class Conv3dNormActivation(ConvNormActivation):
    """torchvision.ops.Conv3dNormActivation."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size=3,
        stride=1,
        padding=None,
        groups=1,
        norm_layer=BatchNorm3d,
        activation_layer=ReLU,
        dilation=1,
        inplace=True,
        bias=None,
    ):
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            groups,
            norm_layer,
            activation_layer,
            dilation,
            inplace,
            bias,
            Conv3d,
        )


class SqueezeExcitation(Module):
    """torchvision.ops.SqueezeExcitation."""

    def __init__(self, input_channels, squeeze_channels, activation=ReLU, scale_activation=Sigmoid):
        super().__init__()
        self.avgpool = AdaptiveAvgPool2d(1)
        self.fc1 = Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = Conv2d(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()

    def construct(self, input):
        scale = self.activation(self.fc1(self.avgpool(input)))
        return self.scale_activation(self.fc2(scale)) * input


class MLP(Sequential):
    """torchvision.ops.MLP."""

    def __init__(
        self,
        in_channels,
        hidden_channels,
        norm_layer=None,
        activation_layer=ReLU,
        inplace=None,
        bias=True,
        dropout=0.0,
    ):
        options = {} if inplace is None else {"inplace": inplace}
        layers = []
        for width in hidden_channels[:-1]:
            layers.append(Linear(in_channels, width, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(width))
            layers += [activation_layer(**options), Dropout(dropout, **options)]
            in_channels = width
        layers += [Linear(in_channels, hidden_channels[-1], bias=bias), Dropout(dropout, **options)]
        super().__init__(*layers)


class PermuteAxes(Module):
    """torchvision.ops.Permute."""

    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def construct(self, x):
        return x.permute(tuple(self.dims))


def masks_to_boxes(masks):
    """torchvision.ops.masks_to_boxes: the corners of what each mask marks; zeros for an empty one."""
    if not masks.size:
        return ops.zeros((0, 4), mindspore.float32)
    kept = masks.asnumpy() != 0
    found = np.zeros((len(kept), 4), np.float32)
    for number, mask in enumerate(kept):
        rows, columns = np.nonzero(mask)
        if rows.size:
            found[number] = columns.min(), rows.min(), columns.max(), rows.max()
    return mindspore.Tensor(found)
