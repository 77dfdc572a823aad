"""What runs in the Python that has a framework. Uses the standard library, numpy and that framework only."""
