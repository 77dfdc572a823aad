"""Losses."""

import math

import mindspore
import numpy as np
from mindspore import ops


def reduction_of(size_average, reduce, reduction):
    """The reduction that PyTorch's two old flags stand for, if they are given."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"


def reduction_number(reduction):
    """torch.nn._reduction.get_enum: the number that stands for a reduction."""
    numbers = {"none": 0, "mean": 1, "elementwise_mean": 1, "sum": 2}
    if reduction not in numbers:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return numbers[reduction]


def old_reduction(size_average, reduce, emit_warning=True):
    """torch.nn._reduction.legacy_get_string."""
    return reduction_of(size_average is None or size_average, reduce, None)


def old_reduction_number(size_average, reduce, emit_warning=True):
    """torch.nn._reduction.legacy_get_enum."""
    return reduction_number(old_reduction(size_average, reduce))


def reduced(loss, reduction):
    """The mean, the sum or the values themselves."""
    if reduction == "none":
        return loss
    if reduction not in ("mean", "sum"):
        raise ValueError(f"reduction is none, mean or sum, not {reduction}")
    return loss.mean() if reduction == "mean" else loss.sum()


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """torch.nn.functional.l1_loss."""
    loss = ops.abs(input - target)
    return weighted(loss, weight, reduction_of(size_average, reduce, reduction))


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """torch.nn.functional.mse_loss."""
    return weighted((input - target) ** 2, weight, reduction_of(size_average, reduce, reduction))


def weighted(loss, weight, reduction):
    """The reduced loss; with weights, the mean is that of PyTorch: divided by their sum."""
    if weight is None:
        return reduced(loss, reduction)
    total = reduced(loss * weight, "none" if reduction == "none" else "sum")
    return total / ops.broadcast_to(weight, loss.shape).sum() if reduction == "mean" else total


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """torch.nn.functional.smooth_l1_loss."""
    distance = ops.abs(input - target)
    if beta > 0:
        distance = ops.where(distance < beta, 0.5 * distance**2 / beta, distance - 0.5 * beta)
    return reduced(distance, reduction_of(size_average, reduce, reduction))


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """torch.nn.functional.huber_loss."""
    distance = ops.abs(input - target)
    loss = ops.where(distance < delta, 0.5 * distance**2, delta * (distance - 0.5 * delta))
    return reduced(loss if weight is None else loss * weight, reduction)


class BinaryCrossEntropy(Function):
    """The cross entropy of probabilities, each by itself: a logarithm of 0 has a gradient, too."""

    @staticmethod
    def logarithms(input):
        return ops.clamp(log(input), min=-100.0), ops.clamp(log(1 - input), min=-100.0)

    @staticmethod
    def forward(ctx, input, target):
        ctx.input, ctx.target = input, target
        of_one, of_zero = BinaryCrossEntropy.logarithms(input)
        return -(target * of_one + (1 - target) * of_zero)

    @staticmethod
    def backward(ctx, gradient):
        input = ctx.input
        slope = (input - ctx.target) / ops.clamp((1 - input) * input, min=1e-12)
        of_one, of_zero = BinaryCrossEntropy.logarithms(input)
        return gradient * slope, gradient * (of_zero - of_one)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """torch.nn.functional.binary_cross_entropy: a logarithm is -100 at least."""
    loss = BinaryCrossEntropy.apply(input, target)
    loss = loss if weight is None else loss * weight
    return reduced(loss, reduction_of(size_average, reduce, reduction))


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    """torch.nn.functional.binary_cross_entropy_with_logits."""
    of_zero = ops.relu(-input) + log1p(exp(-ops.abs(input)))
    factor = 1 if pos_weight is None else 1 + (pos_weight - 1) * target
    loss = (1 - target) * input + factor * of_zero
    loss = loss if weight is None else loss * weight
    return reduced(loss, reduction_of(size_average, reduce, reduction))


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """torch.nn.functional.nll_loss, for any number of dimensions behind the classes."""
    reduction = reduction_of(size_average, reduce, reduction)
    if input.ndim == 1:
        loss = nll_loss(
            input.expand_dims(0), target.expand_dims(0), weight, None, ignore_index, None, reduction
        )
        return loss.squeeze(0) if reduction == "none" else loss
    counted = target != ignore_index
    chosen = ops.where(counted, target, ops.zeros_like(target))
    picked = -ops.gather_elements(input, 1, chosen.expand_dims(1)).squeeze(1)
    share = counted.astype(input.dtype)
    if weight is not None:
        share = share * ops.gather(weight, chosen, 0)
    loss = ops.where(counted, picked, ops.zeros_like(picked)) * share
    return loss.sum() / share.sum() if reduction == "mean" else reduced(loss, reduction)


def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    """torch.nn.functional.cross_entropy: `target` holds classes, or probabilities."""
    reduction = reduction_of(size_average, reduce, reduction)
    if input.ndim == 1:
        options = (weight, None, ignore_index, None, reduction, label_smoothing)
        loss = cross_entropy(input.expand_dims(0), target.expand_dims(0), *options)
        return loss.squeeze(0) if reduction == "none" else loss
    classes = input.shape[1]
    logs = log_softmax(input, 1)
    shape = (1, classes, *(1,) * (input.ndim - 2))
    scaled = logs if weight is None else logs * weight.reshape(shape)
    if target.is_floating_point():
        target = target * (1 - label_smoothing) + label_smoothing / classes
        loss = -(scaled * target).sum(1)
        count = math.prod(loss.shape)
        return loss.sum() / count if reduction == "mean" else reduced(loss, reduction)
    loss = nll_loss(logs, target, weight, None, ignore_index, None, reduction)
    if label_smoothing == 0:
        return loss
    counted = target != ignore_index
    smooth = ops.where(counted, -scaled.sum(1), ops.zeros_like(scaled[:, 0]))
    if reduction == "mean":
        share = counted.astype(input.dtype)
        if weight is not None:
            share = share * ops.gather(weight, ops.where(counted, target, ops.zeros_like(target)), 0)
        smooth = smooth.sum() / share.sum()
    else:
        smooth = reduced(smooth, reduction)
    return (1 - label_smoothing) * loss + label_smoothing / classes * smooth


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """torch.nn.functional.kl_div."""
    reduction = reduction_of(size_average, reduce, reduction)
    if log_target:
        loss = exp(target) * (target - input)
    else:
        logs = log(ops.where(target == 0, ops.ones_like(target), target))  # NaN where it is negative
        loss = target * (logs - input)
    if reduction == "batchmean":
        return loss.sum() / (input.shape[0] if input.ndim else 1)
    return reduced(loss, reduction)


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
):
    """torch.nn.functional.poisson_nll_loss."""
    loss = exp(input) - target * input if log_input else input - target * log(input + eps)
    if full:
        safe = ops.where(target > 1, target, ops.ones_like(target))
        stirling = safe * log(safe) - safe + 0.5 * log(2 * math.pi * safe)
        loss = loss + ops.where(target > 1, stirling, ops.zeros_like(stirling))
    return reduced(loss, reduction_of(size_average, reduce, reduction))


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """torch.nn.functional.gaussian_nll_loss."""
    var = ops.full_like(input, var) if isinstance(var, (int, float)) else var
    if var.shape != input.shape and var.shape == input.shape[:-1]:
        var = var.expand_dims(-1)
    # the gradient of the limit is that of the value
    limited = var + ops.stop_gradient(ops.clamp(var, min=eps) - var)
    loss = 0.5 * (log(limited) + (input - target) ** 2 / limited)
    return reduced(loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction)


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """torch.nn.functional.hinge_embedding_loss."""
    zeros = ops.zeros_like(input)
    loss = ops.where(target != -1, input, zeros) + ops.where(target != 1, clamp(margin - input, 0), zeros)
    return reduced(loss, reduction_of(size_average, reduce, reduction))


def margin_ranking_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"):
    """torch.nn.functional.margin_ranking_loss."""
    loss = clamp(-target * (input1 - input2) + margin, 0)
    return reduced(loss, reduction_of(size_average, reduce, reduction))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """torch.nn.functional.soft_margin_loss."""
    loss = -logsigmoid(target * input)
    return reduced(loss, reduction_of(size_average, reduce, reduction))


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """torch.nn.functional.multilabel_soft_margin_loss."""
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    loss = loss if weight is None else loss * weight
    return reduced(loss.mean(-1), reduction_of(size_average, reduce, reduction))


def multi_margin_loss(
    input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """torch.nn.functional.multi_margin_loss."""
    rows = input.reshape((-1, input.shape[-1]))
    chosen = target.reshape((-1, 1))
    distance = ops.relu(margin - ops.gather_elements(rows, 1, chosen) + rows) ** p
    if weight is not None:
        distance = distance * ops.gather(weight, chosen.reshape(-1), 0).expand_dims(-1)
    others = (1 - one_hot(chosen.reshape(-1), rows.shape[-1])).astype(rows.dtype)
    loss = (distance * others).sum(-1) / rows.shape[-1]
    loss = loss if input.ndim == 2 else loss.squeeze(0)
    return reduced(loss, reduction_of(size_average, reduce, reduction))


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """torch.nn.functional.multilabel_margin_loss: labels up to the first -1 count."""
    rows, labels = input.reshape((-1, input.shape[-1])), target.asnumpy().reshape(-1, input.shape[-1])
    counted = np.cumprod(labels >= 0, 1).astype(bool)
    is_target = np.zeros(labels.shape, dtype=bool)
    for row, (label, used) in enumerate(zip(labels, counted)):
        is_target[row] = np.isin(np.arange(labels.shape[1]), label[used])
    chosen = mindspore.Tensor(np.where(counted, labels, 0), mindspore.int64)
    targets = ops.gather_elements(rows, 1, chosen).expand_dims(-1)
    used = counted[:, :, None] & ~is_target[:, None, :]
    loss = ops.relu(1 - targets + rows.expand_dims(1)) * mindspore.Tensor(used, rows.dtype)
    loss = loss.sum((1, 2)) / input.shape[-1]
    loss = loss if input.ndim == 2 else loss.squeeze(0)
    return reduced(loss, reduction_of(size_average, reduce, reduction))


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """torch.nn.functional.cosine_similarity."""
    x1, x2 = broadcast_tensors(x1, x2)
    lengths = [ops.clamp(vector_norm(part, 2, dim, True), min=eps) for part in (x1, x2)]
    return (x1 / lengths[0] * (x2 / lengths[1])).sum(dim)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """torch.nn.functional.pairwise_distance."""
    return vector_norm(x1 - x2 + eps, p, -1, keepdim)


def cosine_embedding_loss(
    input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"
):
    """torch.nn.functional.cosine_embedding_loss."""
    products = (input1 * input2).sum(-1)
    squares = [(part * part).sum(-1) + 1e-12 for part in (input1, input2)]
    cosine = products / ops.sqrt(squares[0] * squares[1])
    zeros = ops.zeros_like(cosine)
    loss = ops.where(target == 1, 1 - cosine, zeros)
    loss = loss + ops.where(target == -1, clamp(cosine - margin, 0), zeros)
    return reduced(loss, reduction_of(size_average, reduce, reduction))


def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2,
    eps=1e-6,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    """torch.nn.functional.triplet_margin_loss."""

    def distance(x, y):
        return pairwise_distance(x, y, p, eps)

    reduction = reduction_of(size_average, reduce, reduction)
    return triplet_margin_with_distance_loss(
        anchor, positive, negative, distance_function=distance, margin=margin, swap=swap, reduction=reduction
    )


def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    """torch.nn.functional.triplet_margin_with_distance_loss."""
    distance = distance_function or pairwise_distance
    far = distance(anchor, negative)
    if swap:
        far = ops.minimum(far, distance(positive, negative))
    return reduced(clamp(distance(anchor, positive) - far + margin, 0), reduction)


def ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False
):
    """torch.nn.functional.ctc_loss: the recursion over all alignments, step by step."""
    if log_probs.ndim == 2:
        parts = (log_probs.expand_dims(1), targets.reshape((1, -1)))
        lengths = [np.reshape(np.asarray(length), (1,)) for length in (input_lengths, target_lengths)]
        loss = ctc_loss(*parts, *lengths, blank, reduction, zero_infinity)
        return loss.squeeze(0) if reduction == "none" else loss
    lengths, sizes, labels = (
        np.asarray(part.asnumpy() if isinstance(part, mindspore.Tensor) else part)
        for part in (input_lengths, target_lengths, targets)
    )
    steps, batch, _ = log_probs.shape
    width = 2 * int(sizes.max(initial=0)) + 1
    path = np.full((batch, width), blank, dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    for row in range(batch):
        own = labels[row] if labels.ndim == 2 else labels[starts[row] :]
        path[row, 1 : 2 * sizes[row] : 2] = own[: sizes[row]]
    skips = np.zeros((batch, width), dtype=bool)
    skips[:, 2:] = (path[:, 2:] != blank) & (path[:, 2:] != path[:, :-2])
    low = mindspore.Tensor(-1e30, log_probs.dtype)
    index = mindspore.Tensor(path)
    begin = mindspore.Tensor(np.arange(width)[None, :] < np.minimum(2, 2 * sizes + 1)[:, None])
    state = ops.where(begin, ops.gather_elements(log_probs[0], 1, index), low)
    may_skip = mindspore.Tensor(skips)
    for step in range(1, steps):
        back = [pad(state, (shift, 0), value=-1e30)[:, :width] for shift in (1, 2)]
        ways = ops.stack([state, back[0], ops.where(may_skip, back[1], low)], 0)
        new = ops.logsumexp(ways, 0) + ops.gather_elements(log_probs[step], 1, index)
        state = ops.where(mindspore.Tensor(step < lengths).expand_dims(-1), ops.maximum(new, low), state)
    ends = np.arange(width)[None, :]
    final = mindspore.Tensor((ends == 2 * sizes[:, None]) | (ends == 2 * sizes[:, None] - 1))
    loss = -ops.logsumexp(ops.where(final, state, low), 1)
    # PyTorch's gradient is that of the logits, as if they were what is given
    within = mindspore.Tensor(np.arange(steps)[:, None] < lengths).expand_dims(-1)
    shares = ops.where(within, ops.exp(log_probs), ops.zeros_like(log_probs)).sum((0, 2))
    loss = loss + (shares - ops.stop_gradient(shares))
    impossible = loss > 1e29
    fill = ops.zeros_like(loss) if zero_infinity else ops.full_like(loss, math.inf)
    loss = ops.where(impossible, fill, loss)
    if reduction == "mean":
        return (loss / mindspore.Tensor(np.maximum(sizes, 1), loss.dtype)).mean()
    return reduced(loss, reduction)


class LossBase(Module):
    """torch.nn.modules.loss._Loss."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = reduction_of(size_average, reduce, reduction)


