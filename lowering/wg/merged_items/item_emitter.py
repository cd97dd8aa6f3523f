"""The body of several tiles: each operation for each tile that has a value of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntAttr, IntegerAttr, NameLoc, StringAttr, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.dialects import wg
from polycl.dialects.ocl import UNROLL
from polycl.lowering.build import Build
from polycl.lowering.wg.merged_items.item_dependence import Axes, Dependence
from polycl.lowering.wg.merged_items.unrolled import is_unrolled

REGION = "wg.region"
"""Attribute of an access of memory: the number of the parallel region that it came from."""

ITEM = "wg.item"
"""Attribute of an access with REGION: for which of the tiles of one body it is."""

ALL = -1
"""The place of a value that is the same in all rows, or in all vectors."""


@dataclass(frozen=True)
class Tiles:
    """The rows and vectors that code is emitted for."""

    rows: tuple[int, ...]
    vectors: tuple[int, ...]

    def places(self, axes: Axes) -> Iterator[tuple[int, int]]:
        """The tiles that have values of their own, as (row, vector)."""
        for row in self.rows if axes.row else (ALL,):
            for vector in self.vectors if axes.vector else (ALL,):
                yield row, vector

    def apart(self, axes: Axes) -> Iterator[Tiles]:
        """The tiles in groups that agree along `axes`."""
        for row in [(row,) for row in self.rows] if axes.row else [self.rows]:
            for vector in [(v,) for v in self.vectors] if axes.vector else [self.vectors]:
                yield replace(self, rows=row, vectors=vector)


@cache
def _name_of(place: tuple[int, int]) -> StringAttr:
    """The name of a tile in locations."""
    row, vector = place
    return StringAttr(f"item {vector}" if row <= 0 else f"item {vector}.{row}")


class JamEmitter(Build):
    """Emits the body of a region for several tiles at once."""

    def __init__(self, dependence: Dependence, block: Block, tiles: Tiles):
        super().__init__(None, block)
        self.dependence = dependence
        self._all = tiles
        self._values: dict[tuple[SSAValue, int, int], SSAValue] = {}

    # Values

    def bind(self, old: SSAValue, place: tuple[int, int], value: SSAValue) -> None:
        value.name_hint = value.name_hint or old.name_hint
        self._values[(old, *place)] = value

    def value(self, old: SSAValue, place: tuple[int, int]) -> SSAValue:
        """What `old` is in one tile."""
        axes = self.dependence.of(old)
        row, vector = place
        key = (old, row if axes.row else ALL, vector if axes.vector else ALL)
        return self._values.get(key, old)

    def _each(
        self, olds: Sequence[SSAValue], tiles: Tiles, axes: Sequence[Axes] | None = None
    ) -> list[tuple[SSAValue, tuple[int, int]]]:
        """Each of `olds` with each of its places; `axes` are those of what it is passed to."""
        wanted = axes or [self.dependence.of(old) for old in olds]
        pairs = zip(olds, wanted, strict=True)
        return [(old, place) for old, own in pairs for place in tiles.places(own)]

    def _flat(
        self, olds: Sequence[SSAValue], targets: Sequence[SSAValue], tiles: Tiles
    ) -> list[SSAValue]:
        """The values of `olds`, in the places that `targets` have."""
        axes = [self.dependence.of(target) for target in targets]
        places = self._each(olds, tiles, axes)
        return [self.value(old, self._somewhere(place, tiles)) for old, place in places]

    @staticmethod
    def _somewhere(place: tuple[int, int], tiles: Tiles) -> tuple[int, int]:
        row, vector = place
        return (
            tiles.rows[0] if row == ALL else row,
            tiles.vectors[0] if vector == ALL else vector,
        )

    def _types(self, olds: Sequence[SSAValue], tiles: Tiles) -> list[Attribute]:
        return [old.type for old, _ in self._each(olds, tiles)]

    def _bind_all(self, olds: Sequence[SSAValue], tiles: Tiles, values: Sequence[SSAValue]) -> None:
        for (old, place), value in zip(self._each(olds, tiles), values, strict=True):
            self.bind(old, place, value)

    # Operations

    def merge_block(self, block: Block, tiles: Tiles) -> None:
        for op in block.ops:
            if op is not block.last_op:
                self.merge(op, tiles)

    def merge(self, op: Operation, tiles: Tiles) -> None:
        self.source = op
        if not op.regions:
            self._copies(op, tiles)
            return
        split = self.dependence.splits(op)
        match op:
            case scf.IfOp():
                for part in tiles.apart(split):
                    self._if(op, part)
            case scf.ForOp():
                for part in tiles.apart(split):
                    self._for(op, part)
            case scf.WhileOp():
                for part in tiles.apart(split):
                    self._while(op, part)
            case _:
                self._copies(op, tiles)

    def _copies(self, op: Operation, tiles: Tiles) -> None:
        for place in tiles.places(self.dependence.of_operation(op)):
            at = self._somewhere(place, tiles)
            new = type(op).create(
                operands=[self.value(operand, at) for operand in op.operands],
                result_types=[result.type for result in op.results],
                properties=op.properties.copy(),
                attributes=op.attributes.copy(),
                regions=[region.clone() for region in op.regions],
            )
            self.emit_void(new)
            if place != (ALL, ALL):
                # So that a report can tell the tiles apart.
                new.location = NameLoc(_name_of(at), op.location)
            if REGION in op.attributes:
                self._mark(new, place)
            for old, result in zip(op.results, new.results, strict=True):
                self.bind(old, place, result)

    def _mark(self, access: Operation, place: tuple[int, int]) -> None:
        """Say for which tile an access is, or nothing where it is for several."""
        item = access.attributes.pop(ITEM, IntAttr(0))
        assert isinstance(item, IntAttr)
        number = item.data
        for at, count in zip(place, (len(self._all.rows), len(self._all.vectors)), strict=True):
            if at == ALL and count > 1:
                del access.attributes[REGION]
                return
            number = number * count + max(at, 0)
        access.attributes[ITEM] = IntAttr(number)

    def _body(self, block: Block, old: Block, targets: Sequence[SSAValue], tiles: Tiles) -> Block:
        """`block` with the operations of `old`, which yields to what `targets` have become."""
        with self.inside(block):
            self.merge_block(old, tiles)
            self.emit_void(scf.YieldOp(*self._flat(terminator(old).operands, targets, tiles)))
        return block

    def _if(self, op: scf.IfOp, tiles: Tiles) -> None:
        regions = [
            Region(self._body(Block(), region.block, op.results, tiles))
            for region in op.regions
            if region.blocks
        ]
        condition = self._any(op.cond, tiles)
        orelse = regions[1] if len(regions) == 2 else None
        self.source = op
        new = scf.IfOp(condition, self._types(op.results, tiles), regions[0], orelse)
        self.emit_void(new)
        self._bind_all(op.results, tiles, new.results)

    def _for(self, op: scf.ForOp, tiles: Tiles) -> None:
        first = tiles.rows[0], tiles.vectors[0]
        bounds = [self.value(bound, first) for bound in (op.lb, op.ub, op.step)]
        old = op.body.block
        induction, *carried = old.args
        start = self._flat(op.iter_args, carried, tiles)
        block = Block(arg_types=[induction.type, *self._types(carried, tiles)])
        for place in tiles.places(self.dependence.of(induction)):
            self.bind(induction, place, block.args[0])
        self._bind_all(carried, tiles, block.args[1:])
        self._body(block, old, carried, tiles)
        self.source = op
        new = scf.ForOp(bounds[0], bounds[1], bounds[2], start, Region(block))
        if is_unrolled(op, len(tiles.rows) * len(tiles.vectors)):
            new.attributes[UNROLL] = IntegerAttr(-6, i32)
        self.emit_void(new)
        self._bind_results(op.results, carried, tiles, new.results)

    def _while(self, op: scf.WhileOp, tiles: Tiles) -> None:
        before, after = op.before_region.block, op.after_region.block
        condition = condition_of(op)
        start = self._flat(op.arguments, before.args, tiles)
        first = Block(arg_types=self._types(before.args, tiles))
        self._bind_all(before.args, tiles, first.args)
        with self.inside(first):
            self.merge_block(before, tiles)
            self.source = condition
            goes_on = self._any(condition.condition, tiles)
            self.emit_void(scf.ConditionOp(goes_on, *self._flat(condition.args, after.args, tiles)))
        second = Block(arg_types=self._types(after.args, tiles))
        self._bind_all(after.args, tiles, second.args)
        self._body(second, after, before.args, tiles)
        self.source = op
        new = scf.WhileOp(start, self._types(after.args, tiles), Region(first), Region(second))
        self.emit_void(new)
        self._bind_results(op.results, after.args, tiles, new.results)

    def _bind_results(
        self,
        results: Sequence[SSAValue],
        carried: Sequence[SSAValue],
        tiles: Tiles,
        values: Sequence[SSAValue],
    ) -> None:
        """The results of a loop may differ where what it carries does not: in the trip count."""
        flat = {}
        for (old, place), value in zip(self._each(carried, tiles), values, strict=True):
            flat[(old, *place)] = value
        for result, arg in zip(results, carried, strict=True):
            axes = self.dependence.of(arg)
            for row, vector in tiles.places(self.dependence.of(result)):
                at = self._somewhere((row, vector), tiles)
                key = (arg, at[0] if axes.row else ALL, at[1] if axes.vector else ALL)
                self.bind(result, (row, vector), flat[key])

    def _any(self, condition: SSAValue, tiles: Tiles) -> SSAValue:
        """The condition, or whether it holds for any tile of those that stay together."""
        places = list(tiles.places(self.dependence.of(condition)))
        if len(places) == 1:
            return self.value(condition, self._somewhere(places[0], tiles))
        assert isinstance(condition.owner, wg.AnyLaneOp)
        mask = condition.owner.mask
        masks = [self.value(mask, self._somewhere(place, tiles)) for place in places]
        return self.emit(wg.AnyLaneOp(reduce(self.or_, masks)))
