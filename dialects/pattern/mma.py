"""The product of two small matrices that is added to a third: what tensor cores compute."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import Float16Type, Float32Type
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.nat import NatAttr, nat
from polycl.dialects.pattern.sizes import verify_integer
from polycl.dialects.pattern.types import ArrayType, array
from polycl.dialects.pattern.values import Properties, ValueOp, rows_in

STEPS = 16
"""Sums have a multiple of as many products."""

_SUB_GROUP, _FOUR_SUB_GROUPS = 32, 128
_MOST_COLUMNS = 256


def _numbers(*sizes: NatAttr) -> list[int | None]:
    return [size.value if size.is_constant else None for size in sizes]


def work_items_of(rows: int | None, columns: int | None) -> int | None:
    """The work-items that compute `rows` x `columns` elements together; None: there is no such
    product."""
    if rows is None or columns is None:
        return None
    if (rows, columns) == (16, 8):
        return _SUB_GROUP
    is_wide = rows == 64 and columns % 8 == 0 and 8 <= columns <= _MOST_COLUMNS
    return _FOUR_SUB_GROUPS if is_wide else None


@irdl_op_definition
class MmaOp(ValueOp):
    """`d[i][j] = c[i][j] + sum over k of a[i][k] * b[j][k]`, for 16 x 8 elements, or 64 x n.

    ```
    %d = pattern.mma %a, %b, %c : !pattern.array<16, 8, f32>
    ```

    a has 16 rows and b 8, of as many f16, a multiple of 16; c is of f32, as are products and sums.
    The order of the sums is not defined. In a work-group 32 work-items along dimension 0 compute it
    together: it takes the place of a `map_local`. With 64 rows of a, b has a multiple of 8 rows, at
    most 256, and it takes 128 work-items.
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
        (left, row), (right, _) = rows_in(operands[0]), rows_in(operands[1])
        rows, columns, steps, half = left.size, right.size, row.size, Float16Type()
        if work_items_of(*_numbers(rows, columns)) is None:
            raise VerifyException(
                f"expected 16 x 8 results, or 64 x a multiple of 8, at most {_MOST_COLUMNS}, got "
                f"{rows} x {columns}"
            )
        expected = (
            array(rows, array(steps, half)),
            array(columns, array(steps, half)),
            array(rows, array(columns, Float32Type())),
        )
        for name, found, type in zip("abc", operands, expected, strict=True):
            if found != type:
                raise VerifyException(f"{name}: expected {type}, got {found}")
        return [expected[2]]

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns of the results."""
        rows, row = rows_in(self.result.type)
        return rows.size.value, row.size.value

    @property
    def work_items(self) -> int:
        """How many compute it together."""
        items = work_items_of(*self.shape)
        assert items is not None
        return items

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
