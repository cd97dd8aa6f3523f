"""Which indices are anywhere, so that neighbours gather or scatter."""

from __future__ import annotations

from xdsl.ir import SSAValue

from polycl.analysis.ocl.lane_stride import VARYING
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import wg


class Scattered:
    """Tells indices whose elements lie anywhere in memory; the analysis is made when it is asked
    for."""

    def __init__(self, function: wg.FuncOp):
        self._function = function
        self._facts: Uniformity | None = None

    def __call__(self, *indices: SSAValue | None) -> bool:
        if self._facts is None:
            self._facts = Uniformity(self._function)
        given = [index for index in indices if index is not None]
        lanes = [self._facts.lanes(index).strides for index in given]
        # Of an index that was made since, nothing is known.
        known = all(index in self._facts.facts for index in given)
        return known and len(given) == len(indices) and all(VARYING in each for each in lanes)
