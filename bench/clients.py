"""Programs that use OpenCL, on a driver: which pass their own checks, and the time of the process.

    python -m bench.clients [SUITE ...] [--driver LIBRARY.so] [--build FOLDER] [-j 2]

clblast  the tests of CLBlast, which compare with a BLAS library of the CPU; Debian's package
         `clblast-tests`
clfft    transforms by clFFT's client, which checks the result; Debian's package `clfft-client`
viennacl and pocl are built in `FOLDER/viennacl` and `FOLDER/pocl`:

    git clone https://github.com/viennacl/viennacl-dev
    cmake -G Ninja -S viennacl-dev -B FOLDER/viennacl -DCMAKE_BUILD_TYPE=Release \
        -DENABLE_OPENCL=ON -DENABLE_OPENMP=OFF -DENABLE_CUDA=OFF -DBUILD_TESTING=ON \
        -DBUILD_EXAMPLES=ON
    ninja -C FOLDER/viennacl                      # needs Boost; the tests read data of the examples
    git clone https://github.com/pocl/pocl        # the tests and examples without the driver
    cmake -G Ninja -S pocl -B FOLDER/pocl -DCMAKE_BUILD_TYPE=Release -DENABLE_LLVM=OFF \
        -DENABLE_HOST_CPU_DEVICES=OFF -DENABLE_TESTS=ON -DENABLE_EXAMPLES=ON -DENABLE_ICD=ON
    ninja -C FOLDER/pocl

Each program runs twice: the table of `--times` has the seconds with an empty cache (cold) and with
the cache that the first run has filled (warm). The caches are folders in `XDG_CACHE_HOME`, where
PoCL and polycl keep them. With `--peer pocl=/usr/lib/libpocl.so` each program runs on that driver,
too, right after the run on `--driver`; take `-j 1` where times count.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from bench.opencl_tests import (
    Result,
    Test,
    add_arguments,
    exit_status,
    fail,
    print_table,
    run_tests,
)

CLBLAST = Path("/usr/bin")
"""Where the tests of CLBlast are."""
TRANSFORMS = (
    "-x 16",
    "-x 64 -b 100",
    "-x 1024 -b 16",
    "-x 4096",
    "-x 65536",
    "-x 1048576",
    "-x 243 -b 10",
    "-x 3125",
    "-x 625 -b 4",
    "-x 6000",
    "-x 1000 -b 3 -o",
    "-x 1024 --double",
    "-x 720 --double -o",
    "-x 32 -y 32",
    "-x 256 -y 128 -o",
    "-x 100 -y 60",
    "-x 512 -y 512 --double",
    "-x 16 -y 16 -z 16",
    "-x 30 -y 20 -z 10 -o",
    "-x 1024 --inLayout 5 --outLayout 3 -o",
    "-x 1024 --inv --inLayout 3 --outLayout 5 -o",
    "-x 1024 --inLayout 2 --outLayout 2 -o",
)
"""Options of clFFT's client: lengths of radix 2, 3 and 5, in place and not, real and complex. It
expects that a constant becomes exact zeros, which rounding does not give for radix 7, 11 and 13."""
_NOT_FOR_A_DRIVER = re.compile(r"llvm-ir|poclcc|^unit/|pocl_test_dlopen|pocl_version_check")
"""Tests of PoCL's compiler and library."""


def main() -> None:
    suites: dict[str, Callable[[Path], list[Test]]] = {
        "clblast": clblast,
        "clfft": clfft,
        "viennacl": viennacl,
        "pocl": pocl,
    }
    parser = argparse.ArgumentParser(description="Run programs that use OpenCL.")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="|".join(suites))
    parser.add_argument("--build", type=Path, default=Path(), metavar="FOLDER")
    parser.add_argument("--once", action="store_true", help="with an empty cache only")
    parser.add_argument("--times", action="store_true", help="seconds of each program")
    parser.add_argument(
        "--peer",
        action="append",
        default=[],
        metavar="NAME=LIBRARY.so[,VARIABLE=VALUE]",
        help="another driver, on which each program runs next",
    )
    add_arguments(parser)
    args = parser.parse_args()
    unknown = set(args.suites) - set(suites)
    if unknown:
        fail(f"unknown suites {sorted(unknown)}; known: {list(suites)}")
    tests: list[Test] = []
    for suite in args.suites or suites:
        found = suites[suite](args.build)
        if not found:
            print(f"{suite} is not here; `pydoc bench.clients` says how to get it")
        tests += found
    tests = [on for test in tests for on in (test, *(_on(peer, test) for peer in args.peer))]
    with tempfile.TemporaryDirectory() as caches:
        tests = [_with_cache(test, Path(caches, str(n))) for n, test in enumerate(tests)]
        cold = run_tests(tests, args)
        args.quiet = True
        warm = cold if args.once else run_tests(tests, args)
    print("An empty cache:")
    print_table(cold)
    if not args.once:
        print("The cache of the first run:")
        print_table(warm)
    if args.times:
        print_times(cold, warm)
    sys.exit(exit_status([*cold, *warm]))


