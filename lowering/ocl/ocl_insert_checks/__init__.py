"""`ocl-insert-checks`: a kernel that finds out which of its work-groups may be wrong."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import cf, scf, vector
from xdsl.dialects.builtin import (
    ModuleOp,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import CallOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from polycl.analysis.ocl.addresses import required_alignment
from polycl.analysis.ocl.parallel_regions import CUTS, ops_around_barriers
from polycl.analysis.ocl.subscripts import Subscript, subscripts
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.ocl.memory import space_of
from polycl.errors import error_at
from polycl.lowering.build import Build
from polycl.lowering.ocl.function_library import Library, library
from polycl.lowering.ocl.moving import hoisted, is_hoistable
from polycl.lowering.ocl.ocl_insert_checks.accesses import (
    READ,
    SHARED,
    WRITE,
    Access,
    Aliases,
    accesses_of,
)
from polycl.lowering.ocl.ocl_insert_checks.addresses import offset_of
from polycl.lowering.ocl.ocl_insert_checks.decisions import Decision, Verdict, decide, name_of
from polycl.lowering.ocl.ocl_insert_checks.faults import DIVISIONS, SHIFTS, fault_of
from polycl.lowering.ocl.ocl_insert_checks.guarded_loops import leave_guards_out
from polycl.lowering.ocl.ocl_insert_checks.proofs import NOTHING_PROVED, Proof
from polycl.lowering.ocl.ocl_insert_checks.records import PREFIX, CheckParameter, Records
from polycl.lowering.ocl.ocl_insert_checks.several_objects import split_accesses
from polycl.lowering.ocl.ocl_insert_checks.unset import IS_UNSET, track_unset_values, zero
from polycl.lowering.ocl.ocl_insert_checks.votes import DECIDES_OTHERWISE, decide_together
from polycl.lowering.ocl.promote_private_memory import promote
from polycl.lowering.ocl.share_values import share_values
from polycl.lowering.ocl.split_structs import split_structs
from polycl.remarks import emit_remark

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
        self.records = Records(kernel, accesses, large)
        self.wanted = wanted
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
                self.records.bytes_of(access.root)
        written = {a.root for a in self.accesses if a.kind != READ}
        unset = {a.root for a in self.accesses if space_of(a.root) in _STARTS_UNSET} - self.all_set
        for root in dict.fromkeys(a.root for a in self.accesses):
            space = space_of(root)
            if space in SHARED and root in written - self.without_rivals:
                # A cell also knows whether local memory was set.
                is_local = space is AddressSpace.LOCAL
                if self._are_wanted("race", *(["uninitialised"] if is_local else [])):
                    self.records.add_cells(root)
            elif root in unset and self._are_wanted("uninitialised"):
                self.records.add_marks(root)
        self.records.begin()
        for op in operations_of(self.kernel.body, scf.IfOp):
            if op.attributes.pop(IS_UNSET, None) is not None:
                self.records.suspect(Build(op, InsertPoint.at_start(op.true_region.block)))
            if op.attributes.pop(DECIDES_OTHERWISE, None) is not None:
                self.records.suspect_differing(
                    Build(op, InsertPoint.at_start(op.true_region.block))
                )
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
        self.records.drop_unused_suspects()
        arguments = self.kernel.args
        places = (place for place, argument in enumerate(arguments) if argument in written)
        return InsertedChecks(tuple(self.records.added), tuple(places), decisions)

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

    # Parameters and objects.

    # What the kernel knows of itself.

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
        return self.records.keeps(access.root)

    def _is_recorded(self, access: Access) -> bool:
        return self._is_kept(access) and bool(self.kinds[access.op])

    def _check(self, access: Access) -> Verdict:
        op, kind = access.op, self.kinds[access.op]
        leader = self.leaders.get(op)
        if leader is not None:
            build = Build(op)
            if leader in self.oks:
                build = self._guard(op, self.oks[leader], self.checked_before.get(leader))
            if kind:
                offset, _ = self._place(access, build, op.pointer, _index_of(op))
                self.records.record(access, kind, build, offset)
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
                self.records.record(access, kind, build, offset)
            else:
                self.records.record(access, kind, _branch(build, runs), offset)
            if not self._is_recorded(access):
                return "proved"
            return "checked" if runs is None else "hoisted"
        ok = self._in_bounds(access, build, offset, None if is_aligned else align)
        self.oks[op] = ok
        if runs is not None:
            where = _branch(build, runs)
            self.records.record(access, kind, _branch(where, ok), offset)
            self.records.suspect_if(where, where.not_(ok))
            self.checked_before[op] = homes[-1]
            self._guard(op, ok, homes[-1])
            return "hoisted"
        self.records.record(access, kind, self._guard(op, ok, None, suspects=True), offset)
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
        start, size = self.records.start, self.records.bytes_of(access.root)
        more = start.sub(size, start.constant(access.size - 1, i64))
        end = start.max(more, start.constant(0, i64), signed=True)
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
            self.records.suspect(outside)
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

    def _check_arithmetic(self, op: Operation) -> None:
        build = Build(op)
        fault = fault_of(op, build)
        if fault is not None:
            self.records.suspect_if(build, fault)


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


__all__ = ["CheckParameter", "InsertedChecks", "OclInsertChecksPass", "insert_checks", "prepare"]
