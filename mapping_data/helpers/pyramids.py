"""torchvision.ops: features of an image in several sizes, and regions read from the size that fits."""

import math
from collections import OrderedDict

import mindspore
import numpy as np
from mindspore import ops


class ExtraFPNBlock(Module):
    """torchvision.ops.feature_pyramid_network.ExtraFPNBlock: further sizes, made of those of a pyramid."""

    def construct(self, results, x, names):
        """The pyramid's features, those that it was made of, and the names; gives the first and the last."""


class LastLevelMaxPool(ExtraFPNBlock):
    """torchvision.ops.feature_pyramid_network.LastLevelMaxPool."""

    def construct(self, x, y, names):
        every_second = slice(None, None, 2)
        return [*x, sliced(x[-1], ..., every_second, every_second)], [*names, "pool"]


class LastLevelP6P7(ExtraFPNBlock):
    """torchvision.ops.feature_pyramid_network.LastLevelP6P7."""

    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.p6 = Conv2d(in_channels, out_channels, 3, 2, 1)
        self.p7 = Conv2d(out_channels, out_channels, 3, 2, 1)
        for layer in (self.p6, self.p7):
            kaiming_uniform_(layer.weight, a=1)
            constant_(layer.bias, 0)
        self.use_P5 = in_channels == out_channels

    def construct(self, p, c, names):
        smaller = self.p6(p[-1] if self.use_P5 else c[-1])
        return [*p, smaller, self.p7(relu(smaller))], [*names, "p6", "p7"]


class FeaturePyramidNetwork(Module):
    """torchvision.ops.FeaturePyramidNetwork."""

    def __init__(self, in_channels_list, out_channels, extra_blocks=None, norm_layer=None):
        super().__init__()
        self.inner_blocks = ModuleList()
        self.layer_blocks = ModuleList()
        kinds = {"norm_layer": norm_layer, "activation_layer": None}
        for in_channels in in_channels_list:
            if in_channels == 0:
                raise ValueError("in_channels=0 is currently not supported")
            self.inner_blocks.append(Conv2dNormActivation(in_channels, out_channels, 1, padding=0, **kinds))
            self.layer_blocks.append(Conv2dNormActivation(out_channels, out_channels, 3, **kinds))
        for module in self.modules():
            if isinstance(module, Conv2d):
                kaiming_uniform_(module.weight, a=1)
                if module.bias is not None:
                    constant_(module.bias, 0)
        if not isinstance(extra_blocks, (ExtraFPNBlock, type(None))):
            raise TypeError(f"extra_blocks should be of type ExtraFPNBlock not {type(extra_blocks)}")
        self.extra_blocks = extra_blocks

    def _load_from_state_dict(self, state_dict, prefix, *args):
        for name in ("inner_blocks", "layer_blocks"):
            for place in range(len(self.inner_blocks)):
                renamed(state_dict, f"{prefix}{name}.{place}", f"{prefix}{name}.{place}.0")
        super()._load_from_state_dict(state_dict, prefix, *args)

    def construct(self, x):
        names, x = list(x), list(x.values())
        inner = self.inner_blocks[-1](x[-1])
        results = [self.layer_blocks[-1](inner)]
        for place in range(len(x) - 2, -1, -1):
            beside = self.inner_blocks[place](x[place])
            inner = beside + interpolate(inner, beside.shape[-2:], mode="nearest")
            results.insert(0, self.layer_blocks[place](inner))
        if self.extra_blocks is not None:
            results, names = self.extra_blocks(results, x, names)
        return OrderedDict(zip(names, results))


def renamed(state_dict, old, new):
    """Give the weight and the bias of a layer the names that newer files have."""
    for kind in ("weight", "bias"):
        if f"{old}.{kind}" in state_dict:
            state_dict[f"{new}.{kind}"] = state_dict.pop(f"{old}.{kind}")


class MultiScaleRoIAlign(Module):
    """torchvision.ops.MultiScaleRoIAlign: the boxes themselves get no gradient."""

    def __init__(self, featmap_names, output_size, sampling_ratio, *, canonical_scale=224, canonical_level=4):
        super().__init__()
        self.featmap_names, self.sampling_ratio = featmap_names, sampling_ratio
        self.output_size = tuple_of(output_size, 2)
        self.scales = self.map_levels = None
        self.canonical_scale, self.canonical_level = canonical_scale, canonical_level

    def _set_scales(self, features, image_shapes):
        if not image_shapes:
            raise ValueError("images list should not be empty")
        height = max(shape[0] for shape in image_shapes)
        self.scales = [2.0 ** round(math.log2(feature.shape[-2] / height)) for feature in features]
        self.map_levels = tuple(int(-math.log2(self.scales[place])) for place in (0, -1))

    def _levels(self, regions):
        """Which of the features each region is read from: large regions from small ones."""
        first, last = self.map_levels
        size = np.sqrt((regions[:, 3] - regions[:, 1]) * (regions[:, 4] - regions[:, 2]))
        with np.errstate(divide="ignore"):
            level = self.canonical_level + np.log2(size / np.float32(self.canonical_scale))
        return np.floor(level + np.float32(1e-6)).clip(first, last).astype(np.int64) - first

    def construct(self, x, boxes, image_shapes):
        features = [value for name, value in x.items() if name in self.featmap_names]
        if self.scales is None:
            self._set_scales(features, image_shapes)
        regions = boxes_in_images(boxes)
        levels = np.zeros(len(regions), np.int64) if len(features) == 1 else self._levels(regions)
        found, order = [], []
        for level, (feature, scale) in enumerate(zip(features, self.scales)):
            places = np.flatnonzero(levels == level)
            if places.size:
                part = mindspore.Tensor(regions[places])
                found.append(roi_align(feature, part, self.output_size, scale, self.sampling_ratio))
                order.append(places)
        if not found:
            return ops.zeros((0, features[0].shape[1], *self.output_size), features[0].dtype)
        back = mindspore.Tensor(np.argsort(np.concatenate(order), kind="stable"))
        return ops.gather(ops.concat(found, 0), back, 0) if len(found) > 1 else found[0]

    def __repr__(self):
        shown = ", ".join(
            f"{name}={getattr(self, name)}" for name in ("featmap_names", "output_size", "sampling_ratio")
        )
        return f"MultiScaleRoIAlign({shown})"
