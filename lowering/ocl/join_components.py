"""`join-components`: what is computed of each component of a vector alike is one operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.speculation import may_fail
from polycl.dialects import vec
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl import KernelLike
from polycl.dialects.vec import count_of, vector_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused
from polycl.lowering.ocl.split_vectors import ELEMENTWISE
from polycl.remarks import emit_remark

_ARITHMETIC = (
    *ELEMENTWISE,
    arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp, arith.NegfOp, math.FmaOp,
    arith.ExtUIOp, arith.ExtSIOp, arith.TruncIOp, arith.UIToFPOp, arith.SIToFPOp,
    arith.CmpiOp, arith.CmpfOp, arith.SelectOp,
)  # fmt: skip

MOST_LEVELS = 8
"""Of operations on operations."""

LEAST_BESIDE_OTHER = 4
"""Components, of which one may be computed otherwise."""


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
    needed. Of four or more components, one may be computed otherwise, as the alpha of a pixel: it
    is set afterwards.
    """

    name = "join-components"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, KernelLike):
            joined = False
            for insert in operations_of(kernel.body, vector.InsertOp):
                components = _components(insert)
                found = None if components is None else _found(components)
                if components is not None and found is not None:
                    emit_remark(insert, self.name, "its components are computed together")
                    build, (joint, other) = Build(insert), found
                    value = _emitted(joint, len(components), build, {})
                    if other is not None:
                        value = build.emit(vector.InsertOp(components[other], value, [other]))
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


def _found(components: Sequence[SSAValue]) -> tuple[_Joined | SSAValue, int | None] | None:
    """What makes a vector of these components, and the number of one that is none of its own."""
    found = _alike(components, MOST_LEVELS)
    if found is not None:
        return (found, None) if _has_vector(found) else None
    if len(components) < LEAST_BESIDE_OTHER:
        return None
    for number in reversed(range(len(components))):
        rest = [None if n == number else value for n, value in enumerate(components)]
        found = _alike(rest, MOST_LEVELS)
        if isinstance(found, _Joined) and _has_vector(found):
            return found, number
    return None


def _alike(values: Sequence[SSAValue | None], levels: int) -> _Joined | SSAValue | None:
    """What makes a vector of these components: a vector, a scalar for all, or an operation; None is
    a component that may be anything."""
    first, *others = (value for value in values if value is not None)
    if all(value is first for value in others):
        return first
    ops = [None if value is None else value.owner for value in values]
    if isinstance(first.owner, vector.ExtractOp):
        return _whole(ops)
    op, *rest = (op for op in ops if op is not None)
    if isinstance(op, arith.ConstantOp) and all(_is_like(op, o) for o in rest):
        return first
    if levels == 0 or not isinstance(op, _ARITHMETIC) or not all(_is_like(op, o) for o in rest):
        return None
    if None in ops and may_fail(op):
        return None
    operands: list[_Joined | SSAValue] = []
    for number in range(len(op.operands)):
        column = [o.operands[number] if isinstance(o, Operation) else None for o in ops]
        operand = _alike(column, levels - 1)
        if operand is None:
            return None
        operands.append(operand)
    return _Joined(op, tuple(operands))


def _whole(extracts: Sequence[Operation | Block | None]) -> SSAValue | None:
    """The vector of which these are all components, in order."""
    sources = {
        _source(op, number) if isinstance(op, vector.ExtractOp) else None
        for number, op in enumerate(extracts)
        if op is not None
    }
    source = sources.pop() if len(sources) == 1 else None
    return source if source is not None and count_of(source.type) == len(extracts) else None


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


def _emitted(
    found: _Joined | SSAValue,
    count: int,
    build: Build,
    made: dict[_Joined | SSAValue, SSAValue],
) -> SSAValue:
    """A vector; `made` has those that are there. What is known of one is known of all its uses."""
    if found not in made:
        made[found] = _made(found, count, build, made)
    return made[found]


def _made(
    found: _Joined | SSAValue,
    count: int,
    build: Build,
    made: dict[_Joined | SSAValue, SSAValue],
) -> SSAValue:
    if isinstance(found, _Joined):
        result = vector_of(found.op.results[0].type, count)
        operands = [_emitted(operand, count, build, made) for operand in found.operands]
        new = vec.form_of(found.op.__class__, operands[0].type).create(
            operands=operands,
            result_types=[result],
            properties=dict(found.op.properties),
            attributes=dict(found.op.attributes),
        )
        build.emit_void(new)
        return new.results[0]
    if isinstance(found.type, VectorType):
        return found
    return build.splat(found, vector_of(found.type, count))
