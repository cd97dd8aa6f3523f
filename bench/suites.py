"""How far the OpenCL kernels of benchmark suites get: `python bench/suites.py SUITE_DIR...`.

Every `.cl` file of the folders (which stay where they are; no kernel of theirs is kept here) goes
through clang, the importer, the verifier, a round trip through text, the CPU pipeline, LLVM IR
and machine code. Kernels that need `-D` or `-I` options get them as a host program would give
them: a name that clang misses is looked up in the command line's `-D`, in
`suites_defines.json`, and in the suite's own host sources; a missing header in the suite.

    python bench/suites.py /scratch/rodinia /scratch/parboil --jobs 2
    python bench/suites.py /scratch/suite --only fft -D SIZE=128 --details
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import re
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from xdsl.parser import Parser

from polycl.analysis.ocl.module_parts import find_kernel, only_kernel
from polycl.backends.cpu.jit import compile_object
from polycl.backends.cpu.llvm_ir import llvm_ir
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.device import ArgumentFacts, NDRange
from polycl.backends.pipeline import make_context, run_passes
from polycl.dialects import ocl
from polycl.errors import PolyclError, SourceError
from polycl.frontends.opencl_c import clang_api, import_source
from polycl.frontends.opencl_c.clang_api import CursorKind
from polycl.frontends.opencl_c.options import parse_options
from polycl.frontends.opencl_c.source import Source, parse

STAGES = ("clang", "import", "verify", "roundtrip", "pipeline", "llvm-ir", "object")
HOST_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".mk")
_WAITING = 10
"""Seconds of the clock that one of the processor may take, where other work has the machine."""
_ATTEMPTS = 24
"""Options that one file may need."""


@dataclass
class Report:
    """One file: the stages that it passed, and what stopped it."""

    path: str
    suite: str
    passed: list[str] = field(default_factory=list)
    message: str = ""
    kernels: int = 0
    options: tuple[str, ...] = ()
    seconds: float = 0.0
    same: int = 0
    """Kernels with the same results on both devices, where they were compared."""
    different: list[str] = field(default_factory=list)
    """The others, and how they differ."""

    @property
    def stopped_at(self) -> str | None:
        return None if len(self.passed) == len(STAGES) else STAGES[len(self.passed)]


class Suite:
    """A folder with kernels, and the options that its host sources give them."""

    def __init__(self, root: Path, given: dict[str, str]):
        self.root = root
        self.name = root.name
        self.given = given
        self.until = STAGES[-1]
        """The last stage to run."""
        table = Path(__file__).with_name("suites_defines.json")
        self.table: dict[str, str] = json.loads(table.read_text(encoding="utf-8"))

    def text(self, path: Path) -> bytes:
        """What the compiler gets for a file."""
        return path.read_bytes()

    def options(self, path: Path) -> list[str]:
        """The options with which the search for more of them starts."""
        return [f"-I{path.parent}", *(f"-D{name}={value}" for name, value in self.given.items())]

    def report(self, path: Path) -> Report:
        """The report of a file before its first stage."""
        return Report(str(path.relative_to(self.root.parent)), self.name)

    def finish(self, path: Path, report: Report) -> None:
        """What remains to do with a file that passed all stages."""

    def kernel_files(self) -> list[Path]:
        return sorted(p for p in self.root.rglob("*.cl") if p.is_file())

    def value_of(self, name: str, near: Path) -> str | None:
        """What a host program would pass as `-D name=...`."""
        if name in self.given:
            return self.given[name]
        if name in self.table:
            return self.table[name]
        pattern = re.compile(
            rf"-D\s*{name}=(\d[\w.]*)|^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+\(?(-?\d[\w.]*)",
            re.MULTILINE,
        )
        for host in self.host_files(near):
            match = pattern.search(_text(host))
            if match:
                return match[1] or match[2]
        return None

    def host_files(self, near: Path) -> list[Path]:
        """The host sources, those of the nearest folders first."""
        folders = [p for p in near.parents if p == self.root or self.root in p.parents]
        found: list[Path] = []
        for folder in folders[:3]:
            files = sorted(p for p in folder.rglob("*") if p.suffix in HOST_SUFFIXES)
            found += [p for p in files[:400] if p not in found]
        return found

    def folder_of(self, header: str, near: Path) -> Path | None:
        """The folder to include so that `#include "header"` finds a file of the suite."""
        for folder in near.parents:
            for file in sorted(folder.rglob(Path(header).name)):
                if file.is_file() and file.as_posix().endswith("/" + header.lstrip("./")):
                    return Path(file.as_posix().removesuffix(header.lstrip("./")))
            if folder == self.root:
                return None
        return None


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="latin-1")


def find_options(suite: Suite, path: Path) -> tuple[str, ...]:
    """Options with which clang accepts the file.

    Raises:
        SourceError: clang refuses the file with all options that were found.
    """
    options = suite.options(path)
    for _ in range(_ATTEMPTS):
        try:
            _parse(suite, path, options)
            return tuple(options)
        except SourceError as error:
            more = _remedy(suite, path, str(error), options)
            if more is None:
                raise
            options.append(more)
    return tuple(options)


def _parse(suite: Suite, path: Path, options: Sequence[str]) -> Source:
    return parse(suite.text(path), str(path), parse_options(options), all_extensions=True)


def _remedy(suite: Suite, path: Path, error: str, options: list[str]) -> str | None:
    """One more option that may help against the first of clang's errors that names one."""
    for header in re.findall(r"'([^']+)' file not found", error):
        folder = suite.folder_of(header, path)
        if folder is not None and f"-I{folder}" not in options:
            return f"-I{folder}"
    names = re.findall(
        r"(?:undeclared identifier|unknown type name|invalid token|declaration of) '(\w+)'", error
    )
    for name in names:
        if not any(option.startswith(f"-D{name}=") for option in options):
            value = suite.value_of(name, path)
            if value is not None:
                return f"-D{name}={value}"
    for standard in ("CL2.0", "CL3.0", "CLC++"):
        if not any(option.startswith("-cl-std=") for option in options):
            if _accepts(suite, path, [*options, f"-cl-std={standard}"], error):
                return f"-cl-std={standard}"
    single = "-cl-single-precision-constant"
    return single if single not in options and "vector" in error else None


