"""The Python text of single operations of the host."""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects import arith, cf, math, memref
from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.backends.opencl_c.c_types import identifier
from polycl.dialects import host, ocl
from polycl.dialects.comparisons import is_unsigned, predicate_of
from polycl.dialects.host.buffers import element_type
from polycl.dialects.ocl.layout import field_offsets, size_of, stride_of
from polycl.errors import error_at

if TYPE_CHECKING:
    from polycl.backends.host.host_python import PythonWriter

HEADER = '''\
import time

import numpy as np
import pyopencl as cl

KERNELS = """\\
{kernels}"""

context = queue = kernels = None


def open_device():
    """The first device of the first platform, and the kernels; once."""
    global context, queue, kernels
    if queue is None:
        context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
        queue = cl.CommandQueue(context)
        kernels = {{}}
        if KERNELS:
            program = cl.Program(context, KERNELS).build(["-cl-std={standard}"])
            kernels.update((kernel.function_name, kernel) for kernel in program.all_kernels())


def new_buffer(nbytes):
    return cl.Buffer(context, cl.mem_flags.READ_WRITE, nbytes)


def write(array, buffer, start=0, offset=0, nbytes=None):
    """From byte `start` of an array to byte `offset` of a buffer."""
    nbytes = buffer.size - offset if nbytes is None else nbytes
    data = array.reshape(-1).view(np.uint8)[start : start + nbytes]
    cl.enqueue_copy(queue, buffer, data, dst_offset=offset)


def read(buffer, array, start=0, offset=0, nbytes=None):
    """From byte `start` of a buffer to byte `offset` of an array."""
    nbytes = buffer.size - start if nbytes is None else nbytes
    data = array.reshape(-1).view(np.uint8)[offset : offset + nbytes]
    cl.enqueue_copy(queue, data, buffer, src_offset=start)


def copy(source, target, start=0, offset=0, nbytes=None):
    nbytes = target.size - offset if nbytes is None else nbytes
    cl.enqueue_copy(
        queue, target, source, byte_count=nbytes, src_offset=start, dst_offset=offset
    )


def signed(number, bits):
    """The lowest bits of a number, as a signed one."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def divided(a, b):
    """As C divides integers: towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
'''


def lanes_of(type: VectorType) -> int:
    """The number of lanes of a vector in memory: 4 for a vector of 3."""
    count = type.element_count()
    return 4 if count == 3 else count


def dtype_text(type: Attribute) -> str:
    """The numpy type of an element, as Python text."""
    match type:
        case IntegerType():
            return "np.bool_" if type == i1 else f"np.int{type.width.data}"
        case IndexType():
            return "np.int64"
        case Float16Type():
            return "np.float16"
        case Float32Type():
            return "np.float32"
        case Float64Type():
            return "np.float64"
        case VectorType():
            return f"np.dtype(({dtype_text(type.element_type)}, {lanes_of(type)}))"
        case ocl.StructType():
            names = ", ".join(f'"{name}"' for name, _ in type.fields)
            formats = ", ".join(dtype_text(field) for _, field in type.fields)
            offsets = ", ".join(map(str, field_offsets(type)))
            return (
                f'np.dtype({{"names": [{names}], "formats": [{formats}], '
                f'"offsets": [{offsets}], "itemsize": {size_of(type)}}})'
            )
        case _:
            raise ValueError(f"numpy has no type for {type}")


def _bits(type: Attribute) -> int:
    return type.width.data if isinstance(type, IntegerType) else 64


def is_float(type: Attribute) -> bool:
    return isinstance(type, Float16Type | Float32Type | Float64Type)


