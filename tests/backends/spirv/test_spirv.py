"""Every kernel of the tests as SPIR-V: valid, and equal to the CPU on Intel's platform."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import polycl
from launches import Launch, all_launches, sampled
from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.cuda.pipeline import work_item_passes
from polycl.backends.pipeline import run_passes
from polycl.backends.spirv.target import spirv
from polycl.lowering.llvm.ocl_to_spir import OclToSpirPass

ROOT = Path(__file__).resolve().parents[3]
LAUNCHES = all_launches(ROOT / "tests" / "kernels", ROOT / "examples")

OPTIONAL = ("atomics_c11", "atomics_wide", "half_storage")
"""The files whose capabilities (64-bit atomics, half) a platform may lack, and OpenCL's profile."""


@pytest.mark.skipif(not shutil.which("spirv-val"), reason="needs spirv-val (spirv-tools)")
@pytest.mark.parametrize("launch", sampled(LAUNCHES, 18), ids=str)
def test_spirv_is_valid(launch: Launch, tmp_path: Path):
    kernel = launch.load().kernel(launch.kernel)
    ndrange = launch.ndrange(kernel)
    module = only_kernel(kernel.module, launch.kernel)
    passes = (*work_item_passes(ndrange.parts()[0]), OclToSpirPass())
    words = tmp_path / "kernel.spv"
    words.write_bytes(run_passes(module, passes, spirv))
    environment = "spv1.2" if launch.path.stem in OPTIONAL else "opencl2.2"
    subprocess.run(["spirv-val", "--target-env", environment, words], check=True)


INTEL = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from zlib import crc32
import numpy as np
import polycl
from launches import all_launches
from polycl.runtime.compare import compare

device = polycl.device("opencl:intel", via="spirv", contract=False)
interp = polycl.device("interp")
root = Path(sys.argv[1]).parent
# It fuses products of the next two, whatever SPIR-V says, and its compiler crashes on the last.
kept = ("math_exact", "loop_accumulators", "short_rows", "lattice")
for launch in all_launches(root / "tests" / "kernels", root / "examples"):
    # By name: a new kernel does not change which of the others are run.
    if crc32(str(launch).encode()) % 13 or launch.path.stem in kept:
        continue
    kernel = launch.load().kernel(launch.kernel)
    found, expected = launch.values(), launch.values()
    sizes = dict(global_size=launch.global_size, local_size=launch.local_size,
                 global_offset=launch.global_offset)
    kernel(**found, **sizes, device=device)
    kernel(**expected, **sizes, device=interp, pipeline="expand-math{tables=false}")
    for name, array in expected.items():
        if isinstance(array, np.ndarray):
            assert compare(array, found[name]) is None, f"{launch}: {name}"
print("good")
"""


def test_intel_agrees(request: pytest.FixtureRequest, tmp_path: Path):
    """In a process of its own: a crash takes no other test along."""
    if request.config.getoption("--no-judge"):
        pytest.skip("--no-judge")
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(INTEL))
    environment = {k: v for k, v in os.environ.items() if k != "OCL_ICD_VENDORS"}
    done = subprocess.run(
        [sys.executable, program, ROOT / "tests"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.stdout.strip().endswith("good"), done.stderr[-2000:]


def test_unknown_form():
    with pytest.raises(polycl.ArgumentError, match="via='cuda'; expected ptx or spirv"):
        polycl.device("opencl", via="cuda")
