"""Khronos's conformance tests on an OpenCL driver, as a table of the test directories.

    python -m bench.cts BUILD [DIRECTORY ...] [--driver LIBRARY.so] [-j 4] [--logs FOLDER]

`BUILD` is the folder in which the tests were built, `test_conformance` of which has the programs;
they are not part of this repository:

    git clone https://github.com/KhronosGroup/OpenCL-CTS
    git clone https://github.com/KhronosGroup/OpenCL-Headers
    git clone https://github.com/KhronosGroup/SPIRV-Headers
    cmake --compile-no-warning-as-error -G Ninja -S OpenCL-CTS -B BUILD \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DOPENCL_LIBRARIES=OpenCL \
        -DCL_INCLUDE_DIR=$PWD/OpenCL-Headers -DCL_LIB_DIR=/usr/lib/x86_64-linux-gnu \
        -DSPIRV_INCLUDE_DIR=$PWD/SPIRV-Headers
    ninja -C BUILD test_api test_basic ...        # or all

(spirv-as and spirv-val must be there: Debian's package spirv-tools.)

Each test is a process of its own. Where the tests have a short ("wimpy") mode, they run in it, and
`math_brute_force` with scalars only; a conformance submission runs all of them, for hours.
Directories that are not built are left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path

from bench.opencl_tests import (
    Test,
    add_arguments,
    driver_environment,
    exit_status,
    fail,
    print_table,
    run_tests,
)

PROGRAMS = {
    "api": "api/test_api",
    "basic": "basic/test_basic",
    "computeinfo": "computeinfo/test_computeinfo",
    "compiler": "compiler/test_compiler",
    "events": "events/test_events",
    "allocations": "allocations/test_allocations single 10%",
    "buffers": "buffers/test_buffers",
    "profiling": "profiling/test_profiling",
    "relationals": "relationals/test_relationals",
    "integer_ops": "integer_ops/test_integer_ops",
    "commonfns": "commonfns/test_commonfns",
    "geometrics": "geometrics/test_geometrics",
    "vectors": "vectors/test_vectors",
    "select": "select/test_select",
    "atomics": "atomics/test_atomics",
    "printf": "printf/test_printf",
    "mem_host_flags": "mem_host_flags/test_mem_host_flags",
    "thread_dimensions": "thread_dimensions/test_thread_dimensions",
    "workgroups": "workgroups/test_workgroups",
    "device_partition": "device_partition/test_device_partition",
    "multiple_device_context": "multiple_device_context/test_multiples",
    "image kernel_read_write": "images/kernel_read_write/test_image_streams small_images",
    "image kernel_image_methods": "images/kernel_image_methods/test_kernel_image_methods",
    "image clFillImage": "images/clFillImage/test_cl_fill_images small_images",
    "image clGetInfo": "images/clGetInfo/test_cl_get_info small_images",
    "image clCopyImage": "images/clCopyImage/test_cl_copy_images small_images",
    "image clReadWriteImage": "images/clReadWriteImage/test_cl_read_write_images small_images",
    "image samplerlessReads": "images/samplerlessReads/test_samplerless_reads small_images",
    "SVM": "SVM/test_svm",
    "half": "half/test_half",
    "conversions": "conversions/test_conversions",
    "contractions": "contractions/test_contractions",
    "math_brute_force": "math_brute_force/test_bruteforce -1",
    "c11_atomics": "c11_atomics/test_c11_atomics",
    "generic_address_space": "generic_address_space/test_generic_address_space",
    "non_uniform_work_group": "non_uniform_work_group/test_non_uniform_work_group",
    "subgroups": "subgroups/test_subgroups",
    "device_timer": "device_timer/test_device_timer",
    "pipes": "pipes/test_pipes",
    "device_execution": "device_execution/test_device_execution",
}
"""The program of each directory, and its options."""


TYPES = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
TYPES += ("half", "float", "double")


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the OpenCL conformance tests.")
    parser.add_argument("build", type=Path, metavar="BUILD")
    parser.add_argument("directories", nargs="*", metavar="DIRECTORY", help="only these")
    parser.add_argument("--list", action="store_true", help="print the directories' names")
    add_arguments(parser)
    args = parser.parse_args()
    unknown = set(args.directories) - set(PROGRAMS)
    if unknown:
        fail(f"unknown directories {sorted(unknown)}; known: {list(PROGRAMS)}")
    if args.list:
        print("\n".join(PROGRAMS))
        return
    tests: list[Test] = []
    for directory in args.directories or PROGRAMS:
        tests += tests_of(args.build, directory, args.driver)
    if not tests:
        fail(f"no test program is in {args.build / 'test_conformance'}")
    results = run_tests(tests, args)
    print_table(results)
    sys.exit(exit_status(results))


def tests_of(build: Path, directory: str, driver: Path | None) -> list[Test]:
    """The tests of a directory; none if its program is not built."""
    path, *options = PROGRAMS[directory].split()
    program = (build / "test_conformance" / path).resolve()
    if not program.exists():
        return []
    listed = subprocess.run(
        [program, "--list"],
        cwd=program.parent,
        env=driver_environment(driver),
        capture_output=True,
        text=True,
        check=True,
    )
    names = [line.strip() for line in listed.stdout.splitlines() if line.startswith("\t")]
    # What is run, and the name under which it passes.
    tests = {name: name for name in names}
    if directory == "conversions":
        tests = dict.fromkeys(_conversions(), directory)
    command = [program, "--wimpy", *options]
    return [
        Test(directory, test, [*command, test], program.parent, judge=partial(verdict, name))
        for test, name in tests.items()
    ]


def _conversions() -> Iterator[str]:
    """All 1045 conversions, which the program takes as arguments."""
    for target, source in product(TYPES, TYPES):
        for saturation in ("",) if target in TYPES[8:] else ("", "_sat"):
            for rounding in ("", "_rte", "_rtz", "_rtp", "_rtn"):
                yield f"{target}{saturation}{rounding}_{source}"


def verdict(name: str, output: str, status: int) -> str:
    """The verdict on the test `name`; a line of the output says so if it passed."""
    if status:
        return "failed"
    return "passed" if f"{name} passed\n" in output else "skipped"


if __name__ == "__main__":
    main()
