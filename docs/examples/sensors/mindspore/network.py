import mindport_helpers as helpers


class ActivityNet(helpers.Module):
    """Convolutions over time, a recurrent layer in both directions, attention over its outputs."""

    def __init__(self, channels, classes, hidden, dropout):
        super().__init__()
        self.register_buffer("scale", helpers.tensor([1.5] * channels).view(1, channels, 1))
        self.encoder = helpers.Sequential(
            helpers.Conv1d(channels, hidden, kernel_size=5, padding=2, bias=False),
            helpers.BatchNorm1d(hidden),
            helpers.GELU(),
            helpers.MaxPool1d(2),
            helpers.Conv1d(hidden, hidden, kernel_size=3, padding=1, bias=False),
            helpers.BatchNorm1d(hidden),
            helpers.GELU(),
        )
        self.recurrent = helpers.GRU(hidden, hidden, batch_first=True, bidirectional=True)
        self.attention = helpers.Linear(2 * hidden, 1)
        self.dropout = helpers.Dropout(dropout)
        self.head = helpers.Linear(2 * hidden, classes)
        self.apply(self._init_weights)

    @staticmethod
    def _init_weights(module):
        if isinstance(module, (helpers.Linear, helpers.Conv1d)):
            helpers.kaiming_normal_(module.weight, nonlinearity="relu")
            if module.bias is not None:
                helpers.zeros_(module.bias)

    def construct(self, x):
        x = self.encoder(x / self.scale)
        outputs, _ = self.recurrent(x.swapaxes(1, 2))
        weights = helpers.softmax(helpers.squeeze(self.attention(outputs), -1), dim=-1)
        pooled = helpers.einsum("bt,bth->bh", weights, outputs)
        return self.head(self.dropout(pooled))
