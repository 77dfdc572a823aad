"""torchvision.models: networks and their published weights by name, as far as there are helpers."""

import fnmatch

# torchvision.models.detection.__dict__, as far as there are helpers: what builds a network, by its name
DETECTION_BY_NAME = {
    network.__name__: network
    for network in (
        fasterrcnn_mobilenet_v3_large_320_fpn,
        fasterrcnn_mobilenet_v3_large_fpn,
        fasterrcnn_resnet50_fpn,
        fasterrcnn_resnet50_fpn_v2,
        fcos_resnet50_fpn,
        keypointrcnn_resnet50_fpn,
        maskrcnn_resnet50_fpn,
        maskrcnn_resnet50_fpn_v2,
        retinanet_resnet50_fpn,
        retinanet_resnet50_fpn_v2,
        ssd300_vgg16,
        ssdlite320_mobilenet_v3_large,
    )
}


# torchvision.models.video.__dict__: what builds a network, by its name
VIDEO_BY_NAME = {
    network.__name__: network
    for network in (
        mc3_18,
        mvit_v1_b,
        mvit_v2_s,
        r2plus1d_18,
        r3d_18,
        s3d,
        swin3d_b,
        swin3d_s,
        swin3d_t,
    )
}


# All networks that have a helper, by their names
ALL_NETWORKS = {**NETWORKS_BY_NAME, **SEGMENTATION_BY_NAME, **DETECTION_BY_NAME, **VIDEO_BY_NAME}


def get_model_builder(name):
    """torchvision.models.get_model_builder."""
    name = name.lower()
    if name not in ALL_NETWORKS:
        raise ValueError(f"Unknown model {name}")
    return ALL_NETWORKS[name]


def get_model(name, **config):
    """torchvision.models.get_model."""
    return get_model_builder(name)(**config)


def list_models(module=None, include=None, exclude=None):
    """torchvision.models.list_models; `module` is not looked at."""
    include, exclude = ([each] if isinstance(each, str) else each or () for each in (include, exclude))
    names = [
        name for name in ALL_NETWORKS if not include or any(fnmatch.fnmatch(name, each) for each in include)
    ]
    return sorted(name for name in names if not any(fnmatch.fnmatch(name, each) for each in exclude))


def weights_called(name):
    """The published weights of that name; None if there are none."""
    name = name.lower()
    if name.removesuffix("_weights") not in ALL_NETWORKS:
        return None
    kinds = [*PretrainedWeights.__subclasses__(), *WeightsOfVideos.__subclasses__()]
    return next(kind for kind in kinds if kind.__name__.lower() == name)


def get_model_weights(name):
    """torchvision.models.get_model_weights."""
    builder = get_model_builder(name) if isinstance(name, str) else name
    return weights_called(f"{builder.__name__}_Weights")


def get_weight(name):
    """torchvision.models.get_weight."""
    kind, point, member = name.partition(".")
    if not point or "." in member:
        raise ValueError(f"Invalid weight name provided: '{name}'.")
    if weights_called(kind) is None:
        raise ValueError(f"The weight enum '{kind}' for the specific method couldn't be retrieved.")
    return weights_called(kind)[member]
