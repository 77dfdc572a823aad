"""torchvision.models: transformers of images."""

import functools
import math
from collections import OrderedDict

from mindspore import ops


class MLPBlock(MLP):
    """torchvision.models.vision_transformer.MLPBlock: two linear layers, which older files name otherwise."""

    def __init__(self, in_dim, mlp_dim, dropout):
        super().__init__(in_dim, [mlp_dim, in_dim], activation_layer=GELU, inplace=None, dropout=dropout)
        for layer in (self[0], self[3]):
            xavier_uniform_(layer.weight)
            normal_(layer.bias, std=1e-6)

    def _load_from_state_dict(self, state_dict, prefix, *args):
        for place in range(2):
            renamed(state_dict, f"{prefix}linear_{place + 1}", f"{prefix}{3 * place}")
        super()._load_from_state_dict(state_dict, prefix, *args)


# How transformers of images normalize
layer_norm_of_images = functools.partial(LayerNorm, eps=1e-6)


class EncoderBlock(Module):
    """torchvision.models.vision_transformer.EncoderBlock."""

    def __init__(
        self, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer=layer_norm_of_images
    ):
        super().__init__()
        self.num_heads = num_heads
        self.ln_1 = norm_layer(hidden_dim)
        self.self_attention = MultiheadAttention(hidden_dim, num_heads, attention_dropout, batch_first=True)
        self.dropout = Dropout(dropout)
        self.ln_2 = norm_layer(hidden_dim)
        self.mlp = MLPBlock(hidden_dim, mlp_dim, dropout)

    def construct(self, input):
        x = self.ln_1(input)
        x = self.dropout(self.self_attention(x, x, x, need_weights=False)[0]) + input
        return x + self.mlp(self.ln_2(x))


class EncoderOfImages(Module):
    """torchvision.models.vision_transformer.Encoder."""

    def __init__(
        self,
        seq_length,
        num_layers,
        num_heads,
        hidden_dim,
        mlp_dim,
        dropout,
        attention_dropout,
        norm_layer=layer_norm_of_images,
    ):
        super().__init__()
        self.pos_embedding = Parameter(normal_(empty(1, seq_length, hidden_dim), std=0.02))
        self.dropout = Dropout(dropout)
        layers = OrderedDict()
        for place in range(num_layers):
            layers[f"encoder_layer_{place}"] = EncoderBlock(
                num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer
            )
        self.layers = Sequential(layers)
        self.ln = norm_layer(hidden_dim)

    def construct(self, input):
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))


def stem_of_convolutions(settings, hidden_dim):
    """Convolutions that read an image in place of one that reads its patches."""
    stem, channels = Sequential(), 3
    for place, layer in enumerate(settings):
        made = Conv2dNormActivation(
            channels,
            layer.out_channels,
            layer.kernel_size,
            layer.stride,
            norm_layer=layer.norm_layer,
            activation_layer=layer.activation_layer,
        )
        stem.add_module(f"conv_bn_relu_{place}", made)
        channels = layer.out_channels
    stem.add_module("conv_last", Conv2d(channels, hidden_dim, 1))
    return stem


