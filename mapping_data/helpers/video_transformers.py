"""torchvision.models.video: transformers of videos of the shape (batch, channels, frames, height, width)."""

import functools
import math

import mindspore
import numpy as np
from mindspore import ops


class ShiftedWindowAttention3d(AttentionInWindows):
    """torchvision.models.video.swin_transformer.ShiftedWindowAttention3d."""

    axes = 3

    def define_relative_position_index(self):
        self.register_buffer("relative_position_index", mindspore.Tensor(self.numbers_of_distances()))

    def construct(self, x):
        sizes = x.shape[1:-1]
        window = [min(side, size) for side, size in zip(self.window_size, sizes)]
        shift = [
            0 if size <= side else step for side, size, step in zip(self.window_size, sizes, self.shift_size)
        ]
        count = math.prod(window)
        index = self.relative_position_index[:count, :count]
        bias = self.bias_of_distances(self.relative_position_bias_table, index)
        return attention_in_windows(self, x, bias, window, shift)


class PatchEmbed3d(Module):
    """torchvision.models.video.swin_transformer.PatchEmbed3d."""

    def __init__(self, patch_size, in_channels=3, embed_dim=96, norm_layer=None):
        super().__init__()
        self.tuple_patch_size = tuple(patch_size)
        self.proj = Conv3d(in_channels, embed_dim, self.tuple_patch_size, self.tuple_patch_size)
        self.norm = Identity() if norm_layer is None else norm_layer(embed_dim)

    def construct(self, x):
        missing = [-size % side for size, side in zip(x.shape[2:], self.tuple_patch_size)]
        x = pad(x, tuple(part for count in reversed(missing) for part in (0, count)))
        return self.norm(self.proj(x).permute((0, 2, 3, 4, 1)))


class SwinTransformer3d(Module):
    """torchvision.models.video.SwinTransformer3d."""

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
        num_classes=400,
        norm_layer=None,
        block=None,
        downsample_layer=PatchMerging,
        patch_embed=None,
    ):
        super().__init__()
        self.num_classes = num_classes
        norm_layer = norm_layer or functools.partial(LayerNorm, eps=1e-5)
        patches = patch_embed or PatchEmbed3d
        self.patch_embed = patches(patch_size=patch_size, embed_dim=embed_dim, norm_layer=norm_layer)
        self.pos_drop = Dropout(dropout)
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
            attn_layer=ShiftedWindowAttention3d,
        )
        self.features = Sequential(*stages)
        self.num_features = embed_dim * 2 ** (len(depths) - 1)
        self.norm = norm_layer(self.num_features)
        self.avgpool = AdaptiveAvgPool3d(1)
        self.head = Linear(self.num_features, num_classes)
        start_linear_layers(self)

    def construct(self, x):
        x = self.norm(self.features(self.pos_drop(self.patch_embed(x))))
        return self.head(self.avgpool(x.permute((0, 4, 1, 2, 3))).flatten(1))


def windows_of_videos(width, depths, heads):
    """The sizes of a transformer of videos with windows."""
    sizes = {"patch_size": [2, 4, 4], "embed_dim": width, "depths": depths, "num_heads": heads}
    return {**sizes, "window_size": [8, 7, 7], "stochastic_depth_prob": 0.1}


class Swin3D_T_Weights(WeightsOfVideos):
    """torchvision.models.video.Swin3D_T_Weights."""

    KINETICS400_V1 = "swin3d_t-7615ae03.pth"
    DEFAULT = KINETICS400_V1


