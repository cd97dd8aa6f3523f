"""The args block: how a launch hands its arguments to native code.

A kernel becomes `k(args, scratch, begin, end)`: it runs the work-groups with linear ids begin to
end - 1. `args` is a block of bytes, little-endian: the kernel's arguments in order, each at its
own alignment and at least at 8 bytes, and then the fields of `FIELDS` as 64-bit integers.

- A `global` or `constant` pointer is an address.
- A `local` pointer is an offset into `scratch`.
- A value has the layout of `polycl.dialects.ocl.layout`.

`scratch` is memory of the calling thread's own, aligned to SCRATCH_ALIGNMENT: first what the
kernel itself needs (SCRATCH_BYTES), then what its local pointers point to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute

from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.layout import align_of, round_up, size_of

FIELDS = (
    *(
        f"{query}.{dimension}"
        for query in ("global_size", "local_size", "num_groups", "global_offset")
        for dimension in range(3)
    ),
    "work_dim",
    "printf_buffer",
    *(
        f"{query}.{dimension}"
        for query in ("first_group", "part_groups", "enqueued_local_size")
        for dimension in range(3)
    ),
)
"""What follows the arguments: a query of each dimension, and the address of printf's buffer.

A launch of groups of several sizes is one of each part, a box of groups of the same size.
`local_size` and `part_groups` are those of the part, and `first_group` has the ids of its first
group; `enqueued_local_size` is the one of the launch. Code for uniform launches only reads
`num_groups` in the place of `first_group` and `part_groups`.
"""

SCRATCH_BYTES = "launch.scratch_bytes"
"""Attribute of the function: the bytes of scratch that it uses itself."""

PRINTF_FORMATS = "launch.printf_formats"
"""Attribute of the function: for each printf, its format and its arguments' types, in order."""

SCRATCH_ALIGNMENT = 128
"""Bytes; the largest alignment of an OpenCL C type is that of double16."""

PRINTF_HEADER = 16
"""Bytes in front of printf's records: the number of bytes used, and the capacity, both i64.

A record is the position of its format in PRINTF_FORMATS, an i64, and the arguments, each at a
multiple of 8 bytes. The number of bytes used counts records that did not fit, too: after the
first of them, none fits.
"""


@dataclass(frozen=True)
class ArgsBlock:
    """Where everything lies in the args block of a kernel with these parameter types, in bytes."""

    types: tuple[Attribute, ...]
    offsets: tuple[int, ...]
    """Of each parameter."""

    fields: int
    """Offset of the first of FIELDS."""

    @property
    def size(self) -> int:
        return self.fields + 8 * len(FIELDS)

    def field(self, name: str) -> int:
        """The offset of one of FIELDS."""
        return self.fields + 8 * FIELDS.index(name)


def args_block(types: Sequence[Attribute]) -> ArgsBlock:
    """The layout of the args block for parameters of these types."""
    offsets: list[int] = []
    end = 0
    for type in types:
        offset = round_up(end, max(8, align_of(type)))
        offsets.append(offset)
        end = offset + size_of(type)
    return ArgsBlock(tuple(types), tuple(offsets), round_up(end, 8))


def is_local_pointer(type: Attribute) -> bool:
    return isinstance(type, PtrType) and type.address_space == AddressSpace.LOCAL


def printf_record(types: Sequence[Attribute]) -> tuple[tuple[int, ...], int]:
    """The offset of each argument in a record of printf, and the record's size."""
    offsets: list[int] = []
    end = 8
    for type in types:
        offsets.append(end)
        end = round_up(end + size_of(type), 8)
    return tuple(offsets), end
