"""A module of the `ocl` dialect -> OpenCL C."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, ModuleOp, i8
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.analysis.ocl.module_parts import without_hosts
from polycl.backends.opencl_c import text
from polycl.backends.opencl_c import write_arithmetic as arithmetic
from polycl.backends.opencl_c import write_collectives as collectives
from polycl.backends.opencl_c import write_comparisons as comparisons
from polycl.backends.opencl_c import write_control as control
from polycl.backends.opencl_c import write_conversions as conversions
from polycl.backends.opencl_c import write_functions as functions
from polycl.backends.opencl_c import write_memory as memory
from polycl.backends.opencl_c import write_sync as sync
from polycl.backends.opencl_c import write_vectors as vectors
from polycl.backends.opencl_c.c_types import TypeNames, identifier, is_number, number, types_at
from polycl.backends.opencl_c.folding import Effects
from polycl.backends.opencl_c.signs import Signs, defined_values
from polycl.backends.opencl_c.writer import Line, Location, Shared, Writer
from polycl.dialects import ocl, vec
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.collectives import Collective
from polycl.errors import error_at, location_of
from polycl.lowering.llvm.constants import address_places
from polycl.lowering.ocl.lift_cf_to_scf import LiftCfToScfPass

EXPRESSIONS = {
    **arithmetic.EXPRESSIONS,
    **collectives.EXPRESSIONS,
    **comparisons.EXPRESSIONS,
    **conversions.EXPRESSIONS,
    **functions.EXPRESSIONS,
    **memory.EXPRESSIONS,
    **sync.EXPRESSIONS,
    **vectors.EXPRESSIONS,
}
STATEMENTS = {
    **control.STATEMENTS,
    **functions.STATEMENTS,
    **memory.STATEMENTS,
    **sync.STATEMENTS,
    **vectors.STATEMENTS,
}
_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto half if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while bool true false uchar ushort uint ulong size_t ptrdiff_t "
    "intptr_t uintptr_t event_t sampler_t global local constant private generic kernel read_only "
    "write_only read_write complex imaginary quad NULL INFINITY NAN pipe NDRANGE".split()
) | {
    f"{type}{count}"
    for type in "char uchar short ushort int uint long ulong half float double bool".split()
    for count in (2, 3, 4, 8, 16)
}


@dataclass(frozen=True)
class Emission:
    """OpenCL C with the source location of each line."""

    text: str
    locations: tuple[Location | None, ...]
    """The location of each line; the first line is number 0."""

    standard: str
    """The version of OpenCL C that the text needs, as `-cl-std=` takes it."""


def emit(module: ModuleOp, contract: bool = True) -> Emission:
    """The kernels of `module`, which is not changed, and the functions that they call, without
    host code.

    `contract` allows `a * b + c` to be rounded once, as OpenCL C does by default; operations with
    `ocl.no_contract` are always rounded separately.

    Raises:
        PolyclError: located: OpenCL C cannot express an operation or a type.
    """
    module = without_hosts(module)
    if any(len(region.blocks) > 1 for op in module.ops for region in op.regions):
        module = module.clone()
        LiftCfToScfPass().apply(Context(), module)
    return Emitter(module, contract).emission()


class Emitter:
    def __init__(self, module: ModuleOp, contract: bool):
        self.module = module
        self.contract = contract
        self.kernel_ops = [op for op in module.ops if isinstance(op, ocl.KernelOp)]
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self.reserved: set[str] = {*_KEYWORDS, *self._symbols()}
        """Names that variables must not have."""

        signs = Signs(module)
        self.generic = any(
            AddressSpace.GENERIC in _spaces(value.type) for value in defined_values(module)
        )
        self.shared = Shared(
            signs,
            TypeNames(signs.of_field, self.generic, self.reserved),
            EXPRESSIONS,
            STATEMENTS,
            Effects(self.functions),
        )

    def _needs_opencl_2(self) -> bool:
        """Whether it calls functions of OpenCL 2.0, such as `work_group_reduce_add`."""
        return any(
            isinstance(op, ocl.EnqueuedLocalSizeOp)
            or (isinstance(op, Collective) and not op.is_sub_group)
            for op in self.module.walk()
        )

    def emission(self) -> Emission:
        data: list[Line] = []
        for op in self.module.ops:
            if isinstance(op, ocl.ConstantDataOp):
                data.append(self._constant(op))
            elif not isinstance(op, func.FuncOp | ocl.KernelOp):
                raise error_at(
                    op, f"OpenCL C has nothing for '{op.name}'; expected kernels and functions"
                )
        return self._join(data, [self.body(op) for op in (*self.in_order(), *self.kernel_ops)])

    def in_order(self, roots: Sequence[func.FuncOp] = ()) -> list[func.FuncOp]:
        """The functions that kernels call, and `roots`; each one after those that it calls."""
        done: dict[func.FuncOp, None] = {}

        def visit(function: func.FuncOp, path: Sequence[func.FuncOp]) -> None:
            if function in path:
                raise error_at(function, "calls itself, which OpenCL C does not allow")
            if not function.body.blocks:
                raise error_at(function, "has no body; expected a definition")
            if function not in done:
                self._visit_calls(function, lambda callee: visit(callee, [*path, function]))
                done[function] = None

        for kernel in () if roots else self.kernel_ops:
            self._visit_calls(kernel, lambda callee: visit(callee, []))
        # Functions that no kernel calls are for the host.
        for function in roots or (() if self.kernel_ops else self.functions.values()):
            visit(function, [])
        return list(done)

    def _visit_calls(self, op: Operation, visit: Callable[[func.FuncOp], None]) -> None:
        for call in op.walk():
            if isinstance(call, func.CallOp):
                callee = self.functions.get(call.callee.root_reference.data)
                if callee is None:
                    raise error_at(call, f"there is no function {call.callee}")
                visit(callee)

    def _join(self, data: list[Line], parts: list[list[Line]]) -> Emission:
        definitions = self.shared.types.definitions
        body = "\n".join(line.text for part in parts for line in part)
        extensions = set(self.shared.extensions)
        if re.search(r"\bdouble\d*\b", body) or "double" in "".join(definitions):
            extensions.add("cl_khr_fp64")
        pragmas = [f"EXTENSION {extension} : enable" for extension in sorted(extensions)]
        pragmas += ["FP_CONTRACT OFF"] * (not self.contract)
        groups = [
            _lines("".join(f"#pragma OPENCL {pragma}\n" for pragma in pragmas)),
            *map(_lines, definitions),
            data,
            *map(_lines, self.shared.helpers.values()),
            *parts,
        ]
        lines: list[Line] = []
        for group in filter(None, groups):
            lines += [*([Line("", 0, None)] if lines else []), *group]
        return Emission(
            text_of(lines),
            tuple(line.location for line in lines),
            "CL2.0" if self.generic or self._needs_opencl_2() else "CL1.2",
        )

    def _constant(self, op: ocl.ConstantDataOp) -> Line:
        unsigned = self.shared.signs.of_symbol(op.sym_name.data)
        name = identifier(op.sym_name.data)
        with types_at(op):
            declared = self.shared.types.declare(op.type, unsigned, name, "constant")
            if address_places(op.type, op.value):
                raise error_at(op, f"'{name}' holds addresses, which OpenCL C cannot say of it")
            value = self._value(op.value, op.type, unsigned)
        return Line(f"{declared} = {value};", 0, location_of(op))

    def _value(self, value: Attribute, type: Attribute, unsigned: bool) -> str:
        if isinstance(type, ocl.PtrType):
            return "0"
        if isinstance(value, FloatAttr):
            return text.floating(value.value.data, number(type)).text
        if isinstance(value, IntegerAttr):
            literal = text.integer(value.value.data, number(type, unsigned))
            return (text.typed(literal) if literal.number.width > 31 else literal).text
        assert isinstance(value, ArrayAttr)
        match type:
            case ocl.ArrayType():
                string = _string(value, type)
                if string is not None:
                    return string
                parts = [self._value(v, type.element, unsigned) for v in value]
            case ocl.StructType():
                parts = [
                    self._value(v, t, self.shared.signs.of_field(type, name))
                    for v, (name, t) in zip(value, type.fields, strict=True)
                ]
            case ocl.UnionType():
                name, first = type.fields[0]
                parts = [self._value(value.data[0], first, self.shared.signs.of_field(type, name))]
            case _:
                parts = [self._value(v, vec.element_of(type), unsigned) for v in value]
                return f"({number(type, unsigned)})({', '.join(parts)})"
        return f"{{{', '.join(parts)}}}"

    def body(self, op: func.FuncOp | ocl.KernelOp) -> list[Line]:
        """A kernel or a function, written again while a variable hides a function that it calls."""
        reserved = set(self.reserved)
        while True:
            self.shared.called = set()
            writer, header, names = self._attempt(op, reserved)
            hidden = self.shared.called & names
            if not hidden:
                return [*header, *writer.lines, Line("}", 0, None)]
            reserved |= hidden

    def _symbols(self) -> list[str]:
        """The names of the program's data and functions."""
        named = (ocl.ConstantDataOp, func.FuncOp, ocl.KernelOp)
        return [identifier(op.sym_name.data) for op in self.module.ops if isinstance(op, named)]

    def _attempt(
        self, op: func.FuncOp | ocl.KernelOp, reserved: set[str]
    ) -> tuple[Writer, list[Line], set[str]]:
        block = op.body.blocks[0]
        writer = Writer(self.shared, block, reserved)
        where = location_of(op)
        name = identifier(op.sym_name.data)
        if isinstance(op, ocl.KernelOp):
            parameters = self._kernel_parameters(writer, op)
            header = [Line(line, 0, where) for line in self._attributes(op)]
            start = f"kernel void {name}"
        else:
            parameters = self.parameters(writer, op, block)
            header = []
            start = self._result(op, name)
        header += [Line(line, 0, where) for line in _signature(start, parameters or ["void"])]
        with writer.scope():
            # A product that is rounded before a sum is a statement of its own.
            sums = (o for o in op.walk() if isinstance(o, arith.AddfOp | arith.SubfOp))
            if any(ocl.NO_CONTRACT in o.attributes for o in sums) and self.contract:
                writer.line("#pragma OPENCL FP_CONTRACT OFF", close=True)
            if isinstance(op, func.FuncOp):
                self.first_lines(writer, op)
            writer.block(block)
            last = block.last_op
            if isinstance(last, func.ReturnOp):
                with writer.at(last):
                    control.return_(writer, last)
        return writer, header, writer.all_names - reserved

    def first_lines(self, w: Writer, op: func.FuncOp) -> None:
        """Write the lines before a function's own statements."""

    def _kernel_parameters(self, w: Writer, op: ocl.KernelOp) -> list[str]:
        found: list[str] = []
        for argument, attributes, wanted in zip(
            op.args, op.param_attrs, op.param_names, strict=True
        ):
            is_pointer = isinstance(argument.type, ocl.PtrType)
            name = w.parameter(argument, wanted, is_pointer and "ocl.const" in attributes)
            if is_pointer and "ocl.restrict" in attributes:
                name = f"restrict {name}"
            qualifiers = "volatile" if is_pointer and "ocl.volatile" in attributes else ""
            found.append(self.declared(w, argument, name, qualifiers))
        return found

    def parameters(self, w: Writer, op: func.FuncOp, block: Block) -> list[str]:
        found: list[str] = []
        for index, argument in enumerate(block.args):
            name = w.parameter(argument, argument.name_hint or f"a{index}")
            found.append(self.declared(w, argument, name, ""))
        return found

    def declared(self, w: Writer, argument: SSAValue, name: str, extra: str) -> str:
        if is_number(argument.type):
            return f"{w.type_of(argument)} {name}"
        declared = w.declare(argument.type, argument, name)
        return f"{extra} {declared}".strip()

    def _result(self, op: func.FuncOp, name: str) -> str:
        results: Sequence[Attribute] = op.function_type.outputs.data
        if len(results) > 1:
            raise error_at(op, "returns several results; a function of OpenCL C has one")
        unsigned = self.shared.signs.of_result(op.sym_name.data)
        with types_at(op):
            return (
                self.shared.types.declare(results[0], unsigned, name) if results else f"void {name}"
            )

    def _attributes(self, op: ocl.KernelOp) -> list[str]:
        found: list[str] = []
        for name in ("reqd_work_group_size", "work_group_size_hint"):
            sizes = op.properties.get(name)
            if sizes is not None:
                values = ", ".join(str(n) for n in sizes.get_values())  # type: ignore[attr-defined]
                found.append(f"__attribute__(({name}({values})))")
        if ocl.REQUIRED_SUB_GROUP_SIZE in op.attributes:
            size = ocl.sub_group_size_of(op)
            found.append(f"__attribute__((intel_reqd_sub_group_size({size})))")
        return found


