"""What is put into the configuration of JetBrains IDEs."""
