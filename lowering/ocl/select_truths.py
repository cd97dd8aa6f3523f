"""`select-truths`: addresses to which a comparison's 0 or 1 is added are selections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.integers import bits_of, signed
from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.wg.sources import direct_sources
from polycl.dialects import ocl
from polycl.lowering.build import Build
from polycl.symbolic import atom, integer


@dataclass(frozen=True)
class SelectTruthsPass(ModulePass):
    """Select between two addresses instead of computing with truth values.

    ```
    int l = x - (x > 0);                  %l = arith.select %positive, %x_less_1, %x
    int r = x + 1; r -= (r >= n) * n;  -> %r = arith.select %outside, %r_less_n, %x_plus_1
    int u = y - 1; u += n & (u >> 31);    %u = arith.select %negative, %u_plus_n, %y_less_1
    ```

    So a clamp or a wrap without a branch is the same as one with it. Only what an address is
    computed from changes, not what loops carry nor what is read, such as counts of elements.
    """

    name = "select-truths"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        indices: list[SSAValue] = []
        for access in op.walk():
            if isinstance(access, ocl.LoadOp | ocl.StoreOp) and access.index is not None:
                indices.append(access.index)
            elif isinstance(access, ocl.OffsetOp):
                indices.append(access.index)
        sources = _sources(indices)
        for each in sources:
            if isinstance(each, arith.AddiOp | arith.SubiOp):
                _select_sum(each)
        for each in sources:
            # Products that no sum has taken.
            if isinstance(each, arith.MuliOp | arith.AndIOp) and each.result.uses:
                _select_product(each)


def _sources(indices: Iterable[SSAValue]) -> list[Operation]:
    """What indices are computed by, without what loops carry or memory holds."""
    found: list[Operation] = []
    seen: set[SSAValue] = set()
    todo = list(indices)
    while todo:
        value = todo.pop()
        op = value.owner
        if value in seen or not isinstance(op, Operation):
            continue
        seen.add(value)
        if op.name.startswith("arith.") or isinstance(op, scf.IfOp):
            todo += direct_sources(value)
            found.append(op)
    return found


def _select_sum(op: arith.AddiOp | arith.SubiOp) -> None:
    """Make a selection of a sum with a truth value."""
    x, y = op.operands
    sign = 1 if isinstance(op, arith.AddiOp) else -1
    for value, factor, rest in ((y, sign, atom(x)), (x, 1, atom(y) * sign)):
        truth = _truth(value)
        if truth is None:
            continue
        yes, no = (rest + side * factor for side in (truth.yes, truth.no))
        _replace(op, truth.each(yes, no))
        return


def _select_product(op: arith.MuliOp | arith.AndIOp) -> None:
    """Make a selection of a product of a truth value and what is not known."""
    truth = _truth(op.result)
    if truth is not None and (truth.yes.constant is None or truth.no.constant is None):
        _replace(op, truth)


def _replace(op: Operation, truth: _Truth) -> None:
    build, type = Build(op), op.results[0].type
    condition = truth.condition(build)
    sides = [_emit(build, side, type) for side in (truth.yes, truth.no)]
    Rewriter.replace_op(op, [], [build.select(condition, *sides)])


def _emit(build: Build, sum: Linear, type: Attribute) -> SSAValue:
    number = [(None, sum.number)] if sum.number else []
    return build.linear([*sum.factors.items(), *number], type)


@dataclass(frozen=True)
class _Truth:
    """A value that is one of two sums."""

    value: SSAValue
    """An i1, or an integer that is negative where it is true."""
    yes: Linear
    no: Linear

    def condition(self, build: Build) -> SSAValue:
        return self.value if self.value.type == i1 else build.is_negative(self.value)

    def each(self, yes: Linear, no: Linear) -> _Truth:
        return _Truth(self.value, yes, no)


def _truth(value: SSAValue) -> _Truth | None:
    """What a value is by one truth value; None if it is not known to be computed from one."""
    op = value.owner
    if not isinstance(value.type, IntegerType | IndexType):
        return None
    match op:
        case arith.ExtUIOp() if op.input.type == i1:
            return _Truth(op.input, integer(1), integer(0))
        case arith.ExtSIOp() if op.input.type == i1:
            return _Truth(op.input, integer(-1), integer(0))
        case arith.ShRSIOp() | arith.ShRUIOp() if constant_value(op.rhs) == bits_of(value.type) - 1:
            yes = integer(-1 if isinstance(op, arith.ShRSIOp) else 1)
            return _Truth(op.lhs, yes, integer(0))
        case arith.ExtSIOp() | arith.ExtUIOp() | arith.TruncIOp() | arith.IndexCastOp():
            return _cast(op)
        case arith.XOrIOp() | arith.MuliOp() | arith.AndIOp() | arith.ShLIOp():
            return _product(op)
        case _:
            return None


def _cast(op: Operation) -> _Truth | None:
    truth = _truth(op.operands[0])
    if truth is None:
        return None
    yes, no = truth.yes.constant, truth.no.constant
    # Small numbers are the same in all types, but for negative ones without a sign.
    if yes is None or no is None or max(abs(yes), abs(no)) > 1:
        return None
    return None if isinstance(op, arith.ExtUIOp) and min(yes, no) < 0 else truth


def _product(op: Operation) -> _Truth | None:
    for value, other in (op.operands, op.operands[::-1]):
        truth = _truth(value)
        if truth is None or (isinstance(op, arith.ShLIOp) and other is not op.operands[1]):
            continue
        yes, no = truth.yes.constant, truth.no.constant
        if yes is None or no is None:
            return None
        number = constant_value(other)
        if number is not None:
            number = signed(number, other.type)
        match op:
            case arith.MuliOp():
                return truth.each(atom(other) * yes, atom(other) * no)
            case arith.AndIOp() if (yes, no) == (-1, 0):
                return truth.each(atom(other), integer(0))
            case arith.AndIOp() if (yes, no) == (0, -1):
                return truth.each(integer(0), atom(other))
            case arith.XOrIOp() if number in (-1, 1):
                return truth.each(integer(yes ^ number), integer(no ^ number))
            case arith.ShLIOp() if number is not None and 0 <= number < 31:
                return truth.each(integer(yes << number), integer(no << number))
            case _:
                return None
    return None
