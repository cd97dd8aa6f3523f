"""Inputs and numpy models of the host programs in examples/host."""
