"""Code for a processor with fewer features than this one has."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from polycl.backends.cpu.jit import has_feature

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
