"""torchaudio's comparison of sequences with what is heard: distances, alignments, transducers."""

from collections import namedtuple

import mindspore
import numpy as np
from mindspore import ops


def edit_distance(seq1, seq2):
    """torchaudio.functional.edit_distance: how many elements are put in, left out, or replaced."""
    before = list(range(len(seq2) + 1))
    for row, left in enumerate(seq1, 1):
        now = [row]
        for column, right in enumerate(seq2, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (left != right)))
        before = now
    return before[-1]


class TokenSpan(namedtuple("TokenSpan", ["token", "start", "end", "score"])):
    """torchaudio.functional.TokenSpan: a token, its frames, and how sure it is."""

    def __len__(self):
        return self.end - self.start


def merge_tokens(tokens, scores, blank=0):
    """torchaudio.functional.merge_tokens: the same tokens one after the other are one."""
    if tokens.ndim != 1 or scores.ndim != 1:
        raise ValueError("`tokens` and `scores` must be 1D Tensor.")
    if len(tokens) != len(scores):
        raise ValueError("`tokens` and `scores` must be the same length.")
    tokens, scores = tokens.asnumpy(), scores.asnumpy()
    changes = [0, *(np.nonzero(tokens[1:] != tokens[:-1])[0] + 1), len(tokens)]
    return [
        TokenSpan(int(tokens[start]), int(start), int(end), float(scores[start:end].mean()))
        for start, end in zip(changes, changes[1:])
        if tokens[start] != blank
    ]


def best_path(scores, labels):
    """The most likely way through labels, a number for each frame: it stays, goes on by one, or by two
    where no blank has to be heard in between."""
    skips = np.array([i > 1 and i % 2 == 1 and labels[i] != labels[i - 2] for i in range(len(labels))])
    reached = np.full(len(labels), -np.inf)
    reached[:2] = scores[0, labels[:2]]
    steps = []
    for frame in scores[1:]:
        one, two = np.full_like(reached, -np.inf), np.full_like(reached, -np.inf)
        one[1:] = reached[:-1]
        two[2:] = np.where(skips[2:], reached[:-2], -np.inf)
        step = np.where((two > one) & (two > reached), 2, np.where((one > reached) & (one > two), 1, 0))
        steps.append(step)
        reached = np.choose(step, [reached, one, two]) + frame[labels]
    place = len(labels) - 1
    if len(labels) > 1 and reached[-1] <= reached[-2]:
        place = len(labels) - 2
    path = [place]
    for step in reversed(steps):
        place = place - step[place]
        path.append(place)
    return path[::-1]


def forced_align(log_probs, targets, input_lengths=None, target_lengths=None, blank=0):
    """torchaudio.functional.forced_align: which token is heard in each frame, and how likely it is (CTC)."""
    if log_probs.ndim != 3 or log_probs.shape[0] != 1:
        raise ValueError("log_probs must be a 3-D Tensor of one sequence.")
    values, wanted = log_probs.asnumpy()[0], targets.asnumpy()[0]
    if blank in wanted:
        raise ValueError(f"targets Tensor shouldn't contain blank index. Found {targets}.")
    labels = np.full(2 * len(wanted) + 1, blank)
    labels[1::2] = wanted
    repeated = int((wanted[1:] == wanted[:-1]).sum())
    if len(values) < len(wanted) + repeated:
        raise RuntimeError("targets length is too long for CTC")
    path = labels[best_path(values, labels)]
    scores = values[np.arange(len(path)), path]
    return mindspore.Tensor(path[None].astype(wanted.dtype)), mindspore.Tensor(scores[None])


def ways_to(blanks, tokens):
    """The logarithm of how likely it is to get to each frame and token, where blanks lead to the next frame,
    tokens to the next token: from the first frame and before all tokens."""
    reached = np.full(blanks.shape, -np.inf)
    reached[0, 0] = 0.0
    for frame in range(blanks.shape[0]):
        for place in range(blanks.shape[1]):
            if frame:
                waited = reached[frame - 1, place] + blanks[frame - 1, place]
                reached[frame, place] = np.logaddexp(reached[frame, place], waited)
            if place:
                said = reached[frame, place - 1] + tokens[frame, place - 1]
                reached[frame, place] = np.logaddexp(reached[frame, place], said)
    return reached


