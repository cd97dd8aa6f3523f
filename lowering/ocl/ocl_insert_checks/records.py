"""The parameters, records and identity of a kernel with checks."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from math import gcd

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerType,
    StringAttr,
    i8,
    i32,
    i64,
)
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.kernel import PARAM_NAME
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointer_type, space_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_insert_checks.accesses import (
    SHARED,
    UPDATE,
    WRITE,
    Access,
    depends_on_memory,
)

PREFIX = "check."
"""The prefix of the functions of check_functions.mlir, which no function of C has."""

MOST_GROUPS = 1 << 22
"""A cell has room for the numbers of so many groups."""

_GRANULE = 4
"""Bytes for which a cell takes no more than twice their memory."""


@dataclass(frozen=True)
class CheckParameter:
    """A parameter that `ocl-insert-checks` has added."""

    kind: str
    """`bytes`: the size of an argument; `cells`: a zeroed cell of 8 bytes for each `granule` bytes
    of it, `marks`: a byte; `window`, `window_size`: the first granule that has a cell, and their
    number (64 bits); `suspects`: a zeroed number of 32 bits for each group, and one that is set if
    work-items differ about a barrier, and have left it out."""

    position: int = 0
    """The argument."""

    granule: int = 0

    parts: int = 1
    """Cells are for one of so many parts of the argument, a window, in a launch."""


class Records:
    """What a kernel with checks has in addition: parameters, memory that records the accesses of
    each object, and what it knows of its groups, work-items and barriers."""

    def __init__(self, kernel: ocl.KernelOp, accesses: Sequence[Access], large: Container[int]):
        self.kernel = kernel
        self.large = large
        block = kernel.body.block
        first = block.first_op
        assert first is not None
        # After the allocations, which the checks use.
        while isinstance(first, ocl.AllocaOp | ocl.LocalAllocOp) and first.next_op is not None:
            first = first.next_op
        # Before an operation that stays where it is, as an access may not.
        anchor = arith.ConstantOp.from_int_and_width(0, i32)
        Rewriter.insert_op(anchor, InsertPoint.before(first))
        self.start = Build(first, InsertPoint.before(anchor), constants={})
        self.added: list[CheckParameter] = []
        self.granules: dict[SSAValue, int] = {}
        for access in accesses:
            before = self.granules.get(access.root, 0)
            self.granules[access.root] = gcd(before, access.granule, access.align)
        self.bytes: dict[SSAValue, SSAValue] = {}
        self.cells: dict[SSAValue, SSAValue] = {}
        self.windows: dict[SSAValue, tuple[SSAValue, SSAValue]] = {}
        self.marks: dict[SSAValue, SSAValue] = {}

    # Parameters and memory.

    def bytes_of(self, root: SSAValue) -> SSAValue:
        """The size of an object: of an argument, a further parameter."""
        if root in self.bytes:
            return self.bytes[root]
        position = self._position_of(root)
        if position is not None:
            name = f"{self.kernel.param_names[position]}.bytes"
            size = self._parameter(name, i64, CheckParameter("bytes", position))
        else:
            size = self.start.constant(size_of(pointer_type(root).pointee), i64)
        self.bytes[root] = size
        return size

    def add_cells(self, root: SSAValue) -> None:
        """A cell for each granule: who accessed it last."""
        position = self._position_of(root)
        is_large = position is not None and position in self.large
        parts = max(_GRANULE // self.granules[root], 1) if is_large else 1
        self.cells[root] = self._memory_for(root, i64, "cells", parts)
        if position is None or parts == 1:
            return
        first, count = (
            self._parameter(
                f"{self.kernel.param_names[position]}.{kind}",
                i64,
                CheckParameter(kind, position, self.granules[root], parts),
            )
            for kind in ("window", "window_size")
        )
        self.windows[root] = first, count

    def add_marks(self, root: SSAValue) -> None:
        """A byte for each granule: whether it was set."""
        self.marks[root] = self._memory_for(root, i8, "marks")

    def keeps(self, root: SSAValue) -> bool:
        """Whether there is a record of an object."""
        return root in self.cells or root in self.marks

    def begin(self) -> None:
        """Add what marks the group, and what the kernel does before everything else."""
        self.suspects = self._parameter(
            "suspects", ocl.PtrType(i32, AddressSpace.GLOBAL), CheckParameter("suspects")
        )
        self._identify()
        self._count_barriers()
        self._clear()

    def drop_unused_suspects(self) -> None:
        """Nothing is left to check: nor does the kernel need to know which group runs."""
        if self.suspects.first_use is not None:
            return
        kernel = self.kernel
        for op in list(kernel.body.block.ops)[::-1]:
            if is_side_effect_free(op) and not any(result.first_use for result in op.results):
                Rewriter.erase_op(op)
        place = kernel.args.index(self.suspects)  # pyright: ignore[reportArgumentType]
        kernel.body.block.erase_arg(self.suspects)  # pyright: ignore[reportArgumentType]
        inputs = [type for i, type in enumerate(kernel.function_type.inputs) if i != place]
        attributes = [attrs for i, attrs in enumerate(kernel.param_attrs) if i != place]
        kernel.properties["function_type"] = FunctionType.from_lists(inputs, [])
        kernel.properties["arg_attrs"] = ArrayAttr(map(DictionaryAttr, attributes))
        self.added = [parameter for parameter in self.added if parameter.kind != "suspects"]

    def _parameter(self, name: str, type: Attribute, what: CheckParameter) -> SSAValue:
        kernel = self.kernel
        block = kernel.body.block
        value = block.insert_arg(type, len(block.args))
        value.name_hint = name.replace(".", "_")
        inputs = [*kernel.function_type.inputs, type]
        attributes = [*kernel.param_attrs, {PARAM_NAME: StringAttr(f"check.{name}")}]
        kernel.properties["function_type"] = FunctionType.from_lists(inputs, [])
        kernel.properties["arg_attrs"] = ArrayAttr(map(DictionaryAttr, attributes))
        self.added.append(what)
        return value

    def _position_of(self, root: SSAValue) -> int | None:
        """The number of an object that is an argument."""
        if not isinstance(root.owner, Block):
            return None
        return self.kernel.body.block.args.index(root)  # pyright: ignore[reportArgumentType]

    def _memory_for(
        self, root: SSAValue, element: IntegerType, kind: str, parts: int = 1
    ) -> SSAValue:
        """An element for each granule of an object, in the same address space."""
        granule = self.granules[root]
        space = space_of(root)
        type = ocl.PtrType(element, space)
        position = self._position_of(root)
        if position is not None:
            name = f"{self.kernel.param_names[position]}.{kind}"
            return self._parameter(name, type, CheckParameter(kind, position, granule, parts))
        array = ocl.ArrayType(-(-size_of(pointer_type(root).pointee) // granule), element)
        kinds = {AddressSpace.LOCAL: ocl.LocalAllocOp, AddressSpace.PRIVATE: ocl.AllocaOp}
        return self.start.emit(ocl.CastOp(self.start.emit(kinds[space](array)), type))

    def _clear(self) -> None:
        """Nothing was set or accessed yet: private memory, and local memory by the whole group."""
        start = self.start
        memories = [
            (root, memory)
            for kind in (self.cells, self.marks)
            for root, memory in kind.items()
            if space_of(root) is not AddressSpace.GLOBAL
        ]
        is_shared = any(space_of(root) is AddressSpace.LOCAL for root, _ in memories)
        items = start.index(1)
        for d in range(3) if is_shared else ():
            items = start.mul(items, start.emit(ocl.LocalSizeOp(d)))
        for root, memory in memories:
            granule = start.constant(self.granules[root], i64)
            count = start.as_index(start.emit(arith.DivUIOp(self.bytes[root], granule)))
            is_local = space_of(root) is AddressSpace.LOCAL
            first, step = (self.item, items) if is_local else (start.index(0), start.index(1))
            self._fill(start, memory, first, count, step)
        if is_shared:
            start.emit_void(ocl.BarrierOp(local=True))

    def _fill(
        self, build: Build, cells: SSAValue, first: SSAValue, end: SSAValue, step: SSAValue
    ) -> None:
        """Clear every `step`-th cell."""
        body = Region(Block(arg_types=[first.type]))
        inner = Build(build.source, body.block)
        zero = inner.constant(0, pointer_type(cells).pointee)
        inner.emit_void(ocl.StoreOp(zero, cells, body.block.args[0]))
        inner.emit_void(scf.YieldOp())
        build.emit_void(scf.ForOp(first, end, step, (), body))

    # What the kernel knows of itself.

    def _identify(self) -> None:
        """The numbers of the group and of the work-item, in their places of a cell."""
        start = self.start
        group, item = start.index(0), start.index(0)
        for d in (2, 1, 0):
            group = start.add(
                start.mul(group, start.emit(ocl.NumGroupsOp(d))), start.emit(ocl.GroupIdOp(d))
            )
            item = start.add(
                start.mul(item, start.emit(ocl.LocalSizeOp(d))), start.emit(ocl.LocalIdOp(d))
            )
        self.group, self.item = group, item
        self.self = start.or_(
            start.shl(start.index_cast(group, i64), 38), start.shl(start.index_cast(item, i64), 21)
        )
        self.itself = start.add(
            self.start.emit(arith.TruncIOp(start.index_cast(group, i64), i32)),
            start.constant(1, i32),
        )

    def _count_barriers(self) -> None:
        """Private variables with the barriers so far, and with those when writes were ordered."""
        barriers = [*operations_of(self.kernel.body, ocl.BarrierOp)]
        self.epoch: SSAValue | None = None
        self.since: dict[AddressSpace, SSAValue | None] = dict.fromkeys(SHARED)
        if not barriers:
            return
        self.epoch = self._counter()
        for space in SHARED:
            fences = [op for op in barriers if _fences(op, space)]
            if len(fences) == len(barriers):
                self.since[space] = self.epoch
            elif fences:
                self.since[space] = self._counter()
        for op in barriers:
            build = Build(op, InsertPoint.after(op))
            now = build.add(build.emit(ocl.LoadOp(self.epoch)), build.constant(1, i64))
            build.emit_void(ocl.StoreOp(now, self.epoch))
            for space in SHARED:
                since = self.since[space]
                if since is not None and since is not self.epoch and _fences(op, space):
                    build.emit_void(ocl.StoreOp(now, since))

    def _counter(self) -> SSAValue:
        pointer = self.start.emit(ocl.AllocaOp(i64))
        self.start.emit_void(ocl.StoreOp(self.start.constant(0, i64), pointer))
        return pointer

    # What is recorded, and found.

    def suspect(self, build: Build) -> None:
        """The group."""
        build.emit_void(ocl.StoreOp(self.itself, self.suspects, self.group))

    def suspect_if(self, build: Build, condition: SSAValue) -> None:
        body = Block()
        inner = Build(build.source, body)
        self.suspect(inner)
        inner.emit_void(scf.YieldOp())
        build.emit_void(scf.IfOp(condition, (), [body]))

    def suspect_differing(self, build: Build) -> None:
        """The group, and that its work-items differ about a barrier."""
        self.suspect(build)
        groups = build.index(1)
        for d in range(3):
            groups = build.mul(groups, build.emit(ocl.NumGroupsOp(d)))
        build.emit_void(ocl.StoreOp(build.constant(1, i32), self.suspects, groups))

    def record(self, access: Access, kind: int, build: Build, offset: SSAValue) -> None:
        """Record an access of a kind, 0: nothing; where it is wrong, suspect the group."""
        cells, marks = self.cells.get(access.root), self.marks.get(access.root)
        if (cells is None and marks is None) or not kind:
            return
        granule = self.granules[access.root]
        first = build.as_index(build.shr(offset, granule.bit_length() - 1, signed=False))
        for number in range(-(-access.size // granule)):
            at = build.add(first, build.index(number)) if number else first
            if marks is not None:
                self._mark(access, build, marks, at)
            if cells is not None:
                self._share_in_window(access, kind, build, cells, at)

    def _share_in_window(
        self, access: Access, kind: int, build: Build, cells: SSAValue, at: SSAValue
    ) -> None:
        if access.root not in self.windows:
            self._share(access, kind, build, build.emit(ocl.OffsetOp(cells, at)))
            return
        first, count = map(build.as_index, self.windows[access.root])
        place = build.sub(at, first)
        body = Block()
        inner = Build(build.source, body)
        self._share(access, kind, inner, inner.emit(ocl.OffsetOp(cells, place)))
        inner.emit_void(scf.YieldOp())
        build.emit_void(scf.IfOp(build.compare("ult", place, count), (), [body]))

    def _share(self, access: Access, kind: int, build: Build, cell: SSAValue) -> None:
        space = space_of(access.root)
        name = "shared_by_all" if space is AddressSpace.GLOBAL else "shared_by_group"
        if space is AddressSpace.LOCAL and depends_on_memory(access.op):
            name = "updated_by_group"
        me = self.self if self.epoch is None else build.or_(self.self, self._now(build, self.epoch))
        since = self._now(build, self.since[space])
        build.emit_void(
            CallOp(PREFIX + name, [cell, me, since, build.constant(kind, i32), self.suspects], [])
        )

    def _now(self, build: Build, counter: SSAValue | None) -> SSAValue:
        return build.constant(0, i64) if counter is None else build.emit(ocl.LoadOp(counter))

    def _mark(self, access: Access, build: Build, marks: SSAValue, at: SSAValue) -> None:
        if access.kind == WRITE or (access.kind == UPDATE and not depends_on_memory(access.op)):
            build.emit_void(ocl.StoreOp(build.constant(1, i8), marks, at))
            return
        is_unset = build.compare("eq", build.emit(ocl.LoadOp(marks, at)), build.constant(0, i8))
        self.suspect_if(build, is_unset)


def _fences(op: ocl.BarrierOp, space: AddressSpace) -> bool:
    return (op.local if space is AddressSpace.LOCAL else op.global_) is not None
