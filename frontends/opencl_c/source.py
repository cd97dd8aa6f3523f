"""The bytes of a `.cl` file -> libclang's tree, or clang's own diagnostics."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary

from clang.cindex import (
    Cursor,
    Diagnostic,
    Index,
    SourceLocation,
    TranslationUnit,
    TranslationUnitLoadError,
)
from xdsl.dialects.utils import FastMathFlag

from polycl.errors import SourceError
from polycl.frontends.opencl_c import clang_api
from polycl.frontends.opencl_c.advice import NEWER, advice_for
from polycl.frontends.opencl_c.clang_api import Presumed, presumed_location
from polycl.frontends.opencl_c.options import Options

Location = tuple[str, int, int]
"""(file, line, column), 1-based."""

HEADER_PATH = "/polycl-builtin/opencl-c-base.h"
"""The path under which clang finds the base header, which is in memory, not on disk."""

# The features of the device, which sources may test with #ifdef. All others that clang's spir64
# target has (vendor extensions) stay off. Of cl_khr_gl_msaa_sharing there are types only, so that
# they are refused where they are, and of cl_khr_subgroups the functions; the base header undefines
# their macros.
_EXTENSIONS = (
    "cl_khr_3d_image_writes",
    "cl_khr_byte_addressable_store",
    "cl_khr_depth_images",
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_gl_msaa_sharing",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_image2d_from_buffer",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_subgroups",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_fp64",
    "__opencl_c_generic_address_space",
    "__opencl_c_int64",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_3d_image_writes",
    "__opencl_c_images",
    "__opencl_c_pipes",
    "__opencl_c_read_write_images",
    "__opencl_c_subgroups",
)
_KERNEL_EXEC = (
    "__kernel_exec(X,typen)=__kernel __attribute__((work_group_size_hint(X, 1, 1))) "
    "__attribute__((vec_type_hint(typen)))"
)
"""The macro of OpenCL 3.0 C, section 6.10.1, which clang's header lacks."""
_BIT_CAST = "__builtin_bit_cast(T,x)=__builtin_astype((x),T)"
"""libclang has no type for the expression of C++; clang's own of OpenCL C means the same."""
_GROUP_FUNCTIONS = re.compile(r"intel_sub_group|work_group_|(#\s*|-)include")
"""A text of sources and of build options that may call group functions that clang's table lacks."""
_VERSION_MACRO = {"CL1.0": 100, "CL1.1": 110, "CL1.2": 120, "CL2.0": 200, "CL3.0": 300}
"""The standard -> `__OPENCL_VERSION__`; C++ for OpenCL has a macro of its own, which clang sets."""


@dataclass
class Source:
    """A parsed translation unit without errors, and the text for carets."""

    tu: TranslationUnit
    filename: str
    text: str
    is_cpp: bool = False
    """Whether it is C++ for OpenCL."""
    uniform_groups: bool = True
    """Whether launches of its kernels have groups of one size only."""
    contraction_everywhere: bool = False
    """Whether products are fused with sums of other expressions, too."""
    permitted: tuple[FastMathFlag, ...] = ()
    """What the options permit of float arithmetic."""
    debug: bool = False
    """Whether code is for a debugger."""
    has_lines: bool = False
    """Whether code has its source lines."""
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """The texts of included files that are not on disk, by their paths."""
    parse_again: Callable[[int], TranslationUnit] = field(repr=False, kw_only=True)
    """The translation unit with other options of libclang."""
    _lines: dict[str, list[str]] = field(default_factory=dict)

    def line(self, filename: str, line: int) -> str | None:
        """Line `line` (from 1) of a file of this translation unit, or None."""
        lines = self.lines(filename)
        return lines[line - 1] if 0 < line <= len(lines) else None

    def lines(self, filename: str) -> list[str]:
        """The lines of a file of this translation unit; none if it cannot be read."""
        if filename not in self._lines:
            text = self.text if filename == self.filename else self.files.get(filename)
            text = _read_or_none(filename) if text is None else text
            self._lines[filename] = [] if text is None else text.split("\n")
        return self._lines[filename]


@dataclass
class _Locations:
    """The locations of one translation unit by clang's numbers for them."""

    places: dict[int, Location] = field(default_factory=dict)
    presumed: Presumed = field(default_factory=Presumed)


_LOCATIONS: WeakKeyDictionary[TranslationUnit, _Locations] = WeakKeyDictionary()


def decode(data: bytes | str) -> str:
    """Source text with `\\n` line ends, from UTF-8 (with or without mark) or Latin-1."""
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            data = data.decode("latin-1")
    return data.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def parse(
    data: bytes | str,
    filename: str,
    options: Options,
    more: Sequence[tuple[str, str]] = (),
    *,
    all_extensions: bool = False,
) -> Source:
    """Parse OpenCL C. `more` are paths and texts of included files that are not on disk.

    A source without `-cl-std` is of OpenCL C 1.2, or of 3.0 if it uses names of 2.0 and is right
    then. `all_extensions` declares whatever clang knows, in place of what the device has.

    Raises:
        SourceError: clang found errors; its text shows all of them as clang does.
    """
    try:
        return _parse(data, filename, options, more, all_extensions)
    except SourceError as error:
        if not options.is_default or NEWER not in str(error):
            raise
        newer = replace(options, standard="CL3.0", is_default=False)
        try:
            return _parse(data, filename, newer, more, all_extensions)
        except SourceError:
            raise error from None


