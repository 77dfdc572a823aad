"""torchvision.models: GoogLeNet and Inception v3, whose blocks convolve in several ways at once."""

import collections
import warnings

from mindspore import ops


class ConvolutionOfInception(Module):
    """A convolution without a bias, normalized: torchvision.models.inception.BasicConv2d."""

    def __init__(self, in_channels, out_channels, **kwargs):
        super().__init__()
        self.conv = Conv2d(in_channels, out_channels, bias=False, **kwargs)
        self.bn = BatchNorm2d(out_channels, eps=0.001)

    def construct(self, x):
        return relu(self.bn(self.conv(x)))


def rescaled_images(x):
    """Images that were normalized with ImageNet's mean and spread, normalized with a half and a half."""
    spreads, means = (0.229, 0.224, 0.225), (0.485, 0.456, 0.406)
    channels = [
        x[:, place : place + 1] * (spread / 0.5) + (mean - 0.5) / 0.5
        for place, (spread, mean) in enumerate(zip(spreads, means))
    ]
    return ops.cat(channels, 1)


def starts_with_weights(init_weights, name):
    """Whether a network draws its weights from a normal distribution that is cut off."""
    if init_weights is None:
        text = "The default weight initialization of {} will be changed in future releases of torchvision."
        warnings.warn(text.format(name), FutureWarning, stacklevel=2)
    return init_weights is None or init_weights


def start_cut_off(network, spread):
    """Draw the weights of a network. A layer that has an attribute `stddev` has a spread of its own."""
    for module in network.modules():
        if isinstance(module, (Conv2d, Linear)):
            trunc_normal_(module.weight, 0.0, float(getattr(module, "stddev", spread)), -2, 2)
        elif isinstance(module, BatchNorm2d):
            constant_(module.weight, 1)
            constant_(module.bias, 0)


class BlockOfInception(Module):
    """Rows of convolutions, by their names: `rows` read what goes in, `pooled` what the pooling gives."""

    rows = ()
    pooled = None

    def add(self, **layers):
        for name, layer in layers.items():
            setattr(self, name, layer)

    def row(self, names, x):
        for name in names:
            x = getattr(self, name)(x)
        return x

    def pool(self, x):
        return avg_pool2d(x, 3, 1, 1)

    def construct(self, x):
        found = [self.row(names, x) for names in self.rows]
        found.append(self.row(self.pooled or (), self.pool(x)))
        return ops.cat(found, 1)


class InceptionA(BlockOfInception):
    """torchvision.models.inception.InceptionA."""

    rows = (
        ("branch1x1",),
        ("branch5x5_1", "branch5x5_2"),
        ("branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3"),
    )
    pooled = ("branch_pool",)

    def __init__(self, in_channels, pool_features, conv_block=None):
        super().__init__()
        make = conv_block or ConvolutionOfInception
        self.add(
            branch1x1=make(in_channels, 64, kernel_size=1),
            branch5x5_1=make(in_channels, 48, kernel_size=1),
            branch5x5_2=make(48, 64, kernel_size=5, padding=2),
            branch3x3dbl_1=make(in_channels, 64, kernel_size=1),
            branch3x3dbl_2=make(64, 96, kernel_size=3, padding=1),
            branch3x3dbl_3=make(96, 96, kernel_size=3, padding=1),
            branch_pool=make(in_channels, pool_features, kernel_size=1),
        )


class InceptionB(BlockOfInception):
    """torchvision.models.inception.InceptionB."""

    rows = (("branch3x3",), ("branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3"))

    def __init__(self, in_channels, conv_block=None):
        super().__init__()
        make = conv_block or ConvolutionOfInception
        self.add(
            branch3x3=make(in_channels, 384, kernel_size=3, stride=2),
            branch3x3dbl_1=make(in_channels, 64, kernel_size=1),
            branch3x3dbl_2=make(64, 96, kernel_size=3, padding=1),
            branch3x3dbl_3=make(96, 96, kernel_size=3, stride=2),
        )

    def pool(self, x):
        return max_pool2d(x, 3, 2)


