"""Values that depend on what each work-item has read, and those that depend on its ids only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith, scf
from xdsl.ir import BlockArgument, Operation, SSAValue

from polycl.analysis.ocl.lane_stride import VARYING
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.inside import Kinds

_STEADY = Kinds(
    arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.DivSIOp, arith.DivUIOp, arith.CmpiOp,
    arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp, arith.AndIOp, arith.OrIOp,
    arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp, arith.IndexCastOp,
)  # fmt: skip
"""Operations whose results differ little between neighbours where their operands do."""


def is_by_data(value: SSAValue, facts: Uniformity, dimension: int, *, private: bool = True) -> bool:
    """Whether a value that differs between neighbours is read, or computed from what is; without
    `private`, what a work-item reads from memory of its own does not count."""
    return any(
        isinstance(source.owner, ocl.LoadOp)
        and (private or ocl.space_of(source.owner.pointer) != ocl.AddressSpace.PRIVATE)
        for source in _sources(value, facts, dimension)
    )


def is_by_ids(value: SSAValue, facts: Uniformity, dimension: int) -> bool:
    """Whether a value is computed from ids, and from what a group shares, by sums, products,
    quotients and comparisons only."""
    return all(_STEADY[type(source.owner)] for source in _sources(value, facts, dimension))


def _sources(value: SSAValue, facts: Uniformity, dimension: int) -> Iterator[SSAValue]:
    """A value and what it is computed from, as far as its difference between neighbours varies."""
    pending, seen = [value], set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in seen or facts.lanes(value).strides[dimension] is not VARYING:
            continue
        seen.add(value)
        yield value
        pending += _origins(value)


def _origins(value: SSAValue) -> Sequence[SSAValue]:
    """What a value is computed from; what a loop carries, from what it is before."""
    if isinstance(value, BlockArgument):
        loop = value.owner.parent_op()
        return (
            (loop.iter_args[value.index - 1],)
            if isinstance(loop, scf.ForOp) and value.index
            else ()
        )
    assert isinstance(value.owner, Operation)
    return value.owner.operands
