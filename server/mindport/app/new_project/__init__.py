"""Projects for MindSpore to begin with: a network, data, training and tests."""
