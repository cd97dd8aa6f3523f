"""`ocl-insert-checks`: a kernel that finds out which of its work-groups may be wrong."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import chain
from math import gcd
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import arith, cf, scf, vector
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import required_alignment
from polycl.analysis.ocl.parallel_regions import CUTS, ops_around_barriers
from polycl.analysis.ocl.subscripts import Subscript, subscripts
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.kernel import PARAM_NAME
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.ocl.memory import pointer_type, space_of
from polycl.errors import error_at
from polycl.lowering.build import Build
from polycl.lowering.ocl.function_library import Library, library
from polycl.lowering.ocl.moving import hoisted, is_hoistable
from polycl.lowering.ocl.ocl_insert_checks.accesses import (
    READ,
    SHARED,
    UPDATE,
    WRITE,
    Access,
    Aliases,
    accesses_of,
    depends_on_memory,
)
from polycl.lowering.ocl.ocl_insert_checks.addresses import offset_of
from polycl.lowering.ocl.ocl_insert_checks.decisions import Decision, Verdict, decide, name_of
from polycl.lowering.ocl.ocl_insert_checks.faults import DIVISIONS, SHIFTS, fault_of
from polycl.lowering.ocl.ocl_insert_checks.guarded_loops import leave_guards_out
from polycl.lowering.ocl.ocl_insert_checks.proofs import NOTHING_PROVED, Proof
from polycl.lowering.ocl.ocl_insert_checks.several_objects import split_accesses
from polycl.lowering.ocl.ocl_insert_checks.unset import IS_UNSET, track_unset_values, zero
from polycl.lowering.ocl.ocl_insert_checks.votes import DECIDES_OTHERWISE, decide_together
from polycl.lowering.ocl.promote_private_memory import promote
from polycl.lowering.ocl.share_values import share_values
from polycl.lowering.ocl.split_structs import split_structs
from polycl.remarks import emit_remark

PREFIX = "check."
"""The prefix of the functions of check_functions.mlir, which no function of C has."""

MOST_ITEMS = 1 << 12
MOST_GROUPS = 1 << 22
"""A cell has room for the numbers of so many work-items of a group, and groups."""

_GRANULE = 4
"""Bytes for which a cell takes no more than twice their memory."""

_STARTS_UNSET = (AddressSpace.LOCAL, AddressSpace.PRIVATE)

_REFUSED = (
    (ocl.GroupShuffleOp, "shuffles"),
    ((ocl.AsyncCopyOp, ocl.WaitEventsOp), "asynchronous copies"),
    ((ocl.ImageReadOp, ocl.ImageWriteOp, ocl.ImageQueryOp), "images"),
    (CallOp, "function calls"),
    (cf.AssertOp, "assertions"),
    (ocl.IntToPtrOp, "pointers that are made of integers"),
)


@dataclass(frozen=True)
class OclInsertChecksPass(ModulePass):
    """Make each kernel find the work-groups in which something may be wrong.

    An access that is outside of its object, that another work-item's access may race with, or that
    reads what nothing has set, marks its group in the argument `suspects` and, if it is outside,
    does not happen; so does a division by zero, or a shift by too much. What is wrong there the
    interpreter finds out, which runs these groups again. The compiled checks never overlook what
    it finds; they may suspect a group in vain.

    ```
    %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
    ```

    becomes

    ```
    %ok = arith.cmpi ult, %offset, %end : i64
    %v = scf.if %ok -> (f32) {
      func.call @check.shared_by_all(%cell, %self, %since, %read, %suspects)
      %w = ocl.load %x[%i] : !ocl.ptr<f32, global>
      scf.yield %w : f32
    } else {
      ocl.store %itself, %suspects[%group] : !ocl.ptr<i32, global>
      scf.yield %zero : f32
    }
    ```

    Parameters are added (`CheckParameter`): the bytes of each object, its cells, and `suspects`.
    The call is inlined later.

    Raises:
        PolyclError: located: the kernel has what only the interpreter can check.
    """

    name = "ocl-insert-checks"

    kinds: tuple[str, ...] | None = None
    """The kinds of errors that it looks for (docs/oracle.md); all of them without this option."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.ops:
            if isinstance(kernel, ocl.KernelOp):
                prepare(kernel)
                insert_checks(kernel, kinds=self.kinds)


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


