from functools import partial

import torch.nn as nn

from .registry import register


class PreNormResidual(nn.Module):
    def __init__(self, dim, fn):
        super().__init__()
        self.fn = fn
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        return self.fn(self.norm(x)) + x


def FeedForward(dim, expansion_factor=2, dropout=0., dense=nn.Linear):
    inner_dim = int(dim * expansion_factor)
    return nn.Sequential(
        dense(dim, inner_dim),
        nn.GELU(),
        nn.Dropout(dropout),
        dense(inner_dim, dim),
        nn.Dropout(dropout)
    )


class MlpMixer(nn.Module):
    def __init__(self, image_size=16, patch_size=4, dim=24, depth=2, num_classes=4):
        super().__init__()
        num_patches = (image_size // patch_size) ** 2
        chan_first, chan_last = partial(nn.Conv1d, kernel_size=1), nn.Linear
        self.patches = nn.Unfold(patch_size, stride=patch_size)
        self.embed = nn.Linear(patch_size ** 2, dim)
        self.mixers = nn.Sequential(*[nn.Sequential(
            PreNormResidual(dim, FeedForward(num_patches, 2, 0., chan_first)),
            PreNormResidual(dim, FeedForward(dim, 1, 0., chan_last))
        ) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, num_classes)

    def forward(self, x):
        x = self.embed(self.patches(x).transpose(1, 2))
        x = self.norm(self.mixers(x))
        return self.head(x.mean(dim=1))


@register
def mlp_mixer(**kwargs):
    return MlpMixer(**kwargs)
