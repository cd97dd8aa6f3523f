"""Checks with the interpreter that each pass of a pipeline keeps the results of kernels."""
