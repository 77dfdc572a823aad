"""Stands in for `torchvision.utils`."""


def _log_api_usage_once(_: object) -> None:
    """Logs nothing."""
