"""The memory map of a simulated processor when a kernel runs.

```
0     unused (the null pointer)
64    BEGIN, END: the linear ids of the first work-group and after the last one, i32
128   spilled values (tta-schedule)
16512 program-scope constants, then the kernel's own memory (local, private)
args  the args block of `launch_abi`, in which pointers are addresses
      local memory of pointer arguments, then buffers: both are placed by the device
```
"""

from __future__ import annotations

BEGIN = 64
END = 68
SPILL = 128
SPILL_END = SPILL + 4 * 4096
FIRST_CONSTANT = SPILL_END
ALIGNMENT = 128

ARGS = "tta.args"
"""Attribute of the function: the address of the args block."""

SCRATCH = "tta.scratch"
"""Attribute of the function: the address to which offsets of local pointers are added."""

DATA = "tta.data"
"""Attribute of the function: the bytes at FIRST_CONSTANT."""
