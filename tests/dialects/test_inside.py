"""`operations_in` and `operations_of` beside xDSL's `walk`."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.func import FuncOp

import polycl
from polycl.dialects import ocl
from polycl.dialects.inside import Kinds, functions_of, operations_in, operations_of

SOURCE = """
int f(int x) { return x > 1 ? x * 3 : x; }
kernel void k(global int *a, int n) {
  for (int i = 0; i < n; ++i)
    if (a[i] > 2) a[i] = f(i); else while (a[i] < n) a[i] += 1;
}
"""


def test_same_operations_as_walk():
    module = polycl.load(SOURCE).module
    (kernel,) = functions_of(module, ocl.KernelOp)
    for root in (module, kernel, kernel.body, kernel.body.block):
        assert operations_in(root) == list(root.walk())
        loops = [op for op in root.walk() if isinstance(op, scf.ForOp | scf.WhileOp)]
        assert operations_of(root, scf.ForOp, scf.WhileOp) == loops
        assert loops
    assert operations_of(module, ocl.KernelLike) == [kernel]
    assert operations_of(kernel, arith.DivfOp) == []


def test_functions_are_those_of_the_module():
    module = polycl.load(SOURCE).module
    assert functions_of(module, FuncOp, ocl.KernelOp) == list(module.ops)


def test_kinds_are_instances():
    module = polycl.load(SOURCE).module
    (kernel,) = functions_of(module, ocl.KernelOp)
    classes = (ocl.KernelLike, scf.ForOp, scf.WhileOp, arith.AddiOp)
    kinds = Kinds(*classes)
    # The second time, classes are known.
    for thing in [*module.walk(), *module.walk(), kernel.body.block]:
        assert kinds[type(thing)] == isinstance(thing, classes)
    assert kinds[ocl.KernelOp]
