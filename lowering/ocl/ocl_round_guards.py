"""`ocl-round-guards`: a comparison with multiples of a number has one outcome for a group."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.evaluate import Domain, evaluate, same
from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class OclRoundGuardsPass(ModulePass):
    """Let a comparison that all work-items of a group agree on ask for the first of them only.

    ```
    %i = (16 * %group + 2 * %lid) : i32        %i = (16 * %group + 2 * 0) : i32
    %n = (%m / 16) * 16                        %n = (%m / 16) * 16
    %in = arith.cmpi slt, %i, %n : i32    ->   %in = arith.cmpi slt, %i, %n : i32
    scf.if %in { A; ocl.barrier; B }           scf.if %in { A; ocl.barrier; B }
    ```

    In groups of 8 work-items, `2 * %lid` is below 16: both sides are a multiple of 16 that is the
    same for the group, plus less than 16. If the multiples differ, they decide. If they are equal,
    the rest does, here in the same way for all: no rest is below zero. Then `ocl-to-wg` places the
    branch around parallel regions, whose work-items need no flags.

    The number is a power of two, so that multiples of it and rests stay such where a number wraps.
    """

    name = "ocl-round-guards"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            if kernel.required_size is None or len(kernel.body.blocks) != 1:
                continue
            facts = Uniformity(kernel)
            for compare in operations_of(kernel.body, arith.CmpiOp):
                if facts.is_uniform(compare.result):
                    continue
                numbers = _Numbers(kernel.required_size, facts)
                if _agree(compare, numbers):
                    emit_remark(compare, self.name, "the same for all work-items of a group")
                    _ask_first(compare, numbers)


@dataclass(frozen=True)
class _Number:
    """A multiple of `step`, the same for all work-items of a group, plus `low` to `high`.

    The step is a power of two, or 0: no multiple. Then a sum that wraps, or a number that is
    truncated, is another multiple with the same rest.
    """

    step: int
    low: int
    high: int

    def within(self, step: int) -> tuple[int, int] | None:
        """The least and the largest remainder by a step that is no larger; None if the quotients
        differ."""
        down = self.low // step * step
        return (self.low - down, self.high - down) if self.high - down < step else None


def _agree(compare: arith.CmpiOp, numbers: _Numbers) -> bool:
    sides = [evaluate(side, numbers) for side in compare.operands]
    step = _common(*(side.step for side in sides))
    if not 1 < step < 1 << (bits_of(compare.lhs.type) - 1):
        return False
    x, y = (side.within(step) for side in sides)
    if x is None or y is None:
        return False
    # If the multiples differ, they decide. Otherwise, the rests do so for all in the same way.
    match predicate_of(compare)[-2:]:
        case "eq" | "ne":
            return x[1] < y[0] or y[1] < x[0] or x[0] == x[1] == y[0] == y[1]
        case "lt" | "ge":
            return x[1] < y[0] or x[0] >= y[1]
        case _:
            return x[1] <= y[0] or x[0] > y[1]


def _ask_first(compare: arith.CmpiOp, numbers: _Numbers) -> None:
    """Compare the numbers that the first work-item of the group has."""
    build = Build(compare)
    first: dict[SSAValue, SSAValue] = {}
    for value in numbers.known:
        owner = value.owner
        if isinstance(owner, ocl.LocalIdOp):
            first[value] = build.index(0)
        elif isinstance(owner, Operation) and not numbers.facts.is_uniform(value):
            copy = owner.clone(first)
            build.emit_void(copy)
            first[value] = copy.results[0]
    for number, side in enumerate(compare.operands):
        compare.operands[number] = first.get(side, side)


def _common(x: int, y: int) -> int:
    """The step of a sum."""
    return min(x, y) or max(x, y)


def _power_of_two(number: int) -> int:
    """The largest that divides a number."""
    return number & -number


class _Numbers(Domain[_Number]):
    """What all work-items of a group have in common."""

    def __init__(self, sizes: tuple[int, int, int], facts: Uniformity):
        super().__init__()
        self._sizes = sizes
        self.facts = facts

    def number(self, number: int, value: SSAValue) -> _Number:
        return _Number(0, number, number)

    def leaf(self, value: SSAValue) -> _Number | None:
        if isinstance(value.owner, ocl.LocalIdOp):
            return _Number(0, 0, self._sizes[value.owner.dimension] - 1)
        return super().leaf(value)

    def opaque(self, value: SSAValue) -> _Number:
        return _Number(1, 0, 0) if self.facts.is_uniform(value) else _Number(0, -(1 << 64), 1 << 64)

    def sum(self, op: arith.AddiOp, x: _Number, y: _Number) -> _Number:
        return _Number(_common(x.step, y.step), x.low + y.low, x.high + y.high)

    def difference(self, op: arith.SubiOp, x: _Number, y: _Number) -> _Number:
        rest = op.rhs.owner
        if isinstance(rest, arith.RemSIOp | arith.RemUIOp) and rest.lhs is op.lhs:
            divisor = constant_value(rest.rhs)
            if divisor and self.facts.is_uniform(op.lhs):
                return _Number(_power_of_two(divisor), 0, 0)
        return _Number(_common(x.step, y.step), x.low - y.high, x.high - y.low)

    def product(self, op: arith.MuliOp, x: _Number, y: _Number) -> _Number | None:
        if constant_value(op.lhs) is not None:
            x, y = y, x
        return self._scaled(x, y.low) if y.step == 0 and y.low == y.high else None

    def shifted(self, op: arith.ShLIOp, x: _Number, y: _Number) -> _Number | None:
        bits = constant_value(op.rhs)
        return None if bits is None or bits < 0 else self._scaled(x, 1 << bits)

    def _scaled(self, x: _Number, factor: int) -> _Number | None:
        if factor == 0:
            return None
        ends = sorted((x.low * factor, x.high * factor))
        return _Number(x.step * _power_of_two(factor), *ends)

    def masked(self, op: arith.AndIOp, x: _Number, y: _Number) -> _Number | None:
        mask = constant_value(op.rhs)
        if not mask or not self.facts.is_uniform(op.lhs):
            return None
        return _Number(_power_of_two(mask), 0, 0)

    def extended(
        self, op: arith.ExtSIOp | arith.ExtUIOp | arith.IndexCastOp, x: _Number
    ) -> _Number | None:
        """Of a number whose higher bits are those of the multiple, or that fits."""
        half = 1 << (bits_of(op.input.type) - 1)
        if x.step == 0:
            return x if 0 <= x.low and x.high < half else None
        return x if x.step < half and 0 <= x.low and x.high < x.step else None

    def cast(self, op: arith.IndexCastOp, x: _Number) -> _Number | None:
        is_wider = bits_of(op.result.type) > bits_of(op.input.type)
        return self.extended(op, x) if is_wider else x

    rules = {
        arith.AddiOp: sum,
        arith.SubiOp: difference,
        arith.MuliOp: product,
        arith.ShLIOp: shifted,
        arith.AndIOp: masked,
        arith.ExtSIOp: extended,
        arith.ExtUIOp: extended,
        arith.IndexCastOp: cast,
        arith.TruncIOp: same,
    }