def _with_cache(test: Test, folder: Path) -> Test:
    folder.mkdir()
    return replace(test, environment={**test.environment, "XDG_CACHE_HOME": str(folder)})


def _on(peer: str, test: Test) -> Test:
    """The test on another driver, which `--peer` describes."""
    name, _, rest = peer.partition("=")
    library, *variables = rest.split(",")
    if not Path(library).is_file():
        fail(f"--peer {peer}: there is no file '{library}'")
    environment = {**test.environment, "OCL_ICD_VENDORS": str(Path(library).resolve())}
    environment.update(variable.split("=", 1) for variable in variables)
    return replace(test, group=f"{test.group} on {name}", environment=environment)


def print_times(cold: Sequence[Result], warm: Sequence[Result]) -> None:
    """The seconds of each program."""
    width = max((len(f"{r.test.group} {r.test.name}") for r in cold), default=0)
    print(f"{'':<{width}}     cold     warm")
    for first, second in zip(cold, warm, strict=True):
        name = f"{first.test.group} {first.test.name}"
        verdict = "" if first.verdict == second.verdict == "passed" else first.verdict
        print(f"{name:<{width}}  {first.seconds:7.2f}  {second.seconds:7.2f}  {verdict}".rstrip())


def clblast(build: Path) -> list[Test]:
    """The tests of CLBlast's routines, with few sizes each (`-full_test` is not given)."""
    programs = sorted(CLBLAST.glob("clblast_test_*"))
    return [
        Test("clblast", program.name.removeprefix("clblast_test_"), [program], Path())
        for program in programs
    ]


def clfft(build: Path) -> list[Test]:
    """Transforms by clFFT's client."""
    if not Path("/usr/bin/clFFT-client").exists():
        return []
    return [
        Test("clfft", options, ["clFFT-client", "-p", "1", *options.split()], Path(), judge=_clfft)
        for options in TRANSFORMS
    ]


def _clfft(output: str, status: int) -> str:
    return "passed" if not status and "Test *****PASS*****" in output else "failed"


def viennacl(build: Path) -> list[Test]:
    """ViennaCL's tests of its OpenCL kernels."""
    return _of_cmake("viennacl", build / "viennacl", lambda test: test["name"].endswith("-opencl"))


def pocl(build: Path) -> list[Test]:
    """PoCL's tests and examples, except those of its own compiler."""
    seen: set[str] = set()

    def wanted(test: dict[str, Any]) -> bool:
        # Most tests are there once for each of PoCL's ways to compile work-groups.
        command = " ".join(test["command"])
        new = command not in seen
        seen.add(command)
        return new and not _NOT_FOR_A_DRIVER.search(f"{test['name']} {command}")

    return _of_cmake("pocl", build / "pocl", wanted)


def _of_cmake(group: str, build: Path, wanted: Callable[[dict[str, Any]], bool]) -> list[Test]:
    """The tests that are registered with CMake in a folder where a project is built."""
    if not (build / "CTestTestfile.cmake").exists():
        return []
    listed = subprocess.run(
        ["ctest", "--test-dir", build, "--show-only=json-v1"],
        capture_output=True,
        text=True,
        check=True,
    )
    tests: list[Test] = []
    for test in json.loads(listed.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", ())}
        if not wanted(test) or not Path(test["command"][0]).exists():
            continue
        folder = Path(properties.get("WORKING_DIRECTORY", build))
        judge = partial(_judge, properties)
        tests.append(Test(group, test["name"], test["command"], folder, judge=judge))
    return tests


def _judge(properties: dict[str, Any], output: str, status: int) -> str:
    """CMake's rules for the verdict on a test."""

    def matches(name: str) -> bool:
        return any(re.search(pattern, output) for pattern in properties.get(name, ()))

    if status == properties.get("SKIP_RETURN_CODE") or matches("SKIP_REGULAR_EXPRESSION"):
        return "skipped"
    if matches("FAIL_REGULAR_EXPRESSION"):
        return "failed"
    if "PASS_REGULAR_EXPRESSION" in properties:
        return "passed" if matches("PASS_REGULAR_EXPRESSION") else "failed"
    return "failed" if status else "passed"


if __name__ == "__main__":
    main()
