"""The parts of `ocl-data-layout`: polynomials to code, kernels, the host."""
