"""Sums of long rows by the work-items of a group for each row, where a program does not choose."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from xdsl.dialects.builtin import AnyFloat, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.dialects import pattern
from polycl.dialects.pattern.nat import nat
from polycl.dialects.pattern.types import is_scalar, parts_of
from polycl.lowering.pattern.rules.build import element_of, size_of
from polycl.lowering.pattern.rules.derivation import Derivation

SCRIPT = Path(__file__).with_name("rows.deriv")

SHORT = 256
"""Elements of a row. A work-item for each row sums fewer as fast: a vector holds what several rows
have in one place, and adds wait for each other."""


def sum_rows_in_groups(module: ModuleOp, function: FuncOp) -> None:
    """Replay `rows.deriv` at maps whose functions are a sum of floats each, as in a matrix times a
    vector, and map these to work-groups.

    What is added is read from parameters of the program, where neighbours in a row lie side by
    side.
    """
    for op in list(function.body.block.ops):
        if not isinstance(op, pattern.MapOp) or not _is_given(op.input, function.body.block):
            continue
        found = _only_sum(op, function.body.block)
        if found is None or (use := found.result.first_use) is None:
            continue
        # Work-items are those of a group.
        mapped = _mapped(op, pattern.MapWorkgroupOp)
        _script().replay_at(module, function, use, {"N": size_of(found.input).value})
        if not any(isinstance(inner, pattern.MapLocalOp) for inner in mapped.walk()):
            _mapped(mapped, pattern.MapOp)


def _mapped(op: pattern.MapBase, kind: type[pattern.MapBase]) -> pattern.MapBase:
    """The map as one of another kind."""
    new = kind(op.input, op.detach_region(op.body))
    new.location = op.location
    new.result.name_hint = op.result.name_hint
    Rewriter.replace_op(op, new)
    return new


def _only_sum(op: pattern.MapOp, program: Block) -> pattern.ReduceOp | None:
    """The sum of a row, if the function of a map computes nothing else for many elements."""
    body = op.body.block
    sums = [inner for inner in body.ops if isinstance(inner, pattern.ReduceOp)]
    if len(sums) != 1 or not _is_long(sums[0]):
        return None
    terms = _terms(sums[0].input, body, program)
    if terms is None:
        return None
    for inner in body.ops:
        if inner in (sums[0], *terms) or isinstance(inner, pattern.YieldOp) or _is_scalar(inner):
            continue
        is_one = isinstance(inner, pattern.MapOp) and size_of(inner.input) == nat(1)
        if not (is_one and all(map(_is_scalar, _function(inner)))):
            return None
    return sums[0]


def _is_long(op: pattern.ReduceOp) -> bool:
    size = size_of(op.input)
    return (
        op.assoc is not None
        and op.comm is not None
        and all(isinstance(value.type, AnyFloat) for value in op.yielded)
        and size.is_constant
        and size.value >= SHORT
    )


def _terms(value: SSAValue, row: Block, program: Block) -> list[Operation] | None:
    """The patterns that compute the terms of a sum from arrays as they are; None, if others do."""
    match value.owner:
        case Block():
            is_flat = all(map(is_scalar, parts_of(element_of(value))))
            return [] if is_flat and value.owner in (row, program) else None
        case pattern.MapOp() as op if all(map(_is_scalar, _function(op))):
            inputs = [op.input]
        case pattern.ZipOp() as op:
            inputs = list(op.operands)
        case _:
            return None
    found: list[Operation] = [op]
    for each in inputs:
        terms = _terms(each, row, program)
        if terms is None:
            return None
        found += terms
    return found


def _is_given(value: SSAValue, program: Block) -> bool:
    """Whether an array is parameters of the program."""
    if isinstance(value.owner, pattern.ZipOp):
        return all(_is_given(each, program) for each in value.owner.operands)
    return isinstance(value, BlockArgument) and value.owner is program


def _function(op: Operation) -> list[Operation]:
    return [inner for inner in op.regions[0].block.ops if not isinstance(inner, pattern.YieldOp)]


def _is_scalar(op: Operation) -> bool:
    return op.dialect_name() in ("arith", "math") and not op.regions


@cache
def _script() -> Derivation:
    return Derivation.read(SCRIPT)
