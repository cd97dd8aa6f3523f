"""The texts of a module on its levels, as lines that know the source line they come from."""

from __future__ import annotations

import os
import re
from io import StringIO
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from polycl.backends.mlir_printer import MLIRPrinter
from polycl.errors import location_of


class Line(NamedTuple):
    """A line of a level's text."""

    text: str
    source: int
    """The line of the source, from 1; 0 where it is unknown, or in another file."""


def module_lines(module: ModuleOp, file: str) -> list[Line]:
    """The text of `module`, as `ocl-opt` prints it, with its lines of the source `file`."""
    stream = _CountingStream()
    printer = _PlacePrinter(stream, file)
    printer.print_op(module)
    texts = stream.getvalue().split("\n")
    return [Line(text, printer.places.get(i, 0)) for i, text in enumerate(texts)]


class _CountingStream(StringIO):
    line = 0

    def write(self, text: str, /) -> int:
        self.line += text.count("\n")
        return super().write(text)


class _PlacePrinter(MLIRPrinter):
    """Notes the source line of each line. One without an operation of its own, such as `} else {`,
    belongs to the operation around it."""

    def __init__(self, stream: _CountingStream, file: str):
        super().__init__(stream)
        self.places: dict[int, int] = {}
        self._lines = stream
        self._file = file

    def print_op(self, op: Operation) -> None:
        first = self._lines.line
        location = location_of(op)
        source = location[1] if location is not None and location[0] == self._file else 0
        self.places.setdefault(first, source)
        super().print_op(op)
        for line in range(first + 1, self._lines.line + 1):
            self.places.setdefault(line, source)


_METADATA = re.compile(r"^!(\d+) = (?:distinct )?!(\w+)\((.*)\)$", re.M)
_DEBUG = re.compile(r",? !dbg !(\d+)")


def llvm_lines(text: str, file: str) -> list[Line]:
    """LLVM IR with debug information, which is read and left out."""
    nodes = {number: (kind, fields) for number, kind, fields in _METADATA.findall(text)}

    def field(number: str, name: str) -> str:
        found = re.search(rf"\b{name}: !?(\"[^\"]*\"|\w+)", nodes[number][1])
        return "" if found is None else found[1].strip('"')

    def source(number: str) -> int:
        if nodes.get(number, ("", ""))[0] not in ("DILocation", "DISubprogram"):
            return 0
        scope = field(number, "scope") if nodes[number][0] == "DILocation" else number
        name = field(field(scope, "file"), "filename")
        return int(field(number, "line")) if name == file else 0

    lines: list[Line] = []
    for line in text.split("\n"):
        # What follows describes the debug information.
        if line.startswith("!llvm.dbg.cu"):
            break
        debug = _DEBUG.search(line)
        lines.append(Line(_DEBUG.sub("", line), 0 if debug is None else source(debug[1])))
    return lines


_PLACE = re.compile(r"\s*\.loc\s+(\d+) (\d+)")
_FILE = re.compile(r'\s*\.file\s+(\d+) (?:"([^"]*)" )?"([^"]*)"')
_NO_CODE = re.compile(r"\s*\.(cfi_|file\b)|\.L(tmp|func_begin|func_end)\d+:$")


def assembly_lines(text: str, file: str) -> list[Line]:
    """Assembly with debug information, which is read and left out."""
    lines: list[Line] = []
    source, files = 0, set[str]()
    for line in text.split("\n"):
        # What follows describes the debug information.
        if re.match(r"\s*\.section\s+\.debug_", line):
            break
        if (place := _PLACE.match(line)) is not None:
            source = int(place[2]) if place[1] in files else 0
        elif (named := _FILE.match(line)) is not None:
            if os.path.abspath(os.path.join(named[2] or "", named[3])) == os.path.abspath(file):
                files.add(named[1])
        elif not _NO_CODE.match(line):
            is_code = line.startswith("\t") and not line.startswith("\t.")
            lines.append(Line(line, source if is_code else 0))
    return lines
