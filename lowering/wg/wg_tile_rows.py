"""`wg-tile-rows`: groups whose ids are divided into rows and columns run as tiles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp, UnitAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.uniformity import Uniformity, constant_index, is_narrow
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl.kernel import NON_UNIFORM
from polycl.dialects.wg.attributes import SPREAD
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused, take_side
from polycl.lowering.wg.lifting import GroupBuilder, NotLiftable
from polycl.lowering.wg.two_versions import is_too_large, two_versions
from polycl.lowering.wg.wg_fold_columns import transposes
from polycl.lowering.wg.wg_split_guards import depends_on_group, settle
from polycl.lowering.wg.wg_split_rows import QUOTIENTS, REMAINDERS, row_width
from polycl.lowering.wg.wg_vectorize.accesses import access_stride
from polycl.remarks import emit_remark

HEIGHT = 16
"""Rows of a tile, of which vectors are made."""

LEAST_WIDTH = 4
"""Columns of a tile: 16 bytes of its rows."""

_WIDTH_KNOWN_BY_BITS = (arith.AndIOp, arith.ShRSIOp, arith.ShRUIOp)


@dataclass(frozen=True)
class WgTileRowsPass(ModulePass):
    """Let the groups of a launch in one dimension be tiles of the rows that ids are divided into.

    ```
    wg.parallel (%x, %y, %z) in (%c256, %c1, %c1) {
      %i = arith.addi %first, %x : index
      %column = arith.remui %i, %width : index
      %row = arith.divui %i, %width : index
      ... in[%row * %width + %column] ... out[%column * %height + %row]
    ```

    becomes

    ```
    scf.if ... %width and the launch have whole tiles ... {
      %columns = %width / 16
      wg.parallel (%x, %y, %z) in (%c16, %c16, %c1) {
        %column = 16 * (%group % %columns) + %x
        %row = 16 * (%group / %columns) + %y
        %i = %row * %width + %column
        ...
    } else { ... as it was ... }
    ```

    All groups of a launch take the same side, so that each work-item runs once, in another group.
    The kernel sees no groups: it is one region, whose work-items read their global id only. It is
    done where something is consecutive along rows, and something else along columns: a group of
    one row would access a line of memory for each element of the latter; and where a loop reads
    what rows share, and what columns share, as a product of matrices does. A guard `%i < %n` that
    all work-items of the launch pass is dropped.
    """

    name = "wg-tile-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            region = _only_region(function)
            if region is None or is_too_large(region, self.name):
                continue
            ids = _global_ids(region, function)
            if ids:
                self._tile(region, ids, function)

    def _tile(self, region: wg.ParallelOp, ids: list[Operation], function: wg.FuncOp) -> None:
        group = GroupBuilder(region)
        facts = Uniformity(function)
        tile = _Tile(region, ids, facts, group)
        try:
            condition = tile.condition()
        except NotLiftable:
            condition = None
        if condition is None:
            group.erase_unused()
            return
        order = operations_in(region.body)
        copy = two_versions(region, condition)
        tile.rewrite(copy, dict(zip(order, operations_in(copy.body), strict=True)))
        accesses, tiled = operations_of(copy.body, ocl.LoadOp, ocl.StoreOp), Uniformity(function)
        if transposes(accesses, tiled) is not None or _share(copy, tiled):
            emit_remark(region, self.name, f"in tiles of {tile.width} x {HEIGHT} work-items")
            return
        branch = copy.parent_op()
        assert isinstance(branch, scf.IfOp)
        take_side(branch, branch.false_region)
        group.erase_unused()


def _only_region(function: wg.FuncOp) -> wg.ParallelOp | None:
    """The region that is all that a kernel does, in one dimension."""
    sizes = function.local_size
    if sizes is None or NON_UNIFORM in function.attributes:
        return None
    width, *others = sizes.get_values()
    if others != [1, 1] or width % HEIGHT or width // HEIGHT < LEAST_WIDTH:
        return None
    regions = operations_of(function.body, wg.ParallelOp)
    if len(regions) != 1 or regions[0].step is not None or regions[0].res:
        return None
    region = regions[0]
    if region.parent_op() is not function or constant_index(region.sizes[0]) != width:
        return None
    return region


def _global_ids(region: wg.ParallelOp, function: wg.FuncOp) -> list[Operation]:
    """The sums of a local id and the group's first id; none if anything else of both is used."""
    (size, *_), (x, *others) = region.sizes, region.local_ids
    number = constant_index(size)
    if any(id.first_use is not None for id in others):
        return []
    ids = [use.operation for use in x.uses]
    for op in ids:
        sum = linear(op.results[0]) - linear(x) if isinstance(op, arith.AddiOp) else None
        if sum is None or sum.number:
            return []
        kinds = {type(v.owner): factor for v, factor in sum.factors.items()}
        if kinds != {ocl.GroupIdOp: number, ocl.GlobalOffsetOp: 1}:
            return []
        if not all(isinstance(v.owner, Operation) and _is_along_x(v.owner) for v in sum.factors):
            return []
    used = {v for op in operations_in(region.body) if op not in ids for v in op.operands}
    if operations_of(function.body, ocl.LocalAllocOp) or any(
        _is_of_group(value, region) for value in used
    ):
        return []
    return ids


