"""The model of a kernel whose sizes and arguments are numbers; `while` loops are counted.

Such loops come from `do`, and from loops with `break`, `continue` and `return`. A carried integer
that grows by a constant is a function of the number of the iteration, if the condition keeps it in
its type.
"""

from __future__ import annotations

import islpy as isl
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.poly.fixed_values import FixedValues, signed
from polycl.analysis.poly.index import Index
from polycl.analysis.poly.model import Control, Model
from polycl.analysis.poly.spaces import Space
from polycl.analysis.poly.values import affine_part, bits_of
from polycl.dialects.poly.isl_context import isl_context

_SET = isl.dim_type.set


class FixedModel(Model):
    """The model of a body of a kernel in the form of `poly-fix-launch`."""

    values_class = FixedValues

    def iteration_of(self, block: Block, op: Operation) -> isl.PwAff:
        """The number of the iteration of the loop around `block`, at an operation inside."""
        place = len(self._values.spaces[block].dimensions) - 1
        return self.space_at(op).dimension(place)

    def _visit_while(self, op: scf.WhileOp, space: Space, domain: isl.Set, known: bool) -> None:
        before, after = (region.block for region in op.regions)
        condition = condition_of(op)
        inner = space.with_counter(self._counter_name(None))
        rounds = inner.lifted(domain, space).intersect(_counter(inner).nonneg_set())
        runs = goes_on = rounds
        is_known = False
        saved = self._values.saved()
        counted = self._count(op, inner, rounds)
        if counted is not None:
            self._visit_once(before, inner, counted)
            where = self._values.condition(condition.condition, inner)
            more = counted.intersect(self._values.may(condition.condition, inner, True))
            first = counted.intersect(_counter(inner).zero_set())
            reached = first.union(_next(more, inner)).subtract(_later(counted.subtract(more)))
            if rounds.intersect(_counter(inner).zero_set()).union(reached).is_subset(counted):
                runs, goes_on = reached.coalesce(), reached.intersect(more).coalesce()
                is_known = where is not None
            else:
                # It may wrap: nothing is known of what is counted.
                self._values.restore(saved)
        self.controls.append(Control(op, runs, False, (condition.condition,)))
        self._visit_block(before, inner, runs, known and is_known)
        for argument, value in zip(after.args, condition.args, strict=True):
            index = self._values.index(value, inner) if _is_integer(value) else None
            if index is not None:
                self._values.define(argument, index, inner)
        self._visit_block(after, inner, goes_on, known and is_known)

    def _visit_once(self, block: Block, space: Space, domain: isl.Set) -> None:
        """Computes the values of a block, for its condition."""
        lists = self.accesses, self.controls, self.effects
        lengths = [len(found) for found in lists]
        self._visit_block(block, space, domain, False)
        for found, length in zip(lists, lengths, strict=True):
            del found[length:]

    def _count(self, op: scf.WhileOp, inner: Space, rounds: isl.Set) -> isl.Set | None:
        """Defines the carried integers that grow by a constant; the iterations in which they, and
        their next values, are in their types."""
        found: isl.Set | None = None
        for place, argument in enumerate(op.before_region.block.args):
            if not _is_integer(argument):
                continue
            step = _growth(op, place)
            first = affine_part(self._values.index(op.arguments[place], inner))
            if step is None or first is None:
                continue
            by = isl.Val.int_from_si(first.get_ctx(), step)
            value = first.add(_counter(inner).scale_val(by))
            bits = bits_of(argument)
            low, high = inner.number(-1 << (bits - 1)), inner.number((1 << (bits - 1)) - 1)
            found = rounds if found is None else found
            for inside in (value, value.add(inner.number(step))):
                found = found.intersect(inside.ge_set(low)).intersect(inside.le_set(high))
            self._values.define(argument, Index.affine(value), inner)
        return found


def _is_integer(value: SSAValue) -> bool:
    return isinstance(value.type, IntegerType | IndexType) and bits_of(value) > 1


def _growth(op: scf.WhileOp, place: int) -> int | None:
    """What a carried integer grows by in each iteration, if that is a constant."""
    before, after = (region.block for region in op.regions)
    value = terminator(after).operands[place]
    width = bits_of(before.args[place])
    total = 0
    while bits_of(value) >= width:
        if isinstance(value, BlockArgument):
            if value is before.args[place]:
                return total
            if value.owner is not after:
                return None
            value = condition_of(op).args[value.index]
            continue
        match value.owner:
            case arith.IndexCastOp() | arith.ExtSIOp() | arith.ExtUIOp() | arith.TruncIOp():
                value = value.owner.input
            case arith.AddiOp() | arith.SubiOp():
                number = constant_value(value.owner.rhs)
                if number is None:
                    return None
                number = signed(number, bits_of(value))
                total += number if isinstance(value.owner, arith.AddiOp) else -number
                value = value.owner.lhs
            case _:
                return None
    return None


def _counter(space: Space) -> isl.PwAff:
    """The number of the iteration."""
    return space.dimension(len(space.dimensions) - 1)


def _next(rounds: isl.Set, space: Space) -> isl.Set:
    """The iterations after those of a set."""
    place = len(space.dimensions) - 1
    back = isl.MultiAff.identity(isl.Space.map_from_set(space.space))
    back = back.set_at(
        place, back.get_at(place).add_constant_val(isl.Val.int_from_si(isl_context(), -1))
    )
    return rounds.preimage_multi_aff(back)


def _later(rounds: isl.Set) -> isl.Set:
    """All iterations after one of a set."""
    space = rounds.get_space()
    last = rounds.dim(_SET) - 1
    order = isl.Map.universe(isl.Space.map_from_set(space))
    for place in range(last):
        order = order.equate(isl.dim_type.in_, place, isl.dim_type.out, place)
    order = order.order_lt(isl.dim_type.in_, last, isl.dim_type.out, last)
    return rounds.apply(order)