def swin3d_t(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.video.swin3d_t."""
    options = {**windows_of_videos(96, [2, 2, 6, 2], [3, 6, 12, 24]), **kwargs}
    return published_video_network(SwinTransformer3d, Swin3D_T_Weights, weights, pretrained, options)


class Swin3D_S_Weights(WeightsOfVideos):
    """torchvision.models.video.Swin3D_S_Weights."""

    KINETICS400_V1 = "swin3d_s-da41c237.pth"
    DEFAULT = KINETICS400_V1


def swin3d_s(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.video.swin3d_s."""
    options = {**windows_of_videos(96, [2, 2, 18, 2], [3, 6, 12, 24]), **kwargs}
    return published_video_network(SwinTransformer3d, Swin3D_S_Weights, weights, pretrained, options)


class Swin3D_B_Weights(WeightsOfVideos):
    """torchvision.models.video.Swin3D_B_Weights."""

    KINETICS400_V1 = "swin3d_b_1k-24f7c7c6.pth"
    KINETICS400_IMAGENET22K_V1 = "swin3d_b_22k-7c6ae6fa.pth"
    DEFAULT = KINETICS400_V1


def swin3d_b(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.video.swin3d_b."""
    options = {**windows_of_videos(128, [2, 2, 18, 2], [4, 8, 16, 32]), **kwargs}
    return published_video_network(SwinTransformer3d, Swin3D_B_Weights, weights, pretrained, options)


class MSBlockConfig:
    """torchvision.models.video.mvit.MSBlockConfig: one block of MViT. Kernels and strides are of frames,
    height and width; an empty list leaves sizes as they are."""

    def __init__(self, num_heads, input_channels, output_channels, kernel_q, kernel_kv, stride_q, stride_kv):
        self.num_heads, self.input_channels, self.output_channels = num_heads, input_channels, output_channels
        self.kernel_q, self.kernel_kv, self.stride_q, self.stride_kv = (
            kernel_q,
            kernel_kv,
            stride_q,
            stride_kv,
        )

    __hash__ = None

    def __eq__(self, other):
        return isinstance(other, MSBlockConfig) and vars(self) == vars(other)

    def __repr__(self):
        return "MSBlockConfig({})".format(", ".join(f"{name}={value}" for name, value in vars(self).items()))


class PoolOfTokens(Module):
    """torchvision.models.video.mvit.Pool: the places of a video are pooled, and the first token is kept."""

    def __init__(self, pool, norm, activation=None, norm_before_pool=False):
        super().__init__()
        self.pool = pool
        layers = [layer for layer in (norm, activation) if layer is not None]
        self.norm_act = Sequential(*layers) if layers else None
        self.norm_before_pool = norm_before_pool

    def construct(self, x, sizes):
        is_one = x.ndim == 3
        if is_one:
            x = x.expand_dims(1)
        if x.ndim != 4:
            raise ValueError(f"Unsupported input dimension {x.shape}")
        token, x = x[:, :, :1], x[:, :, 1:].swapaxes(2, 3)
        batch, heads, channels = x.shape[:3]
        x = x.reshape((batch * heads, channels, *sizes))
        if self.norm_before_pool and self.norm_act is not None:
            x = self.norm_act(x)
        x = self.pool(x)
        sizes = tuple(x.shape[2:])
        x = ops.cat([token, x.reshape((batch, heads, channels, -1)).swapaxes(2, 3)], 2)
        if not self.norm_before_pool and self.norm_act is not None:
            x = self.norm_act(x)
        return x.squeeze(1) if is_one else x, sizes


def steps_between(query, key):
    """For each place of a query and of a key along one axis, which row of a table their distance has."""
    wide, narrow = max(key / query, 1.0), max(query / key, 1.0)
    queries, keys = (np.arange(size, dtype=np.float32) for size in (query, key))
    far = queries[:, None] * np.float32(wide) - (keys[None, :] + np.float32(1.0 - key)) * np.float32(narrow)
    return mindspore.Tensor(far.astype(np.int64))


def rows_of_distances(table, query, key):
    """The rows of a table for the distances along one axis; a table of another length is resized."""
    count = 2 * max(query, key) - 1
    if table.shape[0] != count:
        table = interpolate(table.permute((1, 0)).expand_dims(0), size=count, mode="linear")
        table = table.squeeze(0).permute((1, 0))
    index = steps_between(query, key)
    return ops.gather(table, index.reshape(-1), 0).reshape((*index.shape, -1))


def scores_of_distances(query, sizes, key_sizes, tables):
    """What distances in frames, height and width add to the scores of queries, without the first token."""
    batch, heads, _, channels = query.shape
    frames, height, width = sizes
    over_frames, over_height, over_width = (
        rows_of_distances(table, *pair).swapaxes(1, 2) for table, *pair in zip(tables, sizes, key_sizes)
    )
    places = query[:, :, 1:].reshape((batch * heads * frames, height, width, channels))
    by_height = ops.matmul(places, over_height).reshape((batch, heads, *sizes, 1, key_sizes[1], 1))
    by_width = ops.matmul(places.swapaxes(1, 2), over_width).swapaxes(1, 2)
    by_width = by_width.reshape((batch, heads, *sizes, 1, 1, key_sizes[2]))
    places = places.reshape((batch * heads, frames, height * width, channels))
    by_frames = ops.matmul(places, over_frames).reshape((batch, heads, *sizes, key_sizes[0], 1, 1))
    added = by_height + by_width + by_frames
    return added.reshape((batch, heads, math.prod(sizes), math.prod(key_sizes)))


class MultiscaleAttention(Module):
    """torchvision.models.video.mvit.MultiscaleAttention."""

    def __init__(
        self,
        input_size,
        embed_dim,
        output_dim,
        num_heads,
        kernel_q,
        kernel_kv,
        stride_q,
        stride_kv,
        residual_pool,
        residual_with_cls_embed,
        rel_pos_embed,
        dropout=0.0,
        norm_layer=LayerNorm,
    ):
        super().__init__()
        self.embed_dim, self.output_dim = embed_dim, output_dim
        self.num_heads, self.head_dim = num_heads, output_dim // num_heads
        self.scaler = 1.0 / math.sqrt(self.head_dim)
        self.residual_pool, self.residual_with_cls_embed = residual_pool, residual_with_cls_embed
        self.qkv = Linear(embed_dim, 3 * output_dim)
        dropped = [Dropout(dropout, inplace=True)] if dropout > 0.0 else []
        self.project = Sequential(Linear(output_dim, output_dim), *dropped)
        self.pool_q = self._pool(kernel_q, stride_q, norm_layer)
        self.pool_k = self._pool(kernel_kv, stride_kv, norm_layer)
        self.pool_v = self._pool(kernel_kv, stride_kv, norm_layer)
        self.rel_pos_h = self.rel_pos_w = self.rel_pos_t = None
        if rel_pos_embed:
            size = max(input_size[1:])
            longest = max(size // stride[1] if len(stride) > 0 else size for stride in (stride_q, stride_kv))
            self.rel_pos_h = Parameter(zeros(2 * longest - 1, self.head_dim))
            self.rel_pos_w = Parameter(zeros(2 * longest - 1, self.head_dim))
            self.rel_pos_t = Parameter(zeros(2 * input_size[0] - 1, self.head_dim))
            for table in (self.rel_pos_h, self.rel_pos_w, self.rel_pos_t):
                trunc_normal_(table, std=0.02)

    def _pool(self, kernel, stride, norm_layer):
        if math.prod(kernel) <= 1 and math.prod(stride) <= 1:
            return None
        width, padding = self.head_dim, tuple(side // 2 for side in kernel)
        convolution = Conv3d(width, width, tuple(kernel), tuple(stride), padding, groups=width, bias=False)
        return PoolOfTokens(convolution, norm_layer(width))

    def construct(self, x, sizes):
        batch, count, _ = x.shape
        parts = self.qkv(x).reshape((batch, count, 3, self.num_heads, self.head_dim)).swapaxes(1, 3)
        query, key, value = (parts[:, :, place] for place in range(3))
        key_sizes = sizes
        if self.pool_k is not None:
            key, key_sizes = self.pool_k(key, sizes)
        if self.pool_v is not None:
            value, _ = self.pool_v(value, sizes)
        if self.pool_q is not None:
            query, sizes = self.pool_q(query, sizes)
        scores = ops.matmul(self.scaler * query, key.swapaxes(2, 3))
        if self.rel_pos_h is not None:
            tables = (self.rel_pos_t, self.rel_pos_h, self.rel_pos_w)
            scores = scores + pad(scores_of_distances(query, sizes, key_sizes, tables), (1, 0, 1, 0))
        x = ops.matmul(ops.softmax(scores, -1), value)
        if self.residual_pool and self.residual_with_cls_embed:
            x = x + query
        elif self.residual_pool:
            x = ops.cat([x[:, :, :1], x[:, :, 1:] + query[:, :, 1:]], 2)
        return self.project(x.swapaxes(1, 2).reshape((batch, -1, self.output_dim))), sizes


class MultiscaleBlock(Module):
    """torchvision.models.video.mvit.MultiscaleBlock."""

    def __init__(
        self,
        input_size,
        cnf,
        residual_pool,
        residual_with_cls_embed,
        rel_pos_embed,
        proj_after_attn,
        dropout=0.0,
        stochastic_depth_prob=0.0,
        norm_layer=LayerNorm,
    ):
        super().__init__()
        self.proj_after_attn = proj_after_attn
        self.pool_skip = None
        if math.prod(cnf.stride_q) > 1:
            kernel = [step + 1 if step > 1 else step for step in cnf.stride_q]
            padding = tuple(side // 2 for side in kernel)
            self.pool_skip = PoolOfTokens(MaxPool3d(tuple(kernel), tuple(cnf.stride_q), padding), None)
        width = cnf.output_channels if proj_after_attn else cnf.input_channels
        self.norm1, self.norm2 = norm_layer(cnf.input_channels), norm_layer(width)
        self.needs_transposal = isinstance(self.norm1, BatchNorm1d)
        self.attn = MultiscaleAttention(
            input_size,
            cnf.input_channels,
            width,
            cnf.num_heads,
            cnf.kernel_q,
            cnf.kernel_kv,
            cnf.stride_q,
            cnf.stride_kv,
            residual_pool,
            residual_with_cls_embed,
            rel_pos_embed,
            dropout,
            norm_layer,
        )
        widths = [4 * width, cnf.output_channels]
        self.mlp = MLP(width, widths, activation_layer=GELU, dropout=dropout, inplace=None)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.project = None
        if cnf.input_channels != cnf.output_channels:
            self.project = Linear(cnf.input_channels, cnf.output_channels)

    def _normalized(self, norm, x):
        return norm(x.swapaxes(1, 2)).swapaxes(1, 2) if self.needs_transposal else norm(x)

    def construct(self, x, sizes):
        first = self._normalized(self.norm1, x)
        attended, new_sizes = self.attn(first, sizes)
        if self.project is not None and self.proj_after_attn:
            x = self.project(first)
        kept = x if self.pool_skip is None else self.pool_skip(x, sizes)[0]
        x = kept + self.stochastic_depth(attended)
        second = self._normalized(self.norm2, x)
        if self.project is not None and not self.proj_after_attn:
            x = self.project(second)
        return x + self.stochastic_depth(self.mlp(second)), new_sizes


class PositionalEncoding(Module):
    """torchvision.models.video.mvit.PositionalEncoding: a first token, and what frames and places add."""

    def __init__(self, embed_size, spatial_size, temporal_size, rel_pos_embed):
        super().__init__()
        self.spatial_size, self.temporal_size = spatial_size, temporal_size
        self.class_token = Parameter(zeros(embed_size))
        self.spatial_pos = self.temporal_pos = self.class_pos = None
        if not rel_pos_embed:
            self.spatial_pos = Parameter(zeros(math.prod(spatial_size), embed_size))
            self.temporal_pos = Parameter(zeros(temporal_size, embed_size))
            self.class_pos = Parameter(zeros(embed_size))

    def construct(self, x):
        width = x.shape[-1]
        token = ops.broadcast_to(self.class_token.reshape((1, 1, width)), (x.shape[0], 1, width))
        x = ops.cat([token, x], 1)
        if self.spatial_pos is None:
            return x
        places = self.temporal_pos.expand_dims(1) + self.spatial_pos.expand_dims(0)
        places = ops.cat([self.class_pos.expand_dims(0), places.reshape((-1, width))], 0)
        return x + places.expand_dims(0)


class MViT(Module):
    """torchvision.models.video.MViT: a transformer whose frames get smaller and wider on the way."""

    def __init__(
        self,
        spatial_size,
        temporal_size,
        block_setting,
        residual_pool,
        residual_with_cls_embed,
        rel_pos_embed,
        proj_after_attn,
        dropout=0.5,
        attention_dropout=0.0,
        stochastic_depth_prob=0.0,
        num_classes=400,
        block=None,
        norm_layer=None,
        patch_embed_kernel=(3, 7, 7),
        patch_embed_stride=(2, 4, 4),
        patch_embed_padding=(1, 3, 3),
    ):
        super().__init__()
        if not block_setting:
            raise ValueError("The configuration parameter can't be empty.")
        norm_layer = norm_layer or functools.partial(LayerNorm, eps=1e-6)
        width = block_setting[0].input_channels
        self.conv_proj = Conv3d(3, width, patch_embed_kernel, patch_embed_stride, patch_embed_padding)
        sizes = [size // step for size, step in zip((temporal_size, *spatial_size), self.conv_proj.stride)]
        self.pos_encoding = PositionalEncoding(width, tuple(sizes[1:]), sizes[0], rel_pos_embed)
        self.blocks = ModuleList()
        for place, cnf in enumerate(block_setting):
            made = (block or MultiscaleBlock)(
                input_size=sizes,
                cnf=cnf,
                residual_pool=residual_pool,
                residual_with_cls_embed=residual_with_cls_embed,
                rel_pos_embed=rel_pos_embed,
                proj_after_attn=proj_after_attn,
                dropout=attention_dropout,
                stochastic_depth_prob=stochastic_depth_prob * place / (len(block_setting) - 1.0),
                norm_layer=norm_layer,
            )
            self.blocks.append(made)
            if len(cnf.stride_q) > 0:
                sizes = [size // step for size, step in zip(sizes, cnf.stride_q)]
        width = block_setting[-1].output_channels
        self.norm = norm_layer(width)
        self.head = Sequential(Dropout(dropout, inplace=True), Linear(width, num_classes))
        self._start()

    def _start(self):
        for module in self.modules():
            if isinstance(module, Linear):
                trunc_normal_(module.weight, std=0.02)
                if module.bias is not None:
                    zeros_(module.bias)
            elif isinstance(module, PositionalEncoding):
                for weight in module.parameters():
                    trunc_normal_(weight, std=0.02)

    def construct(self, x):
        if x.ndim == 4:
            x = x.expand_dims(2)
        x = self.pos_encoding(self.conv_proj(x).flatten(2).swapaxes(1, 2))
        sizes = (self.pos_encoding.temporal_size, *self.pos_encoding.spatial_size)
        for block in self.blocks:
            x, sizes = block(x, sizes)
        return self.head(self.norm(x)[:, 0])


def multiscale_network(widths, heads, kernels, strides, **options):
    """MViT of 16 blocks: their widths before and behind, heads, kernels of queries, strides of queries."""
    key_strides = [8, *[4] * 2, *[2] * 11, *[1] * 2]
    blocks = [
        MSBlockConfig(count, *pair, kernel, [3, 3, 3], stride, [1, step, step])
        for count, pair, kernel, stride, step in zip(heads, widths, kernels, strides, key_strides)
    ]
    sizes = {"spatial_size": (224, 224), "temporal_size": 16, "stochastic_depth_prob": 0.2}
    return MViT(block_setting=blocks, **{**sizes, **options})


class MViT_V1_B_Weights(WeightsOfVideos):
    """torchvision.models.video.MViT_V1_B_Weights."""

    KINETICS400_V1 = "mvit_v1_b-dbeb1030.pth"
    DEFAULT = KINETICS400_V1


def mvit_v1_b(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.video.mvit_v1_b."""
    before = [96, *[192] * 2, *[384] * 11, *[768] * 2]
    behind = [*[192] * 2, *[384] * 11, *[768] * 3]
    is_smaller = [place in (1, 3, 14) for place in range(16)]
    options = {
        "widths": list(zip(before, behind)),
        "heads": [1, *[2] * 2, *[4] * 11, *[8] * 2],
        "kernels": [[3, 3, 3] if smaller else [] for smaller in is_smaller],
        "strides": [[1, 2, 2] if smaller else [] for smaller in is_smaller],
        "residual_pool": False,
        "residual_with_cls_embed": False,
        "rel_pos_embed": False,
        "proj_after_attn": False,
        **kwargs,
    }
    return published_video_network(multiscale_network, MViT_V1_B_Weights, weights, pretrained, options)


class MViT_V2_S_Weights(WeightsOfVideos):
    """torchvision.models.video.MViT_V2_S_Weights."""

    KINETICS400_V1 = "mvit_v2_s-ae3be167.pth"
    DEFAULT = KINETICS400_V1


def mvit_v2_s(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.video.mvit_v2_s."""
    before = [*[96] * 2, *[192] * 2, *[384] * 11, 768]
    options = {
        "widths": list(zip(before, [*before[1:], 768])),
        "heads": [1, *[2] * 2, *[4] * 11, *[8] * 2],
        "kernels": [[3, 3, 3]] * 16,
        "strides": [[1, 2, 2] if place in (1, 3, 14) else [1, 1, 1] for place in range(16)],
        "residual_pool": True,
        "residual_with_cls_embed": False,
        "rel_pos_embed": True,
        "proj_after_attn": True,
        **kwargs,
    }
    return published_video_network(multiscale_network, MViT_V2_S_Weights, weights, pretrained, options)
