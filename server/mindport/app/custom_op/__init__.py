"""Custom operators for MindSpore to begin with: forward, backward, inference and tests."""
