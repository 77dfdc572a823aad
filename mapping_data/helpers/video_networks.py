"""torchvision.models.video: networks that convolve videos, (batch, channels, frames, height, width)."""

import functools

import mindspore
from mindspore import ops


class PreparedVideos(ImageTransform):
    """torchvision.transforms._presets.VideoClassification: frames (..., frames, channels, height, width) are
    brought to a size, their middle is cut out, and their numbers are normalized."""

    def __init__(
        self,
        *,
        crop_size=(224, 224),
        resize_size=(256,),
        mean=(0.43216, 0.394666, 0.37645),
        std=(0.22803, 0.22145, 0.216989),
        interpolation="bilinear",
    ):
        self.crop_size, self.resize_size = list(crop_size), list(resize_size)
        self.mean, self.std = list(mean), list(std)
        self.interpolation = InterpolationMode(interpolation)

    def forward(self, vid):
        frames = vid.reshape((-1, *vid.shape[-3:]))
        frames = resize_image(frames, self.resize_size, self.interpolation, antialias=False)
        frames = convert_image_dtype(center_crop(frames, self.crop_size), mindspore.float32)
        frames = normalize_image(frames, self.mean, self.std)
        return frames.reshape((*vid.shape[:-2], *frames.shape[-2:])).swapaxes(-4, -3)


# What published weights of videos are used with, beside a height of 256 whose middle of 224 is cut out
PREPARATIONS_OF_VIDEOS = {
    "mc3_18-a90a0ba3.pth": {"crop_size": (112, 112), "resize_size": (128, 171)},
    "mvit_v1_b-dbeb1030.pth": {"mean": (0.45, 0.45, 0.45), "std": (0.225, 0.225, 0.225)},
    "mvit_v2_s-ae3be167.pth": {"mean": (0.45, 0.45, 0.45), "std": (0.225, 0.225, 0.225)},
    "r2plus1d_18-91a641e6.pth": {"crop_size": (112, 112), "resize_size": (128, 171)},
    "r3d_18-b3b3357e.pth": {"crop_size": (112, 112), "resize_size": (128, 171)},
    "s3d-d76dad2f.pth": {"resize_size": (256, 256)},
    "swin3d_b_1k-24f7c7c6.pth": {"mean": (0.485, 0.456, 0.406), "std": (0.229, 0.224, 0.225)},
    "swin3d_b_22k-7c6ae6fa.pth": {"mean": (0.485, 0.456, 0.406), "std": (0.229, 0.224, 0.225)},
    "swin3d_s-da41c237.pth": {"mean": (0.485, 0.456, 0.406), "std": (0.229, 0.224, 0.225)},
    "swin3d_t-7615ae03.pth": {"mean": (0.485, 0.456, 0.406), "std": (0.229, 0.224, 0.225)},
}


class WeightsOfVideos(PretrainedWeights):
    """The files of weights that a network for videos is published with."""

    def transforms(self, **options):
        return PreparedVideos(**{**PREPARATIONS_OF_VIDEOS[self.value], **options})


def published_video_network(network, kind, weights, pretrained, options):
    """A network for videos, with its published weights, of 400 kinds of motion, where they are asked for."""
    return published(network, kind, weights, pretrained, options, 400)


class Conv3DSimple(Conv3d):
    """torchvision.models.video.resnet.Conv3DSimple: frames and places are convolved together."""

    def __init__(self, in_planes, out_planes, midplanes=None, stride=1, padding=1):
        super().__init__(in_planes, out_planes, (3, 3, 3), stride, padding, bias=False)

    @staticmethod
    def get_downsample_stride(stride):
        return stride, stride, stride


class Conv3DNoTemporal(Conv3d):
    """torchvision.models.video.resnet.Conv3DNoTemporal: each frame is convolved by itself."""

    def __init__(self, in_planes, out_planes, midplanes=None, stride=1, padding=1):
        sides = ((1, 3, 3), (1, stride, stride), (0, padding, padding))
        super().__init__(in_planes, out_planes, *sides, bias=False)

    @staticmethod
    def get_downsample_stride(stride):
        return 1, stride, stride


class Conv2Plus1D(Sequential):
    """torchvision.models.video.resnet.Conv2Plus1D: frames are convolved, then each place over the frames."""

    def __init__(self, in_planes, out_planes, midplanes, stride=1, padding=1):
        places = ((1, 3, 3), (1, stride, stride), (0, padding, padding))
        frames = ((3, 1, 1), (stride, 1, 1), (padding, 0, 0))
        super().__init__(
            Conv3d(in_planes, midplanes, *places, bias=False),
            BatchNorm3d(midplanes),
            ReLU(inplace=True),
            Conv3d(midplanes, out_planes, *frames, bias=False),
        )

    @staticmethod
    def get_downsample_stride(stride):
        return stride, stride, stride


def channels_between(inplanes, planes):
    """How many channels two convolutions have between them, for as many weights as one over all has."""
    return (inplanes * planes * 27) // (inplanes * 9 + 3 * planes)


