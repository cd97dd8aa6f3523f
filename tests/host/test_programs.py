"""The programs of examples/host: host and kernels, before and after the passes.

What a program must compute is said by `bench.programs.models`, in doubles. The passes may change
no bit of it: they keep the order of floating-point operations.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import polycl
from polycl.backends.cpu import CpuDevice
from polycl.backends.device import Device
from polycl.backends.opencl_c.device import OpenclDevice
from polycl.backends.pipeline import run_pipeline

ROOT = Path(__file__).resolve().parents[2]
# Benchmarks are no part of the package.
sys.path.append(str(ROOT))

from bench.programs.inputs import INPUTS, Arguments, inputs  # noqa: E402
from bench.programs.models import model  # noqa: E402

PASSES = ("ocl-reorganize-threads", "ocl-data-layout", "ocl-holistic-vectorize", "ppopencl")
PLATFORMS = ("polycl-cpu", "pocl-cpu", "pocl7-cpu", "intel-rt", "nvidia-h200")
DEFAULT = {("ppopencl", platform) for platform in ("polycl-cpu", "nvidia-h200")}


@cache
def imported(name: str) -> ModuleOp:
    return polycl.load(ROOT / "examples" / "host" / name / "host.c").module


def results(module: ModuleOp, name: str, device: Device | str) -> Arguments:
    """The arguments of the host function after a call with small inputs."""
    arguments = inputs(name)
    polycl.Program(module.clone(), name).host(name)(**arguments, device=device)
    return arguments


@cache
def on_cpu(name: str) -> Arguments:
    """What the program leaves, without contraction."""
    return results(imported(name), name, CpuDevice(threads=1, contract=False))


def check(name: str, found: Arguments) -> None:
    """Compare with the model: numbers of 32 bits against doubles."""
    for parameter, right in model(name, inputs(name)).items():
        array = found[parameter]
        if array.dtype.kind == "f":
            scale = float(np.abs(right).max())
            np.testing.assert_allclose(array, right, rtol=1e-3, atol=1e-4 * scale)
        else:
            np.testing.assert_array_equal(array, right)


@pytest.mark.parametrize("name", INPUTS)
def test_a_program_computes_what_its_model_says(name: str):
    check(name, on_cpu(name))


@pytest.mark.parametrize("name", INPUTS)
def test_the_interpreter_agrees_with_the_cpu(name: str):
    """In bits, but for functions whose precision OpenCL leaves open."""
    check(name, results(imported(name), name, "interp"))


@pytest.mark.parametrize("name", INPUTS)
def test_another_runtime_agrees(name: str):
    check(name, results(imported(name), name, OpenclDevice("intel")))


def cases() -> list[Any]:
    return [
        pytest.param(
            name,
            pass_name,
            platform,
            marks=() if (pass_name, platform) in DEFAULT else (pytest.mark.slow,),
        )
        for name in INPUTS
        for pass_name in PASSES
        for platform in PLATFORMS
    ]


@pytest.mark.parametrize(("name", "pass_name", "platform"), cases())
def test_a_pass_changes_no_bit(name: str, pass_name: str, platform: str):
    module = imported(name).clone()
    run_pipeline(module, f"{pass_name}{{platform={platform}}}")
    found = results(module, name, CpuDevice(threads=1, contract=False))
    for parameter, right in on_cpu(name).items():
        if isinstance(right, np.ndarray):
            np.testing.assert_array_equal(found[parameter].view(np.int32), right.view(np.int32))


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["pocl-cpu", "nvidia-h200"])
@pytest.mark.parametrize("name", INPUTS)
def test_another_runtime_agrees_after_the_passes(name: str, platform: str):
    module = imported(name).clone()
    run_pipeline(module, f"ppopencl{{platform={platform}}}")
    check(name, results(module, name, OpenclDevice("intel")))
