import torch
from torch import nn

from .registry import register

__all__ = ["SmallCNN", "small_cnn"]


class ConvBNAct(nn.Sequential):
    def __init__(self, inp, out, stride=1, act=nn.ReLU6):
        super().__init__(nn.Conv2d(inp, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), act(inplace=True))


class InvertedResidual(nn.Module):
    def __init__(self, channels, expand=2):
        super().__init__()
        hidden = channels * expand
        self.conv = nn.Sequential(
            ConvBNAct(channels, hidden),
            nn.Conv2d(hidden, hidden, 3, 1, 1, groups=hidden, bias=False),
            nn.BatchNorm2d(hidden),
            nn.Conv2d(hidden, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x):
        return x + self.conv(x)


class SmallCNN(nn.Module):
    def __init__(self, num_classes=4, width=8):
        super().__init__()
        self.features = nn.Sequential(ConvBNAct(1, width, 2), InvertedResidual(width), ConvBNAct(width, width * 2, 2))
        self.classifier = nn.Linear(width * 2, num_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.ones_(m.weight)
                nn.init.zeros_(m.bias)
            elif isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, 0, 0.01)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        x = self.features(x)
        x = nn.functional.adaptive_avg_pool2d(x, 1).reshape(x.shape[0], -1)
        return self.classifier(x)


@register
def small_cnn(num_classes=4, **kwargs):
    return SmallCNN(num_classes, **kwargs)
