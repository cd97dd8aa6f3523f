"""A recording -> a module: its commands, arrays and kernels.

Numbers and data may change in the loops around a command (`varying.py`).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    VectorType,
    f16,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import SymbolOpInterface

from polycl.analysis.ocl.module_parts import is_host_function
from polycl.backends.device import LocalMemory
from polycl.dialects import host, ocl
from polycl.dialects.host.images import CHANNEL_TYPES
from polycl.dialects.ocl import AddressSpace, ImageKind, KernelLike, PtrType
from polycl.dialects.ocl.layout import stride_of
from polycl.errors import ArgumentError, PolyclError
from polycl.runtime.host.varying import Blocks, Linear, Table, Value, divided, position

_INDEX = IndexType()
_ELEMENTS: dict[str, Attribute] = {
    **dict.fromkeys(("int8", "uint8", "bool"), i8),
    **dict.fromkeys(("int16", "uint16"), i16),
    **dict.fromkeys(("int32", "uint32"), i32),
    **dict.fromkeys(("int64", "uint64"), i64),
    "float16": f16,
    "float32": f32,
    "float64": f64,
}
SCALARS = frozenset({i8, i16, i32, i64, f16, f32, f64})
"""The types of numbers in a table."""

_Constant = IntegerAttr | FloatAttr | DenseIntOrFPElementsAttr
_FLOATS: dict[Attribute, str] = {f16: "<e", f32: "<f", f64: "<d"}


@dataclass(eq=False)
class HostArray:
    """An argument of the program: the contents of an array at its first use."""

    first: NDArray[Any]
    name: str = ""
    attributes: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])
    """Of the function's argument."""

    @property
    def element(self) -> Attribute:
        return _ELEMENTS.get(self.first.dtype.name, i8)


@dataclass(frozen=True)
class ImageFormat:
    """The kind, the sizes and the pixels of an image: see `host.image`."""

    kind: ImageKind
    sizes: tuple[int, ...]
    order: str
    channel: str


@dataclass(eq=False)
class RecordedBuffer:
    nbytes: int
    name: str = ""
    elements: dict[Attribute, None] = field(default_factory=dict)
    """The element type of the kernels' parameters."""

    granularity: int = 0
    """Divides the offsets and sizes of the transfers, in bytes; 0: there are none."""

    parent: RecordedBuffer | None = None
    """Of which this is a part, from the byte `offset` on."""

    offset: int = 0
    image: ImageFormat | None = None
    """What it is if it is an image."""

    @property
    def element(self) -> Attribute:
        if self.image is not None:
            return CHANNEL_TYPES[self.image.channel][1]
        if self.parent is not None:
            return self.parent.element
        if len(self.elements) != 1:
            return i8
        (element,) = self.elements
        granularity = math.gcd(self.nbytes, self.granularity)
        return element if granularity % stride_of(element) == 0 else i8


@dataclass(frozen=True, eq=False)
class Transfer:
    """A transfer; offsets are in bytes."""

    source: HostArray | RecordedBuffer | Blocks
    target: HostArray | RecordedBuffer | Blocks
    nbytes: Value
    source_offset: Value = 0
    target_offset: Value = 0


@dataclass(frozen=True, eq=False)
class Fill:
    target: RecordedBuffer
    pattern: bytes
    offset: Value
    nbytes: Value


@dataclass(frozen=True)
class Scalar:
    """The bits of a number, of which integers have a sign."""

    value: Value


LaunchArgument = RecordedBuffer | LocalMemory | bytes | Scalar | None
"""None is for a pointer that is NULL, bytes for a structure."""


@dataclass(frozen=True, eq=False)
class Launch:
    kernel: KernelLike
    arguments: Sequence[LaunchArgument]
    global_size: Sequence[Value]
    local_size: Sequence[Value] | None
    global_offset: Sequence[Value]
    work_dim: int


@dataclass(frozen=True, eq=False)
class Loop:
    """Commands that are repeated."""

    count: Value
    body: Sequence[Command]


Command = Transfer | Fill | Launch | Loop


