"""torchvision.models: ShuffleNetV2, whose blocks mix the halves of the channels."""

from mindspore import ops


class ShufflingBlock(Module):
    """torchvision.models.shufflenetv2.InvertedResidual."""

    def __init__(self, inp, oup, stride):
        super().__init__()
        if stride not in (1, 2, 3):
            raise ValueError("illegal stride value")
        half = oup // 2
        if stride == 1 and inp != 2 * half:
            raise ValueError(
                f"Invalid combination of stride {stride}, inp {inp} and oup {oup} values. "
                "If stride == 1 then inp should be equal to oup // 2 << 1."
            )
        self.stride = stride
        self.branch1 = Sequential()
        if stride > 1:
            self.branch1 = Sequential(
                plain_convolution(inp, inp, 3, stride, groups=inp),
                BatchNorm2d(inp),
                plain_convolution(inp, half, 1),
                BatchNorm2d(half),
                ReLU(inplace=True),
            )
        self.branch2 = Sequential(
            plain_convolution(inp if stride > 1 else half, half, 1),
            BatchNorm2d(half),
            ReLU(inplace=True),
            plain_convolution(half, half, 3, stride, groups=half),
            BatchNorm2d(half),
            plain_convolution(half, half, 1),
            BatchNorm2d(half),
            ReLU(inplace=True),
        )

    def construct(self, x):
        if self.stride == 1:
            kept, x = x.chunk(2, 1)
        else:
            kept = self.branch1(x)
        return channel_shuffle(ops.cat([kept, self.branch2(x)], 1), 2)


class ShuffleNetV2(Module):
    """torchvision.models.ShuffleNetV2."""

    def __init__(
        self, stages_repeats, stages_out_channels, num_classes=1000, inverted_residual=ShufflingBlock
    ):
        super().__init__()
        for name, values, count in (
            ("stages_repeats", stages_repeats, 3),
            ("stages_out_channels", stages_out_channels, 5),
        ):
            if len(values) != count:
                raise ValueError(f"expected {name} as list of {count} positive ints")
        self._stage_out_channels = stages_out_channels
        first, *widths, last = stages_out_channels
        self.conv1 = Sequential(plain_convolution(3, first, 3, 2), BatchNorm2d(first), ReLU(inplace=True))
        self.maxpool = MaxPool2d(3, 2, 1)
        for place, (count, width) in enumerate(zip(stages_repeats, widths), 2):
            blocks = [inverted_residual(first, width, 2)]
            while len(blocks) < count:
                blocks.append(inverted_residual(width, width, 1))
            setattr(self, f"stage{place}", Sequential(*blocks))
            first = width
        self.conv5 = Sequential(plain_convolution(first, last, 1), BatchNorm2d(last), ReLU(inplace=True))
        self.fc = Linear(last, num_classes)

    def construct(self, x):
        x = self.stage4(self.stage3(self.stage2(self.maxpool(self.conv1(x)))))
        return self.fc(self.conv5(x).mean((2, 3)))


def shuffle_network(widths, **options):
    """ShuffleNetV2 of such widths."""
    return ShuffleNetV2([4, 8, 4], widths, **options)


class ShuffleNet_V2_X0_5_Weights(PretrainedWeights):
    """torchvision.models.ShuffleNet_V2_X0_5_Weights."""

    IMAGENET1K_V1 = "shufflenetv2_x0.5-f707e7126e.pth"
    DEFAULT = IMAGENET1K_V1


def shufflenet_v2_x0_5(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.shufflenet_v2_x0_5."""
    options = {"widths": [24, 48, 96, 192, 1024], **kwargs}
    return published(shuffle_network, ShuffleNet_V2_X0_5_Weights, weights, pretrained, options)


class ShuffleNet_V2_X1_0_Weights(PretrainedWeights):
    """torchvision.models.ShuffleNet_V2_X1_0_Weights."""

    IMAGENET1K_V1 = "shufflenetv2_x1-5666bf0f80.pth"
    DEFAULT = IMAGENET1K_V1


def shufflenet_v2_x1_0(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.shufflenet_v2_x1_0."""
    options = {"widths": [24, 116, 232, 464, 1024], **kwargs}
    return published(shuffle_network, ShuffleNet_V2_X1_0_Weights, weights, pretrained, options)


class ShuffleNet_V2_X1_5_Weights(PretrainedWeights):
    """torchvision.models.ShuffleNet_V2_X1_5_Weights."""

    IMAGENET1K_V1 = "shufflenetv2_x1_5-3c479a10.pth"
    DEFAULT = IMAGENET1K_V1


def shufflenet_v2_x1_5(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.shufflenet_v2_x1_5."""
    options = {"widths": [24, 176, 352, 704, 1024], **kwargs}
    return published(shuffle_network, ShuffleNet_V2_X1_5_Weights, weights, pretrained, options)


class ShuffleNet_V2_X2_0_Weights(PretrainedWeights):
    """torchvision.models.ShuffleNet_V2_X2_0_Weights."""

    IMAGENET1K_V1 = "shufflenetv2_x2_0-8be3c8ee.pth"
    DEFAULT = IMAGENET1K_V1


def shufflenet_v2_x2_0(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.shufflenet_v2_x2_0."""
    options = {"widths": [24, 244, 488, 976, 2048], **kwargs}
    return published(shuffle_network, ShuffleNet_V2_X2_0_Weights, weights, pretrained, options)
