"""`wg-update-in-turn`: lanes change elements one after the other, in a loop."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import math, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, VectorType, i8, i32, i64
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl, vec, wg
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import UNROLL, AddressSpace, AtomicKind
from polycl.dialects.vec import count_of, vector_of
from polycl.dialects.wg.lanes import stride_in_bytes
from polycl.lowering.build import Build
from polycl.lowering.ocl.atomic_operations import OPERATIONS

NEVER_UNROLLED = IntegerAttr(-3, i32)


@dataclass(frozen=True)
class WgUpdateInTurnPass(ModulePass):
    """Make a loop over the lanes of an update that are on.

    ```
    wg.update add %n, %p[%i] mask %m  ->  %own[0..15] = %i
                                          %left = wg.lane_bits %m
                                          while %left != 0 {
                                            %lane = math.cttz %left
                                            %p[%own[%lane]] += %n
                                            %left = %left & (%left - 1)
                                          }
    ```

    Several lanes may change one element, which a processor must foresee: a load that comes
    before the store of an earlier lane is done again. It learns that for each
    instruction by itself. Sixteen pairs of a load and a store, each with its own history, take up
    to 8 ns for an addition on a Zen 4, where lanes meet now and then; one pair in a loop takes 0.5,
    whatever the data. So LLVM must not unroll the loop. One branch for all lanes is mispredicted
    seldomer than one for each, too.

    No other thread sees the memory, so that nothing is atomic.
    The pass must follow `wg-jam` and `wg-interleave`, which copy no loops over lanes. `together`
    leaves additions of one number to counters in local memory to instructions that find conflicts.
    """

    name = "wg-update-in-turn"

    together: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for update in operations_of(op.body, wg.UpdateOp):
            if not (self.together and _has_instructions(update)):
                _rewrite(update)


def _has_instructions(op: wg.UpdateOp) -> bool:
    """Whether AVX-512 counts for all lanes at once. Places are told apart by 32 bits."""
    return (
        op.kind.data is AtomicKind.ADD
        and op.value.type == i32
        and count_of(op.indices.type) in (4, 8, 16)
        and ocl.space_of(op.pointer) is AddressSpace.LOCAL
    )


def _rewrite(op: wg.UpdateOp) -> None:
    lanes = count_of(op.indices.type)
    build = Build(op)
    own = _row(build, build.emit(vec.IndexCastOp(op.indices, vector_of(i64, lanes))), i64)
    element = ocl.pointee_of(op.pointer)
    is_vector = isinstance(op.value.type, VectorType)
    values = _row(build, op.value, element) if is_vector else None
    if op.mask is None:
        active = build.constant((1 << lanes) - 1, i64)
    else:
        active = build.emit(wg.LaneBitsOp(op.mask))
    before, after = Block(arg_types=[i64]), Block(arg_types=[i64])
    loop = scf.WhileOp([active], [i64], Region(before), Region(after))
    loop.attributes[UNROLL] = NEVER_UNROLLED
    build.emit_void(loop)
    with build.inside(before):
        left = before.args[0]
        goes_on = build.compare("ne", left, build.constant(0, i64))
        build.emit_void(scf.ConditionOp(goes_on, left))
    with build.inside(after):
        left = after.args[0]
        lane = build.as_index(build.emit(math.CountTrailingZerosOp(left)))
        number = build.as_index(build.emit(ocl.LoadOp(own, lane)))
        value = op.value if values is None else build.emit(ocl.LoadOp(values, lane))
        _update(build, op, number, value)
        rest = build.and_(left, build.sub(left, build.constant(1, i64)))
        build.emit_void(scf.YieldOp(rest))
    Rewriter.erase_op(op)


def _row(build: Build, vector: SSAValue, element: Attribute) -> SSAValue:
    """The lanes of a vector in private memory."""
    memory = build.emit(ocl.AllocaOp(ocl.ArrayType(count_of(vector.type), element)))
    row = build.emit(ocl.CastOp(memory, ocl.PtrType(element, AddressSpace.PRIVATE)))
    build.emit_void(wg.StoreOp(vector, row, build.index(0)))
    return row


def _update(build: Build, op: wg.UpdateOp, number: SSAValue, value: SSAValue) -> None:
    assert isinstance(number.type, IndexType)
    bytes_ = build.emit(ocl.CastOp(op.pointer, ocl.PtrType(i8, ocl.space_of(op.pointer))))
    moved = build.emit(ocl.OffsetOp(bytes_, build.mul(number, build.index(stride_in_bytes(op)))))
    place = build.emit(ocl.CastOp(moved, ocl.pointer_type(op.pointer)))
    if op.kind.data is not AtomicKind.XCHG:
        value = build.emit(OPERATIONS[op.kind.data](build.emit(ocl.LoadOp(place)), value))
    build.emit_void(ocl.StoreOp(value, place))
