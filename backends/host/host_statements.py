"""The commands of the host as calls of OpenCL's interface (OpenCL 1.2, section 5).

Commands are in one queue, in order, and transfers block: events need no variables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from xdsl.dialects import cf, memref
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.backends.host.image_helpers import IMAGE_HELPERS
from polycl.backends.opencl_c import text
from polycl.backends.opencl_c.c_types import identifier, is_number
from polycl.backends.opencl_c.text import Expr
from polycl.backends.opencl_c.write_memory import pointer
from polycl.backends.opencl_c.writer import Expressions, Statements, Writer
from polycl.dialects import host, ocl
from polycl.dialects.host.launches import FILE, FIXED, IN_C
from polycl.errors import error_at

STATEMENTS = Statements()
EXPRESSIONS = Expressions()

EVENTS = "0, NULL, NULL"


def kernel_variable(name: str) -> str:
    """The variable of a kernel in the host's file."""
    return f"{identifier(name)}_kernel"


def _element(value: SSAValue) -> Attribute:
    assert isinstance(value.type, host.BufferType | ocl.PtrType)
    return value.type.element if isinstance(value.type, host.BufferType) else value.type.pointee


def _size_of(w: Writer, value: SSAValue) -> str:
    base = w.shared.types.base(_element(value), w.shared.signs.of(value))
    return f"sizeof({base})"


def _bytes(w: Writer, count: SSAValue, of: SSAValue) -> str:
    return f"{w.expression(count).at(text.PRODUCT)} * {_size_of(w, of)}"


def _start(w: Writer, offset: SSAValue | None, of: SSAValue) -> str:
    return "0" if offset is None else _bytes(w, offset, of)


def _whole(w: Writer, buffer: SSAValue) -> str:
    """The bytes of a buffer, from the size of its creation if its variable is unchanged."""
    made = buffer.owner
    if isinstance(made, host.BufferOp):
        count = made.count
        folded = isinstance(count.owner, Operation) and count.owner in w.folding.folded
        if not folded and len(w.variables.members(count)) == 1:
            return _bytes(w, count, buffer)
    w.helper("bytes_of", _BYTES_OF)
    return f"bytes_of({w.expression(buffer).text})"


_BYTES_OF = """\
static size_t bytes_of(cl_mem buffer) {
  size_t bytes;
  CHECK(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL));
  return bytes;
}
"""
_NEW_BUFFER = """\
static cl_mem new_buffer(size_t bytes) {
  cl_int status;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  CHECK(status);
  return buffer;
}
"""
_ALLOCATE = """\
static void *allocate(size_t bytes) {
  void *memory = calloc(bytes, 1); /* Arrays outside of functions start as zero. */
  if (memory == NULL && bytes > 0) {
    fprintf(stderr, "no memory for %zu bytes\\n", bytes);
    exit(1);
  }
  return memory;
}
"""


def _transfer_bytes(w: Writer, op: host.WriteOp | host.ReadOp | host.CopyOp) -> str:
    if op.count is not None:
        return _bytes(w, op.count, op.buffer)
    offset = op.target_offset if op.buffer is op.target else op.source_offset
    whole = _whole(w, op.buffer)
    return whole if offset is None else f"{whole} - {_start(w, offset, op.buffer)}"


def _host_side(w: Writer, array: SSAValue, offset: SSAValue | None) -> str:
    at = pointer(w, array)
    return (
        at.text
        if offset is None
        else f"{at.at(text.SUM)} + {w.expression(offset).at(text.PRODUCT)}"
    )


def _check(w: Writer, call: str, *arguments: str) -> None:
    w.line(f"CHECK({call}({', '.join(arguments)}));")


@STATEMENTS.of(host.WriteOp)
def _write(w: Writer, op: host.WriteOp) -> None:
    if _is_image(op.target):
        _move(w, op, "write_image")
        return
    start, nbytes = _start(w, op.target_offset, op.target), _transfer_bytes(w, op)
    side = _host_side(w, op.source, op.source_offset)
    buffer = w.expression(op.target).text
    _check(w, "clEnqueueWriteBuffer", "queue", buffer, "CL_TRUE", start, nbytes, side, EVENTS)