def note_types(launch: Launch) -> None:
    """Set the element types and names of a launch's buffers from the kernel's parameters."""
    kernel = launch.kernel
    for name, type, argument in zip(
        kernel.param_names, kernel.function_type.inputs.data, launch.arguments, strict=True
    ):
        if isinstance(argument, RecordedBuffer):
            if isinstance(type, PtrType):
                (argument.parent or argument).elements[type.pointee] = None
            argument.name = argument.name or f"d_{name}"


def name_arrays(commands: Sequence[Command], arrays: Sequence[HostArray]) -> None:
    """Arrays have the names of their parameters, as in h_x."""
    for command in commands:
        if isinstance(command, Transfer):
            for array, other in (
                (command.source, command.target),
                (command.target, command.source),
            ):
                if isinstance(array, HostArray) and isinstance(other, RecordedBuffer):
                    array.name = array.name or "h" + other.name[1:]
    taken: set[str] = set()
    for array in arrays:
        array.name = array.name or "h"
        while array.name in taken:
            # Without a number: xDSL's printer uses numbers at the end of names as suffixes.
            array.name += "_next"
        taken.add(array.name)


def build(
    name: str,
    commands: Sequence[Command],
    arrays: Sequence[HostArray],
    tables: Mapping[Table, HostArray] = MappingProxyType({}),
) -> ModuleOp:
    """The module of recorded commands, whose function `name` takes the arrays; `tables` are those
    that hold tables.

    Raises:
        PolyclError: two kernels of one name, or an argument that has no constant.
    """
    return _Builder(name, arrays, tables).build(commands)


