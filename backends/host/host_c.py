"""`-t opencl-host-c`: the host's functions as C, with the kernels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, vector
from xdsl.dialects.builtin import IntAttr, MemRefType, ModuleOp, VectorType
from xdsl.ir import Attribute, Block, Operation
from xdsl.utils.target import Target

from polycl.analysis.ocl.module_parts import host_functions
from polycl.backends.host import host_statements
from polycl.backends.host.host_main import NAMES, recorded_main
from polycl.backends.host.host_pointers import CONST, HOST, use_pointers
from polycl.backends.host.host_statements import COUNT, kernel_variable
from polycl.backends.opencl_c.c_types import TypeNames
from polycl.backends.opencl_c.text import Expr, typed
from polycl.backends.opencl_c.write_module import EXPRESSIONS, STATEMENTS, Emitter, emit, text_of
from polycl.backends.opencl_c.writer import Expression, Line, Shared, Writer
from polycl.dialects import host, ocl
from polycl.dialects.ocl.builtins import FUNCTIONS, Fact
from polycl.errors import error_at
from polycl.lowering.host.ocl_lower_transpose import OclLowerTransposePass
from polycl.lowering.ocl.remove_dead_values import remove_dead_values

_RESERVED = frozenset(
    "I context queue device platform program open_device CHECK main errno NULL stdin stdout "
    "stderr free malloc exit memcpy memset new_buffer bytes_of allocate kernel_source "
    "read_file".split()
) | frozenset(NAMES)

_SAME_IN_C = {
    *(row.name for row in FUNCTIONS if Fact.C in row.facts),
    *"isnan isinf isfinite isnormal isunordered signbit isequal".split(),
}
"""Functions that OpenCL C and <tgmath.h> share, for float and double."""

_IN_C = {
    "min": "#define min(a, b) ((a) < (b) ? (a) : (b))\n",
    "max": "#define max(a, b) ((a) > (b) ? (a) : (b))\n",
    "rsqrt": "#define rsqrt(x) (1 / sqrt(x))\n",
    "mad": "#define mad(a, b, c) ((a) * (b) + (c))\n",
    "abs": "#define abs(x) ((x) < 0 ? -(x) : (x))\n",
    **{
        f"as_{to}": (
            f"#define as_{to}(x) (((union {{ __typeof__(x) from; {to} to; }}){{.from = (x)}}).to)\n"
        )
        for to in "char uchar short ushort int uint long ulong float double".split()
    },
}
"""The functions of OpenCL C that the host's code may call."""

_SHORT = {"uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int",
          "ulong": "unsigned long"}  # fmt: skip

_VECTOR = re.compile(r"\b(?:u?(?:char|short|int|long)|float|double)(?:[2348]|16)\b")

_SETUP = """\
#define CHECK(call)                                                              \\
  do {                                                                           \\
    cl_int status_ = (call);                                                     \\
    if (status_ != CL_SUCCESS) {                                                 \\
      fprintf(stderr, "%s:%d: OpenCL error %d\\n", __FILE__, __LINE__, status_); \\
      exit(1);                                                                   \\
    }                                                                            \\
  } while (0)

static cl_context context;
static cl_command_queue queue;
"""

_OPEN = """\
/* The first device of the first platform, and the kernels; once. */
static void open_device(void) {
  if (queue != NULL) return;
  cl_int status;
  cl_platform_id platform;
  cl_device_id device;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  CHECK(status);
  queue = clCreateCommandQueue(context, device, 0, &status);
  CHECK(status);
"""


@dataclass(frozen=True)
class OpenclHostCTarget(Target):
    """C99 for the host, with the kernels as a text in it: `cc -c host.c`, and `-lOpenCL`.

    Each function of the host is a function of C; an array is a pointer. With `kernels=FILE` the
    program reads the kernels, which `-t opencl-c` writes, from that file.
    """

    name = "opencl-host-c"

    kernels: str = ""
    contract: bool = True

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        print(host_c(module, self.kernels, self.contract), file=output, end="")


