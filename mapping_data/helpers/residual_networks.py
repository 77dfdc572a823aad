"""torchvision.models: residual networks, and how networks of images start."""


def start_convolutions(network, spread_of_linear=None):
    """The weights that torchvision's networks start with."""
    for module in network.modules():
        if isinstance(module, Conv2d):
            kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            if module.bias is not None:
                constant_(module.bias, 0)
        elif isinstance(module, (BatchNorm2d, GroupNorm)):
            constant_(module.weight, 1)
            constant_(module.bias, 0)
        elif isinstance(module, Linear) and spread_of_linear:
            normal_(module.weight, 0, spread_of_linear)
            constant_(module.bias, 0)


def plain_convolution(in_channels, out_channels, kernel, stride=1, groups=1, dilation=1):
    """A convolution without a bias that keeps the size, but for its stride."""
    padding = (kernel - 1) // 2 * dilation
    return Conv2d(in_channels, out_channels, kernel, stride, padding, dilation, groups=groups, bias=False)


def conv3x3(in_planes, out_planes, stride=1, groups=1, dilation=1):
    """torchvision.models.resnet.conv3x3."""
    return plain_convolution(in_planes, out_planes, 3, stride, groups, dilation)


def conv1x1(in_planes, out_planes, stride=1):
    """torchvision.models.resnet.conv1x1."""
    return plain_convolution(in_planes, out_planes, 1, stride)


class BasicBlock(Module):
    """torchvision.models.resnet.BasicBlock."""

    expansion = 1

    def __init__(
        self,
        inplanes,
        planes,
        stride=1,
        downsample=None,
        groups=1,
        base_width=64,
        dilation=1,
        norm_layer=None,
    ):
        super().__init__()
        norm_layer = norm_layer or BatchNorm2d
        if groups != 1 or base_width != 64:
            raise ValueError("BasicBlock only supports groups=1 and base_width=64")
        if dilation > 1:
            raise NotImplementedError("Dilation > 1 not supported in BasicBlock")
        self.conv1 = plain_convolution(inplanes, planes, 3, stride)
        self.bn1 = norm_layer(planes)
        self.relu = ReLU(inplace=True)
        self.conv2 = plain_convolution(planes, planes, 3)
        self.bn2 = norm_layer(planes)
        self.downsample = downsample
        self.stride = stride

    def construct(self, x):
        aside = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(x)) + aside)


class Bottleneck(Module):
    """torchvision.models.resnet.Bottleneck."""

    expansion = 4

    def __init__(
        self,
        inplanes,
        planes,
        stride=1,
        downsample=None,
        groups=1,
        base_width=64,
        dilation=1,
        norm_layer=None,
    ):
        super().__init__()
        norm_layer = norm_layer or BatchNorm2d
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = plain_convolution(inplanes, width, 1)
        self.bn1 = norm_layer(width)
        self.conv2 = plain_convolution(width, width, 3, stride, groups, dilation)
        self.bn2 = norm_layer(width)
        self.conv3 = plain_convolution(width, planes * self.expansion, 1)
        self.bn3 = norm_layer(planes * self.expansion)
        self.relu = ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def construct(self, x):
        aside = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.relu(self.bn2(self.conv2(x)))
        return self.relu(self.bn3(self.conv3(x)) + aside)


class ResNet(Module):
    """torchvision.models.ResNet."""

    def __init__(
        self,
        block,
        layers,
        num_classes=1000,
        zero_init_residual=False,
        groups=1,
        width_per_group=64,
        replace_stride_with_dilation=None,
        norm_layer=None,
    ):
        super().__init__()
        self._norm_layer = norm_layer or BatchNorm2d
        self.inplanes, self.dilation = 64, 1
        self.groups, self.base_width = groups, width_per_group
        dilates = [False, *(replace_stride_with_dilation or (False, False, False))]
        self.conv1 = Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = self._norm_layer(64)
        self.relu = ReLU(inplace=True)
        self.maxpool = MaxPool2d(3, 2, 1)
        for place, (count, is_dilated) in enumerate(zip(layers, dilates)):
            stage = self._make_layer(block, 64 << place, count, 2 if place else 1, is_dilated)
            setattr(self, f"layer{place + 1}", stage)
        self.avgpool = AdaptiveAvgPool2d((1, 1))
        self.fc = Linear(512 * block.expansion, num_classes)
        start_convolutions(self)
        if zero_init_residual:
            for module in self.modules():
                if isinstance(module, (Bottleneck, BasicBlock)):
                    constant_((module.bn3 if isinstance(module, Bottleneck) else module.bn2).weight, 0)

    def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
        norm_layer, first_dilation, width = self._norm_layer, self.dilation, planes * block.expansion
        if dilate:
            self.dilation, stride = self.dilation * stride, 1
        downsample = None
        if stride != 1 or self.inplanes != width:
            convolution = plain_convolution(self.inplanes, width, 1, stride)
            downsample = Sequential(convolution, norm_layer(width))
        groups = (self.groups, self.base_width)
        made = [block(self.inplanes, planes, stride, downsample, *groups, first_dilation, norm_layer)]
        self.inplanes = width
        while len(made) < blocks:
            made.append(block(width, planes, 1, None, *groups, self.dilation, norm_layer))
        return Sequential(*made)

    def construct(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(self.avgpool(x).flatten(1))
