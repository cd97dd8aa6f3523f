"""Elements of tables of the program as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from polycl.dialects import ocl, vec
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointee_of, pointer_type
from polycl.dialects.vec import element_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.promote_private_arrays.accesses import (
    Access,
    accesses_of,
    count_of,
    leaf_of,
    ragged_bounds,
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
        if isinstance(element_of(leaf_of(pointee_of(address.result))), IntegerType):
            if _loops_of_table(address, state):
                unroll_all(address, state)
    is_folded = False
    for address, elements in tables.items():
        for access in _table_accesses(address):
            number, rest = divmod(access.place.number, size_of(access.type))
            if rest == 0 and access.is_within(size_of(pointee_of(address.result))):
                _replace(access.op, elements[number])
                is_folded = True
    return is_folded


def _replace(op: Operation, element: Sequence[_Number]) -> None:
    """Replace a load by the numbers of an element: of a vector, each component that is read."""
    build, type = Build(op), op.results[0].type
    if not isinstance(type, VectorType):
        Rewriter.replace_op(op, [], [build.emit(arith.ConstantOp(element[0]))])
        return
    components = [build.emit(arith.ConstantOp(number)) for number in element]
    for use in list(op.results[0].uses):
        match use.operation:
            case vector.ExtractOp(dynamic_position=()) as extract:
                (position,) = extract.static_position.get_values()
                Rewriter.replace_op(extract, [], [components[position]])
            case _:
                pass
    if op.results[0].first_use is None:
        Rewriter.erase_op(op)
    else:
        Rewriter.replace_op(op, [], [build.joined(components)])


def _shared_tables(kernel: ocl.KernelOp) -> dict[ocl.AddressOfOp, list[Sequence[_Number]]]:
    """The small tables of numbers, or vectors of them, that a kernel reads, each by one address at
    its start, and their elements."""
    shared: dict[str, ocl.AddressOfOp] = {}
    found: dict[ocl.AddressOfOp, list[Sequence[_Number]]] = {}
    for op in operations_of(kernel.body, ocl.AddressOfOp):
        name = op.symbol.string_value()
        pointee = pointee_of(op.result)
        if not isinstance(pointee, ocl.ArrayType) or count_of(pointee) > MOST_ELEMENTS:
            continue
        leaf = leaf_of(pointee)
        if not isinstance(element_of(leaf), IntegerType | AnyFloat):
            continue
        if name not in shared:
            data = SymbolTable.lookup_symbol(kernel, op.symbol)
            assert isinstance(data, ocl.ConstantDataOp)
            start = Build(kernel, InsertPoint.at_start(kernel.body.block))
            shared[name] = ocl.AddressOfOp(name, pointer_type(op.result))
            start.emit_void(shared[name])
            numbers, width = list(_numbers(data.value)), vec.count_of(leaf)
            found[shared[name]] = [
                numbers[first : first + width] for first in range(0, len(numbers), width)
            ]
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
    if any(map(ragged_bounds, loops)):
        return False
    copies = copies_in(loops)
    added = sum((copies[loop] - 1) * own_operations(loop, loops) for loop in loops)
    return bool(loops) and added <= MOST_OPERATIONS - kernel.operations
