"""`join-components`: what is computed of each component of a vector alike is one operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.dialects import vec
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl import KernelLike
from polycl.dialects.vec import count_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused
from polycl.lowering.ocl.split_vectors import ELEMENTWISE
from polycl.remarks import emit_remark

_ARITHMETIC = (
    *ELEMENTWISE,
    arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp, arith.NegfOp, math.FmaOp,
)  # fmt: skip

MOST_LEVELS = 8
"""Of operations on operations."""


@dataclass(frozen=True)
class JoinComponentsPass(ModulePass):
    """Compute a vector from vectors where each component is computed from theirs in the same way.

    ```
    %x = arith.mulf %v[0], %a : f32
    %y = arith.mulf %v[1], %a : f32               %b = vector.broadcast %a : vector<2xf32>
    %r = vector.insert %x, %u [0]            ->   %s = arith.mulf %v, %b : vector<2xf32>
    %s = vector.insert %y, %r [1]
    ```

    `s.x = v.x * a; s.y = v.y * a;` of macros then is `s = v * a`: `wg-vectorize` decides whether
    vectors stay as they lie in memory, and takes them apart only where single components are
    needed.
    """

    name = "join-components"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, KernelLike):
            joined = False
            for insert in operations_of(kernel.body, vector.InsertOp):
                components = _components(insert)
                found = None if components is None else _alike(components, MOST_LEVELS)
                if found is not None and _has_vector(found):
                    emit_remark(insert, self.name, "its components are computed together")
                    value = _emitted(found, insert.result.type, Build(insert))
                    value.name_hint = value.name_hint or insert.result.name_hint
                    insert.result.replace_all_uses_with(value)
                    joined = True
            if joined:
                erase_unused(kernel.body)


@dataclass(frozen=True)
class _Joined:
    """An operation on vectors, as the given one is on the first components; of these, a scalar is
    the same for all."""

    op: Operation
    operands: tuple[_Joined | SSAValue, ...]


def _components(insert: vector.InsertOp) -> list[SSAValue] | None:
    """The components that a chain of inserts sets; None unless it sets all, and ends here, or goes
    on by setting them again."""
    type = insert.result.type
    if not isinstance(type, VectorType):
        return None
    count = count_of(type)
    found: dict[int, SSAValue] = {}
    value: SSAValue = insert.result
    inserts = 0
    while isinstance(op := value.owner, vector.InsertOp) and len(found) < count:
        if op.dynamic_position or isinstance(op.source.type, VectorType):
            return None
        found.setdefault(int(op.static_position.get_values()[0]), op.source)
        value = op.dest
        inserts += 1
    goes_on = any(
        isinstance(use.operation, vector.InsertOp) and use.operation.dest is insert.result
        for use in insert.result.uses
    )
    if len(found) < count or (goes_on and inserts > count):
        return None
    return [found[i] for i in range(count)]


def _alike(values: Sequence[SSAValue], levels: int) -> _Joined | SSAValue | None:
    """What makes a vector of these components: a vector, a scalar for all, or an operation."""
    first, *others = values
    if all(value is first for value in others):
        return first
    ops = [value.owner for value in values]
    if all(isinstance(op, vector.ExtractOp) for op in ops):
        return _whole([op for op in ops if isinstance(op, vector.ExtractOp)])
    op, *rest = ops
    if levels == 0 or not isinstance(op, _ARITHMETIC) or not all(_is_like(op, o) for o in rest):
        return None
    operands: list[_Joined | SSAValue] = []
    for column in zip(*(o.operands for o in ops if isinstance(o, Operation)), strict=True):
        operand = _alike(column, levels - 1)
        if operand is None:
            return None
        operands.append(operand)
    return _Joined(op, tuple(operands))


def _whole(extracts: Sequence[vector.ExtractOp]) -> SSAValue | None:
    """The vector of which these are all components, in order."""
    sources = [_source(op, number) for number, op in enumerate(extracts)]
    source = sources[0]
    is_whole = source is not None and count_of(source.type) == len(extracts)
    return source if is_whole and all(other is source for other in sources) else None


def _source(op: vector.ExtractOp, number: int) -> SSAValue | None:
    """The vector whose component with a number is extracted, before others were set."""
    if op.dynamic_position or op.static_position.get_values() != (number,):
        return None
    value = op.vector
    while isinstance(set := value.owner, vector.InsertOp) and not set.dynamic_position:
        if set.static_position.get_values() == (number,):
            break
        value = set.dest
    return value


def _is_like(op: Operation, other: object) -> bool:
    return (
        isinstance(other, Operation)
        and type(other) is type(op)
        and other.properties == op.properties
        and other.attributes == op.attributes
    )


def _has_vector(found: _Joined | SSAValue) -> bool:
    if isinstance(found, _Joined):
        return any(map(_has_vector, found.operands))
    return isinstance(found.type, VectorType)


def _emitted(found: _Joined | SSAValue, type: Attribute, build: Build) -> SSAValue:
    assert isinstance(type, VectorType)
    if isinstance(found, _Joined):
        new = vec.form_of(found.op.__class__, type).create(
            operands=[_emitted(operand, type, build) for operand in found.operands],
            result_types=[type],
            properties=dict(found.op.properties),
            attributes=dict(found.op.attributes),
        )
        build.emit_void(new)
        return new.results[0]
    return found if isinstance(found.type, VectorType) else build.splat(found, type)
