"""Integers of which only the low bits are used are cut where they are computed.

```
%x = scf.if %c -> (i32) {                    %x = scf.if %c -> (i8) {
  scf.yield %a : i32                           %y = arith.trunci %a : i32 to i8
} ...                                 ->       scf.yield %y : i8
                                             } ...
%r = arith.trunci %x : i32 to i8             (%x is %r)
```

So a branch ends with numbers as narrow as what is stored, and so does each component of a vector
that is set alone: `o.w = max(a.w, b.w); out[i] = convert_uchar4(o);`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf, ub, vector
from xdsl.ir import Attribute, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import element_number
from polycl.dialects.inside import operations_of
from polycl.dialects.vec import both, element_of, same_shape, width_of
from polycl.lowering.build import Build

_CUT = both(arith.TruncIOp)


def cut_early(body: Region, bits: int) -> None:
    """Cut what branches and inserted elements give to at most so many bits, if nothing else is done
    with their results."""
    waiting: list[SSAValue] = [
        cut.operands[0]
        for cut in operations_of(body, *_CUT)
        if width_of(cut.results[0].type) <= bits
    ]
    while waiting:
        value = waiting.pop()
        owner = value.owner
        type = _only_cut_to(value)
        if type is None or not isinstance(owner, Operation):
            continue
        match owner:
            case scf.IfOp() if isinstance(value, OpResult):
                waiting += _cut_in_branches(owner, value, type)
            case vector.InsertOp() if not owner.dynamic_position:
                waiting += _cut_elements(owner, type)
            case _:
                pass


def _only_cut_to(value: SSAValue) -> Attribute | None:
    """The type to which all uses of a value cut it."""
    types = {
        use.operation.results[0].type if isinstance(use.operation, _CUT) else None
        for use in value.uses
    }
    return types.pop() if len(types) == 1 else None


def _cut_in_branches(op: scf.IfOp, result: OpResult, type: Attribute) -> Sequence[SSAValue]:
    found: list[SSAValue] = []
    for region in op.regions:
        end = terminator(region.block)
        value = end.operands[result.index]
        end.operands[result.index] = _cut(Build(end), value, type)
        found.append(value)
    cuts = [use.operation for use in result.uses]
    _drop(cuts, Rewriter.replace_value_with_new_type(result, type))
    return found


def _cut_elements(op: vector.InsertOp, type: Attribute) -> Sequence[SSAValue]:
    build = Build(op, InsertPoint.after(op))
    element = _cut(build, op.source, type)
    rest = _cut(build, op.dest, type)
    places = op.static_position.get_values()
    new = build.emit(vector.InsertOp(element, rest, places))
    new.name_hint = op.result.name_hint
    found = [op.source, op.dest]
    _drop([use.operation for use in op.result.uses], new)
    Rewriter.erase_op(op)
    return found


def _cut(build: Build, value: SSAValue, type: Attribute) -> SSAValue:
    type = same_shape(element_of(type), value.type)
    number = element_number(value)
    if number is not None:
        return build.constant(number, type)
    if isinstance(value.owner, ub.PoisonOp):
        return build.emit(ub.PoisonOp(type))
    return build.resize(value, width_of(type), signed=False)


def _drop(cuts: Sequence[Operation], value: SSAValue) -> None:
    for cut in cuts:
        Rewriter.replace_op(cut, [], [value])
