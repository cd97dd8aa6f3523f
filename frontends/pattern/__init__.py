"""The Python front: pattern programs as typed Python functions."""
