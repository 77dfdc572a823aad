"""Stands in for `torchvision.models._meta`."""

_IMAGENET_CATEGORIES: tuple[str, ...] = ()
