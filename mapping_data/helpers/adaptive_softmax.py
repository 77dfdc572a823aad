"""Softmax over many classes, the frequent ones first."""

from collections import namedtuple

import mindspore
from mindspore import ops


class OutputAndLoss(namedtuple("OutputAndLoss", ["output", "loss"])):
    """What torch.nn.AdaptiveLogSoftmaxWithLoss gives."""


class AdaptiveLogSoftmaxWithLoss(Module):
    """torch.nn.AdaptiveLogSoftmaxWithLoss."""

    def __init__(
        self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None
    ):
        super().__init__()
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, dtype=dtype)
        self.tail = ModuleList()
        for number in range(self.n_clusters):
            inner = int(in_features // (div_value ** (number + 1)))
            count = self.cutoffs[number + 1] - self.cutoffs[number]
            self.tail.append(
                Sequential(
                    Linear(in_features, inner, bias=False, dtype=dtype),
                    Linear(inner, count, bias=False, dtype=dtype),
                )
            )

    def reset_parameters(self):
        for layer in (self.head, *(layer for pair in self.tail for layer in pair)):
            layer.reset_parameters()

    def construct(self, input_, target_):
        """For each row the logarithm of the probability of its class, and the mean loss."""
        is_batch = target_.ndim > 0
        input, target = (input_, target_) if is_batch else (input_.expand_dims(0), target_.expand_dims(0))
        places = target.astype(mindspore.int64).expand_dims(-1)
        output = ops.gather_elements(self.log_prob(input), 1, places).squeeze(1)
        loss = -output.mean()
        return OutputAndLoss(output if is_batch else output.squeeze(0), loss)

    def log_prob(self, input):
        """The logarithms of the probabilities of all classes."""
        head = log_softmax(self.head(input), 1)
        parts = [head[:, : self.shortlist_size]]
        for number, cluster in enumerate(self.tail):
            at = self.shortlist_size + number
            parts.append(log_softmax(cluster(input), 1) + head[:, at : at + 1])
        return ops.cat(parts, 1)

    def predict(self, input):
        """For each row the most probable class."""
        return ops.argmax(self.log_prob(input), 1).astype(mindspore.int64)