_INTEGER = {arith.AddiOp: "+", arith.SubiOp: "-", arith.MuliOp: "*"}
_BITWISE = {arith.AndIOp: "&", arith.OrIOp: "|", arith.XOrIOp: "^"}
_FLOAT = {arith.AddfOp: "+", arith.SubfOp: "-", arith.MulfOp: "*", arith.DivfOp: "/"}
_LEAST = {
    arith.MinSIOp: "min({0}, {1})", arith.MaxSIOp: "max({0}, {1})",
    arith.MinnumfOp: "np.fmin({0}, {1})", arith.MaxnumfOp: "np.fmax({0}, {1})",
    arith.MinimumfOp: "np.minimum({0}, {1})", arith.MaximumfOp: "np.maximum({0}, {1})",
    arith.NegfOp: "-{0}", arith.DivSIOp: "divided({0}, {1})",
    arith.RemSIOp: "{0} - divided({0}, {1}) * {1}",
    arith.FloorDivSIOp: "{0} // {1}", arith.CeilDivSIOp: "-(-{0} // {1})",
    arith.SelectOp: "{1} if {0} else {2}", arith.ShRSIOp: "{0} >> {1}",
    math.AbsIOp: "abs({0})", arith.ExtSIOp: "{0}", memref.CastOp: "{0}", memref.DimOp: "{0}.size",
}  # fmt: skip
_COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_FLOATS_COMPARED = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}
_MATH: dict[type[Operation], str] = {
    math.AbsFOp: "abs", math.CeilOp: "ceil", math.CosOp: "cos", math.ExpOp: "exp",
    math.Exp2Op: "exp2", math.FloorOp: "floor", math.LogOp: "log", math.Log2Op: "log2",
    math.Log10Op: "log10", math.Log1pOp: "log1p", math.ExpM1Op: "expm1", math.PowFOp: "power",
    math.RoundEvenOp: "rint", math.SinOp: "sin", math.SqrtOp: "sqrt", math.TanOp: "tan",
    math.TanhOp: "tanh", math.TruncOp: "trunc", math.AtanOp: "arctan", math.Atan2Op: "arctan2",
    math.AcosOp: "arccos", math.AsinOp: "arcsin", math.CopySignOp: "copysign",
}  # fmt: skip


def expression(w: PythonWriter, op: Operation | Block) -> str | None:
    """The value of an operation as Python text; None for an unknown operation."""
    assert isinstance(op, Operation)
    if isinstance(op, arith.ConstantOp):
        return _constant(op)
    names = [w.name(operand) for operand in op.operands]
    kind = type(op)
    result = op.results[0].type if op.results else None
    match op:
        case _ if kind in _INTEGER:
            text = f"{names[0]} {_INTEGER[kind]} {names[1]}"
            return text if isinstance(result, IndexType) else f"signed({text}, {_bits(result)})"  # type: ignore[arg-type]
        case _ if kind in _BITWISE:
            return f"{names[0]} {_BITWISE[kind]} {names[1]}"
        case _ if kind in _FLOAT:
            return f"{names[0]} {_FLOAT[kind]} {names[1]}"
        case _ if kind in _MATH:
            return f"np.{_MATH[kind]}({', '.join(names)})"
        case _ if kind in _LEAST:
            return _LEAST[kind].format(*names)  # type: ignore[index]
        case _ if kind in _UNSIGNED:
            return _unsigned(op, names)
        case arith.CmpiOp():
            a, b = (_as_unsigned(n, op.lhs.type) if is_unsigned(op) else n for n in names)
            return f"{a} {_COMPARED[predicate_of(op)[-2:]]} {b}"
        case arith.CmpfOp() if op.predicate.value.data in _FLOATS_COMPARED:
            return f"bool({names[0]} {_FLOATS_COMPARED[op.predicate.value.data]} {names[1]})"
        case arith.ExtUIOp():
            return (
                f"int({names[0]})" if op.input.type == i1 else _as_unsigned(names[0], op.input.type)
            )
        case arith.TruncIOp() | arith.IndexCastOp():
            if result == i1:
                return f"bool({names[0]} & 1)"
            return names[0] if _widens(op) else f"signed({names[0]}, {_bits(op.results[0].type)})"
        case arith.SIToFPOp() | arith.ExtFOp() | arith.TruncFOp():
            return f"{dtype_text(op.results[0].type)}({names[0]})"
        case arith.UIToFPOp():
            return f"{dtype_text(op.result.type)}({_as_unsigned(names[0], op.input.type)})"
        case arith.FPToSIOp() | arith.FPToUIOp():
            return f"signed(int({names[0]}), {_bits(op.results[0].type)})"
        case ocl.ExtractOp():
            indices = "".join(f"[{place}]" for place in op.indices)
            return _loaded(f'{names[0]}["{op.field.data}"]{indices}', op.result.type)
        case memref.LoadOp():
            return _loaded(f"{names[0]}[{names[1]}]", op.res.type)
        case _:
            return None


