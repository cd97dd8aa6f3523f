"""What a work-item carries across barriers, in bytes, as `ocl-to-wg` reports it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.backends.pipeline import run_pipeline
from polycl.remarks import collect_remarks

KERNELS = Path(__file__).resolve().parent.parent / "kernels"


def context_bytes(path: Path) -> dict[str, int]:
    """Bytes a work-item for each kernel of a file, by the line of the kernel."""
    module = polycl.load(path).module.clone()
    with collect_remarks() as remarks:
        run_pipeline(module, "inline-functions,ocl-to-wg")
    found = [re.match(r"context memory: (\d+) bytes", remark.message) for remark in remarks]
    return {str(i): int(match[1]) for i, match in enumerate(found) if match}


def test_binomial_options_needs_12_bytes_at_most() -> None:
    # Input space splitting (Jo et al., CC 2016), section 6.4: 12 bytes against pocl's 72.
    assert sum(context_bytes(KERNELS / "binomial_options.cl").values()) <= 12


@pytest.mark.parametrize("name", ["barrier_transpose", "barrier_counted_loop", "bitonic_sort"])
def test_kernels_that_keep_their_state_in_local_memory_need_none(name: str) -> None:
    assert sum(context_bytes(KERNELS / f"{name}.cl").values()) == 0


def test_what_a_loop_carries_over_its_barrier_has_one_array() -> None:
    assert sum(context_bytes(KERNELS / "matmul_rect.cl").values()) == 4


def test_cheap_functions_of_ids_are_computed_again(tmp_path: Path) -> None:
    path = tmp_path / "warps.cl"
    path.write_text("""
    kernel void warps(global int *out, int n) {
      local int bins[256];
      int base = mul24((int)get_local_id(0) >> 5, 64) + min((int)get_local_id(0), n);
      bins[base] = n;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = bins[base];
    }
    """)
    assert context_bytes(path) == {"0": 0}


def test_what_is_recomputed_of_a_first_value_does_not_read_what_the_loop_carries() -> None:
    """`p[0]` is `v` as it was before the loop."""
    text = """
    kernel __attribute__((reqd_work_group_size(64, 1, 1)))
    void k(global const int *a, global int *out) {
      size_t g = get_global_id(0);
      int p[8], v = a[g];
      for (int i = 0; i < 8; i++) p[i] = i + v;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < 3; i++) {
        v = v * 3 + p[0];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[g] = v;
    }"""
    a, out = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    kernel = polycl.load(text, language="cl").kernel("k")
    kernel(a, out, global_size=64, local_size=64, device=polycl.device("cpu", threads=1))
    assert np.array_equal(out, 40 * a)
