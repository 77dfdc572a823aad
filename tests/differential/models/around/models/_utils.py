"""Stands in for `torchvision.models._utils`."""

from typing import Any


def _ovewrite_named_param(kwargs: dict[str, Any], name: str, value: Any) -> None:
    kwargs[name] = value


def handle_legacy_interface(**_: Any) -> Any:
    """Gives back what it decorates."""
    return lambda function: function
