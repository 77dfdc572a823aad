"""torchvision.models.segmentation: networks that say for every pixel what it shows."""

import functools
from collections import OrderedDict

from mindspore import ops


def resized_to(x, size):
    """What a network says of a smaller image, for one of that size."""
    return interpolate(x, size, mode="bilinear", align_corners=False)


class FCN(Module):
    """torchvision.models.segmentation.FCN."""

    def __init__(self, backbone, classifier, aux_classifier=None):
        super().__init__()
        self.backbone = backbone
        self.classifier = classifier
        self.aux_classifier = aux_classifier

    def construct(self, x):
        size, features = x.shape[-2:], self.backbone(x)
        found = OrderedDict(out=resized_to(self.classifier(features["out"]), size))
        if self.aux_classifier is not None:
            found["aux"] = resized_to(self.aux_classifier(features["aux"]), size)
        return found


class DeepLabV3(FCN):
    """torchvision.models.segmentation.DeepLabV3."""


class FCNHead(Sequential):
    """torchvision.models.segmentation.fcn.FCNHead."""

    def __init__(self, in_channels, channels):
        width = in_channels // 4
        convolution = plain_convolution(in_channels, width, 3)
        super().__init__(convolution, BatchNorm2d(width), ReLU(), Dropout(0.1), Conv2d(width, channels, 1))


class ASPPConv(Sequential):
    """torchvision.models.segmentation.deeplabv3.ASPPConv."""

    def __init__(self, in_channels, out_channels, dilation):
        convolution = plain_convolution(in_channels, out_channels, 3, dilation=dilation)
        super().__init__(convolution, BatchNorm2d(out_channels), ReLU())


class ASPPPooling(Sequential):
    """torchvision.models.segmentation.deeplabv3.ASPPPooling."""

    def __init__(self, in_channels, out_channels):
        convolution = plain_convolution(in_channels, out_channels, 1)
        super().__init__(AdaptiveAvgPool2d(1), convolution, BatchNorm2d(out_channels), ReLU())

    def construct(self, x):
        return resized_to(super().construct(x), x.shape[-2:])


class ASPP(Module):
    """torchvision.models.segmentation.deeplabv3.ASPP: an image read at several distances at once."""

    def __init__(self, in_channels, atrous_rates, out_channels=256):
        super().__init__()
        convolution = plain_convolution(in_channels, out_channels, 1)
        ways = [Sequential(convolution, BatchNorm2d(out_channels), ReLU())]
        ways += [ASPPConv(in_channels, out_channels, rate) for rate in atrous_rates]
        ways.append(ASPPPooling(in_channels, out_channels))
        self.convs = ModuleList(ways)
        convolution = plain_convolution(len(ways) * out_channels, out_channels, 1)
        self.project = Sequential(convolution, BatchNorm2d(out_channels), ReLU(), Dropout(0.5))

    def construct(self, x):
        return self.project(ops.cat([way(x) for way in self.convs], 1))


class DeepLabHead(Sequential):
    """torchvision.models.segmentation.deeplabv3.DeepLabHead."""

    def __init__(self, in_channels, num_classes, atrous_rates=(12, 24, 36)):
        super().__init__(
            ASPP(in_channels, atrous_rates),
            plain_convolution(256, 256, 3),
            BatchNorm2d(256),
            ReLU(),
            Conv2d(256, num_classes, 1),
        )


class LRASPPHead(Module):
    """torchvision.models.segmentation.lraspp.LRASPPHead."""

    def __init__(self, low_channels, high_channels, num_classes, inter_channels):
        super().__init__()
        convolution = plain_convolution(high_channels, inter_channels, 1)
        self.cbr = Sequential(convolution, BatchNorm2d(inter_channels), ReLU(inplace=True))
        convolution = plain_convolution(high_channels, inter_channels, 1)
        self.scale = Sequential(AdaptiveAvgPool2d(1), convolution, Sigmoid())
        self.low_classifier = Conv2d(low_channels, num_classes, 1)
        self.high_classifier = Conv2d(inter_channels, num_classes, 1)

    def construct(self, input):
        low, high = input["low"], input["high"]
        x = resized_to(self.cbr(high) * self.scale(high), low.shape[-2:])
        return self.low_classifier(low) + self.high_classifier(x)