def _is_along_x(op: Operation) -> bool:
    return isinstance(op, ocl.GroupIdOp | ocl.GlobalOffsetOp) and op.dimension == 0


def _is_of_group(value: SSAValue, region: wg.ParallelOp) -> bool:
    """Whether a value from outside of a region differs between groups."""
    owner = value.owner
    if not isinstance(owner, Operation) or region.is_ancestor(owner):
        return isinstance(owner, Operation) and isinstance(owner, ocl.GroupIdOp)
    return depends_on_group(value, set())


def _share(region: wg.ParallelOp, facts: Uniformity) -> bool:
    """Whether a loop reads what columns share, and what rows share, as in a product of matrices."""
    shared = {0: False, 1: False}
    for loop in operations_of(region.body, scf.ForOp, scf.WhileOp):
        for op in operations_of(loop, ocl.LoadOp):
            strides = [access_stride(facts, op, dimension) for dimension in (0, 1)]
            for dimension, stride in enumerate(strides):
                if stride == 0 and strides[1 - dimension] != 0:
                    shared[dimension] = True
    return all(shared.values())


class _Tile:
    """How the groups of a region become tiles."""

    def __init__(
        self,
        region: wg.ParallelOp,
        ids: list[Operation],
        facts: Uniformity,
        group: GroupBuilder,
    ):
        size = constant_index(region.sizes[0])
        assert size is not None
        self.width = size // HEIGHT
        self._size = size
        self._ids, self._facts, self._group, self._region = ids, facts, group, region
        self._of_group = group.emit(ocl.GroupIdOp(0))
        self._divisions: list[Operation] = []
        """Those of the id by the width of a row."""
        self._guards: list[arith.CmpiOp] = []
        """Those that all work-items pass."""
        self._row_width: SSAValue | None = None

    def condition(self) -> SSAValue | None:
        """Whether rows and the launch have whole tiles; None if ids are not divided."""
        group = self._group
        zero, most = group.index(0), group.index(2**31)
        launch = group.emit(ocl.GlobalSizeOp(0))
        offset = group.emit(ocl.GlobalOffsetOp(0))
        divisors: set[SSAValue] = set()
        tests = [group.compare("eq", offset, zero), group.compare("ult", launch, most)]
        for op in operations_of(self._region.body, *QUOTIENTS, *REMAINDERS):
            dividend, divisor = op.operands
            if not self._is_id(dividend) or not self._facts.is_uniform(divisor):
                continue
            by_bits = isinstance(op, _WIDTH_KNOWN_BY_BITS)
            if self._row_width is None:
                self._row_width = row_width(group, op, divisor)[0]
            elif by_bits:
                other = row_width(group, op, divisor)[0]
                tests.append(group.compare("eq", other, self._row_width))
            elif divisor not in divisors:
                continue
            divisors.add(divisor)
            self._divisions.append(op)
        if self._row_width is None:
            return None
        positive = group.max(self._row_width, group.index(1), signed=True)
        self._columns = group.emit(arith.DivUIOp(positive, group.index(self.width)))
        tests += [
            group.compare("slt", zero, self._row_width),
            group.compare("ult", self._row_width, most),
            self._divides(positive, group.index(self.width)),
            self._divides(launch, group.mul(positive, group.index(HEIGHT))),
        ]
        tests += self._tests_of_guards(launch)
        return reduce(group.and_, tests)

    def _tests_of_guards(self, launch: SSAValue) -> list[SSAValue]:
        group, tests = self._group, list[SSAValue]()
        for op in operations_of(self._region.body, arith.CmpiOp):
            is_below = op.predicate.value.data in (2, 6)  # slt, ult
            if is_below and self._is_id(op.lhs) and self._facts.is_uniform(op.rhs):
                try:
                    bound = group.lifted(op.rhs)
                except NotLiftable:
                    continue
                # A negative bound is a large one if it is unsigned, which is left.
                bound = group.as_index(bound)
                tests.append(group.compare("sle", launch, bound))
                self._guards.append(op)
        return tests

    def _is_id(self, value: SSAValue) -> bool:
        """Whether a value is the global id."""
        while isinstance(value.owner, arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp):
            if is_narrow(value):
                return False
            value = value.owner.operands[0]
        return value.owner in self._ids

    def _divides(self, x: SSAValue, y: SSAValue) -> SSAValue:
        rest = self._group.emit(arith.RemUIOp(x, y))
        return self._group.compare("eq", rest, self._group.index(0))

    def rewrite(self, copy: wg.ParallelOp, copies: dict[Operation, Operation]) -> None:
        """Make tiles of a copy of the region."""
        before, inside = Build(copy), Build(copy, InsertPoint.at_start(copy.body.block))
        copy.attributes[SPREAD] = UnitAttr()
        columns = before.max(self._columns, before.index(1), signed=True)
        place = [arith.RemUIOp(self._of_group, columns), arith.DivUIOp(self._of_group, columns)]
        sizes = (self.width, HEIGHT)
        firsts = [
            before.mul(before.emit(op), before.index(size))
            for op, size in zip(place, sizes, strict=True)
        ]
        for dimension, size in enumerate(sizes):
            copy.operands[dimension] = before.index(size)
        sums = zip(firsts, copy.local_ids[:2], strict=True)
        column, row = (inside.add(first, id) for first, id in sums)
        column.name_hint, row.name_hint = "column", "row"
        assert self._row_width is not None
        id = inside.add(inside.mul(row, self._row_width), column)
        for guard in self._guards:
            settle(copies[guard].results[0], True)
        for op in self._divisions:
            division = copies[op]
            # The other side of a guard is gone.
            if not copy.is_ancestor(division):
                continue
            is_quotient = isinstance(op, QUOTIENTS)
            if is_quotient:
                self._replace_differences(division, column)
            _replace(division, row if is_quotient else column)
        for op in self._ids:
            if copy.is_ancestor(copies[op]):
                Rewriter.replace_op(copies[op], [], [id])
        erase_unused(copy.body)

    def _replace_differences(self, quotient: Operation, column: SSAValue) -> None:
        """`i - i / width * width` is the remainder."""
        value, divisor = quotient.results[0], quotient.operands[1]
        products = [use.operation for use in value.uses]
        for product in products:
            if not isinstance(product, arith.MuliOp) or divisor not in product.operands:
                continue
            for use in list(product.result.uses):
                op = use.operation
                if isinstance(op, arith.SubiOp) and op.rhs is product.result:
                    if op.lhs is quotient.operands[0]:
                        _replace(op, column)


def _replace(op: Operation, value: SSAValue) -> None:
    """An operation by a natural number below 2^31, also where the result is extended."""
    build = Build(op)
    for use in list(op.results[0].uses):
        user = use.operation
        if isinstance(user, arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp):
            if user.results[0].type in (IndexType(), i64):
                wide = build.index_cast(value, user.results[0].type)
                Rewriter.replace_op(user, [], [wide])
    Rewriter.replace_op(op, [], [build.index_cast(value, op.results[0].type)])
