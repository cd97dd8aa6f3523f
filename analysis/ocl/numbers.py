"""The numbers that integers are, where they are known."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.evaluate import Domain, Rule
from polycl.analysis.ocl.integers import (
    BUILTINS,
    OPERATIONS,
    bits_of,
    compared,
    signed,
    unsigned,
)
from polycl.dialects import ocl


def _computed(_: Domain[int], op: Operation, *operands: int) -> int | None:
    type_of_result = op.results[0].type
    result = OPERATIONS[type(op)](operands[0], operands[1], type_of_result)
    return None if result is None else signed(result, type_of_result)


def _builtin(_: Domain[int], op: ocl.BuiltinOp, *operands: int) -> int | None:
    rule = BUILTINS.get(op.function.data)
    return None if rule is None else signed(rule(*operands), op.results[0].type)


NUMBERS: Mapping[type[Operation], Rule] = {
    **dict.fromkeys(OPERATIONS, _computed),
    arith.CmpiOp: lambda _, op, x, y: compared(op, x, y),
    ocl.BuiltinOp: _builtin,
    arith.SelectOp: lambda _, op, c, x, y: x if c else y,
    arith.ExtUIOp: lambda _, op, x: unsigned(x, op.input.type),
    # An i1 is 0 or 1, its sign 0 or -1.
    arith.ExtSIOp: lambda _, op, x: -x if bits_of(op.input.type) == 1 else x,
    **dict.fromkeys(
        (arith.IndexCastOp, arith.TruncIOp), lambda _, op, x: signed(x, op.results[0].type)
    ),
}
"""For domains whose values are those of `integers.py`."""


class Numbers(Domain[int | None]):
    """The values of integers that are known; None for others."""

    def __init__(self, known: Mapping[SSAValue, int | None] | None = None):
        super().__init__()
        self.known.update(known or {})

    def number(self, number: int, value: SSAValue) -> int | None:
        return signed(number, value.type)

    def opaque(self, value: SSAValue) -> int | None:
        return None

    rules = NUMBERS
