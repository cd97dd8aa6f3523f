"""SPIR-V, the binary form of kernels that many OpenCL platforms take, through LLVM."""