@STATEMENTS.of(host.ReadOp)
def _read(w: Writer, op: host.ReadOp) -> None:
    if _is_image(op.source):
        _move(w, op, "read_image")
        return
    start, nbytes = _start(w, op.source_offset, op.source), _transfer_bytes(w, op)
    side = _host_side(w, op.target, op.target_offset)
    buffer = w.expression(op.source).text
    _check(w, "clEnqueueReadBuffer", "queue", buffer, "CL_TRUE", start, nbytes, side, EVENTS)


def _is_image(value: SSAValue) -> bool:
    return isinstance(value.owner, host.ImageOp)


def _move(w: Writer, op: host.WriteOp | host.ReadOp, helper: str) -> None:
    """A transfer between the host and an image."""
    _image_helper(w, helper)
    array, image = (op.source, op.target) if op.target is op.buffer else (op.target, op.source)
    offsets = (op.source_offset, op.target_offset)
    of_array, of_image = offsets if image is op.target else offsets[::-1]
    place = (_start(w, of_image, image), _transfer_bytes(w, op), _host_side(w, array, of_array))
    w.line(f"{helper}({w.expression(image).text}, {', '.join(place)});")


def _image_helper(w: Writer, *names: str) -> None:
    for name in ("image_part", "write_image", "read_image", *names):
        w.helper(name, IMAGE_HELPERS[name])


@STATEMENTS.of(host.ImageOp)
def _image(w: Writer, op: host.ImageOp) -> None:
    _image_helper(w, "new_image")
    kind = op.kind.data.removesuffix("_depth")
    width, height, depth = (*op.shape, 1, 1)[:3]
    images = {"image1d_array": height, "image2d_array": depth}.get(kind, 0)
    sizes = [width, height if len(op.shape) > 1 and kind != "image1d_array" else 0]
    sizes += [depth if kind == "image3d" else 0, images]
    numbers = ", ".join(map(str, sizes))
    names = ("MEM_OBJECT_" + kind.upper(), op.order.data.upper(), op.channel.data.upper())
    w.assign(op.result, Expr(f"new_image({', '.join(f'CL_{n}' for n in names)}, {numbers})"))


@STATEMENTS.of(host.CopyOp)
def _copy(w: Writer, op: host.CopyOp) -> None:
    if _is_image(op.source) or _is_image(op.target):
        _image_helper(w, "copy_images")
        sides = [
            f"{w.expression(value).text}, {int(_is_image(value))}, {_start(w, offset, value)}"
            for value, offset in ((op.source, op.source_offset), (op.target, op.target_offset))
        ]
        w.line(f"copy_images({', '.join(sides)}, {_transfer_bytes(w, op)});")
        return
    places = [
        _start(w, op.source_offset, op.source),
        _start(w, op.target_offset, op.target),
        _transfer_bytes(w, op),
    ]
    a, b = w.expression(op.source).text, w.expression(op.target).text
    _check(w, "clEnqueueCopyBuffer", "queue", a, b, *places, EVENTS)


@STATEMENTS.of(host.FillOp)
def _fill(w: Writer, op: host.FillOp) -> None:
    buffer = w.expression(op.target).text
    start = _start(w, op.offset, op.target)
    if op.count is not None:
        nbytes = _bytes(w, op.count, op.target)
    else:
        nbytes = _whole(w, op.target) + ("" if op.offset is None else f" - {start}")
    with _braces(w):
        name = _variable(w, "pattern", op.value)
        if _is_image(op.target):
            _image_helper(w, "fill_image")
            w.line(f"fill_image({buffer}, &{name}, sizeof({name}), {start}, {nbytes});")
            return
        _check(
            w,
            "clEnqueueFillBuffer",
            *("queue", buffer, f"&{name}", f"sizeof({name})", start, nbytes, EVENTS),
        )


class _braces:
    """A block of C around the lines in between."""

    def __init__(self, w: Writer):
        self._w = w
        self._scope = w.scope()

    def __enter__(self) -> None:
        self._w.line("{")
        self._scope.__enter__()

    def __exit__(self, *error: object) -> None:
        self._scope.__exit__(None, None, None)
        self._w.line("}", close=True)


def _addressable(w: Writer, wanted: str, value: SSAValue) -> str:
    """The name of a variable with `value`: its own, or a new one."""
    found = w.exact(value)
    return found.text if found.reads == {found.text} else _variable(w, wanted, value)


