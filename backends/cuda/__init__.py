"""NVIDIA's GPUs: kernels as PTX, through LLVM."""
