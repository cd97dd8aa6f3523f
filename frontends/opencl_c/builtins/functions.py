"""The functions of the dialect's table (OpenCL 1.2, sections 6.12.2 to 6.12.6)."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl.builtins import FUNCTIONS, Builtin
from polycl.frontends.opencl_c.builtins.table import Emit, as_c, element_type, operation, spread
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall
from polycl.frontends.opencl_c.types import Kind


def _emit(row: Builtin) -> Emit:
    """The emitter of a row; a second result is stored through the last argument."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        values = [e.emit(argument) for argument in call.arguments]
        inputs = values[: len(row.arguments)]
        first, *others = _call(e, row, inputs, call)
        for value, pointer in zip(others, values[len(inputs) :], strict=True):
            e.store_to(value, pointer)
        return as_c(e, first, call) if row.results in ("B", "b") else first

    return emit if row.operation is None else operation(row.operation)


def _call(
    e: ExpressionEmitter, row: Builtin, values: list[SSAValue], call: BuiltinCall
) -> list[SSAValue]:
    """The results of `ocl.builtin`. A scalar argument is broadcast where a vector is expected."""
    gentypes = [v.type for v, letter in zip(values, row.arguments, strict=True) if letter in "FTA"]
    vectors = (type for type in gentypes if isinstance(type, VectorType))
    # The argument of `nan` has another type than the result.
    gentype = next(vectors, gentypes[0]) if gentypes else call.type.value
    typed = zip(values, row.arguments, strict=True)
    arguments = [spread(e, value, row.type_of(letter, gentype)) for value, letter in typed]
    results = [row.type_of(letter, gentype) for letter in row.results]
    return list(e.add(ocl.BuiltinOp(row.name, arguments, results)).results)


def _by_type(forms: dict[bool | None, Emit]) -> Emit:
    """Select the function of a name for floats (None), signed or unsigned integers."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue | None:
        type = element_type(call.arguments[0].type)
        return forms[None if type.kind is Kind.FLOAT else not type.signed](e, call)

    return emit


def _same(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    return e.emit(call.arguments[0])


_FORMS: dict[str, dict[bool | None, Emit]] = {"abs": {True: _same}}
"""By spelling, then by `Builtin.is_unsigned`."""

for _row in FUNCTIONS:
    _FORMS.setdefault(_row.spelling, {})[_row.is_unsigned] = _emit(_row)

TABLE: dict[str, Emit] = {
    name: _by_type(forms) if len(forms) > 1 else forms[None] for name, forms in _FORMS.items()
}
