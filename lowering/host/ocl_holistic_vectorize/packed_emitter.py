"""The body of a kernel for several work-items, with vectors for common operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import ocl, vec
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.host.coarsening.coarse_dependence import (
    ACCESSES,
    Access,
    KernelDependence,
    shared_loads,
)
from polycl.lowering.host.coarsening.coarse_emitter import SINGLE, CoarseEmitter
from polycl.lowering.host.coarsening.packing import Packing
from polycl.lowering.wg.merged_items.item_dependence import Axes
from polycl.lowering.wg.merged_items.item_emitter import ALL, Tiles

PACK = -3
"""The position of the vector of all work-items' values."""


class VectorEmitter(CoarseEmitter):
    """A packed value is one vector, bound to the position (ALL, PACK); others are unchanged.

    Vectors of separate values are built, and lanes of packed values extracted, at their uses.
    """

    def __init__(self, dependence: KernelDependence, block: Block, packing: Packing):
        super().__init__(dependence, block, packing.factor)
        self.packing = packing
        self._made: dict[tuple[SSAValue, Block], SSAValue] = {}

    # Values

    def bind(self, old: SSAValue, place: tuple[int, int], value: SSAValue) -> None:
        if place[1] == PACK:
            for number in self.tiles.vectors:
                self._values.pop((old, ALL, number), None)
        elif place[1] != SINGLE:
            self._values.pop((old, ALL, PACK), None)
        self._made = {key: made for key, made in self._made.items() if key[0] is not old}
        super().bind(old, place, value)

    def value(self, old: SSAValue, place: tuple[int, int]) -> SSAValue:
        if not self.dependence.of(old).vector or (old, ALL, place[1]) in self._values:
            return super().value(old, place)
        if place[1] == PACK:
            return self.packed(old)
        packed = self._values.get((old, ALL, PACK))
        return super().value(old, place) if packed is None else self._part(packed, old, place[1])

    def _part(self, packed: SSAValue, old: SSAValue, place: int) -> SSAValue:
        """One work-item's value out of a vector."""
        if not isinstance(old.type, VectorType):
            return self.emit(vector.ExtractOp(packed, [place], old.type))
        count = count_of(old.type)
        lanes = range(place * count, (place + 1) * count)
        return self._shuffled(packed, list(lanes), old.type)

    def _shuffled(self, source: SSAValue, lanes: Sequence[int], type: Attribute) -> SSAValue:
        order = {"mask": DenseArrayBase.from_list(i64, list(lanes))}
        shuffle = vector.ShuffleOp.create(
            operands=[source, source], result_types=[type], properties=order
        )
        return self.emit(shuffle)

    def packed(self, old: SSAValue) -> SSAValue:
        """The vector of all work-items' values."""
        packed = self._values.get((old, ALL, PACK))
        if packed is not None:
            return packed
        key = old, self.block
        if key not in self._made:
            self._made[key] = self._make(old)
        return self._made[key]

    def _make(self, old: SSAValue) -> SSAValue:
        type = self.packing.vector_type(old.type)
        assert type is not None
        first = self.value(old, (0, 0))
        if not self.dependence.of(old):
            return self._splat(first, type)
        stride = self.dependence.stride(old)
        if isinstance(stride, int) and isinstance(old.type, IntegerType):
            ints = VectorType(old.type, [self.packing.factor])
            steps = [stride * place for place in self.tiles.vectors]
            added = self.emit(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(ints, steps)))
            return self.add(self._splat(first, type), added)
        parts = [self.value(old, (0, place)) for place in self.tiles.vectors]
        return self.emit(ocl.ConcatOp(parts, type))

    def _splat(self, value: SSAValue, type: VectorType) -> SSAValue:
        if isinstance(value.type, VectorType):
            lanes = list(range(count_of(value.type))) * self.packing.factor
            return self._shuffled(value, lanes, type)
        if isinstance(value.owner, arith.ConstantOp):
            match value.owner.value:
                case IntegerAttr(type=IntegerType()) | FloatAttr() as number:
                    shape: Any = VectorType(number.type, type.get_shape())
                    splat = DenseIntOrFPElementsAttr.from_list(shape, [number.value.data])
                    return self.emit(arith.ConstantOp(splat))
                case _:
                    pass
        return self.emit(vector.BroadcastOp(value, type))

    # Block arguments and yielded values: a packed value once

    def _is_pack(self, old: SSAValue, tiles: Tiles) -> bool:
        return tiles == self.tiles and self.packing.is_packed(old)

    def _each(
        self, olds: Sequence[SSAValue], tiles: Tiles, axes: Sequence[Axes] | None = None
    ) -> list[tuple[SSAValue, tuple[int, int]]]:
        assert axes is None
        found: list[tuple[SSAValue, tuple[int, int]]] = []
        for old in olds:
            if self._is_pack(old, tiles):
                found.append((old, (ALL, PACK)))
            else:
                found += [(old, place) for place in tiles.places(self.dependence.of(old))]
        return found

    def _types(self, olds: Sequence[SSAValue], tiles: Tiles) -> list[Attribute]:
        types: list[Attribute] = []
        for old, place in self._each(olds, tiles):
            packed = self.packing.vector_type(old.type)
            types.append(packed if place[1] == PACK and packed is not None else old.type)
        return types

    def _flat(
        self, olds: Sequence[SSAValue], targets: Sequence[SSAValue], tiles: Tiles
    ) -> list[SSAValue]:
        values: list[SSAValue] = []
        for old, target in zip(olds, targets, strict=True):
            for _, place in self._each([target], tiles):
                at = (0, PACK) if place[1] == PACK else self._somewhere(place, tiles)
                values.append(self.packed(old) if at[1] == PACK else self.value(old, at))
        return values

    def _bind_results(
        self,
        results: Sequence[SSAValue],
        carried: Sequence[SSAValue],
        tiles: Tiles,
        values: Sequence[SSAValue],
    ) -> None:
        at = 0
        for result, arg in zip(results, carried, strict=True):
            width = len(self._each([arg], tiles))
            mine = values[at : at + width]
            at += width
            if self._is_pack(arg, tiles):
                self.bind(result, (ALL, PACK), mine[0])
            else:
                super()._bind_results([result], [arg], tiles, mine)

    # Operations

    def merge(self, op: Operation, tiles: Tiles) -> None:
        self.source = op
        if tiles == self.tiles and op not in self._done:
            if isinstance(op, ACCESSES) and self._access(op):
                return
            if op.results and self.packing.is_packed(op.results[0]) and not op.regions:
                self._together(op)
                return
        super().merge(op, tiles)

    def _together(self, op: Operation) -> None:
        """One operation on vectors."""
        type = self.packing.vector_type(op.results[0].type)
        assert type is not None
        operands = [self.packed(operand) for operand in op.operands]
        new = vec.form_of(op.__class__, operands[0].type).create(
            operands=operands,
            result_types=[type],
            properties=op.properties.copy(),
            attributes=op.attributes.copy(),
        )
        self.emit_void(new)
        self.bind(op.results[0], (ALL, PACK), new.results[0])

    def _access(self, op: Access) -> bool:
        """A load or store of consecutive elements, as one of a vector."""
        is_load = isinstance(op, ocl.LoadOp | ocl.VLoadOp)
        if not self.packing.is_continuous(op):
            return False
        if is_load and not self.packing.is_packed(op.result):
            return False
        old = op.result if is_load else op.value
        type = self.packing.vector_type(old.type)
        assert type is not None
        element = element_of(old.type)
        packed = None if is_load else self.packed(old)
        pointer = self.value(op.pointer, (0, 0))
        assert isinstance(pointer.type, ocl.PtrType)
        wanted = ocl.PtrType(element, pointer.type.space)
        if op.index is not None:
            index = self.value(op.index, (0, 0))
            if isinstance(op, ocl.VLoadOp | ocl.VStoreOp):
                index = self.product(index, count_of(old.type))
            pointer = self.emit(ocl.OffsetOp(pointer, index))
        if pointer.type != wanted:
            pointer = self.emit(ocl.CastOp(pointer, wanted))
        zero = self.index(0)
        if packed is None:
            load = self.emit(ocl.VLoadOp(pointer, zero, type))
            self.bind(old, (ALL, PACK), load)
        else:
            self.emit_void(ocl.VStoreOp(packed, pointer, zero))
        return True

    def _is_guard(self, op: scf.IfOp) -> bool:
        packs = any(
            isinstance(inner, ACCESSES) and self.packing.is_continuous(inner)
            for region in op.regions
            for inner in region.walk()
        )
        return packs and self.dependence.recomputed([op.cond]) is not None

    def _take_apart(self, op: scf.IfOp, tiles: Tiles) -> None:
        if tiles == self.tiles and self._select(op):
            return
        super()._take_apart(op, tiles)

    def _select(self, op: scf.IfOp) -> bool:
        """Execute both sides of a small branch, and select each work-item's results."""
        wanted = (op.cond, *op.results)
        if op not in self.packing.selected or not all(map(self.packing.is_packed, wanted)):
            return False
        loads = shared_loads(op, self.dependence)
        self._load_if_any(op, loads, self.tiles)
        for region in op.regions:
            self.merge_block(region.block, self.tiles)
        self.source = op
        condition = self.packed(op.cond)
        then, orelse = (terminator(region.block).operands for region in op.regions)
        for result, a, b in zip(op.results, then, orelse, strict=True):
            chosen = self._for_each_element(condition, count_of(result.type))
            taken = self.select(chosen, self.packed(a), self.packed(b))
            self.bind(result, (ALL, PACK), taken)
        self._done.difference_update(loads)
        return True

    def _for_each_element(self, condition: SSAValue, count: int) -> SSAValue:
        """The truth values of all work-items, each as often as its vector has elements."""
        if count == 1:
            return condition
        places = [place for place in range(self.packing.factor) for _ in range(count)]
        return self._shuffled(condition, places, VectorType(i1, [len(places)]))
