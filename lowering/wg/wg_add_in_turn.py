"""`wg-add-in-turn`: lanes add to counters one after the other, in a loop."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import math, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, i8, i32, i64
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl, vec, wg
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import UNROLL, AddressSpace
from polycl.dialects.vec import count_of, vector_of
from polycl.dialects.wg.lanes import stride_in_bytes
from polycl.lowering.build import Build

NEVER_UNROLLED = IntegerAttr(-3, i32)


@dataclass(frozen=True)
class WgAddInTurnPass(ModulePass):
    """Make a loop over the lanes of an addition that are on.

    ```
    wg.add %n, %p[%i] mask %m     ->     %own[0..15] = %i
                                         %left = wg.lane_bits %m
                                         while %left != 0 {
                                           %lane = math.cttz %left
                                           %p[%own[%lane]] += %n
                                           %left = %left & (%left - 1)
                                         }
    ```

    Several lanes may add to one counter, which a processor must foresee: an addition that reads
    before the one of an earlier lane has written is done again. It learns that for each
    instruction by itself. Sixteen pairs of a load and a store, each with its own history, take up
    to 8 ns for an addition on a Zen 4, where lanes meet now and then; one pair in a loop takes 0.5,
    whatever the data. So LLVM must not unroll the loop. One branch for all lanes is mispredicted
    seldomer than one for each, too.

    One thread runs all work-items of a group, so that no addition to its local memory is atomic.
    The pass must follow `wg-jam` and `wg-interleave`, which copy no loops over lanes.
    """

    name = "wg-add-in-turn"

    together: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for add in operations_of(op.body, wg.AddOp):
            if not (self.together and count_of(add.indices.type) in (4, 8, 16)):
                _rewrite(add)


def _rewrite(op: wg.AddOp) -> None:
    lanes = count_of(op.indices.type)
    build = Build(op)
    zero = build.index(0)
    memory = build.emit(ocl.AllocaOp(ocl.ArrayType(lanes, i64)))
    own = build.emit(ocl.CastOp(memory, ocl.PtrType(i64, AddressSpace.PRIVATE)))
    numbers = build.emit(vec.IndexCastOp(op.indices, vector_of(i64, lanes)))
    build.emit_void(wg.StoreOp(numbers, own, zero))
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
        _add(build, op, number)
        rest = build.and_(left, build.sub(left, build.constant(1, i64)))
        build.emit_void(scf.YieldOp(rest))
    Rewriter.erase_op(op)


def _add(build: Build, op: wg.AddOp, number: SSAValue) -> None:
    assert isinstance(number.type, IndexType)
    bytes_ = build.emit(ocl.CastOp(op.pointer, ocl.PtrType(i8, ocl.space_of(op.pointer))))
    moved = build.emit(ocl.OffsetOp(bytes_, build.mul(number, build.index(stride_in_bytes(op)))))
    place = build.emit(ocl.CastOp(moved, ocl.pointer_type(op.pointer)))
    old = build.emit(ocl.LoadOp(place))
    build.emit_void(ocl.StoreOp(build.add(old, op.value), place))
