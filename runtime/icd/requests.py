"""What the driver can ask for: programs are built, and their kernels are compiled.

A request is a list of byte strings, the first of which is its name:

build    place, options, folder, CPATH, C_INCLUDE_PATH, source, then names and texts of headers
compile  the same; functions may be declared only
link     place, options, then the artifacts
load     artifact: the program of the connection is this one
variant  place, kernel, sizes, facts, and words: "remarks" if the log is to have them,
         "careful" to survive an abort of LLVM
import source   the installation, and what `compiler_server.import_source` sends: Python's `load`
run tool  the installation; what follows is that of `polycl.tools.forward`
compile kernel  what `compiler_server.ServerProgram.compile` sends, about that source
interpret  kernel, sizes, the kinds of errors to check for or "", the host's current folder, the
         SARIF file and the folder of sources or "", the number of blocks of memory, their contents,
         and of each argument "value", "null", "local BYTES" or "memory BLOCK OFFSET" and the bytes
         of a value; the artifact of the reply is the number of errors and the length of the printed
         text (u64), the text, and the contents; the log has the findings
ping

The sizes of a variant are the local size of its groups and, if it may be another one, the local
size of the launch and 1 if global ids may be 2^31 or more, else 0. A local size of 0 0 0 is for
code of any size, which is made quickly and is slow. The sizes of `interpret` are the
global size, the local size, the offset, the number of dimensions and the same 1 or 0.

The reply has a status (`ok`, `error`, or `options` where these are invalid), the text of the build
log, the path of a file with the artifact, and the artifact itself where it is in no file.
`artifact.py` documents artifacts. The place is FOLDER/KEY of the cache on disk; without it nothing
is kept. The facts are words: `distinct` (no two buffers overlap), `small` (no buffer has more than
SMALL bytes), `local=N,N,...` (the bytes of local pointer arguments in order), and of a decision
(`polycl.runtime.host.port.decisions`) `constants=POSITION:NUMBER,...` `without=PASS,...`
`with=WAY,...` and `features=NAME,...`.
"""

from __future__ import annotations

import os
import pickle
import re
import shlex
import struct
from collections.abc import Callable, Sequence
from contextlib import chdir, nullcontext, redirect_stdout, suppress
from functools import partial
from hashlib import sha256
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, StringAttr

from polycl.analysis.ocl.module_parts import find_kernel
from polycl.analysis.ocl.work_bound import most_operations
from polycl.backends.cache import INSTALLATION, Cache, cache_in
from polycl.backends.cpu.checked import CheckedDevice, CheckedExecutable
from polycl.backends.cpu.compile import compile_kernel
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.cpu.jit import OPTIMISATION_LEVEL, leaving_out
from polycl.backends.cpu.llvm_process import fork_llvm, run_llvm_here
from polycl.backends.cpu.pipeline import FOR_SPEED, WITH_SOME_DATA
from polycl.backends.device import (
    WIDE_IDS,
    ArgumentFacts,
    Executable,
    KernelArg,
    LocalMemory,
    NDRange,
    Part,
    Size3,
)
from polycl.backends.interp import InterpDevice
from polycl.backends.interp.checks import CheckError
from polycl.backends.limits import check_ops, max_ops
from polycl.backends.phases import collect_phases
from polycl.deep_calls import deep_calls
from polycl.diagnostics import verify_module
from polycl.dialects.ocl import KernelLike
from polycl.dialects.ocl.debug import DEBUG_FOLDER, has_lines
from polycl.errors import ArgumentError, PolyclError, SourceError
from polycl.frontends.opencl_c import import_programs, read_source
from polycl.frontends.opencl_c.options import parse_words
from polycl.frontends.opencl_c.read_functions import Program
from polycl.frontends.opencl_c.source import decode
from polycl.lowering.wg.group_shape import best_group
from polycl.remarks import collect_remarks
from polycl.runtime.compiler_server import INCLUDES
from polycl.runtime.icd.artifact import (
    COMPILED_OBJECT,
    EXECUTABLE,
    LIBRARY,
    Bundle,
    Line,
    Unit,
    program_artifact,
    read_bundle,
    variant_artifact,
)
from polycl.runtime.icd.findings import Reports
from polycl.runtime.kept_sources import files_of, import_now, is_volatile
from polycl.runtime.program import read_module

