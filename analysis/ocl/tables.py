"""Small tables, which a processor with AVX-512 looks up in registers."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, IntegerType, i8
from xdsl.ir import SSAValue

from polycl.analysis.ocl.addresses import is_parameter, root_of
from polycl.analysis.ocl.intervals import LARGEST, bounds
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointer_type

PAIR_BYTES = 128
"""Of two registers, from which one instruction chooses an element for each lane."""

MOST_PAIRS = {1: 2, 2: 16, 4: 4, 8: 4}
"""Of a table that is looked up, by the bytes of an element. Of larger elements more take as long as
a gather; there is none of smaller ones. A byte is the index of another one."""

WORD_LANES = PAIR_BYTES // 2
"""For which words are looked up at once by their bytes."""

MOST_BYTES = MOST_PAIRS[1] * PAIR_BYTES
"""Of a table of bytes in other memory than that of constants."""

PLANE = 256
"""The most words of a table of which the bytes are looked up one by one."""


def table_of(pointer: SSAValue) -> ocl.AddressOfOp | None:
    """The address of the table whose first element `pointer` is of: an array of numbers with at
    most `MOST_PAIRS`, or of words with a byte as the index. Else None."""
    address = pointer.owner.pointer.owner if isinstance(pointer.owner, ocl.CastOp) else None
    if not isinstance(address, ocl.AddressOfOp):
        return None
    table = pointer_type(address.result).pointee
    if not isinstance(table, ocl.ArrayType) or table.element != ocl.pointee_of(pointer):
        return None
    element = table.element
    if not isinstance(element, IntegerType | AnyFloat) or size_of(element) not in (1, 2, 4, 8):
        return None
    is_small = pairs_of(address) <= MOST_PAIRS[size_of(element)]
    return address if is_small or in_planes(address) else None


def bytes_looked_up(load: ocl.LoadOp) -> range | None:
    """The places, from its pointer on, of the bytes of which `load` reads one, if registers hold
    them: all of a local array, or those of a buffer that its index may reach. Else None."""
    if load.volatile is not None or load.index is None or load.result.type != i8:
        return None
    if table_of(load.pointer) is not None:
        return None
    array = load.pointer.owner.pointer.owner if isinstance(load.pointer.owner, ocl.CastOp) else None
    if isinstance(array, ocl.LocalAllocOp):
        type = pointer_type(array.result).pointee
        if not isinstance(type, ocl.ArrayType) or type.element != i8:
            return None
        places = range(type.size.data)
    elif is_parameter(root_of(load.pointer)):
        least, most = bounds(load.index)
        if not (0 <= least and most < LARGEST):
            return None
        places = range(int(least), int(most) + 1)
    else:
        return None
    return places if len(places) <= MOST_BYTES else None


def in_planes(address: ocl.AddressOfOp) -> bool:
    """Whether the first bytes of all words are looked up, then the second ones, and so on: 64 at
    once."""
    table = pointer_type(address.result).pointee
    assert isinstance(table, ocl.ArrayType)
    size = size_of(table.element)
    return size == 4 and pairs_of(address) > MOST_PAIRS[size] and table.size.data <= PLANE


def pairs_of(address: ocl.AddressOfOp) -> int:
    """The pairs of registers that hold a table, a power of two."""
    count = -(-size_of(pointer_type(address.result).pointee) // PAIR_BYTES)
    return 1 << (count - 1).bit_length()