def _accepts(suite: Suite, path: Path, options: list[str], error: str) -> bool:
    try:
        _parse(suite, path, options)
        return True
    except SourceError as other:
        return str(other).count("error:") < error.count("error:")


def examine(suite: Suite, path: Path, show: Callable[[Report], None]) -> None:
    """Take one file through all stages; `show` gets the report after each."""
    report = suite.report(path)
    try:
        for stage in _stages(suite, path, report):
            report.passed.append(stage)
            report.seconds = time.process_time()
            show(report)
        suite.finish(path, report)
    except PolyclError as error:
        report.message = str(error)
    except Exception as error:
        report.message = f"{type(error).__name__}: {error}"
    report.seconds = time.process_time()
    show(report)


def _stages(suite: Suite, path: Path, report: Report) -> Iterator[str]:
    """The stages that the file passes."""
    report.options = find_options(suite, path)
    report.kernels = count_kernels(_parse(suite, path, report.options))
    yield "clang"
    if suite.until == "clang":
        return
    module = import_source(suite.text(path), str(path), report.options)
    yield "import"
    module.verify()
    yield "verify"
    text = str(module)
    again = Parser(make_context(), text).parse_module()
    again.verify()
    if str(again) != text:
        raise PolyclError("the text of the module changed on the way through the parser")
    yield "roundtrip"
    if suite.until == "roundtrip":
        return
    kernels = [op.sym_name.data for op in module.ops if isinstance(op, ocl.KernelOp)]
    programs = []
    for name in kernels:
        program = only_kernel(module, name)
        local_size = find_kernel(program, name).required_size or (64, 1, 1)
        ndrange = NDRange(local_size, local_size, facts=ArgumentFacts((), True, True))
        run_passes(program, cpu_pipeline(ndrange, contract=True))
        programs.append(program)
    yield "pipeline"
    texts = [llvm_ir(program) for program in programs]
    yield "llvm-ir"
    for ir in texts:
        compile_object(ir)
    yield "object"


