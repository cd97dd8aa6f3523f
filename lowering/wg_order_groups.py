"""`wg-order-groups`: which dimension of the groups runs fastest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.sources import sources
from polycl.analysis.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.layout import size_of
from polycl.remarks import emit_remark

_OF_THE_GROUP = (ocl.AddressSpace.LOCAL, ocl.AddressSpace.PRIVATE)
_PAYS = 2
"""The order is changed if so many times less is read anew."""

_ROUNDS = 256
"""Loops of fewer rounds read too little for it: with x fastest, what is written is in a row."""


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
    64 values of B a round, where with y fastest it would be 4 of A. The order is fastest first,
    and `wg-to-launch` honours it.

    x stays fastest unless another dimension reads half as much anew or less, in loops that are
    known to run 256 times or more; in a kernel with atomic operations or printf, whose order can
    be seen; and where the local size is not known.
    """

    name = "wg-order-groups"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.walk() if isinstance(f, wg.FuncOp)]:
            if function.local_size is None or any(map(_shows_order, function.body.walk())):
                continue
            fetched = _fetched(function, function.local_size.get_values())
            # A dimension that nothing depends on may have a single group.
            used = [d for d in range(3) if fetched[d]]
            fastest = min(used, key=lambda d: fetched[d], default=0)
            if fastest == 0 or fetched[fastest] * _PAYS > fetched[0]:
                continue
            order = [fastest, *(d for d in range(3) if d != fastest)]
            function.group_order = DenseArrayBase.from_list(i64, order)
            times = fetched[0] // fetched[fastest]
            emit_remark(
                function,
                self.name,
                f"{'xyz'[fastest]} runs fastest: with x, loops read {times} times as much anew in "
                "each group",
            )


def _shows_order(op: Operation) -> bool:
    return isinstance(op, ocl.PrintfOp) or op.name.startswith("ocl.atomic")


def _fetched(function: wg.FuncOp, local_size: Sequence[int]) -> list[int]:
    """For each dimension, the bytes that a group reads in long loops, and that its predecessor
    along the dimension has not read."""
    fetched = [0, 0, 0]
    for access in function.body.walk():
        if isinstance(access, ocl.LoadOp | ocl.VLoadOp) and access.index is not None:
            assert isinstance(access.pointer.type, ocl.PtrType)
            if access.pointer.type.address_space in _OF_THE_GROUP:
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
    nbytes, rounds = size_of(access.result.type), 1
    for parent in _parents(access):
        if isinstance(parent, wg.ParallelOp):
            for id, size in zip(parent.local_ids, local_size, strict=True):
                nbytes *= size if id in depends else 1
        elif isinstance(parent, scf.ForOp) and parent.body.block.args[0] in depends:
            rounds *= _rounds(parent)
    return nbytes * rounds if rounds >= _ROUNDS else 0


def _rounds(loop: scf.ForOp) -> int:
    """How often a loop is known to run."""
    start, end, step = map(constant_value, (loop.lb, loop.ub, loop.step))
    if start is None or end is None or step is None or step < 1:
        return 1
    return max(0, -(-(end - start) // step))


def _parents(op: Operation) -> Iterator[Operation]:
    parent = op.parent_op()
    while parent is not None:
        yield parent
        parent = parent.parent_op()
