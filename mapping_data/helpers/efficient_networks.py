"""torchvision.models: MobileNetV3 and EfficientNet. Their blocks widen the channels, convolve each of them by
itself, weigh them against each other, and narrow them again."""

import copy
import functools
import math


class WideningBlock(Module):
    """A block that widens and narrows: what goes in is added, unless its size or its channels change."""

    def __init__(self, settings, parts):
        super().__init__()
        if settings.stride not in (1, 2):
            raise ValueError("illegal stride value")
        self.use_res_connect = settings.stride == 1 and settings.input_channels == settings.out_channels
        self.block = Sequential(*parts)
        self.out_channels = settings.out_channels
        self._is_cn = settings.stride > 1


class InvertedResidualConfig:
    """torchvision.models.mobilenetv3.InvertedResidualConfig: one block of MobileNetV3."""

    def __init__(
        self,
        input_channels,
        kernel,
        expanded_channels,
        out_channels,
        use_se,
        activation,
        stride,
        dilation,
        width_mult,
    ):
        self.input_channels = self.adjust_channels(input_channels, width_mult)
        self.kernel = kernel
        self.expanded_channels = self.adjust_channels(expanded_channels, width_mult)
        self.out_channels = self.adjust_channels(out_channels, width_mult)
        self.use_se, self.use_hs = use_se, activation == "HS"
        self.stride, self.dilation = stride, dilation

    @staticmethod
    def adjust_channels(channels, width_mult):
        return whole_channels(channels * width_mult, 8)


