"""A small residual network, as people write it for PyTorch."""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn


class BasicBlock(nn.Module):
    def __init__(self, in_channels, out_channels, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, out_channels, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(out_channels, out_channels, kernel_size=3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.downsample = None
        if stride != 1 or in_channels != out_channels:
            self.downsample = nn.Sequential(
                nn.Conv2d(in_channels, out_channels, kernel_size=1, stride=stride, bias=False),
                nn.BatchNorm2d(out_channels),
            )

    def forward(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        return F.relu(out + identity)


class Gate(nn.Module):
    """Weighs channels, by calls that take more than a new name."""

    def __init__(self, channels):
        super().__init__()
        self.fc = nn.Linear(channels, channels)

    def forward(self, x):
        batch, channels = x.size(0), x.size(1)
        weights = torch.sigmoid(self.fc(x.mean((2, 3))))
        spread = x.view(batch, channels, -1).std(2, unbiased=False)
        return x * (weights + spread).view(batch, channels, 1, 1)


class Net(nn.Module):
    def __init__(self, num_classes=4):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True))
        self.layers = nn.Sequential(BasicBlock(8, 8), BasicBlock(8, 16, stride=2))
        self.gate = Gate(16)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.dropout = nn.Dropout(0.0)
        self.head = nn.Linear(16, num_classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x, device="cpu"):
        x = x.to(device)
        x = self.gate(self.layers(self.stem(x)))
        position = torch.arange(x.size(3), device=x.device, dtype=torch.float32)
        x = torch.cat([x, x + position], dim=1)[:, :16]
        x = torch.flatten(self.pool(x), 1)
        return self.head(self.dropout(x))


def loss_of(net, images, labels):
    return F.cross_entropy(net(images), labels)
