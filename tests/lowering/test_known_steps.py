"""Private arrays whose indices count in known steps have the values that they have in memory."""

from __future__ import annotations

import os
from random import Random

import numpy as np
import pytest

import polycl
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import ocl
from polycl.frontends.opencl_c import import_source

EXAMPLES = int(os.environ.get("POLYCL_FUZZ_EXAMPLES", "24"))
PROMOTE = "inline-functions,promote-private-memory,promote-private-arrays"

OUTER = (
    "int s = 4; s > 0; s /= 2",
    "int s = 1; s < 8; s <<= 1",
    "uint s = 7; s != 0; s >>= 1",
    "int s = -3; s < 9; s = 2 * s + 7",
    "long s = 1; s * s < 30; s += s",
    "char s = 100; s > 0; s += 20",
)
INNER = (
    "int k = 0; k < 8; k++",
    "int k = s; k > 0; k >>= 1",
    "int k = 0; k < s; k += 3",
    "int k = 1, j = 1; k < 9 - j; k *= 2, j ^= 1",
)
INDICES = (
    "k & 7",
    "(k ^ s) & 7",
    "(k + s) % 8u",
    "(s - k) & 7",
    "max(k, 0) & 6",
    "abs(k - (int)s) & 7",
    "clamp(k, 1, 6)",
    "mad24(k, 3, 1) & 7",
    "(uchar)(s * k) >> 5",
)
CONDITIONS = (
    "1",
    "!(k & s)",
    "k < (k ^ s)",
    "s > 1 && k != 3",
    "x[8 * i] & s",
    "v[(uint)k & 7] > 4",
)


def source(random: Random) -> str:
    """A kernel that changes an array of eight numbers in nested loops."""
    to, one, other = (random.choice(INDICES) for _ in range(3))
    return f"""kernel void f(global int *x, int unknown) {{
      int i = get_global_id(0), v[8];
      for (int k = 0; k < 8; k++) v[k] = x[8 * i + k];
      for ({random.choice(OUTER)}) {{
        {random.choice(("", "if (s == 2) continue;", "if (x[8 * i] < s) break;"))}
        for ({random.choice(INNER)})
          if ({random.choice(CONDITIONS)}) v[{to}] = v[{one}] - v[{other}] + (int)s;
      }}
      for (int k = 0; k < 8; k++) x[8 * i + k] = v[(k & 1) << 2 | (k & 2) | k >> 2];
    }}"""


@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_as_interpreted(seed: int) -> None:
    kernel = polycl.load(source(Random(seed)).encode(), language="cl").kernel("f")
    results: list[np.ndarray] = []
    for device in ("interp", "cpu"):
        x = np.random.default_rng(seed).integers(-9, 9, 8 * 16, np.int32)
        kernel(x, 1, global_size=16, local_size=16, device=device)
        results.append(x)
    assert (results[0] == results[1]).all(), source(Random(seed))


@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_in_registers(seed: int) -> None:
    """How often a loop runs is known unless memory ends it."""
    text = source(Random(seed))
    module = import_source(text.encode(), "f.cl")
    run_pipeline(module, PROMOTE)
    assert "break" in text or not any(isinstance(op, ocl.AllocaOp) for op in module.walk()), text


FILLS = {
    "down": "int n = 16; do { --n; @; } while (n);",
    "down, from the end": "for (int k = 0; k < 16; k++) { int n = 16 - 1 - k; @; }",
    "not all": "for (int n = 14; n > 0; n -= 3) { @; }",
    "under a guard": "for (size_t n = 0; n < 16; n++) if (n + i & 5) { @; }",
}


@pytest.mark.parametrize("name", FILLS)
def test_bytes_in_a_loop_that_stays(name: str) -> None:
    """They are in registers, however their counter is spelled, also where no iteration runs."""
    mix = FILLS[name].replace(
        "@", "s[n] = (s[n] << 1 | s[n] >> 7) ^ key[n + 16 * r] ^ s[n * 7 & 15]"
    )
    text = f"""kernel void f(global uchar *x, constant uchar *key, int rounds) {{
      int i = get_global_id(0);
      uchar s[16];
      for (int k = 0; k < 16; k++) s[k] = x[16 * i + k];
      for (int r = 0; r < rounds; r++) {{ {mix} }}
      for (int k = 0; k < 16; k++) x[16 * i + k] = s[k];
    }}"""
    kernel = polycl.load(text.encode(), language="cl").kernel("f")
    key = np.random.default_rng(1).integers(0, 256, 48, np.uint8)
    for rounds in (0, 3):
        results: list[np.ndarray] = []
        for device in ("interp", "cpu"):
            x = np.random.default_rng(2).integers(0, 256, 16 * 40, np.uint8)
            kernel(x, key, rounds, global_size=40, local_size=20, device=device)
            results.append(x)
        assert (results[0] == results[1]).all()
