"""花朵分类：一个小而完整的 PyTorch 例子。"""

from .model import FlowerNet, flownet_base, flownet_tiny

__all__ = ["FlowerNet", "flownet_base", "flownet_tiny"]
