"""torchvision.models: RegNet, whose stages have the widths and depths that a few numbers give."""

import functools
import math
from collections import OrderedDict

import numpy as np


class SimpleStemIN(Conv2dNormActivation):
    """torchvision.models.regnet.SimpleStemIN: what reads the image."""

    def __init__(self, width_in, width_out, norm_layer, activation_layer):
        super().__init__(width_in, width_out, 3, 2, norm_layer=norm_layer, activation_layer=activation_layer)


class BottleneckTransform(Sequential):
    """torchvision.models.regnet.BottleneckTransform: narrower, convolved in groups, weighed, wider."""

    def __init__(
        self,
        width_in,
        width_out,
        stride,
        norm_layer,
        activation_layer,
        group_width,
        bottleneck_multiplier,
        se_ratio,
    ):
        width = round(width_out * bottleneck_multiplier)
        kinds = {"norm_layer": norm_layer, "activation_layer": activation_layer}
        layers = OrderedDict(a=Conv2dNormActivation(width_in, width, 1, **kinds))
        layers["b"] = Conv2dNormActivation(width, width, 3, stride, groups=width // group_width, **kinds)
        if se_ratio:
            layers["se"] = SqueezeExcitation(width, round(se_ratio * width_in), activation_layer)
        kinds["activation_layer"] = None
        layers["c"] = Conv2dNormActivation(width, width_out, 1, **kinds)
        super().__init__(layers)


class ResBottleneckBlock(Module):
    """torchvision.models.regnet.ResBottleneckBlock."""

    def __init__(
        self,
        width_in,
        width_out,
        stride,
        norm_layer,
        activation_layer,
        group_width=1,
        bottleneck_multiplier=1.0,
        se_ratio=None,
    ):
        super().__init__()
        self.proj = None
        if width_in != width_out or stride != 1:
            kinds = {"norm_layer": norm_layer, "activation_layer": None}
            self.proj = Conv2dNormActivation(width_in, width_out, 1, stride, **kinds)
        sizes = (group_width, bottleneck_multiplier, se_ratio)
        self.f = BottleneckTransform(width_in, width_out, stride, norm_layer, activation_layer, *sizes)
        self.activation = activation_layer(inplace=True)

    def construct(self, x):
        return self.activation((x if self.proj is None else self.proj(x)) + self.f(x))


class AnyStage(Sequential):
    """torchvision.models.regnet.AnyStage: blocks of the same width; the first makes images smaller."""

    def __init__(
        self,
        width_in,
        width_out,
        stride,
        depth,
        block_constructor,
        norm_layer,
        activation_layer,
        group_width,
        bottleneck_multiplier,
        se_ratio=None,
        stage_index=0,
    ):
        super().__init__()
        kinds = (norm_layer, activation_layer, group_width, bottleneck_multiplier, se_ratio)
        for place in range(depth):
            block = block_constructor(width_in, width_out, stride, *kinds)
            self.add_module(f"block{stage_index}-{place}", block)
            width_in, stride = width_out, 1


class BlockParams:
    """torchvision.models.regnet.BlockParams: the sizes of each stage."""

    def __init__(self, depths, widths, group_widths, bottleneck_multipliers, strides, se_ratio=None):
        self.depths, self.widths, self.group_widths = depths, widths, group_widths
        self.bottleneck_multipliers, self.strides, self.se_ratio = bottleneck_multipliers, strides, se_ratio

    @classmethod
    def from_init_params(
        cls, depth, w_0, w_a, w_m, group_width, bottleneck_multiplier=1.0, se_ratio=None, **kwargs
    ):
        """The stages of a line of widths that begins at `w_0` and rises by `w_a` with each block, brought to
        powers of `w_m` and to whole eights: the blocks of the same width are a stage."""
        if w_a < 0 or w_0 <= 0 or w_m <= 1 or w_0 % 8 != 0:
            raise ValueError("Invalid RegNet settings")
        line = np.arange(depth, dtype=np.float32) * np.float32(w_a) + np.float32(w_0)
        powers = np.round(np.log(line / np.float32(w_0)) / np.float32(math.log(w_m)))
        eights = np.round(np.float32(w_0) * np.power(np.float32(w_m), powers) / np.float32(8))
        found, depths = np.unique((eights * 8).astype(np.int64), return_counts=True)
        widths, groups = [], []
        for width in found.tolist():
            narrow = int(width * bottleneck_multiplier)
            groups.append(min(group_width, narrow))
            widths.append(int(whole_channels(narrow, groups[-1]) / bottleneck_multiplier))
        count = len(widths)
        shares, strides = [bottleneck_multiplier] * count, [2] * count
        return cls(depths.tolist(), widths, groups, shares, strides, se_ratio)


class RegNet(Module):
    """torchvision.models.RegNet."""

    def __init__(
        self,
        block_params,
        num_classes=1000,
        stem_width=32,
        stem_type=None,
        block_type=None,
        norm_layer=None,
        activation=None,
    ):
        super().__init__()
        norm_layer, activation = norm_layer or BatchNorm2d, activation or ReLU
        block_type = block_type or ResBottleneckBlock
        self.stem = (stem_type or SimpleStemIN)(3, stem_width, norm_layer, activation)
        width, stages, sizes = stem_width, OrderedDict(), block_params
        for place, (wider, stride, depth, group_width, share) in enumerate(
            zip(sizes.widths, sizes.strides, sizes.depths, sizes.group_widths, sizes.bottleneck_multipliers),
            1,
        ):
            kinds = (block_type, norm_layer, activation, group_width, share, sizes.se_ratio)
            stages[f"block{place}"] = AnyStage(width, wider, stride, depth, *kinds, stage_index=place)
            width = wider
        self.trunk_output = Sequential(stages)
        self.avgpool = AdaptiveAvgPool2d((1, 1))
        self.fc = Linear(width, num_classes)
        for module in self.modules():
            if isinstance(module, Conv2d):
                many = math.prod(module.kernel_size) * module.out_channels
                normal_(module.weight, 0.0, math.sqrt(2.0 / many))
            elif isinstance(module, Linear):
                normal_(module.weight, 0.0, 0.01)
                zeros_(module.bias)

    def construct(self, x):
        return self.fc(self.avgpool(self.trunk_output(self.stem(x))).flatten(1))


def network_of_stages(sizes, **options):
    """RegNet of the sizes that some numbers give."""
    options.setdefault("norm_layer", functools.partial(BatchNorm2d, eps=1e-05, momentum=0.1))
    return RegNet(BlockParams.from_init_params(**{**sizes, **options}), **options)


class RegNet_Y_400MF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_Y_400MF_Weights."""

    IMAGENET1K_V1 = "regnet_y_400mf-c65dace8.pth"
    IMAGENET1K_V2 = "regnet_y_400mf-e6988f5f.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_y_400mf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_y_400mf."""
    sizes = {"depth": 16, "w_0": 48, "w_a": 27.89, "w_m": 2.09, "group_width": 8, "se_ratio": 0.25}
    return published(
        network_of_stages, RegNet_Y_400MF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_Y_800MF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_Y_800MF_Weights."""

    IMAGENET1K_V1 = "regnet_y_800mf-1b27b58c.pth"
    IMAGENET1K_V2 = "regnet_y_800mf-58fc7688.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_y_800mf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_y_800mf."""
    sizes = {"depth": 14, "w_0": 56, "w_a": 38.84, "w_m": 2.4, "group_width": 16, "se_ratio": 0.25}
    return published(
        network_of_stages, RegNet_Y_800MF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_Y_1_6GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_Y_1_6GF_Weights."""

    IMAGENET1K_V1 = "regnet_y_1_6gf-b11a554e.pth"
    IMAGENET1K_V2 = "regnet_y_1_6gf-0d7bc02a.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_y_1_6gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_y_1_6gf."""
    sizes = {"depth": 27, "w_0": 48, "w_a": 20.71, "w_m": 2.65, "group_width": 24, "se_ratio": 0.25}
    return published(
        network_of_stages, RegNet_Y_1_6GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_Y_3_2GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_Y_3_2GF_Weights."""

    IMAGENET1K_V1 = "regnet_y_3_2gf-b5a9779c.pth"
    IMAGENET1K_V2 = "regnet_y_3_2gf-9180c971.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_y_3_2gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_y_3_2gf."""
    sizes = {"depth": 21, "w_0": 80, "w_a": 42.63, "w_m": 2.66, "group_width": 24, "se_ratio": 0.25}
    return published(
        network_of_stages, RegNet_Y_3_2GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_Y_8GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_Y_8GF_Weights."""

    IMAGENET1K_V1 = "regnet_y_8gf-d0d0e4a8.pth"
    IMAGENET1K_V2 = "regnet_y_8gf-dc2b1b54.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_y_8gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_y_8gf."""
    sizes = {"depth": 17, "w_0": 192, "w_a": 76.82, "w_m": 2.19, "group_width": 56, "se_ratio": 0.25}
    return published(network_of_stages, RegNet_Y_8GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs})


class RegNet_Y_16GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_Y_16GF_Weights."""

    IMAGENET1K_V1 = "regnet_y_16gf-9e6ed7dd.pth"
    IMAGENET1K_V2 = "regnet_y_16gf-3e4a00f9.pth"
    IMAGENET1K_SWAG_E2E_V1 = "regnet_y_16gf_swag-43afe44d.pth"
    IMAGENET1K_SWAG_LINEAR_V1 = "regnet_y_16gf_lc_swag-f3ec0043.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_y_16gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_y_16gf."""
    sizes = {"depth": 18, "w_0": 200, "w_a": 106.23, "w_m": 2.48, "group_width": 112, "se_ratio": 0.25}
    return published(
        network_of_stages, RegNet_Y_16GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_Y_32GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_Y_32GF_Weights."""

    IMAGENET1K_V1 = "regnet_y_32gf-4dee3f7a.pth"
    IMAGENET1K_V2 = "regnet_y_32gf-8db6d4b5.pth"
    IMAGENET1K_SWAG_E2E_V1 = "regnet_y_32gf_swag-04fdfa75.pth"
    IMAGENET1K_SWAG_LINEAR_V1 = "regnet_y_32gf_lc_swag-e1583746.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_y_32gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_y_32gf."""
    sizes = {"depth": 20, "w_0": 232, "w_a": 115.89, "w_m": 2.53, "group_width": 232, "se_ratio": 0.25}
    return published(
        network_of_stages, RegNet_Y_32GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_Y_128GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_Y_128GF_Weights."""

    IMAGENET1K_SWAG_E2E_V1 = "regnet_y_128gf_swag-c8ce3e52.pth"
    IMAGENET1K_SWAG_LINEAR_V1 = "regnet_y_128gf_lc_swag-cbe8ce12.pth"
    DEFAULT = IMAGENET1K_SWAG_E2E_V1


def regnet_y_128gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_y_128gf."""
    sizes = {"depth": 27, "w_0": 456, "w_a": 160.83, "w_m": 2.52, "group_width": 264, "se_ratio": 0.25}
    return published(
        network_of_stages, RegNet_Y_128GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_X_400MF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_X_400MF_Weights."""

    IMAGENET1K_V1 = "regnet_x_400mf-adf1edd5.pth"
    IMAGENET1K_V2 = "regnet_x_400mf-62229a5f.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_x_400mf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_x_400mf."""
    sizes = {"depth": 22, "w_0": 24, "w_a": 24.48, "w_m": 2.54, "group_width": 16}
    return published(
        network_of_stages, RegNet_X_400MF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_X_800MF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_X_800MF_Weights."""

    IMAGENET1K_V1 = "regnet_x_800mf-ad17e45c.pth"
    IMAGENET1K_V2 = "regnet_x_800mf-94a99ebd.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_x_800mf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_x_800mf."""
    sizes = {"depth": 16, "w_0": 56, "w_a": 35.73, "w_m": 2.28, "group_width": 16}
    return published(
        network_of_stages, RegNet_X_800MF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_X_1_6GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_X_1_6GF_Weights."""

    IMAGENET1K_V1 = "regnet_x_1_6gf-e3633e7f.pth"
    IMAGENET1K_V2 = "regnet_x_1_6gf-a12f2b72.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_x_1_6gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_x_1_6gf."""
    sizes = {"depth": 18, "w_0": 80, "w_a": 34.01, "w_m": 2.25, "group_width": 24}
    return published(
        network_of_stages, RegNet_X_1_6GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_X_3_2GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_X_3_2GF_Weights."""

    IMAGENET1K_V1 = "regnet_x_3_2gf-f342aeae.pth"
    IMAGENET1K_V2 = "regnet_x_3_2gf-7071aa85.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_x_3_2gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_x_3_2gf."""
    sizes = {"depth": 25, "w_0": 88, "w_a": 26.31, "w_m": 2.25, "group_width": 48}
    return published(
        network_of_stages, RegNet_X_3_2GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_X_8GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_X_8GF_Weights."""

    IMAGENET1K_V1 = "regnet_x_8gf-03ceed89.pth"
    IMAGENET1K_V2 = "regnet_x_8gf-2b70d774.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_x_8gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_x_8gf."""
    sizes = {"depth": 23, "w_0": 80, "w_a": 49.56, "w_m": 2.88, "group_width": 120}
    return published(network_of_stages, RegNet_X_8GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs})


class RegNet_X_16GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_X_16GF_Weights."""

    IMAGENET1K_V1 = "regnet_x_16gf-2007eb11.pth"
    IMAGENET1K_V2 = "regnet_x_16gf-ba3796d7.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_x_16gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_x_16gf."""
    sizes = {"depth": 22, "w_0": 216, "w_a": 55.59, "w_m": 2.1, "group_width": 128}
    return published(
        network_of_stages, RegNet_X_16GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )


class RegNet_X_32GF_Weights(PretrainedWeights):
    """torchvision.models.RegNet_X_32GF_Weights."""

    IMAGENET1K_V1 = "regnet_x_32gf-9d47f8d0.pth"
    IMAGENET1K_V2 = "regnet_x_32gf-6eb8fdc6.pth"
    DEFAULT = IMAGENET1K_V2


def regnet_x_32gf(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.regnet_x_32gf."""
    sizes = {"depth": 23, "w_0": 320, "w_a": 69.86, "w_m": 2.0, "group_width": 168}
    return published(
        network_of_stages, RegNet_X_32GF_Weights, weights, pretrained, {"sizes": sizes, **kwargs}
    )
