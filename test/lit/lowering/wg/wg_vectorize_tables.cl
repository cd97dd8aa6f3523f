// RUN: ocl-opt %s --local-size 64 -p "wg,wg-vectorize" --remarks 2>&1 | filecheck %s
// A table of constants that fits into registers makes vectors pay, which a larger one does not.
