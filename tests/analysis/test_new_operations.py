"""Facts that are added for new operations are those of an analysis of the whole."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.rewriter import InsertPoint

import polycl
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.backends.device import NDRange
from polycl.backends.to_regions import passes_to_regions
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.lowering.build import Build

SOURCE = """
kernel void k(global float *a, int n) {
  int x = get_local_id(0);
  for (int i = 0; i < n; ++i) {
    global float *p = a + i;
    for (int j = x; j < n; ++j) *p++ = j;
    for (int j = 0; j < 8; ++j) p[x] += j;
  }
}"""


@pytest.mark.parametrize("number", range(3))
def test_facts_around_a_loop(number: int):
    (kernel,) = functions_of(polycl.load(SOURCE).module, ocl.KernelOp)
    loop = operations_of(kernel, scf.ForOp)[number]
    facts = Uniformity(kernel)
    id = Build(loop).emit(ocl.LocalIdOp(0))
    sum = Build(loop).add(id, Build(loop).index_cast(loop.ub, IndexType()))
    places = InsertPoint.at_start(loop.body.block), InsertPoint.after(loop)
    for place in places:
        build = Build(loop, place)
        build.add(build.mul(sum, build.index(4)), id)
    facts.visit_new(loop)
    whole = Uniformity(kernel)
    values = [value for op in operations_in(kernel.body) for value in op.results]
    assert [facts.lanes(value) for value in values] == [whole.lanes(value) for value in values]


REGIONS = """
kernel void k(global int *a, local int *t, int n) {
  int x = get_local_id(0), sum = 0, other = 0;
  for (int i = 0; i < n; ++i) { sum += other; other += x; }
  t[x] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; ++i) {
    if (t[x ^ 1] > i) a[i * 64 + x] = t[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[x] += i;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[x] = t[x];
}"""


def test_facts_of_a_changed_region():
    """Also where what a loop carries is the same for all work-items since then."""
    module = polycl.load(REGIONS).module
    size = (64, 1, 1)
    for step in passes_to_regions(NDRange(size, size)):
        step.apply(Context(), module)
    (function,) = functions_of(module, wg.FuncOp)
    regions = operations_of(function.body, wg.ParallelOp)
    assert len(regions) > 3
    for region in regions:
        facts = Uniformity(function)
        x = region.local_ids[0]
        build = Build(region.body.block.first_op)
        number = build.index(7)
        before = Build(region).index(8)
        x.replace_uses_with_if(number, lambda use: isinstance(use.operation, arith.IndexCastOp))
        build.add(number, before)
        facts.visit_changed(region)
        whole = Uniformity(function)
        ops = operations_in(function.body)
        values = [value for op in ops for value in op.results]
        blocks = [block for op in ops for region in op.regions for block in region.blocks]
        values += [arg for block in blocks for arg in block.args]
        assert [facts.lanes(value) for value in values] == [whole.lanes(value) for value in values]
