"""Scalar code inside of functions: cloned, or widened to vectors in `vect`."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from polycl.dialects import pattern, vec
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import Value


def emit_scalar(emitter: Emitter, op: Operation, scope: Scope) -> None:
    """`op` with the values that its operands have in `scope`."""
    if op.name.startswith("pattern."):
        raise error_at(op, f"'{op.name}' cannot be lowered to OpenCL here")
    values: dict[SSAValue, SSAValue] = {}
    for used in op.walk():
        if used is not op and used.name.startswith("pattern."):
            raise error_at(used, f"'{used.name}' inside of '{op.name}' cannot be lowered to OpenCL")
        for operand in used.operands:
            if operand not in values and not op.is_ancestor(operand.owner):
                values[operand] = emitter.value(scope.view(operand, emitter))
    clone = op.clone(value_mapper=values)
    emitter.add(clone)
    for old, new in zip(op.results, clone.results, strict=True):
        new.name_hint = old.name_hint
        scope.bind(old, Value(new))


def emit_vect(emitter: Emitter, op: pattern.VectOp, scope: Scope) -> None:
    """The function of `vect` on all lanes: the same operations on vectors."""
    inner = Scope(scope)
    for arg, vector in zip(op.body.block.args, op.inputs, strict=True):
        inner.bind(arg, Value(emitter.value(scope.view(vector, emitter))))

    def widened(value: SSAValue) -> SSAValue:
        found = emitter.value(inner.view(value, emitter))
        is_vector = isinstance(found.type, VectorType)
        return found if is_vector else emitter.splat(found, op.width)

    for nested in op.body.block.ops:
        if isinstance(nested, pattern.YieldOp):
            break
        if isinstance(nested, arith.ConstantOp):
            emit_scalar(emitter, nested, inner)
            continue
        if nested.regions or nested.name.startswith("pattern."):
            raise error_at(nested, f"'{nested.name}' has no form for vectors")
        operands = [widened(operand) for operand in nested.operands]
        wide = vec.form_of(type(nested), operands[0].type).create(
            operands=operands,
            result_types=[VectorType(result.type, [op.width]) for result in nested.results],
            properties=dict(nested.properties),
            attributes=dict(nested.attributes),
        )
        wide.location = nested.location
        emitter.add(wide)
        for old, new in zip(nested.results, wide.results, strict=True):
            new.name_hint = old.name_hint
            inner.bind(old, Value(new))
    for result, value in zip(op.outputs, op.yielded, strict=True):
        scope.bind(result, Value(widened(value)))
