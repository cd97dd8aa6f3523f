"""What the compiler gives to the driver: shared objects with a description.

The description, the symbol `polycl_meta`, is text that ends with a zero byte: one entry a line, its
fields separated by tabs; a backslash, tab or line break in a field is written `\\\\`, `\\t`, `\\n`.

polycl 1
type      executable, library, compiled_object or variant
sources   digest                                                `Bundle.digest`, of a program
file      digest (sha256, or - where no file must be), path     for each file on which it depends
folder    path                                                  where relative paths start
volatile                                                        it must not be used again
variables bytes                                                 see below
address   offset                                                for each in the variables before
kernel    name, attributes, required size, hint, local bytes, private bytes, uniform, operations,
          best size, atomics
argument  kind, size, alignment, address space, access, qualifiers, type, name
uses      number of variables
scratch   bytes                                                 the last two: of a variant
printf    format, type of each argument

A variant with debug information has `polycl_lines`, which crashes are reported with.

`argument` and `uses` belong to the kernel before them. A kernel is `uniform` if its groups have one
size, else `non-uniform`; it has `atomics` if its program has atomic operations; `operations` is
what a work-item executes at most (`work_bound.py`), or 0; the best size is the local size that
suits a kernel which does the same in groups of any size (`group_shape.py`).
The kinds are g (a global or constant
pointer), l (a local pointer), v (a value), i (an image), s (a sampler) and p (a pipe).
Program-scope variables are blocks of memory with a number, whose first content is the symbol
`polycl_variables_<number>`, where at each `address` the one of the block is to be added;
a kernel takes a pointer to each that it uses after its arguments. The symbol `polycl_bundle` of
`polycl_bundle_size` bytes is what the program was made of; a variant does not have it.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from xdsl.dialects.builtin import (
    I64,
    AnyFloat,
    DenseArrayBase,
    IntegerType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Attribute
from xdsl.traits import SymbolTable

from polycl.analysis.ocl.work_bound import most_operations
from polycl.backends.cpu.elf import read_symbol, shared_object
from polycl.backends.cpu.launch import CompiledKernel
from polycl.backends.cpu.line_table import LineTable, known_lines
from polycl.dialects.ocl import (
    REQUIRED_SUB_GROUP_SIZE,
    AddressSpace,
    AllocaOp,
    ConstantDataOp,
    KernelLike,
    LocalAllocOp,
    PtrType,
    sub_group_size_of,
)
from polycl.dialects.ocl.images import ImageAccess, ImageType, SamplerType
from polycl.dialects.ocl.kernel import NON_UNIFORM, PARAM_TYPEDEF, PARAM_VARIABLES, VEC_TYPE_HINT
from polycl.dialects.ocl.layout import align_of, size_of
from polycl.dialects.ocl.pipes import PipeType
from polycl.errors import PolyclError
from polycl.frontends.opencl_c.options import joined_words
from polycl.lowering.llvm.constants import address_places, constant_bytes
from polycl.lowering.wg.group_shape import best_group
from polycl.runtime.modules import has_atomics
from polycl.runtime.parameters import variables_of

EXECUTABLE, LIBRARY, COMPILED_OBJECT = "executable", "library", "compiled_object"
ENTRY = "polycl_kernel"
"""The function of a variant."""

_SOURCE_LINE = struct.Struct("<q56s")

_ACCESS = {
    ImageAccess.READ: "read_only",
    ImageAccess.WRITE: "write_only",
    ImageAccess.READ_WRITE: "read_write",
}
_QUALIFIERS = ("const", "restrict", "volatile")

Line = Sequence[object]


@dataclass(frozen=True)
class Unit:
    """One source, and all that its translation reads."""

    source: str
    options: tuple[str, ...] = ()
    folder: str = "/"
    """The current folder, where relative paths start."""
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """The text of each included file, by its absolute path."""


@dataclass(frozen=True)
class Bundle:
    """What a program was made of."""

    type: str
    units: tuple[Unit, ...]

    @property
    def digest(self) -> str:
        """Of the sources, the files that they include and the options, wherever these files are."""
        parts = [
            (
                unit.source,
                tuple(word for word in joined_words(unit.options) if not word.startswith("-I")),
                sorted((os.path.basename(path), text) for path, text in unit.files.items()),
            )
            for unit in self.units
        ]
        return sha256(repr(parts).encode()).hexdigest()[:32]


def program_artifact(
    bundle: Bundle, module: ModuleOp | None = None, more: Iterable[Line] = ()
) -> bytes:
    """The artifact of a program; `module` is that of an executable, `more` are further lines."""
    lines: list[Line] = [("type", bundle.type), ("sources", bundle.digest), *more]
    symbols: dict[str, bytes] = {}
    if module is not None:
        kernels = [op for op in module.ops if isinstance(op, KernelLike)]
        names = list(dict.fromkeys(name for kernel in kernels for name in variables_of(kernel)))
        for number, name in enumerate(names):
            data = SymbolTable.lookup_symbol(module, name)
            assert isinstance(data, ConstantDataOp)
            content = constant_bytes(data.type, data.value)
            symbols[f"polycl_variables_{number}"] = content
            lines.append(("variables", len(content)))
            lines += [("address", place) for place in address_places(data.type, data.value)]
        atomics = has_atomics(module)
        for kernel in kernels:
            lines += _kernel(kernel, atomics)
            lines += [("uses", names.index(name)) for name in variables_of(kernel)]
    packed = zlib.compress(json.dumps(asdict(bundle)).encode())
    symbols["polycl_bundle"] = packed
    symbols["polycl_bundle_size"] = len(packed).to_bytes(8, "little")
    return shared_object({"polycl_meta": _text(lines), **symbols})


def variant_artifact(compiled: CompiledKernel) -> bytes:
    """The artifact of a kernel that is compiled for one local size."""
    lines: list[Line] = [("type", "variant"), ("scratch", compiled.scratch_bytes)]
    lines += [("printf", f.text, *map(_printf_type, f.types)) for f in compiled.formats]
    data = {"polycl_meta": _text(lines)}
    table = known_lines(compiled.object_code, compiled.name)
    if table is not None:
        data["polycl_lines"] = _source_lines(table)
    return shared_object(data, compiled.object_code, {compiled.name: ENTRY})


def _source_lines(table: LineTable) -> bytes:
    """`struct source_line` of driver.h for each row; the last one is behind all code."""
    rows = [
        (place - table.kernel, f"{os.path.basename(file)}:{line}" if line else "")
        for place, file, line in table.rows
    ]
    rows += [(table.size - table.kernel, ""), (2**63 - 1, "")]
    return b"".join(_SOURCE_LINE.pack(place, name.encode()[-55:]) for place, name in rows)


def _text(lines: Iterable[Line]) -> bytes:
    text = "".join("\t".join(map(_field, line)) + "\n" for line in [("polycl 1",), *lines])
    return text.encode("utf-8", "surrogateescape") + b"\0"


def _field(value: object) -> str:
    text = str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
    # The text ends at the first zero byte.
    return text.replace("\0", "")


def _kernel(kernel: KernelLike, atomics: bool) -> list[Line]:
    required, hint = _size(kernel.reqd_work_group_size), _size(kernel.work_group_size_hint)
    sizes = {"reqd_work_group_size": required, "work_group_size_hint": hint}
    attributes = [f"{name}({size.replace(' ', ',')})" for name, size in sizes.items() if size]
    vector = kernel.attributes.get(VEC_TYPE_HINT)
    attributes += [f"vec_type_hint({vector.data})"] if isinstance(vector, StringAttr) else []
    if REQUIRED_SUB_GROUP_SIZE in kernel.attributes:
        attributes.append(f"intel_reqd_sub_group_size({sub_group_size_of(kernel)})")
    local, private = _memory(kernel, LocalAllocOp), _memory(kernel, AllocaOp)
    words = (" ".join(attributes), required, hint, local, private)
    words += ("non-uniform" if NON_UNIFORM in kernel.attributes else "uniform",)
    words += (most_operations(kernel.body) or 0,)
    words += (" ".join(map(str, best_group(kernel) or ())),)
    words += ("atomics" if atomics else "",)
    lines: list[Line] = [("kernel", kernel.sym_name.data, *words)]
    for name, type, spelling, attributes in zip(
        kernel.param_names,
        kernel.function_type.inputs,
        kernel.param_type_names,
        kernel.param_attrs,
        strict=True,
    ):
        if PARAM_VARIABLES not in attributes:
            found = {q for q in _QUALIFIERS if isinstance(attributes.get(f"ocl.{q}"), UnitAttr)}
            declared = attributes.get(PARAM_TYPEDEF)
            named = declared.data if isinstance(declared, StringAttr) else spelling
            named = named.removeprefix("pipe ")  # which is a qualifier
            lines.append(("argument", *_passed(type, found), named, name))
    return lines


def _memory(kernel: KernelLike, kind: type[AllocaOp | LocalAllocOp]) -> int:
    """The bytes of memory that a kernel declares."""
    pointers = [op.result.type for op in kernel.walk() if isinstance(op, kind)]
    return sum(size_of(type.pointee) for type in pointers if isinstance(type, PtrType))


def _passed(type: Attribute, qualifiers: set[str]) -> tuple[object, ...]:
    """Kind, size, alignment, address space, access and qualifiers of a parameter."""
    match type:
        case ImageType():
            return "i", 8, 8, "global", _ACCESS[type.access.data], ""
        case PipeType():
            return "p", 8, 8, "global", f"{type.access.value}_only", "pipe"
        case SamplerType():
            return "s", 4, 4, "private", "none", ""
        case PtrType():
            space = type.address_space
            if space is AddressSpace.CONSTANT:
                qualifiers = {*qualifiers, "const"}
            words = " ".join(q for q in _QUALIFIERS if q in qualifiers)
            kind = "l" if space is AddressSpace.LOCAL else "g"
            return kind, 8, 8, space.value, "none", words
        case _:
            return "v", size_of(type), align_of(type), "private", "none", ""


def _size(size: DenseArrayBase[I64] | None) -> str:
    return "" if size is None else " ".join(str(number) for number in size.get_values())


def _printf_type(type: Attribute) -> str:
    match type:
        case PtrType():
            return "p"
        case IntegerType():
            return f"i{type.width.data}"
        case VectorType():
            return f"{_printf_type(type.element_type)}x{type.element_count()}"
        case _:
            assert isinstance(type, AnyFloat)
            return f"f{type.bitwidth}"


def read_bundle(artifact: bytes) -> Bundle:
    """The bundle of a program's artifact. Raises PolyclError where it has none."""
    try:
        data = json.loads(zlib.decompress(read_symbol(artifact, "polycl_bundle")))
        units = (
            Unit(unit["source"], tuple(unit["options"]), unit["folder"], unit["files"])
            for unit in data["units"]
        )
        return Bundle(data["type"], tuple(units))
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise PolyclError(
            "this is no program binary of polycl, or it is damaged; build it from source again"
        ) from error