def _variable(w: Writer, wanted: str, value: SSAValue) -> str:
    """The name of a new variable with `value`, whose address can be taken."""
    expression = w.exact(value).text
    name = w.name(wanted)
    w.line(f"{w.declaration(value, name)} = {expression};")
    return name


@STATEMENTS.of(host.LaunchOp)
def _launch(w: Writer, op: host.LaunchOp) -> None:
    kernel = kernel_variable(op.kernel.string_value())
    names = op.callee().param_names
    with _braces(w):
        places = [
            _sizes(w, "first_ids", op.global_offset),
            _sizes(w, "global_size", op.global_size),
            _sizes(w, "local_size", op.local_size),
        ]
        for index, (wanted, argument) in enumerate(zip(names, op.arguments, strict=True)):
            if isinstance(argument.type, host.LocalMemoryType):
                size, address = w.expression(argument).text, "NULL"
            elif isinstance(argument.type, ocl.SamplerType):
                size, address = "sizeof(cl_sampler)", f"&{w.expression(argument).text}"
            elif isinstance(argument.owner, host.BytesOp):
                address = w.expression(argument).text
                size = f"sizeof({address})"
            else:
                name = _addressable(w, wanted, argument)
                is_buffer = isinstance(argument.type, host.BufferType)
                size, address = f"sizeof({'cl_mem' if is_buffer else name})", f"&{name}"
            _check(w, "clSetKernelArg", kernel, str(index), size, address)
        rank = str(len(op.global_size))
        _check(w, "clEnqueueNDRangeKernel", "queue", kernel, rank, *places, EVENTS)


def _sizes(w: Writer, wanted: str, sizes: Sequence[SSAValue]) -> str:
    if not sizes:
        return "NULL"
    values = ", ".join(w.expression(size).text for size in sizes)
    name = w.name(wanted)
    w.line(f"size_t {name}[] = {{{values}}};")
    return name


@STATEMENTS.of(host.BufferOp)
def _buffer(w: Writer, op: host.BufferOp) -> None:
    w.helper("new_buffer", _NEW_BUFFER)
    w.assign(op.result, Expr(f"new_buffer({_bytes(w, op.count, op.result)})"))


@STATEMENTS.of(host.LocalMemoryOp)
def _local_memory(w: Writer, op: host.LocalMemoryOp) -> None:
    name = w.name(w.name_for(op.result) if op.result.name_hint else "local_bytes")
    w.line(f"size_t {name} = {w.expression(op.nbytes).text};")
    w.bind_expression(op.result, Expr(name, reads=frozenset({name})))


@STATEMENTS.of(host.NullOp)
def _null(w: Writer, op: host.NullOp) -> None:
    w.assign(op.result, Expr("NULL"))


@STATEMENTS.of(host.BytesOp)
def _bytes_of_structure(w: Writer, op: host.BytesOp) -> None:
    if isinstance(op.result.type, ocl.SamplerType):
        w.helper("new_sampler", IMAGE_HELPERS["new_sampler"])
        name = w.name(w.name_for(op.result) if op.result.name_hint else "sampler")
        w.line(f"cl_sampler {name} = new_sampler({int.from_bytes(op.data, 'little')});")
        w.bind_expression(op.result, Expr(name, reads=frozenset({name})))
        return
    name = w.name(w.name_for(op.result) if op.result.name_hint else "structure")
    w.line(f"static const unsigned char {name}[] = {{{', '.join(map(str, op.data))}}};")
    w.bind_expression(op.result, Expr(name, reads=frozenset({name})))


@STATEMENTS.of(cf.AssertOp)
def _assert(w: Writer, op: cf.AssertOp) -> None:
    w.line(f"if (!{w.expression(op.arg).at(text.UNARY)}) {{")
    w.line(f'  fprintf(stderr, "%s\\n", {json.dumps(op.msg.data)});')
    w.line("  exit(1);")
    w.line("}")


@STATEMENTS.of(host.FinishOp, host.WaitOp)
def _finish(w: Writer, op: host.FinishOp | host.WaitOp) -> None:
    _check(w, "clFinish", "queue")


@STATEMENTS.of(host.ReleaseOp)
def _release(w: Writer, op: host.ReleaseOp) -> None:
    _check(w, "clReleaseMemObject", w.expression(op.buffer).text)


