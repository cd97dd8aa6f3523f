"""The programs of examples/host, imported from C, written again, and run without polycl."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from host_scripts import ROOT, Call, call_of, compile_c, run_calls

import polycl
from judge.runtime import Judge
from polycl.backends.host.host_c import host_c
from polycl.backends.host.host_python import host_python
from polycl.backends.pipeline import run_pipeline

# Benchmarks are no part of the package.
sys.path.append(str(ROOT))

from bench.programs.inputs import INPUTS, inputs  # noqa: E402
from bench.programs.models import model  # noqa: E402


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["", "amd-cpu", "nvidia-gpu", "intel-rt"])
@pytest.mark.parametrize("name", sorted(INPUTS))
def test_written_programs(name: str, platform: str, judge: Judge | None, tmp_path: Path) -> None:
    """As C, and as Python; as they are, and transformed for a platform."""
    module = polycl.load(ROOT / "examples/host" / name / "host.c").module.clone()
    if platform:
        run_pipeline(module, f"ppopencl{{platform={platform}}}")
    library = compile_c(host_c(module), tmp_path)
    script = tmp_path / "host.py"
    script.write_text(host_python(module))
    if judge is None:
        return
    host = polycl.Program(module).host(name)
    calls = [
        call_of(library, host, list(inputs(name).values())),
        Call(script, name, list(inputs(name).values())),
    ]
    for args, _ in run_calls(calls, judge, tmp_path):
        after = dict(zip(inputs(name), args, strict=True))
        for array, expected in model(name, inputs(name)).items():
            scale = float(np.abs(expected).max())
            wanted = expected.reshape(after[array].shape)
            np.testing.assert_allclose(after[array], wanted, rtol=1e-4, atol=1e-5 * scale)
