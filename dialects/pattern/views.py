"""Patterns that only rearrange elements: they generate no code but indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerType, TupleType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.nat import NatAttr, nat, read_nat
from polycl.dialects.pattern.sizes import quotient, verify_integer
from polycl.dialects.pattern.types import ArrayType, array
from polycl.dialects.pattern.values import OneToOneOp, Properties, ValueOp, array_in, rows_in


def nat_property(properties: Properties, name: str) -> NatAttr:
    """The property `name`, a size."""
    value = properties[name]
    assert isinstance(value, NatAttr)
    return value


@irdl_op_definition
class ZipOp(ValueOp):
    """Arrays of one size as an array of tuples.

    `%xy = pattern.zip %x, %y : !pattern.array<N, tuple<f32, f32>>`
    """

    name = "pattern.zip"

    inputs = var_operand_def(ArrayType)
    result = result_def(ArrayType)

    def __init__(self, *inputs: SSAValue):
        super().__init__(inputs)

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        types = [array_in(type) for type in operands]
        if len(types) < 2:
            raise VerifyException(f"expected at least two arrays, got {len(types)}")
        for type in types:
            if type.size != types[0].size:
                raise VerifyException(
                    f"expected arrays of one size, got the sizes {types[0].size} and {type.size}"
                )
        return [array(types[0].size, TupleType(tuple(type.element_type for type in types)))]


@irdl_op_definition
class UnzipOp(ValueOp):
    """An array of tuples as one array for each part.

    `%x, %y = pattern.unzip %xy : !pattern.array<N, f32>, !pattern.array<N, f32>`
    """

    name = "pattern.unzip"

    input = operand_def(ArrayType)
    outputs = var_result_def(ArrayType)

    def __init__(self, input: SSAValue):
        super().__init__([input])

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type = array_in(operands[0])
        if not isinstance(type.element_type, TupleType):
            raise VerifyException(f"expected an array of tuples, got {type}")
        return [array(type.size, part) for part in type.element_type.types]


class ByOp(OneToOneOp):
    """A pattern with one size, written `by 64` behind the operand."""

    KEY: ClassVar[str]

    def print_modifiers(self, printer: Printer) -> None:
        printer.print_string(f" by {nat_property(self.properties, self.KEY)}")

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> tuple[list[SSAValue], Properties]:
        parser.parse_keyword("by")
        return [], {cls.KEY: read_nat(parser)}


@irdl_op_definition
class SplitOp(ByOp):
    """The outermost dimension in chunks of `size` elements: `split^n`.

    `%c = pattern.split %x by 64 : !pattern.array<N, 64, f32>`
    """

    name = "pattern.split"
    KEY: ClassVar[str] = "size"

    size = prop_def(NatAttr)

    def __init__(self, input: SSAValue, size: NatAttr | int | str):
        super().__init__(input, {"size": nat(size)})

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type, size = array_in(operands[0]), nat_property(properties, "size")
        chunks = quotient(type.size, size, "the chunk size must divide the array's size")
        return [array(chunks, array(size, type.element_type))]


@irdl_op_definition
class TakeOp(ByOp):
    """The first `size` elements. What makes the others may be left out.

    `%y = pattern.take %x by N : !pattern.array<N, f32>`, of `N + 24` elements.
    """

    name = "pattern.take"
    KEY: ClassVar[str] = "size"

    size = prop_def(NatAttr)

    def __init__(self, input: SSAValue, size: NatAttr | int | str):
        super().__init__(input, {"size": nat(size)})

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type, size = array_in(operands[0]), nat_property(properties, "size")
        rest = type.size - size
        if any(coefficient < 0 for _, coefficient in rest.terms):
            raise VerifyException(f"expected at most {type.size} elements, got {size}")
        return [array(size, type.element_type)]


@irdl_op_definition
class DropOp(ByOp):
    """All but the first `size` elements.

    `%y = pattern.drop %x by 24 : !pattern.array<N, f32>`, of `N + 24` elements.
    """

    name = "pattern.drop"
    KEY: ClassVar[str] = "size"

    size = prop_def(NatAttr)

    def __init__(self, input: SSAValue, size: NatAttr | int | str):
        super().__init__(input, {"size": nat(size)})

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type, size = array_in(operands[0]), nat_property(properties, "size")
        rest = type.size - size
        if any(coefficient < 0 for part in (size, rest) for _, coefficient in part.terms):
            raise VerifyException(f"expected 0 to {type.size} elements to drop, got {size}")
        return [array(rest, type.element_type)]


@irdl_op_definition
class JoinOp(OneToOneOp):
    """The two outermost dimensions as one.

    `%x = pattern.join %c : !pattern.array<64*N, f32>`
    """

    name = "pattern.join"

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        outer, inner = rows_in(operands[0])
        return [array(outer.size * inner.size, inner.element_type)]


@irdl_op_definition
class ReorderOp(OneToOneOp):
    """The same elements in any order, which rules choose.

    `%y = pattern.reorder %x : !pattern.array<N, f32>`
    """

    name = "pattern.reorder"

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        return [array_in(operands[0])]


@irdl_op_definition
class ReorderStrideOp(ByOp):
    """With stride s on n*s elements: `out[i] = in[i / n + s * (i mod n)]`.

    Neighbouring work-items, each with a chunk of n elements, then read neighbouring elements:
    `%y = pattern.reorder_stride %x by 128 : !pattern.array<128*N, f32>`
    """

    name = "pattern.reorder_stride"
    KEY: ClassVar[str] = "stride"

    stride = prop_def(NatAttr)

    def __init__(self, input: SSAValue, stride: NatAttr | int | str):
        super().__init__(input, {"stride": nat(stride)})

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type, stride = array_in(operands[0]), nat_property(properties, "stride")
        quotient(type.size, stride, "the stride must divide the array's size")
        return [type]

    def verify_(self) -> None:
        super().verify_()
        verify_integer(self, self.chunk, "the stride must divide the array's size")

    @property
    def chunk(self) -> NatAttr:
        """n: the number of elements, a stride apart, that become neighbours."""
        return quotient(self.input_type.size, self.stride, "the stride")


@irdl_op_definition
class TransposeOp(OneToOneOp):
    """Rows as columns: `%t = pattern.transpose %a : !pattern.array<K, M, f32>`."""

    name = "pattern.transpose"

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        outer, inner = rows_in(operands[0])
        return [array(inner.size, array(outer.size, inner.element_type))]


@irdl_op_definition
class SlideOp(OneToOneOp):
    """Windows of `size` elements, each `step` elements after the previous one.

    `%w = pattern.slide %x size 3 step 1 : !pattern.array<N - 2, 3, f32>`
    """

    name = "pattern.slide"

    size = prop_def(NatAttr)
    step = prop_def(NatAttr)

    def __init__(self, input: SSAValue, size: NatAttr | int | str, step: NatAttr | int | str = 1):
        super().__init__(input, {"size": nat(size), "step": nat(step)})

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type = array_in(operands[0])
        size, step = nat_property(properties, "size"), nat_property(properties, "step")
        if step.is_constant and step.value < 1:
            raise VerifyException(f"expected a step of at least 1, got {step}")
        what = "the step must divide the array's size less that of a window"
        windows = quotient(type.size - size, step, what) + 1
        if windows.is_constant and windows.denominator == 1 and windows.value < 1:
            raise VerifyException(f"a window of {size} elements is larger than {type}")
        return [array(windows, array(size, type.element_type))]

    def print_modifiers(self, printer: Printer) -> None:
        printer.print_string(f" size {self.size} step {self.step}")

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> tuple[list[SSAValue], Properties]:
        parser.parse_keyword("size")
        size = read_nat(parser)
        parser.parse_keyword("step")
        return [], {"size": size, "step": read_nat(parser)}


@irdl_op_definition
class GatherOp(ValueOp):
    """The elements at the given indices; each is at least 0 and less than the array's size.

    `%y = pattern.gather %x, %ids : !pattern.array<M, f32>`
    """

    name = "pattern.gather"

    input = operand_def(ArrayType)
    indices = operand_def(ArrayType)
    result = result_def(ArrayType)

    def __init__(self, input: SSAValue, indices: SSAValue):
        super().__init__([input, indices])

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type, indices = (array_in(operand) for operand in operands)
        if not isinstance(indices.element_type, IntegerType | IndexType):
            raise VerifyException(f"expected indices that are integers, got {indices}")
        return [ArrayType(indices.size, type.element_type)]
