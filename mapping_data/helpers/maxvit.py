"""torchvision.models: MaxViT. Its layers convolve, then attend within windows, then from window to window."""

import functools
import math
from collections import OrderedDict

import mindspore
import numpy as np
from mindspore import ops


class ConvolvingPart(Module):
    """torchvision.models.maxvit.MBConv: what a layer of MaxViT begins with."""

    def __init__(
        self,
        in_channels,
        out_channels,
        expansion_ratio,
        squeeze_ratio,
        stride,
        activation_layer,
        norm_layer,
        p_stochastic_dropout=0.0,
    ):
        super().__init__()
        if stride == 1 and in_channels == out_channels:
            self.proj = Identity()
        else:
            smaller = [AvgPool2d(3, stride, 1)] if stride == 2 else []
            self.proj = Sequential(*smaller, Conv2d(in_channels, out_channels, 1))
        width, narrow = int(out_channels * expansion_ratio), int(out_channels * squeeze_ratio)
        is_dropped = bool(p_stochastic_dropout)
        self.stochastic_depth = StochasticDepth(p_stochastic_dropout, "row") if is_dropped else Identity()
        kinds = {"activation_layer": activation_layer, "norm_layer": norm_layer, "inplace": None}
        layers = OrderedDict(pre_norm=norm_layer(in_channels))
        layers["conv_a"] = Conv2dNormActivation(in_channels, width, 1, 1, 0, **kinds)
        layers["conv_b"] = Conv2dNormActivation(width, width, 3, stride, 1, groups=width, **kinds)
        layers["squeeze_excitation"] = SqueezeExcitation(width, narrow, SiLU)
        layers["conv_c"] = Conv2d(width, out_channels, 1)
        self.layers = Sequential(layers)

    def construct(self, x):
        return self.proj(x) + self.stochastic_depth(self.layers(x))


class RelativePositionalMultiHeadAttention(Module):
    """torchvision.models.maxvit.RelativePositionalMultiHeadAttention: to scores is added what belongs to the
    distance of two places. It reads the shape (batch, windows, places, channels)."""

    def __init__(self, feat_dim, head_dim, max_seq_len):
        super().__init__()
        if feat_dim % head_dim != 0:
            raise ValueError(f"feat_dim: {feat_dim} must be divisible by head_dim: {head_dim}")
        self.n_heads, self.head_dim = feat_dim // head_dim, head_dim
        self.size, self.max_seq_len = int(math.sqrt(max_seq_len)), max_seq_len
        self.to_qkv = Linear(feat_dim, 3 * feat_dim)
        self.scale_factor = feat_dim**-0.5
        self.merge = Linear(feat_dim, feat_dim)
        self.relative_position_bias_table = Parameter(empty((2 * self.size - 1) ** 2, self.n_heads))
        row, column = np.divmod(np.arange(self.size**2), self.size)
        rows, columns = (place[:, None] - place[None, :] + self.size - 1 for place in (row, column))
        numbers = rows * (2 * self.size - 1) + columns
        self.register_buffer("relative_position_index", mindspore.Tensor(numbers.astype(np.int64)))
        trunc_normal_(self.relative_position_bias_table, std=0.02)

    def get_relative_positional_bias(self):
        index = self.relative_position_index.reshape(-1)
        bias = ops.gather(self.relative_position_bias_table, index, 0)
        return bias.reshape((self.max_seq_len, self.max_seq_len, -1)).permute((2, 0, 1)).expand_dims(0)

    def construct(self, x):
        heads = (*x.shape[:3], self.n_heads, self.head_dim)
        query, key, value = (
            part.reshape(heads).permute((0, 1, 3, 2, 4)) for part in ops.chunk(self.to_qkv(x), 3, -1)
        )
        scores = ops.matmul(query, (key * self.scale_factor).swapaxes(-2, -1))
        shares = ops.softmax(scores + self.get_relative_positional_bias(), -1)
        return self.merge(ops.matmul(shares, value).permute((0, 1, 3, 2, 4)).reshape(x.shape))


class SwapAxes(Module):
    """torchvision.models.maxvit.SwapAxes."""

    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = a, b

    def construct(self, x):
        return x.swapaxes(self.a, self.b)


