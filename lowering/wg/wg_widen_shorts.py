"""`wg-widen-shorts`: ids in integers of 8 or 16 bits are computed in 32 bits, where they fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.analysis.wg.borders import Chosen, Typical
from polycl.dialects import wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused
from polycl.lowering.wg.lifting import NotLiftable
from polycl.lowering.wg.two_versions import is_too_large, two_versions
from polycl.lowering.wg.wg_split_guards import GroupCheck, Refusal
from polycl.remarks import emit_remark

_LEAST_BITS = 32
"""Of the types that C computes in."""

_Extension = arith.ExtSIOp | arith.ExtUIOp | arith.IndexCastOp
_EXTENSIONS = (arith.ExtSIOp, arith.ExtUIOp, arith.IndexCastOp)
_Cut = arith.TruncIOp | arith.IndexCastOp


@dataclass(frozen=True)
class WgWidenShortsPass(ModulePass):
    """Leave out the conversions of ids to integers of 8 or 16 bits in groups whose ids fit.

    ```
    short x = get_global_id(0);               if all ids of the group are below 32768:
    float v = in[y * w + x];             ->     int x = get_global_id(0); ...
    ```

    C computes in 32 bits, so that each number of fewer bits is cut from one of 32, and extended
    again. It stays what it was if it fits, which the group asks for sums of ids, of counters and of
    what is the same for all of its work-items, for both sides of a selection, a minimum and a
    maximum, for a remainder, and for a mask. Then neighbours are known to access neighbouring
    elements, and borders are those of an `int`.
    """

    name = "wg-widen-shorts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            found = [
                (region, extensions)
                for region in operations_of(function.body, wg.ParallelOp)
                if region.step is None and (extensions := list(_extensions(region)))
            ]
            facts = Uniformity(function) if found else None
            for region, extensions in found:
                assert facts is not None
                varying = [op for op in extensions if not facts.is_uniform(op.result)]
                if varying and not is_too_large(region, self.name):
                    _widen(region, varying, facts)


def _extensions(region: wg.ParallelOp) -> Iterator[_Extension]:
    """Those of numbers that were cut."""
    for op in operations_of(region.body, *_EXTENSIONS):
        assert isinstance(op, _Extension)
        is_number = isinstance(op.input.type, IntegerType | IndexType)
        if is_number and _is_small(op.input.type) and _cuts(op.input) is not None:
            yield op


def _is_small(type: Attribute) -> bool:
    return 1 < bits_of(type) < _LEAST_BITS


def _cuts(value: SSAValue) -> list[_Cut] | None:
    """The conversions that a small number is chosen from; None if it is anything else."""
    match value.owner:
        case arith.TruncIOp() | arith.IndexCastOp() as cut:
            return [cut]
        case arith.SelectOp() as choice:
            sides = [_cuts(choice.lhs), _cuts(choice.rhs)]
            return None if None in sides else [cut for side in sides for cut in side or ()]
        case _:
            return None if constant_value(value) is None else []


def _widen(region: wg.ParallelOp, extensions: Sequence[_Extension], facts: Uniformity) -> None:
    check = GroupCheck(region, facts)
    sums = _Sums(region, check)
    wide = [op for op in extensions if sums.fits(op)]
    if not wide:
        check.erase_unused()
        return
    tests = [check.is_natural(sum) for sum in sums.strongest()]
    order = operations_of(region.body, *_EXTENSIONS)
    # Nothing is to be asked of local ids.
    fast = two_versions(region, check.conjunction(tests)) if tests else region
    copies = operations_of(fast.body, *_EXTENSIONS)
    of_copy = dict(zip(order, copies, strict=True))
    for op in wide:
        copy = of_copy[op]
        wider = _wider(Build(copy), copy.operands[0], copy.results[0].type)
        Rewriter.replace_op(copy, [], [wider])
    erase_unused(fast.body)
    check.erase_unused()
    emit_remark(region, WgWidenShortsPass.name, f"{len(wide)} numbers are not cut where they fit")


def _wider(build: Build, value: SSAValue, type: Attribute) -> SSAValue:
    """A small number in a wider type, if it fits what it was cut to."""
    match value.owner:
        case arith.SelectOp() as choice:
            sides = (_wider(build, side, type) for side in (choice.lhs, choice.rhs))
            return build.select(choice.cond, *sides)
        case arith.TruncIOp() | arith.IndexCastOp() as cut:
            source = cut.operands[0]
            if isinstance(source.type, IntegerType) and isinstance(type, IntegerType):
                return build.resize(source, bits_of(type), signed=True)
            return build.index_cast(source, type)
        case _:
            number = constant_value(value)
            assert number is not None
            return build.constant(number, type)


class _Sums(Chosen):
    """Sums of numbers that fit, and the conditions for that."""

    def __init__(self, region: wg.ParallelOp, check: GroupCheck):
        super().__init__({}, region, Typical(region, frozenset()))
        self._check = check
        self._wide: set[Operation] = set()

    def fits(self, op: _Extension) -> bool:
        """Whether the group can ask whether a number that is extended fits; then that is noted."""
        bits, before = bits_of(op.input.type), len(self.conditions)
        half = 1 << bits - 1
        least, most = (0, 2 * half - 1) if isinstance(op, arith.ExtUIOp) else (-half, half - 1)
        for cut in _cuts(op.input) or ():
            self._require(cut.operands[0], least, most)
        if not self._are_liftable(self.conditions[before:]):
            del self.conditions[before:]
            return False
        self._wide.add(op)
        return True

    def _require(self, value: SSAValue, least: int, most: int) -> None:
        """Add the conditions for a value to be in a range."""
        op = value.owner
        match op:
            case arith.SelectOp():
                self._require_all((op.lhs, op.rhs), least, most)
            case arith.MaxSIOp() | arith.MinSIOp():
                self._require_all(op.operands, least, most)
            case arith.RemSIOp():
                divisor = evaluate(op.rhs, self)
                self.conditions += [divisor - 1, -divisor + (most + 1)]
                if least == 0:
                    self.conditions.append(evaluate(op.lhs, self))
            case arith.AndIOp():
                mask = evaluate(op.rhs, self)
                self.conditions += [mask, -mask + most]
            case _:
                sum = evaluate(value, self)
                self.conditions += [sum - least, -sum + most]

    def _require_all(self, values: Sequence[SSAValue], least: int, most: int) -> None:
        for value in values:
            self._require(value, least, most)

    def _are_liftable(self, conditions: Sequence[Linear]) -> bool:
        try:
            for sum in self.bounded(conditions):
                if sum.constant is not None and sum.constant < 0:
                    return False
                self._check.smallest(sum - sum.number)
        except (Refusal, NotLiftable):
            return False
        return True

    # The domain

    def cut(self, op: arith.TruncIOp, x: Linear) -> Linear | None:
        return x if _is_small(op.result.type) else self.truncated(op, x)

    def cast(self, op: arith.IndexCastOp, x: Linear) -> Linear | None:
        if _is_small(op.input.type):
            return self.extension(op, x)
        return x if _is_small(op.result.type) else self.truncated(op, x)

    def extension(self, op: _Extension, x: Linear) -> Linear | None:
        if _is_small(op.input.type):
            return x if op in self._wide and isinstance(op.input.owner, _Cut) else None
        return self.extended(op, x) if isinstance(op, arith.ExtSIOp) else None

    rules = {
        **Chosen.rules,
        arith.TruncIOp: cut, arith.IndexCastOp: cast,
        arith.ExtSIOp: extension, arith.ExtUIOp: extension,
    }  # fmt: skip
