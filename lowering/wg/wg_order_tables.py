"""`wg-order-tables`: tables of the program lie in the order in which work-items read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, product
from math import prod
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import vector
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, IntegerType, ModuleOp, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from polycl.analysis.ocl.evaluate import Domain, evaluate
from polycl.analysis.ocl.integers import signed
from polycl.analysis.ocl.numbers import NUMBERS
from polycl.analysis.ocl.uniformity import Uniformity, constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointee_of
from polycl.dialects.vec import element_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused
from polycl.remarks import emit_remark

MOST_BYTES = 1 << 16
"""Of all new tables of a kernel: more would push its data out of the cache."""

Numbers: TypeAlias = Sequence[int | None]
"""A number of each work-item of a region; None where it is undefined, as by a division by zero."""


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
                message = f"loads from tables in the order of work-items: {tables.ordered}"
                emit_remark(function, self.name, message)


class _Tables:
    """The new tables of a kernel."""

    def __init__(self, module: ModuleOp, function: wg.FuncOp):
        self._module = module
        self._function = function
        self._known: dict[tuple[str, tuple[int, ...], int | None], SSAValue] = {}
        self._names = (f"ordered_{i}" for i in count())
        self._bytes = 0
        self.ordered = 0

    def has_room(self, added: int) -> bool:
        if self._bytes + added > MOST_BYTES:
            return False
        self._bytes += added
        self.ordered += 1
        return True

    def ordered_table(
        self, load: ocl.LoadOp, places: tuple[int, ...], component: int | None = None
    ) -> SSAValue:
        """A pointer to the first element of a table of those at `places` in what `load` reads, or
        of a component of each."""
        address = _table_of(load)
        assert address is not None
        key = (address.symbol.string_value(), places, component)
        if key not in self._known:
            data = SymbolTable.lookup_symbol(load, address.symbol)
            assert isinstance(data, ocl.ConstantDataOp)
            old = cast(ArrayAttr[Attribute], data.value).data
            # Work-items that a guard keeps from reading outside of the table have any element.
            elements = [old[at if 0 <= at < len(old) else 0] for at in places]
            type = load.result.type
            if component is not None:
                elements = [cast(ArrayAttr[Attribute], one).data[component] for one in elements]
                type = element_of(type)
            self._known[key] = self._table(type, elements)
        return self._known[key]

    def _table(self, type: Attribute, elements: Sequence[Attribute]) -> SSAValue:
        taken = {op.sym_name.data for op in functions_of(self._module, ocl.ConstantDataOp)}
        name = next(name for name in self._names if name not in taken)
        array = ocl.ArrayType(len(elements), type)
        data = ocl.ConstantDataOp(name, array, ArrayAttr(elements))
        Rewriter.insert_op(data, InsertPoint.before(self._function))
        top = Build(self._function, InsertPoint.at_start(self._function.body.block))
        address = top.emit(ocl.AddressOfOp(name, ocl.PtrType(array, ocl.AddressSpace.CONSTANT)))
        first = ocl.PtrType(type, ocl.AddressSpace.CONSTANT)
        return top.emit(ocl.CastOp(address, first))


def _loads_in(region: wg.ParallelOp) -> list[ocl.LoadOp]:
    return [op for op in operations_of(region.body, ocl.LoadOp) if _table_of(op) is not None]


def _table_of(load: ocl.LoadOp) -> ocl.AddressOfOp | None:
    """The table of numbers, or of vectors of them, of which `load` reads an element."""
    if load.volatile is not None or load.index is None:
        return None
    first = load.pointer.owner
    address = first.pointer.owner if isinstance(first, ocl.CastOp) else None
    if not isinstance(address, ocl.AddressOfOp):
        return None
    table, type = pointee_of(address.result), load.result.type
    if not isinstance(table, ocl.ArrayType) or table.element != type:
        return None
    return address if isinstance(element_of(type), IntegerType | AnyFloat) else None


def _index(load: ocl.LoadOp) -> SSAValue:
    assert load.index is not None
    return load.index


def _shape(region: wg.ParallelOp) -> list[int] | None:
    """The sizes of a region whose body runs once for each work-item, where they are known."""
    sizes = [constant_index(size) for size in region.sizes]
    if region.step is not None or None in sizes:
        return None
    return cast("list[int]", sizes)


class _OfAll(Domain[Numbers]):
    """The values of integers for all work-items of a region, x fastest; none for others."""

    def __init__(self, region: wg.ParallelOp, shape: Sequence[int]):
        super().__init__()
        self._count = prod(shape)
        ids = zip(*product(*(range(size) for size in reversed(shape))), strict=True)
        self.known.update(zip(reversed(region.local_ids), ids, strict=True))

    def number(self, number: int, value: SSAValue) -> Numbers | None:
        return (signed(number, value.type),) * self._count

    def opaque(self, value: SSAValue) -> Numbers:
        return ()

    rules = {
        kind: lambda domain, op, *operands, rule=rule: [
            None if None in numbers else rule(domain, op, *numbers) for numbers in zip(*operands)
        ]
        for kind, rule in NUMBERS.items()
    }


def _order(
    region: wg.ParallelOp, shape: Sequence[int], loads: list[ocl.LoadOp], tables: _Tables
) -> None:
    """Let the loads of a region read tables in the order of its local ids, x fastest."""
    domain = _OfAll(region, shape)
    place: SSAValue | None = None
    for load in loads:
        numbers = evaluate(_index(load), domain)
        places = tuple(number for number in numbers if number is not None)
        if (
            places
            and len(places) == len(numbers)
            and tables.has_room(len(places) * size_of(load.result.type))
        ):
            if place is None:
                top = Build(region, InsertPoint.at_start(region.body.block))
                place = _place(region, shape, top)
            _replace(load, place, places, tables)
    if place is not None:
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


def _replace(load: ocl.LoadOp, place: SSAValue, places: tuple[int, ...], tables: _Tables) -> None:
    """Read the element from a new table, or each component that is used from one of its own."""
    type = load.result.type
    users = [use.operation for use in load.result.uses]
    build = Build(load)
    if not isinstance(type, VectorType) or not all(map(_is_component, users)):
        value = build.emit(ocl.LoadOp(tables.ordered_table(load, places), place))
        Rewriter.replace_op(load, [], [value])
        return
    components: dict[int, SSAValue] = {}
    for user in cast("list[vector.ExtractOp]", users):
        component = user.static_position.get_values()[0]
        if component not in components:
            table = tables.ordered_table(load, places, component)
            components[component] = build.emit(ocl.LoadOp(table, place))
        Rewriter.replace_op(user, [], [components[component]])
    Rewriter.erase_op(load)


def _is_component(op: Operation) -> bool:
    """Whether an operation takes a component of a vector that is known."""
    return isinstance(op, vector.ExtractOp) and not op.dynamic_position
