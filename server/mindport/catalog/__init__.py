"""What the APIs of torch and MindSpore are, and how they correspond."""