class LRASPP(Module):
    """torchvision.models.segmentation.LRASPP."""

    def __init__(self, backbone, low_channels, high_channels, num_classes, inter_channels=128):
        super().__init__()
        self.backbone = backbone
        self.classifier = LRASPPHead(low_channels, high_channels, num_classes, inter_channels)

    def construct(self, input):
        return OrderedDict(out=resized_to(self.classifier(self.backbone(input)), input.shape[-2:]))


def residual_segmentation(network, head, backbone, weights_backbone, *, num_classes, aux_loss):
    """A network that reads the last stage of a residual network, and the stage before it beside that."""
    stages = {"layer4": "out", "layer3": "aux"} if aux_loss else {"layer4": "out"}
    made = backbone(weights=weights_backbone, replace_stride_with_dilation=[False, True, True])
    features = IntermediateLayerGetter(made, stages)
    aside = FCNHead(1024, num_classes) if aux_loss else None
    return network(features, head(2048, num_classes), aside)


def mobile_features(weights_backbone):
    """The layers of a mobile network, with the places of one of those that make images smaller, which leaves
    an eighth of the size, and of the last."""
    features = mobilenet_v3_large(weights=weights_backbone, dilated=True).features
    stages = stages_of(features)
    return features, stages[-4], stages[-1]


def mobile_segmentation(weights_backbone, num_classes, aux_loss):
    """DeepLabV3 that reads a mobile network."""
    features, low, high = mobile_features(weights_backbone)
    stages = {str(high): "out", str(low): "aux"} if aux_loss else {str(high): "out"}
    aside = FCNHead(features[low].out_channels, num_classes) if aux_loss else None
    classifier = DeepLabHead(features[high].out_channels, num_classes)
    return DeepLabV3(IntermediateLayerGetter(features, stages), classifier, aside)


def light_segmentation(weights_backbone, num_classes):
    """LRASPP that reads a mobile network."""
    features, low, high = mobile_features(weights_backbone)
    kept = IntermediateLayerGetter(features, {str(low): "low", str(high): "high"})
    return LRASPP(kept, features[low].out_channels, features[high].out_channels, num_classes)


def published_segmentation(name, kind, kind_read, build, has_aside=True):
    """The function `name`, which makes a network of pixels, with published weights of a `kind` where they are
    asked for; those have 21 classes, and layers beside the network where it can have some. Otherwise what it
    reads has weights of another kind."""
    first = next(iter(kind_read))

    def made(
        weights=None,
        progress=True,
        num_classes=None,
        aux_loss=None,
        weights_backbone=first,
        *,
        pretrained=False,
        pretrained_backbone=True,
        **kwargs,
    ):
        chosen = chosen_weights(kind, weights, pretrained)
        if aux_loss and not has_aside:
            raise NotImplementedError("This model does not use auxiliary loss")
        if chosen and has_aside and aux_loss is False:
            raise ValueError("The parameter 'aux_loss' expected value True but got False instead.")
        read = weights_backbone if pretrained_backbone and not chosen else None
        options = {"num_classes": 21 if num_classes is None else num_classes}
        if has_aside:
            options["aux_loss"] = bool(chosen) if aux_loss is None else aux_loss
        return published(functools.partial(build, read), kind, chosen, False, options, 21)

    made.__name__ = name
    return made


class FCN_ResNet50_Weights(PretrainedWeights):
    """torchvision.models.segmentation.FCN_ResNet50_Weights."""

    COCO_WITH_VOC_LABELS_V1 = "fcn_resnet50_coco-1167a1af.pth"
    DEFAULT = COCO_WITH_VOC_LABELS_V1


