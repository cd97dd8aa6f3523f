"""clang's functions on bytes (`__builtin_memcpy`, ...), and its assumptions."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i8, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import INDEX, constant_of
from polycl.frontends.opencl_c.builtins.table import Emit
from polycl.frontends.opencl_c.conversions import convert
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall, Expr
from polycl.frontends.opencl_c.types import CHAR, INT, Kind, pointer_type


def _pointee(pointer: Expr) -> Attribute:
    """What a pointer pointed to before its cast to `void *`; a byte if that is not a scalar."""
    while isinstance(pointer, tree.Cast) and pointer.operand.type.kind is Kind.POINTER:
        pointer = pointer.operand
    type = pointer.type.element
    return type.memory if type.is_scalar or type.kind is Kind.VECTOR else i8


def _at(e: ExpressionEmitter, address: SSAValue, pointee: Attribute) -> SSAValue:
    return e.op(ocl.CastOp, address, type=pointer_type(pointee, ocl.space_of(address)))


def _element(count: SSAValue, pointers: list[Expr]) -> Attribute:
    """The type of which whole elements are copied: a byte unless all pointers have a larger one."""
    types = {_pointee(pointer) for pointer in pointers}
    element = types.pop()
    number = constant_of(count)
    fits = isinstance(number, int) and number % stride_of(element) == 0
    is_whole = stride_of(element) == size_of(element)
    return element if not types and fits and is_whole else i8


def _number(e: ExpressionEmitter, count: SSAValue, element: Attribute) -> SSAValue:
    number = constant_of(count)
    if isinstance(number, int):
        return e.constant(number // stride_of(element), INDEX)
    return e.to_index(count, False)


def _copy(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    return _copied(e, call, may_overlap=False)


def _move(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    return _copied(e, call, may_overlap=True)


def _copied(e: ExpressionEmitter, call: BuiltinCall, *, may_overlap: bool) -> SSAValue:
    to, source, count = (e.emit(argument) for argument in call.arguments)
    element = _element(count, call.arguments[:2])
    target, data = _at(e, to, element), _at(e, source, element)
    number = _number(e, count, element)

    def copy(index: SSAValue) -> None:
        if may_overlap:
            index = _last_first_if_behind(e, to, source, number, index)
        e.store_to(e.load_from(data, index), target, index)

    _loop(e, number, copy)
    return to


def _last_first_if_behind(
    e: ExpressionEmitter, to: SSAValue, source: SSAValue, number: SSAValue, index: SSAValue
) -> SSAValue:
    """An index for each of `number`, in an order in which what is read is not yet overwritten."""
    addresses = [e.op(ocl.PtrToIntOp, pointer, type=i64) for pointer in (to, source)]
    last = e.op(arith.SubiOp, number, e.constant(1, INDEX))
    opposite = e.op(arith.SubiOp, last, index)
    is_behind = e.compare(arith.CmpiOp, "ugt", *addresses)
    return e.op(arith.SelectOp, is_behind, opposite, index, type=INDEX)


def _fill(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue | None:
    to = e.emit(call.arguments[0])
    byte = e.constant(0, i8)
    if call.name == "__builtin_memset":
        byte = convert(e, e.emit(call.arguments[1]), INT, CHAR)
    count = e.emit(call.arguments[-1])
    is_zero = constant_of(byte) == 0
    element = _element(count, call.arguments[:1]) if is_zero else i8
    target = _at(e, to, element)
    stored = e.constant(0, element) if is_zero else byte
    _loop(e, _number(e, count, element), lambda index: e.store_to(stored, target, index))
    return None if call.type.kind is Kind.VOID else to


def _loop(e: ExpressionEmitter, count: SSAValue, body: Callable[[SSAValue], None]) -> None:
    """`body` for each index below `count`."""
    low, step = e.constant(0, INDEX), e.constant(1, INDEX)
    outer, e.block = e.block, Block(arg_types=[INDEX])
    inner = e.block
    body(inner.args[0])
    e.yield_([])
    e.block = outer
    e.new(scf.ForOp, [low, count, step], regions=[Region(inner)])


def _assume(e: ExpressionEmitter, call: BuiltinCall) -> None:
    """The condition is not evaluated."""


TABLE: dict[str, Emit] = {
    "__builtin_memcpy": _copy,
    "__builtin_memmove": _move,
    "__builtin_memset": _fill,
    "__builtin_bzero": _fill,
    "__builtin_assume": _assume,
    "__builtin_assume_separate_storage": _assume,
}
