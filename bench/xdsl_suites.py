"""xDSL's own tests, without and with polycl installed: `python -m bench.xdsl_suites XDSL WORK`.

`XDSL` is a checkout of xDSL's sources, best at the release that is installed here; its tests run
against that release in two new environments in the folder `WORK`, which the command makes. The
table has how many tests passed and failed in each, and how many ended differently. Tests of
another commit than the release's may fail in both.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
TOOLS = (
    "pytest",
    "pytest-asyncio",
    "pytest-xdist",
    "lit<19",
    "filecheck==1.0.3",
    "sympy",
    "toml",
    "textual>=8,<9",
)


def make_environment(folder: Path, tests: Path, packages: Sequence[str]) -> None:
    """A virtual environment with xDSL's release, what its tests use, and `packages`."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "-q"]
    plugins = [tests / "tests" / "my_plugin", tests / "docs" / "Toy"]
    subprocess.run([*pip, f"xdsl[llvm]=={version('xdsl')}", *TOOLS, *packages], check=True)
    subprocess.run([*pip, "--no-deps", *plugins], check=True)


def run_pytest(folder: Path, tests: Path) -> dict[str, str]:
    """The outcome of each test of the pytest suite, by its name."""
    report = folder / "pytest.xml"
    options = [
        "-n",
        "2",
        "-q",
        "--continue-on-collection-errors",
        "--maxfail=0",
        "--import-mode=importlib",
    ]
    command = ["python", "-P", "-m", "pytest", *options, f"--junitxml={report}", "tests"]
    _run(folder, tests, command)
    outcomes: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        name = f"{case.get('classname')}::{case.get('name')}"
        outcomes[name] = kinds[0] if kinds else "passed"
    return outcomes


def run_filecheck(folder: Path, tests: Path) -> dict[str, str]:
    """The outcome of each file of the FileCheck suite."""
    report = folder / "lit.json"
    _run(folder, tests, ["lit", "-q", "-j", "2", "-o", str(report), "tests/filecheck"])
    found = json.loads(report.read_text(encoding="utf-8"))["tests"]
    return {test["name"]: test["code"] for test in found}


def _run(folder: Path, tests: Path, command: Sequence[str]) -> None:
    """Run a program of the environment; what its tests say is in its report."""
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    with (folder / f"{command[0]}.log").open("w", encoding="utf-8") as log:
        environment = {**os.environ, "PATH": path}
        program = [str(folder / "bin" / command[0]), *command[1:]]
        subprocess.run(program, cwd=tests, env=environment, stdout=log, stderr=log, check=False)


def report(suite: str, without: Mapping[str, str], with_polycl: Mapping[str, str]) -> None:
    names = without.keys() | with_polycl.keys()
    differing = sorted(n for n in names if without.get(n) != with_polycl.get(n))
    for label, outcomes in (("without", without), ("with", with_polycl)):
        counts = Counter(outcome.lower() for outcome in outcomes.values())
        text = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
        print(f"{suite:10} {label:8} {len(outcomes):6} tests: {text}")
    print(f"{suite:10} {len(names) - len(differing)} equal, {len(differing)} different")
    for name in differing:
        print(f"  {name}: {without.get(name)} without, {with_polycl.get(name)} with polycl")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("xdsl", type=Path, help="a checkout of xDSL")
    parser.add_argument("work", type=Path, help="a new folder for the environments")
    arguments = parser.parse_args()
    # Beside the tests, xDSL's sources would hide the release.
    tests: Path = arguments.work.resolve() / "sources"
    for name in ("tests", "docs"):
        shutil.copytree(arguments.xdsl / name, tests / name)
    shutil.copy(arguments.xdsl / "pyproject.toml", tests)
    environments: dict[str, list[str]] = {"without": [], "with": [str(ROOT)]}
    folders = {name: tests.parent / name for name in environments}
    for name, packages in environments.items():
        make_environment(folders[name], tests, packages)
    for suite, run in (("pytest", run_pytest), ("filecheck", run_filecheck)):
        report(suite, *(run(folder, tests) for folder in folders.values()))


if __name__ == "__main__":
    main()