class VisionTransformer(Module):
    """torchvision.models.VisionTransformer."""

    def __init__(
        self,
        image_size,
        patch_size,
        num_layers,
        num_heads,
        hidden_dim,
        mlp_dim,
        dropout=0.0,
        attention_dropout=0.0,
        num_classes=1000,
        representation_size=None,
        norm_layer=layer_norm_of_images,
        conv_stem_configs=None,
    ):
        super().__init__()
        if image_size % patch_size:
            raise AssertionError("Input shape indivisible by patch size!")
        self.image_size, self.patch_size = image_size, patch_size
        self.hidden_dim, self.mlp_dim = hidden_dim, mlp_dim
        self.attention_dropout, self.dropout = attention_dropout, dropout
        self.num_classes, self.representation_size = num_classes, representation_size
        self.norm_layer = norm_layer
        if conv_stem_configs is None:
            self.conv_proj = Conv2d(3, hidden_dim, patch_size, patch_size)
        else:
            self.conv_proj = stem_of_convolutions(conv_stem_configs, hidden_dim)
        self.class_token = Parameter(zeros(1, 1, hidden_dim))
        self.seq_length = (image_size // patch_size) ** 2 + 1
        self.encoder = EncoderOfImages(
            self.seq_length,
            num_layers,
            num_heads,
            hidden_dim,
            mlp_dim,
            dropout,
            attention_dropout,
            norm_layer,
        )
        heads = OrderedDict()
        if representation_size is not None:
            heads["pre_logits"] = Linear(hidden_dim, representation_size)
            heads["act"] = Tanh()
        heads["head"] = Linear(representation_size or hidden_dim, num_classes)
        self.heads = Sequential(heads)
        self._start(conv_stem_configs is None)

    def _start(self, has_patches):
        if has_patches:
            first = self.conv_proj
            trunc_normal_(first.weight, std=math.sqrt(1 / (3 * self.patch_size**2)))
        else:
            first = self.conv_proj.conv_last
            normal_(first.weight, 0.0, math.sqrt(2.0 / self.hidden_dim))
        zeros_(first.bias)
        if self.representation_size is not None:
            trunc_normal_(self.heads.pre_logits.weight, std=math.sqrt(1 / self.hidden_dim))
            zeros_(self.heads.pre_logits.bias)
        zeros_(self.heads.head.weight)
        zeros_(self.heads.head.bias)

    def _process_input(self, x):
        for name, size in zip(("height", "width"), x.shape[2:]):
            if size != self.image_size:
                raise AssertionError(f"Wrong image {name}! Expected {self.image_size} but got {size}!")
        return self.conv_proj(x).flatten(2).swapaxes(1, 2)

    def construct(self, x):
        x = self._process_input(x)
        token = ops.broadcast_to(self.class_token, (x.shape[0], -1, -1))
        return self.heads(self.encoder(ops.cat([token, x], 1))[:, 0])


def published_transformer(kind, weights, pretrained, options):
    """A transformer, with published weights for images of their size where these are asked for."""
    chosen = chosen_weights(kind, weights, pretrained)
    size = chosen.preparation["crop_size"] if chosen else 224
    if chosen and options.get("image_size", size) != size:
        raise ValueError(f"the published weights are for images of {size}, not {options['image_size']}")
    return published(VisionTransformer, kind, chosen, False, {"image_size": size, **options})


class ViT_B_16_Weights(PretrainedWeights):
    """torchvision.models.ViT_B_16_Weights."""

    IMAGENET1K_V1 = "vit_b_16-c867db91.pth"
    IMAGENET1K_SWAG_E2E_V1 = "vit_b_16_swag-9ac1b537.pth"
    IMAGENET1K_SWAG_LINEAR_V1 = "vit_b_16_lc_swag-4e70ced5.pth"
    DEFAULT = IMAGENET1K_V1


def vit_b_16(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vit_b_16."""
    sizes = {"patch_size": 16, "num_layers": 12, "num_heads": 12, "hidden_dim": 768, "mlp_dim": 3072}
    return published_transformer(ViT_B_16_Weights, weights, pretrained, {**sizes, **kwargs})


class ViT_B_32_Weights(PretrainedWeights):
    """torchvision.models.ViT_B_32_Weights."""

    IMAGENET1K_V1 = "vit_b_32-d86f8d99.pth"
    DEFAULT = IMAGENET1K_V1


def vit_b_32(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vit_b_32."""
    sizes = {"patch_size": 32, "num_layers": 12, "num_heads": 12, "hidden_dim": 768, "mlp_dim": 3072}
    return published_transformer(ViT_B_32_Weights, weights, pretrained, {**sizes, **kwargs})


class ViT_L_16_Weights(PretrainedWeights):
    """torchvision.models.ViT_L_16_Weights."""

    IMAGENET1K_V1 = "vit_l_16-852ce7e3.pth"
    IMAGENET1K_SWAG_E2E_V1 = "vit_l_16_swag-4f3808c9.pth"
    IMAGENET1K_SWAG_LINEAR_V1 = "vit_l_16_lc_swag-4d563306.pth"
    DEFAULT = IMAGENET1K_V1


def vit_l_16(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vit_l_16."""
    sizes = {"patch_size": 16, "num_layers": 24, "num_heads": 16, "hidden_dim": 1024, "mlp_dim": 4096}
    return published_transformer(ViT_L_16_Weights, weights, pretrained, {**sizes, **kwargs})


class ViT_L_32_Weights(PretrainedWeights):
    """torchvision.models.ViT_L_32_Weights."""

    IMAGENET1K_V1 = "vit_l_32-c7638314.pth"
    DEFAULT = IMAGENET1K_V1


def vit_l_32(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vit_l_32."""
    sizes = {"patch_size": 32, "num_layers": 24, "num_heads": 16, "hidden_dim": 1024, "mlp_dim": 4096}
    return published_transformer(ViT_L_32_Weights, weights, pretrained, {**sizes, **kwargs})


class ViT_H_14_Weights(PretrainedWeights):
    """torchvision.models.ViT_H_14_Weights."""

    IMAGENET1K_SWAG_E2E_V1 = "vit_h_14_swag-80465313.pth"
    IMAGENET1K_SWAG_LINEAR_V1 = "vit_h_14_lc_swag-c1eb923e.pth"
    DEFAULT = IMAGENET1K_SWAG_E2E_V1


def vit_h_14(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vit_h_14."""
    sizes = {"patch_size": 14, "num_layers": 32, "num_heads": 16, "hidden_dim": 1280, "mlp_dim": 5120}
    return published_transformer(ViT_H_14_Weights, weights, pretrained, {**sizes, **kwargs})
