"""torchvision.models: networks by their names, with published weights. Those are read from the folder that
torchvision keeps downloads in; nothing is downloaded."""

import enum
from pathlib import Path

import mindspore


class PretrainedWeights(enum.Enum):
    """torchvision.models.WeightsEnum: the files of weights that a network is published with."""

    def __repr__(self):
        return f"{type(self).__name__}.{self.name}"

    @property
    def url(self):
        """Where torchvision has the file from."""
        return f"https://download.pytorch.org/models/{self.value}"

    @property
    def path(self):
        """Where torchvision would have put the file."""
        return Path(get_dir()) / "checkpoints" / self.value

    def get_state_dict(self, *args, **kwargs):
        if not self.path.exists():
            raise FileNotFoundError(
                f"nothing is downloaded here: put torchvision's {self.value} at {self.path}"
            )
        return load(self.path, weights_only=True)

    @property
    def preparation(self):
        """What torchvision's own preparation of images is asked for with these weights."""
        second = {"crop_size": 224, "resize_size": 232} if self.name.endswith("V2") else {"crop_size": 224}
        if self.name in ("COCO_V1", "COCO_LEGACY"):  # objects are found in images as they are
            return {"resize_size": None, "mean": None}
        return PREPARATIONS.get(self.value, {"resize_size": 520} if "VOC" in self.name else second)

    def transforms(self, **options):
        """What images go through before the network."""
        return PreparedImages(**{**self.preparation, **options})


class PreparedImages(ImageTransform):
    """torchvision.transforms._presets.ImageClassification and its like: an image is brought to a size, its
    middle may be cut out, and its numbers may be normalized."""

    def __init__(
        self,
        *,
        crop_size=None,
        resize_size=256,
        mean=(0.485, 0.456, 0.406),
        std=(0.229, 0.224, 0.225),
        interpolation="bilinear",
        antialias=True,
    ):
        self.crop_size = None if crop_size is None else [crop_size]
        self.resize_size = None if resize_size is None else [resize_size]
        self.mean, self.std = None if mean is None else list(mean), list(std)
        self.interpolation, self.antialias = InterpolationMode(interpolation), antialias

    def forward(self, img):
        if self.resize_size is not None:
            img = resize_image(img, self.resize_size, self.interpolation, antialias=self.antialias)
        img = img if self.crop_size is None else center_crop(img, self.crop_size)
        img = img if isinstance(img, mindspore.Tensor) else pil_to_tensor(img)
        img = convert_image_dtype(img, mindspore.float32)
        return img if self.mean is None else normalize_image(img, self.mean, self.std)