def prepare(kernel: ocl.KernelOp) -> None:
    """Make a kernel without calls one that `insert_checks` and `prove` take.

    Raises:
        PolyclError: located: it has what only the interpreter can check.
    """
    _refuse(kernel)
    _split_structs(kernel)
    promote(kernel.body.block)
    if split_accesses(kernel):
        promote(kernel.body.block)
    share_values(kernel.body.block)
    accesses_of(kernel)


def _split_structs(kernel: ocl.KernelOp) -> None:
    """Each field is set or unset on its own. Fields that nothing uses are read nevertheless, where
    the struct may be outside of its object."""
    values = chain.from_iterable(op.results for op in kernel.body.walk())
    if not any(isinstance(value.type, ocl.StructType) for value in values):
        return
    loads = operations_of(kernel.body, ocl.LoadOp)
    kept = {op for op in loads if op.volatile is not None}
    for op in loads:
        if op.index is not None or not isinstance(op.pointer.owner, ocl.AllocaOp):
            op.properties["volatile"] = UnitAttr()
    split_structs(kernel)
    for op in operations_of(kernel.body, ocl.LoadOp):
        if op not in kept:
            op.properties.pop("volatile", None)


@dataclass(frozen=True)
class InsertedChecks:
    """What launches of a kernel with checks need."""

    parameters: tuple[CheckParameter, ...]
    """Those that it has in addition, in order; no `suspects` where nothing is left to check."""

    written: tuple[int, ...]
    """The arguments that it writes to."""

    decisions: tuple[Decision, ...]
    """What became of the checks of each access."""

    @property
    def windows(self) -> int:
        """In how many launches all granules have a cell once."""
        return max((parameter.parts for parameter in self.parameters), default=1)


def insert_checks(
    kernel: ocl.KernelOp,
    proof: Proof = NOTHING_PROVED,
    aliases: Aliases = (),
    large: Container[int] = (),
    kinds: Container[str] | None = None,
) -> InsertedChecks:
    """Insert the checks that are not proved into a prepared kernel: all of them, or those of some
    `kinds` and those that keep accesses inside of their objects.

    Of the arguments `large`, only a window of the granules has cells in a launch, where cells would
    take more than twice the memory of the argument.
    """
    # The proof has their numbers.
    proved = accesses_of(kernel, aliases)
    if kinds is None or "uninitialised" in kinds:
        track_unset_values(kernel)
    promote(kernel.body.block)
    return _Checks(kernel, accesses_of(kernel, aliases), proved, proof, large, kinds).insert()


def _refuse(kernel: ocl.KernelOp) -> None:
    if len(kernel.body.blocks) != 1:
        raise error_at(kernel, "branches between blocks are checked by the interpreter only")
    for op in kernel.body.walk():
        for kinds, what in _REFUSED:
            if isinstance(op, kinds):
                raise error_at(op, f"{what} are checked by the interpreter only")
        if isinstance(op, ocl.Collective) and op.non_uniform is not None:
            raise error_at(
                op, "functions of the active work-items are checked by the interpreter only"
            )
        if isinstance(op, ocl.BarrierOp) and op.is_sub_group:
            raise error_at(op, "barriers of sub-groups are checked by the interpreter only")
    decide_together(kernel)


