"""What the OpenCL driver wrote for POLYCL_RECORD -> a module of host and kernels.

`runtime/icd/record.c` documents the log. Buffers that are released and made again share one buffer
of the module if they have the same size and element types, so that iterations that make their
buffers anew look the same. A buffer without initial data is filled with zeros where the program
does not overwrite it first, as the driver does while it records.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from keyword import iskeyword
from math import gcd
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, StringAttr, VectorType
from xdsl.ir import Attribute, Operation

from polycl.backends.device import LocalMemory
from polycl.diagnostics import verify_module
from polycl.dialects.host.images import CHANNEL_ORDERS, CHANNEL_TYPES
from polycl.dialects.host.recorded import DATA, EXPECTED
from polycl.dialects.ocl import ImageKind, KernelOp, PtrType
from polycl.dialects.ocl.layout import stride_of
from polycl.errors import PolyclError, SourceError
from polycl.lowering.host.coarsening.coarse_dependence import sees_groups
from polycl.runtime.host.fold_commands import folded
from polycl.runtime.host.recorded import (
    SCALARS,
    Command,
    Fill,
    HostArray,
    ImageFormat,
    Launch,
    LaunchArgument,
    Loop,
    RecordedBuffer,
    Scalar,
    Transfer,
    build,
    note_types,
)
from polycl.runtime.host.recorded_data import numpy_type
from polycl.runtime.host.rename_apart import letters, rename_apart
from polycl.runtime.host.varying import Blocks, Linear, Table, Value
from polycl.runtime.icd.artifact import read_bundle
from polycl.runtime.icd.requests import import_units

REASONS = {
    "i": "an image in a buffer or another image",
    "p": "a pipe",
    "a": "shared virtual memory",
}
"""What an argument of a launch is that is not recorded, by its letter."""


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a log. Raises PolyclError where it cannot be read, or one is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PolyclError(f"{path}: cannot be read: {error}") from error
    # What follows the last line break was being written when the program ended.
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            yield json.loads(line)
        except ValueError as error:
            raise SourceError("expected a line of a recording", str(path), number, 1) from error


def refused_command(type: int) -> str:
    """Why a command is not recorded."""
    return (
        f"the command of type {type:#x} (CL/cl.h) cannot be recorded: images in other memory, "
        "pipes, shared virtual memory and native kernels have no form in the host dialect"
    )


_IMAGE_KINDS = {
    0x10F1: ImageKind.IMAGE2D,
    0x10F2: ImageKind.IMAGE3D,
    0x10F3: ImageKind.IMAGE2D_ARRAY,
    0x10F4: ImageKind.IMAGE1D,
    0x10F5: ImageKind.IMAGE1D_ARRAY,
}
_DEPTH_KINDS = {
    ImageKind.IMAGE2D: ImageKind.IMAGE2D_DEPTH,
    ImageKind.IMAGE2D_ARRAY: ImageKind.IMAGE2D_ARRAY_DEPTH,
}


def image_format(line: Mapping[str, Any]) -> ImageFormat:
    """The format of the image that a line is about. Raises PolyclError if it has no form."""
    kind = _IMAGE_KINDS.get(line["type"])
    order = next((name for name, (n, _) in CHANNEL_ORDERS.items() if n == line["order"]), None)
    channel = next((name for name, (n, _) in CHANNEL_TYPES.items() if n == line["channel"]), None)
    if kind is None or order is None or channel is None:
        raise PolyclError(
            f"an image of the order {line['order']:#x} and type {line['channel']:#x} (CL/cl.h) "
            "cannot be recorded: the host dialect has the orders "
            f"{', '.join(CHANNEL_ORDERS)} and the types {', '.join(CHANNEL_TYPES)}"
        )
    count = kind.coordinates - (kind.coordinates == 4)
    kind = _DEPTH_KINDS[kind] if order == "depth" else kind
    return ImageFormat(kind, tuple(line["sizes"][:count]), order, channel)


def read_log(path: Path, fold: bool = True) -> ModuleOp:
    """The module of a recorded run. Its data stay in the folder, where more may be written.

    Raises:
        PolyclError: the log cannot be read, or at its line: the program did what has no form in
            the `host` dialect.
    """
    return _Log(path).module(fold)


_TAKEN = frozenset(
    """
    auto bool break case char const continue default do double else enum extern false float for goto
    if inline int long main register restrict return short signed sizeof static struct switch true
    typedef union unsigned void volatile while abs acos asin atan ceil clock cos div erf exit exp
    fabs floor fma fmax fmin free hypot index j0 j1 jn log malloc pow printf puts rand random read
    remove rename rint round select sin sinh sleep sqrt system tan time trunc wait write y0 y1 yn
    """.split()
)
"""Words of C, and functions of its library, whose names programs may have."""


def _is_taken(name: str) -> bool:
    """Whether a written program, in C or Python, cannot have a function of this name."""
    return not name.isidentifier() or iskeyword(name) or name in _TAKEN


@dataclass(eq=False)
class _Known:
    """A buffer of the program."""

    info: dict[str, Any]
    elements: dict[Attribute, None] = field(default_factory=dict)
    granularity: int = 0
    buffer: RecordedBuffer | None = None
    is_defined: bool = False


class _Log:
    def __init__(self, path: Path):
        self.path = path
        self.lines = [line for line in read_lines(path) if line.get("op")]
        self.buffers: dict[int, _Known] = {}
        self.programs: dict[int, dict[str, KernelOp]] = {}
        self.symbols: dict[str, Operation] = {}
        self.free: dict[Any, list[RecordedBuffer]] = {}
        self.parts: dict[tuple[RecordedBuffer, int, int], RecordedBuffer] = {}
        self.arrays: dict[Any, HostArray] = {}
        self.tables: dict[Table, HostArray] = {}
        self._number = 0
        self._names: set[str] = set()

    def module(self, fold: bool) -> ModuleOp:
        for number, line in enumerate(self.lines, 1):
            self._number = number
            self._scan(line)
        commands: list[Command] = []
        for number, line in enumerate(self.lines, 1):
            self._number = number
            commands += self._commands(line)
        if not commands:
            raise PolyclError(f"{self.path}: no command is recorded in it")
        commands = self._with_arrays(folded(commands) if fold else commands)
        name = re.sub(r"\W", "_", self.path.stem)
        name = f"run_{name}" if _is_taken(name) else name
        module = build(name, commands, list(self.arrays.values()), self.tables)
        verify_module(module)
        return module

    def _error(self, message: str) -> SourceError:
        return SourceError(message, str(self.path), self._number, 1)

    # ------------------------------------------------------------------ what buffers are used for

    def _scan(self, line: dict[str, Any]) -> None:
        match line["op"]:
            case "buffer" | "image":
                self.buffers[line["id"]] = _Known(line)
            case "program":
                self.programs[line["id"]] = self._kernels(line["file"])
            case "read" | "write":
                self._note(line["buffer"], line["offset"], line["row"], line["slice"])
                self._note(line["buffer"], line["region"][0])
            case "fill":
                self._note(line["buffer"], line["offset"], line["size"])
            case "copy":
                for side in ("from", "to"):
                    self._note(line[side], *(line[f"{side}_{w}"] for w in ("offset", "row")))
                    self._note(line[side], line[f"{side}_slice"], line["region"][0])
            case "launch":
                self._scan_launch(line)
            case _:
                pass

    def _note(self, buffer: int, *numbers: int) -> None:
        known = self.buffers[buffer]
        known.granularity = gcd(known.granularity, *numbers)

    def _scan_launch(self, line: dict[str, Any]) -> None:
        kernel = self._kernel(line)
        types = kernel.function_type.inputs.data
        for argument, type in zip(line["arguments"], types, strict=False):
            if argument.startswith("b") and isinstance(type, PtrType):
                known = self.buffers[int(argument[1:])]
                info = known.info
                if "parent" in info:
                    self._note(info["parent"], info["offset"], info["size"])
                    known = self.buffers[info["parent"]]
                known.elements[type.pointee] = None

    def _kernels(self, file: str) -> dict[str, KernelOp]:
        try:
            artifact = (self.path.parent / file).read_bytes()
        except OSError as error:
            raise self._error(f"the program's file cannot be read: {error}") from error
        module = import_units(read_bundle(artifact).units)
        kernels = {op.sym_name.data: op for op in module.ops if isinstance(op, KernelOp)}
        rename_apart(module, self.symbols)
        return kernels

    def _kernel(self, line: dict[str, Any]) -> KernelOp:
        return self.programs[line["program"]][line["kernel"]]

    # ------------------------------------------------------------------------------- commands

    def _commands(self, line: dict[str, Any]) -> Sequence[Command]:
        match line["op"]:
            case "buffer" | "image":
                return self._new_buffer(line)
            case "release":
                self._release(self.buffers[line["id"]])
                return []
            case "read" | "write":
                return self._host_transfer(line)
            case "copy":
                return self._copy(line)
            case "fill":
                return self._fill(line)
            case "launch":
                return self._launch(line)
            case "refused":
                raise self._error(refused_command(line["command"]))
            case _:
                return []

    def _new_buffer(self, line: dict[str, Any]) -> list[Command]:
        known = self.buffers[line["id"]]
        if "parent" in line:
            parent = self.buffers[line["parent"]].buffer
            assert parent is not None
            key = parent, line["offset"], line["size"]
            if key not in self.parts:
                self.parts[key] = RecordedBuffer(line["size"], parent=parent, offset=line["offset"])
            known.buffer = self.parts[key]
            known.is_defined = True
            return []
        free = self.free.setdefault(self._slot(known), [])
        # The first one: iterations use the same buffers for the same things.
        known.buffer = (
            free.pop(0)
            if free
            else RecordedBuffer(
                line["size"], elements=dict(known.elements), image=self._image(line)
            )
        )
        known.buffer.granularity = gcd(known.buffer.granularity, known.granularity)
        if "data" not in line:
            return []
        known.is_defined = True
        return [Transfer(Blocks(line["size"], (line["data"],)), known.buffer, line["size"])]

    def _image(self, line: dict[str, Any]) -> ImageFormat | None:
        if line["op"] != "image":
            return None
        try:
            return image_format(line)
        except PolyclError as error:
            raise self._error(str(error)) from None

    def _slot(self, known: _Known) -> Any:
        info = known.info
        format = [info.get(key) for key in ("type", "sizes", "order", "channel")]
        return info["size"], str(format), tuple(sorted(map(str, known.elements)))

    def _release(self, known: _Known) -> None:
        if known.buffer is not None and known.buffer.parent is None:
            free = self.free.setdefault(self._slot(known), [])
            free.append(known.buffer)
        known.buffer = None

    def _used(self, id: int, overwrites: bool = False) -> tuple[RecordedBuffer, list[Command]]:
        """A buffer, and what defines it before its first use."""
        known = self.buffers[id]
        buffer = known.buffer
        if buffer is None:
            raise self._error("the buffer was released before this command")
        defines: list[Command] = []
        if not known.is_defined and not overwrites:
            defines.append(self._filled(buffer, bytes(1), 0, buffer.nbytes))
        known.is_defined = True
        return buffer, defines

    def _host_transfer(self, line: dict[str, Any]) -> list[Command]:
        width, height, depth = line["region"]
        size = width * height * depth
        whole = size == self.buffers[line["buffer"]].info["size"]
        is_write = line["op"] == "write"
        buffer, commands = self._used(line["buffer"], overwrites=is_write and whole)
        data = Blocks(size, (line["data"],))
        offset = line["offset"]
        if line["row"] == width and line["slice"] == width * height:
            width, height, depth = size, 1, 1
        place = _in_rows(offset, line["row"], line["slice"], height, depth)
        row = _in_rows(0, width, width * height, height, depth)
        transfer = (
            Transfer(data, buffer, width, row, place)
            if is_write
            else Transfer(buffer, data, width, place, row)
        )
        return [*commands, _for_rows(transfer, height, depth)]

    def _copy(self, line: dict[str, Any]) -> list[Command]:
        width, height, depth = line["region"]
        size = width * height * depth
        source, commands = self._used(line["from"])
        whole = size == self.buffers[line["to"]].info["size"]
        target, defines = self._used(line["to"], overwrites=whole)
        commands += defines
        dense = all(
            line[f"{side}_row"] == width and line[f"{side}_slice"] == width * height
            for side in ("from", "to")
        )
        if dense:
            width, height, depth = size, 1, 1
        start, end = (
            _in_rows(line[f"{s}_offset"], line[f"{s}_row"], line[f"{s}_slice"], height, depth)
            for s in ("from", "to")
        )
        return [*commands, _for_rows(Transfer(source, target, width, start, end), height, depth)]

    def _fill(self, line: dict[str, Any]) -> list[Command]:
        whole = line["size"] == self.buffers[line["buffer"]].info["size"]
        buffer, commands = self._used(line["buffer"], overwrites=whole)
        pattern = bytes.fromhex(line["pattern"])
        return [*commands, self._filled(buffer, pattern, line["offset"], line["size"])]

    def _filled(
        self, buffer: RecordedBuffer, pattern: bytes, offset: int, nbytes: int
    ) -> Fill | Transfer:
        """A fill with whole elements; else a transfer of the same bytes."""
        stride = stride_of(buffer.element)
        # The shortest pattern of which this one consists.
        period = next(n for n in range(1, len(pattern) + 1) if _has_period(pattern, n))
        if buffer.element in SCALARS and stride % period == 0:
            return Fill(buffer, pattern[:period] * (stride // period), offset, nbytes)
        name = self._file(np.frombuffer(pattern * (nbytes // len(pattern)), np.uint8))
        return Transfer(Blocks(nbytes, (name,)), buffer, nbytes, 0, offset)

    def _launch(self, line: dict[str, Any]) -> list[Command]:
        kernel = self._kernel(line)
        commands: list[Command] = []
        arguments: list[LaunchArgument] = []
        for name, type, text in zip(
            kernel.param_names, kernel.function_type.inputs.data, line["arguments"], strict=False
        ):
            match text[:1]:
                case "b" | "i" if len(text) > 1:
                    buffer, defines = self._used(int(text[1:]))
                    arguments.append(buffer)
                    commands += defines
                case "l":
                    arguments.append(LocalMemory(int(text[1:])))
                case "v" if type in SCALARS or isinstance(type, VectorType):
                    signed = isinstance(type, IntegerType)
                    data = bytes.fromhex(text[1:])
                    arguments.append(Scalar(int.from_bytes(data, "little", signed=signed)))
                case "v" | "s":
                    arguments.append(bytes.fromhex(text[1:]))
                case "n":
                    arguments.append(None)
                case kind:
                    raise self._error(
                        f"kernel '{line['kernel']}', parameter '{name}': {REASONS[kind]} cannot "
                        "be recorded"
                    )
        launch = Launch(
            kernel,
            arguments,
            line["global"],
            self._local_size(line, kernel),
            line.get("offset", [0] * len(line["global"])),
            len(line["global"]),
        )
        note_types(launch)
        return [*commands, launch]

    def _local_size(self, line: dict[str, Any], kernel: KernelOp) -> list[int] | None:
        """The local size; what the driver chose, if the kernel sees its groups."""
        sizes = line["global"]
        local = line.get("local")
        if local is None and any(sees_groups(kernel, d) for d in range(3)):
            local = line["chosen"]
        if local is None or not any(n % m for n, m in zip(sizes, local, strict=True)):
            return local
        if any(sees_groups(kernel, d) for d in range(3)):
            raise self._error(
                f"kernel '{line['kernel']}': a global size, {sizes}, that is no multiple of the "
                f"local size, {local}, cannot be recorded"
            )
        return None

    # ---------------------------------------------------------------------------------- data

    def _with_arrays(self, commands: Sequence[Command]) -> list[Command]:
        """Commands whose data are arguments of the program."""
        found: list[Command] = []
        for command in commands:
            match command:
                case Loop(count, body):
                    self._add_tables(count)
                    found.append(Loop(count, self._with_arrays(body)))
                case Transfer(source, target, nbytes, start, end):
                    self._add_tables(nbytes, start, end)
                    if isinstance(source, Blocks):
                        assert isinstance(target, RecordedBuffer)
                        start = self._place(source, start)
                        source = self._array(source, target, DATA)
                    if isinstance(target, Blocks):
                        assert isinstance(source, RecordedBuffer)
                        end = self._place(target, end)
                        target = self._array(target, source, EXPECTED)
                    found.append(Transfer(source, target, nbytes, start, end))
                case Fill():
                    self._add_tables(command.offset, command.nbytes)
                    found.append(command)
                case Launch():
                    values = [a.value for a in command.arguments if isinstance(a, Scalar)]
                    sizes = (*command.global_size, *(command.local_size or ()))
                    self._add_tables(*values, *sizes, *command.global_offset)
                    found.append(command)
        return found

    @staticmethod
    def _place(data: Blocks, offset: Value) -> Value:
        """The offset in all the data of a transfer."""
        place = data.offset
        if place == 0:
            return offset
        # The innermost part of a place is a constant.
        return _plus(place, offset)

    def _array(self, data: Blocks, buffer: RecordedBuffer, kind: str) -> HostArray:
        dtype = numpy_type(buffer.element)
        # Each read has its own array, which is compared at the end.
        key = data.files, dtype, kind if kind == DATA else len(self.arrays)
        if key not in self.arrays:
            file = data.files[0]
            if len(data.files) > 1:
                parts = [self._load(name) for name in data.files]
                file = self._file(np.concatenate(parts))
            stem = ("h" if kind == DATA else "r") + (buffer.name or "d")[1:]
            self.arrays[key] = HostArray(
                np.empty(0, dtype), self._name(stem), {kind: StringAttr(f"{file}.npy")}
            )
        return self.arrays[key]

    def _add_tables(self, *values: Value) -> None:
        for value in values:
            match value:
                case Linear(_, start, step):
                    self._add_tables(start, step)
                case Table() if value not in self.tables:
                    self._add_table(value)
                case _:
                    pass

    def _add_table(self, table: Table) -> None:
        is_index = isinstance(table.type, IndexType)
        dtype = np.dtype("i8" if is_index else numpy_type(table.type))
        bits = np.array(table.values, np.int64)
        if not is_index:
            bits = bits.astype(f"u{dtype.itemsize}")
        array = HostArray(
            np.empty(0, dtype),
            self._name("numbers"),
            {DATA: StringAttr(f"{self._file(bits.view(np.uint8))}.npy")},
        )
        self.tables[table] = self.arrays[table] = array

    def _load(self, name: str) -> Any:
        try:
            return np.load(self.path.parent / f"{name}.npy", mmap_mode="r")
        except (OSError, ValueError) as error:
            raise PolyclError(f"{self.path}: its data cannot be read: {error}") from error

    def _file(self, data: Any) -> str:
        """Keep data in a file; returns its name."""
        name = sha256(data.tobytes()).hexdigest()[:32]
        file = self.path.parent / f"{name}.npy"
        if not file.exists():
            np.save(file, data)
        return name

    def _name(self, stem: str) -> str:
        """A new name, without a number at its end: xDSL's printer takes such as suffixes."""
        name, number = stem, 1
        while name in self._names:
            number += 1
            name = f"{stem}_{letters(number)}"
        self._names.add(name)
        return name


def _in_rows(start: int, row: int, slice: int, height: int, depth: int) -> Value:
    """The place of a row in the loops of `_for_rows`."""
    place: Value = start
    if depth > 1:
        place = Linear(int(height > 1), place, slice)
    return Linear(0, place, row) if height > 1 else place


def _for_rows(transfer: Transfer, height: int, depth: int) -> Command:
    command: Command = transfer
    for count in (height, depth):
        command = Loop(count, [command]) if count > 1 else command
    return command


def _plus(place: Value, offset: Value) -> Value:
    assert isinstance(place, Linear)
    if place.start == 0:
        return Linear(place.distance, offset, place.step)
    return Linear(place.distance, _plus(place.start, offset), place.step)


def _has_period(pattern: bytes, length: int) -> bool:
    return len(pattern) % length == 0 and pattern == pattern[:length] * (len(pattern) // length)
