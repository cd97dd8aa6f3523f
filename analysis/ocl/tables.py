"""Small tables in constant memory, which a processor with AVX-512 looks up in registers."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointer_type

PAIR_BYTES = 128
"""Of two registers, from which one instruction chooses an element for each lane."""

MOST_PAIRS = 4
"""Of a table that is looked up; more take as long as a gather."""


def table_of(pointer: SSAValue) -> ocl.AddressOfOp | None:
    """The address of the table whose first element `pointer` is of: an array of at most 512 bytes
    of numbers, and of at most 256 elements, so that a byte is an index. Else None."""
    address = pointer.owner.pointer.owner if isinstance(pointer.owner, ocl.CastOp) else None
    if not isinstance(address, ocl.AddressOfOp):
        return None
    table = pointer_type(address.result).pointee
    if not isinstance(table, ocl.ArrayType) or table.element != ocl.pointee_of(pointer):
        return None
    element = table.element
    if not isinstance(element, IntegerType | AnyFloat) or size_of(element) not in (1, 2, 4, 8):
        return None
    is_small = size_of(table) <= MOST_PAIRS * PAIR_BYTES
    return address if is_small and size_of(table) <= 256 * size_of(element) else None


def pairs_of(address: ocl.AddressOfOp) -> int:
    """The pairs of registers that hold a table, a power of two."""
    count = -(-size_of(pointer_type(address.result).pointee) // PAIR_BYTES)
    return 1 << (count - 1).bit_length()