# torchvision.models.segmentation.fcn_resnet50
fcn_resnet50 = published_segmentation(
    "fcn_resnet50",
    FCN_ResNet50_Weights,
    ResNet50_Weights,
    functools.partial(residual_segmentation, FCN, FCNHead, resnet50),
)


class FCN_ResNet101_Weights(PretrainedWeights):
    """torchvision.models.segmentation.FCN_ResNet101_Weights."""

    COCO_WITH_VOC_LABELS_V1 = "fcn_resnet101_coco-7ecb50ca.pth"
    DEFAULT = COCO_WITH_VOC_LABELS_V1


# torchvision.models.segmentation.fcn_resnet101
fcn_resnet101 = published_segmentation(
    "fcn_resnet101",
    FCN_ResNet101_Weights,
    ResNet101_Weights,
    functools.partial(residual_segmentation, FCN, FCNHead, resnet101),
)


class DeepLabV3_ResNet50_Weights(PretrainedWeights):
    """torchvision.models.segmentation.DeepLabV3_ResNet50_Weights."""

    COCO_WITH_VOC_LABELS_V1 = "deeplabv3_resnet50_coco-cd0a2569.pth"
    DEFAULT = COCO_WITH_VOC_LABELS_V1


# torchvision.models.segmentation.deeplabv3_resnet50
deeplabv3_resnet50 = published_segmentation(
    "deeplabv3_resnet50",
    DeepLabV3_ResNet50_Weights,
    ResNet50_Weights,
    functools.partial(residual_segmentation, DeepLabV3, DeepLabHead, resnet50),
)


class DeepLabV3_ResNet101_Weights(PretrainedWeights):
    """torchvision.models.segmentation.DeepLabV3_ResNet101_Weights."""

    COCO_WITH_VOC_LABELS_V1 = "deeplabv3_resnet101_coco-586e9e4e.pth"
    DEFAULT = COCO_WITH_VOC_LABELS_V1


# torchvision.models.segmentation.deeplabv3_resnet101
deeplabv3_resnet101 = published_segmentation(
    "deeplabv3_resnet101",
    DeepLabV3_ResNet101_Weights,
    ResNet101_Weights,
    functools.partial(residual_segmentation, DeepLabV3, DeepLabHead, resnet101),
)


class DeepLabV3_MobileNet_V3_Large_Weights(PretrainedWeights):
    """torchvision.models.segmentation.DeepLabV3_MobileNet_V3_Large_Weights."""

    COCO_WITH_VOC_LABELS_V1 = "deeplabv3_mobilenet_v3_large-fc3c493d.pth"
    DEFAULT = COCO_WITH_VOC_LABELS_V1


# torchvision.models.segmentation.deeplabv3_mobilenet_v3_large
deeplabv3_mobilenet_v3_large = published_segmentation(
    "deeplabv3_mobilenet_v3_large",
    DeepLabV3_MobileNet_V3_Large_Weights,
    MobileNet_V3_Large_Weights,
    mobile_segmentation,
)


class LRASPP_MobileNet_V3_Large_Weights(PretrainedWeights):
    """torchvision.models.segmentation.LRASPP_MobileNet_V3_Large_Weights."""

    COCO_WITH_VOC_LABELS_V1 = "lraspp_mobilenet_v3_large-d234d4ea.pth"
    DEFAULT = COCO_WITH_VOC_LABELS_V1


# torchvision.models.segmentation.lraspp_mobilenet_v3_large
lraspp_mobilenet_v3_large = published_segmentation(
    "lraspp_mobilenet_v3_large",
    LRASPP_MobileNet_V3_Large_Weights,
    MobileNet_V3_Large_Weights,
    light_segmentation,
    has_aside=False,
)


# torchvision.models.segmentation.__dict__: what builds a network, by its name
SEGMENTATION_BY_NAME = {
    network.__name__: network
    for network in (
        deeplabv3_mobilenet_v3_large,
        deeplabv3_resnet101,
        deeplabv3_resnet50,
        fcn_resnet101,
        fcn_resnet50,
        lraspp_mobilenet_v3_large,
    )
}
