"""The dialects of polycl; importing any of them gives xDSL's `arith` its vector forms."""

from polycl.dialects.arith_vectors import allow_vectors

allow_vectors()
