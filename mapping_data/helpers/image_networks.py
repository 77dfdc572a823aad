"""torchvision.models: networks that classify images, with torchvision's names of parameters."""

from collections import OrderedDict

from mindspore import ops


class VGG(Module):
    """torchvision.models.VGG."""

    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = AdaptiveAvgPool2d((7, 7))
        self.classifier = Sequential(
            Linear(512 * 7 * 7, 4096),
            ReLU(True),
            Dropout(dropout),
            Linear(4096, 4096),
            ReLU(True),
            Dropout(dropout),
            Linear(4096, num_classes),
        )
        if init_weights:
            start_convolutions(self, 0.01)

    def construct(self, x):
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


def vgg_network(repeats, has_norm, **options):
    """A network of VGG's kind, with so many convolutions before each pooling."""
    layers, channels = [], 3
    for width, count in zip((64, 128, 256, 512, 512), repeats):
        for _ in range(count):
            norm = [BatchNorm2d(width)] if has_norm else []
            layers += [Conv2d(channels, width, 3, padding=1), *norm, ReLU(inplace=True)]
            channels = width
        layers.append(MaxPool2d(2, 2))
    return VGG(Sequential(*layers), **options)


class AlexNet(Module):
    """torchvision.models.AlexNet."""

    def __init__(self, num_classes=1000, dropout=0.5):
        super().__init__()
        self.features = Sequential(
            Conv2d(3, 64, 11, 4, 2),
            ReLU(inplace=True),
            MaxPool2d(3, 2),
            Conv2d(64, 192, 5, padding=2),
            ReLU(inplace=True),
            MaxPool2d(3, 2),
            Conv2d(192, 384, 3, padding=1),
            ReLU(inplace=True),
            Conv2d(384, 256, 3, padding=1),
            ReLU(inplace=True),
            Conv2d(256, 256, 3, padding=1),
            ReLU(inplace=True),
            MaxPool2d(3, 2),
        )
        self.avgpool = AdaptiveAvgPool2d((6, 6))
        self.classifier = Sequential(
            Dropout(dropout),
            Linear(256 * 6 * 6, 4096),
            ReLU(inplace=True),
            Dropout(dropout),
            Linear(4096, 4096),
            ReLU(inplace=True),
            Linear(4096, num_classes),
        )

    def construct(self, x):
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


class Fire(Module):
    """A part of SqueezeNet: few channels, then more of two kinds."""

    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.squeeze = Conv2d(inplanes, squeeze_planes, 1)
        self.squeeze_activation = ReLU(inplace=True)
        self.expand1x1 = Conv2d(squeeze_planes, expand1x1_planes, 1)
        self.expand1x1_activation = ReLU(inplace=True)
        self.expand3x3 = Conv2d(squeeze_planes, expand3x3_planes, 3, padding=1)
        self.expand3x3_activation = ReLU(inplace=True)

    def construct(self, x):
        x = self.squeeze_activation(self.squeeze(x))
        small, large = self.expand1x1(x), self.expand3x3(x)
        return ops.cat([self.expand1x1_activation(small), self.expand3x3_activation(large)], 1)


class SqueezeNet(Module):
    """torchvision.models.SqueezeNet."""

    def __init__(self, version="1_0", num_classes=1000, dropout=0.5):
        super().__init__()
        if version not in ("1_0", "1_1"):
            raise ValueError(f"Unsupported SqueezeNet version {version}: 1_0 or 1_1 expected")
        is_first = version == "1_0"
        self.num_classes = num_classes
        pooled = (2, 6) if is_first else (1, 3)  # after which parts there is pooling
        channels = 96 if is_first else 64
        layers = [Conv2d(3, channels, 7 if is_first else 3, 2), ReLU(inplace=True)]
        layers.append(MaxPool2d(3, 2, ceil_mode=True))
        for place, (few, many) in enumerate(
            [(16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256)]
        ):
            layers.append(Fire(channels, few, many, many))
            channels = 2 * many
            if place in pooled:
                layers.append(MaxPool2d(3, 2, ceil_mode=True))
        self.features = Sequential(*layers)
        last = Conv2d(512, num_classes, 1)
        self.classifier = Sequential(Dropout(dropout), last, ReLU(inplace=True), AdaptiveAvgPool2d((1, 1)))
        for module in self.modules():
            if isinstance(module, Conv2d):
                if module is last:
                    normal_(module.weight, 0.0, 0.01)
                else:
                    kaiming_uniform_(module.weight)
                constant_(module.bias, 0)

    def construct(self, x):
        return self.classifier(self.features(x)).flatten(1)


class InvertedResidual(Module):
    """A part of MobileNetV2: more channels, each convolved for itself, then fewer again."""

    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=None):
        super().__init__()
        if stride not in (1, 2):
            raise ValueError(f"stride should be 1 or 2 instead of {stride}")
        norm_layer = norm_layer or BatchNorm2d
        kinds = {"norm_layer": norm_layer, "activation_layer": ReLU6}
        width = round(inp * expand_ratio)
        layers = [Conv2dNormActivation(inp, width, 1, **kinds)] if expand_ratio != 1 else []
        layers.append(Conv2dNormActivation(width, width, stride=stride, groups=width, **kinds))
        self.conv = Sequential(*layers, Conv2d(width, oup, 1, bias=False), norm_layer(oup))
        self.stride, self.out_channels = stride, oup
        self.use_res_connect = stride == 1 and inp == oup
        self._is_cn = stride > 1

    def construct(self, x):
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