# What published weights are used with, where that is not an image of 256 whose middle of 224 is cut out
PREPARATIONS = {
    "convnext_base-6075fbad.pth": {"crop_size": 224, "resize_size": 232},
    "convnext_large-ea097f82.pth": {"crop_size": 224, "resize_size": 232},
    "convnext_small-0c510722.pth": {"crop_size": 224, "resize_size": 230},
    "convnext_tiny-983f1562.pth": {"crop_size": 224, "resize_size": 236},
    "efficientnet_b0_rwightman-7f5810bc.pth": {"crop_size": 224, "interpolation": "bicubic"},
    "efficientnet_b1-c27df63c.pth": {"crop_size": 240, "resize_size": 255},
    "efficientnet_b1_rwightman-bac287d4.pth": {"crop_size": 240, "interpolation": "bicubic"},
    "efficientnet_b2_rwightman-c35c1473.pth": {
        "crop_size": 288,
        "resize_size": 288,
        "interpolation": "bicubic",
    },
    "efficientnet_b3_rwightman-b3899882.pth": {
        "crop_size": 300,
        "resize_size": 320,
        "interpolation": "bicubic",
    },
    "efficientnet_b4_rwightman-23ab8bcd.pth": {
        "crop_size": 380,
        "resize_size": 384,
        "interpolation": "bicubic",
    },
    "efficientnet_b5_lukemelas-1a07897c.pth": {
        "crop_size": 456,
        "resize_size": 456,
        "interpolation": "bicubic",
    },
    "efficientnet_b6_lukemelas-24a108a5.pth": {
        "crop_size": 528,
        "resize_size": 528,
        "interpolation": "bicubic",
    },
    "efficientnet_b7_lukemelas-c5b4e57e.pth": {
        "crop_size": 600,
        "resize_size": 600,
        "interpolation": "bicubic",
    },
    "efficientnet_v2_l-59c71312.pth": {
        "crop_size": 480,
        "resize_size": 480,
        "mean": (0.5, 0.5, 0.5),
        "std": (0.5, 0.5, 0.5),
        "interpolation": "bicubic",
    },
    "efficientnet_v2_m-dc08266a.pth": {"crop_size": 480, "resize_size": 480},
    "efficientnet_v2_s-dd5fe13b.pth": {"crop_size": 384, "resize_size": 384},
    "inception_v3_google-0cc3c7bd.pth": {"crop_size": 299, "resize_size": 342},
    "shufflenetv2_x1_5-3c479a10.pth": {"crop_size": 224, "resize_size": 232},
    "shufflenetv2_x2_0-8be3c8ee.pth": {"crop_size": 224, "resize_size": 232},
    "resnext101_64x4d-173b62eb.pth": {"crop_size": 224, "resize_size": 232},
    "vgg16_features-amdegroot-88682ab5.pth": {
        "crop_size": 224,
        "mean": (0.48235, 0.45882, 0.40784),
        "std": (1 / 255, 1 / 255, 1 / 255),
    },
    "vit_b_16_lc_swag-4e70ced5.pth": {"crop_size": 224, "resize_size": 224, "interpolation": "bicubic"},
    "vit_b_16_swag-9ac1b537.pth": {"crop_size": 384, "resize_size": 384, "interpolation": "bicubic"},
    "vit_l_16_lc_swag-4d563306.pth": {"crop_size": 224, "resize_size": 224, "interpolation": "bicubic"},
    "vit_l_16_swag-4f3808c9.pth": {"crop_size": 512, "resize_size": 512, "interpolation": "bicubic"},
    "vit_l_16-852ce7e3.pth": {"crop_size": 224, "resize_size": 242},
    "swin_t-704ceda3.pth": {"crop_size": 224, "resize_size": 232, "interpolation": "bicubic"},
    "swin_s-5e29d889.pth": {"crop_size": 224, "resize_size": 246, "interpolation": "bicubic"},
    "swin_b-68c6b09e.pth": {"crop_size": 224, "resize_size": 238, "interpolation": "bicubic"},
    "swin_v2_t-b137f0e2.pth": {"crop_size": 256, "resize_size": 260, "interpolation": "bicubic"},
    "swin_v2_s-637d8ceb.pth": {"crop_size": 256, "resize_size": 260, "interpolation": "bicubic"},
    "swin_v2_b-781e5279.pth": {"crop_size": 256, "resize_size": 272, "interpolation": "bicubic"},
    "maxvit_t-bc5ab103.pth": {"crop_size": 224, "resize_size": 224, "interpolation": "bicubic"},
    "mnasnet0_75-7090bc5f.pth": {"crop_size": 224, "resize_size": 232},
    "mnasnet1_3-a4c69d6f.pth": {"crop_size": 224, "resize_size": 232},
    "regnet_y_16gf_swag-43afe44d.pth": {"crop_size": 384, "resize_size": 384, "interpolation": "bicubic"},
    "regnet_y_32gf_swag-04fdfa75.pth": {"crop_size": 384, "resize_size": 384, "interpolation": "bicubic"},
    "regnet_y_128gf_swag-c8ce3e52.pth": {"crop_size": 384, "resize_size": 384, "interpolation": "bicubic"},
    "regnet_y_16gf_lc_swag-f3ec0043.pth": {"crop_size": 224, "resize_size": 224, "interpolation": "bicubic"},
    "regnet_y_32gf_lc_swag-e1583746.pth": {"crop_size": 224, "resize_size": 224, "interpolation": "bicubic"},
    "regnet_y_128gf_lc_swag-cbe8ce12.pth": {"crop_size": 224, "resize_size": 224, "interpolation": "bicubic"},
    "vit_h_14_swag-80465313.pth": {"crop_size": 518, "resize_size": 518, "interpolation": "bicubic"},
    "vit_h_14_lc_swag-c1eb923e.pth": {"crop_size": 224, "resize_size": 224, "interpolation": "bicubic"},
}


