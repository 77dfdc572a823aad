"""FlowerNet: a residual stem with a few attention blocks on top."""

from functools import partial
from typing import Callable, List, Optional, Type, Union

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
from torch.nn.init import trunc_normal_


def conv3x3(in_planes: int, out_planes: int, stride: int = 1) -> nn.Conv2d:
    return nn.Conv2d(in_planes, out_planes, kernel_size=3, stride=stride, padding=1, bias=False)


class DropPath(nn.Module):
    """按样本随机丢弃整条残差分支"""

    def __init__(self, drop_prob: float = 0.0):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x: Tensor) -> Tensor:
        if self.drop_prob == 0.0 or not self.training:
            return x
        keep = 1 - self.drop_prob
        shape = (x.shape[0],) + (1,) * (x.ndim - 1)
        mask = x.new_empty(shape).bernoulli_(keep)
        return x.div(keep) * mask

    def extra_repr(self) -> str:
        return f"drop_prob={self.drop_prob}"


class SqueezeExcite(nn.Module):
    def __init__(self, channels: int, reduction: int = 4, act_layer: Type[nn.Module] = nn.ReLU):
        super().__init__()
        hidden = max(channels // reduction, 8)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(channels, hidden, 1)
        self.act = act_layer(inplace=True)
        self.fc2 = nn.Conv2d(hidden, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        scale = self.fc2(self.act(self.fc1(self.pool(x))))
        return x * F.hardsigmoid(scale)


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, inplanes: int, planes: int, stride: int = 1,
                 norm_layer: Optional[Callable[..., nn.Module]] = None, use_se: bool = False):
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = norm_layer(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = norm_layer(planes)
        self.se = SqueezeExcite(planes) if use_se else nn.Identity()
        self.downsample = None
        if stride != 1 or inplanes != planes:
            self.downsample = nn.Sequential(
                nn.AvgPool2d(stride, stride, ceil_mode=True, count_include_pad=False),
                nn.Conv2d(inplanes, planes, 1, bias=False),
                norm_layer(planes),
            )

    def forward(self, x: Tensor) -> Tensor:
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.se(self.bn2(self.conv2(out)))
        out += identity
        return F.relu(out, inplace=True)


class Attention(nn.Module):
    def __init__(self, dim: int, num_heads: int = 4, attn_drop: float = 0.0, proj_drop: float = 0.0):
        super().__init__()
        assert dim % num_heads == 0, "dim 必须能被 num_heads 整除"
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=False)
        self.attn_drop = nn.Dropout(attn_drop)
        self.proj = nn.Linear(dim, dim)
        self.proj_drop = nn.Dropout(p=proj_drop)
        self.fused = hasattr(F, "scaled_dot_product_attention")

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        if self.fused and mask is None:
            x = F.scaled_dot_product_attention(q, k, v, dropout_p=self.attn_drop.p if self.training else 0.0)
        else:
            attn = torch.einsum("bhnd,bhmd->bhnm", q, k) * self.scale
            if mask is not None:
                attn = attn.masked_fill(mask == 0, torch.finfo(attn.dtype).min)
            attn = self.attn_drop(attn.softmax(dim=-1))
            x = attn @ v
        x = x.transpose(1, 2).contiguous().view(B, N, C)
        return self.proj_drop(self.proj(x))


class EncoderBlock(nn.Module):
    def __init__(self, dim: int, num_heads: int, mlp_ratio: float = 2.0, drop: float = 0.0,
                 drop_path: float = 0.0, norm_layer: Callable[..., nn.Module] = partial(nn.LayerNorm, eps=1e-6)):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = Attention(dim, num_heads, proj_drop=drop)
        self.norm2 = norm_layer(dim)
        hidden = int(dim * mlp_ratio)
        self.mlp = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Dropout(drop), nn.Linear(hidden, dim))
        self.drop_path = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()
        self.gamma = nn.Parameter(1e-2 * torch.ones(dim), requires_grad=True)  # 层缩放系数 🌱

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.drop_path(self.attn(self.norm1(x)))
        return x + self.drop_path(self.gamma * self.mlp(self.norm2(x)))