_DROPPED = ("fprintf", "fflush", "perror", "gettimeofday", "clock_gettime")
"""Functions for output or measurement whose arguments are unknown."""


_DECLARED = ("clock", "time", "exit", "abort", "rand", "srand", "drand48", "srand48")
"""The functions that the headers of C's library declare."""


@STATEMENTS.of(host.OpaqueOp)
def _opaque(w: Writer, op: host.OpaqueOp) -> None:
    if IN_C in op.attributes:
        _call_in_c(w, op)
        return
    name = identifier(op.function.data)
    if len(op.results_) > 1:
        raise error_at(
            op, f"'{name}' returns {len(op.results_)} values; a function of C returns one"
        )
    if name in _DROPPED and not any(result.uses for result in op.results_):
        w.line(f"/* {name}(...) */")
        return
    values = [w.exact(value).text for value in op.arguments]
    if name == "clCreateSubBuffer":
        w.helper("sub_buffer", _SUB_BUFFER)
        call = f"sub_buffer({', '.join(values)})"
    elif name in ("printf", "puts"):
        call = f"{name}({', '.join([*map(json.dumps, op.texts), *values])})"
    elif name in _QUERIES:
        w.helper(*_QUERIES[name])
        if name == "clGetDeviceInfo" and len(values) == 1:
            values.append("0")
        call = f"{_QUERIES[name][0]}({', '.join(values)})"
    elif name == "clGetKernelWorkGroupInfo" and op.texts:
        w.helper(*_KERNEL_NUMBER)
        call = f"{_KERNEL_NUMBER[0]}({', '.join([kernel_variable(op.texts[0]), *values])})"
    elif name.startswith("clGet"):
        known = ", ".join([*_QUERIES, "clGetKernelWorkGroupInfo of a known kernel"])
        raise error_at(op, f"'{name}' is not written in C, only {known}")
    else:
        if name not in _DECLARED:
            _declare(w, op, name)
        if name == "time":
            values = ["NULL"]
        call = f"{name}({', '.join(values)})"
    if op.results_ and op.results_[0].uses:
        w.assign(op.results_[0], Expr(call, _type(w, op.results_[0])))
    else:
        w.line(f"{call};")


def _call_in_c(w: Writer, op: host.OpaqueOp) -> None:
    """A call of a function of the program's C files, or of C's library.

    Its declaration has a name of its own, which no header declares, for the function's symbol.
    """
    name = f"c_{identifier(op.function.data)}"
    types = [w.declaration(value, "").strip() for value in op.arguments]
    fixed = op.attributes.get(FIXED)
    if isinstance(fixed, IntegerAttr):
        types = [*types[: fixed.value.data], "..."]
    # A call with other types is of a function that is declared without parameters.
    result = w.declaration(op.results_[0], "").strip() if op.results_ else "void"
    declared = f"{result} {{}}({', '.join(types) or 'void'})"
    if op.function.data in ("exit", "abort", "_exit"):
        declared = f"__attribute__((noreturn)) {declared}"
    name = _declared_as(w, name, declared, _symbol(op.function.data, op.attributes.get(FILE)))
    call = f"{name}({', '.join(w.exact(value).text for value in op.arguments)})"
    if op.results_ and op.results_[0].uses:
        is_pointer = isinstance(op.results_[0].type, ocl.PtrType)
        found = Expr(call, _type(w, op.results_[0]))
        w.assign(op.results_[0], text.as_pointer(found) if is_pointer else found)
    else:
        w.line(f"{call};")


def _symbol(name: str, file: Attribute | None) -> str:
    """The linker's name; that of a static function is an alias (build_program.py)."""
    return name if file is None else static_symbol(name)


def static_symbol(name: str) -> str:
    """The alias by which other files reach a static function or variable."""
    return f"polycl_{name}"


def _declared_as(w: Writer, name: str, declared: str, symbol: str) -> str:
    """The name of a declaration, the first or another one of the symbol."""
    number = 0
    while True:
        known = f"{name}_{number}" if number else name
        line = f'extern {declared.format(known)} __asm__("{symbol}");\n'
        if w.shared.helpers.get(known, line) == line:
            w.helper(known, line)
            return known
        number += 1


