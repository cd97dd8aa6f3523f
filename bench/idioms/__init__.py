"""The same computations, written in many ways: how much speed depends on how."""
