"""`ocl-split-guards` on groups that are inside, partly inside and outside: the same results as with
flags for each work-item, whatever the types of the ids, and where unsigned numbers wrap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import polycl
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import run_pipeline
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import BarrierOp
from polycl.runtime.program import Program

GUARDS = (
    "(int)x < w && (int)y < h",
    "!(x >= (uint)w || y + 1u > (uint)h)",
    "(long)y * w + (long)x < (long)w * h",
    "(ulong)y * w + x < (ulong)n",
    "(uint)(y * w + x) < n",
    "x - 1u < n",
    "x - 5u <= n",
    "x - 3u > 2u",
    "(uchar)(x * 40) >= 3",
    "(char)(x * 20) >= 3",
    "(short)(y * 9000 + x) < w",
    "(int)(x * 400000000) < w",
    "(uint)x * 400000000u < n",
    "(ulong)((uint)x * 400000000u) + 1 < 4000000000ul",
    "3 * (int)x - 2 * (int)y < w",
    "w - (int)x > h - (int)y",
    "((int)y << 3) + (int)get_local_id(0) < n",
    "((int)x + 2) * ((int)y - 1) <= w",
    "((int)y * w + (int)x) * h < n && (int)get_group_id(0) != 1",
    "x + far < far + 4",
    "(long)x - (long)far < w",
    "((long)y * far + 1) * w > (long)x * far",
)
"""Of x and y, global ids of type size_t, and of arguments."""

ONE = """
  tile[l] = 0;
  v = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (GUARD) {
    tile[l] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = tile[l ^ 1] + tile[l ^ 5];
  }
  out[i++] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
"""

SOURCE = f"""
kernel void f(global int *out, int w, int h, uint n, ulong far) {{
  local int tile[8];
  size_t x = get_global_id(0), y = get_global_id(1);
  int l = get_local_id(1) * 4 + get_local_id(0), i = (y * 8 + x) * {len(GUARDS)}, v;
  {"".join(ONE.replace("GUARD", guard) for guard in GUARDS)}
}}
"""

ARGUMENTS = (
    (5, 3, 17, 2),
    (8, 4, 4294967290, 1 << 63),
    (6, 2, 4294967294, (1 << 64) - 3),
    (-3, 1, 2, 1 << 31),
    (100, 100, 100, 0),
)


def test_guards_hold_for_groups():
    module = polycl.load(SOURCE.encode(), language="cl").module.clone()
    run_pipeline(module, "lift-cf-to-scf,ocl-set-local-size{size=4,2}")
    split = module.clone()
    run_pipeline(split, "ocl-split-guards")
    before, after = (len(operations_of(m.body, BarrierOp)) for m in (module, split))
    assert after - before == len(GUARDS), "a guard was not split"
    programs: list[Program] = []
    for one in (module, split):
        run_pipeline(one, "ocl-to-wg")
        programs.append(Program(one))
    for arguments in ARGUMENTS:
        expected, found = (written(program, arguments) for program in programs)
        for guard, column, other in zip(GUARDS, expected.T, found.T, strict=True):
            assert column.tolist() == other.tolist(), f"{guard} with {arguments}"


def written(program: Program, arguments: tuple[int, ...]) -> NDArray[np.int32]:
    """What a launch writes: a row for each work-item, a column for each guard."""
    out = np.zeros((32, len(GUARDS)), np.int32)
    named = dict(zip(("w", "h", "n", "far"), arguments, strict=True))
    kernel = program.kernel("f")
    kernel(out=out, **named, global_size=(8, 4), local_size=(4, 2), device=InterpDevice())
    return out