@EXPRESSIONS.of(host.ExternOp)
def _extern(w: Writer, op: host.ExternOp) -> text.Pointer:
    name = op.symbol.data
    if name in host.OBJECTS:
        target = f"&{host.OBJECTS[name]}"
    else:
        target = _declared_as(w, f"c_{name}", "char {}[]", _symbol(name, op.file))
    return text.as_pointer(text.unary(f"({w.pointer_type(op.result)})", Expr(target), None))


@EXPRESSIONS.of(host.ObjectOp)
def _object(w: Writer, op: host.ObjectOp) -> text.Pointer:
    variable = Expr(host.OBJECTS[op.type_name.data])
    return text.as_pointer(text.unary("(char *)", variable, None))


@EXPRESSIONS.of(host.TextOp)
def _text(w: Writer, op: host.TextOp) -> text.Pointer:
    escaped = json.dumps(op.text.data, ensure_ascii=False).replace("??", "?\\?")
    escaped = re.sub(r"\\u([0-9a-f]{4})", lambda m: f"\\{int(m[1], 16):03o}", escaped)
    return text.as_pointer(text.unary("(char *)", Expr(escaped), None))


_SUB_BUFFER = """\
static cl_mem sub_buffer(cl_mem buffer, size_t origin, size_t size) {
  cl_int status;
  cl_buffer_region region = {origin, size};
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  CHECK(status);
  return part;
}
"""


_DEVICE_NUMBER = """\
static cl_ulong device_number(cl_device_info name, int index) {
  cl_device_id device;
  cl_ulong values[16] = {0};
  CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL));
  CHECK(clGetDeviceInfo(device, name, sizeof(values), values, NULL));
  return values[index];
}
"""
"""Machines with OpenCL are little-endian."""

_KERNEL_NUMBER = (
    "kernel_number",
    """\
static cl_ulong kernel_number(cl_kernel kernel, cl_kernel_work_group_info name) {
  cl_device_id device;
  cl_ulong value = 0;
  CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL));
  CHECK(clGetKernelWorkGroupInfo(kernel, device, name, sizeof(value), &value, NULL));
  return value;
}
""",
)

_NANOSECONDS = """\
static cl_ulong nanoseconds(cl_profiling_info name) {
  struct timespec now;
  (void)name; /* Every command has ended when the host asks. */
  timespec_get(&now, TIME_UTC);
  return now.tv_sec * 1000000000UL + now.tv_nsec;
}
"""

_QUERIES = {
    "clGetDeviceInfo": ("device_number", _DEVICE_NUMBER),
    "clGetEventProfilingInfo": ("nanoseconds", _NANOSECONDS),
}


def _declare(w: Writer, op: host.OpaqueOp, name: str) -> None:
    types = ", ".join(w.declaration(value, "").strip() for value in op.arguments)
    result = w.declaration(op.results_[0], "").strip() if op.results_ else "void"
    w.helper(name, f"extern {result} {name}({types or 'void'});\n")


def _type(w: Writer, value: SSAValue) -> text.Number | None:
    return w.type_of(value) if is_number(value.type) else None


@STATEMENTS.of(memref.AllocOp)
def _alloc(w: Writer, op: memref.AllocOp) -> None:
    w.helper("allocate", _ALLOCATE)
    count = op.dynamic_sizes[0] if op.dynamic_sizes else None
    size = _size_of(w, op.memref)
    if count is None:
        nbytes = f"{_static_count(op)} * {size}"
    else:
        nbytes = _bytes(w, count, op.memref)
    w.assign(op.memref, Expr(f"allocate({nbytes})"))


def _static_count(op: memref.AllocOp | memref.AllocaOp) -> int:
    count = op.attributes.get(COUNT)
    assert count is not None
    return count.data  # type: ignore[attr-defined]


COUNT = "ocl.host_count"
"""Attribute of an allocation with the static size that its array type had."""


@STATEMENTS.of(memref.AllocaOp)
def _alloca(w: Writer, op: memref.AllocaOp) -> None:
    name = w.name(w.name_for(op.memref))
    count = w.expression(op.dynamic_sizes[0]).text if op.dynamic_sizes else _static_count(op)
    base = w.shared.types.base(_element(op.memref), w.shared.signs.of(op.memref))
    w.line(f"{base} {name}[{count}];")
    w.bind(op.memref, name)


@STATEMENTS.of(memref.DeallocOp)
def _free(w: Writer, op: memref.DeallocOp) -> None:
    w.line(f"free({w.expression(op.memref).text});")