SOURCE_NAME = "source.cl"
"""What messages call the source."""

_HEADERS = "/polycl-headers"
"""The folder of headers that are not on disk."""

_VOLATILE: Line = ("volatile",)
_LINK_OPTIONS = (
    "-create-library",
    "-enable-link-options",
    "-cl-denorms-are-zero",
    "-cl-fast-relaxed-math",
    "-cl-finite-math-only",
    "-cl-no-signed-zeroes",
    "-cl-no-signed-zeros",
    "-cl-no-subgroup-ifp",
    "-cl-unsafe-math-optimizations",
)

Reply = tuple[str, str, str, bytes]


class OptionsError(PolyclError):
    """The options of a build are invalid."""


class Connection:
    """The program of one connection."""

    def __init__(self) -> None:
        self._module: ModuleOp | None = None
        self._wide_module: ModuleOp | None = None
        """The module for launches with wide ids, once there was one."""
        self._reports = Reports()
        self._checked: dict[tuple[str, bool], Executable] = {}
        """Kernels with checks, and whether they are for wide ids."""
        self._units: tuple[Unit, ...] = ()
        self._texts: dict[str, str] = {}
        """The sources by the names that messages call them."""
        # What an earlier connection of this process has left.
        os.chdir("/")
        for variable in INCLUDES:
            os.environ.pop(variable, None)
        run_llvm_here()
        self._requests: dict[str, Callable[[list[bytes]], Reply]] = {
            "build": self._build,
            "compile": self._compile,
            "link": self._link,
            "load": self._load,
            "variant": self._variant,
            "interpret": self._interpret,
            "import source": self._import_source,
            "compile kernel": self._compile_kernel,
            "run tool": self._run_tool,
            "ping": lambda fields: ("ok", "", "", b""),
        }

    @deep_calls()
    def answer(self, fields: list[bytes]) -> Reply:
        """The reply to a request. Raises only for errors of this compiler."""
        name = _text(fields[0]) if fields else ""
        request = self._requests.get(name)
        if request is None:
            return "error", f"the compiler does not know the request '{name}'", "", b""
        try:
            return request(fields[1:])
        except OptionsError as error:
            return "options", f"error: {error}", "", b""
        except SourceError as error:
            return "error", self._with_line(error), "", b""
        except PolyclError as error:
            return "error", f"error: {error}", "", b""

    def _build(self, fields: list[bytes]) -> Reply:
        place = _text(fields[0])
        program, unit, lines = self._read(fields[1:])
        module = self._new_program([unit], _import([program]))
        artifact = program_artifact(Bundle(EXECUTABLE, (unit,)), module, lines)
        return _reply("" if _VOLATILE in lines else place, artifact)

    def _compile(self, fields: list[bytes]) -> Reply:
        place = _text(fields[0])
        _, unit, lines = self._read(fields[1:], whole=True)
        artifact = program_artifact(Bundle(COMPILED_OBJECT, (unit,)), None, lines)
        return _reply("" if _VOLATILE in lines else place, artifact)

    def _link(self, fields: list[bytes]) -> Reply:
        place, words = _text(fields[0]), _words(fields[1])
        for word in words:
            if word not in _LINK_OPTIONS:
                raise OptionsError(
                    f"unknown link option '{word}'; expected one of {', '.join(_LINK_OPTIONS)}"
                )
        units = tuple(unit for artifact in fields[2:] for unit in read_bundle(artifact).units)
        if "-create-library" in words:
            return _reply(place, program_artifact(Bundle(LIBRARY, units)))
        module = self._new_program(units, self._import_again(units))
        return _reply(place, program_artifact(Bundle(EXECUTABLE, units), module))

    def _load(self, fields: list[bytes]) -> Reply:
        units = read_bundle(fields[0]).units
        self._new_program(units, self._import_again(units))
        return "ok", "", "", b""

    def _variant(self, fields: list[bytes]) -> Reply:
        place, kernel, sizes, facts, *wishes = map(_text, fields)
        x, y, z, *rest = map(int, sizes.split())
        ex, ey, ez, wide, outside = rest or (x, y, z, 0, 0)
        any_size = x == 0
        if any_size:
            x, y, z = ex, ey, ez = 1, 1, 1
        part = Part((0, 0, 0), (1, 1, 1), (x, y, z))
        first_id = WIDE_IDS if wide else 0
        program = self._program(bool(wide))
        guarded = _guarded(find_kernel(program, kernel), (ex, ey, ez), outside, any_size)
        ndrange = NDRange(
            (ex, ey, ez),
            (ex, ey, ez),
            (first_id, 0, 0),
            facts=_facts(facts),
            part=part,
            guarded=guarded,
        )
        if has_lines(program):
            self._keep_sources(program, os.path.dirname(place))
        features = tuple(_list_of(facts.split(), "features="))
        device = CpuDevice(
            1,
            any_size=any_size,
            disable=_known(facts, "without=", FOR_SPEED),
            without_features=features,
            enable=_known(facts, "with=", WITH_SOME_DATA),
        )
        passes = device.passes_for(program, ndrange)
        if "careful" in wishes:
            fork_llvm()
        with collect_remarks() if "remarks" in wishes else nullcontext([]) as remarks:
            level = _any_size_level(program, kernel) if any_size else OPTIMISATION_LEVEL
            with leaving_out(features):
                compiled = compile_kernel(program, kernel, ndrange, passes, level=level)
        status, _, path, artifact = _reply(place, variant_artifact(compiled))
        return status, "".join(f"{remark}\n" for remark in remarks), path, artifact

    def _interpret(self, fields: list[bytes]) -> Reply:
        kernel, sizes, check, folder, sarif, sources, number = map(_text, fields[:7])
        end = 7 + int(number)
        blocks = [np.frombuffer(bytearray(content), np.uint8) for content in fields[7:end]]
        args = [
            _argument(_text(word), value, blocks)
            for word, value in zip(fields[end::2], fields[end + 1 :: 2], strict=True)
        ]
        gx, gy, gz, lx, ly, lz, ox, oy, oz, dimensions, wide = map(int, sizes.split())
        ndrange = NDRange((gx, gy, gz), (lx, ly, lz), (ox, oy, oz), dimensions)
        executable = self._interpreted(kernel, ndrange, check, bool(wide))
        with redirect_stdout(StringIO()) as printed, suppress(CheckError):
            executable.run(args, ndrange)
        errors, log = 0, ""
        if isinstance(executable, CheckedExecutable):
            with suppress(OSError):
                os.chdir(folder)
            errors, log = self._reports.report(executable.findings, self._texts, sarif, sources)
        text = printed.getvalue().encode("utf-8", "surrogateescape")
        contents = b"".join(block.tobytes() for block in blocks)
        return "ok", log, "", struct.pack("<QQ", errors, len(text)) + text + contents

    def _interpreted(self, kernel: str, ndrange: NDRange, check: str, wide: bool) -> Executable:
        """The kernel with checks, for all launches; or for the interpreter."""
        if not check:
            return InterpDevice().compile(self._program(wide), kernel, ndrange)
        key = kernel, wide
        if key not in self._checked:
            try:
                device = CheckedDevice(CpuDevice(), check)
            except ArgumentError as error:
                raise ArgumentError(f"POLYCL_CHECK: {error}") from error
            self._checked[key] = device.compile(self._program(wide), kernel, ndrange)
        return self._checked[key]

    def _import_source(self, fields: list[bytes]) -> Reply:
        _check_installation(fields[0])
        data, name, options, folder, paths, limit = pickle.loads(fields[1])
        os.chdir(folder)
        for variable, value in paths.items():
            if value is not None:
                os.environ[variable] = value
        with collect_phases() as seconds, max_ops(limit):
            module, *found = import_now(
                data, name, options, partial(read_module, data, name, options)
            )
        self._new_program([], module)
        return "ok", "", "", pickle.dumps((found, seconds), pickle.HIGHEST_PROTOCOL)

    def _run_tool(self, fields: list[bytes]) -> Reply:
        _check_installation(fields[0])
        return "ok", "", "", pickle.dumps(True)

    def _compile_kernel(self, fields: list[bytes]) -> Reply:
        device, kernel, ndrange, limit = pickle.loads(fields[0])
        with collect_phases() as seconds, max_ops(limit), cache_in(None):
            executable = device.compile(self._program(ndrange.wide_ids), kernel, ndrange)
        return "ok", "", "", pickle.dumps((device.save(executable), seconds))

    def _read(
        self, fields: list[bytes], *, whole: bool = False
    ) -> tuple[Program, Unit, list[Line]]:
        """The program of a request, with the lines about what it depends on.

        With `whole`, functions that its kernels do not reach are a part of it.
        """
        words = _words(fields[0])
        _check_options(words)
        source = decode(fields[4])
        self._texts = {SOURCE_NAME: source}
        folder, *paths = (_text(field) for field in fields[1:4])
        with suppress(OSError):
            os.chdir(folder)
        headers = {
            f"{_HEADERS}/{_text(name)}": decode(text)
            for name, text in zip(fields[5::2], fields[6::2], strict=True)
        }
        # Clang would read the variables CPATH and C_INCLUDE_PATH from this server's environment. An
        # empty entry is the current folder.
        folders = [folder or "." for path in paths if path for folder in path.split(":")]
        words = (*([f"-I{_HEADERS}"] if headers else []), *words, *(f"-I{f}" for f in folders))
        options = parse_words(words)
        included: list[str] = []
        program = read_source(source, SOURCE_NAME, options, included, headers, whole=whole)
        on_disk = [path for path in included if path not in headers]
        files = {path: headers[path] for path in included if path in headers}
        files |= {os.path.abspath(path): decode(Path(path).read_bytes()) for path in on_disk}
        lines: list[Line] = [
            ("file", "-" if digest is None else digest.hex(), path)
            for path, digest in files_of("", options.clang, on_disk).items()
        ]
        if lines:
            lines.append(("folder", os.getcwd()))
        if is_volatile(
            text.encode("utf-8", "replace") for text in (source, *words, *files.values())
        ):
            lines.append(_VOLATILE)
        return program, Unit(source, words, os.getcwd(), files), lines

    def _import_again(self, units: Sequence[Unit], wide_ids: bool = False) -> ModuleOp:
        """The module of what artifacts hold."""
        names = _names_of(units)
        self._texts = {name: unit.source for unit, name in zip(units, names, strict=True)}
        return import_units(units, wide_ids)

    def _with_line(self, error: SourceError) -> str:
        """The error's text, with the line of the source if it does not show one."""
        _, *notes = str(error).split("\n")
        text = self._texts.get(error.filename)
        lines = [] if text is None else text.split("\n")
        if any("^" in note for note in notes) or not 0 < error.line <= len(lines):
            return str(error)
        where = (error.filename, error.line, error.col)
        line = lines[error.line - 1]
        return str(SourceError(error.message, *where, source_line=line, notes=notes))

    def _program(self, wide: bool) -> ModuleOp:
        """The module, or the one for launches with wide ids."""
        if self._module is None:
            raise PolyclError("the connection has no program; build or load one first")
        if not wide:
            return self._module
        if self._wide_module is None:
            self._wide_module = self._import_again(self._units, wide_ids=True)
        return self._wide_module

    def _keep_sources(self, program: ModuleOp, cache: str) -> None:
        """Write the sources into the cache, where a debugger finds them: the host has no file."""
        digest = sha256(repr(sorted(self._texts.items())).encode("utf-8", "surrogateescape"))
        folder = Path(cache, "sources", digest.hexdigest()[:16])
        if not cache:
            return
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for name, text in self._texts.items():
                (folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")
            program.attributes[DEBUG_FOLDER] = StringAttr(str(folder))

    def _new_program(self, units: Sequence[Unit], module: ModuleOp) -> ModuleOp:
        self._units, self._module, self._wide_module = tuple(units), module, None
        self._checked.clear()
        return module


def _check_installation(digest: bytes) -> None:
    if digest != INSTALLATION:
        raise PolyclError("this server belongs to another installation of polycl")


def _argument(words: str, value: bytes, blocks: list[NDArray[np.uint8]]) -> KernelArg:
    match words.split():
        case ["value"]:
            return value
        case ["local", size]:
            return LocalMemory(int(size))
        case ["memory", block, offset]:
            return blocks[int(block)][int(offset) :]
        case _:
            return None


def _text(field: bytes) -> str:
    return field.decode("utf-8", "surrogateescape")


def _words(options: bytes) -> tuple[str, ...]:
    """The words of an options string, in which quotes and backslashes work as in a shell."""
    try:
        words = iter(shlex.split(_text(options)))
    except ValueError as error:
        raise OptionsError(f"the build options '{_text(options)}': {error}") from error
    # The value of a separate -D or -I is a part of it.
    return tuple(w + next(words, "") if w in ("-D", "-I") else w for w in words)


def _check_options(words: Sequence[str]) -> None:
    try:
        parse_words(words)
    except ArgumentError as error:
        raise OptionsError(str(error)) from error


def _read_again(unit: Unit, name: str, whole: bool) -> Program:
    """Read a source whose included files may not be on disk any more, or be others now."""
    with TemporaryDirectory(prefix="polycl-") as root:
        for path, text in unit.files.items():
            file = Path(root + path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", errors="replace")
        folder = Path(root + unit.folder)
        folder.mkdir(parents=True, exist_ok=True)
        with chdir(folder):
            words = [re.sub("^-I/", f"-I{root}/", word) for word in unit.options]
            return read_source(unit.source, name, parse_words(words), whole=whole)


def _names_of(units: Sequence[Unit]) -> list[str]:
    stem, _, suffix = SOURCE_NAME.partition(".")
    names = [f"{stem}_{number}.{suffix}" for number in range(1, len(units) + 1)]
    return [SOURCE_NAME] if len(units) == 1 else names


def import_units(units: Sequence[Unit], wide_ids: bool = False) -> ModuleOp:
    """The module of a program's bundle. Raises PolyclError."""
    whole = len(units) > 1
    names = _names_of(units)
    programs = [_read_again(unit, name, whole) for unit, name in zip(units, names, strict=True)]
    return _import(programs, wide_ids)


def _import(programs: Sequence[Program], wide_ids: bool = False) -> ModuleOp:
    module = import_programs(programs, SOURCE_NAME, wide_ids=wide_ids)
    check_ops(module, f"in {SOURCE_NAME}")
    verify_module(module)
    return module


def _guarded(
    kernel: KernelLike, size: Size3, outside: int, any_size: bool
) -> tuple[int, ...] | None:
    """`NDRange.guarded` of code for the launched local size `size`."""
    if any_size:
        # Also for the groups that are chosen.
        return None if best_group(kernel) is None else (0, 1, 2)
    if not outside and kernel.required_size in (None, size):
        return None
    return tuple(d for d in range(3) if outside >> d & 1)


def _any_size_level(program: ModuleOp, kernel: str) -> int:
    """LLVM's level for code of any size, which is used where it executes few operations: without
    loops, each costs more to optimise than to execute. Without optimisation nothing is fused."""
    return 2 if most_operations(find_kernel(program, kernel).body) is None else 1


def _list_of(words: Sequence[str], name: str) -> list[str]:
    """What follows `name` in one of the words, in which commas separate it."""
    text = next((w.removeprefix(name) for w in words if w.startswith(name)), "")
    return [part for part in text.split(",") if part]


def _known(facts: str, word: str, names: Sequence[str]) -> tuple[str, ...]:
    """What a decision leaves out, or adds. What another version of polycl decided may be old."""
    return tuple(name for name in _list_of(facts.split(), word) if name in names)


def _facts(text: str) -> ArgumentFacts:
    words = text.split()
    constants = (c.partition(":") for c in _list_of(words, "constants="))
    images = (w.partition("=")[2].split(":") for w in words if w.startswith(("image=", "sampler=")))
    return ArgumentFacts(
        tuple(map(int, _list_of(words, "local="))),
        distinct_buffers="distinct" in words,
        small_buffers="small" in words,
        alone="alone" in words,
        constants=tuple((int(position), int(number)) for position, _, number in constants),
        images=tuple((int(i), tuple(map(int, numbers.split(",")))) for i, numbers in images),
    )


def _reply(place: str, artifact: bytes) -> Reply:
    """The artifact, or its file if it can be kept."""
    folder, _, key = place.rpartition("/")
    path = Cache(folder).put(key, artifact) if folder else None
    return ("ok", "", "", artifact) if path is None else ("ok", "", str(path), b"")


def warm_up(source: bytes, facts: bytes) -> None:
    """Build and compile `source`, so that forked processes find everything loaded."""
    program = Connection()
    build = program.answer([b"build", b"", b"", b"/", b"", b"", source])
    variant = program.answer([b"variant", b"", b"k", b"64 1 1", facts])
    assert build[0] == variant[0] == "ok", build[1] + variant[1]