class InceptionC(BlockOfInception):
    """torchvision.models.inception.InceptionC."""

    rows = (
        ("branch1x1",),
        ("branch7x7_1", "branch7x7_2", "branch7x7_3"),
        ("branch7x7dbl_1", "branch7x7dbl_2", "branch7x7dbl_3", "branch7x7dbl_4", "branch7x7dbl_5"),
    )
    pooled = ("branch_pool",)

    def __init__(self, in_channels, channels_7x7, conv_block=None):
        super().__init__()
        make, width = conv_block or ConvolutionOfInception, channels_7x7
        flat = {"kernel_size": (1, 7), "padding": (0, 3)}
        high = {"kernel_size": (7, 1), "padding": (3, 0)}
        self.add(
            branch1x1=make(in_channels, 192, kernel_size=1),
            branch7x7_1=make(in_channels, width, kernel_size=1),
            branch7x7_2=make(width, width, **flat),
            branch7x7_3=make(width, 192, **high),
            branch7x7dbl_1=make(in_channels, width, kernel_size=1),
            branch7x7dbl_2=make(width, width, **high),
            branch7x7dbl_3=make(width, width, **flat),
            branch7x7dbl_4=make(width, width, **high),
            branch7x7dbl_5=make(width, 192, **flat),
            branch_pool=make(in_channels, 192, kernel_size=1),
        )


class InceptionD(BlockOfInception):
    """torchvision.models.inception.InceptionD."""

    rows = (
        ("branch3x3_1", "branch3x3_2"),
        ("branch7x7x3_1", "branch7x7x3_2", "branch7x7x3_3", "branch7x7x3_4"),
    )

    def __init__(self, in_channels, conv_block=None):
        super().__init__()
        make = conv_block or ConvolutionOfInception
        self.add(
            branch3x3_1=make(in_channels, 192, kernel_size=1),
            branch3x3_2=make(192, 320, kernel_size=3, stride=2),
            branch7x7x3_1=make(in_channels, 192, kernel_size=1),
            branch7x7x3_2=make(192, 192, kernel_size=(1, 7), padding=(0, 3)),
            branch7x7x3_3=make(192, 192, kernel_size=(7, 1), padding=(3, 0)),
            branch7x7x3_4=make(192, 192, kernel_size=3, stride=2),
        )

    def pool(self, x):
        return max_pool2d(x, 3, 2)


class InceptionE(BlockOfInception):
    """torchvision.models.inception.InceptionE: two of its rows part at their ends."""

    rows = (("branch1x1",), ("branch3x3_1",), ("branch3x3dbl_1", "branch3x3dbl_2"))
    pooled = ("branch_pool",)

    def __init__(self, in_channels, conv_block=None):
        super().__init__()
        make = conv_block or ConvolutionOfInception
        flat = {"kernel_size": (1, 3), "padding": (0, 1)}
        high = {"kernel_size": (3, 1), "padding": (1, 0)}
        self.add(
            branch1x1=make(in_channels, 320, kernel_size=1),
            branch3x3_1=make(in_channels, 384, kernel_size=1),
            branch3x3_2a=make(384, 384, **flat),
            branch3x3_2b=make(384, 384, **high),
            branch3x3dbl_1=make(in_channels, 448, kernel_size=1),
            branch3x3dbl_2=make(448, 384, kernel_size=3, padding=1),
            branch3x3dbl_3a=make(384, 384, **flat),
            branch3x3dbl_3b=make(384, 384, **high),
            branch_pool=make(in_channels, 192, kernel_size=1),
        )

    def row(self, names, x):
        x = super().row(names, x)
        if names == ("branch3x3_1",):
            return ops.cat([self.branch3x3_2a(x), self.branch3x3_2b(x)], 1)
        if "branch3x3dbl_2" in names:
            return ops.cat([self.branch3x3dbl_3a(x), self.branch3x3dbl_3b(x)], 1)
        return x


class InceptionAux(Module):
    """torchvision.models.inception.InceptionAux."""

    def __init__(self, in_channels, num_classes, conv_block=None):
        super().__init__()
        make = conv_block or ConvolutionOfInception
        self.conv0 = make(in_channels, 128, kernel_size=1)
        self.conv1 = make(128, 768, kernel_size=5)
        self.conv1.stddev = 0.01
        self.fc = Linear(768, num_classes)
        self.fc.stddev = 0.001

    def construct(self, x):
        x = self.conv1(self.conv0(avg_pool2d(x, 5, 3)))
        return self.fc(adaptive_avg_pool2d(x, (1, 1)).flatten(1))


# torchvision.models.InceptionOutputs
InceptionOutputs = collections.namedtuple("InceptionOutputs", ["logits", "aux_logits"])