def host_c(module: ModuleOp, kernels: str = "", contract: bool = True) -> str:
    """The C of the host's functions of `module`, which is not changed.

    Raises:
        PolyclError: located: an operation without C text; or there is no host function.
    """
    module = module.clone()
    OclLowerTransposePass().apply(Context(), module)
    if not host_functions(module):
        raise error_at(module, "there is no host code in the module; -t opencl-c writes kernels")
    emission = emit(module, contract)
    for function in host_functions(module):
        # C compilers warn of variables that are set and not read.
        remove_dead_values(function)
        for op in function.walk():
            _prepare(op)
        use_pointers(function)
    return _HostEmitter(module, contract).file(emission.text, emission.standard, kernels)


def _prepare(op: Operation) -> None:
    for value in (*op.operands, *op.results):
        if isinstance(value.type, ocl.EventType) and not isinstance(value.owner, Operation):
            raise error_at(op, "an event that control flow carries is not written in C")
    if isinstance(op, memref.AllocOp | memref.AllocaOp):
        assert isinstance(op.memref.type, MemRefType)
        (size,) = op.memref.type.get_shape()
        if not op.dynamic_sizes:
            op.attributes[COUNT] = IntAttr(size)
    vectors = any(isinstance(v.type, VectorType) for v in (*op.operands, *op.results))
    is_literal = isinstance(op, arith.ConstantOp)
    if vectors and not is_literal and op.name.partition(".")[0] in ("arith", "math", "vec"):
        raise error_at(op, f"'{op.name}' of vectors: C has no arithmetic on vectors")


def _in_braces(write: Expression) -> Expression:
    """A vector in C's syntax: `(float2){{x, y}}` for `(float2)(x, y)`."""

    def in_c(w: Writer, op: Operation) -> Expr:
        found = write(w, op)
        type = found.number
        if type.lanes == 1:
            return found
        parts = found.text.removeprefix(f"({type})(").removesuffix(")")
        if found.splat is not None:
            parts = ", ".join([typed(found.splat).text] * type.lanes)
        return Expr(f"({type}){{{{{parts}}}}}", type, reads=found.reads)

    return in_c


_LITERALS = (arith.ConstantOp, vector.BroadcastOp, ocl.ConcatOp)


class _HostTypes(TypeNames):
    """Types as the host's C spells them."""

    def base(self, type: Attribute, unsigned: bool) -> str:
        return "cl_mem" if isinstance(type, host.BufferType) else super().base(type, unsigned)