def count_kernels(source: Source) -> int:
    """The kernels that a source defines."""
    heads = (
        clang_api.pretty_printed(cursor).partition("{")[0]
        for cursor in clang_api.children(source.tu.cursor)
        if cursor.kind is CursorKind.FUNCTION_DECL and cursor.is_definition()
    )
    return sum(re.search(r"\b(__)?kernel\b", head) is not None for head in heads)


def _worker(suite: Suite, path: Path, results: Connection, timeout: float) -> None:
    # Other work on the machine must not change the verdict.
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(timeout), math.ceil(timeout) + 1))
    examine(suite, path, results.send)
    results.close()


def run_all(
    work: Sequence[tuple[Suite, Path]],
    jobs: int,
    timeout: float,
    done: Callable[[Report], None] = lambda report: None,
) -> list[Report]:
    """Each file in a process of its own: a crash or a hang is a line of the table.

    Ctrl-C ends the run; the reports are those of the files that are done.
    """
    reports: dict[int, Report] = {}
    try:
        _run_all(work, jobs, timeout, done, reports)
    except KeyboardInterrupt:
        print(" stopped", end="", file=sys.stderr)
    print(file=sys.stderr)
    return [reports[number] for number in sorted(reports)]


def _run_all(
    work: Sequence[tuple[Suite, Path]],
    jobs: int,
    timeout: float,
    done: Callable[[Report], None],
    reports: dict[int, Report],
) -> None:
    context = multiprocessing.get_context("fork")
    waiting = list(enumerate(work))
    running: dict[Connection, tuple[int, BaseProcess, float]] = {}
    latest: dict[int, Report] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            number, (suite, path) = waiting.pop(0)
            receive, send = context.Pipe(duplex=False)
            process = context.Process(target=_worker, args=(suite, path, send, timeout))
            process.start()
            send.close()
            running[receive] = (number, process, time.monotonic() + _WAITING * timeout)
        wait(list(running), timeout=1.0)
        for connection, (number, process, deadline) in list(running.items()):
            suite, path = work[number]
            report = latest.setdefault(number, suite.report(path))
            late = time.monotonic() > deadline
            try:
                if connection.poll():
                    latest[number] = connection.recv()
                    continue
                if not late:
                    continue
                process.kill()
                process.join()
                report.message = f"no result in {_WAITING * timeout:g} s of the clock"
            except EOFError:
                process.join()
                if process.exitcode == -signal.SIGXCPU:
                    report.message = f"no result in {timeout:g} s"
                    report.seconds = timeout
                elif process.exitcode:
                    report.message = f"crash (code {process.exitcode})"
            del running[connection]
            reports[number] = report
            done(report)
            print(f"\r{len(reports)}/{len(work)}", end="", file=sys.stderr)


def show(reports: list[Report], details: bool) -> None:
    """The table of stages, and each file that stopped."""
    for report in reports:
        marks = "".join(s[0] if s in report.passed else "." for s in STAGES)
        print(f"{marks}  {report.kernels:3d} kernels  {report.seconds:6.1f} s  {report.path}")
    print()
    stopped = Counter(report.stopped_at for report in reports)
    left = len(reports)
    for stage in STAGES:
        left -= stopped[stage]
        print(f"{stage:>10}: {left:4d} of {len(reports)} files, {stopped[stage]} stopped here")
    print(f"{sum(r.kernels for r in reports)} kernels")
    for report in reports:
        if report.stopped_at is None:
            continue
        lines = report.message.split("\n")
        print(f"\n{report.path}: stopped at {report.stopped_at}")
        if details:
            print("  options:", *report.options)
        print("  " + "\n  ".join(lines if details else lines[:1]))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suites", nargs="+", type=Path, metavar="SUITE_DIR")
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--only", default="", help="files whose path holds this text")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120.0, help="of the processor, for a file")
    parser.add_argument("--details", action="store_true", help="options and whole messages")
    arguments = parser.parse_args(argv)
    given = dict(text.partition("=")[::2] for text in arguments.defines)
    suites = [Suite(folder.resolve(), given) for folder in arguments.suites]
    work = [(s, p) for s in suites for p in s.kernel_files() if arguments.only in str(p)]
    reports = run_all(work, arguments.jobs, arguments.timeout)
    show(reports, arguments.details)
    return int(any(report.stopped_at not in (None, "clang") for report in reports))


if __name__ == "__main__":
    sys.exit(main())
