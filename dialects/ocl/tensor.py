"""Tensor cores: products of small matrices by a sub-group of 32 work-items, as no OpenCL C has."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import Float32Type, IndexType, UnitAttr, VectorType, i32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl.attributes import AddressSpace, PtrType
from polycl.dialects.ocl.memory import pointer_type

ROW_BYTES = 16
"""Bytes of a row of a matrix that `ocl.load_matrix` reads."""


@irdl_op_definition
class LoadMatrixOp(IRDLOperation):
    """Matrices of 8 x 8 elements of 16 bits from local memory: two, or four.

    `%w = ocl.load_matrix %tile[%i] transposed : !ocl.ptr<f16, local> -> vector<4xi32>`

    Work-item 8*m + r of the sub-group has the place of row r of matrix m, a multiple of 16 bytes.
    Word m of work-item l has the elements 2*(l mod 4) and the next one of row l / 4 of matrix m, or
    of its column with `transposed`.
    """

    name = "ocl.load_matrix"

    transposed = opt_prop_def(UnitAttr)
    pointer = operand_def(PtrType)
    index = operand_def(IndexType)
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$pointer `[` $index `]` (`transposed` $transposed^)? attr-dict"
        " `:` type($pointer) `->` type($result)"
    )

    def __init__(self, pointer: SSAValue, index: SSAValue, count: int, *, transposed: bool):
        super().__init__(
            operands=[pointer, index],
            result_types=[VectorType(i32, [count])],
            properties={"transposed": UnitAttr() if transposed else None},
        )

    @property
    def count(self) -> int:
        """The number of matrices."""
        assert isinstance(self.result.type, VectorType)
        return self.result.type.element_count()

    def verify_(self) -> None:
        if pointer_type(self.pointer).address_space is not AddressSpace.LOCAL:
            raise VerifyException(f"expected local memory, got {self.pointer.type}")
        if self.result.type not in (VectorType(i32, [2]), VectorType(i32, [4])):
            raise VerifyException(f"expected 2 or 4 words of i32, got {self.result.type}")


@irdl_op_definition
class MmaOp(IRDLOperation):
    """`d = a * b + c` for 16 x 16 elements of a and 16 x 8 of b, of f16, and 16 x 8 of c, of f32.

    ```
    %d:4 = ocl.mma %a, %b, %c0, %c1, %c2, %c3 : vector<4xi32>, vector<2xi32>,
      f32, f32, f32, f32 -> f32, f32, f32, f32
    ```

    Each work-item of the sub-group has a part: of a and b the words of `ocl.load_matrix` (a: the
    matrices above each other first; b: by columns), of c and d the elements 2*(l mod 4) and the one
    after it of row l / 4, and those of row l / 4 + 8.
    """

    name = "ocl.mma"

    a = operand_def(VectorType(i32, [4]))
    b = operand_def(VectorType(i32, [2]))
    c = var_operand_def(Float32Type)
    results_ = var_result_def(Float32Type)

    traits = traits_def(Pure())

    assembly_format = (
        "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($c) `->` type($results_)"
    )

    def __init__(self, a: SSAValue, b: SSAValue, c: Sequence[SSAValue]):
        super().__init__(operands=[a, b, c], result_types=[[Float32Type()] * 4])

    def verify_(self) -> None:
        if len(self.c) != 4 or len(self.results_) != 4:
            raise VerifyException("expected four elements of c, and four results")