class _HostEmitter(Emitter):
    def __init__(self, module: ModuleOp, contract: bool):
        super().__init__(module, contract)
        self.kernels = [op.sym_name.data for op in module.ops if isinstance(op, ocl.KernelOp)]
        taken = {*_RESERVED, *(kernel_variable(name) for name in self.kernels)}
        self.reserved |= taken
        statements = {**STATEMENTS, **host_statements.STATEMENTS}
        names = _HostTypes(self.shared.signs.of_field, False, self.reserved)
        own = host_statements.EXPRESSIONS
        expressions = {
            **EXPRESSIONS,
            **own,
            **{op: _in_braces(EXPRESSIONS[op]) for op in _LITERALS},
        }
        self.shared = Shared(self.shared.signs, names, expressions, statements, self.shared.effects)

    def file(self, kernels: str, standard: str, file: str) -> str:
        hosts = [
            op for op in self.module.ops if isinstance(op, func.FuncOp) and HOST in op.attributes
        ]
        hosts = [op for op in self.in_order(hosts) if op.body.blocks]
        bodies = [self.body(op) for op in hosts]
        lines = [line for body in bodies for line in [Line("", 0, None), *body]]
        helpers = [text.rstrip() + "\n" for text in self.shared.helpers.values()]
        body = text_of(lines)
        everything = "\n".join([*self.shared.types.definitions, *helpers, body])
        shorts = [
            f"typedef {long} {short};\n"
            for short, long in _SHORT.items()
            if re.search(rf"\b{short}\b", everything)
        ]
        vectors = sorted(set(_VECTOR.findall(everything)))
        shorts += [f"typedef cl_{name} {name};\n" for name in vectors]
        parts = [
            _INCLUDES,
            "".join([*shorts, *(m for n, m in _IN_C.items() if f"{n}(" in everything)]),
            *self.shared.types.definitions,
            *(self._setup(kernels, standard, file) if any(map(_has_commands, hosts)) else ()),
            *helpers,
        ]
        mains = [recorded_main(op) for op in hosts] if len(hosts) == 1 else []
        return "\n".join(part for part in parts if part) + body + "".join(mains)

    def _setup(self, kernels: str, standard: str, file: str) -> list[str]:
        """The queue and the kernels, and the functions that make them."""
        source = "" if not self.kernels else _READ_FILE if file else _source(kernels)
        variables, opening = f"{_SETUP}{self._kernel_variables()}", _OPEN
        build = self._build(standard, file)
        for name in _passed_objects(self.module):
            # Functions in C get it: it is a variable of the file.
            variable = host.OBJECTS[name]
            if variable not in ("context", "queue"):
                variables += f"static {name} {variable};\n"
                opening = opening.replace(f"  {name} {variable};\n", "")
                build = build.replace(f"  {name} {variable} = ", f"  {variable} = ")
            if variable == "queue":
                # They may ask for the times of events.
                opening = opening.replace("device, 0,", "device, CL_QUEUE_PROFILING_ENABLE,")
        return [variables, source, f"{opening}{build}"]

    def body(self, op: func.FuncOp | ocl.KernelOp) -> list[Line]:
        lines = super().body(op)
        known = {*_SAME_IN_C, *_IN_C, *self.shared.helpers, *self.functions}
        for name in sorted(self.shared.called - known):
            raise error_at(op, f"calls '{name}' of OpenCL C, which C does not have")
        return lines

    def first_lines(self, w: Writer, op: func.FuncOp) -> None:
        if _has_commands(op):
            w.line("open_device();")

    def parameters(self, w: Writer, op: func.FuncOp, block: Block) -> list[str]:
        found: list[str] = []
        attributes = op.arg_attrs.data if op.arg_attrs is not None else [None] * len(block.args)
        for index, (argument, attrs) in enumerate(zip(block.args, attributes, strict=True)):
            const = attrs is not None and CONST in attrs.data
            name = w.parameter(argument, argument.name_hint or f"a{index}", const)
            found.append(self.declared(w, argument, name, ""))
        return found

    def _kernel_variables(self) -> str:
        if not self.kernels:
            return ""
        names = ", ".join(map(kernel_variable, self.kernels))
        return f"static cl_kernel {names};\n"

    def _build(self, standard: str, file: str) -> str:
        if not self.kernels:
            return "}\n"
        source = f'read_file("{file}")' if file else "kernel_source"
        lines = [
            f"  const char *source = {source};",
            "  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);",
            "  CHECK(status);",
            f'  CHECK(clBuildProgram(program, 1, &device, "-cl-std={standard}", NULL, NULL));',
        ]
        for name in self.kernels:
            lines.append(f'  {kernel_variable(name)} = clCreateKernel(program, "{name}", &status);')
            lines.append("  CHECK(status);")
        return "\n".join(lines) + "\n}\n"


def _passed_objects(module: ModuleOp) -> list[str]:
    """The types of the objects whose variables functions in C get."""
    found: dict[str, None] = {}
    for op in module.walk():
        match op:
            case host.ExternOp():
                found[op.symbol.data] = None
            case host.ObjectOp():
                found[op.type_name.data] = None
            case _:
                pass
    return [name for name in found if name in host.OBJECTS]


def _has_commands(function: func.FuncOp) -> bool:
    commands = (op for op in function.walk() if host.is_host_operation(op))
    return any(not isinstance(op, host.OpaqueOp) for op in commands)


_INCLUDES = """\
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>
#include <time.h>
"""

_READ_FILE = """\
static const char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "%s: cannot be read\\n", path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  size_t length = ftell(file);
  rewind(file);
  char *text = malloc(length + 1);
  length = fread(text, 1, length, file);
  text[length] = 0;
  fclose(file);
  return text;
}
"""


def _source(kernels: str) -> str:
    """The kernels as a string of C, line by line."""
    lines = kernels.rstrip("\n").split("\n")
    escaped = (
        line.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?") for line in lines
    )
    body = "\n".join(f'    "{line}\\n"' for line in escaped)
    return f"static const char kernel_source[] =\n{body};\n"