class WeightedLossBase(LossBase):
    """torch.nn.modules.loss._WeightedLoss."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class SmoothL1Loss(LossBase):
    """torch.nn.SmoothL1Loss."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def construct(self, input, target):
        return smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(LossBase):
    """torch.nn.HuberLoss."""

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction=reduction)
        self.delta = delta

    def construct(self, input, target):
        return huber_loss(input, target, self.reduction, self.delta)


class BCELoss(WeightedLossBase):
    """torch.nn.BCELoss."""

    def construct(self, input, target):
        return binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(LossBase):
    """torch.nn.BCEWithLogitsLoss."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def construct(self, input, target):
        options = {"reduction": self.reduction, "pos_weight": self.pos_weight}
        return binary_cross_entropy_with_logits(input, target, self.weight, **options)


class NLLLoss(WeightedLossBase):
    """torch.nn.NLLLoss."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def construct(self, input, target):
        options = {"ignore_index": self.ignore_index, "reduction": self.reduction}
        return nll_loss(input, target, self.weight, **options)


class CrossEntropyLoss(WeightedLossBase):
    """torch.nn.CrossEntropyLoss."""

    def __init__(
        self,
        weight=None,
        size_average=None,
        ignore_index=-100,
        reduce=None,
        reduction="mean",
        label_smoothing=0.0,
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def construct(self, input, target):
        options = {"ignore_index": self.ignore_index, "label_smoothing": self.label_smoothing}
        return cross_entropy(input, target, self.weight, reduction=self.reduction, **options)


class KLDivLoss(LossBase):
    """torch.nn.KLDivLoss."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def construct(self, input, target):
        return kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class PoissonNLLLoss(LossBase):
    """torch.nn.PoissonNLLLoss."""

    def __init__(
        self, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
    ):
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def construct(self, log_input, target):
        options = {"eps": self.eps, "reduction": self.reduction}
        return poisson_nll_loss(log_input, target, self.log_input, self.full, **options)


class GaussianNLLLoss(LossBase):
    """torch.nn.GaussianNLLLoss."""

    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(reduction=reduction)
        self.full = full
        self.eps = eps

    def construct(self, input, target, var):
        return gaussian_nll_loss(input, target, var, self.full, self.eps, self.reduction)


class HingeEmbeddingLoss(LossBase):
    """torch.nn.HingeEmbeddingLoss."""

    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def construct(self, input, target):
        return hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)


class MarginRankingLoss(LossBase):
    """torch.nn.MarginRankingLoss."""

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def construct(self, input1, input2, target):
        return margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(LossBase):
    """torch.nn.CosineEmbeddingLoss."""

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def construct(self, input1, input2, target):
        return cosine_embedding_loss(input1, input2, target, self.margin, reduction=self.reduction)


class MultiLabelSoftMarginLoss(WeightedLossBase):
    """torch.nn.MultiLabelSoftMarginLoss."""

    def construct(self, input, target):
        return multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)


class MultiMarginLoss(WeightedLossBase):
    """torch.nn.MultiMarginLoss."""

    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)
        self.p = p
        self.margin = margin

    def construct(self, input, target):
        return multi_margin_loss(input, target, self.p, self.margin, self.weight, reduction=self.reduction)


class TripletMarginLoss(LossBase):
    """torch.nn.TripletMarginLoss."""

    def __init__(
        self, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"
    ):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def construct(self, anchor, positive, negative):
        options = (self.margin, self.p, self.eps, self.swap)
        return triplet_margin_loss(anchor, positive, negative, *options, reduction=self.reduction)


class TripletMarginWithDistanceLoss(LossBase):
    """torch.nn.TripletMarginWithDistanceLoss."""

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__(reduction=reduction)
        self.distance_function = distance_function or pairwise_distance
        self.margin = margin
        self.swap = swap

    def construct(self, anchor, positive, negative):
        return triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )


class CTCLoss(LossBase):
    """torch.nn.CTCLoss."""

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def construct(self, log_probs, targets, input_lengths, target_lengths):
        lengths = (input_lengths, target_lengths)
        return ctc_loss(log_probs, targets, *lengths, self.blank, self.reduction, self.zero_infinity)


class CosineSimilarity(Module):
    """torch.nn.CosineSimilarity."""

    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def construct(self, x1, x2):
        return cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """torch.nn.PairwiseDistance."""

    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def construct(self, x1, x2):
        return pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class L1Loss(LossBase):
    """torch.nn.L1Loss."""

    def construct(self, input, target):
        return l1_loss(input, target, reduction=self.reduction)


class MSELoss(LossBase):
    """torch.nn.MSELoss."""

    def construct(self, input, target):
        return mse_loss(input, target, reduction=self.reduction)


class SoftMarginLoss(LossBase):
    """torch.nn.SoftMarginLoss."""

    def construct(self, input, target):
        return soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelMarginLoss(LossBase):
    """torch.nn.MultiLabelMarginLoss."""

    def construct(self, input, target):
        return multilabel_margin_loss(input, target, reduction=self.reduction)
