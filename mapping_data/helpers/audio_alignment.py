"""torchaudio's comparison of sequences with what was heard: distances, and alignments."""

from collections import namedtuple

import mindspore
import numpy as np


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
