"""torchvision.models: MNASNet."""


class ExpandingBlock(Module):
    """A block of MNASNet: it widens, convolves each channel by itself, and narrows."""

    def __init__(self, in_ch, out_ch, kernel_size, stride, expansion_factor):
        super().__init__()
        width = in_ch * expansion_factor
        self.apply_residual = in_ch == out_ch and stride == 1
        self.layers = Sequential(
            plain_convolution(in_ch, width, 1),
            hardly_moving_norm(width),
            ReLU(inplace=True),
            plain_convolution(width, width, kernel_size, stride, width),
            hardly_moving_norm(width),
            ReLU(inplace=True),
            plain_convolution(width, out_ch, 1),
            hardly_moving_norm(out_ch),
        )

    def construct(self, input):
        return self.layers(input) + input if self.apply_residual else self.layers(input)


def hardly_moving_norm(channels):
    """Batch normalization whose running statistics change slowly."""
    return BatchNorm2d(channels, momentum=1 - 0.9997)


def stack_of_blocks(in_ch, out_ch, kernel_size, stride, expansion_factor, count):
    """Blocks of which the first may make images smaller."""
    blocks = [ExpandingBlock(in_ch, out_ch, kernel_size, stride, expansion_factor)]
    blocks += [ExpandingBlock(out_ch, out_ch, kernel_size, 1, expansion_factor) for _ in range(count - 1)]
    return Sequential(*blocks)


class MNASNet(Module):
    """torchvision.models.MNASNet. Files of its first version, with a stem of fixed width, are not read."""

    _version = 2

    def __init__(self, alpha, num_classes=1000, dropout=0.2):
        super().__init__()
        if alpha <= 0.0:
            raise ValueError(f"alpha should be greater than 0.0 instead of {alpha}")
        self.alpha, self.num_classes = alpha, num_classes
        first, width, *widths = (
            whole_channels(channels * alpha, 8) for channels in (32, 16, 24, 40, 80, 96, 192, 320)
        )
        layers = [
            plain_convolution(3, first, 3, 2),
            hardly_moving_norm(first),
            ReLU(inplace=True),
            plain_convolution(first, first, 3, groups=first),
            hardly_moving_norm(first),
            ReLU(inplace=True),
            plain_convolution(first, width, 1),
            hardly_moving_norm(width),
        ]
        stages = [(3, 2, 3, 3), (5, 2, 3, 3), (5, 2, 6, 3), (3, 1, 6, 2), (5, 2, 6, 4), (3, 1, 6, 1)]
        for wider, stage in zip(widths, stages):
            layers.append(stack_of_blocks(width, wider, *stage))
            width = wider
        layers += [plain_convolution(width, 1280, 1), hardly_moving_norm(1280), ReLU(inplace=True)]
        self.layers = Sequential(*layers)
        self.classifier = Sequential(Dropout(dropout, inplace=True), Linear(1280, num_classes))
        for module in self.modules():
            if isinstance(module, Conv2d):
                kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(module, Linear):
                kaiming_uniform_(module.weight, mode="fan_out", nonlinearity="sigmoid")
                zeros_(module.bias)

    def construct(self, x):
        return self.classifier(self.layers(x).mean((2, 3)))


class MNASNet0_5_Weights(PretrainedWeights):
    """torchvision.models.MNASNet0_5_Weights."""

    IMAGENET1K_V1 = "mnasnet0.5_top1_67.823-3ffadce67e.pth"
    DEFAULT = IMAGENET1K_V1


def mnasnet0_5(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.mnasnet0_5."""
    return published(MNASNet, MNASNet0_5_Weights, weights, pretrained, {"alpha": 0.5, **kwargs})


class MNASNet0_75_Weights(PretrainedWeights):
    """torchvision.models.MNASNet0_75_Weights."""

    IMAGENET1K_V1 = "mnasnet0_75-7090bc5f.pth"
    DEFAULT = IMAGENET1K_V1


def mnasnet0_75(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.mnasnet0_75."""
    return published(MNASNet, MNASNet0_75_Weights, weights, pretrained, {"alpha": 0.75, **kwargs})


class MNASNet1_0_Weights(PretrainedWeights):
    """torchvision.models.MNASNet1_0_Weights."""

    IMAGENET1K_V1 = "mnasnet1.0_top1_73.512-f206786ef8.pth"
    DEFAULT = IMAGENET1K_V1


def mnasnet1_0(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.mnasnet1_0."""
    return published(MNASNet, MNASNet1_0_Weights, weights, pretrained, {"alpha": 1.0, **kwargs})


class MNASNet1_3_Weights(PretrainedWeights):
    """torchvision.models.MNASNet1_3_Weights."""

    IMAGENET1K_V1 = "mnasnet1_3-a4c69d6f.pth"
    DEFAULT = IMAGENET1K_V1


def mnasnet1_3(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.mnasnet1_3."""
    return published(MNASNet, MNASNet1_3_Weights, weights, pretrained, {"alpha": 1.3, **kwargs})
