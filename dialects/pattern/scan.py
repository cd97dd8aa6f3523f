"""Scans: all the values that a reduction goes through."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.lambdas import flag
from polycl.dialects.pattern.reductions import FlaggedReduceBase
from polycl.dialects.pattern.types import ArrayType


@irdl_op_definition
class ScanOp(FlaggedReduceBase):
    """The reductions of all beginnings of an array, by a function `(T, T) -> T`.

    ```
    %r = pattern.scan %x init %z as %p : f32, %q : f32 exclusive assoc comm {
      %s = arith.addf %p, %q : f32
      pattern.yield %s : f32
    } : !pattern.array<N, f32>
    ```

    Element i combines the initial value and the elements 0 to i of the input, from left to right;
    `exclusive`: without element i, so that element 0 is the initial value.
    """

    name = "pattern.scan"

    exclusive = opt_prop_def(UnitAttr)

    FLAGS: ClassVar[tuple[str, ...]] = ("exclusive", *FlaggedReduceBase.FLAGS)
    OTHER_TYPES: ClassVar[str] = "make a map before it of elements of the initial value's type"

    def __init__(
        self,
        input: SSAValue,
        init: SSAValue,
        body: Region,
        *,
        exclusive: bool = False,
        assoc: bool = False,
        comm: bool = False,
        neutral: bool = False,
        attributes: dict[str, Attribute] | None = None,
    ):
        assert isinstance(input.type, ArrayType)
        super().__init__(
            input,
            init,
            body,
            input.type.size,
            assoc=assoc,
            comm=comm,
            neutral=neutral,
            attributes=attributes,
        )
        if exclusive:
            self.exclusive = flag(True)

    def verify_(self) -> None:
        super().verify_()
        if self.result.type != self.input.type:
            raise VerifyException(
                f"expected a result of the input's type {self.input.type}, got {self.result.type}"
            )
