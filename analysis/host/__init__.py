"""Analyses of programs of host and kernels: aliases, orders, indices, reuse."""
