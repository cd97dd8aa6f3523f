"""Whole programs in C of Rodinia and Parboil: read, written again as C, compiled, and run.

    python -m bench.c_hosts --rodinia FOLDER --parboil FOLDER [--build FOLDER] [PROGRAM ...]

The folders are those of `bench/recordings.py`. Programs whose files with calls of OpenCL are C are
read as their Makefiles compile them: with all their files and their `-I` and `-D`; helpers in C++
(of three programs of Parboil, which read and write files) are linked. Programs in C++ are none:
`POLYCL_RECORD` records them, whatever their language.

A row has `yes` where a step was successful: `read` by the importer (else why not, and where),
`compiles` what `-t opencl-host-c` writes with `cc -Wall -Werror`, `equal` what both print and write
to files. Both run on this package's platform, or on that of OCL_ICD_VENDORS.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench.recordings_data import DATA, OPTIONS
from polycl.backends.host.build_program import build_program
from polycl.errors import PolyclError
from polycl.frontends.host import import_program
from polycl.runtime.icd.driver import DRIVER, FOLDER

_FLAGS = "-fcommon"
"""What compilers of today need for these sources."""

_RODINIA = (
    *("b+tree", "heartwall", "hotspot", "hotspot3D", "hybridsort", "lavaMD", "leukocyte"),
    *("myocyte", "srad"),
)
"""Its programs in C."""

_PARBOIL = ("cutcp", "lbm", "mri-q", "spmv", "stencil")

_CALL = re.compile(r"\bcl[A-Z]\w*\s*\(")
_LOG = "c_hosts.log"
_SOURCES = (".c", ".cc", ".cpp")


@dataclass
class Program:
    """A program: its folder, its sources with the options of each, and its arguments."""

    name: str
    folder: Path
    sources: dict[Path, list[str]] = field(default_factory=dict[Path, list[str]])
    libraries: list[Path] = field(default_factory=list[Path])
    arguments: tuple[str, ...] = ()


def _compilers(folder: Path) -> dict[str, str]:
    """An environment whose compilers write their command lines to a file in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("gcc", "cc", "g++"):
        script = folder / name
        log = f'printf "%s\\n" "$PWD" "$*" >> {folder / _LOG}'
        script.write_text(f'#!/bin/sh\n{log}\nexec /usr/bin/{name} -w {_FLAGS} "$@"\n')
        script.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def rodinia(source: Path, build: Path, wanted: Callable[[str], bool]) -> Iterator[Program]:
    """Its programs, with the options of their Makefiles."""
    target = build / "rodinia"
    if not target.exists():
        shutil.copytree(source, target)
    for name in filter(wanted, _RODINIA):
        folder = target / "opencl" / name
        compilers = build / "compilers" / name
        environment = _compilers(compilers)
        (compilers / _LOG).write_text("")
        paths = [f"{p}_{w}=/usr/{d}" for p in ("OPENCL", "NV_OPENCL")
                 for w, d in (("INC", "include"), ("LIB", "lib"))]  # fmt: skip
        _do(["make", "-k", "-B", *paths], folder, environment)
        lines = (compilers / _LOG).read_text().splitlines()
        program = Program(name, folder)
        for place, command in zip(lines[::2], lines[1::2], strict=True):
            _add(program, Path(place), shlex.split(command))
        program.libraries = sorted(folder.rglob("*.a"))
        program.arguments = OPTIONS["rodinia"].get(name, ("",))[1:]
        yield program


def _add(program: Program, place: Path, command: list[str]) -> None:
    """The sources of a compiler's command line, without those of a library."""
    files = [place / word for word in command if word.endswith(_SOURCES)]
    options: list[str] = []
    for word, after in zip(command, [*command[1:], ""], strict=True):
        if word in ("-I", "-D"):
            options.append(word[:2] + (str(place / after) if word == "-I" else after))
        elif word.startswith("-I"):
            options.append(f"-I{place / word[2:]}")
        elif word.startswith("-D"):
            options.append(word)
    for file in files:
        if "meschach" not in str(file.parent):
            program.sources[file.resolve()] = options


def parboil(source: Path, build: Path, wanted: Callable[[str], bool]) -> Iterator[Program]:
    """Its programs in C, each version of its own."""
    target = build / "parboil"
    if not target.exists():
        shutil.copytree(source, target)
    common = target / "common"
    for benchmark in _PARBOIL:
        folder = target / "benchmarks" / benchmark
        helpers = folder / "common_src/convert-dataset"
        arguments = next(o[1:] for o in OPTIONS["parboil"].values() if o[0].startswith(benchmark))\
            if benchmark != "lbm" else ("-o", "out.bin", "--", "3")  # fmt: skip
        for version in sorted((folder / "src").glob("opencl*")):
            name = f"parboil {benchmark} {version.name}"
            places = (version, helpers) if helpers.exists() else (version,)
            files = [f for p in places for f in sorted(p.iterdir()) if f.suffix in _SOURCES]
            if wanted(name) and any(f.suffix == ".c" for f in files):
                options = [f"-I{common}/include", f"-I{helpers}"]
                sources = {f.resolve(): options for f in files if f.stem != "test"}
                sources[(common / "src/parboil_opencl.c").resolve()] = options
                yield Program(name, folder, sources, arguments=arguments)


def _do(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """Run a command; its errors, or an empty text."""
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace"
    )
    return done.stderr[-2000:] or f"exit {done.returncode}" if done.returncode else ""


@dataclass
class Row:
    """What became of a program."""

    name: str
    read: str = ""
    compiles: str = ""
    equal: str = ""

    def text(self) -> str:
        return f"| {self.name} | {self.read} | {self.compiles} | {self.equal} |"