class _Builder:
    def __init__(self, name: str, arrays: Sequence[HostArray], tables: Mapping[Table, HostArray]):
        self.name = name
        self.arrays = arrays
        self.tables = tables
        self.block = self.entry = Block()
        self.iterations: list[SSAValue] = []
        """Of the loops around the present command, the innermost last."""
        self.values: dict[object, SSAValue] = {}
        self._constants: dict[tuple[str, Attribute], SSAValue] = {}
        self._kernels: dict[str, Operation] = {}

    def build(self, commands: Sequence[Command]) -> ModuleOp:
        self._add_kernels(commands)
        for array in self.arrays:
            type = MemRefType(array.element, [DYNAMIC_INDEX])
            argument = self.block.insert_arg(type, len(self.block.args))
            argument.name_hint = array.name
            self.values[array] = argument
        self._commands(commands)
        self.block.add_op(func.ReturnOp())
        types = [argument.type for argument in self.block.args]
        name = self.name
        while name in self._kernels:
            name += "_host"
        attributes = [DictionaryAttr(dict(array.attributes)) for array in self.arrays]
        known = ArrayAttr(attributes) if any(array.attributes for array in self.arrays) else None
        function = func.FuncOp(name, (types, []), Region(self.block), arg_attrs=known)
        return ModuleOp([*self._kernels.values(), function])

    def _add_kernels(self, commands: Sequence[Command]) -> None:
        for command in commands:
            if isinstance(command, Launch):
                self._add_kernel(command.kernel)
            elif isinstance(command, Loop):
                self._add_kernels(command.body)

    def _commands(self, commands: Sequence[Command]) -> None:
        for command in commands:
            match command:
                case Transfer():
                    self._transfer(command)
                case Fill():
                    self._fill(command)
                case Launch():
                    self._launch(command)
                case Loop():
                    self._loop(command)

    def _loop(self, loop: Loop) -> None:
        start, step, count = self._number(0), self._number(1), self._number(loop.count)
        outside, self.block = self.block, Block(arg_types=[_INDEX])
        self.block.args[0].name_hint = "t"
        self.iterations.append(self.block.args[0])
        self._commands(loop.body)
        self.iterations.pop()
        self.block.add_op(scf.YieldOp())
        body, self.block = self.block, outside
        self.block.add_op(scf.ForOp(start, count, step, [], Region(body)))

    def _add_kernel(self, kernel: KernelLike) -> None:
        """The kernel, with the other operations of its module."""
        module = kernel.parent_op()
        assert isinstance(module, ModuleOp)
        for op in module.body.block.ops:
            trait = op.get_trait(SymbolOpInterface)
            symbol = None if trait is None else trait.get_sym_attr_name(op)
            if symbol is None or isinstance(op, func.FuncOp) and is_host_function(op):
                continue
            known = self._kernels.get(symbol.data)
            if known is None:
                self._kernels[symbol.data] = op.clone()
            elif not known.is_structurally_equivalent(op):
                raise PolyclError(
                    f"two programs have a '{symbol.data}' each; record them one by one, or "
                    "rename one"
                )

    def _first(self, op: Operation) -> SSAValue:
        self.entry.add_op(op)
        return op.results[0]

    def _add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def _number(self, value: Value) -> SSAValue:
        match value:
            case int():
                name = f"c{value}".replace("-", "m")
                return self._constant(IntegerAttr(value, _INDEX), name)
            case Linear(distance, start, step):
                number = self.iterations[-1 - distance]
                if step != 1:
                    number = self._add(arith.MuliOp(number, self._number(step)))
                return (
                    number if start == 0 else self._add(arith.AddiOp(self._number(start), number))
                )
            case Table():
                return self._add(arith.IndexCastOp(self._entry(value), _INDEX))

    def _entry(self, table: Table) -> SSAValue:
        place = self._number(position(table.distances, table.shape))
        return self._add(memref.LoadOp.get(self.values[self.tables[table]], [place]))

    def _constant(self, value: _Constant, name: str = "") -> SSAValue:
        # -0.0 and 0.0 are equal in Python, but not as text.
        key = (str(value), value)
        if key not in self._constants:
            # Before the loops around the present command.
            self._constants[key] = self._first(arith.ConstantOp(value))
            self._constants[key].name_hint = name or None
        return self._constants[key]

    def _buffer(self, buffer: RecordedBuffer) -> SSAValue:
        if buffer in self.values:
            return self.values[buffer]
        if buffer.parent is not None:
            sizes = (self._number(buffer.offset), self._number(buffer.nbytes))
            parent = self._buffer(buffer.parent)
            op = host.OpaqueOp("clCreateSubBuffer", [parent, *sizes], [parent.type])
            self.values[buffer] = self._first(op)
        elif (image := buffer.image) is not None:
            op = host.ImageOp(image.kind, image.sizes, image.order, image.channel)
            self.values[buffer] = self._first(op)
        else:
            count = self._number(buffer.nbytes // stride_of(buffer.element))
            self.values[buffer] = self._first(host.BufferOp(count, buffer.element))
        self.values[buffer].name_hint = buffer.name or "d"
        return self.values[buffer]

    def _side(self, side: HostArray | RecordedBuffer | Blocks) -> SSAValue:
        return self._buffer(side) if isinstance(side, RecordedBuffer) else self.values[side]

    def _elements(self, nbytes: Value, element: Attribute) -> SSAValue | None:
        """Bytes as elements; None for no bytes."""
        count = divided(nbytes, stride_of(element))
        if count is None:
            raise PolyclError(f"{nbytes} bytes are not a whole number of elements of {element}")
        return None if count == 0 else self._number(count)

    def _transfer(self, command: Transfer) -> None:
        source, target = command.source, command.target
        a, b = self._side(source), self._side(target)
        buffer = target if isinstance(target, RecordedBuffer) else source
        assert isinstance(buffer, RecordedBuffer)
        assert not isinstance(source, Blocks) and not isinstance(target, Blocks)
        is_whole = command.nbytes == buffer.nbytes
        kind = (
            host.WriteOp
            if isinstance(source, HostArray)
            else host.ReadOp
            if isinstance(target, HostArray)
            else host.CopyOp
        )
        self.block.add_op(
            kind(
                a,
                b,
                source_offset=self._elements(command.source_offset, source.element),
                target_offset=self._elements(command.target_offset, target.element),
                count=None if is_whole else self._elements(command.nbytes, buffer.element),
            )
        )

    def _fill(self, command: Fill) -> None:
        target = self._buffer(command.target)
        element = command.target.element
        if len(command.pattern) != stride_of(element):
            raise PolyclError(
                f"a buffer of {element} is filled with a pattern of {len(command.pattern)} bytes"
            )
        is_whole = command.nbytes == command.target.nbytes
        self.block.add_op(
            host.FillOp(
                target,
                self._value(command.pattern, element),
                offset=self._elements(command.offset, element),
                count=None if is_whole else self._elements(command.nbytes, element),
            )
        )

    def _launch(self, command: Launch) -> None:
        rank, kernel = command.work_dim, command.kernel
        arguments: list[SSAValue] = []
        for name, type, argument in zip(
            kernel.param_names, kernel.function_type.inputs.data, command.arguments, strict=True
        ):
            match argument:
                case RecordedBuffer():
                    arguments.append(self._buffer(argument))
                case LocalMemory():
                    size = self._number(argument.nbytes)
                    arguments.append(self._add(host.LocalMemoryOp(size)))
                case Scalar(value):
                    arguments.append(self._scalar(value, type))
                case None if isinstance(type, PtrType):
                    arguments.append(self._null(type.pointee))
                case bytes() if isinstance(type, ocl.StructType | ocl.UnionType | ocl.SamplerType):
                    arguments.append(self._structure(argument, type))
                case _:
                    if argument is None or isinstance(type, PtrType):
                        raise ArgumentError(
                            f"kernel '{kernel.sym_name.data}', parameter '{name}': an argument of "
                            f"type {type} cannot be recorded"
                        )
                    arguments.append(self._value(argument, type))
        local = command.local_size
        offset = command.global_offset[:rank]
        self.block.add_op(
            host.LaunchOp(
                kernel.sym_name.data,
                [self._number(n) for n in command.global_size[:rank]],
                [] if local is None else [self._number(n) for n in local[:rank]],
                arguments,
                global_offset=[self._number(n) for n in offset] if any(offset) else [],
            )
        )

    def _structure(self, data: bytes, type: Attribute) -> SSAValue:
        """A constant structure or sampler, before the loops around the present command."""
        key = data, type
        if key not in self.values:
            self.values[key] = self._first(host.BytesOp(data, type))
        return self.values[key]

    def _null(self, element: Attribute) -> SSAValue:
        """No buffer, before the loops around the present command."""
        key = host.NullOp, element
        if key not in self.values:
            self.values[key] = self._first(host.NullOp(element))
        return self.values[key]

    def _scalar(self, value: Value, type: Attribute) -> SSAValue:
        """A number whose bits are an integer, or vary."""
        if isinstance(value, int):
            size = stride_of(type)
            return self._value((value % (1 << 8 * size)).to_bytes(size, "little"), type)
        if isinstance(value, Table) and value.type == type:
            return self._entry(value)
        return self._add(arith.IndexCastOp(self._number(value), type))

    def _value(self, data: bytes, type: Attribute) -> SSAValue:
        """A constant from its bytes."""
        if isinstance(type, VectorType):
            step = stride_of(type.element_type)
            count = type.element_count()
            numbers = [
                _number_of(data[i * step : (i + 1) * step], type.element_type) for i in range(count)
            ]
            return self._constant(DenseIntOrFPElementsAttr.from_list(type, numbers))
        number = _number_of(data, type)
        if isinstance(type, IntegerType):
            return self._constant(
                IntegerAttr(int(number), type), f"c{int(number)}".replace("-", "m")
            )
        assert type in _FLOATS
        return self._constant(FloatAttr(number, type))  # pyright: ignore


def _number_of(data: bytes, type: Attribute) -> int | float:
    if isinstance(type, IntegerType):
        return int.from_bytes(data[: type.width.data // 8], "little", signed=True)
    return struct.unpack(_FLOATS[type], data[: struct.calcsize(_FLOATS[type])])[0]


def is_written(kernel: KernelLike, index: int) -> bool:
    """Whether a kernel may write through a parameter."""
    type = kernel.function_type.inputs.data[index]
    is_constant = isinstance(type, PtrType) and type.address_space is AddressSpace.CONSTANT
    attributes: Mapping[str, Attribute] = kernel.param_attrs[index]
    return not is_constant and "ocl.const" not in attributes


def contents(array: NDArray[Any]) -> NDArray[np.uint8]:
    """A copy of an array's bytes."""
    return np.frombuffer(array.tobytes(), np.uint8)
