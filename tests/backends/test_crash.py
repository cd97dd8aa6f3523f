"""A kernel that crashes ends the process by its signal, after a line that names it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

# The place is in memory: what numbers of the launch prove is refused before it runs.
PROGRAM = """
import ctypes, faulthandler, signal
import numpy as np, polycl
BEFORE
source = "kernel void wild(global int *x, global ulong *at) { x[get_global_id(0) + *at] = 1; }"
at = np.zeros(1, np.uint64)
x = np.zeros(SIZE, np.int32)
kernel = polycl.load(source).kernel("wild")
device = polycl.device("cpu", threads=2)
sizes = {"global_size": SIZE, "local_size": 4, "device": device}
kernel(x, at, **sizes)
AFTER
at[0] = 1 << 50
kernel.bind(x, at, **sizes).launch()
"""
LINE = (
    "polycl: kernel 'wild' crashed: an access to memory that is not the process's (out of bounds, "
    "or a stack overflow). It was launched with the global size {0} and the local size 4; "
    "ocl-run --check, or the device polycl.device('interp', check=True), finds the place\n"
)


def crash(before: str = "", after: str = "", size: int = 8) -> subprocess.CompletedProcess[str]:
    program = PROGRAM.replace("BEFORE", before).replace("AFTER", after).replace("SIZE", str(size))
    command = [sys.executable, "-c", program]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONFAULTHANDLER"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("size", [8, 1 << 20])
def test_a_line_names_the_kernel(size: int):
    done = crash(size=size)
    assert (done.returncode, done.stderr) == (-signal.SIGSEGV, LINE.format(size))


def test_faulthandler_follows():
    done = crash("faulthandler.enable()")
    assert done.returncode == -signal.SIGSEGV
    assert done.stderr.startswith(LINE.format(8) + "Fatal Python error: Segmentation fault\n")


def test_a_handler_of_the_host_follows():
    handler = """
import os
@ctypes.CFUNCTYPE(None, ctypes.c_int)
def handle(number):
    os._exit(number)
ctypes.CDLL(None).signal(signal.SIGSEGV, handle)
"""
    done = crash(handler)
    assert (done.returncode, done.stderr) == (signal.SIGSEGV, LINE.format(8))


def test_other_crashes_are_not_the_kernels():
    done = crash(after="ctypes.string_at(0)")
    assert (done.returncode, done.stderr) == (-signal.SIGSEGV, "")


def test_a_signal_from_outside_ends_the_process():
    done = crash(after="signal.raise_signal(signal.SIGSEGV)")
    assert (done.returncode, done.stderr) == (-signal.SIGSEGV, "")


@pytest.mark.parametrize("option", ["-g", "-gline-tables-only"])
def test_the_line_is_named_if_it_is_known(option: str, tmp_path: Path):
    """Also in a function that the kernel calls; what no line knows is not named."""
    (tmp_path / "wild.cl").write_text(
        "void put(global int *x, ulong at) {\n"
        "  x[at] = 1;\n"
        "}\n"
        "kernel void wild(global int *x, global ulong *at) {\n"
        "  int i = get_global_id(0);\n"
        "  put(x, i + *at);\n"
        "}\n"
    )
    program = PROGRAM.replace("polycl.load(source)", f"polycl.load('wild.cl', ['{option}'])")
    program = program.replace("BEFORE", "").replace("AFTER", "").replace("SIZE", "8")
    command = [sys.executable, "-c", program]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONFAULTHANDLER"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert done.returncode == -signal.SIGSEGV
    assert done.stderr.startswith("polycl: kernel 'wild' crashed at wild.cl:2: an access to memory")
    assert done.stderr.endswith("the local size 4; ocl-run --check says what is wrong there\n")