class VideoBasicBlock(Module):
    """torchvision.models.video.resnet.BasicBlock."""

    expansion = 1

    def __init__(self, inplanes, planes, conv_builder, stride=1, downsample=None):
        super().__init__()
        width = channels_between(inplanes, planes)
        first = conv_builder(inplanes, planes, width, stride)
        self.conv1 = Sequential(first, BatchNorm3d(planes), ReLU(inplace=True))
        self.conv2 = Sequential(conv_builder(planes, planes, width), BatchNorm3d(planes))
        self.relu = ReLU(inplace=True)
        self.downsample, self.stride = downsample, stride

    def construct(self, x):
        kept = x if self.downsample is None else self.downsample(x)
        return self.relu(self.conv2(self.conv1(x)) + kept)


class VideoBottleneck(Module):
    """torchvision.models.video.resnet.Bottleneck."""

    expansion = 4

    def __init__(self, inplanes, planes, conv_builder, stride=1, downsample=None):
        super().__init__()
        width, wide = channels_between(inplanes, planes), planes * self.expansion
        self.conv1 = Sequential(
            Conv3d(inplanes, planes, 1, bias=False), BatchNorm3d(planes), ReLU(inplace=True)
        )
        middle = conv_builder(planes, planes, width, stride)
        self.conv2 = Sequential(middle, BatchNorm3d(planes), ReLU(inplace=True))
        self.conv3 = Sequential(Conv3d(planes, wide, 1, bias=False), BatchNorm3d(wide))
        self.relu = ReLU(inplace=True)
        self.downsample, self.stride = downsample, stride

    def construct(self, x):
        kept = x if self.downsample is None else self.downsample(x)
        return self.relu(self.conv3(self.conv2(self.conv1(x))) + kept)


class BasicStem(Sequential):
    """torchvision.models.video.resnet.BasicStem."""

    def __init__(self):
        first = Conv3d(3, 64, (3, 7, 7), (1, 2, 2), (1, 3, 3), bias=False)
        super().__init__(first, BatchNorm3d(64), ReLU(inplace=True))


class R2Plus1dStem(Sequential):
    """torchvision.models.video.resnet.R2Plus1dStem."""

    def __init__(self):
        super().__init__(
            Conv3d(3, 45, (1, 7, 7), (1, 2, 2), (0, 3, 3), bias=False),
            BatchNorm3d(45),
            ReLU(inplace=True),
            Conv3d(45, 64, (3, 1, 1), 1, (1, 0, 0), bias=False),
            BatchNorm3d(64),
            ReLU(inplace=True),
        )


class VideoResNet(Module):
    """torchvision.models.video.VideoResNet. torchvision's cannot start its bottlenecks with zeros, which is
    said here, too."""

    def __init__(self, block, conv_makers, layers, stem, num_classes=400, zero_init_residual=False):
        super().__init__()
        self.inplanes = 64
        self.stem = stem()
        self.layer1 = self._make_layer(block, conv_makers[0], 64, layers[0])
        self.layer2 = self._make_layer(block, conv_makers[1], 128, layers[1], 2)
        self.layer3 = self._make_layer(block, conv_makers[2], 256, layers[2], 2)
        self.layer4 = self._make_layer(block, conv_makers[3], 512, layers[3], 2)
        self.avgpool = AdaptiveAvgPool3d((1, 1, 1))
        self.fc = Linear(512 * block.expansion, num_classes)
        for module in self.modules():
            if isinstance(module, Conv3d):
                kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
                if module.bias is not None:
                    zeros_(module.bias)
            elif isinstance(module, Linear):
                normal_(module.weight, 0, 0.01)
                zeros_(module.bias)
        if zero_init_residual and any(isinstance(module, VideoBottleneck) for module in self.modules()):
            raise AttributeError("'Bottleneck' object has no attribute 'bn3'")

    def _make_layer(self, block, conv_builder, planes, blocks, stride=1):
        downsample, wide = None, planes * block.expansion
        if stride != 1 or self.inplanes != wide:
            steps = conv_builder.get_downsample_stride(stride)
            downsample = Sequential(Conv3d(self.inplanes, wide, 1, steps, bias=False), BatchNorm3d(wide))
        layers = [block(self.inplanes, planes, conv_builder, stride, downsample)]
        self.inplanes = wide
        layers += [block(wide, planes, conv_builder) for _ in range(blocks - 1)]
        return Sequential(*layers)

    def construct(self, x):
        x = self.layer4(self.layer3(self.layer2(self.layer1(self.stem(x)))))
        return self.fc(self.avgpool(x).flatten(1))


def residual_video_network(kind, weights, pretrained, conv_makers, stem, options):
    """A residual network of 18 layers, with published weights where they are asked for."""
    shape = {"block": VideoBasicBlock, "conv_makers": conv_makers, "layers": [2, 2, 2, 2], "stem": stem}
    return published_video_network(VideoResNet, kind, weights, pretrained, {**shape, **options})


class R3D_18_Weights(WeightsOfVideos):
    """torchvision.models.video.R3D_18_Weights."""

    KINETICS400_V1 = "r3d_18-b3b3357e.pth"
    DEFAULT = KINETICS400_V1


