"""`poly-lower-codelet`: codelets in loops become parallel regions over their work-items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, ModuleOp, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, poly, wg
from polycl.dialects.wg.attributes import LANES
from polycl.errors import error_at
from polycl.lowering.poly.codegen.scope import Scope, sum_of
from polycl.symbolic import atom, integer

_ONE = integer(1)


@dataclass(frozen=True)
class PolyLowerCodeletPass(ModulePass):
    """Turn each `poly.codelet` and the loops around it into `wg.parallel`.

    ```
    scf.for %y = %c0 to %ny step %c1 {             %n = %c8 * max(%b - %a, 0)
      scf.for %t = %a to %b step %c1 {             %first = %a * %c8
        %x = arith.muli %t, %c8 : index       ->   wg.parallel (%i, %j, %k) in (%n, %ny, %c1) {
        poly.codelet (%y, %x) lanes 8 ... {          %x = arith.addi %first, %i : index
          A                                          A
    ```

    A loop becomes a dimension where it counts by one, there is nothing in it but the codelet and
    arithmetic, and no loop that becomes another dimension has bounds that depend on it. Other loops
    stay, around the region. An empty range is a size of 0.

    A region with lanes says for which work-items a vector is, `wg.lanes = array<i64: 8, 1, 1>`,
    and its size is a multiple of them: `wg-vectorize` does as it says. With `scalar-rest`, a
    codelet with one lane says so too, and is not vectorized; without it, `wg-vectorize` decides.

    Raises:
        PolyclError: located: a kernel is left, or a codelet does not stand in a `wg.func`.
    """

    name = "poly-lower-codelet"

    scalar_rest: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, poly.KernelOp):
                raise error_at(inner, "a poly.kernel is left: run poly-materialize before")
            if isinstance(inner, poly.CodeletOp):
                _check_place(inner)
                lower_codelet(inner, scalar_rest=self.scalar_rest)


def lower_codelets(function: wg.FuncOp) -> None:
    """Lower the codelets of a function; see PolyLowerCodeletPass."""
    for codelet in [op for op in function.body.walk() if isinstance(op, poly.CodeletOp)]:
        lower_codelet(codelet)


def lower_codelet(codelet: poly.CodeletOp, *, scalar_rest: bool = False) -> None:
    """Make a codelet that stands in loops a parallel region; see PolyLowerCodeletPass."""
    dimensions = _dimensions(codelet)
    outermost = dimensions[0].loop if dimensions else codelet
    region = _region(codelet, dimensions, Scope(codelet, InsertPoint.before(outermost)))
    if codelet.lanes.value.data > 1 or scalar_rest:
        lanes = [1, 1, 1]
        lanes[codelet.along.value.data] = codelet.lanes.value.data
        region.attributes[LANES] = DenseArrayBase.from_list(i64, lanes)
    Rewriter.insert_op(region, InsertPoint.before(outermost))
    Rewriter.erase_op(outermost)


@dataclass
class _Dimension:
    """A loop that becomes a dimension: its counter decides about the id at `place`."""

    loop: scf.ForOp
    place: int

    @property
    def counter(self) -> SSAValue:
        return self.loop.body.block.args[0]


def _check_place(codelet: poly.CodeletOp) -> None:
    parent = codelet.parent_op()
    while parent is not None and not isinstance(parent, wg.FuncOp):
        if isinstance(parent, wg.ParallelOp):
            raise error_at(codelet, "a codelet cannot stand inside of wg.parallel")
        parent = parent.parent_op()
    if parent is None:
        raise error_at(codelet, "expected a codelet inside of a wg.func")


def _dimensions(codelet: poly.CodeletOp) -> list[_Dimension]:
    """The loops around a codelet that become dimensions, outermost first."""
    found: list[_Dimension] = []
    inner: Operation = codelet
    ids = [_linear(id) for id in codelet.at]
    while True:
        loop = inner.parent_op()
        if not isinstance(loop, scf.ForOp) or loop.results or constant_value(loop.step) != 1:
            return found
        _hoist(loop, inner)
        place = _place_of(loop, codelet, ids, found)
        if place is None or not _is_perfect(loop, inner, codelet):
            return found
        found.insert(0, _Dimension(loop, place))
        inner = loop


def _hoist(loop: scf.ForOp, inner: Operation) -> None:
    """Move what does not depend on the counter out of a loop, if it stands before `inner`."""
    for op in list(loop.body.block.ops):
        if op is inner:
            return
        if is_speculatable(op) and not any(_is_inside(v, loop) for v in op.operands):
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(loop))


def _place_of(
    loop: scf.ForOp, codelet: poly.CodeletOp, ids: Sequence[Linear], found: Sequence[_Dimension]
) -> int | None:
    """The place of the id that the counter of a loop decides about, if it is just one."""
    if any(_is_inside(v, loop) for d in found for v in (d.loop.lb, d.loop.ub)):
        return None
    counters = [loop.body.block.args[0], *(d.counter for d in found)]
    places = [i for i, id in enumerate(ids) if counters[0] in id.factors]
    if len(places) != 1 or places[0] in [d.place for d in found]:
        return None
    if ids[places[0]].factors[counters[0]] != _unit(codelet, places[0]):
        return None
    # Nothing else that is computed in the loop.
    rest = (value for id in ids for value in id.factors if value not in counters)
    return None if any(_is_inside(value, loop) for value in rest) else places[0]


def _linear(id: SSAValue) -> Linear:
    """An id as a sum of numbers of type index."""
    found = linear(id)
    if all(isinstance(value.type, IndexType) for value in found.factors):
        return found
    return atom(id)


def _unit(codelet: poly.CodeletOp, place: int) -> int:
    """How many work-items a codelet runs along a dimension."""
    return codelet.lanes.value.data if place == codelet.position else 1


def _is_perfect(loop: scf.ForOp, inner: Operation, codelet: poly.CodeletOp) -> bool:
    """Whether there is nothing else in a loop than addresses of the codelet."""
    addresses = [op for op in loop.body.block.ops if op is not inner]
    end = addresses.pop()
    assert isinstance(end, scf.YieldOp)
    values = [*loop.body.block.args, *(r for op in addresses for r in op.results)]
    uses = (use.operation for value in values for use in value.uses)
    return all(map(is_speculatable, addresses)) and not any(
        codelet.is_ancestor(user) and user is not codelet for user in uses
    )


def _is_inside(value: SSAValue, loop: scf.ForOp) -> bool:
    owner = value.owner
    parent = owner.parent_op() if isinstance(owner, Block) else owner
    return parent is not None and loop.is_ancestor(parent)


def _is_natural(sum: Linear) -> bool:
    """Whether a number of work-items is never negative, because it is a size or a remainder."""
    if sum.number or list(sum.factors.values()) != [1]:
        return False
    owner = next(iter(sum.factors)).owner
    if isinstance(owner, arith.ShRSIOp):
        owner = owner.lhs.owner
    if isinstance(owner, arith.AndIOp):
        return (constant_value(owner.rhs) or -1) > 0
    return isinstance(owner, ocl.LocalSizeOp | arith.RemUIOp)


def _region(
    codelet: poly.CodeletOp, dimensions: Sequence[_Dimension], scope: Scope
) -> wg.ParallelOp:
    """The region for all work-items of a codelet."""
    last = len(codelet.at) - 1
    sizes = [_ONE] * 3
    sizes[codelet.along.value.data] = integer(codelet.lanes.value.data)
    first = [_linear(id) for id in codelet.at]
    for dimension in dimensions:
        place, loop = dimension.place, dimension.loop
        unit = _unit(codelet, place)
        start, count = sum_of(loop.lb), _linear(loop.ub) - _linear(loop.lb)
        if not _is_natural(count):
            count = scope.most([count, integer(0)])
        sizes[last - place] = unit * count
        first[place] += unit * (start - atom(dimension.counter))
    region = wg.ParallelOp([scope.value(size) for size in sizes])
    region.location = codelet.location
    for id, hint in zip(region.local_ids, "xyz", strict=True):
        id.name_hint = hint
    inner = scope.inside(region.body.block)
    ids: list[SSAValue] = []
    for place, (start, argument) in enumerate(zip(first, codelet.body.block.args, strict=True)):
        if sizes[last - place] != _ONE:
            start += sum_of(region.local_ids[last - place])
        moved = inner.value(start)
        ids.append(moved)
        if argument.name_hint is not None and isinstance(moved.owner, arith.AddiOp):
            moved.name_hint = argument.name_hint
    Rewriter.inline_block(codelet.body.block, InsertPoint.at_end(region.body.block), ids)
    inner.add_void(wg.YieldOp())
    return region
