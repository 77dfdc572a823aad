import torch
from torch import nn


class ActivityNet(nn.Module):
    """Convolutions over time, a recurrent layer in both directions, attention over its outputs."""

    def __init__(self, channels, classes, hidden, dropout):
        super().__init__()
        self.register_buffer("scale", torch.tensor([1.5] * channels).view(1, channels, 1))
        self.encoder = nn.Sequential(
            nn.Conv1d(channels, hidden, kernel_size=5, padding=2, bias=False),
            nn.BatchNorm1d(hidden),
            nn.GELU(),
            nn.MaxPool1d(2),
            nn.Conv1d(hidden, hidden, kernel_size=3, padding=1, bias=False),
            nn.BatchNorm1d(hidden),
            nn.GELU(),
        )
        self.recurrent = nn.GRU(hidden, hidden, batch_first=True, bidirectional=True)
        self.attention = nn.Linear(2 * hidden, 1)
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(2 * hidden, classes)
        self.apply(self._init_weights)

    @staticmethod
    def _init_weights(module):
        if isinstance(module, (nn.Linear, nn.Conv1d)):
            nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
            if module.bias is not None:
                nn.init.zeros_(module.bias)

    def forward(self, x):
        x = self.encoder(x / self.scale)
        outputs, _ = self.recurrent(x.transpose(1, 2))
        weights = torch.softmax(self.attention(outputs).squeeze(-1), dim=-1)
        pooled = torch.einsum("bt,bth->bh", weights, outputs)
        return self.head(self.dropout(pooled))
