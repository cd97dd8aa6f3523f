"""Sets and expressions of isl in the `affine` dialect, for poly-to-affine."""