class FlowerNet(nn.Module):
    def __init__(self, num_classes: int = 6, width: int = 32, layers: Union[List[int], tuple] = (1, 1),
                 depth: int = 2, num_heads: int = 4, drop_rate: float = 0.1, drop_path_rate: float = 0.1,
                 norm_layer: Callable[..., nn.Module] = nn.BatchNorm2d, grid: int = 8):
        super().__init__()
        self.grid = grid
        self.inplanes = width
        self.stem = nn.Sequential(
            nn.Conv2d(3, width, kernel_size=7, stride=2, padding=3, bias=False),
            norm_layer(width),
            nn.ReLU(inplace=True),
        )
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(width, layers[0], norm_layer=norm_layer)
        self.layer2 = self._make_layer(width * 2, layers[1], stride=2, norm_layer=norm_layer)

        dim = width * 2
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.empty(1, grid * grid, dim))
        rates = [r.item() for r in torch.linspace(0, drop_path_rate, depth)]
        self.blocks = nn.ModuleList(
            [EncoderBlock(dim, num_heads, drop=drop_rate, drop_path=rate) for rate in rates]
        )
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.dropout = nn.Dropout(drop_rate)
        self.head = nn.Linear(dim * 2, num_classes)
        self.register_buffer("class_prior", torch.full((num_classes,), 1.0 / num_classes), persistent=False)
        self.init_weights()

    def _make_layer(self, planes: int, blocks: int, stride: int = 1, norm_layer=nn.BatchNorm2d) -> nn.Sequential:
        layers = [BasicBlock(self.inplanes, planes, stride, norm_layer, use_se=True)]
        self.inplanes = planes
        for _ in range(1, blocks):
            layers.append(BasicBlock(planes, planes, norm_layer=norm_layer))
        return nn.Sequential(*layers)

    @torch.no_grad()
    def init_weights(self) -> None:
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
                if m.bias is not None:
                    nn.init.zeros_(m.bias)
            elif isinstance(m, (nn.BatchNorm2d, nn.LayerNorm)):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.Linear):
                trunc_normal_(m.weight, std=0.02)
                if m.bias is not None:
                    m.bias.data.fill_(0)
        trunc_normal_(self.pos_embed, std=0.02)
        nn.init.normal_(self.cls_token, std=1e-6)

    def _tokens(self, features: Tensor) -> Tensor:
        # 输入分辨率变化时，特征图统一到固定网格
        if features.shape[-2:] != (self.grid, self.grid):
            features = F.interpolate(features, size=(self.grid, self.grid), mode="bilinear", align_corners=False)
        return features.flatten(2).transpose(1, 2) + self.pos_embed

    def forward_features(self, x: Tensor) -> Tensor:
        x = self.maxpool(self.stem(x))
        x = self.layer2(self.layer1(x))
        tokens = self._tokens(x)
        cls = self.cls_token.expand(x.size(0), -1, -1)
        tokens = torch.cat((cls, tokens), dim=1)
        for block in self.blocks:
            tokens = block(tokens)
        return self.norm(tokens)

    def forward(self, x: Tensor) -> Tensor:
        tokens = self.forward_features(x)
        pooled = torch.cat([tokens[:, 0], tokens[:, 1:].mean(dim=1)], dim=-1)
        logits = self.head(self.dropout(pooled))
        return logits + torch.log(self.class_prior)


def flownet_tiny(num_classes: int = 6, **kwargs) -> FlowerNet:
    return FlowerNet(num_classes, width=16, layers=(1, 1), depth=1, num_heads=2, **kwargs)


def flownet_base(num_classes: int = 6, **kwargs) -> FlowerNet:
    return FlowerNet(num_classes, width=64, layers=[2, 2], depth=4, num_heads=8, **kwargs)
