"""Runs both frameworks and compares: what `mindport verify` and `mapping_data/evidence` are made by."""