class WeighingResidual(WideningBlock):
    """torchvision.models.mobilenetv3.InvertedResidual."""

    def __init__(self, cnf, norm_layer, se_layer=None):
        se_layer = se_layer or functools.partial(SqueezeExcitation, scale_activation=Hardsigmoid)
        wide, last = cnf.expanded_channels, {"norm_layer": norm_layer, "activation_layer": None}
        kinds = {"norm_layer": norm_layer, "activation_layer": Hardswish if cnf.use_hs else ReLU}
        stride = cnf.stride if cnf.dilation == 1 else 1
        is_wider = wide != cnf.input_channels
        parts = [Conv2dNormActivation(cnf.input_channels, wide, 1, **kinds)] if is_wider else []
        parts.append(
            Conv2dNormActivation(wide, wide, cnf.kernel, stride, groups=wide, dilation=cnf.dilation, **kinds)
        )
        if cnf.use_se:
            parts.append(se_layer(wide, whole_channels(wide // 4, 8)))
        super().__init__(cnf, [*parts, Conv2dNormActivation(wide, cnf.out_channels, 1, **last)])

    def construct(self, input):
        return self.block(input) + input if self.use_res_connect else self.block(input)


class MobileNetV3(Module):
    """torchvision.models.MobileNetV3."""

    def __init__(
        self,
        inverted_residual_setting,
        last_channel,
        num_classes=1000,
        block=None,
        norm_layer=None,
        dropout=0.2,
        **kwargs,
    ):
        super().__init__()
        if not inverted_residual_setting:
            raise ValueError("The inverted_residual_setting should not be empty")
        block = block or WeighingResidual
        norm_layer = norm_layer or functools.partial(BatchNorm2d, eps=0.001, momentum=0.01)
        kinds = {"norm_layer": norm_layer, "activation_layer": Hardswish}
        first, last = inverted_residual_setting[0].input_channels, inverted_residual_setting[-1].out_channels
        layers = [Conv2dNormActivation(3, first, stride=2, **kinds)]
        layers += [block(settings, norm_layer) for settings in inverted_residual_setting]
        self.features = Sequential(*layers, Conv2dNormActivation(last, 6 * last, 1, **kinds))
        self.avgpool = AdaptiveAvgPool2d(1)
        self.classifier = Sequential(
            Linear(6 * last, last_channel),
            Hardswish(inplace=True),
            Dropout(dropout, inplace=True),
            Linear(last_channel, num_classes),
        )
        start_convolutions(self, 0.01)

    def construct(self, x):
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


def mobile_network(blocks, tail, width_mult=1.0, reduced_tail=False, dilated=False, **options):
    """MobileNetV3 of some blocks. The last three, and what comes behind them, may be halved, or dilated where
    they would make images smaller."""
    share, settings = 2 if reduced_tail else 1, []
    for place, (width, kernel, wide, out, weighs, kind, stride) in enumerate(blocks, 3 - len(blocks)):
        dilation = 2 if dilated and place >= 0 else 1
        if place >= 0:
            out //= share
        if place >= 1:
            width, wide = width // share, wide // share
        settings.append(
            InvertedResidualConfig(width, kernel, wide, out, weighs, kind, stride, dilation, width_mult)
        )
    last_channel = InvertedResidualConfig.adjust_channels(tail // share, width_mult)
    return MobileNetV3(settings, last_channel, **options)


def stages_of(features):
    """The places of the layers of a mobile network that make images smaller, with the first and the last."""
    smaller = [place for place, layer in enumerate(features) if getattr(layer, "_is_cn", False)]
    return [0, *smaller, len(features) - 1]


class MobileNet_V3_Large_Weights(PretrainedWeights):
    """torchvision.models.MobileNet_V3_Large_Weights."""

    IMAGENET1K_V1 = "mobilenet_v3_large-8738ca79.pth"
    IMAGENET1K_V2 = "mobilenet_v3_large-5c1a4163.pth"
    DEFAULT = IMAGENET1K_V2


def mobilenet_v3_large(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.mobilenet_v3_large."""
    blocks = [
        (16, 3, 16, 16, False, "RE", 1),
        (16, 3, 64, 24, False, "RE", 2),
        (24, 3, 72, 24, False, "RE", 1),
        (24, 5, 72, 40, True, "RE", 2),
        (40, 5, 120, 40, True, "RE", 1),
        (40, 5, 120, 40, True, "RE", 1),
        (40, 3, 240, 80, False, "HS", 2),
        (80, 3, 200, 80, False, "HS", 1),
        (80, 3, 184, 80, False, "HS", 1),
        (80, 3, 184, 80, False, "HS", 1),
        (80, 3, 480, 112, True, "HS", 1),
        (112, 3, 672, 112, True, "HS", 1),
        (112, 5, 672, 160, True, "HS", 2),
        (160, 5, 960, 160, True, "HS", 1),
        (160, 5, 960, 160, True, "HS", 1),
    ]
    options = {"blocks": blocks, "tail": 1280, **kwargs}
    return published(mobile_network, MobileNet_V3_Large_Weights, weights, pretrained, options)


class MobileNet_V3_Small_Weights(PretrainedWeights):
    """torchvision.models.MobileNet_V3_Small_Weights."""

    IMAGENET1K_V1 = "mobilenet_v3_small-047dcff4.pth"
    DEFAULT = IMAGENET1K_V1


def mobilenet_v3_small(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.mobilenet_v3_small."""
    blocks = [
        (16, 3, 16, 16, True, "RE", 2),
        (16, 3, 72, 24, False, "RE", 2),
        (24, 3, 88, 24, False, "RE", 1),
        (24, 5, 96, 40, True, "HS", 2),
        (40, 5, 240, 40, True, "HS", 1),
        (40, 5, 240, 40, True, "HS", 1),
        (40, 5, 120, 48, True, "HS", 1),
        (48, 5, 144, 48, True, "HS", 1),
        (48, 5, 288, 96, True, "HS", 2),
        (96, 5, 576, 96, True, "HS", 1),
        (96, 5, 576, 96, True, "HS", 1),
    ]
    options = {"blocks": blocks, "tail": 1024, **kwargs}
    return published(mobile_network, MobileNet_V3_Small_Weights, weights, pretrained, options)


class FusedMBConvConfig:
    """torchvision.models.efficientnet.FusedMBConvConfig: blocks of EfficientNetV2 that do not tell channels
    apart."""

    def __init__(self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers, block=None):
        self.expand_ratio, self.kernel, self.stride = expand_ratio, kernel, stride
        self.input_channels, self.out_channels = input_channels, out_channels
        self.num_layers, self.block = num_layers, block or FusedMBConv

    @staticmethod
    def adjust_channels(channels, width_mult, min_value=None):
        return max(whole_channels(channels * width_mult, 8), min_value or 0)


class MBConvConfig(FusedMBConvConfig):
    """torchvision.models.efficientnet.MBConvConfig: blocks of EfficientNet."""

    def __init__(
        self,
        expand_ratio,
        kernel,
        stride,
        input_channels,
        out_channels,
        num_layers,
        width_mult=1.0,
        depth_mult=1.0,
        block=None,
    ):
        widths = [self.adjust_channels(width, width_mult) for width in (input_channels, out_channels)]
        count = self.adjust_depth(num_layers, depth_mult)
        super().__init__(expand_ratio, kernel, stride, *widths, count, block or MBConv)

    @staticmethod
    def adjust_depth(num_layers, depth_mult):
        return math.ceil(num_layers * depth_mult)


class DroppingBlock(WideningBlock):
    """A block of EfficientNet: while the network is trained, some images go past it."""

    def __init__(self, settings, parts, chance):
        super().__init__(settings, parts)
        self.stochastic_depth = StochasticDepth(chance, "row")

    def construct(self, input):
        result = self.block(input)
        return self.stochastic_depth(result) + input if self.use_res_connect else result


class MBConv(DroppingBlock):
    """torchvision.models.efficientnet.MBConv."""

    def __init__(self, cnf, stochastic_depth_prob, norm_layer, se_layer=SqueezeExcitation):
        wide = cnf.adjust_channels(cnf.input_channels, cnf.expand_ratio)
        kinds = {"norm_layer": norm_layer, "activation_layer": SiLU}
        is_wider = wide != cnf.input_channels
        parts = [Conv2dNormActivation(cnf.input_channels, wide, 1, **kinds)] if is_wider else []
        weighing = {"activation": functools.partial(SiLU, inplace=True)}
        parts += [
            Conv2dNormActivation(wide, wide, cnf.kernel, cnf.stride, groups=wide, **kinds),
            se_layer(wide, max(1, cnf.input_channels // 4), **weighing),
            Conv2dNormActivation(wide, cnf.out_channels, 1, norm_layer=norm_layer, activation_layer=None),
        ]
        super().__init__(cnf, parts, stochastic_depth_prob)


class FusedMBConv(DroppingBlock):
    """torchvision.models.efficientnet.FusedMBConv."""

    def __init__(self, cnf, stochastic_depth_prob, norm_layer):
        wide = cnf.adjust_channels(cnf.input_channels, cnf.expand_ratio)
        is_wider = wide != cnf.input_channels
        kinds = {"norm_layer": norm_layer, "activation_layer": SiLU}
        out = wide if is_wider else cnf.out_channels
        parts = [Conv2dNormActivation(cnf.input_channels, out, cnf.kernel, cnf.stride, **kinds)]
        if is_wider:
            kinds["activation_layer"] = None
            parts.append(Conv2dNormActivation(wide, cnf.out_channels, 1, **kinds))
        super().__init__(cnf, parts, stochastic_depth_prob)


class EfficientNet(Module):
    """torchvision.models.EfficientNet."""

    def __init__(
        self,
        inverted_residual_setting,
        dropout,
        stochastic_depth_prob=0.2,
        num_classes=1000,
        norm_layer=None,
        last_channel=None,
    ):
        super().__init__()
        if not inverted_residual_setting:
            raise ValueError("The inverted_residual_setting should not be empty")
        norm_layer = norm_layer or BatchNorm2d
        kinds = {"norm_layer": norm_layer, "activation_layer": SiLU}
        layers = [Conv2dNormActivation(3, inverted_residual_setting[0].input_channels, stride=2, **kinds)]
        count, place = sum(stage.num_layers for stage in inverted_residual_setting), 0
        for stage in inverted_residual_setting:
            settings, blocks = copy.copy(stage), []
            for _ in range(stage.num_layers):
                blocks.append(settings.block(settings, stochastic_depth_prob * place / count, norm_layer))
                settings = copy.copy(settings)
                settings.input_channels, settings.stride = settings.out_channels, 1
                place += 1
            layers.append(Sequential(*blocks))
        last = inverted_residual_setting[-1].out_channels
        width = 4 * last if last_channel is None else last_channel
        self.features = Sequential(*layers, Conv2dNormActivation(last, width, 1, **kinds))
        self.avgpool = AdaptiveAvgPool2d(1)
        self.classifier = Sequential(Dropout(dropout, inplace=True), Linear(width, num_classes))
        start_convolutions(self)
        bound = 1.0 / math.sqrt(num_classes)
        uniform_(self.classifier[1].weight, -bound, bound)
        zeros_(self.classifier[1].bias)

    def construct(self, x):
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


def efficient_network(width, depth, dropout=0.2, **options):
    """EfficientNet, wider and deeper than the first."""
    stages = [
        (1, 3, 1, 32, 16, 1),
        (6, 3, 2, 16, 24, 2),
        (6, 5, 2, 24, 40, 2),
        (6, 3, 2, 40, 80, 3),
        (6, 5, 1, 80, 112, 3),
        (6, 5, 2, 112, 192, 4),
        (6, 3, 1, 192, 320, 1),
    ]
    return EfficientNet([MBConvConfig(*stage, width, depth) for stage in stages], dropout, **options)


def second_efficient_network(fused, others, dropout=0.2, **options):
    """EfficientNetV2: its first stages do not tell channels apart."""
    norm_layer = options.pop("norm_layer", functools.partial(BatchNorm2d, eps=1e-03))
    stages = [FusedMBConvConfig(*stage) for stage in fused] + [MBConvConfig(*stage) for stage in others]
    return EfficientNet(stages, dropout, norm_layer=norm_layer, last_channel=1280, **options)


# How the largest of EfficientNet normalize: their running statistics change slowly
slow_norm = functools.partial(BatchNorm2d, eps=0.001, momentum=0.01)


class EfficientNet_B0_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_B0_Weights."""

    IMAGENET1K_V1 = "efficientnet_b0_rwightman-7f5810bc.pth"
    DEFAULT = IMAGENET1K_V1


def efficientnet_b0(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_b0."""
    options = {"width": 1.0, "depth": 1.0, **kwargs}
    return published(efficient_network, EfficientNet_B0_Weights, weights, pretrained, options)


class EfficientNet_B1_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_B1_Weights."""

    IMAGENET1K_V1 = "efficientnet_b1_rwightman-bac287d4.pth"
    IMAGENET1K_V2 = "efficientnet_b1-c27df63c.pth"
    DEFAULT = IMAGENET1K_V2


def efficientnet_b1(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_b1."""
    options = {"width": 1.0, "depth": 1.1, **kwargs}
    return published(efficient_network, EfficientNet_B1_Weights, weights, pretrained, options)


class EfficientNet_B2_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_B2_Weights."""

    IMAGENET1K_V1 = "efficientnet_b2_rwightman-c35c1473.pth"
    DEFAULT = IMAGENET1K_V1


def efficientnet_b2(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_b2."""
    options = {"width": 1.1, "depth": 1.2, "dropout": 0.3, **kwargs}
    return published(efficient_network, EfficientNet_B2_Weights, weights, pretrained, options)


class EfficientNet_B3_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_B3_Weights."""

    IMAGENET1K_V1 = "efficientnet_b3_rwightman-b3899882.pth"
    DEFAULT = IMAGENET1K_V1


def efficientnet_b3(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_b3."""
    options = {"width": 1.2, "depth": 1.4, "dropout": 0.3, **kwargs}
    return published(efficient_network, EfficientNet_B3_Weights, weights, pretrained, options)


class EfficientNet_B4_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_B4_Weights."""

    IMAGENET1K_V1 = "efficientnet_b4_rwightman-23ab8bcd.pth"
    DEFAULT = IMAGENET1K_V1


def efficientnet_b4(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_b4."""
    options = {"width": 1.4, "depth": 1.8, "dropout": 0.4, **kwargs}
    return published(efficient_network, EfficientNet_B4_Weights, weights, pretrained, options)


class EfficientNet_B5_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_B5_Weights."""

    IMAGENET1K_V1 = "efficientnet_b5_lukemelas-1a07897c.pth"
    DEFAULT = IMAGENET1K_V1


def efficientnet_b5(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_b5."""
    options = {"width": 1.6, "depth": 2.2, "dropout": 0.4, "norm_layer": slow_norm, **kwargs}
    return published(efficient_network, EfficientNet_B5_Weights, weights, pretrained, options)


class EfficientNet_B6_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_B6_Weights."""

    IMAGENET1K_V1 = "efficientnet_b6_lukemelas-24a108a5.pth"
    DEFAULT = IMAGENET1K_V1


def efficientnet_b6(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_b6."""
    options = {"width": 1.8, "depth": 2.6, "dropout": 0.5, "norm_layer": slow_norm, **kwargs}
    return published(efficient_network, EfficientNet_B6_Weights, weights, pretrained, options)


class EfficientNet_B7_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_B7_Weights."""

    IMAGENET1K_V1 = "efficientnet_b7_lukemelas-c5b4e57e.pth"
    DEFAULT = IMAGENET1K_V1


def efficientnet_b7(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_b7."""
    options = {"width": 2.0, "depth": 3.1, "dropout": 0.5, "norm_layer": slow_norm, **kwargs}
    return published(efficient_network, EfficientNet_B7_Weights, weights, pretrained, options)


class EfficientNet_V2_S_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_V2_S_Weights."""

    IMAGENET1K_V1 = "efficientnet_v2_s-dd5fe13b.pth"
    DEFAULT = IMAGENET1K_V1


def efficientnet_v2_s(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_v2_s."""
    fused = [(1, 3, 1, 24, 24, 2), (4, 3, 2, 24, 48, 4), (4, 3, 2, 48, 64, 4)]
    others = [(4, 3, 2, 64, 128, 6), (6, 3, 1, 128, 160, 9), (6, 3, 2, 160, 256, 15)]
    options = {"fused": fused, "others": others, **kwargs}
    return published(second_efficient_network, EfficientNet_V2_S_Weights, weights, pretrained, options)


class EfficientNet_V2_M_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_V2_M_Weights."""

    IMAGENET1K_V1 = "efficientnet_v2_m-dc08266a.pth"
    DEFAULT = IMAGENET1K_V1


def efficientnet_v2_m(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_v2_m."""
    fused = [(1, 3, 1, 24, 24, 3), (4, 3, 2, 24, 48, 5), (4, 3, 2, 48, 80, 5)]
    others = [(4, 3, 2, 80, 160, 7), (6, 3, 1, 160, 176, 14), (6, 3, 2, 176, 304, 18), (6, 3, 1, 304, 512, 5)]
    options = {"fused": fused, "others": others, "dropout": 0.3, **kwargs}
    return published(second_efficient_network, EfficientNet_V2_M_Weights, weights, pretrained, options)


class EfficientNet_V2_L_Weights(PretrainedWeights):
    """torchvision.models.EfficientNet_V2_L_Weights."""

    IMAGENET1K_V1 = "efficientnet_v2_l-59c71312.pth"
    DEFAULT = IMAGENET1K_V1


def efficientnet_v2_l(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.efficientnet_v2_l."""
    fused = [(1, 3, 1, 32, 32, 4), (4, 3, 2, 32, 64, 7), (4, 3, 2, 64, 96, 7)]
    others = [
        (4, 3, 2, 96, 192, 10),
        (6, 3, 1, 192, 224, 19),
        (6, 3, 2, 224, 384, 25),
        (6, 3, 1, 384, 640, 7),
    ]
    options = {"fused": fused, "others": others, "dropout": 0.4, **kwargs}
    return published(second_efficient_network, EfficientNet_V2_L_Weights, weights, pretrained, options)
