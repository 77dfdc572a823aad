"""Files of weights, in the formats of PyTorch, safetensors and MindSpore."""
