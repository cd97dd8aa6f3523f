"""Many addresses in one loop."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.backends.pipeline import run_pipeline
from polycl.frontends.opencl_c import import_source
from polycl.lowering.ocl.promote_loop_memory import MOST_PLACES, PromoteLoopMemoryPass
from polycl.remarks import collect_remarks


def loop_with_arrays(count: int) -> str:
    """Each array is accessed at one unknown element."""
    sums = "\n".join(f"p{k}[n] += j * {k + 1}; y ^= p{k}[n];" for k in range(count))
    arrays = "\n".join(f"int p{k}[4] = {{{k}}};" for k in range(count))
    return f"""kernel void k(global int *out, int n) {{
      int y = 0;
      {arrays}
      for (int j = 0; j < 5; ++j) {{ {sums} }}
      out[get_global_id(0)] = y;
    }}"""


@pytest.mark.parametrize("count", [1, MOST_PLACES - 1, MOST_PLACES, MOST_PLACES + 6])
def test_a_loop_keeps_so_many_addresses(count: int) -> None:
    module = import_source(loop_with_arrays(count).encode(), "k.cl")
    with collect_remarks() as remarks:
        run_pipeline(module, "lift-cf-to-scf,promote-private-memory,promote-loop-memory")
    module.verify()
    kept = [remark for remark in remarks if remark.pass_name == PromoteLoopMemoryPass.name]
    assert len(kept) == min(count, MOST_PLACES)


def test_the_others_keep_their_values(tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(loop_with_arrays(MOST_PLACES + 6))
    kernel = polycl.load(tmp_path / "k.cl").kernel("k")
    expected, got = np.zeros(8, np.int32), np.zeros(8, np.int32)
    for name, out in (("interp", expected), ("cpu", got)):
        kernel(out, 2, global_size=8, local_size=4, device=polycl.device(name))
    assert expected.any()
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("count", [0, 3])
def test_a_sum_starts_with_what_was_stored(count: int, tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text("""kernel void k(global int *out, global const int *in, int n) {
      int i = get_global_id(0);
      out[i] = 7;
      for (int j = 0; j < n; ++j) out[i] += in[j] * i;
      out[i + 8] = out[i];
    }""")
    kernel = polycl.load(tmp_path / "k.cl").kernel("k")
    out, items = np.zeros(16, np.int32), np.arange(8)
    kernel(out, np.arange(1, 4, dtype=np.int32), count, global_size=8, local_size=4, device="cpu")
    np.testing.assert_array_equal(out, np.tile(7 + items * sum(range(1, count + 1)), 2))


@pytest.mark.parametrize("apart", [True, False])
def test_bounds_in_memory_are_read_after_the_first_store(apart: bool, tmp_path: Path) -> None:
    """They are in another buffer, or in the one that is stored to, by one work-item."""
    (tmp_path / "k.cl").write_text("""kernel void k(global int *out, global const int *rows) {
      int i = get_global_id(0);
      out[i] = 2;
      for (int j = rows[i]; j < rows[i + 1]; ++j) out[i] += j + 1;
    }""")
    kernel = polycl.load(tmp_path / "k.cl").kernel("k")
    starts = np.array([0, 0, 3, 4, 9, 9, 20, 21, 22] if apart else [5, 9], np.int32)
    memory = np.zeros(9, np.int32) if apart else starts
    bounds = [*starts] if apart else [2, 9]
    sums = [2 + sum(range(a + 1, b + 1)) for a, b in pairwise(bounds)]
    kernel(memory, starts, global_size=len(sums), local_size=1, device="cpu")
    np.testing.assert_array_equal(memory[: len(sums)], sums)
