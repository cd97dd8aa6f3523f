"""From isl to IR: what isl says of loops, guards and scores, in `arith` and `scf`."""
