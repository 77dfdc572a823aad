"""Stands in for `torchvision.transforms._presets`."""


class ImageClassification:
    """Named by the descriptions of weights only."""
