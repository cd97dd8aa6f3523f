"""The CPU of this machine: native code by LLVM, work-groups distributed over threads."""

from polycl.backends.cpu.device import CpuDevice, cpu_device

__all__ = ["CpuDevice", "cpu_device"]