def _signature(start: str, parameters: Sequence[str]) -> list[str]:
    """The first lines of a function, as many parameters in each as fit."""
    lines = [f"{start}("]
    for index, parameter in enumerate(parameters):
        part = parameter + (", " if index < len(parameters) - 1 else ") {")
        if len(lines[-1]) + len(part) > 84:
            lines[-1] = lines[-1].rstrip()
            lines.append(" " * 4)
        lines[-1] += part
    return lines


def _lines(text: str) -> list[Line]:
    return [Line(line, 0, None) for line in text.splitlines()]


def _spaces(type: Attribute) -> set[AddressSpace]:
    found: set[AddressSpace] = set()
    while isinstance(type, ocl.PtrType | ocl.ArrayType):
        if isinstance(type, ocl.PtrType):
            found.add(type.address_space)
        type = type.pointee if isinstance(type, ocl.PtrType) else type.element
    return found


def _string(value: ArrayAttr[Attribute], type: ocl.ArrayType) -> str | None:
    """A string literal for bytes that are printable text with a zero at the end."""
    if type.element != i8 or len(value) < 2:
        return None
    codes = [v.value.data for v in value if isinstance(v, IntegerAttr)]
    texts = codes[:-1]
    if codes[-1] != 0 or not all(32 <= c < 127 or c in (9, 10) for c in texts):
        return None
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "?": "\\?"}
    return '"' + "".join(escapes.get(chr(c), chr(c)) for c in texts) + '"'


def text_of(lines: Sequence[Line]) -> str:
    """The lines as text; a comment gives the source line where it changes."""
    shown: list[str] = []
    last: tuple[object, ...] | None = None
    for line in lines:
        found = "  " * line.depth + line.text
        here = line.location[:2] if line.location is not None else None
        if here is not None and here != last:
            found += f"  // {os.path.basename(here[0])}:{here[1]}"
            last = here
        shown.append(found.rstrip())
    return "\n".join(shown) + "\n"