def transducer_shares(blanks, tokens):
    """Minus the logarithm of how likely a sequence is, and the share of each step in that."""
    before = ways_to(blanks, tokens)
    whole = before[-1, -1] + blanks[-1, -1]
    turned_blanks = np.vstack([blanks[-2::-1, ::-1], np.full((1, blanks.shape[1]), -np.inf)])
    turned_tokens = np.hstack([tokens[::-1, ::-1], np.full((len(tokens), 1), -np.inf)])
    behind = (ways_to(turned_blanks, turned_tokens) + blanks[-1, -1])[::-1, ::-1]
    next_frame = np.vstack([behind[1:], np.full((1, behind.shape[1]), -np.inf)])
    next_frame[-1, -1] = 0.0
    of_blanks = np.exp(before + blanks + next_frame - whole)
    of_tokens = np.exp(before[:, :-1] + tokens + behind[:, 1:] - whole)
    return -whole, of_blanks, of_tokens


class TransducerCosts(Function):
    """The loss of each sequence, of logarithms of probabilities by sequence, frame, place and token."""

    @staticmethod
    def forward(ctx, log_probs, targets, frames, lengths, blank):
        values = log_probs.asnumpy().astype(np.float64)
        wanted, slopes, costs = targets.asnumpy(), np.zeros(values.shape), []
        for number, (count, length) in enumerate(zip(frames.asnumpy(), lengths.asnumpy())):
            part, slope = values[number, :count, : length + 1], slopes[number, :count, : length + 1]
            places = np.arange(length)
            labels = wanted[number, :length]
            cost, of_blanks, of_tokens = transducer_shares(part[:, :, blank], part[:, places, labels])
            slope[:, :, blank] -= of_blanks
            slope[:, places, labels] -= of_tokens
            costs.append(cost)
        ctx.slopes = mindspore.Tensor(slopes, log_probs.dtype)
        return mindspore.Tensor(np.array(costs), log_probs.dtype)

    @staticmethod
    def backward(ctx, gradient):
        return ctx.slopes * gradient.reshape(-1, 1, 1, 1), None, None, None, None


class ClampedGradient(Function):
    """A Tensor whose gradient is cut off at a bound."""

    @staticmethod
    def forward(ctx, input, bound):
        ctx.bound = bound
        return input * 1

    @staticmethod
    def backward(ctx, gradient):
        return clamp(gradient, -ctx.bound, ctx.bound), None


def rnnt_loss(
    logits,
    targets,
    logit_lengths,
    target_lengths,
    blank=-1,
    clamp=-1,
    reduction="mean",
    fused_log_softmax=True,
):
    """torchaudio.functional.rnnt_loss."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError('reduction should be one of "none", "mean", or "sum"')
    blank = blank + logits.shape[-1] if blank < 0 else blank
    logits = ClampedGradient.apply(logits, clamp) if clamp > 0 else logits
    log_probs = ops.log_softmax(logits, -1) if fused_log_softmax else logits
    costs = TransducerCosts.apply(log_probs, targets, logit_lengths, target_lengths, blank)
    return {"none": lambda: costs, "mean": costs.mean, "sum": costs.sum}[reduction]()


class RNNTLoss(Module):
    """torchaudio.transforms.RNNTLoss."""

    def __init__(self, blank=-1, clamp=-1.0, reduction="mean", fused_log_softmax=True):
        super().__init__()
        self.blank, self.clamp, self.reduction = blank, clamp, reduction
        self.fused_log_softmax = fused_log_softmax

    def construct(self, logits, targets, logit_lengths, target_lengths):
        lengths = (logit_lengths, target_lengths)
        return rnnt_loss(
            logits, targets, *lengths, self.blank, self.clamp, self.reduction, self.fused_log_softmax
        )
