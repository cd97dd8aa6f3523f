"""`ocl-round-guards` on groups around the borders, and where numbers wrap: results stay, and
comparisons whose outcomes differ in a group stay, too."""

from __future__ import annotations

import numpy as np

import polycl
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import run_pipeline
from polycl.remarks import collect_remarks
from polycl.runtime.program import Program

SHARED = (
    "2 * l + 16 * g < n / 16 * 16",
    "16 * g + 2 * l + 1 >= (n & ~15)",
    "(uint)(g * 32 + 28 - l * 4) < (uint)n / 32 * 32",
    "(char)(g * 16 + l) <= (char)(n * 16) - 1",
    "(uchar)(g * 16 + l) >= (uchar)((uint)n << 4)",
    "(short)(16 * g + l + 1) > n - n % 32 + 14",
    "(int)((long)g * n * 1024 * 1024 + l) < n / 7 * 1048576",
    "16 * g + l == n * 16 - 1",
    "16 * g + l != n * 16 + 8",
    "g * 24 + l < n * 8",
)
"""Of the local id l, the group g, and an argument n; both sides are multiples of a power of two
that is larger than the rest."""

OWN = (
    "16 * g + 2 * l <= n / 16 * 16",
    "16 * g + 2 * l + 1 < n / 8 * 8 + 3",
    "16 * g + l < n",
    "16 * g + l - 1 < n / 16 * 16",
    "16 * g + 4 * l < n / 16 * 16",
    "16 * g + l == n * 16 + 3",
    "24 * g + 3 * l < n * 8",
    "(char)(32 * l) < n * 256",
    "16 * g + l * n < n * 16",
)
"""Those that work-items of a group may find different."""

NEXT = "\n  "

SOURCE = f"""
kernel void f(global int *out, int n) {{
  int g = get_group_id(0), l = get_local_id(0), i = get_global_id(0) * {len(SHARED + OWN)};
  {NEXT.join(f"out[i++] = {guard};" for guard in SHARED + OWN)}
}}
"""


def test_groups_agree_with_their_first_work_item():
    module = polycl.load(SOURCE.encode(), language="cl").module.clone()
    run_pipeline(module, "lift-cf-to-scf,ocl-set-local-size{size=8,1}")
    changed = module.clone()
    with collect_remarks() as remarks:
        run_pipeline(changed, "ocl-round-guards")
    assert len(remarks) == len(SHARED)
    kernels = [Program(one).kernel("f") for one in (module, changed)]
    shape = (7, 8, len(SHARED + OWN))
    seen = np.zeros(len(SHARED + OWN), bool)
    for n in (-33, -16, -1, 0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 48, 70, 100, 2147483647):
        expected, found = (np.zeros(shape, np.int32) for _ in kernels)
        for kernel, out in zip(kernels, (expected, found), strict=True):
            kernel(out=out, n=n, global_size=56, local_size=8, device=InterpDevice())
        for guard, before, after in zip(SHARED + OWN, expected.T, found.T, strict=True):
            assert before.tolist() == after.tolist(), f"{guard} with {n}"
        seen |= (expected != expected[:, :1]).any(axis=(0, 1))
    assert not seen[: len(SHARED)].any(), "a group did not agree"
    assert seen[len(SHARED) :].all(), "a group agreed always"
