"""Integers that no set describes, since they come from memory, from floats or from atomics.

Where an address or a condition depends on one, it is a parameter of the sets, with the bounds of
its type: what the kernel does with it narrows it, as in `x[k & 15]`, `x[min(k, n - 1)]` and
`if (k < n) x[k]`.
"""

from __future__ import annotations

from collections.abc import Iterable

import islpy as isl
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, OpResult, SSAValue

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.poly.model import Model
from polycl.analysis.poly.values import ARITHMETIC, bits_of
from polycl.dialects import ocl
from polycl.dialects.poly.isl_context import isl_context

_MOST = 8
"""Of a kernel; with more, all addresses that depend on them are unknown."""
_COMPUTED = (*ARITHMETIC, arith.ShRSIOp)


def unknowns_of(model: Model, body: Block) -> dict[SSAValue, str]:
    """The unknown integers that addresses, conditions and bounds depend on, with their names; none
    where there are too many."""
    found: dict[SSAValue, None] = {}
    seen: set[SSAValue] = set()
    for value in _deciding(body):
        _visit(value, model, found, seen)
    if len(found) > _MOST:
        return {}
    return {value: f"unknown{place}" for place, value in enumerate(found)}


def bounds_of(unknowns: dict[SSAValue, str]) -> isl.Set:
    """The parameters with the bounds of their types."""
    names = ", ".join(unknowns.values())
    bounds = " and ".join(
        f"{-1 << bits_of(value) - 1} <= {name} < {1 << bits_of(value) - 1}"
        for value, name in unknowns.items()
    )
    return isl.Set.read_from_str(isl_context(), f"[{names}] -> {{ : {bounds} }}")


def _deciding(body: Block) -> Iterable[SSAValue]:
    """The values that decide what is accessed."""
    for op in body.walk():
        match op:
            case scf.IfOp():
                yield op.cond
            case scf.ForOp():
                yield from (op.lb, op.ub)
            case ocl.LoadOp() | ocl.StoreOp() | ocl.VLoadOp() | ocl.VStoreOp() | ocl.OffsetOp():
                if op.index is not None:
                    yield op.index
            case _:
                pass


def _visit(value: SSAValue, model: Model, found: dict[SSAValue, None], seen: set[SSAValue]) -> None:
    if value in seen or not isinstance(value.type, IntegerType | IndexType):
        return
    seen.add(value)
    if bits_of(value) == 1:
        if model.condition_of(value) is not None:
            return
    elif model.index_of(value) is not None:
        return
    inside: list[SSAValue] = []
    if isinstance(value, OpResult):
        owner = value.op
        if isinstance(owner, _COMPUTED):
            inside = [*owner.operands]
        elif isinstance(owner, scf.IfOp):
            ends = (terminator(region.block).operands[value.index] for region in owner.regions)
            inside = [owner.cond, *ends]
    before = len(found)
    for operand in inside:
        _visit(operand, model, found, seen)
    if len(found) == before and bits_of(value) in (8, 16, 32, 64) and not _is_seen(inside, found):
        found[value] = None


def _is_seen(values: Iterable[SSAValue], found: dict[SSAValue, None]) -> bool:
    return any(value in found for value in values)
