"""`ocl-split-guards` on groups that are inside, partly inside and outside, and loops in
steps of the group: the same results as with flags for each work-item, whatever the types of the
ids, and where unsigned numbers wrap."""

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

LOOPS = (
    "int k = L; k < w; k += 8",
    "int k = L; k <= (int)n - 7; k += 8",
    "int k = w + L; k < h * 30; k += 8",
    "int k = 2 * L + get_group_id(0); k < 50 + w; k += 16",
    "int k = 7 - L; k < w * 3; k += 8",
    "int k = 5 * L; k < w * 3; k += 8",
    "int k = L - 60; k < w - 50; k += 9",
    "long k = (long)w - 40 + L; k < h; k += 8",
    "uint k = L; k < min(n, 40u); k += 8",
    "uint k = n - 40u + L; k < n - 16u; k += 8",
    "uint k = n - 4u + L; k < 30u; k += 8",
    "uint k = 64u + L; k < 30u; k += 8",
    "uint k = (L + 524288u) * 8192u; k < 131072u; k += 65536",
    "size_t k = get_local_id(1); k < n % 40; k += 2",
)
"""With L, which numbers the work-items of a group."""

STEPS = """
  v = l;
  for (LOOP) {
    tile[l] = v * 3 + (int)k;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = tile[l ^ 5] + (int)k;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i++] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
"""

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

SOURCE = """
#define L l
kernel void f(global int *out, int w, int h, uint n, ulong far) {
  local int tile[8];
  size_t x = get_global_id(0), y = get_global_id(1);
  int l = get_local_id(1) * 4 + get_local_id(0), i = (y * 8 + x) * COUNT, v;
  ALL
}
"""

ARGUMENTS = (
    (5, 3, 17, 2),
    (8, 4, 4294967290, 1 << 63),
    (6, 2, 4294967294, (1 << 64) - 3),
    (-3, 1, 2, 1 << 31),
    (100, 100, 100, 0),
)


def test_guards_hold_for_groups():
    compare(GUARDS, [ONE.replace("GUARD", guard) for guard in GUARDS], copied=1)


def test_groups_take_whole_steps_together():
    compare(LOOPS, [STEPS.replace("LOOP", loop) for loop in LOOPS], copied=2)


def compare(names: tuple[str, ...], texts: list[str], *, copied: int) -> None:
    """Texts with and without flags for each work-item; the pass has copied so many barriers of
    each."""
    source = SOURCE.replace("COUNT", str(len(texts))).replace("ALL", "".join(texts))
    module = polycl.load(source.encode(), language="cl").module.clone()
    run_pipeline(module, "lift-cf-to-scf,ocl-set-local-size{size=4,2},count-loops")
    split = module.clone()
    run_pipeline(split, "ocl-split-guards")
    before, after = (len(operations_of(m.body, BarrierOp)) for m in (module, split))
    assert after - before == copied * len(texts), "a guard or a loop was not split"
    programs: list[Program] = []
    for one in (module, split):
        run_pipeline(one, "ocl-to-wg")
        programs.append(Program(one))
    for arguments in ARGUMENTS:
        expected, found = (written(program, arguments, len(names)) for program in programs)
        for name, column, other in zip(names, expected.T, found.T, strict=True):
            assert column.tolist() == other.tolist(), f"{name} with {arguments}"


def written(program: Program, arguments: tuple[int, ...], columns: int) -> NDArray[np.int32]:
    """What a launch writes: a row for each work-item, a column for each text."""
    out = np.zeros((32, columns), np.int32)
    named = dict(zip(("w", "h", "n", "far"), arguments, strict=True))
    kernel = program.kernel("f")
    kernel(out=out, **named, global_size=(8, 4), local_size=(4, 2), device=InterpDevice())
    return out
