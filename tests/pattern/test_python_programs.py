"""Programs in Python compute what numpy does, on all devices and for all sizes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import python_programs
from python_programs import CASES, Case

import polycl
from polycl.frontends.pattern.types import type_text

NAMES = [case.name for case in CASES]
SMALL = (0, 1, 2, 13)
LARGE = 4099

NO_DOUBLES = [case for case in CASES if "f64" not in str(case.program.op.function_type)]
"""For processors without double precision."""


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_interpreter(case: Case):
    for n in SMALL:
        python_programs.check(case, n, "interp")


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_cpu(case: Case):
    for n in (*SMALL, LARGE):
        python_programs.check(case, n, "cpu")


# A compilation for the simulated processor takes a while.
@pytest.mark.parametrize("case", CASES[::6], ids=NAMES[::6])
def test_the_processor(case: Case):
    python_programs.check(case, 7, "tta")


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_processor_on_all(case: Case):
    for n in (1, 7):
        python_programs.check(case, n, "tta")


def on_opencl(*sizes: str) -> str:
    """What differs on Intel's runtime. It runs in its own process: its LLVM is another one."""
    script = Path(python_programs.__file__)
    command = [sys.executable, str(script), "opencl:intel", *sizes]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_opencl_runtime():
    assert on_opencl("13") == ""


@pytest.mark.slow
def test_an_opencl_runtime_on_more_sizes():
    assert on_opencl("0", "1", "2", "4099") == ""


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_text_of_a_program_is_the_program(case: Case):
    module = case.program.module
    read = polycl.load(case.program.mlir, language="mlir")
    assert str(read.module) == str(module)
    assert list(read.functions) == [case.name]
    parameters = [type_text(parameter.type) for parameter in read.function(case.name).parameters]
    assert parameters == [str(type) for type in case.program.source.parameters.values()]
