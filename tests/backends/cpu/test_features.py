"""Code for a processor with fewer features than this one has."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.cpu.jit import has_feature
from polycl.backends.cpu.launch import CpuExecutable

SCRIPT = """
import numpy as np, polycl
from polycl.backends.cpu.jit import emit_assembly, has_feature
from polycl.backends.cpu.pipeline import FOR_SPEED
TEXT = '''
define void @f(ptr %x) {
  %v = load <16 x float>, ptr %x
  %w = fadd <16 x float> %v, %v
  store <16 x float> %w, ptr %x
  ret void
}
'''
kernel = polycl.load("kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }",
                     language="cl").kernel("twice")
x = np.arange(100, dtype=np.float32)
kernel(x, global_size=100, device="cpu")
assert (x == 2 * np.arange(100)).all()
assembly = emit_assembly(TEXT)
found = "zmm" in assembly, "ymm" in assembly, has_feature("avx2"), "carry-masks" in FOR_SPEED
print(*found)
"""


@pytest.mark.parametrize(
    ("left_out", "expected"),
    [("avx512", "False True True True"), ("avx512, avx2", "False True False True")],
)
@pytest.mark.skipif(not has_feature("avx2"), reason="the processor has no AVX2")
def test_features_can_be_left_out(left_out: str, expected: str):
    environment = {**os.environ, "POLYCL_CPU_WITHOUT": left_out, "POLYCL_SERVER": "0"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == expected


@pytest.mark.skipif(not has_feature("avx512f"), reason="the processor has no AVX-512")
def test_features_that_a_device_leaves_out():
    """Code of one process may use them, and other code of the same process not."""
    text = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }"
    kernel = polycl.load(text, language="cl").kernel("twice")
    codes: list[bytes] = []
    for device in (CpuDevice(), CpuDevice(without_features=["avx512"]), CpuDevice()):
        x = np.arange(4096, dtype=np.float32)
        bound = kernel.bind(x, global_size=4096, local_size=64, device=device)
        bound.launch()
        assert (x == 2 * np.arange(4096)).all()
        executable = getattr(bound.executable, "executable", bound.executable)
        assert isinstance(executable, CpuExecutable)
        codes.append(executable.compiled.object_code)
        assert has_feature("avx512f")
    assert codes[0] == codes[2] != codes[1]
