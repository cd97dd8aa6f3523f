"""`wg-compact-trees`: each level of a tree stores its results side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import AnyFloat, IntegerType, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.parents import parents
from polycl.lowering.build import Build
from polycl.remarks import emit_remark
from polycl.symbolic import integer

_Access = ocl.LoadOp | ocl.StoreOp
_Memory: TypeAlias = ocl.LocalAllocOp | ocl.AllocaOp


@dataclass(frozen=True)
class WgCompactTreesPass(ModulePass):
    """Store side by side what regions leave at each second, fourth, ... element of an array.

    ```
    wg.parallel (%x, ...) in (64, 1, 1) {      wg.parallel (%x, ...) in (64, 1, 1) {
      %t[2 * %x] += %t[2 * %x + 1]               %u[%x] = %t[2 * %x] + %t[2 * %x + 1]
    }                                     ->   }
    wg.parallel (%x, ...) in (32, 1, 1) {      wg.parallel (%x, ...) in (32, 1, 1) {
      %t[4 * %x] += %t[4 * %x + 2]               %v[%x] = %u[2 * %x] + %u[2 * %x + 1]
    }                                          }
    ```

    The distance of what a level adds grows from level to level, and vectors would gather it; now it
    is always the same, and what is stored is in a row. All work-items of a region store, and all
    that is read of the array afterwards is what they have stored: with loops of known steps
    unrolled (`wg-unroll-steps`), indices are sums of a multiple of the local id and a number. The
    arrays are those in local memory and those across barriers.
    """

    name = "wg-compact-trees"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for memory in operations_of(function.body, ocl.LocalAllocOp, ocl.AllocaOp):
                element = _element_of(memory) if memory.parent_op() is function else None
                places = None if element is None else _places(memory, element)
                if element is not None and places:
                    _compact(memory, element, places)


@dataclass
class _Place:
    """An access to the element `factor * x + number`, where x is the id in a region."""

    op: _Access
    region: wg.ParallelOp
    factor: int
    number: int
    array: SSAValue | None = None
    """The array that it is moved to."""

    @property
    def items(self) -> int:
        return constant_index(self.region.sizes[0]) or 0

    @property
    def last(self) -> int:
        return self.factor * (self.items - 1) + self.number

    def stores_each(self) -> bool:
        """Whether each work-item stores."""
        is_store = isinstance(self.op, ocl.StoreOp)
        is_always = isinstance(self.region.parent_op(), wg.FuncOp)
        return is_store and is_always and self.op.parent is self.region.body.block

    def is_stored_by(self, store: _Place) -> bool:
        """Whether it accesses nothing but what a region has stored."""
        distance = self.number - store.number
        # The factor of the only id, 0, does not matter.
        is_multiple = self.items == 1 or self.factor % store.factor == 0
        is_multiple = is_multiple and distance % store.factor == 0
        first, last = sorted((self.number, self.last))
        return is_multiple and first >= store.number and last <= store.last


def _element_of(memory: _Memory) -> Attribute | None:
    type = ocl.pointee_of(memory.result)
    if isinstance(type, ocl.ArrayType) and isinstance(type.element, AnyFloat | IntegerType):
        return type.element
    return None


def _places(memory: _Memory, element: Attribute) -> list[_Place] | None:
    """All accesses to an array, in the order of their regions; None if some are not known."""
    found: list[_Place] = []
    for cast in memory.result.uses:
        if not isinstance(cast.operation, ocl.CastOp):
            return None
        if ocl.pointee_of(cast.operation.result) != element:
            return None
        for use in cast.operation.result.uses:
            op = use.operation
            if not isinstance(op, _Access) or op.pointer is not cast.operation.result:
                return None
            place = None if op.volatile is not None else _place(op)
            if place is None:
                return None
            found.append(place)
    function = memory.parent_op()
    assert isinstance(function, wg.FuncOp)
    order = {op: number for number, op in enumerate(function.body.block.ops)}
    return sorted(found, key=lambda place: order[_of_function(place.region)])


def _of_function(op: Operation) -> Operation:
    """The operation of the function's own that `op` is or is in."""
    return next(up for up in (op, *parents(op)) if isinstance(up.parent_op(), wg.FuncOp))


def _place(op: _Access) -> _Place | None:
    region = next((up for up in parents(op) if isinstance(up, wg.ParallelOp)), None)
    if region is None or region.step is not None:
        return None
    # Groups at a border may have another version.
    if not all(isinstance(up, scf.IfOp | wg.FuncOp | ModuleOp) for up in parents(region)):
        return None
    sizes = [constant_index(size) for size in region.sizes]
    if sizes[0] is None or sizes[1:] != [1, 1]:
        return None
    x, y, z = region.local_ids
    ranges: dict[SSAValue, range] = {x: range(sizes[0]), y: range(1), z: range(1)}
    index: Linear = integer(0) if op.index is None else linear(op.index, ranges)
    factors = {value: f for value, f in index.factors.items() if value not in region.local_ids[1:]}
    if set(factors) - {region.local_ids[0]}:
        return None
    return _Place(op, region, factors.get(region.local_ids[0], 0), index.number)


def _compact(memory: _Memory, element: Attribute, places: Sequence[_Place]) -> None:
    """Give what one region after the other stores an array of its own."""
    for region in dict.fromkeys(place.region for place in places):
        here = [place for place in places if place.region is region]
        stores = [place for place in here if isinstance(place.op, ocl.StoreOp)]
        later = places[places.index(here[-1]) + 1 :]
        if len(stores) != 1 or not later:
            continue
        (store,) = stores
        if store.factor < 2 or not store.stores_each():
            continue
        if not all(place.is_stored_by(store) for place in later):
            continue
        if any(_is_after(place.op, store.op) for place in here if place is not store):
            continue
        build = Build(memory)
        array = build.emit(type(memory)(ocl.ArrayType(store.items, element)))
        array.name_hint = memory.result.name_hint
        pointer = build.emit(ocl.CastOp(array, ocl.pointer_type(store.op.pointer)))
        factor, number = store.factor, store.number
        for place in (store, *later):
            place.factor //= factor
            place.number = (place.number - number) // factor
            place.array = pointer
        emit_remark(region, WgCompactTreesPass.name, f"{store.items} results side by side")
    for place in places:
        if place.array is not None:
            _move(place, place.array)


def _is_after(op: _Access, store: _Access) -> bool:
    """Whether a work-item may read what it has stored before."""
    after = store.next_op
    while after is not None:
        if after.is_ancestor(op):
            return True
        after = after.next_op
    return False


def _move(place: _Place, array: SSAValue) -> None:
    build, op = Build(place.op), place.op
    index = build.index(place.number)
    if place.factor:
        id = place.region.local_ids[0]
        scaled = id if place.factor == 1 else build.mul(id, build.index(place.factor))
        index = build.add(scaled, index) if place.number else scaled
    is_load = isinstance(op, ocl.LoadOp)
    new = ocl.LoadOp(array, index) if is_load else ocl.StoreOp(op.value, array, index)
    build.emit_void(new)
    Rewriter.replace_op(op, [], new.results)
