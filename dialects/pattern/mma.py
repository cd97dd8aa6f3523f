"""The product of two small matrices that is added to a third: what tensor cores compute."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import Float16Type, Float32Type
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.nat import nat
from polycl.dialects.pattern.sizes import verify_integer
from polycl.dialects.pattern.types import ArrayType, array
from polycl.dialects.pattern.values import Properties, ValueOp, rows_in

ROWS, COLUMNS, STEPS = 16, 8, 16
"""The sizes of a fragment: rows and columns of the result, and the products of each sum."""


@irdl_op_definition
class MmaOp(ValueOp):
    """`d[i][j] = c[i][j] + sum over k of a[i][k] * b[j][k]`, for 16 x 8 elements.

    ```
    %d = pattern.mma %a, %b, %c : !pattern.array<16, 8, f32>
    ```

    a has 16 rows and b 8, of as many f16, a multiple of 16; c is of f32, as are products and sums.
    The order of the sums is not defined. In a work-group 32 work-items along dimension 0 compute it
    together: it takes the place of a `map_local`.
    """

    name = "pattern.mma"

    a = operand_def(ArrayType)
    b = operand_def(ArrayType)
    c = operand_def(ArrayType)
    result = result_def(ArrayType)

    def __init__(self, a: SSAValue, b: SSAValue, c: SSAValue):
        super().__init__([a, b, c])

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        if len(operands) != 3:
            raise VerifyException(f"expected three arrays, got {len(operands)}")
        steps = rows_in(operands[0])[1].size
        half = Float16Type()
        expected = (
            array(ROWS, array(steps, half)),
            array(COLUMNS, array(steps, half)),
            array(ROWS, array(COLUMNS, Float32Type())),
        )
        for name, found, type in zip("abc", operands, expected, strict=True):
            if found != type:
                raise VerifyException(f"{name}: expected {type}, got {found}")
        return [expected[2]]

    @property
    def steps(self) -> ArrayType:
        """The type of a row of a or b."""
        return rows_in(self.a.type)[1]

    def verify_(self) -> None:
        super().verify_()
        what = f"the number of products in a sum must be a multiple of {STEPS}"
        size = self.steps.size.quotient(nat(STEPS))
        if size is None:
            raise VerifyException(what)
        verify_integer(self, size, what)
