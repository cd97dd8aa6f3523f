"""Elements of tables of the program as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointee_of, pointer_type
from polycl.lowering.build import Build
from polycl.lowering.ocl.promote_private_arrays.accesses import (
    Access,
    accesses_of,
    count_of,
    leaf_of,
)
from polycl.lowering.ocl.promote_private_arrays.limits import (
    MOST_ELEMENTS,
    MOST_OPERATIONS,
)
from polycl.lowering.ocl.promote_private_arrays.loops import (
    Kernel,
    copies_in,
    own_operations,
    unroll_all,
)

_Number: TypeAlias = IntegerAttr[IntegerType] | FloatAttr[AnyFloat]


def fold_tables(kernel: ocl.KernelOp) -> bool:
    """Make known elements of tables of the program numbers; whether there were any.

    Loops are unrolled for tables of integers, which are distances to neighbours often: what is
    computed from them is known, such as an address.
    """
    tables = _shared_tables(kernel)
    if not tables:
        return False
    state = Kernel(kernel)
    for address in tables:
        if isinstance(leaf_of(pointee_of(address.result)), IntegerType):
            if _loops_of_table(address, state):
                unroll_all(address, state)
    is_folded = False
    for address, elements in tables.items():
        for access in _table_accesses(address):
            number, rest = divmod(access.place.number, size_of(access.type))
            if rest == 0 and access.is_within(size_of(pointee_of(address.result))):
                value = Build(access.op).emit(arith.ConstantOp(elements[number]))
                Rewriter.replace_op(access.op, [], [value])
                is_folded = True
    return is_folded


def _shared_tables(kernel: ocl.KernelOp) -> dict[ocl.AddressOfOp, list[_Number]]:
    """The small tables of numbers that a kernel reads, each by one address at its start, and their
    elements."""
    shared: dict[str, ocl.AddressOfOp] = {}
    found: dict[ocl.AddressOfOp, list[_Number]] = {}
    for op in operations_of(kernel.body, ocl.AddressOfOp):
        name = op.symbol.string_value()
        pointee = pointee_of(op.result)
        if not isinstance(pointee, ocl.ArrayType) or count_of(pointee) > MOST_ELEMENTS:
            continue
        if not isinstance(leaf_of(pointee), IntegerType | AnyFloat):
            continue
        if name not in shared:
            data = SymbolTable.lookup_symbol(kernel, op.symbol)
            assert isinstance(data, ocl.ConstantDataOp)
            first = Build(kernel, InsertPoint.at_start(kernel.body.block))
            shared[name] = ocl.AddressOfOp(name, pointer_type(op.result))
            first.emit_void(shared[name])
            found[shared[name]] = list(_numbers(data.value))
        Rewriter.replace_op(op, [], [shared[name].result])
    return found


def _numbers(value: Attribute) -> Iterator[_Number]:
    """The elements of an array of arrays."""
    if isinstance(value, ArrayAttr):
        for part in cast(ArrayAttr[Attribute], value):
            yield from _numbers(part)
    else:
        assert isinstance(value, IntegerAttr | FloatAttr)
        yield cast(_Number, value)


def _table_accesses(address: ocl.AddressOfOp) -> list[Access]:
    """The loads of whole elements."""
    leaf = leaf_of(pointee_of(address.result))
    found = accesses_of(address.result) or ()
    return [one for one in found if isinstance(one.op, ocl.LoadOp) and one.type == leaf]


def _loops_of_table(address: ocl.AddressOfOp, kernel: Kernel) -> bool:
    """Whether there are loops that count the elements of a table, and few enough operations."""
    known = [access for access in _table_accesses(address) if access.is_known]
    loops = {loop for access in known for loop in access.loops or ()}
    copies = copies_in(loops)
    added = sum((copies[loop] - 1) * own_operations(loop, loops) for loop in loops)
    return bool(loops) and added <= MOST_OPERATIONS - kernel.operations
