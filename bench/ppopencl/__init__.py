"""The evaluation of PPOpenCL, repeated: `python -m bench.ppopencl --runtime intel`.

Y. Liu et al.: PPOpenCL: A Performance-Portable OpenCL Compiler with Host and Kernel Thread Code
Fusion. CC 2019, section 4. docs/benchmarks.md says what is measured and how.
"""