def chosen_weights(kind, weights, pretrained):
    """The published weights that are asked for: by name, by member of `kind`, or by `True` the first."""
    chosen = next(iter(kind)) if pretrained or weights is True else weights
    return kind[chosen.rpartition(".")[2]] if isinstance(chosen, str) else chosen


def published(network, kind, weights, pretrained, options, classes=1000):
    """A network of some options, with its published weights where they are asked for. Those are of so many
    classes."""
    chosen = chosen_weights(kind, weights, pretrained)
    if not chosen:
        return network(**options)
    if options.setdefault("num_classes", classes) != classes:
        raise ValueError(f"the published weights have {classes} classes, not {options['num_classes']}")
    made = network(**options)
    made.load_state_dict(chosen.get_state_dict())
    return made


class ResNet18_Weights(PretrainedWeights):
    """torchvision.models.ResNet18_Weights."""

    IMAGENET1K_V1 = "resnet18-f37072fd.pth"
    DEFAULT = IMAGENET1K_V1


def resnet18(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.resnet18."""
    options = {"block": BasicBlock, "layers": [2, 2, 2, 2], **kwargs}
    return published(ResNet, ResNet18_Weights, weights, pretrained, options)


class ResNet34_Weights(PretrainedWeights):
    """torchvision.models.ResNet34_Weights."""

    IMAGENET1K_V1 = "resnet34-b627a593.pth"
    DEFAULT = IMAGENET1K_V1


def resnet34(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.resnet34."""
    options = {"block": BasicBlock, "layers": [3, 4, 6, 3], **kwargs}
    return published(ResNet, ResNet34_Weights, weights, pretrained, options)


class ResNet50_Weights(PretrainedWeights):
    """torchvision.models.ResNet50_Weights."""

    IMAGENET1K_V1 = "resnet50-0676ba61.pth"
    IMAGENET1K_V2 = "resnet50-11ad3fa6.pth"
    DEFAULT = IMAGENET1K_V2


def resnet50(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.resnet50."""
    options = {"block": Bottleneck, "layers": [3, 4, 6, 3], **kwargs}
    return published(ResNet, ResNet50_Weights, weights, pretrained, options)


class ResNet101_Weights(PretrainedWeights):
    """torchvision.models.ResNet101_Weights."""

    IMAGENET1K_V1 = "resnet101-63fe2227.pth"
    IMAGENET1K_V2 = "resnet101-cd907fc2.pth"
    DEFAULT = IMAGENET1K_V2


def resnet101(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.resnet101."""
    options = {"block": Bottleneck, "layers": [3, 4, 23, 3], **kwargs}
    return published(ResNet, ResNet101_Weights, weights, pretrained, options)


class ResNet152_Weights(PretrainedWeights):
    """torchvision.models.ResNet152_Weights."""

    IMAGENET1K_V1 = "resnet152-394f9c45.pth"
    IMAGENET1K_V2 = "resnet152-f82ba261.pth"
    DEFAULT = IMAGENET1K_V2


def resnet152(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.resnet152."""
    options = {"block": Bottleneck, "layers": [3, 8, 36, 3], **kwargs}
    return published(ResNet, ResNet152_Weights, weights, pretrained, options)


class ResNeXt50_32X4D_Weights(PretrainedWeights):
    """torchvision.models.ResNeXt50_32X4D_Weights."""

    IMAGENET1K_V1 = "resnext50_32x4d-7cdf4587.pth"
    IMAGENET1K_V2 = "resnext50_32x4d-1a0047aa.pth"
    DEFAULT = IMAGENET1K_V2


def resnext50_32x4d(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.resnext50_32x4d."""
    options = {"block": Bottleneck, "layers": [3, 4, 6, 3], "groups": 32, "width_per_group": 4, **kwargs}
    return published(ResNet, ResNeXt50_32X4D_Weights, weights, pretrained, options)


class ResNeXt101_32X8D_Weights(PretrainedWeights):
    """torchvision.models.ResNeXt101_32X8D_Weights."""

    IMAGENET1K_V1 = "resnext101_32x8d-8ba56ff5.pth"
    IMAGENET1K_V2 = "resnext101_32x8d-110c445d.pth"
    DEFAULT = IMAGENET1K_V2


def resnext101_32x8d(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.resnext101_32x8d."""
    options = {"block": Bottleneck, "layers": [3, 4, 23, 3], "groups": 32, "width_per_group": 8, **kwargs}
    return published(ResNet, ResNeXt101_32X8D_Weights, weights, pretrained, options)


class ResNeXt101_64X4D_Weights(PretrainedWeights):
    """torchvision.models.ResNeXt101_64X4D_Weights."""

    IMAGENET1K_V1 = "resnext101_64x4d-173b62eb.pth"
    DEFAULT = IMAGENET1K_V1


def resnext101_64x4d(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.resnext101_64x4d."""
    options = {"block": Bottleneck, "layers": [3, 4, 23, 3], "groups": 64, "width_per_group": 4, **kwargs}
    return published(ResNet, ResNeXt101_64X4D_Weights, weights, pretrained, options)


class Wide_ResNet50_2_Weights(PretrainedWeights):
    """torchvision.models.Wide_ResNet50_2_Weights."""

    IMAGENET1K_V1 = "wide_resnet50_2-95faca4d.pth"
    IMAGENET1K_V2 = "wide_resnet50_2-9ba9bcbe.pth"
    DEFAULT = IMAGENET1K_V2


def wide_resnet50_2(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.wide_resnet50_2."""
    options = {"block": Bottleneck, "layers": [3, 4, 6, 3], "width_per_group": 128, **kwargs}
    return published(ResNet, Wide_ResNet50_2_Weights, weights, pretrained, options)


class Wide_ResNet101_2_Weights(PretrainedWeights):
    """torchvision.models.Wide_ResNet101_2_Weights."""

    IMAGENET1K_V1 = "wide_resnet101_2-32ee1156.pth"
    IMAGENET1K_V2 = "wide_resnet101_2-d733dc28.pth"
    DEFAULT = IMAGENET1K_V2


def wide_resnet101_2(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.wide_resnet101_2."""
    options = {"block": Bottleneck, "layers": [3, 4, 23, 3], "width_per_group": 128, **kwargs}
    return published(ResNet, Wide_ResNet101_2_Weights, weights, pretrained, options)


class VGG11_Weights(PretrainedWeights):
    """torchvision.models.VGG11_Weights."""

    IMAGENET1K_V1 = "vgg11-8a719046.pth"
    DEFAULT = IMAGENET1K_V1


def vgg11(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vgg11."""
    options = {"repeats": (1, 1, 2, 2, 2), "has_norm": False, **kwargs}
    return published(vgg_network, VGG11_Weights, weights, pretrained, options)


class VGG11_BN_Weights(PretrainedWeights):
    """torchvision.models.VGG11_BN_Weights."""

    IMAGENET1K_V1 = "vgg11_bn-6002323d.pth"
    DEFAULT = IMAGENET1K_V1


def vgg11_bn(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vgg11_bn."""
    options = {"repeats": (1, 1, 2, 2, 2), "has_norm": True, **kwargs}
    return published(vgg_network, VGG11_BN_Weights, weights, pretrained, options)


class VGG13_Weights(PretrainedWeights):
    """torchvision.models.VGG13_Weights."""

    IMAGENET1K_V1 = "vgg13-19584684.pth"
    DEFAULT = IMAGENET1K_V1


def vgg13(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vgg13."""
    options = {"repeats": (2, 2, 2, 2, 2), "has_norm": False, **kwargs}
    return published(vgg_network, VGG13_Weights, weights, pretrained, options)


class VGG13_BN_Weights(PretrainedWeights):
    """torchvision.models.VGG13_BN_Weights."""

    IMAGENET1K_V1 = "vgg13_bn-abd245e5.pth"
    DEFAULT = IMAGENET1K_V1


def vgg13_bn(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vgg13_bn."""
    options = {"repeats": (2, 2, 2, 2, 2), "has_norm": True, **kwargs}
    return published(vgg_network, VGG13_BN_Weights, weights, pretrained, options)


class VGG16_Weights(PretrainedWeights):
    """torchvision.models.VGG16_Weights."""

    IMAGENET1K_V1 = "vgg16-397923af.pth"
    IMAGENET1K_FEATURES = "vgg16_features-amdegroot-88682ab5.pth"
    DEFAULT = IMAGENET1K_V1


def vgg16(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vgg16."""
    options = {"repeats": (2, 2, 3, 3, 3), "has_norm": False, **kwargs}
    return published(vgg_network, VGG16_Weights, weights, pretrained, options)


class VGG16_BN_Weights(PretrainedWeights):
    """torchvision.models.VGG16_BN_Weights."""

    IMAGENET1K_V1 = "vgg16_bn-6c64b313.pth"
    DEFAULT = IMAGENET1K_V1


def vgg16_bn(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vgg16_bn."""
    options = {"repeats": (2, 2, 3, 3, 3), "has_norm": True, **kwargs}
    return published(vgg_network, VGG16_BN_Weights, weights, pretrained, options)


class VGG19_Weights(PretrainedWeights):
    """torchvision.models.VGG19_Weights."""

    IMAGENET1K_V1 = "vgg19-dcbb9e9d.pth"
    DEFAULT = IMAGENET1K_V1


def vgg19(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vgg19."""
    options = {"repeats": (2, 2, 4, 4, 4), "has_norm": False, **kwargs}
    return published(vgg_network, VGG19_Weights, weights, pretrained, options)


class VGG19_BN_Weights(PretrainedWeights):
    """torchvision.models.VGG19_BN_Weights."""

    IMAGENET1K_V1 = "vgg19_bn-c79401a0.pth"
    DEFAULT = IMAGENET1K_V1


def vgg19_bn(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.vgg19_bn."""
    options = {"repeats": (2, 2, 4, 4, 4), "has_norm": True, **kwargs}
    return published(vgg_network, VGG19_BN_Weights, weights, pretrained, options)


class AlexNet_Weights(PretrainedWeights):
    """torchvision.models.AlexNet_Weights."""

    IMAGENET1K_V1 = "alexnet-owt-7be5be79.pth"
    DEFAULT = IMAGENET1K_V1


def alexnet(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.alexnet."""
    options = dict(kwargs)
    return published(AlexNet, AlexNet_Weights, weights, pretrained, options)


class SqueezeNet1_0_Weights(PretrainedWeights):
    """torchvision.models.SqueezeNet1_0_Weights."""

    IMAGENET1K_V1 = "squeezenet1_0-b66bff10.pth"
    DEFAULT = IMAGENET1K_V1


def squeezenet1_0(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.squeezenet1_0."""
    options = {"version": "1_0", **kwargs}
    return published(SqueezeNet, SqueezeNet1_0_Weights, weights, pretrained, options)


class SqueezeNet1_1_Weights(PretrainedWeights):
    """torchvision.models.SqueezeNet1_1_Weights."""

    IMAGENET1K_V1 = "squeezenet1_1-b8a52dc0.pth"
    DEFAULT = IMAGENET1K_V1


def squeezenet1_1(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.squeezenet1_1."""
    options = {"version": "1_1", **kwargs}
    return published(SqueezeNet, SqueezeNet1_1_Weights, weights, pretrained, options)


class MobileNet_V2_Weights(PretrainedWeights):
    """torchvision.models.MobileNet_V2_Weights."""

    IMAGENET1K_V1 = "mobilenet_v2-b0353104.pth"
    IMAGENET1K_V2 = "mobilenet_v2-7ebf99e0.pth"
    DEFAULT = IMAGENET1K_V2


def mobilenet_v2(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.mobilenet_v2."""
    options = dict(kwargs)
    return published(MobileNetV2, MobileNet_V2_Weights, weights, pretrained, options)


class DenseNet121_Weights(PretrainedWeights):
    """torchvision.models.DenseNet121_Weights."""

    IMAGENET1K_V1 = "densenet121-a639ec97.pth"
    DEFAULT = IMAGENET1K_V1


def densenet121(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.densenet121."""
    options = dict(kwargs)
    return published(DenseNet, DenseNet121_Weights, weights, pretrained, options)


class DenseNet161_Weights(PretrainedWeights):
    """torchvision.models.DenseNet161_Weights."""

    IMAGENET1K_V1 = "densenet161-8d451a50.pth"
    DEFAULT = IMAGENET1K_V1


def densenet161(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.densenet161."""
    options = {"growth_rate": 48, "block_config": (6, 12, 36, 24), "num_init_features": 96, **kwargs}
    return published(DenseNet, DenseNet161_Weights, weights, pretrained, options)


class DenseNet169_Weights(PretrainedWeights):
    """torchvision.models.DenseNet169_Weights."""

    IMAGENET1K_V1 = "densenet169-b2777c0a.pth"
    DEFAULT = IMAGENET1K_V1


def densenet169(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.densenet169."""
    options = {"block_config": (6, 12, 32, 32), **kwargs}
    return published(DenseNet, DenseNet169_Weights, weights, pretrained, options)


class DenseNet201_Weights(PretrainedWeights):
    """torchvision.models.DenseNet201_Weights."""

    IMAGENET1K_V1 = "densenet201-c1103571.pth"
    DEFAULT = IMAGENET1K_V1


def densenet201(weights=None, progress=True, *, pretrained=False, **kwargs):
    """torchvision.models.densenet201."""
    options = {"block_config": (6, 12, 48, 32), **kwargs}
    return published(DenseNet, DenseNet201_Weights, weights, pretrained, options)


# torchvision.models.__dict__, as far as there are helpers: what builds a network, by its name
NETWORKS_BY_NAME = {
    network.__name__: network
    for network in (
        alexnet,
        convnext_base,
        convnext_large,
        convnext_small,
        convnext_tiny,
        densenet121,
        densenet161,
        densenet169,
        densenet201,
        efficientnet_b0,
        efficientnet_b1,
        efficientnet_b2,
        efficientnet_b3,
        efficientnet_b4,
        efficientnet_b5,
        efficientnet_b6,
        efficientnet_b7,
        efficientnet_v2_l,
        efficientnet_v2_m,
        efficientnet_v2_s,
        googlenet,
        inception_v3,
        maxvit_t,
        mnasnet0_5,
        mnasnet0_75,
        mnasnet1_0,
        mnasnet1_3,
        mobilenet_v2,
        mobilenet_v3_large,
        mobilenet_v3_small,
        regnet_x_16gf,
        regnet_x_1_6gf,
        regnet_x_32gf,
        regnet_x_3_2gf,
        regnet_x_400mf,
        regnet_x_800mf,
        regnet_x_8gf,
        regnet_y_128gf,
        regnet_y_16gf,
        regnet_y_1_6gf,
        regnet_y_32gf,
        regnet_y_3_2gf,
        regnet_y_400mf,
        regnet_y_800mf,
        regnet_y_8gf,
        resnet101,
        resnet152,
        resnet18,
        resnet34,
        resnet50,
        resnext101_32x8d,
        resnext101_64x4d,
        resnext50_32x4d,
        shufflenet_v2_x0_5,
        shufflenet_v2_x1_0,
        shufflenet_v2_x1_5,
        shufflenet_v2_x2_0,
        squeezenet1_0,
        squeezenet1_1,
        swin_b,
        swin_s,
        swin_t,
        swin_v2_b,
        swin_v2_s,
        swin_v2_t,
        vgg11,
        vgg11_bn,
        vgg13,
        vgg13_bn,
        vgg16,
        vgg16_bn,
        vgg19,
        vgg19_bn,
        vit_b_16,
        vit_b_32,
        vit_h_14,
        vit_l_16,
        vit_l_32,
        wide_resnet101_2,
        wide_resnet50_2,
    )
}