class _Checks:
    def __init__(
        self,
        kernel: ocl.KernelOp,
        accesses: Sequence[Access],
        proved: Sequence[Access],
        proof: Proof,
        large: Container[int],
        wanted: Container[str] | None,
    ):
        self.kernel = kernel
        self.accesses = accesses
        self.in_bounds = {proved[number].op for number in proof.in_bounds}
        self.in_arrays = {proved[number].op for number in proof.in_arrays}
        self.all_set = {proved[number].root for number in proof.all_set}
        self.without_rivals = {proved[number].root for number in proof.without_rivals}
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
        self.large = large
        self.wanted = wanted
        self.windows: dict[SSAValue, tuple[SSAValue, SSAValue]] = {}
        self.marks: dict[SSAValue, SSAValue] = {}
        self.leaders: dict[Operation, Operation] = {}
        self.kinds: dict[Operation, int] = {}
        # What is recorded of each access, 0: nothing; whether a leader is inside of its object.
        self.oks: dict[Operation, SSAValue] = {}
        # The loops before which accesses are checked, and their guards in them.
        self.checked_before: dict[Operation, scf.ForOp] = {}
        self.loop_guards: dict[scf.IfOp, scf.ForOp] = {}
        self._merge()

    def insert(self) -> InsertedChecks:
        computed = [
            op for op in self.kernel.body.walk() if isinstance(op, self._checked_arithmetic())
        ]
        for access in self.accesses:
            if self._needs_bounds(access) or space_of(access.root) is not AddressSpace.GLOBAL:
                self._bytes_of(access.root)
        written = {a.root for a in self.accesses if a.kind != READ}
        unset = {a.root for a in self.accesses if space_of(a.root) in _STARTS_UNSET} - self.all_set
        for root in dict.fromkeys(a.root for a in self.accesses):
            space = space_of(root)
            if space in SHARED and root in written - self.without_rivals:
                # A cell also knows whether local memory was set.
                is_local = space is AddressSpace.LOCAL
                if self._are_wanted("race", *(["uninitialised"] if is_local else [])):
                    self._add_cells(root)
            elif root in unset and self._are_wanted("uninitialised"):
                self._add_marks(root)
        self.suspects = self._parameter(
            "suspects", ocl.PtrType(i32, AddressSpace.GLOBAL), CheckParameter("suspects")
        )
        self._identify()
        self._count_barriers()
        self._clear()
        for op in operations_of(self.kernel.body, scf.IfOp):
            if op.attributes.pop(IS_UNSET, None) is not None:
                self._suspect(Build(op, InsertPoint.at_start(op.true_region.block)))
            if op.attributes.pop(DECIDES_OTHERWISE, None) is not None:
                build = Build(op, InsertPoint.at_start(op.true_region.block))
                self._suspect(build)
                groups = build.index(1)
                for d in range(3):
                    groups = build.mul(groups, build.emit(ocl.NumGroupsOp(d)))
                build.emit_void(ocl.StoreOp(build.constant(1, i32), self.suspects, groups))
        verdicts: list[Verdict] = [self._check(access) for access in self.accesses]
        decisions = tuple(
            self._decision(access, verdict, written)
            for access, verdict in zip(self.accesses, verdicts, strict=True)
        )
        for op in computed:
            self._check_arithmetic(op)
        leave_guards_out(self.loop_guards)
        module = self.kernel.parent_op()
        assert isinstance(module, ModuleOp)
        names = {op.callee.string_value() for op in operations_of(self.kernel.body, CallOp)}
        _functions().add_to(module, sorted(names))
        self._drop_unused_suspects()
        arguments = self.kernel.args
        places = (place for place, argument in enumerate(arguments) if argument in written)
        return InsertedChecks(tuple(self.added), tuple(places), decisions)

    def _decision(self, access: Access, verdict: Verdict, written: Container[SSAValue]) -> Decision:
        root = access.root
        decision = decide(
            access,
            name_of(access, self.kernel.param_names, self.kernel.args),
            verdict,
            inside=access.op not in self.oks and self.leaders.get(access.op) not in self.oks,
            written=root in written,
            alone=root in self.without_rivals if self._are_wanted("race") else None,
            set=root in self.all_set if self._are_wanted("uninitialised") else None,
        )
        emit_remark(access.op, OclInsertChecksPass.name, decision.text)
        return decision

    def _are_wanted(self, *kinds: str) -> bool:
        return self.wanted is None or any(kind in self.wanted for kind in kinds)

    def _checked_arithmetic(self) -> tuple[type[Operation], ...]:
        found: tuple[type[Operation], ...] = ()
        if self._are_wanted("division"):
            found += DIVISIONS
        if self._are_wanted("shift"):
            found += SHIFTS
        if self._are_wanted("bounds"):
            found += (vector.ExtractOp, vector.InsertOp)
        return found

    def _drop_unused_suspects(self) -> None:
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

    # Parameters and objects.

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

    def _bytes_of(self, root: SSAValue) -> None:
        if root in self.bytes:
            return
        position = self._position_of(root)
        if position is not None:
            name = f"{self.kernel.param_names[position]}.bytes"
            self.bytes[root] = self._parameter(name, i64, CheckParameter("bytes", position))
        else:
            self.bytes[root] = self.start.constant(size_of(pointer_type(root).pointee), i64)

    def _add_cells(self, root: SSAValue) -> None:
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

    def _position_of(self, root: SSAValue) -> int | None:
        """The number of an object that is an argument."""
        if not isinstance(root.owner, Block):
            return None
        return self.kernel.body.block.args.index(root)  # pyright: ignore[reportArgumentType]

    def _add_marks(self, root: SSAValue) -> None:
        """A byte for each granule: whether it was set."""
        self.marks[root] = self._memory_for(root, i8, "marks")

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
            start.shl(start.index_cast(group, i64), 38), start.shl(start.index_cast(item, i64), 22)
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

    def _needs_bounds(self, access: Access) -> bool:
        return access.op not in self.in_bounds

    # The checks of one operation.

    def _merge(self) -> None:
        """Let accesses of the same place, with no barrier between, share the checks of the first.
        In global memory, where a read is followed by a write, it is checked as one."""
        self.around = ops_around_barriers(self.kernel.body)
        parts = _between_barriers(self.kernel, self.around)
        first: dict[object, Operation] = {}
        known: dict[Operation, set[int]] = {}
        for access in self.accesses:
            op = access.op
            self.kinds[op] = access.kind
            if isinstance(op, ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp):
                continue
            is_vector = isinstance(op, ocl.VLoadOp | ocl.VStoreOp)
            place = (op.parent, parts[op], op.pointer, op.index, access.type, is_vector)
            leader = first.setdefault(place, op)
            if leader is op:
                known[op] = {access.kind}
                continue
            self.leaders[op] = leader
            done = known[leader]
            if space_of(access.root) is AddressSpace.GLOBAL:
                self.kinds[leader] = max(self.kinds[leader], access.kind)
                self.kinds[op] = 0
            elif access.kind == READ or WRITE in done:
                # It was set before, or found to be unset.
                self.kinds[op] = 0
            done.add(access.kind)

    def _limits(self, op: Operation) -> tuple[Subscript, ...]:
        """The indices of an access whose bounds are not proved."""
        return () if op in self.in_arrays else subscripts(op)

    def _homes(self, access: Access) -> list[scf.ForOp]:
        """The loops before which an access can be checked once, from the innermost: each iteration
        accesses the same place."""
        op = access.op
        space = space_of(access.root)
        if (self._is_kept(access) and space is not AddressSpace.GLOBAL) or self._limits(op):
            return []
        homes: list[scf.ForOp] = []
        values = [value for value in (op.pointer, _index_of(op)) if value is not None]
        inner, loop = op, op.parent_op()
        while (
            isinstance(loop, scf.ForOp)
            and inner.parent is loop.body.block
            and loop not in self.around
            and all(is_hoistable(value, loop) for value in values)
        ):
            homes.append(loop)
            values += [loop.lb, loop.ub]
            inner, loop = loop, loop.parent_op()
        return homes

    def _is_kept(self, access: Access) -> bool:
        """Whether there is a record of the object."""
        return access.root in self.cells or access.root in self.marks

    def _is_recorded(self, access: Access) -> bool:
        return self._is_kept(access) and bool(self.kinds[access.op])

    def _check(self, access: Access) -> Verdict:
        op = access.op
        leader = self.leaders.get(op)
        if leader is not None:
            build = Build(op)
            if leader in self.oks:
                build = self._guard(op, self.oks[leader], self.checked_before.get(leader))
            if self.kinds[op]:
                offset, _ = self._place(access, build, op.pointer, _index_of(op))
                self._record(access, build, offset)
            if self._is_recorded(access):
                return "checked"
            return "hoisted" if self._is_kept(access) or leader in self.oks else "proved"
        homes = self._homes(access)
        pointer, index = op.pointer, _index_of(op)
        build, runs = Build(op), None
        if homes:
            known: dict[SSAValue, SSAValue] = {}
            build = Build(op, InsertPoint.before(homes[-1]))
            pointer = hoisted(pointer, homes[-1], known)
            index = None if index is None else hoisted(index, homes[-1], known)
            for loop in homes:
                ends = (hoisted(end, homes[-1], known) for end in (loop.lb, loop.ub))
                runs_once = build.compare("slt", *ends)
                runs = runs_once if runs is None else build.and_(runs, runs_once)
        offset, step = self._place(access, build, pointer, index)
        align = required_alignment(op.pointer, access.align)
        is_aligned = not step or step % align == 0
        if not self._needs_bounds(access) and is_aligned:
            if runs is None:
                self._record(access, build, offset)
            else:
                self._record(access, _branch(build, runs), offset)
            if not self._is_recorded(access):
                return "proved"
            return "checked" if runs is None else "hoisted"
        ok = self._in_bounds(access, build, offset, None if is_aligned else align)
        self.oks[op] = ok
        if runs is not None:
            where = _branch(build, runs)
            self._record(access, _branch(where, ok), offset)
            self._suspect_if(where, where.not_(ok))
            self.checked_before[op] = homes[-1]
            self._guard(op, ok, homes[-1])
            return "hoisted"
        self._record(access, self._guard(op, ok, None, suspects=True), offset)
        return "checked"

    def _place(
        self, access: Access, build: Build, pointer: SSAValue, index: SSAValue | None
    ) -> tuple[SSAValue, int]:
        """The distance of an access from the start of its object, and a number of which it is a
        multiple."""
        offset, step = offset_of(build, pointer, access.root)
        if index is not None:
            vector = isinstance(access.op, ocl.VLoadOp | ocl.VStoreOp)
            stride = access.size if vector else stride_of(access.type)
            more = build.mul(build.index_cast(index, i64), build.constant(stride, i64))
            offset = more if offset is None else build.add(offset, more)
            step = (step | stride) & -(step | stride)
        return build.constant(0, i64) if offset is None else offset, step

    def _in_bounds(
        self, access: Access, build: Build, offset: SSAValue, align: int | None
    ) -> SSAValue:
        """Whether an access is inside of its object, and aligned if `align` is given."""
        # The number of right offsets; none where the object is smaller than what is accessed.
        self._bytes_of(access.root)
        end = self.start.max(
            self.start.sub(self.bytes[access.root], self.start.constant(access.size - 1, i64)),
            self.start.constant(0, i64),
            signed=True,
        )
        ok = build.compare("ult", offset, end)
        if align is not None:
            rest = build.and_(offset, build.constant(align - 1, i64))
            ok = build.and_(ok, build.compare("eq", rest, build.constant(0, i64)))
        for limit in self._limits(access.op):
            ok = build.and_(ok, _inside(build, limit))
        return ok

    def _guard(
        self, op: Operation, ok: SSAValue, loop: scf.ForOp | None, *, suspects: bool = False
    ) -> Build:
        """Let an access happen only where it is right, which may be known before a loop; returns
        where that is."""
        build = Build(op)
        sides = [Region(Block()), Region(Block())]
        build.emit_void(branch := scf.IfOp(ok, list(op.result_types), sides[0], sides[1]))
        outside = Build(op, sides[1].block)
        if suspects:
            self._suspect(outside)
        outside.emit_void(scf.YieldOp(*(zero(outside, type) for type in op.result_types)))
        for old, new in zip(op.results, branch.results, strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        op.detach()
        sides[0].block.add_op(op)
        Build(op, sides[0].block).emit_void(scf.YieldOp(*op.results))
        if loop is not None:
            self.loop_guards[branch] = loop
        return Build(op)

    def _suspect(self, build: Build) -> None:
        build.emit_void(ocl.StoreOp(self.itself, self.suspects, self.group))

    def _record(self, access: Access, build: Build, offset: SSAValue) -> None:
        cells, marks = self.cells.get(access.root), self.marks.get(access.root)
        if (cells is None and marks is None) or not self.kinds[access.op]:
            return
        granule = self.granules[access.root]
        first = build.as_index(build.shr(offset, granule.bit_length() - 1, signed=False))
        for number in range(-(-access.size // granule)):
            at = build.add(first, build.index(number)) if number else first
            if marks is not None:
                self._mark(access, build, marks, at)
            if cells is not None:
                self._share_in_window(access, build, cells, at)

    def _share_in_window(self, access: Access, build: Build, cells: SSAValue, at: SSAValue) -> None:
        if access.root not in self.windows:
            self._share(access, build, build.emit(ocl.OffsetOp(cells, at)))
            return
        first, count = map(build.as_index, self.windows[access.root])
        place = build.sub(at, first)
        body = Block()
        inner = Build(build.source, body)
        self._share(access, inner, inner.emit(ocl.OffsetOp(cells, place)))
        inner.emit_void(scf.YieldOp())
        build.emit_void(scf.IfOp(build.compare("ult", place, count), (), [body]))

    def _share(self, access: Access, build: Build, cell: SSAValue) -> None:
        space = space_of(access.root)
        name = "shared_by_all" if space is AddressSpace.GLOBAL else "shared_by_group"
        if space is AddressSpace.LOCAL and depends_on_memory(access.op):
            name = "updated_by_group"
        me = self.self if self.epoch is None else build.or_(self.self, self._now(build, self.epoch))
        since = self._now(build, self.since[space])
        kind = build.constant(self.kinds[access.op], i32)
        build.emit_void(CallOp(PREFIX + name, [cell, me, since, kind, self.suspects], []))

    def _now(self, build: Build, counter: SSAValue | None) -> SSAValue:
        return build.constant(0, i64) if counter is None else build.emit(ocl.LoadOp(counter))

    def _mark(self, access: Access, build: Build, marks: SSAValue, at: SSAValue) -> None:
        if access.kind == WRITE or (access.kind == UPDATE and not depends_on_memory(access.op)):
            build.emit_void(ocl.StoreOp(build.constant(1, i8), marks, at))
            return
        is_unset = build.compare("eq", build.emit(ocl.LoadOp(marks, at)), build.constant(0, i8))
        self._suspect_if(build, is_unset)

    def _suspect_if(self, build: Build, condition: SSAValue) -> None:
        body = Block()
        inner = Build(build.source, body)
        self._suspect(inner)
        inner.emit_void(scf.YieldOp())
        build.emit_void(scf.IfOp(condition, (), [body]))

    def _check_arithmetic(self, op: Operation) -> None:
        build = Build(op)
        fault = fault_of(op, build)
        if fault is not None:
            self._suspect_if(build, fault)


def _fences(op: ocl.BarrierOp, space: AddressSpace) -> bool:
    return (op.local if space is AddressSpace.LOCAL else op.global_) is not None


def _between_barriers(kernel: ocl.KernelOp, around: Container[Operation]) -> dict[Operation, int]:
    """A number of each operation: that of another one in its block is the same if no barrier is
    between."""
    found: dict[Operation, int] = {}
    count = 0
    for op in operations_in(kernel.body):
        count += isinstance(op, CUTS) or op in around
        found[op] = count
    return found


def _index_of(op: Operation) -> SSAValue | None:
    return getattr(op, "index", None)


def _branch(build: Build, condition: SSAValue) -> Build:
    """Where a condition holds."""
    body = Block()
    Build(build.source, InsertPoint.at_end(body)).emit_void(end := scf.YieldOp())
    build.emit_void(scf.IfOp(condition, (), [body]))
    return Build(build.source, InsertPoint.before(end))


def _inside(build: Build, limit: Subscript) -> SSAValue:
    total = build.constant(0, i64)
    for index, factor in limit.terms:
        term = build.mul(build.index_cast(index, i64), build.constant(factor, i64))
        total = build.add(total, term)
    count = max(limit.limit - limit.width + 1, 0)
    return build.compare("ult", total, build.constant(count, i64))


def _functions() -> Library:
    return library(Path(__file__).with_name("check_functions.mlir"), PREFIX)


__all__ = ["CheckParameter", "OclInsertChecksPass", "insert_checks"]
