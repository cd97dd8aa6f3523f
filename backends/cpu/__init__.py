"""The CPU of this machine: native code by LLVM, work-groups spread over threads."""

from polycl.backends.cpu.device import CpuDevice

__all__ = ["CpuDevice"]
