"""`wg-order-tables`: tables of the program lie in the order in which work-items read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import vector
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, IntegerType, ModuleOp, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.numbers import Numbers
from polycl.analysis.ocl.uniformity import Uniformity, constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointee_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused
from polycl.remarks import emit_remark

MOST_BYTES = 1 << 16
"""Of all new tables of a kernel: more would push its data out of the cache."""

Elements: TypeAlias = Sequence[Attribute]


@dataclass(frozen=True)
class WgOrderTablesPass(ModulePass):
    """Read an element of a constant table that the local id chooses from a table in its order.

    ```
    ocl.constant @t = [a, b, c, d, e, f, g]        ocl.constant @t0 = [a, c, e, g]
    wg.parallel (%x, ...) in (4, 1, 1) {           wg.parallel (%x, ...) in (4, 1, 1) {
      %i = %x * 2                           ->       %v = ocl.load @t0[%x]
      %v = ocl.load @t[%i]
    ```

    Vectors of work-items load what they would gather: twiddle factors of an FFT, say. The index is
    computed from local ids and constants alone; then the elements are known here. Tables of vectors
    such as `float2` whose components are used one by one become a table for each component.

    Not where neighbours read the same element or adjacent ones already, and not where all new
    tables of a kernel would have more than `MOST_BYTES`.
    """

    name = "wg-order-tables"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            facts: Uniformity | None = None
            tables = _Tables(op, function)
            for region in operations_of(function.body, wg.ParallelOp):
                loads = _loads_in(region)
                if loads and (shape := _shape(region)) is not None:
                    facts = facts or Uniformity(function)
                    loads = [one for one in loads if facts.lanes(_index(one)).x not in (-1, 0, 1)]
                    _order(region, shape, loads, tables)
            if tables.ordered:
                emit_remark(
                    function, self.name, f"{tables.ordered} elements of tables in order of local ids"
                )


class _Tables:
    """The new tables of a kernel."""

    def __init__(self, module: ModuleOp, function: wg.FuncOp):
        self._module = module
        self._function = function
        self._known: dict[tuple[Attribute, ...], SSAValue] = {}
        self._bytes = 0
        self.ordered = 0

    def has_room(self, added: int) -> bool:
        if self._bytes + added > MOST_BYTES:
            return False
        self._bytes += added
        self.ordered += 1
        return True

    def table(self, type: Attribute, elements: Elements) -> SSAValue:
        """A pointer to the first element of a table of these elements."""
        key = (type, *elements)
        if key not in self._known:
            name, taken = "ordered", 0
            while SymbolTable.lookup_symbol(self._module, f"{name}_{taken}") is not None:
                taken += 1
            array = ocl.ArrayType(len(elements), type)
            data = ocl.ConstantDataOp(f"{name}_{taken}", array, ArrayAttr(elements))
            Rewriter.insert_op(data, InsertPoint.before(self._function))
            top = Build(self._function, InsertPoint.at_start(self._function.body.block))
            space = ocl.AddressSpace.CONSTANT
            address = top.emit(ocl.AddressOfOp(f"{name}_{taken}", ocl.PtrType(array, space)))
            self._known[key] = top.emit(ocl.CastOp(address, ocl.PtrType(type, space)))
        return self._known[key]


def _loads_in(region: wg.ParallelOp) -> list[ocl.LoadOp]:
    return [op for op in operations_of(region.body, ocl.LoadOp) if _table_of(op) is not None]


def _table_of(load: ocl.LoadOp) -> ocl.AddressOfOp | None:
    """The table of numbers, or of vectors of them, of which `load` reads an element."""
    if load.volatile is not None or load.index is None:
        return None
    cast = load.pointer.owner
    address = cast.pointer.owner if isinstance(cast, ocl.CastOp) else None
    if not isinstance(address, ocl.AddressOfOp):
        return None
    table, type = pointee_of(address.result), load.result.type
    if not isinstance(table, ocl.ArrayType) or table.element != type:
        return None
    scalar = cast_element(type)
    return address if isinstance(scalar, IntegerType | AnyFloat) else None


def cast_element(type: Attribute) -> Attribute:
    return cast(Attribute, type.element_type) if isinstance(type, VectorType) else type


def _index(load: ocl.LoadOp) -> SSAValue:
    assert load.index is not None
    return load.index


def _shape(region: wg.ParallelOp) -> list[int] | None:
    """The sizes of a region whose body runs once for each work-item, where they are known."""
    sizes = [constant_index(size) for size in region.sizes]
    if region.step is not None or None in sizes:
        return None
    return cast("list[int]", sizes)


def _order(
    region: wg.ParallelOp, shape: Sequence[int], loads: list[ocl.LoadOp], tables: _Tables
) -> None:
    """Let the loads of a region read tables in the order of its local ids, x fastest."""
    first = Numbers(dict.fromkeys(region.local_ids, 0))
    loads = [load for load in loads if evaluate(_index(load), first) is not None]
    count = prod(shape)
    loads = [load for load in loads if tables.has_room(count * size_of(load.result.type))]
    if not loads:
        return
    found: dict[ocl.LoadOp, list[int]] = {load: [] for load in loads}
    for z, y, x in product(*(range(size) for size in reversed(shape))):
        numbers = Numbers(dict(zip(region.local_ids, (x, y, z), strict=True)))
        for load, places in found.items():
            place = evaluate(_index(load), numbers)
            # Of a division by zero, say: no work-item runs this.
            places.append(0 if place is None else place)
    top = Build(region, InsertPoint.at_start(region.body.block))
    place = _place(region, shape, top)
    for load, places in found.items():
        _replace(load, place, places, tables)
    erase_unused(region.body)


def _place(region: wg.ParallelOp, shape: Sequence[int], build: Build) -> SSAValue:
    """The number of a work-item of a region, x fastest."""
    place, *others = region.local_ids
    rows = shape[0]
    for id, size in zip(others, shape[1:], strict=True):
        if size > 1:
            place = build.add(place, build.mul(id, build.index(rows)))
        rows *= size
    return place


def _replace(load: ocl.LoadOp, place: SSAValue, places: list[int], tables: _Tables) -> None:
    address = _table_of(load)
    assert address is not None
    data = SymbolTable.lookup_symbol(load, address.symbol)
    assert isinstance(data, ocl.ConstantDataOp)
    old = list(cast(ArrayAttr[Attribute], data.value))
    # Work-items that a guard keeps from reading outside of the table have any element.
    elements = [old[at] if 0 <= at < len(old) else old[0] for at in places]
    type = load.result.type
    users = [use.operation for use in load.result.uses]
    build = Build(load)
    if not isinstance(type, VectorType) or not all(map(_is_component, users)):
        value = build.emit(ocl.LoadOp(tables.table(type, elements), place))
        Rewriter.replace_op(load, [], [value])
        return
    components: dict[int, SSAValue] = {}
    for user in cast("list[vector.ExtractOp]", users):
        component = user.static_position.get_values()[0]
        if component not in components:
            of_each = [cast(ArrayAttr[Attribute], one).data[component] for one in elements]
            table = tables.table(cast_element(type), of_each)
            components[component] = build.emit(ocl.LoadOp(table, place))
        Rewriter.replace_op(user, [], [components[component]])
    Rewriter.erase_op(load)


def _is_component(op: Operation) -> bool:
    """Whether an operation takes a component of a vector that is known."""
    return isinstance(op, vector.ExtractOp) and not op.dynamic_position
