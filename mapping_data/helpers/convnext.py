"""torchvision.models: ConvNeXt."""

import functools


class LayerNormOfChannels(LayerNorm):
    """torchvision.models.convnext.LayerNorm2d: the channels of each place are normalized."""

    def construct(self, x):
        return super().construct(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class CNBlock(Module):
    """torchvision.models.convnext.CNBlock."""

    def __init__(self, dim, layer_scale, stochastic_depth_prob, norm_layer=None):
        super().__init__()
        self.block = Sequential(
            Conv2d(dim, dim, 7, padding=3, groups=dim),
            PermuteAxes([0, 2, 3, 1]),
            (norm_layer or functools.partial(LayerNorm, eps=1e-6))(dim),
            Linear(dim, 4 * dim),
            GELU(),
            Linear(4 * dim, dim),
            PermuteAxes([0, 3, 1, 2]),
        )
        self.layer_scale = Parameter(ones(dim, 1, 1) * layer_scale)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")

    def construct(self, input):
        return self.stochastic_depth(self.layer_scale * self.block(input)) + input


class CNBlockConfig:
    """torchvision.models.convnext.CNBlockConfig: a stage of ConvNeXt."""

    def __init__(self, input_channels, out_channels, num_layers):
        self.input_channels, self.out_channels, self.num_layers = input_channels, out_channels, num_layers

    def __repr__(self):
        return "CNBlockConfig({})".format(", ".join(f"{name}={value}" for name, value in vars(self).items()))


class ConvNeXt(Module):
    """torchvision.models.ConvNeXt."""

    def __init__(
        self,
        block_setting,
        stochastic_depth_prob=0.0,
        layer_scale=1e-6,
        num_classes=1000,
        block=None,
        norm_layer=None,
        **kwargs,
    ):
        super().__init__()
        if not block_setting:
            raise ValueError("The block_setting should not be empty")
        block = block or CNBlock
        norm_layer = norm_layer or functools.partial(LayerNormOfChannels, eps=1e-6)
        kinds = {"padding": 0, "norm_layer": norm_layer, "activation_layer": None, "bias": True}
        layers = [Conv2dNormActivation(3, block_setting[0].input_channels, 4, 4, **kinds)]
        count, place = sum(stage.num_layers for stage in block_setting), 0
        for stage in block_setting:
            blocks = []
            for _ in range(stage.num_layers):
                chance = stochastic_depth_prob * place / (count - 1.0)
                blocks.append(block(stage.input_channels, layer_scale, chance))
                place += 1
            layers.append(Sequential(*blocks))
            if stage.out_channels is not None:
                smaller = [
                    norm_layer(stage.input_channels),
                    Conv2d(stage.input_channels, stage.out_channels, 2, 2),
                ]
                layers.append(Sequential(*smaller))
        last = block_setting[-1].out_channels or block_setting[-1].input_channels
        self.features = Sequential(*layers)
        self.avgpool = AdaptiveAvgPool2d(1)
        self.classifier = Sequential(norm_layer(last), Flatten(1), Linear(last, num_classes))
        for module in self.modules():
            if isinstance(module, (Conv2d, Linear)):
                trunc_normal_(module.weight, std=0.02)
                if module.bias is not None:
                    zeros_(module.bias)

    def construct(self, x):
        return self.classifier(self.avgpool(self.features(x)))


def next_network(widths, depths, **options):
    """ConvNeXt with stages of such widths and depths."""
    stages = zip(widths, [*widths[1:], None], depths)
    return ConvNeXt([CNBlockConfig(*stage) for stage in stages], **options)


class ConvNeXt_Tiny_Weights(PretrainedWeights):
    """torchvision.models.ConvNeXt_Tiny_Weights."""

    IMAGENET1K_V1 = "convnext_tiny-983f1562.pth"
    DEFAULT = IMAGENET1K_V1


def convnext_tiny(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.convnext_tiny."""
    sizes = {"widths": (96, 192, 384, 768), "depths": (3, 3, 9, 3), "stochastic_depth_prob": 0.1}
    return published(next_network, ConvNeXt_Tiny_Weights, weights, pretrained, {**sizes, **kwargs})


class ConvNeXt_Small_Weights(PretrainedWeights):
    """torchvision.models.ConvNeXt_Small_Weights."""

    IMAGENET1K_V1 = "convnext_small-0c510722.pth"
    DEFAULT = IMAGENET1K_V1


def convnext_small(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.convnext_small."""
    sizes = {"widths": (96, 192, 384, 768), "depths": (3, 3, 27, 3), "stochastic_depth_prob": 0.4}
    return published(next_network, ConvNeXt_Small_Weights, weights, pretrained, {**sizes, **kwargs})


class ConvNeXt_Base_Weights(PretrainedWeights):
    """torchvision.models.ConvNeXt_Base_Weights."""

    IMAGENET1K_V1 = "convnext_base-6075fbad.pth"
    DEFAULT = IMAGENET1K_V1


def convnext_base(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.convnext_base."""
    sizes = {"widths": (128, 256, 512, 1024), "depths": (3, 3, 27, 3), "stochastic_depth_prob": 0.5}
    return published(next_network, ConvNeXt_Base_Weights, weights, pretrained, {**sizes, **kwargs})


class ConvNeXt_Large_Weights(PretrainedWeights):
    """torchvision.models.ConvNeXt_Large_Weights."""

    IMAGENET1K_V1 = "convnext_large-ea097f82.pth"
    DEFAULT = IMAGENET1K_V1


def convnext_large(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.convnext_large."""
    sizes = {"widths": (192, 384, 768, 1536), "depths": (3, 3, 27, 3), "stochastic_depth_prob": 0.5}
    return published(next_network, ConvNeXt_Large_Weights, weights, pretrained, {**sizes, **kwargs})