class WindowPartition(Module):
    """torchvision.models.maxvit.WindowPartition: an image as windows of `p` times `p` places."""

    def construct(self, x, p):
        batch, channels, height, width = x.shape
        x = x.reshape((batch, channels, height // p, p, width // p, p)).permute((0, 2, 4, 3, 5, 1))
        return x.reshape((batch, -1, p * p, channels))


class WindowDepartition(Module):
    """torchvision.models.maxvit.WindowDepartition: the reverse of WindowPartition."""

    def construct(self, x, p, h_partitions, w_partitions):
        batch, _, _, channels = x.shape
        x = x.reshape((batch, h_partitions, w_partitions, p, p, channels)).permute((0, 5, 1, 3, 2, 4))
        return x.reshape((batch, channels, h_partitions * p, w_partitions * p))


class PartitionAttentionLayer(Module):
    """torchvision.models.maxvit.PartitionAttentionLayer: the places of a window see each other; in a grid,
    those that windows have in the same place."""

    def __init__(
        self,
        in_channels,
        head_dim,
        partition_size,
        partition_type,
        grid_size,
        mlp_ratio,
        activation_layer,
        norm_layer,
        attention_dropout,
        mlp_dropout,
        p_stochastic_dropout,
    ):
        super().__init__()
        self.n_heads, self.head_dim = in_channels // head_dim, head_dim
        self.n_partitions = grid_size[0] // partition_size
        self.partition_type, self.grid_size = partition_type, grid_size
        if partition_type not in ("grid", "window"):
            raise ValueError("partition_type must be either 'grid' or 'window'")
        is_grid = partition_type == "grid"
        self.p, self.g = partition_size, self.n_partitions
        if is_grid:
            self.p, self.g = self.g, self.p
        self.partition_op, self.departition_op = WindowPartition(), WindowDepartition()
        self.partition_swap = SwapAxes(-2, -3) if is_grid else Identity()
        self.departition_swap = SwapAxes(-2, -3) if is_grid else Identity()
        self.attn_layer = Sequential(
            norm_layer(in_channels),
            RelativePositionalMultiHeadAttention(in_channels, head_dim, partition_size**2),
            Dropout(attention_dropout),
        )
        self.mlp_layer = Sequential(
            LayerNorm(in_channels),
            Linear(in_channels, in_channels * mlp_ratio),
            activation_layer(),
            Linear(in_channels * mlp_ratio, in_channels),
            Dropout(mlp_dropout),
        )
        self.stochastic_dropout = StochasticDepth(p_stochastic_dropout, "row")

    def construct(self, x):
        if any(size % self.p for size in self.grid_size):
            sizes = f"Got grid size of {self.grid_size} and partition size of {self.p}"
            raise AssertionError(f"Grid size must be divisible by partition size. {sizes}")
        x = self.partition_swap(self.partition_op(x, self.p))
        x = x + self.stochastic_dropout(self.attn_layer(x))
        x = x + self.stochastic_dropout(self.mlp_layer(x))
        counts = (size // self.p for size in self.grid_size)
        return self.departition_op(self.departition_swap(x), self.p, *counts)


class MaxVitLayer(Module):
    """torchvision.models.maxvit.MaxVitLayer."""

    def __init__(
        self,
        in_channels,
        out_channels,
        squeeze_ratio,
        expansion_ratio,
        stride,
        norm_layer,
        activation_layer,
        head_dim,
        mlp_ratio,
        mlp_dropout,
        attention_dropout,
        p_stochastic_dropout,
        partition_size,
        grid_size,
    ):
        super().__init__()
        kinds = (expansion_ratio, squeeze_ratio, stride, activation_layer, norm_layer, p_stochastic_dropout)
        layers = OrderedDict(MBconv=ConvolvingPart(in_channels, out_channels, *kinds))
        for kind in ("window", "grid"):
            layers[f"{kind}_attention"] = PartitionAttentionLayer(
                out_channels,
                head_dim,
                partition_size,
                kind,
                grid_size,
                mlp_ratio,
                activation_layer,
                LayerNorm,
                attention_dropout,
                mlp_dropout,
                p_stochastic_dropout,
            )
        self.layers = Sequential(layers)

    def construct(self, x):
        return self.layers(x)


def half_of_sizes(sizes):
    """The sizes of an image behind a convolution that halves them."""
    return tuple((size - 1) // 2 + 1 for size in sizes)


class MaxVitBlock(Module):
    """torchvision.models.maxvit.MaxVitBlock: layers of which the first halves the image."""

    def __init__(
        self,
        in_channels,
        out_channels,
        squeeze_ratio,
        expansion_ratio,
        norm_layer,
        activation_layer,
        head_dim,
        mlp_ratio,
        mlp_dropout,
        attention_dropout,
        partition_size,
        input_grid_size,
        n_layers,
        p_stochastic,
    ):
        super().__init__()
        if len(p_stochastic) != n_layers:
            found = f"got p_stochastic={p_stochastic}"
            raise ValueError(f"p_stochastic must have length n_layers={n_layers}, {found}.")
        self.grid_size = half_of_sizes(input_grid_size)
        self.layers = ModuleList()
        for place, chance in enumerate(p_stochastic):
            layer = MaxVitLayer(
                out_channels if place else in_channels,
                out_channels,
                squeeze_ratio,
                expansion_ratio,
                1 if place else 2,
                norm_layer,
                activation_layer,
                head_dim,
                mlp_ratio,
                mlp_dropout,
                attention_dropout,
                chance,
                partition_size,
                self.grid_size,
            )
            self.layers.append(layer)

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class MaxVit(Module):
    """torchvision.models.MaxVit."""

    def __init__(
        self,
        input_size,
        stem_channels,
        partition_size,
        block_channels,
        block_layers,
        head_dim,
        stochastic_depth_prob,
        norm_layer=None,
        activation_layer=GELU,
        squeeze_ratio=0.25,
        expansion_ratio=4,
        mlp_ratio=4,
        mlp_dropout=0.0,
        attention_dropout=0.0,
        num_classes=1000,
    ):
        super().__init__()
        norm_layer = norm_layer or functools.partial(BatchNorm2d, eps=1e-3, momentum=0.01)
        sizes = half_of_sizes(input_size)
        self._refuse_odd_windows(sizes, len(block_channels), partition_size)
        kinds = {"norm_layer": norm_layer, "activation_layer": activation_layer, "inplace": None}
        first = Conv2dNormActivation(3, stem_channels, 3, 2, bias=False, **kinds)
        plain = {"norm_layer": None, "activation_layer": None, "bias": True}
        self.stem = Sequential(first, Conv2dNormActivation(stem_channels, stem_channels, 3, 1, **plain))
        self.partition_size = partition_size
        self.blocks = ModuleList()
        chances = np.linspace(0, stochastic_depth_prob, sum(block_layers)).tolist()
        width, place = stem_channels, 0
        for wider, count in zip(block_channels, block_layers):
            block = MaxVitBlock(
                width,
                wider,
                squeeze_ratio,
                expansion_ratio,
                norm_layer,
                activation_layer,
                head_dim,
                mlp_ratio,
                mlp_dropout,
                attention_dropout,
                partition_size,
                sizes,
                count,
                chances[place : place + count],
            )
            self.blocks.append(block)
            width, sizes, place = wider, block.grid_size, place + count
        self.classifier = Sequential(
            AdaptiveAvgPool2d(1),
            Flatten(),
            LayerNorm(width),
            Linear(width, width),
            Tanh(),
            Linear(width, num_classes, bias=False),
        )
        for module in self.modules():
            if isinstance(module, (Conv2d, Linear)):
                normal_(module.weight, std=0.02)
                if module.bias is not None:
                    zeros_(module.bias)

    @staticmethod
    def _refuse_odd_windows(sizes, count, side):
        found = []
        for _ in range(count):
            sizes = half_of_sizes(sizes)
            found.append(sizes)
        for place, each in enumerate(found):
            if each[0] % side or each[1] % side:
                raise ValueError(
                    f"Input size {each} of block {place} is not divisible by partition size {side}. "
                    f"Consider changing the partition size or the input size.\n"
                    f"Current configuration yields the following block input sizes: {found}."
                )

    def construct(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.classifier(x)


class MaxVit_T_Weights(PretrainedWeights):
    """torchvision.models.MaxVit_T_Weights."""

    IMAGENET1K_V1 = "maxvit_t-bc5ab103.pth"
    DEFAULT = IMAGENET1K_V1


def maxvit_t(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.maxvit_t."""
    options = {
        "stem_channels": 64,
        "block_channels": [64, 128, 256, 512],
        "block_layers": [2, 2, 5, 2],
        "head_dim": 32,
        "stochastic_depth_prob": 0.2,
        "partition_size": 7,
        "input_size": (224, 224),
        **kwargs,
    }
    return published(MaxVit, MaxVit_T_Weights, weights, pretrained, options)
