"""`wg-widen-shorts`: ids in integers of 8 or 16 bits are computed in 32 bits, where they fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.integers import bits_of, signed
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.analysis.wg.hulls import Extension, Hull, Hulls
from polycl.dialects import wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.wg.attributes import RARE
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused, with_results
from polycl.lowering.wg.lifting import NotLiftable
from polycl.lowering.wg.two_versions import is_too_large, mark_rare, two_versions
from polycl.lowering.wg.wg_split_guards import GroupCheck
from polycl.remarks import emit_remark
from polycl.symbolic import integer

_LEAST_BITS = 32
"""Of the types that C computes in."""

_MOST_OPERATIONS = 1000
"""Of a region: its other version is hardly ever run, and is not split again."""

_MOST_OPERATIONS_OF_VECTORS = 100
"""Of that version: LLVM keeps what larger ones need in registers, or on the stack, of all."""

_EXTENSIONS = (arith.ExtSIOp, arith.ExtUIOp, arith.IndexCastOp)
_CHOICES = (
    *(arith.SelectOp, arith.MaxSIOp, arith.MinSIOp),
    *(arith.MaxUIOp, arith.MinUIOp),
)
_Cut = arith.TruncIOp | arith.IndexCastOp


@dataclass(frozen=True)
class WgWidenShortsPass(ModulePass):
    """Leave out the conversions of ids to integers of 8 or 16 bits in launches whose ids fit.

    ```
    short x = get_global_id(0);               if all ids of the launch are below 32768:
    float v = in[y * w + x];             ->     int x = get_global_id(0); ...
    ```

    C computes in 32 bits, so that each number of fewer bits is cut from one of 32, and extended
    again. It stays what it was if it fits, which is asked once for all groups of the launch: for
    sums of ids, of counters and of what is the same for all of its work-items, for both sides of
    each selection, minimum and maximum, for remainders and masks, and for loops that wrap a
    coordinate. Then neighbours are known to access neighbouring elements, and borders are those of
    an `int`. Other launches run the region as it was, without vectors if it is large and has ids of
    16 bits in several dimensions.
    """

    name = "wg-widen-shorts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            regions = [
                region
                for region in operations_of(function.body, wg.ParallelOp)
                if region.step is None and RARE not in region.attributes
            ]
            for region in regions:
                for extension in operations_of(region.body, *_EXTENSIONS):
                    _extend_sides(extension)
            found = [
                (region, extensions)
                for region in regions
                if (extensions := list(_extensions(region)))
            ]
            facts = Uniformity(function) if found else None
            for region, extensions in found:
                assert facts is not None
                varies = any(not facts.is_uniform(op.result) for op in extensions)
                if varies and not is_too_large(region, self.name, _MOST_OPERATIONS):
                    _widen(region, extensions, facts)


def _extensions(region: wg.ParallelOp) -> Iterator[Extension]:
    """Those of numbers that were cut."""
    for op in operations_of(region.body, *_EXTENSIONS):
        assert isinstance(op, Extension)
        if _is_small(op.input.type) and _is_cut(op.input):
            yield op


def _extend_sides(op: Operation) -> None:
    """Extend a number that a branch chooses on either side of it."""
    value = op.operands[0]
    branch = value.owner
    if not isinstance(branch, scf.IfOp) or not _is_small(value.type) or not value.has_one_use():
        return
    assert isinstance(value, OpResult)
    types = [*branch.result_types]
    types[value.index] = op.results[0].type
    extended: list[Operation] = []
    for side in branch.regions:
        last = terminator(side.block)
        extended.append(op.clone({value: last.operands[value.index]}))
        Rewriter.insert_op(extended[-1], InsertPoint.before(last))
        last.operands[value.index] = extended[-1].results[0]
    wider = with_results(branch, [branch.cond], types)
    for old, new in zip(branch.results, wider.results, strict=True):
        new.name_hint = old.name_hint
    results = [*wider.results]
    Rewriter.replace_op(op, [], [results[value.index]])
    Rewriter.replace_op(branch, [], results)
    for each in extended:
        _extend_sides(each)


def _is_small(type: Attribute) -> bool:
    return isinstance(type, IntegerType | IndexType) and 1 < bits_of(type) < _LEAST_BITS


def _is_cut(value: SSAValue) -> bool:
    """Whether a small number is computed of those that were cut, and constants."""
    op = value.owner
    if isinstance(op, _CHOICES):
        return all(map(_is_cut, op.operands[-2:]))
    return isinstance(op, _Cut) or constant_value(value) is not None


def _widen(region: wg.ParallelOp, extensions: Sequence[Extension], facts: Uniformity) -> None:
    check = GroupCheck(region, facts, of_launch=True)
    numbers = _Numbers(region, check, facts)
    wide = [op for op in extensions if not numbers.is_of_group(op) and numbers.fits(op)]
    if not wide:
        check.erase_unused()
        return
    tests = [check.is_natural(sum) for sum in numbers.strongest()]
    order = operations_of(region.body, *_EXTENSIONS)
    # Nothing is to be asked of local ids.
    fast = two_versions(region, check.conjunction(tests)) if tests else region
    if tests and _fit_nearly_always(region, wide):
        mark_rare(region, _MOST_OPERATIONS_OF_VECTORS)
    copies = operations_of(fast.body, *_EXTENSIONS)
    of_copy = dict(zip(order, copies, strict=True))
    for op in wide:
        copy = of_copy[op]
        wider = _wider(Build(copy), copy.operands[0], copy.results[0].type)
        Rewriter.replace_op(copy, [], [wider])
    erase_unused(fast.body)
    check.erase_unused()
    emit_remark(region, WgWidenShortsPass.name, f"{len(wide)} numbers are not cut where they fit")


def _fit_nearly_always(region: wg.ParallelOp, wide: Sequence[Extension]) -> bool:
    """Whether launches have hardly ever ids that do not fit: of 16 bits, in several dimensions. A
    byte or a hash of an id is meant to be cut."""
    in_some = any(local_id.first_use is not None for local_id in region.local_ids[1:])
    return in_some and all(bits_of(op.input.type) > 8 for op in wide)


def _wider(build: Build, value: SSAValue, type: Attribute) -> SSAValue:
    """A small number in a wider type, if it fits what it was cut to."""
    op = value.owner
    number = constant_value(value)
    if number is not None:
        return build.constant(signed(number, value.type), type)
    if isinstance(op, _CHOICES):
        x, y = (_wider(build, side, type) for side in op.operands[-2:])
        if isinstance(op, arith.SelectOp):
            return build.select(op.cond, x, y)
        return build.alike(op.__class__, x, y)
    assert isinstance(op, _Cut)
    source = op.operands[0]
    if isinstance(source.type, IntegerType) and isinstance(type, IntegerType):
        return build.resize(source, bits_of(type), signed=True)
    return build.index_cast(source, type)


class _Numbers(Hulls):
    """What numbers are between, if those that are extended fit what they were cut to."""

    def __init__(self, region: wg.ParallelOp, check: GroupCheck, facts: Uniformity):
        super().__init__(region)
        self._check, self._facts = check, facts
        self._wide: set[Operation] = set()

    def fits(self, op: Extension) -> bool:
        """Whether the group can ask whether a number that is extended fits; then that is noted."""
        before, known = len(self.conditions), dict(self.known)
        self._wide.add(op)
        self.are_natural = isinstance(op, arith.ExtUIOp)
        evaluate(op.result, self)
        if self._check.can_ask(self.bounded(self.conditions[before:])):
            return True
        self._wide.remove(op)
        # What else is computed of the same values asks again.
        del self.conditions[before:]
        self.known = known
        return False

    def is_of_group(self, op: Extension) -> bool:
        """Whether the group can compute a number, as that of an argument."""
        try:
            self._check.lifted(op.result)
        except NotLiftable:
            return False
        return self._facts.is_uniform(op.result)

    def extended(self, op: Extension, x: Hull) -> Hull | None:
        if op in self._wide or not _is_small(op.input.type):
            return super().extended(op, x)
        if self.is_of_group(op):
            return None
        return Hull.of(map(integer, _range(op)))

    rules = {**Hulls.rules, **dict.fromkeys(_EXTENSIONS, extended)}


def _range(op: Extension) -> tuple[int, int]:
    """What a number that is extended may be."""
    bits = bits_of(op.input.type)
    half = 1 << bits - 1
    return (0, 2 * half - 1) if isinstance(op, arith.ExtUIOp) else (-half, half - 1)
