"""torchvision.models: networks and their published weights by name, as far as there are helpers."""

import fnmatch

# All networks that have a helper, by their names
ALL_NETWORKS = {**NETWORKS_BY_NAME, **SEGMENTATION_BY_NAME, **DETECTION_BY_NAME}


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
    return next(kind for kind in PretrainedWeights.__subclasses__() if kind.__name__.lower() == name)


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