def _widens(op: arith.TruncIOp | arith.IndexCastOp) -> bool:
    return _bits(op.results[0].type) >= _bits(op.operands[0].type)


def _constant(op: arith.ConstantOp) -> str | None:
    match op.value:
        case IntegerAttr() as value if op.result.type == i1:
            return str(bool(value.value.data & 1))
        case IntegerAttr() as value:
            number = value.value.data
            bits = _bits(op.result.type)
            number = number - (1 << bits) if number >> (bits - 1) > 0 else number
            return str(number) if number >= 0 else f"({number})"
        case FloatAttr() as value:
            number = value.value.data
            text = repr(number) if numbers.isfinite(number) else f'"{number}"'
            return f"{dtype_text(op.result.type)}({text})"
        case _:
            return None


def _as_unsigned(name: str, type: Attribute) -> str:
    if name.isdigit():
        return name
    return f"({name} & {hex((1 << _bits(type)) - 1)})"


_UNSIGNED = {
    arith.DivUIOp: "{0} // {1}", arith.RemUIOp: "{0} % {1}", arith.CeilDivUIOp: "-(-{0} // {1})",
    arith.MinUIOp: "min({0}, {1})", arith.MaxUIOp: "max({0}, {1})",
    arith.ShRUIOp: "{0} >> {1}", arith.ShLIOp: "{0} << {1}",
}  # fmt: skip


def _unsigned(op: Operation, names: Sequence[str]) -> str:
    type = op.results[0].type
    a, b = (_as_unsigned(name, type) for name in names)
    if isinstance(op, arith.ShLIOp | arith.ShRUIOp):
        b = f"({names[1]} & {_bits(type) - 1})"
    return f"signed({_UNSIGNED[op.__class__].format(a, b)}, {_bits(type)})"  # type: ignore[index]


def _loaded(text: str, type: Attribute) -> str:
    """numpy's integers overflow, Python's do not."""
    if isinstance(type, IntegerType | IndexType):
        return f"bool({text})" if type == i1 else f"int({text})"
    return text if is_float(type) else f"{text}.copy()"


def _store(w: PythonWriter, op: memref.StoreOp) -> None:
    w.line(f"{w.name(op.memref)}[{w.name(op.indices[0])}] = {w.name(op.value)}")


def _alloc(w: PythonWriter, op: memref.AllocOp | memref.AllocaOp) -> None:
    type = op.memref.type
    assert isinstance(type, MemRefType)
    count = w.name(op.dynamic_sizes[0]) if op.dynamic_sizes else str(type.get_shape()[0])
    w.assign([op.memref], f"np.zeros({count}, {dtype_text(type.element_type)})")


def _copy_array(w: PythonWriter, op: memref.CopyOp) -> None:
    w.line(f"{w.name(op.destination)}[:] = {w.name(op.source)}")


def _nothing(w: PythonWriter, op: Operation) -> None:
    pass


def _buffer(w: PythonWriter, op: host.BufferOp) -> None:
    w.assign([op.result], f"new_buffer({_bytes(w, op.count, op.result)})")


def _bytes(w: PythonWriter, count: SSAValue, of: SSAValue) -> str:
    return f"{w.name(count)} * {stride_of(element_type(of))}"


def _transfer(w: PythonWriter, op: host.WriteOp | host.ReadOp | host.CopyOp) -> None:
    name = op.name.removeprefix("host.")
    arguments = [w.name(op.source), w.name(op.target)]
    if op.source_offset is not None:
        arguments.append(f"start={_bytes(w, op.source_offset, op.source)}")
    if op.target_offset is not None:
        arguments.append(f"offset={_bytes(w, op.target_offset, op.target)}")
    if op.count is not None:
        arguments.append(f"nbytes={_bytes(w, op.count, op.buffer)}")
    w.line(f"{name}({', '.join(arguments)})")


def _fill(w: PythonWriter, op: host.FillOp) -> None:
    buffer = w.name(op.target)
    start = "0" if op.offset is None else _bytes(w, op.offset, op.target)
    if op.count is not None:
        nbytes = _bytes(w, op.count, op.target)
    else:
        nbytes = f"{buffer}.size" + ("" if op.offset is None else f" - {start}")
    value = _argument(w, op.value)
    w.line(f"cl.enqueue_fill_buffer(queue, {buffer}, {value}, {start}, {nbytes})")


