"""`wg-order-groups`: which dimension of the groups runs fastest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.cache_line import LINE
from polycl.analysis.ocl.calls import called_functions
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.analysis.wg.sources import sources
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.parents import parents
from polycl.lowering.wg.wg_vectorize.accesses import access_stride, accesses_in
from polycl.lowering.wg.wg_vectorize.profit import LOOP_WEIGHT
from polycl.remarks import emit_remark

_OF_THE_GROUP = (ocl.AddressSpace.LOCAL, ocl.AddressSpace.PRIVATE)
_PAYS = 2
"""The order is changed if so many times less is read anew."""

_ITERATIONS = 256
"""Loops of fewer iterations read too little for it: with x fastest, what is written is in a row."""

_NEAR = 1 / 8
"""What an access near the last one costs of one that is far away."""
_BRANCH_TAKEN = 1 / 2


@dataclass(frozen=True)
class WgOrderGroupsPass(ModulePass):
    """Let that dimension of the groups run fastest that leaves most of what loops read in place.

    ```
    wg.func @sgemm(...) attributes {           wg.func @sgemm(...) attributes {
        local_size = array<i64: 64, 4, 1>          local_size = array<i64: 64, 4, 1>,
    } {                                            group_order = array<i64: 1, 0, 2>
      ... A[row * K + k] * B[k * N + col]      ->    } {
    ```

    Groups run one after the other, by default x fastest: the next group then reads the same rows
    of A and other columns of B. What it reads anew is what depends on the group id that changed:
    64 values of B an iteration, where with y fastest it would be 4 of A. The order is fastest
    first, and `wg-to-launch` honours it.

    Only loops that are known to run 256 times or more count. Where there are none, what counts
    is where the accesses go from one work-item to the next: in `a[x * n + y]` it is the next
    element along y, and another line along x. A processor fetches lines ahead that follow one
    another.

    x stays fastest unless another dimension costs half as much or less; in a kernel with atomic
    operations or printf, whose order can be seen; and where the local size is not known.
    """

    name = "wg-order-groups"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            ops = operations_in(function.body)
            for called in called_functions(function):
                ops += operations_in(called.body)
            if function.local_size is None or any(map(_shows_order, ops)):
                continue
            if not any(isinstance(op, ocl.GroupIdOp) and op.dimension != 0 for op in ops):
                continue
            costs = _fetched(function, function.local_size.get_values())
            why = "with x, loops read {} times as much anew in each group"
            if not any(costs):
                costs = _far(function)
                why = "with x, what is accessed lies {} times as far apart"
            # A dimension that nothing depends on may have a single group.
            used = [d for d in range(3) if costs[d]]
            fastest = min(used, key=lambda d: costs[d], default=0)
            if fastest == 0 or costs[fastest] * _PAYS > costs[0]:
                continue
            order = [fastest, *(d for d in range(3) if d != fastest)]
            function.group_order = DenseArrayBase.from_list(i64, order)
            reason = why.format(int(costs[0] / costs[fastest]))
            emit_remark(function, self.name, f"{'xyz'[fastest]} runs fastest: {reason}")


def _shows_order(op: Operation) -> bool:
    return isinstance(op, ocl.PrintfOp) or op.name.startswith("ocl.atomic")


def _fetched(function: wg.FuncOp, local_size: Sequence[int]) -> list[float]:
    """For each dimension, the bytes that a group reads in long loops, and that its predecessor
    along the dimension has not read."""
    fetched = [0.0, 0.0, 0.0]
    for access in operations_of(function.body, ocl.LoadOp, ocl.VLoadOp):
        if access.index is not None:
            if ocl.space_of(access.pointer) in _OF_THE_GROUP:
                continue
            depends = sources((access.pointer, access.index))
            groups = {v.owner.dimension for v in depends if isinstance(v.owner, ocl.GroupIdOp)}
            for dimension in groups:
                fetched[dimension] += _amount(access, depends, local_size)
    return fetched


def _amount(
    access: ocl.LoadOp | ocl.VLoadOp, depends: set[SSAValue], local_size: Sequence[int]
) -> int:
    """The bytes that the work-items of a group read in long loops; 0 where none is around."""
    nbytes, iterations = size_of(access.result.type), 1
    for parent in parents(access):
        if isinstance(parent, wg.ParallelOp):
            for id, size in zip(parent.local_ids, local_size, strict=True):
                nbytes *= size if id in depends else 1
        elif isinstance(parent, scf.ForOp) and parent.body.block.args[0] in depends:
            iterations *= _iterations(parent)
    return nbytes * iterations if iterations >= _ITERATIONS else 0


def _far(function: wg.FuncOp) -> list[float]:
    """For each dimension, how many accesses of a work-item are far from those of the next one."""
    facts = Uniformity(function)
    far = [0.0, 0.0, 0.0]
    for access in accesses_in(function.body):
        if ocl.space_of(access.pointer) in _OF_THE_GROUP:
            continue
        weight = _weight(access)
        for dimension in range(3):
            stride = access_stride(facts, access, dimension)
            near = stride is not None and abs(stride) < LINE
            far[dimension] += 0 if stride == 0 else weight * (_NEAR if near else 1)
    return far


def _weight(access: Operation) -> float:
    weight = 1.0
    for parent in parents(access):
        if isinstance(parent, scf.ForOp | scf.WhileOp):
            weight *= LOOP_WEIGHT
        elif isinstance(parent, scf.IfOp):
            weight *= _BRANCH_TAKEN
    return weight


def _iterations(loop: scf.ForOp) -> int:
    """How often a loop is known to run."""
    start, end, step = map(constant_value, (loop.lb, loop.ub, loop.step))
    if start is None or end is None or step is None or step < 1:
        return 1
    return max(0, -(-(end - start) // step))