def measure(program: Program, build: Path, limit: float) -> Row:
    """All steps for a program."""
    row = Row(program.name)
    in_c = {str(f): o for f, o in program.sources.items() if f.suffix == ".c"}
    objects = build / "objects" / program.name.replace(" ", "_")
    shutil.rmtree(objects, ignore_errors=True)
    objects.mkdir(parents=True)
    others, failed = _objects(program, objects)
    original = objects / "original"
    command = ["g++", *map(str, others), *map(str, program.libraries), "-lOpenCL", "-lm", "-o"]
    failed = failed or _do([*command, str(original)], objects)
    try:
        module = import_program(list(in_c), [], options_of=in_c)
        module.verify()
    except PolyclError as error:
        row.read = str(error).splitlines()[0].replace(str(build), "").replace("|", "/")
        return row
    row.read = "yes"
    written = objects / "written"
    try:
        linked = [f for f in program.sources if f.suffix != ".c"]
        helpers = [str(objects / f"{f.stem}.o") for f in linked] + list(map(str, program.libraries))
        build_program(module, objects / "again", written, in_c, [_FLAGS], helpers)
    except PolyclError as error:
        row.compiles = " / ".join(str(error).splitlines()[:2]).replace("|", "/")[:300]
        return row
    row.compiles = "yes"
    if failed:
        row.equal = f"the original does not compile: {failed[:200]}"
        return row
    # The versions of a program of Parboil read the same files.
    for name in (program.name, " ".join(program.name.split()[:2])):
        if name in DATA:
            DATA[name](program.folder, False)
            break
    # What two runs of the original print differently, such as times, is not compared.
    first, second, own = [_run(b, program, limit) for b in (original, original, written)]
    row.equal = _compared(first, second, own)
    return row


def _objects(program: Program, folder: Path) -> tuple[list[Path], str]:
    """The object files of the original program, and the first error."""
    found: list[Path] = []
    for file, options in program.sources.items():
        found.append(folder / f"{file.stem}.o")
        compiler = "gcc" if file.suffix == ".c" else "g++"
        failed = _do(
            [compiler, "-w", "-O2", _FLAGS, *options, "-c", str(file), "-o", str(found[-1])],
            file.parent,
        )
        if failed:
            return found, failed
    return found, ""


def _run(binary: Path, program: Program, limit: float) -> tuple[int, dict[str, bytes]]:
    """The exit status of a run, and what it prints and writes to files of its folder."""
    environment = {"OCL_ICD_VENDORS": str(FOLDER / DRIVER), **os.environ,
                   "POLYCL_PYTHON": sys.executable, "POLYCL_DEVICE_TYPE": "gpu"}  # fmt: skip
    before = _files(program.folder)
    done = subprocess.run(
        [str(binary), *program.arguments],
        cwd=program.folder,
        env=environment,
        capture_output=True,
        timeout=limit,
    )
    after = _files(program.folder)
    written = {n: data for n, data in after.items() if before.get(n) != data or "out" in n}
    return done.returncode, {"stdout": done.stdout, **written}


def _files(folder: Path) -> dict[str, bytes]:
    places: Iterable[Path] = (*folder.glob("*"), *folder.glob("output/*"))
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in places
        if p.is_file() and not p.name.endswith((".c", ".o", ".cl", ".h", ".out"))
    }


_TIME = re.compile(rb" *\d+\.\d+")
"""Numbers with a point, and the spaces that fill their columns, may be times, where they are
printed."""
_TIME_LINE = re.compile(rb"^[^\n:]*:#\n", re.MULTILINE)
"""A name and a time, which Parboil's programs print if it is not 0."""
_Run = tuple[int, dict[str, bytes]]


def _compared(first: _Run, second: _Run, own: _Run) -> str:
    """Whether a run did what two runs of the original did."""
    if first[0]:
        return f"the original exits with {first[0]}, this with {own[0]}"
    if own[0]:
        return f"exits with {own[0]}"
    for name in first[1].keys() | own[1].keys():
        texts = [run[1].get(name, b"") for run in (first, second, own)]
        if name == "stdout":
            texts = [_TIME_LINE.sub(b"", _TIME.sub(b"#", text)) for text in texts]
        a, b, c = map(bytes.splitlines, texts)
        if len(a) != len(b):
            # The original prints another number of lines each time.
            continue
        lines = len(a) == len(c) and all(x == z or x != y for x, y, z in zip(a, b, c, strict=True))
        if not lines:
            return f"{name} differs"
    return f"yes ({', '.join(sorted(first[1]))})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--rodinia", type=Path)
    parser.add_argument("--parboil", type=Path)
    parser.add_argument("--build", type=Path, default=Path("build/c_hosts"))
    parser.add_argument("--limit", type=float, default=120, help="seconds for a run")
    parser.add_argument("programs", nargs="*", help="those whose names begin so")
    args = parser.parse_args()
    build = args.build.resolve()

    def wanted(name: str) -> bool:
        return not args.programs or any(name.startswith(p) for p in args.programs)

    print("| program | read | compiles | equal |\n|---|---|---|---|", flush=True)
    rows: list[Row] = []
    for source, suite in ((args.rodinia, rodinia), (args.parboil, parboil)):
        for program in suite(source.resolve(), build, wanted) if source is not None else ():
            rows.append(measure(program, build, args.limit))
            print(rows[-1].text(), flush=True)
    read = sum(row.read == "yes" for row in rows)
    print(f"{read} of {len(rows)} read, {sum(r.compiles == 'yes' for r in rows)} compile, "
          f"{sum(r.equal.startswith('yes') for r in rows)} run equal")  # fmt: skip


if __name__ == "__main__":
    main()
