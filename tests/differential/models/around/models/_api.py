"""Stands in for `torchvision.models._api`."""

import types
from typing import Any


class WeightsEnum:
    """The weights that could be downloaded."""


def Weights(**described: Any) -> types.SimpleNamespace:  # noqa: N802 - a class there
    """What is said of weights."""
    return types.SimpleNamespace(**described)


def register_model() -> Any:
    """Gives back what it decorates."""
    return lambda function: function