def _parse(
    data: bytes | str,
    filename: str,
    options: Options,
    more: Sequence[tuple[str, str]],
    all_extensions: bool,
) -> Source:
    text = decode(data)
    may_call_group_functions = any(map(_GROUP_FUNCTIONS.search, (text, *options.clang)))
    extensions = ["+all"] if all_extensions else ["-all", *(f"+{name}" for name in _EXTENSIONS)]
    arguments = [
        *("-x", "cl", f"-cl-std={options.standard}", "-target", "spir64-unknown-unknown"),
        # The driver would look for clang's own header, also in the current folder.
        *("-cl-no-stdinc", "-Xclang", "-fdeclare-opencl-builtins", "-include", HEADER_PATH),
        *("-Xclang", "-cl-ext=" + ",".join(extensions)),
        *(f"-D__OPENCL_VERSION__={v}" for v in [_VERSION_MACRO.get(options.standard)] if v),
        *(f"-D{macro}" for macro in (_KERNEL_EXEC, _BIT_CAST)),
        # To read their declarations would take as long as to read a small source.
        *(["-D__polycl_group_functions"] if may_call_group_functions else []),
        "-Werror" if options.warnings_are_errors else "-w",
        *options.clang,
    ]
    source = parse_with(arguments, text, filename, _header(), more)
    source.uniform_groups = options.uniform_groups
    source.contraction_everywhere = options.contraction_everywhere
    source.permitted = options.permitted
    source.debug, source.has_lines = options.debug, options.lines
    source.is_cpp = options.standard.startswith("CLC++")
    return source


def parse_with(
    arguments: Sequence[str],
    text: str,
    filename: str,
    header: str = "",
    more: Sequence[tuple[str, str]] = (),
) -> Source:
    """Parse a text with clang's `arguments`, which may include the `header` by its path.

    `more` are paths and texts of files that are not on disk.

    Raises:
        SourceError: clang found errors; its text shows all of them as clang does.
    """
    files = [(filename, text), (HEADER_PATH, header), *more]

    def parse_again(options: int) -> TranslationUnit:
        return Index.create().parse(filename, ["-ferror-limit=20", *arguments], files, options)

    try:
        tu = parse_again(TranslationUnit.PARSE_NONE)
    except TranslationUnitLoadError as error:
        # clang has crashed; libclang survives that.
        message = "clang cannot read this source: it stopped with an internal error"
        raise SourceError(message, filename, 1, 1) from error
    source = Source(tu, filename, text, files=dict(more), parse_again=parse_again)
    _LOCATIONS[tu] = _Locations()
    # A tree with errors holds recovery expressions that crash libclang's accessors.
    errors = [d for d in tu.diagnostics if d.severity >= Diagnostic.Error]
    if errors:
        raise _source_error(source, errors)
    return source


def included_files(tu: TranslationUnit) -> list[str]:
    """The paths of the files that a source includes, as clang found them."""
    return [i.include.name for i in tu.get_includes() if i.include.name != HEADER_PATH]


def location_of(cursor: Cursor) -> Location:
    """clang's location of the cursor; in a macro it is that of the macro's use."""
    place = clang_api.location(cursor)
    number: int = place.int_data
    known = _LOCATIONS[cursor._tu]
    # Many cursors share a location: an implicit conversion has that of its operand.
    found = known.places.get(number)
    if found is None:
        found = known.places[number] = known.presumed.location(place)
    return found


def is_builtin(cursor: Cursor) -> bool:
    """Whether a declaration of the translation unit is one of the base header."""
    return location_of(cursor)[0] == HEADER_PATH


@cache
def _header() -> str:
    return Path(__file__).with_name("opencl-c-base.h").read_text(encoding="utf-8")


def _read_or_none(filename: str) -> str | None:
    try:
        return decode(Path(filename).read_bytes())
    except OSError:
        return None


def _source_error(source: Source, errors: list[Diagnostic]) -> SourceError:
    first, *others = errors
    notes = [note for child in first.children for note in _rendered(source, child, "note")]
    for error in others:
        notes += _rendered(source, error, "error")
        for child in error.children:
            notes += _rendered(source, child, "note")
    where = presumed_location(first.location)
    advice = advice_for(first.spelling, [note.spelling for note in first.children])
    return SourceError(
        first.spelling if advice is None else f"{first.spelling}; {advice}",
        where[0] or source.filename,
        *where[1:],
        source_line=_source_line(source, first.location),
        notes=notes,
    )


def _source_line(source: Source, location: SourceLocation) -> str | None:
    return source.line(location.file.name, location.line) if location.file else None


def _rendered(source: Source, diagnostic: Diagnostic, severity: str) -> list[str]:
    """`file:line:col: severity: text`, the line and its caret, as clang prints them."""
    file, line, column = presumed_location(diagnostic.location)
    if file == HEADER_PATH:
        file = Path(file).name
    lines = [f"{file}:{line}:{column}: {severity}: {diagnostic.spelling}"]
    text = _source_line(source, diagnostic.location)
    if text is not None:
        indent = "".join("\t" if c == "\t" else " " for c in text[: max(column - 1, 0)])
        lines += [text, f"{indent}^"]
    return lines
