"""An estimate of the run time of a pattern program, which orders the candidates.

It counts memory traffic, operations and loads (vectors by their registers), the latency of
accumulators, work-items and work-groups, barriers and launches. Patterns that are not lowered yet
count as sequential. The measured time decides between candidates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from polycl.dialects.pattern import (
    ArrayType,
    AtOp,
    FilterOp,
    GatherOp,
    GenerateOp,
    GetOp,
    IterateOp,
    MapBase,
    MapGlobalOp,
    MapLocalOp,
    MapOp,
    MapSeqOp,
    MapWorkgroupOp,
    PadOp,
    ReduceBase,
    ScatterOp,
    SortOp,
    ToMemoryBase,
    TupleOp,
    UnzipOp,
    VectOp,
    YieldOp,
)
from polycl.dialects.pattern.types import width_of
from polycl.runtime.pattern.explore.accesses import (
    Buffer,
    Index,
    Loop,
    Parts,
    Place,
    Sizes,
    Value,
    View,
    anywhere,
    index_of,
    is_view,
    new_array,
    scalar_bytes,
    view_of,
)
from polycl.runtime.pattern.explore.draft import size_of
from polycl.runtime.pattern.explore.machines import Machine

_COSTS = {
    "arith.constant": 0.0,
    "arith.divf": 8.0,
    "arith.divsi": 20.0,
    "arith.divui": 20.0,
    "arith.remsi": 20.0,
    "arith.remui": 20.0,
    "math.absf": 0.5,
    "math.sqrt": 8.0,
}
"""Instructions for an operation; 1 for others of `arith`, 20 for others of `math`."""

_EXACT = (
    arith.MaximumfOp,
    arith.MinimumfOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.AddiOp,
    arith.MuliOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
)
"""What gives the same result in any order."""

_MOVE = 8.0
"""Instructions for each element of a scatter, a filter or a sort."""

MovingOp = ScatterOp | FilterOp | SortOp


_PAGE, _LARGE = 1 << 12, 1 << 22
"""Bytes of a page, and of an array that is in no cache."""


@dataclass
class _Work:
    """The cost of one execution of code by one work-item."""

    instructions: float = 0.0
    loads: float = 0.0
    waits: float = 0.0
    """Issue slots that are lost while an accumulator waits for its last value."""
    barriers: float = 0.0

    def add(self, other: _Work, times: float = 1.0) -> None:
        self.instructions += other.instructions * times
        self.loads += other.loads * times
        self.waits += other.waits * times
        self.barriers += other.barriers * times

    @property
    def slots(self) -> float:
        return max(self.instructions + self.loads, self.waits)


@dataclass
class _Traffic:
    """The arrays in memory that a kernel reads or writes, and how."""

    touched: dict[Buffer, float] = field(default_factory=dict)
    """Bytes."""
    streams: dict[Buffer, int] = field(default_factory=dict[Buffer, int])
    """For large arrays the number of parts that the work-items of a group traverse together."""

    def touch(self, buffer: Buffer, bytes: float) -> None:
        known = self.touched.get(buffer, 0.0)
        # Repeated reads hit a cache, at least in part.
        self.touched[buffer] = min(known + bytes, max(known, bytes, 1.5 * buffer.bytes))


def estimate(function: FuncOp, sizes: Sizes, machine: Machine) -> float:
    """Seconds for a run with these values of the size variables."""
    return _Estimate(dict(sizes), machine).function(function)


class _Estimate:
    def __init__(self, sizes: dict[str, int], machine: Machine):
        self._sizes = sizes
        self._machine = machine
        self._values: dict[SSAValue, Value] = {}
        self._traffic = _Traffic()
        self._loops: list[Loop] = []

    def function(self, function: FuncOp) -> float:
        for arg in function.body.block.args:
            self._values[arg] = self._new(arg.type)
        seconds = 0.0
        for op in function.body.block.ops:
            self._traffic = _Traffic()
            work, groups, items = self._kernel(op)
            if work is not None:
                seconds += self._seconds(work, groups, items)
        return seconds

    def _new(self, type: Attribute) -> Value:
        """An argument or a result, in memory of its own if it is an array."""
        if not isinstance(type, ArrayType):
            return None
        return new_array(type, self._sizes, resident=bool(self._loops))

    def _kernel(self, op: Operation) -> tuple[_Work | None, int, int]:
        """The work of one group, and the numbers of groups and of all work-items."""
        match op:
            case MapWorkgroupOp():
                work, groups = self._inside(op, "workgroup")
                # A second dimension of groups.
                inner = [o for o in op.body.block.ops if isinstance(o, MapWorkgroupOp)]
                more = math.prod(self._trips(o) for o in inner)
                items = max((self._local_items(op.body)), 1)
                scaled = _Work()
                scaled.add(work, 1 / more)
                return scaled, groups * more, groups * more * items
            case MapGlobalOp():
                work, count = self._inside(op, "global")
                size = min(256, count)
                together = _Work()
                together.add(work, size)
                return self._across_items(op.body, together, size), -(-count // size), count
            case _ if self._computes(op):
                work = _Work()
                self._op(op, work)
                return work, 1, 1
            case _:
                self._op(op, _Work())
                return None, 0, 0

    def _seconds(self, work: _Work, groups: int, items: int) -> float:
        machine = self._machine
        rounds = -(-groups // machine.units)
        compute = rounds * (work.slots / machine.clock + work.barriers * machine.barrier_seconds)
        filled = min(1.0, max(items, 1) / machine.items_to_fill)
        # One unit reaches much of the bandwidth of a CPU, and little of that of a GPU.
        share = filled if machine.is_gpu else max(filled, 0.5) * self._prefetched()
        memory = sum(self._traffic.touched.values()) / (machine.bandwidth * share)
        starts = groups * machine.group_seconds / machine.units
        return machine.launch_seconds + max(compute, memory) + 0.1 * min(compute, memory) + starts

    def _prefetched(self) -> float:
        """The share of the bandwidth that a core's prefetchers reach; they work within pages."""
        return min(1.0, 0.7 + 0.075 * sum(self._traffic.streams.values()))

    @staticmethod
    def _computes(op: Operation) -> bool:
        if isinstance(op, MapOp) and is_view(op):
            return False
        return isinstance(op, MapBase | ReduceBase | IterateOp | GenerateOp | MovingOp)

    def _trips(self, op: MapBase | ReduceBase | MovingOp) -> int:
        assert isinstance(op.input.type, ArrayType)
        return op.input.type.size.evaluate(self._sizes)

    def _local_items(self, region: Region) -> int:
        counts = [
            self._trips(op)
            for op in region.walk()
            # The iterations of an `iterate` have sizes of their own.
            if isinstance(op, MapLocalOp) and set(size_of(op).variables) <= self._sizes.keys()
        ]
        return min(max(counts, default=1), self._machine.max_local_size)

    # ---- loops ----

    def _inside(self, op: MapBase, kind: str) -> tuple[_Work, int]:
        """The work of one iteration, and their number."""
        loop = Loop(self._trips(op), kind)
        work = _Work()
        self._loops.append(loop)
        element = self._element(op.input, loop, work)
        self._bind(op.element_args, element)
        self._block(op.body.block, work)
        self._loops.pop()
        self._values[op.result] = self._new(op.result.type)
        self._store(op, work)
        return work, loop.trips

    def _element(self, array: SSAValue, loop: Loop, work: _Work) -> Value:
        view = self._values.get(array)
        if not isinstance(view, View):
            return None
        element = view.at(index_of(loop))
        self._load(element, work)
        return element

    def _load(self, value: Value, work: _Work) -> None:
        match value:
            case Place():
                work.loads += self._access(value)
            case Parts():
                for part in value.values:
                    self._load(part, work)
            case _:
                return

    def _access(self, place: Place) -> float:
        """The instructions of a load or a store; adds its bytes to the memory traffic."""
        buffer, bytes = place.buffer, place.width * place.buffer.element_bytes
        times = math.prod(loop.trips for loop in self._loops)
        pieces = max(1.0, bytes / (4 * self._machine.lanes))
        if place.index is None:
            self._touch(buffer, times * bytes * 4)
            return 4.0 * place.width
        start = place.index({})
        steps = {loop: abs(place.index({loop: 1}) - start) for loop in self._loops}
        moving = [loop for loop in self._loops if loop.trips > 1 and steps[loop]]
        shared = any(loop.kind in ("local", "global") for loop in self._loops)
        # Within a line of 64 bytes, of this work-item's next iteration or of the next work-item.
        near = any(
            steps[loop] * buffer.element_bytes <= max(bytes, 32)
            for loop in moving
            # So many work-items of a GPU share a cache that no line stays until the next iteration.
            if loop.kind in ("local", "global") or not (shared and self._machine.is_gpu)
        )
        wasted = 1.0 if near or not moving else max(1.0, 64 / bytes)
        if buffer.bytes >= _LARGE:
            far = (
                loop.trips
                for loop in moving
                if loop.kind == "rows" and steps[loop] * buffer.element_bytes >= _PAGE
            )
            self._traffic.streams[buffer] = math.prod(far)
        distinct = math.prod(loop.trips for loop in moving)
        self._touch(buffer, distinct * bytes * wasted)
        if place.width > 1:
            return 0.5 * pieces
        local = [loop for loop in self._loops if loop.kind in ("local", "global")]
        if local and steps[local[-1]] not in (0, 1):
            # Accesses of lanes that are not consecutive are separate.
            return 1.0 * self._machine.lanes
        return 0.5

    def _touch(self, buffer: Buffer, bytes: float) -> None:
        if not (buffer.resident and buffer.bytes <= 1 << 18):
            self._traffic.touch(buffer, bytes)

    def _store(self, op: MapBase, work: _Work) -> None:
        """The writes of the values that a map's function yields, once for each element."""
        type = op.result.type
        assert isinstance(type, ArrayType)
        if isinstance(type.element_type, ArrayType):
            return
        view = self._values[op.result]
        if isinstance(view, View):
            loop = Loop(self._trips(op), "local" if isinstance(op, MapLocalOp) else "seq")
            self._loops.append(loop)
            self._load(view.at(index_of(loop)), work)
            self._loops.pop()

    def _bind(self, args: Sequence[SSAValue], value: Value) -> None:
        if len(args) == 1:
            self._values[args[0]] = value
            return
        parts = value.values if isinstance(value, Parts) else (None,) * len(args)
        self._values.update(zip(args, parts, strict=True))

    def _block(self, block: Block, work: _Work) -> None:
        for op in block.ops:
            self._op(op, work)

    # ---- operations ----

    def _op(self, op: Operation, work: _Work) -> None:
        view = view_of(op, [self._values.get(value) for value in op.operands], self._sizes)
        if view is not None:
            self._values[op.results[0]] = view
            return
        match op:
            case MapOp() if is_view(op):
                self._values[op.result] = self._rearranged(op)
            case MapBase():
                self._map(op, work)
            case ReduceBase():
                self._reduce(op, work)
            case IterateOp():
                self._iterate(op, work)
            case ScatterOp() | FilterOp() | SortOp():
                work.instructions += _MOVE * self._trips(op)
                for result in op.results:
                    self._values[result] = self._new(result.type)
            case VectOp():
                self._block(op.body.block, work)
            case ToMemoryBase():
                self._values[op.results[0]] = self._values.get(op.operands[0])
            case UnzipOp():
                self._unzip(op)
            case GetOp():
                value = self._values.get(op.operands[0])
                if isinstance(value, Parts):
                    self._values[op.results[0]] = value.values[op.part]
            case TupleOp():
                values = tuple(self._values.get(value) for value in op.operands)
                self._values[op.results[0]] = Parts(values)
            case AtOp():
                array = self._values.get(op.input)
                if isinstance(array, View):
                    self._values[op.results[0]] = self._scattered(array, work)
            case GatherOp():
                array = self._values.get(op.input)
                if isinstance(array, View):
                    assert isinstance(op.result.type, ArrayType)
                    size = op.result.type.size.evaluate(self._sizes)
                    self._values[op.result] = View(size, lambda _: anywhere(array))
            case GenerateOp():
                self._values[op.result] = self._new(op.result.type)
            case PadOp():
                array = self._values.get(op.operands[0])
                type = op.results[0].type
                assert isinstance(type, ArrayType)
                if isinstance(array, View):
                    self._values[op.results[0]] = View(type.size.evaluate(self._sizes), array.at)
            case YieldOp():
                return
            case _:
                self._scalar(op, work)

    def _rearranged(self, op: MapOp) -> Value:
        array = self._values.get(op.input)
        if not isinstance(array, View):
            return None

        def element(index: Index) -> Value:
            self._bind(op.element_args, array.at(index))
            self._block(op.body.block, _Work())
            return self._values.get(op.yielded[0])

        return View(array.size, element)

    def _map(self, op: MapBase, work: _Work) -> None:
        kind = {MapLocalOp: "local", MapWorkgroupOp: "workgroup", MapGlobalOp: "global"}.get(
            type(op), "seq"
        )
        if isinstance(op, MapLocalOp) and op.dimension:
            kind = "rows"
        body, trips = self._inside(op, kind)
        total = _Work()
        total.add(body, trips)
        if kind in ("workgroup", "global"):
            # What is computed before, for a row of groups or work-items, each of them computes.
            work.add(work, trips - 1)
        if kind == "rows":
            total.waits /= min(8, trips)
        elif isinstance(op, MapLocalOp):
            total = self._across_items(op.body, total, trips)
            total.barriers += 1
        elif not (isinstance(op, MapSeqOp) and op.unroll is not None):
            total.instructions += trips
        work.add(total)

    def _across_items(self, body: Region, total: _Work, items: int) -> _Work:
        """The work of `items` work-items of a group, executed in vectors or warps."""
        lanes = self._machine.lanes
        if not self._machine.is_gpu and any(_is_wide(op) for op in body.walk()):
            # A CPU does not make vectors of vectors.
            lanes = 1
        together = min(lanes, items)
        registers = max(1, min(8, items // together))
        return _Work(
            total.instructions / together,
            total.loads / together,
            # The latencies of several vectors of work-items overlap.
            total.waits / together / registers,
            total.barriers / items,
        )

    def _reduce(self, op: ReduceBase, work: _Work) -> None:
        trips = self._trips(op)
        unrolled = op.properties.get("unroll") is not None
        loop = Loop(trips, "unroll" if unrolled else "seq")
        body = _Work()
        self._loops.append(loop)
        self._bind(op.element_args, self._element(op.input, loop, body))
        for arg in op.accumulator_args:
            self._values[arg] = self._new(arg.type)
        self._block(op.body.block, body)
        self._loops.pop()
        if not unrolled:
            body.instructions += 1
        body.waits = max(body.waits, self._machine.latency)
        work.add(body, trips / self._machine.lanes if self._is_made_a_vector(op) else trips)
        self._values[op.result] = self._new(op.result.type)

    def _is_made_a_vector(self, op: ReduceBase) -> bool:
        """Whether the compiler of a CPU may change the order: no work-items are vectors there, and
        the result is the same in any order."""
        if self._machine.is_gpu or any(loop.kind in ("local", "global") for loop in self._loops):
            return False
        steps = [o for o in op.body.block.ops if not isinstance(o, YieldOp)]
        accumulated = [o for o in steps if set(o.operands) & set(op.accumulator_args)]
        return (
            len(accumulated) == 1
            and isinstance(accumulated[0], _EXACT)
            and all(o.name.startswith("arith.") and not _is_wide(o) for o in steps)
        )

    def _iterate(self, op: IterateOp, work: _Work) -> None:
        assert isinstance(op.input.type, ArrayType)
        size, sizes = op.input.type.size.evaluate(self._sizes), self._sizes
        value = self._values.get(op.input)
        for _ in range(op.n.evaluate(sizes)):
            if op.symbol is not None:
                size //= op.factor.value
                self._sizes = {**sizes, op.symbol.data: size}
            self._values[op.arg] = value
            self._block(op.body.block, work)
            value = self._values.get(op.yielded[0])
        self._sizes = sizes
        self._values[op.result] = value

    def _unzip(self, op: UnzipOp) -> None:
        view = self._values.get(op.operands[0])
        if not isinstance(view, View):
            return

        def part(element: Value, number: int) -> Value:
            return element.values[number] if isinstance(element, Parts) else None

        for number, result in enumerate(op.results):
            self._values[result] = View(view.size, lambda i, n=number: part(view.at(i), n))

    def _scattered(self, array: View, work: _Work) -> Value:
        value = anywhere(array)
        self._load(value, work)
        return value

    def _scalar(self, op: Operation, work: _Work) -> None:
        if not op.results:
            return
        cost = _COSTS.get(op.name, 20.0 if op.name.startswith("math.") else 1.0)
        type = op.results[0].type
        width = max(_vect_width(op), width_of(type) or 1)
        work.instructions += cost * max(1.0, width * scalar_bytes(type) / (4 * self._machine.lanes))


def _is_wide(op: Operation) -> bool:
    return any(isinstance(value.type, VectorType) for value in op.results) or isinstance(op, VectOp)


def _vect_width(op: Operation) -> int:
    parent = op.parent_op()
    return parent.width if isinstance(parent, VectOp) else 1
