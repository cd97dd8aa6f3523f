"""Tensor cores: products of small matrices by a sub-group of 32 work-items, as no OpenCL C has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    I64,
    Float16Type,
    Float32Type,
    IndexType,
    IntegerAttr,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl.attributes import AddressSpace, PtrType
from polycl.dialects.ocl.memory import pointer_type

ROW_BYTES = 16
"""Bytes of a row of a matrix that `ocl.load_matrix` reads."""

ROW = 64
"""Elements of a row of a matrix that `ocl.wgmma` reads."""

EIGHT_ROWS = 8 * ROW
"""A matrix for `ocl.wgmma` starts at a multiple of so many elements."""


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


@dataclass(frozen=True)
class Matrix:
    """A matrix of f16 in local memory, swizzled as by `pattern.to_local swizzled`."""

    pointer: SSAValue
    index: SSAValue
    """The number of its first element."""

    stride: int | None = None
    """None: a row of the product is a row of 64 elements in memory. Otherwise a block of 64 rows of
    the product is next to each other for each k, and so many elements after the previous block."""


@irdl_op_definition
class WgmmaOp(IRDLOperation):
    """`d = a * b + c` for 64 rows of a and n columns of b, of f16, and 64 x n elements of f32.

    ```
    %d:4 = ocl.wgmma steps 64 pending 1 %x[%i], %y[%j], %c0, %c1, %c2, %c3 : ...
    ```

    The work-items of four sub-groups, of 128 consecutive ones, have the same operands a and b:
    places in local memory (`Matrix`), which a barrier after `ocl.wait_copies for_products` has made
    visible. `stride 4096` after it is its stride. n is twice the number of elements of c that
    a work-item has: in each sub-group, which has 16 rows, those of n / 8 products of `ocl.mma` side
    by side.

    It ends when at most `pending` products, itself among them, go on. Until then only another
    `ocl.wgmma`, as its c, or `ocl.wait_products` may use the results.
    """

    name = "ocl.wgmma"

    a = operand_def(PtrType)
    a_index = operand_def(IndexType)
    b = operand_def(PtrType)
    b_index = operand_def(IndexType)
    c = var_operand_def(Float32Type)
    results_ = var_result_def(Float32Type)

    steps = prop_def(IntegerAttr[I64])
    pending = prop_def(IntegerAttr[I64])
    a_stride = opt_prop_def(IntegerAttr[I64])
    b_stride = opt_prop_def(IntegerAttr[I64])

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "`steps` $steps `pending` $pending $a `[` $a_index `]` (`stride` $a_stride^)? `,`"
        " $b `[` $b_index `]` (`stride` $b_stride^)? `,` $c attr-dict"
        " `:` type($a) `,` type($b) `,` type($c) `->` type($results_)"
    )

    def __init__(self, a: Matrix, b: Matrix, c: Sequence[SSAValue], steps: int, pending: int):
        strides = {"a_stride": a.stride, "b_stride": b.stride}
        numbers = {"steps": steps, "pending": pending, **strides}
        super().__init__(
            operands=[a.pointer, a.index, b.pointer, b.index, c],
            result_types=[[Float32Type()] * len(c)],
            properties={
                name: None if number is None else IntegerAttr(number, i64)
                for name, number in numbers.items()
            },
        )

    @property
    def columns(self) -> int:
        """The number of columns of b."""
        return 2 * len(self.c)

    def verify_(self) -> None:
        for pointer in (self.a, self.b):
            type = pointer_type(pointer)
            if type.address_space is not AddressSpace.LOCAL or type.pointee != Float16Type():
                raise VerifyException(f"expected a pointer to f16 in local memory, got {type}")
        if len(self.results_) != len(self.c):
            raise VerifyException(f"{len(self.c)} sums, but {len(self.results_)} results")
        if self.columns % 8 or not 8 <= self.columns <= 256:
            raise VerifyException(
                f"expected 4 sums for each 8 columns, of at most 256, got {len(self.c)}"
            )
        steps = self.steps.value.data
        if steps % 16 or steps < 16:
            raise VerifyException(f"expected a multiple of 16 steps, got {steps}")
        for stride in (self.a_stride, self.b_stride):
            if stride is None and steps > ROW:
                raise VerifyException(f"rows of {ROW} elements have no {steps} steps")
            if stride is not None and stride.value.data % EIGHT_ROWS:
                raise VerifyException(f"the stride must be a multiple of {EIGHT_ROWS}")
        if self.b_stride is not None and self.columns % ROW:
            raise VerifyException(f"blocks of {ROW} columns do not make {self.columns}")


@irdl_op_definition
class WaitProductsOp(IRDLOperation):
    """The results of `ocl.wgmma`, after all products of the work-item have ended.

    `%d:2 = ocl.wait_products %c#0, %c#1 : f32, f32 -> f32, f32`
    """

    name = "ocl.wait_products"

    sums = var_operand_def(Float32Type)
    results_ = var_result_def(Float32Type)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$sums attr-dict `:` type($sums) `->` type($results_)"

    def __init__(self, sums: Sequence[SSAValue]):
        super().__init__(operands=[sums], result_types=[[Float32Type()] * len(sums)])

    def verify_(self) -> None:
        if len(self.results_) != len(self.sums):
            raise VerifyException(f"{len(self.sums)} sums, but {len(self.results_)} results")
