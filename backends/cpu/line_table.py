"""The source lines of machine code, from the debug information of an object file."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import Any

from polycl.backends.cpu.elf import has_debug_info
from polycl.errors import PolyclError


@dataclass(frozen=True)
class LineTable:
    """The lines of the code of a kernel and of the functions that it calls."""

    kernel: int
    """The offset of the kernel in the code."""
    size: int
    """The bytes of the code."""
    rows: list[tuple[int, str, int]]
    """From which offset on code belongs to a file and line; line 0 is none of the source."""


def line_table(code: bytes, kernel: str) -> LineTable:
    """The lines of an object file with the function `kernel`.

    Raises:
        PolyclError: pyelftools is missing.
    """
    try:
        from elftools.elf.elffile import ELFFile
    except ImportError as error:
        raise PolyclError(
            "the line table of machine code needs pyelftools: pip install 'polycl[annotate]'"
        ) from error
    elf = ELFFile(io.BytesIO(code))
    text: Any = elf.get_section_by_name(".text")
    table: Any = elf.get_section_by_name(".symtab")
    symbols, info = table.get_symbol_by_name(kernel), elf.get_dwarf_info()
    rows: list[tuple[int, str, int]] = []
    for unit in info.iter_CUs():
        program = info.line_program_for_CU(unit)
        if program is None:
            continue
        header = program.header
        shift = 0 if header["version"] >= 5 else 1
        folders: list[str] = [name.decode() for name in header["include_directory"]]
        files = [_path(entry, folders, shift) for entry in header["file_entry"]]
        for entry in program.get_entries():
            state = entry.state
            if state is not None and not state.end_sequence:
                place = state.file - shift
                file = files[place] if 0 <= place < len(files) else ""
                rows.append((state.address, file, state.line))
    return LineTable(symbols[0]["st_value"], text["sh_size"], sorted(rows))


def known_lines(code: bytes, kernel: str) -> LineTable | None:
    """The lines of an object file; None if it has none, or nothing that reads them is installed."""
    if not has_debug_info(code):
        return None
    try:
        return line_table(code, kernel)
    except PolyclError:
        return None


def _path(entry: Any, folders: list[str], shift: int) -> str:
    """The path of a file of a line table; without its folder if that is not known."""
    folder = entry.dir_index - shift
    known = folders[folder] if 0 <= folder < len(folders) else ""
    return os.path.join(known, entry.name.decode())
