"""`wg-private-counters`: counters in global memory are counted privately, and added at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from polycl.analysis.ocl.addresses import are_spaces_apart, root_of
from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.intervals import Bounds
from polycl.dialects import ocl
from polycl.dialects.effects import effects_of, is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl import AddressSpace, AtomicKind
from polycl.lowering.build import Build
from polycl.lowering.wg.launch_abi import SCRATCH_BYTES
from polycl.remarks import emit_remark

MOST = 256
"""Counters of one array. To clear and add that many takes 0.1 to 0.4 microseconds (Zen 4), once for
each call of the function; a launch of one group takes 2 to 3 by itself."""


@dataclass(frozen=True)
class WgPrivateCountersPass(ModulePass):
    """Add to counters of a call's own, and to those in global memory once at its end.

    ```
    scf.for %group = ... {                     %own = ocl.alloca of zeros
      %p = ocl.offset %out[%byte]              scf.for %group = ... {
      ocl.atomic_rmw add %p, %v                  %own[%byte] += %v
    }                                   ->     }
                                               scf.for %i = 0 to 256 {
                                                 if %own[%i] != 0: ocl.atomic_rmw add %out[%i]
    ```

    The function must run a range of groups (after `wg-to-launch`), on one thread. Nobody sees when
    an addition takes place if nothing in the kernel reads its result or the array in any other
    way, and no fence orders it: integers have the same sum in any order. The index must be
    proven to be small, say a byte or `x & 15`. `distinct` states that the buffers of different
    parameters do not overlap; without it the kernel may access no other global memory.
    """

    name = "wg-private-counters"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, FuncOp):
            if SCRATCH_BYTES in function.attributes and operations_of(
                function.body, ocl.AtomicRMWOp
            ):
                groups = _groups(function)
                for array, atomics in self._counted(function).items():
                    _count_privately(groups, array, atomics)

    def _counted(self, function: FuncOp) -> dict[SSAValue, list[ocl.AtomicRMWOp]]:
        """The additions to each array that has nothing but additions."""
        entry = function.body.block
        atomics: dict[SSAValue, list[ocl.AtomicRMWOp]] = {}
        others: set[SSAValue] = set()
        known = Bounds()
        for op in operations_in(function.body):
            if op.regions or is_side_effect_free(op) or isinstance(op, ocl.AllocaOp):
                continue
            if op.has_trait(IsTerminator):
                continue
            pointers = [x for x in op.operands if isinstance(x.type, ocl.PtrType)]
            if not pointers or effects_of(op) is None:
                return {}  # A fence or a call, say.
            for root in map(root_of, pointers):
                is_apart = are_spaces_apart(ocl.space_of(root), AddressSpace.GLOBAL)
                if is_apart or root in entry.args:
                    continue
                if not _is_parameter(root, entry):
                    return {}
                if isinstance(op, ocl.AtomicRMWOp) and _is_counting(op, root, known):
                    atomics.setdefault(root, []).append(op)
                else:
                    others.add(root)
        if not self.distinct and len(others | set(atomics)) > 1:
            return {}
        return {array: found for array, found in atomics.items() if array not in others}


def _is_parameter(root: SSAValue, entry: Block) -> bool:
    """Whether a pointer was read from the block of arguments."""
    return (
        isinstance(root.owner, ocl.LoadOp)
        and root.owner.parent is entry
        and root_of(root.owner.pointer) is entry.args[0]
    )


def _is_counting(op: ocl.AtomicRMWOp, root: SSAValue, known: Bounds) -> bool:
    """Whether it adds an integer to one of few elements of an array, and that is all."""
    return (
        op.kind.data == AtomicKind.ADD
        and isinstance(op.value.type, IntegerType)
        and op.result.first_use is None
        and root.type == op.pointer.type
        and _last_element(op, root, known) is not None
    )


def _last_element(op: ocl.AtomicRMWOp, root: SSAValue, known: Bounds) -> int | None:
    """The last element that it may add to; None if that is not known to be one of the first.

    `known` has the bounds that have been found before."""
    if op.pointer is root:
        return 0
    moved = op.pointer.owner
    if not isinstance(moved, ocl.OffsetOp) or moved.pointer is not root:
        return None
    low, high = evaluate(moved.index, known)
    return int(high) if 0 <= low and high < MOST else None


def _count_privately(
    groups: scf.ForOp, array: SSAValue, atomics: Sequence[ocl.AtomicRMWOp]
) -> None:
    known = Bounds()
    count = 1 + max(_last_element(op, array, known) or 0 for op in atomics)
    element = atomics[0].value.type
    before = Build(groups)
    memory = before.emit(ocl.AllocaOp(ocl.ArrayType(count, element)))
    own = before.emit(ocl.CastOp(memory, ocl.PtrType(element, AddressSpace.PRIVATE)))
    own.name_hint = "own"
    zero = before.constant(0, element)
    with before.loop(*(before.index(number) for number in (0, count, 1))) as place:
        before.emit_void(ocl.StoreOp(zero, own, place))
    for op in atomics:
        # LLVM would store always, where a branch seldom does: nobody else sees this memory.
        is_guarded = isinstance(op.parent_op(), scf.IfOp)
        _add(op, own, volatile=is_guarded and count > 1)
    after = Build(groups, InsertPoint.after(groups))
    with after.loop(*(after.index(number) for number in (0, count, 1))) as number:
        counted = after.emit(ocl.LoadOp(own, number))
        with after.when(after.compare("ne", counted, zero)):
            place = after.emit(ocl.OffsetOp(array, number))
            after.emit_void(ocl.AtomicRMWOp(AtomicKind.ADD, place, counted))
    emit_remark(
        groups,
        WgPrivateCountersPass.name,
        f"{count} counters of '{array.name_hint}' are counted by each thread for itself, and added "
        "atomically once",
    )


def _groups(function: FuncOp) -> scf.ForOp:
    """The loop over groups, which is all that the function does after reading its arguments."""
    end = function.body.block.last_op
    assert end is not None
    loop = end.prev_op
    assert isinstance(loop, scf.ForOp), "wg-to-launch makes a loop over groups"
    return loop


def _add(op: ocl.AtomicRMWOp, own: SSAValue, *, volatile: bool) -> None:
    build = Build(op)
    moved = op.pointer.owner
    index = moved.index if isinstance(moved, ocl.OffsetOp) else build.index(0)
    old = build.emit(ocl.LoadOp(own, index))
    build.emit_void(ocl.StoreOp(build.add(old, op.value), own, index, volatile=volatile))
    Rewriter.erase_op(op)
