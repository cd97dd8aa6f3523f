"""The unit in which memory is fetched."""

LINE = 64
"""Bytes."""
