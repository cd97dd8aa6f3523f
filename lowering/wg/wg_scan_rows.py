"""`wg-scan-rows`: loops that store what they carry, such as running sums, are of vectors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.addresses import address_of, are_apart
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.dialects.vec import vector_of, width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused
from polycl.lowering.wg.before_vectors import Access
from polycl.lowering.wg.loop_rows import LoopRows, computed_in, is_element, is_row, whole_rows
from polycl.lowering.wg.wg_vectorize.shuffles import shuffled
from polycl.remarks import emit_remark

_MOST_LANES = 16
"""Twice as many elements take a step more."""


@dataclass(frozen=True)
class WgScanRowsPass(ModulePass):
    """Compute what a loop carries, and stores, for 8 or 16 iterations at once.

    ```
    %r = scf.for %i = %a to %b step %c1 iter_args(%s = %init) {
      %e = ocl.load %x[%i]
      %t = arith.addi %s, %e
      ocl.store %t, %out[%i]
      scf.yield %t
    }
    ```

    becomes a loop over whole vectors, and the same loop for the rest. In a vector, element i is
    combined with element i - 1, the result with that of i - 2, then of i - 4 and of i - 8. What is
    carried is combined with all of them at last, so that an iteration waits for one operation of
    the one before, not for sixteen. All else in the loop is done element by element.

    Operations that give the same in any order are taken: on integers, `maximumf` and `minimumf`;
    and sums and products of floats with `fastmath<reassoc>`, which scans of patterns have.
    `maximumf` orders zeros by their signs, and gives NaN for NaN, which takes several instructions:
    it is a maximum of integers between keys, floats whose bits are ordered as the floats are.

    Loads and stores go along rows, by one element in each iteration. With `distinct`, buffers of
    different parameters do not overlap: the launch checks it. Loops whose values `wg-vectorize` has
    made vectors stay.
    """

    name = "wg-scan-rows"

    distinct: bool = False
    register_bits: int = 512

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.ForOp):
            scan = _scan_of(loop, self.distinct)
            if scan is None:
                continue
            widest = max(width_of(arg.type) for arg in scan.combinations)
            lanes = min(_MOST_LANES, self.register_bits // widest)
            count = trip_count(loop)
            if count is None or count >= lanes:
                emit_remark(loop, self.name, f"scanned by vectors of {lanes}")
                _Vectors(scan, lanes).emit()


# What is combined


@dataclass(frozen=True)
class _Combination:
    """An operation that may be done in any order, as one on what `encode` makes of its operands."""

    kind: type[Operation]
    neutral: Callable[[int], float]
    """What changes nothing; of a number of bits."""
    nan: float | None = None
    """The largest or least of floats: a NaN with the sign that makes its key so, too."""

    def encode(self, build: Build, x: SSAValue) -> SSAValue:
        """Floats as integers in the same order: those below zero have their other bits inverted."""
        if self.nan is None:
            return x
        some = build.bits(build.constant(self.nan, x.type))
        return self._turned(build, build.select(build.is_nan(x), some, build.bits(x)))

    def decode(self, build: Build, x: SSAValue, type: Attribute) -> SSAValue:
        return x if self.nan is None else build.from_bits(self._turned(build, x), type)

    def _turned(self, build: Build, bits: SSAValue) -> SSAValue:
        width = width_of(bits.type)
        below = build.shr(bits, width - 1, signed=True)
        others = build.constant((1 << (width - 1)) - 1, bits.type)
        return build.xor(bits, build.and_(below, others))


def _smallest(width: int) -> int:
    return -1 << (width - 1)


def _largest(width: int) -> int:
    return (1 << (width - 1)) - 1


_COMBINATIONS = {
    kind: _Combination(kind, neutral)
    for kind, neutral in (
        (arith.AddiOp, lambda _: 0),
        (arith.MuliOp, lambda _: 1),
        (arith.AndIOp, lambda _: -1),
        (arith.OrIOp, lambda _: 0),
        (arith.XOrIOp, lambda _: 0),
        (arith.MaxSIOp, _smallest),
        (arith.MinSIOp, _largest),
        (arith.MaxUIOp, lambda _: 0),
        (arith.MinUIOp, lambda _: -1),
        # 0.0 would change -0.0.
        (arith.AddfOp, lambda _: -0.0),
        (arith.MulfOp, lambda _: 1.0),
    )
} | {
    arith.MaximumfOp: _Combination(arith.MaxSIOp, _smallest, math.nan),
    arith.MinimumfOp: _Combination(arith.MinSIOp, _largest, math.copysign(math.nan, -1)),
}


_FLOATS = (arith.AddfOp, arith.MulfOp)


def _is_combination(op: Operation) -> bool:
    """Whether an operation may be done in any order."""
    if isinstance(op, _FLOATS) and FastMathFlag.REASSOC not in op.fastmath.data:
        return False
    return type(op) in _COMBINATIONS


def _combination_of(op: Operation) -> _Combination:
    return _COMBINATIONS[type(op)]


# What a loop does


@dataclass(frozen=True)
class _Scan:
    """A loop of loads, of what is computed for each element, of combinations and of stores."""

    loop: scf.ForOp
    combinations: dict[SSAValue, Operation]
    """What is carried -> the operation that combines it with an element."""
    loads: Sequence[ocl.LoadOp]
    steps: Sequence[Operation]
    """All that comes after the loads, so that each value is known before it is used. What is
    carried is known, of all iterations, after its combination."""


def _scan_of(loop: scf.ForOp, distinct: bool) -> _Scan | None:
    body = loop.body.block
    counter, *carried = body.args
    if not carried or constant_value(loop.step) != 1:
        return None
    combinations: dict[SSAValue, Operation] = {}
    for arg, following in zip(carried, terminator(body).operands, strict=True):
        op = following.owner
        if (
            not isinstance(op, Operation)
            or op.parent is not body
            or not _is_combination(op)
            or not is_element(arg.type)
            or list(op.operands).count(arg) != 1
            or op in combinations.values()
        ):
            return None
        combinations[arg] = op
    accesses = [op for op in body.ops if isinstance(op, Access)]
    loads = [op for op in accesses if isinstance(op, ocl.LoadOp)]
    stores = [op for op in accesses if isinstance(op, ocl.StoreOp)]
    rest = [op for op in body.ops if op not in accesses and op is not terminator(body)]
    if (
        not stores
        or not all(is_side_effect_free(op) and not op.regions for op in rest)
        or not all(is_row(op, loop) for op in accesses)
        or not all(
            _keeps_order(store, other, accesses, distinct)
            for store in stores
            for other in accesses
            if other is not store
        )
    ):
        return None
    steps = _in_order(loop, combinations, stores)
    return None if steps is None else _Scan(loop, combinations, loads, steps)


def _keeps_order(
    store: ocl.StoreOp, other: Access, accesses: Sequence[Access], distinct: bool
) -> bool:
    """Whether `other` of all iterations of a vector may come before the store of the first one."""
    (root, place), (its_root, its_place) = address_of(store), address_of(other)
    if are_apart(root, its_root, distinct):
        return True
    same = root is its_root and (place - its_place).constant == 0
    before = accesses.index(other) < accesses.index(store)
    return isinstance(other, ocl.LoadOp) and same and before


def _in_order(
    loop: scf.ForOp, combinations: dict[SSAValue, Operation], stores: Sequence[ocl.StoreOp]
) -> list[Operation] | None:
    """What is computed from the loads for the stores and combinations, and these, in an order.

    None where there is none, or anything else than one element after the other is computed.
    """
    counter = loop.body.block.args[0]
    elements = [
        v for op in (*stores, *combinations.values()) for v in _elements_of(op, combinations)
    ]
    computed = computed_in(elements, loop)
    if computed is None:
        return None
    waiting = [
        op for op in loop.body.block.ops if op in {*stores, *combinations.values(), *computed}
    ]
    order: list[Operation] = []

    def is_known(value: SSAValue) -> bool:
        before = combinations.get(value, value.owner)
        return value is counter or before not in waiting

    while waiting:
        op = next(
            (op for op in waiting if all(map(is_known, _elements_of(op, combinations)))), None
        )
        if op is None:
            return None
        waiting.remove(op)
        order.append(op)
    return order


def _elements_of(op: Operation, combinations: Mapping[SSAValue, Operation]) -> list[SSAValue]:
    """The operands that are vectors; not those of addresses, and not what is combined with."""
    if isinstance(op, ocl.StoreOp):
        return [op.value]
    return [value for value in op.operands if combinations.get(value) is not op]


# The rewriting


class _Vectors:
    """The loop over whole vectors, before the one that does the rest."""

    def __init__(self, scan: _Scan, lanes: int):
        self.scan, self.lanes = scan, lanes

    def emit(self) -> None:
        loop, combinations = self.scan.loop, self.scan.combinations
        before, end = whole_rows(loop, self.lanes)
        block = Block(arg_types=[loop.lb.type])
        starts: list[SSAValue] = []
        for init, op in zip(loop.iter_args, combinations.values(), strict=True):
            row = before.splat(init, vector_of(init.type, self.lanes))
            starts.append(_combination_of(op).encode(before, row))
            block.insert_arg(starts[-1].type, len(block.args))
        self.build = Build(loop, block)
        self.rows = LoopRows(loop, self.lanes, self.build, block.args[0])
        for load in self.scan.loads:
            self.rows.load(load)
        carried: dict[SSAValue, SSAValue] = dict(zip(combinations, block.args[1:], strict=True))
        following: dict[SSAValue, SSAValue] = dict(carried)
        for op in self.scan.steps:
            arg = next((arg for arg in combinations if combinations[arg] is op), None)
            if arg is not None:
                following[arg] = self._combine(arg, op, carried[arg])
            elif isinstance(op, ocl.StoreOp):
                self.rows.store(op)
            else:
                self.rows.compute(op)
        self.build.emit_void(scf.YieldOp(*following.values()))
        rows = scf.ForOp(loop.lb, end, before.constant(self.lanes, loop.lb.type), starts, block)
        before.emit_void(rows)
        erase_unused(rows.body)
        ends = [
            _combination_of(op).decode(before, before.element(row, 0), arg.type)
            for (arg, op), row in zip(combinations.items(), rows.results, strict=True)
        ]
        loop.operands = [end, loop.ub, loop.step, *ends]

    def _combine(self, arg: SSAValue, op: Operation, carried: SSAValue) -> SSAValue:
        """Combine a vector; what is carried to the next one."""
        build, combination = self.build, _combination_of(op)
        (value,) = (operand for operand in op.operands if operand is not arg)
        found = combination.encode(build, self.rows.vector(value))
        # Sums in another order may wrap, where those of the program do not.
        flags = {"fastmath": op.fastmath} if isinstance(op, _FLOATS) else {}

        def combined(x: SSAValue, y: SSAValue) -> SSAValue:
            return build.emit(
                combination.kind.create(operands=[x, y], result_types=[x.type], properties=flags)
            )

        neutral = build.constant(combination.neutral(width_of(found.type)), found.type)
        distance = 1
        while distance < self.lanes:
            found = combined(self._moved(found, neutral, distance), found)
            distance *= 2
        last = shuffled(build, found, found, [self.lanes - 1] * self.lanes)
        after = combined(carried, found)
        row = vector_of(arg.type, self.lanes)
        self.rows.vectors[arg] = combination.decode(build, self._moved(after, carried, 1), row)
        self.rows.vectors[op.results[0]] = combination.decode(build, after, row)
        return combined(carried, last)

    def _moved(self, row: SSAValue, before: SSAValue, by: int) -> SSAValue:
        """The elements moved up by some places, after the last ones of `before`."""
        first = 2 * self.lanes - by
        places = [*range(first, 2 * self.lanes), *range(self.lanes - by)]
        return shuffled(self.build, row, before, places)