class Inception3(Module):
    """torchvision.models.Inception3."""

    def __init__(
        self,
        num_classes=1000,
        aux_logits=True,
        transform_input=False,
        inception_blocks=None,
        init_weights=None,
        dropout=0.5,
    ):
        super().__init__()
        blocks = inception_blocks or [
            ConvolutionOfInception,
            InceptionA,
            InceptionB,
            InceptionC,
            InceptionD,
            InceptionE,
            InceptionAux,
        ]
        is_drawn = starts_with_weights(init_weights, "inception_v3")
        if len(blocks) != 7:
            raise ValueError(f"length of inception_blocks should be 7 instead of {len(blocks)}")
        convolution, same, smaller, long, last_smaller, wide, aside = blocks
        self.aux_logits, self.transform_input = aux_logits, transform_input
        self.Conv2d_1a_3x3 = convolution(3, 32, kernel_size=3, stride=2)
        self.Conv2d_2a_3x3 = convolution(32, 32, kernel_size=3)
        self.Conv2d_2b_3x3 = convolution(32, 64, kernel_size=3, padding=1)
        self.maxpool1 = MaxPool2d(3, 2)
        self.Conv2d_3b_1x1 = convolution(64, 80, kernel_size=1)
        self.Conv2d_4a_3x3 = convolution(80, 192, kernel_size=3)
        self.maxpool2 = MaxPool2d(3, 2)
        for name, channels, pooled in (("5b", 192, 32), ("5c", 256, 64), ("5d", 288, 64)):
            setattr(self, f"Mixed_{name}", same(channels, pool_features=pooled))
        self.Mixed_6a = smaller(288)
        for name, channels in (("6b", 128), ("6c", 160), ("6d", 160), ("6e", 192)):
            setattr(self, f"Mixed_{name}", long(768, channels_7x7=channels))
        self.AuxLogits = aside(768, num_classes) if aux_logits else None
        self.Mixed_7a = last_smaller(768)
        self.Mixed_7b = wide(1280)
        self.Mixed_7c = wide(2048)
        self.avgpool = AdaptiveAvgPool2d((1, 1))
        self.dropout = Dropout(dropout)
        self.fc = Linear(2048, num_classes)
        if is_drawn:
            start_cut_off(self, 0.1)

    def _forward(self, x):
        x = self.maxpool1(self.Conv2d_2b_3x3(self.Conv2d_2a_3x3(self.Conv2d_1a_3x3(x))))
        x = self.maxpool2(self.Conv2d_4a_3x3(self.Conv2d_3b_1x1(x)))
        x = self.Mixed_6a(self.Mixed_5d(self.Mixed_5c(self.Mixed_5b(x))))
        x = self.Mixed_6e(self.Mixed_6d(self.Mixed_6c(self.Mixed_6b(x))))
        aux = self.AuxLogits(x) if self.training and self.AuxLogits is not None else None
        x = self.Mixed_7c(self.Mixed_7b(self.Mixed_7a(x)))
        return self.fc(self.dropout(self.avgpool(x)).flatten(1)), aux

    def construct(self, x):
        x, aux = self._forward(rescaled_images(x) if self.transform_input else x)
        return InceptionOutputs(x, aux) if self.training and self.aux_logits else x


class Inception(Module):
    """torchvision.models.googlenet.Inception."""

    def __init__(
        self,
        in_channels,
        ch1x1,
        ch3x3red,
        ch3x3,
        ch5x5red,
        ch5x5,
        pool_proj,
        conv_block=None,
    ):
        super().__init__()
        make = conv_block or ConvolutionOfInception

        def narrowed(few, many):  # torchvision's third row has kernels of 3, not of 5
            return Sequential(
                make(in_channels, few, kernel_size=1), make(few, many, kernel_size=3, padding=1)
            )

        self.branch1 = make(in_channels, ch1x1, kernel_size=1)
        self.branch2 = narrowed(ch3x3red, ch3x3)
        self.branch3 = narrowed(ch5x5red, ch5x5)
        pool = MaxPool2d(3, 1, 1, ceil_mode=True)
        self.branch4 = Sequential(pool, make(in_channels, pool_proj, kernel_size=1))

    def construct(self, x):
        return ops.cat([self.branch1(x), self.branch2(x), self.branch3(x), self.branch4(x)], 1)


class AuxiliaryOfGoogLeNet(Module):
    """torchvision.models.googlenet.InceptionAux."""

    def __init__(self, in_channels, num_classes, conv_block=None, dropout=0.7):
        super().__init__()
        self.conv = (conv_block or ConvolutionOfInception)(in_channels, 128, kernel_size=1)
        self.fc1 = Linear(2048, 1024)
        self.fc2 = Linear(1024, num_classes)
        self.dropout = Dropout(dropout)

    def construct(self, x):
        x = self.conv(adaptive_avg_pool2d(x, (4, 4))).flatten(1)
        return self.fc2(self.dropout(relu(self.fc1(x))))


# torchvision.models.GoogLeNetOutputs
GoogLeNetOutputs = collections.namedtuple("GoogLeNetOutputs", ["logits", "aux_logits2", "aux_logits1"])


