"""`wg-merge-groups`: several groups run as one, with another dimension."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, IntegerType, ModuleOp, UnitAttr, VectorType
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.cache_line import LINE
from polycl.analysis.ocl.evaluate import same
from polycl.analysis.ocl.sliding import Products
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl.kernel import NON_UNIFORM
from polycl.dialects.ocl.layout import round_up, size_of
from polycl.dialects.parents import parents
from polycl.dialects.wg.attributes import LIKELY, SPREAD
from polycl.lowering.build import Build
from polycl.lowering.wg.wg_vectorize.accesses import accessed_type, accesses_in
from polycl.remarks import emit_remark
from polycl.symbolic import integer

LEAST = 4
"""Groups that are worth it."""

MOST_BYTES = 24 << 10
"""Local memory of the groups that run as one, which should stay in the first cache."""

NARROW = 4
"""Groups of narrow rows that run as one."""

_APART = 128
"""Bytes between the memory of two groups: an odd number of the largest elements is not a power of
two, so that groups do not share sets of the cache."""

_OF_THE_GROUP = (ocl.AddressSpace.LOCAL, ocl.AddressSpace.PRIVATE)
_Allocation = ocl.LocalAllocOp | ocl.AllocaOp


@dataclass(frozen=True)
class WgMergeGroupsPass(ModulePass):
    """Run `groups` neighbouring groups as one where a single work-item of each has a long loop.

    ```
    %t = ocl.local_alloc : ... 256 x f32           %t = ocl.local_alloc : ... 16 * 288 x f32
    %g = ocl.group_id 0
    wg.parallel (%x, %y, %z) in (256, 1, 1) {      wg.parallel (%x, %y, %z) in (256, 16, 1) {
      ocl.store %v, %t[%x]                           ocl.store %v, %t[%y * 288 + %x]
    }                                              }
    wg.parallel (%x, %y, %z) in (1, 1, 1) {    ->  wg.parallel (%x, %y, %z) in (1, 16, 1) {
      %s = scf.for %i = 0 to 256 ... {               %s = scf.for %i = 0 to 256 ... {
        %w = ocl.load %t[%i]                           %w = ocl.load %t[%y * 288 + %i]
        ...                                            ...
      }                                              }
      ocl.store %s, %out[%g]                         ocl.store %s, %out[%g + %y]
    }                                              }
    ```

    Each addition of such a loop waits for the one before, and their order is given; but groups do
    not wait for each other. Now they are lanes along y (or z), which `wg-vectorize` runs at once,
    and `wg-read-rows` reads the rows of their local memory.

    The group whose number is a multiple of `groups` runs all of them; the last groups, if they are
    fewer, run alone, as before, and so do those of launches with fewer than `fewest`, which would
    leave some threads without work.

    All groups must run the same regions: bounds and conditions outside of regions do not depend on
    the group. Nothing there may access memory. No group may wait for another one, which an atomic
    or volatile access to global memory is needed for. The loops of the work-item are known to run
    `iterations` times or more: what else the groups do gains nothing, and sums of pairs, which
    LLVM keeps in registers for one group, become slower.

    Groups of 8 x 8 floats read and write half a line of each of 8 rows. Rows that lie a power of
    two apart share a set of the cache, where the lines do not stay until the next group wants the
    other half: a transform of 2048 columns takes 1.4 times as long as one of 2112. So four such
    groups take each step together, if they have two or more, keep no values in between, and the
    next group goes on in the same rows:

    ```
                                                   %n = min(4, %groups - %g)
                                                   scf.if %g % 4 == 0 {
    wg.parallel (...) in (8, 8, 1) { ... }    ->     wg.parallel (...) in (8, 8, %n) { ... }
    wg.parallel (...) in (8, 8, 1) { ... }           wg.parallel (...) in (8, 8, %n) { ... }
    ```
    """

    name = "wg-merge-groups"

    groups: int = 16
    fewest: int = 128
    iterations: int = 128

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            if function.local_size is None or NON_UNIFORM in function.attributes:
                continue
            regions = operations_of(function.body, wg.ParallelOp)
            if any(_serial_iterations(region) >= self.iterations for region in regions):
                groups = _Groups(function, self.groups)
                if groups.count >= LEAST and groups.may_run_together():
                    groups.merge(self.fewest)
                    emit_remark(function, self.name, f"{groups.count} groups run as one")
            elif len(regions) > 1 and _reads_narrow_rows(function):
                groups = _Groups(function, NARROW)
                if groups.count == NARROW and groups.keep_nothing() and groups.may_run_together():
                    groups.take_steps_together(self.fewest)
                    emit_remark(function, self.name, f"{groups.count} groups take steps together")


def _serial_iterations(region: wg.ParallelOp) -> int:
    """How often the longest loop of a region of one work-item is known to run."""
    if any(constant_index(size) != 1 for size in region.sizes):
        return 0
    found = [0]
    for loop in operations_of(region.body, scf.ForOp):
        around = [loop, *takewhile(lambda parent: parent is not region, parents(loop))]
        found.append(prod(trip_count(op) or 1 for op in around if isinstance(op, scf.ForOp)))
    return max(found)


def _reads_narrow_rows(function: wg.FuncOp) -> bool:
    """Whether each group accesses parts of several rows, of less than a line each, that go on in
    the next group, and no row that goes on elsewhere."""
    assert function.local_size is not None
    columns, rows, _ = function.local_size.get_values()
    if rows == 1 or columns >= LINE:
        return False
    goes_on = False
    for region in function.body.block.ops:
        if isinstance(region, wg.ParallelOp):
            for access in accesses_in(region):
                is_narrow = columns * size_of(accessed_type(access)) < LINE
                if is_narrow and not _is_of_the_group(access.pointer) and access.index:
                    found = _goes_on(region, access.index, columns)
                    if found is False:
                        return False
                    goes_on |= found is not None
    return goes_on


def _goes_on(region: wg.ParallelOp, index: SSAValue, columns: int) -> bool | None:
    """Whether the next group accesses what comes next in the rows of this one; None for another
    access than one of `columns` neighbours each in rows that lie apart."""
    places = _Places()
    place = places.of(index)
    x, y, _ = (places.moved(place, number, 1) - place for number in region.local_ids)
    if x != integer(1) or not (y.degree or y.number):
        return None
    group = place
    for value in places.values_of(place):
        if isinstance(value.owner, ocl.GroupIdOp) and value.owner.dimension == 0:
            group = places.moved(group, value, 1)
    group = group - place
    if not group.degree:
        return group.number == columns
    return set(group.atoms).isdisjoint(y.atoms)


class _Places(Products):
    """Indices as those who wrote them mean them: none wraps."""

    rules = {**Products.rules, arith.ExtUIOp: same, arith.TruncIOp: same}


class _Groups:
    """The groups of a function."""

    def __init__(self, function: wg.FuncOp, most: int):
        assert function.local_size is not None
        self.function = function
        self.size = [int(size) for size in function.local_size.get_values()]
        self.dimension = next((d for d in (1, 2) if self.size[d] == 1), None)
        body = function.body.block
        self.memory = [op for op in body.ops if isinstance(op, _Allocation)]
        """What each group has of its own."""
        nbytes = [size_of(ocl.pointee_of(op.results[0])) for op in self.memory]
        self.stride = round_up(max(nbytes, default=0), 2 * _APART) + _APART
        """Bytes from the memory of a group to that of the next one."""
        self.count = 0 if self.dimension is None else most
        while self.count * self.stride * len(nbytes) > MOST_BYTES:
            self.count //= 2
        self.varying: set[SSAValue] = set()
        """What differs between the groups, outside of the regions."""

    # Whether

    def keep_nothing(self) -> bool:
        """Whether work-items keep no values from one region to the next, and no loop runs regions
        again."""
        body = self.function.body.block
        regions = operations_of(body, wg.ParallelOp)
        is_local = all(isinstance(op, ocl.LocalAllocOp) for op in self.memory)
        return is_local and all(region.parent is body for region in regions)

    def may_run_together(self) -> bool:
        if any(arg.uses and _is_of_the_group(arg) for arg in self.function.args):
            return False  # Local memory that the launch gives, of a size that is not known here.
        is_known = all(_scalar_of(op.results[0]) is not None for op in self.memory)
        return is_known and self._is_alike(self.function.body.block)

    def _is_alike(self, block: Block) -> bool:
        """Whether all groups run the same regions of a block, and nothing else but arithmetic."""
        for op in block.ops:
            varies = any(operand in self.varying for operand in op.operands)
            if isinstance(op, wg.ParallelOp):
                if varies or op.res or op.step is not None or not _is_plain(op):
                    return False
            elif op.regions:
                if varies or not isinstance(op, scf.ForOp | scf.WhileOp | scf.IfOp):
                    return False
                if not all(self._is_alike(b) for region in op.regions for b in region.blocks):
                    return False
            elif isinstance(op, ocl.GroupIdOp):
                if op.dimension == 0:
                    self.varying.add(op.result)
            elif isinstance(op, _Allocation):
                if op not in self.memory:
                    return False
            elif isinstance(op, scf.YieldOp | scf.ConditionOp | wg.ReturnOp):
                if varies:
                    return False
            elif not is_side_effect_free(op) or not _keeps_memory(op):
                return False
            elif varies:
                self.varying.update(op.results)
        return True

    # How

    def merge(self, fewest: int) -> None:
        """Merge the groups from each multiple of `count` on, if there are as many."""
        function, body = self.function, self.function.body.block
        ops = [op for op in body.ops if op not in self.memory]
        end = ops.pop()
        merged, alone, first = Block(), Block(), Block()
        known: dict[SSAValue, SSAValue] = {}
        for op in ops:
            merged.add_op(op.clone(known))
        for op in ops:
            op.detach()
            alone.add_op(op)
        for memory in self.memory:
            self._enlarge(memory)
        build = Build(function, InsertPoint.before(end))
        group, groups = build.emit(ocl.GroupIdOp(0)), build.emit(ocl.NumGroupsOp(0))
        start = build.and_(group, build.index(-self.count))
        all_there = build.compare("ule", build.add(start, build.index(self.count)), groups)
        enough = build.compare("ule", build.index(fewest), groups)
        together = build.and_(all_there, enough)
        split = scf.IfOp(together, [], Region(first), Region(alone))
        split.attributes[LIKELY] = UnitAttr()
        build.emit_void(split)
        is_first = Build(function, first).compare("eq", group, start)
        Build(function, first).emit_void(scf.IfOp(is_first, [], Region(merged)))
        for block in (merged, alone, first):
            Build(function, block).emit_void(scf.YieldOp())
        varying = {known[value] for value in self.varying}
        for region in operations_of(merged, wg.ParallelOp):
            region.attributes[SPREAD] = UnitAttr()
            _Merged(self, region, varying).rewrite(Build(region).index(self.count))

    def take_steps_together(self, fewest: int) -> None:
        """Let the first of each `count` groups run the regions of all, one after the other."""
        function, body = self.function, self.function.body.block
        *ops, end = (op for op in body.ops if op not in self.memory)
        for memory in self.memory:
            self._enlarge(memory)
        build = Build(function, InsertPoint.before(end))
        group, groups = build.emit(ocl.GroupIdOp(0)), build.emit(ocl.NumGroupsOp(0))
        enough = build.compare("ule", build.index(fewest), groups)
        most = build.select(enough, build.index(self.count), build.index(1))
        is_first = build.compare(
            "eq", build.and_(group, build.sub(most, build.index(1))), build.index(0)
        )
        count = build.min(most, build.sub(groups, group), signed=False)
        with build.when(is_first) as branch:
            for op in ops:
                op.detach()
                build.block.add_op(op)
        for region in operations_of(branch.true_region, wg.ParallelOp):
            _Merged(self, region, self.varying).rewrite(count)

    def _enlarge(self, op: _Allocation) -> None:
        """Memory of all groups, in the place of that of one."""
        scalar = _scalar_of(op.results[0])
        assert scalar is not None
        build = Build(op)
        array = ocl.ArrayType(self.count * self.stride // size_of(scalar), scalar)
        memory = build.emit(type(op)(array))
        memory.name_hint = op.results[0].name_hint
        cast = build.emit(ocl.CastOp(memory, ocl.pointer_type(op.results[0])))
        Rewriter.replace_op(op, [], [cast])


def _scalar_of(pointer: SSAValue) -> Attribute | None:
    """What memory consists of, if these are numbers or vectors of them."""
    type = ocl.pointee_of(pointer)
    while isinstance(type, ocl.ArrayType):
        type = type.element
    return type if isinstance(type, IntegerType | AnyFloat | VectorType) else None


def _is_of_the_group(value: SSAValue) -> bool:
    return isinstance(value.type, ocl.PtrType) and value.type.address_space in _OF_THE_GROUP


def _keeps_memory(op: Operation) -> bool:
    """Whether pointers to memory of the group come from such ones, and lead to no other values."""
    takes = any(map(_is_of_the_group, op.operands))
    return takes == any(map(_is_of_the_group, op.results))


def _is_plain(region: wg.ParallelOp) -> bool:
    """Whether nobody sees in which order groups run a region, and no group waits for another."""
    for op in operations_in(region.body):
        if isinstance(op, ocl.PrintfOp | ocl.FenceOp | CallOp):
            return False
        pointers = [x for x in op.operands if isinstance(x.type, ocl.PtrType)]
        if not all(map(_is_of_the_group, pointers)):
            if op.name.startswith("ocl.atomic") or "volatile" in op.properties:
                return False
        for pointer in pointers:
            if not region.is_ancestor(pointer.owner) and _is_of_the_group(pointer):
                if _scalar_of(pointer) is None:
                    return False
    return True


class _Merged:
    """A region of one group, which becomes that of several."""

    def __init__(self, groups: _Groups, region: wg.ParallelOp, varying: set[SSAValue]):
        self._groups = groups
        self._region = region
        self._varying = varying
        self._known: dict[SSAValue, SSAValue] = {}
        self._build = Build(region, InsertPoint.at_start(region.body.block))
        assert groups.dimension is not None
        self._id = region.local_ids[groups.dimension]

    def rewrite(self, count: SSAValue) -> None:
        region, groups = self._region, self._groups
        assert groups.dimension is not None
        inner = operations_in(region.body)
        region.operands[groups.dimension] = count
        zero = self._build.index(0)
        self._id.replace_all_uses_with(zero)
        for op in inner:
            if isinstance(op, ocl.GroupIdOp) and op.dimension == 0:
                Rewriter.replace_op(op, [], [self._group_id()])
                continue
            for number, operand in enumerate(op.operands):
                if not region.is_ancestor(operand.owner):
                    op.operands[number] = self._of_group(operand)

    def _group_id(self) -> SSAValue:
        return self._build.add(self._build.emit(ocl.GroupIdOp(0)), self._id)

    def _of_group(self, value: SSAValue) -> SSAValue:
        """A value from outside of the region, for the group of the work-item."""
        if value not in self._known:
            self._known[value] = self._computed(value)
        return self._known[value]

    def _computed(self, value: SSAValue) -> SSAValue:
        if value in self._varying:
            owner = value.owner
            assert isinstance(owner, Operation)
            if isinstance(owner, ocl.GroupIdOp):
                return self._group_id()
            operands = [self._of_group(operand) for operand in owner.operands]
            copy = owner.clone(dict(zip(owner.operands, operands, strict=True)))
            self._build.emit_void(copy)
            self._known.update(zip(owner.results, copy.results, strict=True))
            return self._known[value]
        if _is_of_the_group(value):
            return self._moved(value, ocl.pointer_type(value))
        return value

    def _moved(self, pointer: SSAValue, type: ocl.PtrType) -> SSAValue:
        """A pointer to memory of the first group, moved to that of the work-item's group."""
        scalar = _scalar_of(pointer)
        assert scalar is not None
        build = self._build
        element = ocl.PtrType(scalar, type.address_space)
        if element != type:
            pointer = build.emit(ocl.CastOp(pointer, element))
        distance = build.index(self._groups.stride // size_of(scalar))
        moved = build.emit(ocl.OffsetOp(pointer, build.mul(self._id, distance)))
        return moved if element == type else build.emit(ocl.CastOp(moved, type))