def r3d_18(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.video.r3d_18."""
    makers = [Conv3DSimple] * 4
    return residual_video_network(R3D_18_Weights, weights, pretrained, makers, BasicStem, kwargs)


class MC3_18_Weights(WeightsOfVideos):
    """torchvision.models.video.MC3_18_Weights."""

    KINETICS400_V1 = "mc3_18-a90a0ba3.pth"
    DEFAULT = KINETICS400_V1


def mc3_18(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.video.mc3_18."""
    makers = [Conv3DSimple, *[Conv3DNoTemporal] * 3]
    return residual_video_network(MC3_18_Weights, weights, pretrained, makers, BasicStem, kwargs)


class R2Plus1D_18_Weights(WeightsOfVideos):
    """torchvision.models.video.R2Plus1D_18_Weights."""

    KINETICS400_V1 = "r2plus1d_18-91a641e6.pth"
    DEFAULT = KINETICS400_V1


def r2plus1d_18(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.video.r2plus1d_18."""
    makers = [Conv2Plus1D] * 4
    return residual_video_network(R2Plus1D_18_Weights, weights, pretrained, makers, R2Plus1dStem, kwargs)


class TemporalSeparableConv(Sequential):
    """torchvision.models.video.s3d.TemporalSeparableConv: places are convolved, then frames."""

    def __init__(self, in_planes, out_planes, kernel_size, stride, padding, norm_layer):
        places = ((1, kernel_size, kernel_size), (1, stride, stride), (0, padding, padding))
        frames = ((kernel_size, 1, 1), (stride, 1, 1), (padding, 0, 0))
        kinds = {"bias": False, "norm_layer": norm_layer}
        super().__init__(
            Conv3dNormActivation(in_planes, out_planes, *places, **kinds),
            Conv3dNormActivation(out_planes, out_planes, *frames, **kinds),
        )


class SepInceptionBlock3D(Module):
    """torchvision.models.video.s3d.SepInceptionBlock3D: four ways beside each other."""

    def __init__(self, in_planes, b0_out, b1_mid, b1_out, b2_mid, b2_out, b3_out, norm_layer):
        super().__init__()

        def narrowed(channels):
            return Conv3dNormActivation(in_planes, channels, 1, 1, norm_layer=norm_layer)

        self.branch0 = narrowed(b0_out)
        self.branch1 = Sequential(
            narrowed(b1_mid), TemporalSeparableConv(b1_mid, b1_out, 3, 1, 1, norm_layer)
        )
        self.branch2 = Sequential(
            narrowed(b2_mid), TemporalSeparableConv(b2_mid, b2_out, 3, 1, 1, norm_layer)
        )
        self.branch3 = Sequential(MaxPool3d((3, 3, 3), 1, 1), narrowed(b3_out))

    def construct(self, x):
        return ops.cat([self.branch0(x), self.branch1(x), self.branch2(x), self.branch3(x)], 1)


class S3D(Module):
    """torchvision.models.video.S3D."""

    def __init__(self, num_classes=400, dropout=0.2, norm_layer=None):
        super().__init__()
        norm = norm_layer or functools.partial(BatchNorm3d, eps=0.001, momentum=0.001)

        def smaller():
            return MaxPool3d((1, 3, 3), (1, 2, 2), (0, 1, 1))

        self.features = Sequential(
            TemporalSeparableConv(3, 64, 7, 2, 3, norm),
            smaller(),
            Conv3dNormActivation(64, 64, 1, 1, norm_layer=norm),
            TemporalSeparableConv(64, 192, 3, 1, 1, norm),
            smaller(),
            SepInceptionBlock3D(192, 64, 96, 128, 16, 32, 32, norm),
            SepInceptionBlock3D(256, 128, 128, 192, 32, 96, 64, norm),
            MaxPool3d((3, 3, 3), (2, 2, 2), (1, 1, 1)),
            SepInceptionBlock3D(480, 192, 96, 208, 16, 48, 64, norm),
            SepInceptionBlock3D(512, 160, 112, 224, 24, 64, 64, norm),
            SepInceptionBlock3D(512, 128, 128, 256, 24, 64, 64, norm),
            SepInceptionBlock3D(512, 112, 144, 288, 32, 64, 64, norm),
            SepInceptionBlock3D(528, 256, 160, 320, 32, 128, 128, norm),
            MaxPool3d((2, 2, 2), (2, 2, 2)),
            SepInceptionBlock3D(832, 256, 160, 320, 32, 128, 128, norm),
            SepInceptionBlock3D(832, 384, 192, 384, 48, 128, 128, norm),
        )
        self.avgpool = AvgPool3d((2, 7, 7), 1)
        self.classifier = Sequential(Dropout(dropout), Conv3d(1024, num_classes, 1))

    def construct(self, x):
        return self.classifier(self.avgpool(self.features(x))).mean((2, 3, 4))


class S3D_Weights(WeightsOfVideos):
    """torchvision.models.video.S3D_Weights."""

    KINETICS400_V1 = "s3d-d76dad2f.pth"
    DEFAULT = KINETICS400_V1


def s3d(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.video.s3d."""
    return published_video_network(S3D, S3D_Weights, weights, pretrained, dict(kwargs))
