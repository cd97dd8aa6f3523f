"""How far the OpenCL kernels of public programs get: `python -m bench.corpus FOLDER`.

`FOLDER` has the sources of the projects of `corpus_projects.json`, each as `FOLDER/NAME` (none of
them is kept here):

    for repository in $(python -m bench.corpus --list); do
        git clone --depth 1 https://github.com/$repository FOLDER/${repository#*/}
    done
    python -m bench.corpus FOLDER --jobs 4
    python -m bench.corpus FOLDER --only hashcat --sample 20 --details

Each file that defines a kernel goes through the stages of `bench/suites.py`: clang with all
extensions that it knows, the importer, the verifier, a round trip through text, and all kernels to
machine code. It has the options that its host program would give, as far as they are known; what
clang refuses then is no program, and counts for nothing. `generated` files need text that a host
program writes.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import re
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bench.corpus_results import compare_results
from bench.suites import HOST_SUFFIXES, STAGES, Report, Suite, run_all

_TABLE = Path(__file__).with_name("corpus_projects.json")
_REASON_LENGTH = 110


@dataclass(frozen=True)
class Project:
    """An entry of the table of projects."""

    name: str
    repository: str
    """Of GitHub: owner and name."""
    files: Sequence[str]
    """Patterns of the kernels' paths."""
    skip: Sequence[str] = ()
    """Patterns of paths that are parts of others."""
    before: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Patterns of paths -> patterns of the files that the host program puts in front of them."""
    options: str = ""

    @property
    def folder(self) -> str:
        return self.repository.partition("/")[2]


class ProjectFiles(Suite):
    """The files of a project in a folder."""

    def __init__(self, folder: Path, project: Project):
        super().__init__((folder / project.folder).resolve(), {})
        self.name = project.name
        self.project = project
        self.compares = False
        """Whether kernels are launched, too."""

    def kernel_files(self) -> list[Path]:
        found = {path for pattern in self.project.files for path in self.root.glob(pattern)}
        return sorted(path for path in found if path.is_file() and not self._is_skipped(path))

    def _is_skipped(self, path: Path) -> bool:
        return any(fnmatch.fnmatch(self._relative(path), skip) for skip in self.project.skip)

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def finish(self, path: Path, report: Report) -> None:
        if self.compares:
            found = compare_results(self.text(path), report.options)
            report.same, report.different = len(found.same), found.different

    def host_files(self, near: Path) -> list[Path]:
        # The projects are too large to search all of their files for each name.
        return sorted(p for p in near.parent.iterdir() if p.suffix in HOST_SUFFIXES)

    def value_of(self, name: str, near: Path) -> str | None:
        found = super().value_of(name, near)
        if found is None and name.isupper():
            # Sizes are most of what host programs define.
            return "float" if "TYPE" in name else "16"
        return found

    def folder_of(self, header: str, near: Path) -> Path | None:
        return None

    def text(self, path: Path) -> bytes:
        before = [
            file
            for own, patterns in self.project.before.items()
            if fnmatch.fnmatch(self._relative(path), own)
            for pattern in patterns
            for file in sorted(self.root.glob(pattern))
        ]
        parts = [f'#line 1 "{file}"\n'.encode() + _kernel_text(file) for file in before]
        if parts:
            parts.append(f'#line 1 "{path}"\n'.encode())
        return b"\n".join([*parts, _kernel_text(path)])

    def options(self, path: Path) -> list[str]:
        own = [
            f"-I{self.root / word[2:]}" if word.startswith("-I") else word
            for word in shlex.split(self.project.options)
        ]
        return [*own, f"-I{path.parent}", f"-I{self.root}"]


def _kernel_text(path: Path) -> bytes:
    """The text of a file, without the marks of a raw string of C++ around it."""
    data = path.read_bytes()
    opening = re.search(rb'^R"(\w*)\(', data, re.MULTILINE)
    if opening is None:
        return data
    closing = b")" + opening[1] + b'"'
    lines = data[: opening.start()].count(b"\n")
    return b"\n" * lines + data[opening.end() :].partition(closing)[0]


def projects() -> list[Project]:
    """The table of projects."""
    table: dict[str, dict[str, Any]] = json.loads(_TABLE.read_text(encoding="utf-8"))
    return [Project(name, **entry) for name, entry in table.items()]


def reason_of(report: Report) -> str:
    """The message of a file, without what is of this file only."""
    first = report.message.partition("\n")[0]
    text = re.sub(r"^[^\s:]*:\d+:\d+: (error: )?", "", first)
    text = re.sub(r"'[^']*'", "'...'", text) if len(text) > _REASON_LENGTH else text
    text = re.sub(r"%?\d+", "N", text)[:_REASON_LENGTH]
    return f"{report.stopped_at}: {text}"


def place_of(report: Report) -> str:
    """The file, and the line if the message has it."""
    line = re.match(r"[^\s:]*:(\d+):", report.message)
    return report.path + (f":{line[1]}" if line else "")


def print_projects(reports: Mapping[str, Sequence[Report]]) -> None:
    """A line for each project, and the sum."""
    print("| project | files | clang accepts | imported | compiled | kernels | median s | max s |")
    print("|---|---|---|---|---|---|---|---|")
    everything = [report for found in reports.values() for report in found]
    for name, found in [*reports.items(), ("all", everything)]:
        accepted = [report for report in found if is_program(report)]
        times = [report.seconds for report in accepted] or [0.0]
        counts = [sum(stage in r.passed for r in accepted) for stage in ("roundtrip", "object")]
        print(
            f"| {name} | {len(found)} | {len(accepted)} | {counts[0]} | {counts[1]} | "
            f"{sum(r.kernels for r in accepted)} | {median(times):.2f} | {max(times):.1f} |"
        )


def is_program(report: Report) -> bool:
    """Whether clang accepts a file and it has kernels."""
    return "clang" in report.passed and report.kernels > 0


def print_reasons(reports: Sequence[Report], until: str) -> None:
    """What stopped the files, most frequent first."""
    reasons: Counter[str] = Counter()
    examples: dict[str, list[str]] = defaultdict(list)
    for report in reports:
        if is_program(report) and until not in report.passed:
            reasons[reason_of(report)] += 1
            examples[reason_of(report)].append(place_of(report))
    print("\n| files | reason | for example |\n|---|---|---|")
    for reason, count in reasons.most_common():
        print(f"| {count} | {reason} | {examples[reason][0]} |")


def print_results(reports: Sequence[Report]) -> None:
    """The kernels whose results were compared, and those that differ."""
    print(f"\n{sum(r.same for r in reports)} kernels have the same results on interp and cpu")
    for report in reports:
        for difference in report.different:
            print(f"{report.path}: {difference}")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
    )
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    parser.add_argument("--list", action="store_true", help="print the repositories")
    parser.add_argument("--only", metavar="TEXT", help="projects or paths with TEXT in them")
    parser.add_argument("--sample", type=int, metavar="N", help="at most N files of a project")
    parser.add_argument("--until", choices=("clang", "roundtrip", "object"), default=STAGES[-1])
    parser.add_argument("--results", action="store_true", help="launch what can be launched")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="files at the same time")
    parser.add_argument("--timeout", type=float, default=60, help="of the processor, for one file")
    parser.add_argument("--details", action="store_true", help="each file that stopped")
    args = parser.parse_args(argv)
    if args.list:
        print("\n".join(dict.fromkeys(project.repository for project in projects())))
        return 0
    if args.folder is None or not args.folder.is_dir():
        parser.error("FOLDER: expected a folder with the projects' sources")
    work: list[tuple[Suite, Path]] = []
    for project in projects():
        suite = ProjectFiles(args.folder, project)
        suite.until, suite.compares = args.until, args.results
        files = [p for p in suite.kernel_files() if (args.only or "") in f"{project.name} {p}"]
        step = max(1, -(-len(files) // args.sample)) if args.sample else 1
        work += [(suite, path) for path in files[::step]]

    def show(report: Report) -> None:
        if args.details and args.until not in report.passed:
            message = report.message.partition("\n")[0]
            print(f"{report.path}: stopped at {report.stopped_at}: {message}")
            print(f"    {report.seconds:.1f} s,", *report.options, flush=True)

    reports = run_all(work, args.jobs, args.timeout, show)
    by_project: dict[str, list[Report]] = defaultdict(list)
    for report in reports:
        by_project[report.suite].append(report)
    print_projects(by_project)
    print_reasons(reports, args.until)
    if args.results:
        print_results(reports)
    return int(any(is_program(r) and args.until not in r.passed for r in reports))


if __name__ == "__main__":
    sys.exit(main())
