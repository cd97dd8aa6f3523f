"""The answers to queries of a running program (OpenCL 1.2, tables 4.3, 5.18 and 5.22), by the
values of the names in CL/cl.h, which differ in all these tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from polycl.backends.device import MAX_GROUP

_GIB = 1 << 30

DEVICE: Mapping[int, Callable[[], int]] = {
    0x1000: lambda: 1 << 1,  # CL_DEVICE_TYPE: CL_DEVICE_TYPE_CPU
    0x1001: lambda: 0,  # CL_DEVICE_VENDOR_ID
    0x1002: lambda: os.cpu_count() or 1,  # CL_DEVICE_MAX_COMPUTE_UNITS
    0x1003: lambda: 3,  # CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS
    0x1004: lambda: MAX_GROUP,  # CL_DEVICE_MAX_WORK_GROUP_SIZE
    0x1005: lambda: MAX_GROUP,  # CL_DEVICE_MAX_WORK_ITEM_SIZES, in each dimension
    0x100C: lambda: 1000,  # CL_DEVICE_MAX_CLOCK_FREQUENCY, in MHz
    0x100D: lambda: 64,  # CL_DEVICE_ADDRESS_BITS
    0x1010: lambda: _GIB,  # CL_DEVICE_MAX_MEM_ALLOC_SIZE
    0x101D: lambda: 64,  # CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE
    0x101E: lambda: 1 << 20,  # CL_DEVICE_GLOBAL_MEM_CACHE_SIZE
    0x101F: lambda: 4 * _GIB,  # CL_DEVICE_GLOBAL_MEM_SIZE
    0x1020: lambda: 1 << 16,  # CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE
    0x1022: lambda: 2,  # CL_DEVICE_LOCAL_MEM_TYPE: CL_GLOBAL
    0x1023: lambda: 1 << 16,  # CL_DEVICE_LOCAL_MEM_SIZE
}

KERNEL: Mapping[int, Callable[[], int]] = {
    0x11B0: lambda: MAX_GROUP,  # CL_KERNEL_WORK_GROUP_SIZE
    0x11B2: lambda: 0,  # CL_KERNEL_LOCAL_MEM_SIZE
    0x11B3: lambda: 1,  # CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
    0x11B4: lambda: 0,  # CL_KERNEL_PRIVATE_MEM_SIZE
}

QUERIES = {"clGetDeviceInfo": DEVICE, "clGetKernelWorkGroupInfo": KERNEL}
