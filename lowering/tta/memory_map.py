"""The memory of a simulated processor: what lies where when a kernel runs.

```
0     nothing: the null pointer
64    BEGIN, END: the linear ids of the first work-group and of the one behind the last, i32
128   words for values that find no register (tta-schedule)
16512 program-scope constants, then the memory that the kernel needs itself (local, private)
args  the args block of `launch_abi`, in which pointers are addresses
      what pointers to local memory point to, then buffers: both are up to the device
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
