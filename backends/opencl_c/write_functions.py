"""Calls: the builtin functions of OpenCL C, conversions, and functions of the program."""

from __future__ import annotations

from xdsl.dialects import func, math
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from polycl.backends.opencl_c import text
from polycl.backends.opencl_c.c_types import BOOL, INT, Number, identifier, is_number
from polycl.backends.opencl_c.text import Expr
from polycl.backends.opencl_c.writer import Expressions, Statements, Writer
from polycl.dialects import ocl
from polycl.dialects.ocl.builtins import BUILTINS, FUNCTIONS
from polycl.errors import error_at

EXPRESSIONS = Expressions()
STATEMENTS = Statements()

_MATH: dict[type[Operation], str] = {
    row.operation: row.name
    for row in FUNCTIONS
    if row.operation is not None and row.operation.name.startswith("math.")
}


@EXPRESSIONS.of(*_MATH)
def _math(w: Writer, op: Operation) -> Expr:
    type = w.type_of(op.results[0])
    return w.call(_MATH[op.__class__], *(w.exactly(v, type) for v in op.operands), type=type)


@EXPRESSIONS.of(math.CountTrailingZerosOp)
def _trailing_zeros(w: Writer, op: math.CountTrailingZerosOp) -> Expr:
    """The number of bits below the lowest set bit; OpenCL C has `ctz` since 2.0."""
    type = w.type_of(op.result).signed(unsigned=True)
    name = f"trailing_zeros_{type}"
    w.helper(name, f"{type} {name}({type} x) {{\n  return popcount(({type})(~x & (x - 1)));\n}}\n")
    return w.call(name, w.exactly(op.operand, type), type=type)


@EXPRESSIONS.of(math.AbsIOp)
def _absolute(w: Writer, op: math.AbsIOp) -> Expr:
    type = w.type_of(op.result).signed()
    return w.call("abs", w.exactly(op.operand, type), type=type.signed(unsigned=True))


@EXPRESSIONS.of(math.FPowIOp)
def _integer_power(w: Writer, op: math.FPowIOp) -> Expr:
    type = w.type_of(op.result)
    exponent = w.exactly(op.rhs, w.type_of(op.rhs).signed())
    return w.call("pown", w.exactly(op.lhs, type), exponent, type=type)


def _arguments(w: Writer, op: ocl.BuiltinOp) -> list[Expr]:
    """The arguments with exactly the types of the function's declaration."""
    builtin = BUILTINS[op.function.data]
    exact: list[Expr] = []
    for letter, value in zip(builtin.arguments, op.arguments, strict=True):
        type = w.type_of(value)
        if letter in "TA" and not type.is_float:
            type = type.signed(w.type_of(op.arguments[0]).is_unsigned)
        if letter == "T" and builtin.is_unsigned is not None:
            type = type.signed(builtin.is_unsigned)
        elif letter == "T" and builtin.results == "b":
            type = type.signed()
        elif letter in "IN":
            type = type.signed(letter == "N")
        exact.append(w.exactly(value, type))
    return exact


@EXPRESSIONS.of(ocl.BuiltinOp)
def _builtin(w: Writer, op: ocl.BuiltinOp) -> Expr:
    name = op.function.data
    builtin = BUILTINS[name]
    arguments = _arguments(w, op)
    result = w.type_of(op.res[0])
    short = builtin.spelling
    if builtin.arguments[0] == "T" and not result.is_float and builtin.results == "T":
        result = arguments[0].number
        if short in ("abs", "abs_diff"):
            result = result.signed(unsigned=True)
    elif name == "upsample":
        element = arguments[0].number
        low = arguments[1].number.signed(unsigned=True)
        arguments[1] = text.reinterpret(arguments[1], low)
        result = result.signed(element.is_unsigned)
    elif builtin.results == "I":
        result = result.signed()
    if builtin.results == "b" or (builtin.results == "B" and result.lanes == 1):
        result = BOOL
    return w.call(short, *arguments, type=result)


@STATEMENTS.of(ocl.BuiltinOp)
def _builtin_with_two(w: Writer, op: ocl.BuiltinOp) -> None:
    """A function that stores its second result through a pointer."""
    name = op.function.data
    second = op.res[1]
    w.declare_empty([second])
    variable = w.expression(second)
    target = Expr(f"&{variable.text}")
    if not is_number(second.type) or variable.number.is_unsigned:
        target = Expr(f"({variable.number.signed()} *){target.text}")
    type = w.type_of(op.res[0])
    found = w.call(name, *_arguments(w, op), target, type=type)
    w.assign(op.res[0], found)


@EXPRESSIONS.of(ocl.ConvertOp)
def _convert(w: Writer, op: ocl.ConvertOp) -> Expr:
    target, source = w.type_of(op.result), w.type_of(op.source)
    if not target.is_float:
        target = target.signed(op.to_unsigned is not None)
    if not source.is_float:
        source = source.signed(op.from_unsigned is not None)
    if "half" in (target.name, source.name):
        w.shared.extensions.add("cl_khr_fp16")
    name = f"convert_{target}" + "_sat" * (op.saturate is not None)
    if op.rounding is not None:
        name += f"_{op.rounding.data.value}"
    return w.call(name, w.exactly(op.source, source), type=target)


@EXPRESSIONS.of(func.CallOp)
def _call(w: Writer, op: func.CallOp) -> Expr:
    if len(op.res) > 1:
        raise error_at(op, "a call with several results cannot be written in OpenCL C")
    name = op.callee.root_reference.data
    callee = SymbolTable.lookup_symbol(op, op.callee)
    assert isinstance(callee, func.FuncOp)
    parameters = callee.args if callee.body.blocks else ()
    arguments: list[Expr] = []
    for index, value in enumerate(op.arguments):
        found = w.expression(value)
        if is_number(value.type):
            unsigned = not parameters or w.shared.signs.of(parameters[index])
            wanted = w.number(value.type, unsigned, value)
            if isinstance(value.type, VectorType):
                wanted = w.type_of(value).signed(unsigned) if not wanted.is_float else wanted
            if wanted.lanes > 1:
                found = w.convert(found, wanted)
            elif found.literal is not None:
                # C converts all other scalar arguments.
                found = text.integer(found.literal, wanted)
        arguments.append(found)
    type = w.type_of(op.res[0]) if op.res and is_number(op.res[0].type) else None
    found = w.call(identifier(name), *arguments, type=type)
    return text.as_pointer(found) if op.res and isinstance(op.res[0].type, ocl.PtrType) else found


_QUERIES: dict[type[ocl.DimensionQuery], str] = {
    ocl.GlobalIdOp: "get_global_id",
    ocl.LocalIdOp: "get_local_id",
    ocl.GroupIdOp: "get_group_id",
    ocl.GlobalSizeOp: "get_global_size",
    ocl.LocalSizeOp: "get_local_size",
    ocl.EnqueuedLocalSizeOp: "get_enqueued_local_size",
    ocl.NumGroupsOp: "get_num_groups",
    ocl.GlobalOffsetOp: "get_global_offset",
}


@EXPRESSIONS.of(*_QUERIES)
def _query(w: Writer, op: ocl.DimensionQuery) -> Expr:
    """A size_t."""
    dimension = text.integer(op.dimension, INT)
    return w.call(_QUERIES[type(op)], dimension, type=Number("ulong"))


@EXPRESSIONS.of(ocl.WorkDimOp)
def _work_dim(w: Writer, op: ocl.WorkDimOp) -> Expr:
    return w.call("get_work_dim", type=Number("uint"))
