"""Bounds of integers where they are needed: one side of a choice is computed for its condition.

```
%s = arith.cmpi slt, %a, %c128 : i32
%x = arith.muli %a, %b : i32                 %a is at most 127 here, as only %r uses %x
%r = arith.select %s, %x, %y : i32
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, math, scf
from xdsl.ir import Block, Operation, Region, SSAValue, Use

from polycl.analysis.ocl.evaluate import Rule, evaluate
from polycl.analysis.ocl.integers import signed
from polycl.analysis.ocl.intervals import ANY, Bounds, Interval, bounds
from polycl.analysis.ocl.uniformity import element_number
from polycl.dialects.inside import Kinds, operations_in
from polycl.dialects.vec import both, element_of
from polycl.lowering.wg.wg_split_guards import Guard, conjuncts

_SELECT = both(arith.SelectOp)
_ELEMENTWISE = Kinds(
    *_SELECT,
    *both(
        *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp),
        *(arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp, math.AbsIOp),
        *(arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp, arith.DivSIOp, arith.DivUIOp),
        *(arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp, arith.CmpiOp),
    ),
)
"""An element of their results depends on the same elements of their operands, and nothing else."""

_DEEPEST = 16
"""Choices inside of each other that are followed."""

Facts = Mapping[SSAValue, Interval]


@dataclass(frozen=True, eq=False)
class _Need:
    """A side of a choice, inside of `outer`: no other one needs what is computed for it."""

    outer: _Need | None = None
    facts: Facts = field(default_factory=dict[SSAValue, Interval])
    depth: int = 0


class NeededBounds(Bounds):
    """The bounds that a result in `body` has whenever it is needed."""

    def __init__(self, body: Region):
        super().__init__()
        self._always = _Need()
        self._sides: dict[tuple[_Need, SSAValue, bool], _Need] = {}
        self._blocks: dict[Block | None, _Need] = {None: self._always}
        self._needs: dict[Operation, _Need] = {}
        self._operands: dict[Operation, Sequence[Interval]] = {}
        self._find(operations_in(body))

    def operands_of(self, op: Operation) -> Sequence[Interval]:
        """The bounds of the operands whenever the results of `op` are needed.

        They are found once: a pass may replace the conditions of choices before it asks again.
        """
        if op not in self._operands:
            self._operands[op] = [
                _both(evaluate(value, self), self._need_of(Use(op, number)).facts.get(value, ANY))
                for number, value in enumerate(op.operands)
            ]
        return self._operands[op]

    def _find(self, ops: Sequence[Operation]) -> None:
        if not any(
            self._side(self._always, op.operands[0], wanted).facts
            for op in ops
            if isinstance(op, (*_SELECT, scf.IfOp))
            for wanted in (True, False)
        ):
            return
        # Each operation is after those that use it.
        for op in reversed(ops):
            if _ELEMENTWISE[type(op)] and op.results[0].uses:
                needs = iter(op.results[0].uses)
                need = self._need_of(next(needs))
                for use in needs:
                    need = _common(need, self._need_of(use))
                self._needs[op] = need

    def _need_of(self, use: Use) -> _Need:
        """Where an operation needs an operand."""
        op = use.operation
        need = self._needs.get(op)
        if need is None:
            return self._of_block(op.parent_block())
        if isinstance(op, _SELECT) and use.index > 0:
            return self._side(need, op.operands[0], use.index == 1)
        return need

    def _of_block(self, block: Block | None) -> _Need:
        if block not in self._blocks:
            parent = block and block.parent_op()
            need = self._of_block(parent and parent.parent_block())
            if isinstance(parent, scf.IfOp):
                need = self._side(need, parent.cond, block is parent.true_region.block)
            self._blocks[block] = need
        return self._blocks[block]

    def _side(self, outer: _Need, condition: SSAValue, wanted: bool) -> _Need:
        """The side of a choice."""
        key = outer, condition, wanted
        if key not in self._sides:
            facts = dict(outer.facts)
            for guard in conjuncts(condition, wanted=wanted):
                for value, fact in _facts(guard):
                    facts[value] = _both(facts.get(value, ANY), fact)
            is_new = outer.depth < _DEEPEST and facts != outer.facts
            self._sides[key] = _Need(outer, facts, outer.depth + 1) if is_new else outer
        return self._sides[key]


def _common(a: _Need, b: _Need) -> _Need:
    """The innermost side that both are in."""
    while a is not b:
        a, b = (a, b) if a.depth >= b.depth else (b, a)
        assert a.outer is not None
        a = a.outer
    return a


def _both(x: Interval, y: Interval) -> Interval:
    """What is in both intervals; `x` where nothing is, as that is never computed."""
    low, high = max(x[0], y[0]), min(x[1], y[1])
    return (low, high) if low <= high else x


def _facts(guard: Guard) -> Iterator[tuple[SSAValue, Interval]]:
    """What a comparison with a constant that has its outcome tells of a value."""
    compare = guard.compare
    if guard.asks_for_equality:
        if not guard.wants_difference and (number := _constant(compare.rhs)) is not None:
            yield compare.lhs, (number, number)
        return
    predicate, left, right = guard.sides()
    most, least = _constant(right), _constant(left)
    margin = 1 if predicate.endswith("lt") else 0
    if predicate.startswith("s"):
        if most is not None:
            yield left, (ANY[0], most - margin)
        elif least is not None:
            yield right, (least + margin, ANY[1])
    # Numbers that are not negative with a sign have the same order with and without one.
    elif most is not None and most >= margin:
        yield left, (0, most - margin)
    elif least is not None and least >= 0 and bounds(right)[0] >= 0:
        yield right, (least + margin, ANY[1])


def _constant(value: SSAValue) -> int | None:
    number = element_number(value)
    return None if number is None else signed(number, element_of(value.type))


def _as_needed(rule: Rule) -> Rule:
    def applied(domain: NeededBounds, op: Operation, *_: Interval) -> Interval:
        return rule(domain, op, *domain.operands_of(op))

    return applied


NeededBounds.rules = {kind: _as_needed(rule) for kind, rule in Bounds.rules.items()}
