"""The CPU of this machine: native code by LLVM, work-groups distributed over threads."""

from polycl.backends.cpu.device import CpuDevice

__all__ = ["CpuDevice"]