def _argument(w: PythonWriter, value: SSAValue) -> str:
    name = w.name(value)
    match value.type:
        case host.BufferType():
            return name
        case host.LocalMemoryType():
            return f"cl.LocalMemory({name})"
        case IntegerType():
            return f"{dtype_text(value.type)}({name})"
        case _:
            return name


def _launch(w: PythonWriter, op: host.LaunchOp) -> None:
    def sizes(values: Sequence[SSAValue]) -> str:
        return f"({', '.join(map(w.name, values))},)" if values else "None"

    arguments = [sizes(op.global_size), sizes(op.local_size)]
    arguments += [_argument(w, argument) for argument in op.arguments]
    if op.global_offset:
        arguments.append(f"global_offset={sizes(op.global_offset)}")
    w.line(f'kernels["{op.kernel.string_value()}"](queue, {", ".join(arguments)})')


def _local_memory(w: PythonWriter, op: host.LocalMemoryOp) -> None:
    w.assign([op.result], w.name(op.nbytes))


def _structure(w: PythonWriter, op: host.BytesOp) -> None:
    w.assign([op.result], f"np.frombuffer(bytes.fromhex({op.data.hex()!r}), np.uint8)")


def _null(w: PythonWriter, op: host.NullOp) -> None:
    w.assign([op.result], "None")


def _assert(w: PythonWriter, op: cf.AssertOp) -> None:
    w.line(f"assert {w.name(op.arg)}, {op.msg.data!r}")


def _finish(w: PythonWriter, op: host.FinishOp | host.WaitOp) -> None:
    w.line("queue.finish()")


def _release(w: PythonWriter, op: host.ReleaseOp) -> None:
    w.line(f"{w.name(op.buffer)}.release()")


def _opaque(w: PythonWriter, op: host.OpaqueOp) -> None:
    name = op.function.data
    values = [w.name(argument) for argument in op.arguments]
    if name == "clCreateSubBuffer":
        w.assign(op.results_, f"{values[0]}.get_sub_region({values[1]}, {values[2]})")
        return
    if name == "clGetDeviceInfo":
        which = f"[{values[1]}]" if len(values) > 1 else ""
        w.assign(op.results_, f"queue.device.get_info({values[0]}){which}")
        return
    if name == "clGetKernelWorkGroupInfo" and op.texts:
        asked = f"kernels[{op.texts[0]!r}].get_work_group_info({values[0]}, queue.device)"
        w.assign(op.results_, asked)
        return
    if name == "clGetEventProfilingInfo":
        w.assign(op.results_, "time.perf_counter_ns()")
        return
    if name in ("printf", "puts") and op.texts and not _used(op):
        text = op.texts[0]
        end = ', end=""' if name == "printf" else ""
        w.line(f"print({text!r}{f' % ({chr(44).join(values)},)' if values else ''}{end})")
        return
    if any(isinstance(v.type, ocl.EventType) for v in op.operands):
        raise error_at(op, f"'{name}' takes an event, which is not written in Python")
    w.assign(op.results_, f"{identifier(name)}({', '.join(values)})")


def _used(op: host.OpaqueOp) -> bool:
    return any(result.uses for result in op.results_)


STATEMENTS: dict[type[Operation], Callable[[PythonWriter, Any], None]] = {
    cf.AssertOp: _assert,
    memref.StoreOp: _store,
    memref.AllocOp: _alloc,
    memref.AllocaOp: _alloc,
    memref.DeallocOp: _nothing,
    memref.CopyOp: _copy_array,
    host.BufferOp: _buffer,
    host.WriteOp: _transfer,
    host.ReadOp: _transfer,
    host.CopyOp: _transfer,
    host.FillOp: _fill,
    host.LaunchOp: _launch,
    host.LocalMemoryOp: _local_memory,
    host.BytesOp: _structure,
    host.NullOp: _null,
    ocl.NullEventOp: _nothing,
    host.FinishOp: _finish,
    host.WaitOp: _finish,
    host.ReleaseOp: _release,
    host.OpaqueOp: _opaque,
}
