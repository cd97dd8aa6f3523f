"""Code generation from isl: loops, guards and scores in `arith` and `scf`."""
