"""The command line: one file per command, and no analysis of its own."""
