"""torchvision.models: transformers that attend within windows, of images and of videos. What a layer reads
has the shape (batch, *sizes, channels), with two sizes for images and three for videos."""

import functools
import itertools
import math

import mindspore
import numpy as np
from mindspore import ops


def parts_of_windows(sizes, window):
    """The shape that tells windows and places in them apart, and the axes that put the former first."""
    shape = [part for size, side in zip(sizes, window) for part in (size // side, side)]
    return shape, [*range(0, len(shape), 2), *range(1, len(shape), 2)]


def in_windows(x, window):
    """What has the shape (batch, *sizes, channels) as (windows of all, places in one, channels)."""
    batch, *sizes, channels = x.shape
    shape, axes = parts_of_windows(sizes, window)
    x = x.reshape((batch, *shape, channels)).permute((0, *(axis + 1 for axis in axes), len(axes) + 1))
    return x.reshape((-1, math.prod(window), channels))


def out_of_windows(x, sizes, window):
    """The reverse of `in_windows`."""
    shape, axes = parts_of_windows(sizes, window)
    x = x.reshape((-1, *(shape[axis] for axis in axes), x.shape[-1]))
    back = [place + 1 for place in np.argsort(axes).tolist()]
    return x.permute((0, *back, len(axes) + 1)).reshape((-1, *sizes, x.shape[-1]))


def strangers_in_windows(sizes, window, shift):
    """What is added to scores in each window: -100 where two places were apart before the shift."""
    bounds = [((0, -side), (-side, -step), (-step, None)) for side, step in zip(window, shift)]
    regions = np.zeros(sizes, np.float32)
    for number, region in enumerate(itertools.product(*bounds)):
        regions[tuple(slice(*bound) for bound in region)] = number
    shape, axes = parts_of_windows(sizes, window)
    regions = regions.reshape(shape).transpose(axes).reshape(-1, math.prod(window))
    is_apart = regions[:, None, :] != regions[:, :, None]
    return mindspore.Tensor(np.where(is_apart, np.float32(-100.0), np.float32(0.0)))


def attention_in_windows(layer, input, bias, window, shift, scale=None):
    """What the layer's attention gives for `input`, of which each place sees its window alone; the windows
    are shifted, and go over the edge. With `scale`, directions of queries and keys are compared."""
    sizes, channels = input.shape[1:-1], input.shape[-1]
    missing = [-size % side for size, side in zip(sizes, window)]
    x = pad(input, (0, 0, *(part for count in reversed(missing) for part in (0, count))))
    padded, axes = x.shape[1:-1], tuple(range(1, x.ndim - 1))
    is_shifted = sum(shift) > 0
    if is_shifted:
        x = roll(x, tuple(-step for step in shift), axes)
    x = in_windows(x, window)
    heads = layer.num_heads
    projected = linear(x, layer.qkv.weight, layer.bias_of_qkv())
    projected = projected.reshape((*x.shape[:2], 3, heads, channels // heads)).permute((2, 0, 3, 1, 4))
    query, key, value = projected[0], projected[1], projected[2]
    if scale is None:
        scores = ops.matmul(query * (channels // heads) ** -0.5, key.swapaxes(-2, -1))
    else:
        scores = ops.matmul(normalize(query, dim=-1), normalize(key, dim=-1).swapaxes(-2, -1)) * scale
    scores = scores + bias
    if is_shifted:
        strangers = strangers_in_windows(padded, window, shift)
        shape = scores.shape
        scores = scores.reshape((-1, len(strangers), *shape[1:])) + strangers.expand_dims(1).astype(
            scores.dtype
        )
        scores = scores.reshape(shape)
    shares = dropout(ops.softmax(scores, -1), layer.attention_dropout, layer.training)
    x = ops.matmul(shares, value).swapaxes(1, 2).reshape(x.shape)
    x = dropout(linear(x, layer.proj.weight, layer.proj.bias), layer.dropout, layer.training)
    x = out_of_windows(x, padded, window)
    if is_shifted:
        x = roll(x, tuple(shift), axes)
    return x[(slice(None), *(slice(size) for size in sizes))]


class AttentionInWindows(Module):
    """What attention within windows of images and of videos have in common."""

    def __init__(
        self,
        dim,
        window_size,
        shift_size,
        num_heads,
        qkv_bias=True,
        proj_bias=True,
        attention_dropout=0.0,
        dropout=0.0,
    ):
        super().__init__()
        if (len(window_size), len(shift_size)) != (self.axes, self.axes):
            raise ValueError(f"window_size and shift_size must be of length {self.axes}")
        self.window_size, self.shift_size, self.num_heads = window_size, shift_size, num_heads
        self.attention_dropout, self.dropout = attention_dropout, dropout
        self.qkv = Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = Linear(dim, dim, bias=proj_bias)
        self.define_relative_position_bias_table()
        self.define_relative_position_index()

    def define_relative_position_bias_table(self):
        count = math.prod(2 * side - 1 for side in self.window_size)
        self.relative_position_bias_table = Parameter(zeros(count, self.num_heads))
        trunc_normal_(self.relative_position_bias_table, std=0.02)

    def numbers_of_distances(self):
        """For each two places in a window, the number of their distance."""
        places = np.stack(np.meshgrid(*map(np.arange, self.window_size), indexing="ij")).reshape(
            self.axes, -1
        )
        number = np.zeros((places.shape[1], places.shape[1]), np.int64)
        for side, place in zip(self.window_size, places):
            number = number * (2 * side - 1) + place[:, None] - place[None, :] + side - 1
        return number

    def bias_of_qkv(self):
        return self.qkv.bias

    def bias_of_distances(self, table, index):
        """What is added to the scores of each two places, by their distance."""
        side = math.isqrt(index.size)
        return (
            ops.gather(table, index.reshape(-1), 0)
            .reshape((side, side, -1))
            .permute((2, 0, 1))
            .expand_dims(0)
        )


class ShiftedWindowAttention(AttentionInWindows):
    """torchvision.models.swin_transformer.ShiftedWindowAttention."""

    axes = 2

    def define_relative_position_index(self):
        self.register_buffer(
            "relative_position_index", mindspore.Tensor(self.numbers_of_distances().reshape(-1))
        )

    def get_relative_position_bias(self):
        return self.bias_of_distances(self.relative_position_bias_table, self.relative_position_index)

    def scale_of_scores(self):
        return None

    def construct(self, x):
        padded = [-(-size // side) * side for size, side in zip(x.shape[1:-1], self.window_size)]
        shift = [
            0 if side >= size else step for side, size, step in zip(self.window_size, padded, self.shift_size)
        ]
        bias, scale = self.get_relative_position_bias(), self.scale_of_scores()
        return attention_in_windows(self, x, bias, self.window_size, shift, scale)


class ShiftedWindowAttentionV2(ShiftedWindowAttention):
    """torchvision.models.swin_transformer.ShiftedWindowAttentionV2: a network tells what distances add."""

    def __init__(
        self,
        dim,
        window_size,
        shift_size,
        num_heads,
        qkv_bias=True,
        proj_bias=True,
        attention_dropout=0.0,
        dropout=0.0,
    ):
        super().__init__(
            dim, window_size, shift_size, num_heads, qkv_bias, proj_bias, attention_dropout, dropout
        )
        self.logit_scale = Parameter(ops.log(10 * ones(num_heads, 1, 1)))
        self.cpb_mlp = Sequential(Linear(2, 512), ReLU(inplace=True), Linear(512, num_heads, bias=False))
        if qkv_bias:
            self.qkv.bias = Parameter(self.bias_of_qkv())

    def define_relative_position_bias_table(self):
        steps = [np.arange(1 - side, side, dtype=np.float32) / (side - 1) * 8 for side in self.window_size]
        table = np.stack(np.meshgrid(*steps, indexing="ij"), -1)[None]
        table = np.sign(table) * np.log2(np.abs(table) + np.float32(1)) / np.float32(3)
        self.register_buffer("relative_coords_table", mindspore.Tensor(table.astype(np.float32)))

    def get_relative_position_bias(self):
        table = self.cpb_mlp(self.relative_coords_table).reshape((-1, self.num_heads))
        return 16 * ops.sigmoid(self.bias_of_distances(table, self.relative_position_index))

    def bias_of_qkv(self):
        bias = self.qkv.bias
        if bias is None:
            return None
        length = bias.size // 3
        return ops.cat([bias[:length], ops.zeros_like(bias[:length]), bias[2 * length :]])

    def scale_of_scores(self):
        return ops.exp(clamp(self.logit_scale, max=math.log(100.0)))


class SwinTransformerBlock(Module):
    """torchvision.models.swin_transformer.SwinTransformerBlock."""

    def __init__(
        self,
        dim,
        num_heads,
        window_size,
        shift_size,
        mlp_ratio=4.0,
        dropout=0.0,
        attention_dropout=0.0,
        stochastic_depth_prob=0.0,
        norm_layer=LayerNorm,
        attn_layer=ShiftedWindowAttention,
    ):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = attn_layer(
            dim, window_size, shift_size, num_heads, attention_dropout=attention_dropout, dropout=dropout
        )
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.norm2 = norm_layer(dim)
        widths = [int(dim * mlp_ratio), dim]
        self.mlp = MLP(dim, widths, activation_layer=GELU, inplace=None, dropout=dropout)
        for layer in (self.mlp[0], self.mlp[3]):
            xavier_uniform_(layer.weight)
            normal_(layer.bias, std=1e-6)

    def construct(self, x):
        x = x + self.stochastic_depth(self.attn(self.norm1(x)))
        return x + self.stochastic_depth(self.mlp(self.norm2(x)))


class SwinTransformerBlockV2(SwinTransformerBlock):
    """torchvision.models.swin_transformer.SwinTransformerBlockV2: what comes out of layers is normalized."""

    def __init__(
        self,
        dim,
        num_heads,
        window_size,
        shift_size,
        mlp_ratio=4.0,
        dropout=0.0,
        attention_dropout=0.0,
        stochastic_depth_prob=0.0,
        norm_layer=LayerNorm,
        attn_layer=ShiftedWindowAttentionV2,
    ):
        super().__init__(
            dim,
            num_heads,
            window_size,
            shift_size,
            mlp_ratio,
            dropout,
            attention_dropout,
            stochastic_depth_prob,
            norm_layer,
            attn_layer,
        )

    def construct(self, x):
        x = x + self.stochastic_depth(self.norm1(self.attn(x)))
        return x + self.stochastic_depth(self.norm2(self.mlp(x)))


def quarters_joined(x):
    """Four neighbours of images or frames as one place with four times the channels; odd sizes get zeros."""
    height, width = x.shape[-3:-1]
    x = pad(x, (0, 0, 0, width % 2, 0, height % 2))
    corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
    return ops.cat(
        [sliced(x, ..., slice(row, None, 2), slice(column, None, 2), slice(None)) for row, column in corners],
        -1,
    )


class PatchMerging(Module):
    """torchvision.models.swin_transformer.PatchMerging."""

    def __init__(self, dim, norm_layer=LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction = Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(4 * dim)

    def construct(self, x):
        return self.reduction(self.norm(quarters_joined(x)))


class PatchMergingV2(Module):
    """torchvision.models.swin_transformer.PatchMergingV2."""

    def __init__(self, dim, norm_layer=LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction = Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(2 * dim)

    def construct(self, x):
        return self.norm(self.reduction(quarters_joined(x)))


def stages_of_windows(block, smaller, width, depths, heads, window, chance, **options):
    """The stages of a transformer with windows, of which every second is shifted; between stages, images get
    smaller and wider. The deeper a block, the more often it is left out, `chance` in the last."""
    layers, place = [], 0
    for stage, (depth, count) in enumerate(zip(depths, heads)):
        blocks = []
        for number in range(depth):
            shift = [side // 2 if number % 2 else 0 for side in window]
            share = chance * float(place) / (sum(depths) - 1)
            changing = {"window_size": window, "shift_size": shift, "stochastic_depth_prob": share}
            blocks.append(block(width << stage, count, **changing, **options))
            place += 1
        layers.append(Sequential(*blocks))
        if stage < len(depths) - 1:
            layers.append(smaller(width << stage, options["norm_layer"]))
    return layers


def start_linear_layers(network):
    """The weights that transformers start with."""
    for module in network.modules():
        if isinstance(module, Linear):
            trunc_normal_(module.weight, std=0.02)
            if module.bias is not None:
                zeros_(module.bias)


class SwinTransformer(Module):
    """torchvision.models.SwinTransformer."""

    def __init__(
        self,
        patch_size,
        embed_dim,
        depths,
        num_heads,
        window_size,
        mlp_ratio=4.0,
        dropout=0.0,
        attention_dropout=0.0,
        stochastic_depth_prob=0.1,
        num_classes=1000,
        norm_layer=None,
        block=None,
        downsample_layer=PatchMerging,
    ):
        super().__init__()
        self.num_classes = num_classes
        norm_layer = norm_layer or functools.partial(LayerNorm, eps=1e-5)
        patches = Conv2d(3, embed_dim, tuple(patch_size), tuple(patch_size))
        first = Sequential(patches, PermuteAxes([0, 2, 3, 1]), norm_layer(embed_dim))
        stages = stages_of_windows(
            block or SwinTransformerBlock,
            downsample_layer,
            embed_dim,
            depths,
            num_heads,
            window_size,
            stochastic_depth_prob,
            mlp_ratio=mlp_ratio,
            dropout=dropout,
            attention_dropout=attention_dropout,
            norm_layer=norm_layer,
        )
        self.features = Sequential(first, *stages)
        width = embed_dim * 2 ** (len(depths) - 1)
        self.norm = norm_layer(width)
        self.permute = PermuteAxes([0, 3, 1, 2])
        self.avgpool = AdaptiveAvgPool2d(1)
        self.flatten = Flatten(1)
        self.head = Linear(width, num_classes)
        start_linear_layers(self)

    def construct(self, x):
        x = self.permute(self.norm(self.features(x)))
        return self.head(self.flatten(self.avgpool(x)))


class Swin_T_Weights(PretrainedWeights):
    """torchvision.models.Swin_T_Weights."""

    IMAGENET1K_V1 = "swin_t-704ceda3.pth"
    DEFAULT = IMAGENET1K_V1


def windows_of_images(width, depths, heads, side=7, **options):
    """The sizes of a transformer of images with windows."""
    sizes = {"patch_size": [4, 4], "embed_dim": width, "depths": depths, "num_heads": heads}
    return {**sizes, "window_size": [side, side], **options}


def swin_t(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.swin_t."""
    sizes = windows_of_images(96, [2, 2, 6, 2], [3, 6, 12, 24], stochastic_depth_prob=0.2)
    return published(SwinTransformer, Swin_T_Weights, weights, pretrained, {**sizes, **kwargs})


class Swin_S_Weights(PretrainedWeights):
    """torchvision.models.Swin_S_Weights."""

    IMAGENET1K_V1 = "swin_s-5e29d889.pth"
    DEFAULT = IMAGENET1K_V1


def swin_s(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.swin_s."""
    sizes = windows_of_images(96, [2, 2, 18, 2], [3, 6, 12, 24], stochastic_depth_prob=0.3)
    return published(SwinTransformer, Swin_S_Weights, weights, pretrained, {**sizes, **kwargs})


class Swin_B_Weights(PretrainedWeights):
    """torchvision.models.Swin_B_Weights."""

    IMAGENET1K_V1 = "swin_b-68c6b09e.pth"
    DEFAULT = IMAGENET1K_V1


def swin_b(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.swin_b."""
    sizes = windows_of_images(128, [2, 2, 18, 2], [4, 8, 16, 32], stochastic_depth_prob=0.5)
    return published(SwinTransformer, Swin_B_Weights, weights, pretrained, {**sizes, **kwargs})


# What the second version of the transformer is made of
SECOND_KIND_OF_WINDOWS = {"block": SwinTransformerBlockV2, "downsample_layer": PatchMergingV2}


class Swin_V2_T_Weights(PretrainedWeights):
    """torchvision.models.Swin_V2_T_Weights."""

    IMAGENET1K_V1 = "swin_v2_t-b137f0e2.pth"
    DEFAULT = IMAGENET1K_V1


def swin_v2_t(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.swin_v2_t."""
    sizes = windows_of_images(96, [2, 2, 6, 2], [3, 6, 12, 24], 8, stochastic_depth_prob=0.2)
    options = {**sizes, **SECOND_KIND_OF_WINDOWS, **kwargs}
    return published(SwinTransformer, Swin_V2_T_Weights, weights, pretrained, options)


class Swin_V2_S_Weights(PretrainedWeights):
    """torchvision.models.Swin_V2_S_Weights."""

    IMAGENET1K_V1 = "swin_v2_s-637d8ceb.pth"
    DEFAULT = IMAGENET1K_V1


def swin_v2_s(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.swin_v2_s."""
    sizes = windows_of_images(96, [2, 2, 18, 2], [3, 6, 12, 24], 8, stochastic_depth_prob=0.3)
    options = {**sizes, **SECOND_KIND_OF_WINDOWS, **kwargs}
    return published(SwinTransformer, Swin_V2_S_Weights, weights, pretrained, options)


class Swin_V2_B_Weights(PretrainedWeights):
    """torchvision.models.Swin_V2_B_Weights."""

    IMAGENET1K_V1 = "swin_v2_b-781e5279.pth"
    DEFAULT = IMAGENET1K_V1


def swin_v2_b(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.swin_v2_b."""
    sizes = windows_of_images(128, [2, 2, 18, 2], [4, 8, 16, 32], 8, stochastic_depth_prob=0.5)
    options = {**sizes, **SECOND_KIND_OF_WINDOWS, **kwargs}
    return published(SwinTransformer, Swin_V2_B_Weights, weights, pretrained, options)
