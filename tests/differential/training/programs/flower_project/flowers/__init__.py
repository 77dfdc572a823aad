"""Tells synthetic flowers apart."""

__version__ = "0.1"
