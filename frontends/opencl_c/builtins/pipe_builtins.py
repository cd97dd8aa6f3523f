"""What the functions on pipes are made of (OpenCL C 3.0, section 6.15.14); see `pipe_calls`."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import PipeField
from polycl.frontends.opencl_c.builtins.table import Emit
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.pipe_calls import PACKET
from polycl.frontends.opencl_c.tree import BuiltinCall


def _reserve(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    pipe, count = call.arguments
    return e.value(ocl.PipeReserveOp(e.emit(pipe), e.emit(count)))


def _packet(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    pipe, reservation, index = [e.emit(argument) for argument in call.arguments]
    return e.value(ocl.PipePacketOp(pipe, reservation, index, call.type.value))


def _commit(e: ExpressionEmitter, call: BuiltinCall) -> None:
    pipe, reservation = call.arguments
    e.add(ocl.PipeCommitOp(e.emit(pipe), e.emit(reservation)))


def _query(field: PipeField) -> Emit:
    return lambda e, call: e.value(ocl.PipeQueryOp(field, e.emit(call.arguments[0])))


def _is_valid(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    reservation = e.emit(call.arguments[0])
    return e.compare(arith.CmpiOp, "sge", reservation, e.constant(0, reservation.type))


TABLE: dict[str, Emit] = {
    "reserve_read_pipe": _reserve,
    "reserve_write_pipe": _reserve,
    "commit_read_pipe": _commit,
    "commit_write_pipe": _commit,
    PACKET: _packet,
    "is_valid_reserve_id": _is_valid,
    "get_pipe_num_packets": _query(PipeField.NUM_PACKETS),
    "get_pipe_max_packets": _query(PipeField.MAX_PACKETS),
}
