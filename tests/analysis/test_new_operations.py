"""Facts that are added for new operations are those of an analysis of the whole."""

from __future__ import annotations

import pytest
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType
from xdsl.rewriter import InsertPoint

import polycl
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
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
