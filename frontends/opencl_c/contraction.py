"""Where a product and a sum may be one operation, with one rounding (`FP_CONTRACT`).

OpenCL C allows it within one expression (OpenCL 3.0 C, section 6.12.13, and C99, section 7.12.2);
`-cl-mad-enable` and the options that imply it allow it everywhere. clang has no cursor for the
pragma: it is looked for in the texts of the source and of the files that it includes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from math import inf

from clang.cindex import Cursor, FileInclusion, TranslationUnit

from polycl.frontends.opencl_c import clang_api
from polycl.frontends.opencl_c.clang_api import CursorKind
from polycl.frontends.opencl_c.source import Source, included_files

_SETTING = r"OPENCL\s+FP_CONTRACT\s+(ON|OFF|DEFAULT)\b"
_PRAGMA = re.compile(rf'\s*(?:#\s*pragma\s+|_Pragma\s*\(\s*"){_SETTING}')
_OPERATOR = re.compile(rf'_Pragma \( "{_SETTING}" \)')
"""In the tokens of a macro, with spaces between them."""


class Contraction(Enum):
    OFF = "off"
    EXPRESSION = "expression"
    """A product is fused with the sum that it is an operand of."""
    ALWAYS = "always"


class ContractionPragmas:
    """The pragmas of a translation unit, whose declarations at program scope are `cursors`."""

    def __init__(self, source: Source, cursors: Sequence[Cursor], default: Contraction):
        self._default = default
        self._settings = _settings(source)
        """For each file: line -> setting."""
        self._of_declarations: dict[tuple[int, int], Contraction] = {}
        self._parts: list[tuple[str, int, float]] = []
        if any(self._settings.values()):
            self._parts += _parts(source.filename, list(source.tu.get_includes()), 1)
            self._find_declarations(cursors)

    def of(self, declaration: Cursor) -> Contraction:
        """What applies where a declaration at program scope begins."""
        return self._of_declarations.get(clang_api.key_of(declaration), self._default)

    def in_block(self, block: Cursor, outer: Contraction) -> Contraction:
        """What applies in a compound statement: a pragma may be at its start."""
        if not self._of_declarations:
            return outer
        first = next(iter(clang_api.children(block)), None)
        start = block.extent.start
        stop = block.extent.end if first is None else first.extent.start
        current, inside = outer, False
        for file, line, end in self._parts:
            if not inside:
                inside = file == start.file.name and line <= start.line < end
                line = start.line
            if inside:
                is_last = file == stop.file.name and line <= stop.line < end
                current = self._last(file, line, stop.line if is_last else end, current)
                if is_last:
                    return current
        return outer

    def _last(self, file: str, start: int, end: float, before: Contraction) -> Contraction:
        """The setting after the lines from `start` to `end` (exclusive)."""
        settings = self._settings.get(file, {})
        found = [setting for line, setting in settings.items() if start <= line < end]
        if not found:
            return before
        named = {"OFF": Contraction.OFF, "ON": Contraction.EXPRESSION}
        return named.get(found[-1], self._default)

    def _find_declarations(self, cursors: Sequence[Cursor]) -> None:
        parts = iter(self._parts)
        file, line, end = next(parts)
        current = self._default
        for cursor in cursors:
            first, last = cursor.extent.start, cursor.extent.end
            while first.file is not None and not (
                file == first.file.name and line <= first.line < end
            ):
                current = self._last(file, line, end, current)
                file, line, end = next(parts, ("", 1, inf))
                if not file:
                    return
            current = self._last(file, line, first.line, current)
            self._of_declarations[clang_api.key_of(cursor)] = current
            # What a declaration includes is for its blocks only.
            while last.file is not None and not (
                file == last.file.name and line <= last.line < end
            ):
                file, line, end = next(parts, ("", 1, inf))
                if not file:
                    return
            line = last.line


def _parts(
    file: str, inclusions: list[FileInclusion], depth: int
) -> Iterator[tuple[str, int, float]]:
    """The lines between inclusions, in the order in which clang reads them: file, start, end."""
    start = 1
    while inclusions and inclusions[0].depth == depth:
        inclusion = inclusions.pop(0)
        if inclusion.source is None:
            continue  # The base header, which is included by an option.
        line = inclusion.location.line
        yield file, start, line
        yield from _parts(inclusion.include.name, inclusions, depth + 1)
        start = line
    yield file, start, inf


def _settings(source: Source) -> dict[str, dict[int, str]]:
    """The settings that the pragmas of each file make, by their lines."""
    found: dict[str, dict[int, str]] = {}
    in_macros = False
    for file in dict.fromkeys([source.filename, *included_files(source.tu)]):
        lines = source.lines(file)
        matches = {n: match for n, line in enumerate(lines, 1) if (match := _PRAGMA.match(line))}
        found[file] = {n: match[1] for n, match in matches.items()}
        in_macros |= any("_Pragma" in line and "FP_CONTRACT" in line for line in lines)
    if in_macros or any(found.values()):
        # Only a record of what the preprocessor did has the lines that conditions leave out, and
        # the uses of macros.
        unit = source.parse_again(TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        if in_macros:
            _add_macros(unit, found)
        for file, settings in found.items():
            for start, end in clang_api.skipped_lines(unit, file) if settings else ():
                for line in [line for line in settings if start <= line <= end]:
                    del settings[line]
    return found


def _add_macros(unit: TranslationUnit, found: dict[str, dict[int, str]]) -> None:
    """Add the settings of macros where they are used; those that use other macros have theirs."""
    settings: dict[str, str] = {}
    for cursor in clang_api.children(unit.cursor):
        kind, file = clang_api.kind_of(cursor), cursor.location.file
        if file is None or file.name not in found:
            continue
        if kind is CursorKind.MACRO_DEFINITION:
            name, *body = [str(token.spelling) for token in cursor.get_tokens()]
            text = " ".join(settings.get(word, word) for word in body)
            if made := _OPERATOR.findall(text):
                settings[name] = f'_Pragma ( "OPENCL FP_CONTRACT {made[-1]}" )'
            else:
                settings.pop(name, None)
        elif kind is CursorKind.MACRO_INSTANTIATION and cursor.spelling in settings:
            (setting,) = _OPERATOR.findall(settings[cursor.spelling])
            found[file.name][cursor.location.line] = setting
    for file in found:
        found[file] = dict(sorted(found[file].items()))