def whole_channels(value, divisor):
    """The number of channels near `value` that `divisor` divides, no less than 90 % of it."""
    near = max(divisor, int(value + divisor / 2) // divisor * divisor)
    return near + divisor if near < 0.9 * value else near


class MobileNetV2(Module):
    """torchvision.models.MobileNetV2."""

    def __init__(
        self,
        num_classes=1000,
        width_mult=1.0,
        inverted_residual_setting=None,
        round_nearest=8,
        block=None,
        norm_layer=None,
        dropout=0.2,
    ):
        super().__init__()
        block, norm_layer = block or InvertedResidual, norm_layer or BatchNorm2d
        kinds = {"norm_layer": norm_layer, "activation_layer": ReLU6}
        stages = inverted_residual_setting or [
            [1, 16, 1, 1],
            [6, 24, 2, 2],
            [6, 32, 3, 2],
            [6, 64, 4, 2],
            [6, 96, 3, 1],
            [6, 160, 3, 2],
            [6, 320, 1, 1],
        ]
        channels = whole_channels(32 * width_mult, round_nearest)
        self.last_channel = whole_channels(1280 * max(1.0, width_mult), round_nearest)
        layers = [Conv2dNormActivation(3, channels, stride=2, **kinds)]
        for expansion, width, count, stride in stages:
            width = whole_channels(width * width_mult, round_nearest)
            for place in range(count):
                step = 1 if place else stride
                layers.append(block(channels, width, step, expand_ratio=expansion, norm_layer=norm_layer))
                channels = width
        layers.append(Conv2dNormActivation(channels, self.last_channel, 1, **kinds))
        self.features = Sequential(*layers)
        self.classifier = Sequential(Dropout(dropout), Linear(self.last_channel, num_classes))
        start_convolutions(self, 0.01)

    def construct(self, x):
        return self.classifier(self.features(x).mean((2, 3)))


class DenseLayer(Module):
    """A layer of DenseNet: it reads all layers before it."""

    def __init__(self, num_input_features, growth_rate, bn_size, drop_rate, memory_efficient=False):
        super().__init__()
        width = bn_size * growth_rate
        self.norm1 = BatchNorm2d(num_input_features)
        self.relu1 = ReLU(inplace=True)
        self.conv1 = plain_convolution(num_input_features, width, 1)
        self.norm2 = BatchNorm2d(width)
        self.relu2 = ReLU(inplace=True)
        self.conv2 = plain_convolution(width, growth_rate, 3)
        self.drop_rate = float(drop_rate)

    def construct(self, input):
        features = input if isinstance(input, (list, tuple)) else [input]
        x = self.conv1(self.relu1(self.norm1(ops.cat(features, 1))))
        x = self.conv2(self.relu2(self.norm2(x)))
        return dropout(x, self.drop_rate, self.training) if self.drop_rate > 0 else x


class DenseBlock(ModuleDict):
    """Layers of DenseNet, joined with what goes in."""

    def __init__(
        self, num_layers, num_input_features, bn_size, growth_rate, drop_rate, memory_efficient=False
    ):
        super().__init__()
        for place in range(num_layers):
            layer = DenseLayer(num_input_features + place * growth_rate, growth_rate, bn_size, drop_rate)
            self.add_module(f"denselayer{place + 1}", layer)

    def construct(self, init_features):
        features = [init_features]
        for layer in self.values():
            features.append(layer(features))
        return ops.cat(features, 1)


class DenseNet(Module):
    """torchvision.models.DenseNet."""

    def __init__(
        self,
        growth_rate=32,
        block_config=(6, 12, 24, 16),
        num_init_features=64,
        bn_size=4,
        drop_rate=0,
        num_classes=1000,
        memory_efficient=False,
    ):
        super().__init__()
        channels = num_init_features
        layers = OrderedDict(
            conv0=Conv2d(3, channels, 7, 2, 3, bias=False),
            norm0=BatchNorm2d(channels),
            relu0=ReLU(inplace=True),
            pool0=MaxPool2d(3, 2, 1),
        )
        for place, count in enumerate(block_config, 1):
            layers[f"denseblock{place}"] = DenseBlock(count, channels, bn_size, growth_rate, drop_rate)
            channels += count * growth_rate
            if place < len(block_config):
                parts = OrderedDict(
                    norm=BatchNorm2d(channels),
                    relu=ReLU(inplace=True),
                    conv=plain_convolution(channels, channels // 2, 1),
                    pool=AvgPool2d(2, 2),
                )
                layers[f"transition{place}"] = Sequential(parts)
                channels //= 2
        layers["norm5"] = BatchNorm2d(channels)
        self.features = Sequential(layers)
        self.classifier = Linear(channels, num_classes)
        for module in self.modules():
            if isinstance(module, Conv2d):
                kaiming_normal_(module.weight)
            elif isinstance(module, Linear):
                constant_(module.bias, 0)

    def construct(self, x):
        x = relu(self.features(x))
        return self.classifier(adaptive_avg_pool2d(x, (1, 1)).flatten(1))


# torchvision.__version__: the version whose functions the helpers stand for
torchvision_version = "0.29.2"


class IntermediateLayerGetter(ModuleDict):
    """torchvision.models._utils.IntermediateLayerGetter: what some layers of a network give, by new names.
    The layers behind the last of these are left out."""

    def __init__(self, model, return_layers):
        left = {str(name): str(new) for name, new in return_layers.items()}
        self.return_layers = dict(left)
        kept = {}
        for name, layer in model.named_children():
            if not left:
                break
            kept[name] = layer
            left.pop(name, None)
        if left:
            raise ValueError("return_layers are not present in model")
        super().__init__(kept)

    def construct(self, x):
        found = OrderedDict()
        for name, layer in self.items():
            x = layer(x)
            if name in self.return_layers:
                found[self.return_layers[name]] = x
        return found
