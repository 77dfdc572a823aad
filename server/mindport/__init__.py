"""mindport: ports PyTorch code to MindSpore inside the editor."""

__version__ = "0.1.0"