class GoogLeNet(Module):
    """torchvision.models.GoogLeNet."""

    def __init__(
        self,
        num_classes=1000,
        aux_logits=True,
        transform_input=False,
        init_weights=None,
        blocks=None,
        dropout=0.2,
        dropout_aux=0.7,
    ):
        super().__init__()
        blocks = blocks or [ConvolutionOfInception, Inception, AuxiliaryOfGoogLeNet]
        is_drawn = starts_with_weights(init_weights, "GoogleNet")
        if len(blocks) != 3:
            raise ValueError(f"blocks length should be 3 instead of {len(blocks)}")
        convolution, block, aside = blocks
        self.aux_logits, self.transform_input = aux_logits, transform_input
        self.conv1 = convolution(3, 64, kernel_size=7, stride=2, padding=3)
        self.maxpool1 = MaxPool2d(3, 2, ceil_mode=True)
        self.conv2 = convolution(64, 64, kernel_size=1)
        self.conv3 = convolution(64, 192, kernel_size=3, padding=1)
        self.maxpool2 = MaxPool2d(3, 2, ceil_mode=True)
        self.inception3a = block(192, 64, 96, 128, 16, 32, 32)
        self.inception3b = block(256, 128, 128, 192, 32, 96, 64)
        self.maxpool3 = MaxPool2d(3, 2, ceil_mode=True)
        self.inception4a = block(480, 192, 96, 208, 16, 48, 64)
        self.inception4b = block(512, 160, 112, 224, 24, 64, 64)
        self.inception4c = block(512, 128, 128, 256, 24, 64, 64)
        self.inception4d = block(512, 112, 144, 288, 32, 64, 64)
        self.inception4e = block(528, 256, 160, 320, 32, 128, 128)
        self.maxpool4 = MaxPool2d(2, 2, ceil_mode=True)
        self.inception5a = block(832, 256, 160, 320, 32, 128, 128)
        self.inception5b = block(832, 384, 192, 384, 48, 128, 128)
        self.aux1 = aside(512, num_classes, dropout=dropout_aux) if aux_logits else None
        self.aux2 = aside(528, num_classes, dropout=dropout_aux) if aux_logits else None
        self.avgpool = AdaptiveAvgPool2d((1, 1))
        self.dropout = Dropout(dropout)
        self.fc = Linear(1024, num_classes)
        if is_drawn:
            start_cut_off(self, 0.01)

    def _forward(self, x):
        has_aside = self.training and self.aux1 is not None
        x = self.maxpool2(self.conv3(self.conv2(self.maxpool1(self.conv1(x)))))
        x = self.inception4a(self.maxpool3(self.inception3b(self.inception3a(x))))
        aux1 = self.aux1(x) if has_aside else None
        x = self.inception4d(self.inception4c(self.inception4b(x)))
        aux2 = self.aux2(x) if has_aside else None
        x = self.inception5b(self.inception5a(self.maxpool4(self.inception4e(x))))
        return self.fc(self.dropout(self.avgpool(x).flatten(1))), aux2, aux1

    def construct(self, x):
        outputs = self._forward(rescaled_images(x) if self.transform_input else x)
        return GoogLeNetOutputs(*outputs) if self.training and self.aux_logits else outputs[0]


def published_with_asides(network, kind, weights, pretrained, options, asides, keeps_asides):
    """A network with layers beside it, `asides`, whose published weights have them; they are taken away again
    unless they are wanted."""
    if not chosen_weights(kind, weights, pretrained):
        return network(**options)
    keeps_asides = options.get("aux_logits", keeps_asides)
    options = {"transform_input": True, **options, "aux_logits": True, "init_weights": False}
    made = published(network, kind, weights, pretrained, options)
    if not keeps_asides:
        made.aux_logits = False
        for name in asides:
            setattr(made, name, None)
    return made


class Inception_V3_Weights(PretrainedWeights):
    """torchvision.models.Inception_V3_Weights."""

    IMAGENET1K_V1 = "inception_v3_google-0cc3c7bd.pth"
    DEFAULT = IMAGENET1K_V1


def inception_v3(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.inception_v3."""
    kind, asides = Inception_V3_Weights, ["AuxLogits"]
    return published_with_asides(Inception3, kind, weights, pretrained, kwargs, asides, True)


class GoogLeNet_Weights(PretrainedWeights):
    """torchvision.models.GoogLeNet_Weights."""

    IMAGENET1K_V1 = "googlenet-1378be20.pth"
    DEFAULT = IMAGENET1K_V1


def googlenet(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.googlenet."""
    kind, asides = GoogLeNet_Weights, ["aux1", "aux2"]
    return published_with_asides(GoogLeNet, kind, weights, pretrained, kwargs, asides, False)
