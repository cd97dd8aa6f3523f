"""How many work-items of a launch each codelet runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import islpy as isl
import pytest
from xdsl.dialects.builtin import ModuleOp

from polycl import load
from polycl.analysis.poly.group_values import Groups, UnknownValue, group_values
from polycl.analysis.poly.shares import percentages, shares
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import poly

ROOT = Path(__file__).resolve().parent.parent.parent
SPLIT = "ocl-to-wg,wg-lower-contexts,poly-normalize,poly-extract,poly-split{width=8}"


def kernels_of(source: str | Path, options: Sequence[str] = ()) -> list[poly.KernelOp]:
    module: ModuleOp = load(source, options).module
    run_pipeline(module, SPLIT)
    return [op for op in module.walk() if isinstance(op, poly.KernelOp)]


def subkernels_of(kernel: poly.KernelOp) -> list[poly.SubkernelOp]:
    return [op for op in kernel.body.block.ops if isinstance(op, poly.SubkernelOp)]


def test_the_interior_of_conv2d_is_that_of_the_paper():
    """[split16] Table 3 has 99.59, 0.20 and 0.20 %, and 0.02 % in two more codelets."""
    (kernel,) = kernels_of(ROOT / "bench" / "kernels" / "convolution.cl", ["-DID=int"])
    sizes = {"w": 4096, "h": 32, "mw": 7, "mh": 7}
    values = group_values(kernel, Groups((4096, 32, 1), (256, 1, 1), sizes))
    assert len(values) == 16 * 32
    along_x = subkernels_of(kernel)[0]
    found = shares(along_x, kernel, values)
    interior, mixed, divergent = percentages(found)[:3]
    assert interior >= 99.5
    assert interior == pytest.approx(99.59, abs=0.1)
    assert mixed == pytest.approx(0.20, abs=0.1)
    assert divergent == pytest.approx(0.20, abs=0.1)
    # The rows of [split16]: the inner loop is uniform in the iterations that neighbours share.
    assert [set(share.loops) for share in found[:3]] == [{"uni"}, {"uni", "div"}, {"uni", "div"}]
    assert [set(share.accesses) for share in found[:3]] == [
        {"cons", "uni"}, {"cons", "uni"}, {"cons", "div"}
    ]  # fmt: skip


GUARDED = """
kernel void guarded(global float *a, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n && y <= x)
    a[y * n + x] = a[x] + a[y];
}
"""


@pytest.mark.parametrize("n", [0, 5, 21, 100])
def test_work_items_are_counted_as_isl_enumerates_them(n: int):
    (kernel,) = kernels_of(GUARDED)
    values = group_values(kernel, Groups((40, 9, 1), (20, 3, 1), {"n": n}))
    for subkernel in subkernels_of(kernel):
        for share in shares(subkernel, kernel, values):
            expected = sum(enumerated(share.codelet, each) for each in values)
            assert share.items == expected


def enumerated(codelet: poly.CodeletOp, values: Mapping[str, int]) -> int:
    """The work-items of a codelet in one group, one after the other."""
    domain = codelet.covered
    for name in codelet.domain.parameters:
        place = domain.find_dim_by_name(isl.dim_type.param, name)
        domain = domain.fix_val(isl.dim_type.param, place, values[name])
    points: list[isl.Point] = []
    domain.foreach_point(points.append)
    return len(points)


def test_a_loop_around_a_barrier_runs_its_parts_several_times():
    source = """
    kernel void sums(global int *out, local int *a, int n) {
      int l = get_local_id(0);
      a[l] = l;
      for (int k = n; k > 0; k -= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < k)
          a[l] += k;
      }
      out[get_global_id(0)] = a[l];
    }
    """
    kernels = kernels_of(source)
    groups = Groups((64, 1, 1), (32, 1, 1), {"n": 5})
    times = [len(group_values(kernel, groups)) for kernel in kernels]
    # Two groups; k is 5, 3, 1.
    assert times == [2, 6, 2]


def test_what_memory_says_is_unknown():
    source = """
    kernel void sums(global int *out, global int *in) {
      int n = in[0];
      for (int k = 0; k < n; k++)
        out[get_global_id(0) + k] = k;
    }
    """
    (kernel,) = kernels_of(source)
    with pytest.raises(UnknownValue, match="ocl.load"):
        group_values(kernel, Groups((64, 1, 1), (32, 1, 1), {}))
