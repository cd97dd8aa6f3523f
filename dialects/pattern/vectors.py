"""Vectors: consecutive scalars of the innermost dimension, and functions on them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, VectorType
from xdsl.ir import Attribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.lambdas import (
    int_attr,
    parse_binders,
    parse_function,
    print_binders,
    print_function,
    verify_binders,
    yielded,
)
from polycl.dialects.pattern.nat import NatAttr, nat
from polycl.dialects.pattern.sizes import quotient
from polycl.dialects.pattern.text import parse_values
from polycl.dialects.pattern.types import (
    ArrayType,
    innermost,
    is_scalar,
    scalar_of,
    vector_of,
    width_of,
)
from polycl.dialects.pattern.values import OneToOneOp, Properties, array_in


def _with_last_array(type: ArrayType, size: NatAttr, element: TypeAttribute) -> ArrayType:
    """The nest of arrays with another size and element type of the innermost array."""
    inner = type.element_type
    if isinstance(inner, ArrayType):
        return ArrayType(type.size, _with_last_array(inner, size, element))
    return ArrayType(size, element)


def _last_size(type: ArrayType) -> NatAttr:
    while isinstance(type.element_type, ArrayType):
        type = type.element_type
    return type.size


@irdl_op_definition
class AsVectorOp(OneToOneOp):
    """The innermost dimension as vectors of n scalars; tuples of scalars as tuples of vectors.

    `%v = pattern.as_vector %x by 4 : !pattern.array<N, vector<4xf32>>`
    """

    name = "pattern.as_vector"

    n = prop_def(IntegerAttr)

    def __init__(self, input: SSAValue, n: int | IntegerAttr):
        super().__init__(input, {"n": int_attr(n)})

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type, n = array_in(operands[0]), properties["n"]
        assert isinstance(n, IntegerAttr)
        if width_of(innermost(type)) is not None:
            raise VerifyException(
                f"the elements are vectors already: {type}; pattern.as_vector can be applied once"
            )
        vector = vector_of(innermost(type), n.value.data) if n.value.data > 1 else None
        if vector is None:
            raise VerifyException(
                f"expected an array of scalars and 2 or more of them in a vector, got {type} "
                f"by {n.value.data}"
            )
        what = "the vector's size must divide that of the innermost dimension"
        return [_with_last_array(type, quotient(_last_size(type), nat(n.value.data), what), vector)]

    @property
    def width(self) -> int:
        """The number of scalars in a vector."""
        return self.n.value.data

    def print_modifiers(self, printer: Printer) -> None:
        printer.print_string(f" by {self.width}")

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> tuple[list[SSAValue], Properties]:
        parser.parse_keyword("by")
        return [], {"n": int_attr(parser.parse_integer())}


@irdl_op_definition
class AsScalarOp(OneToOneOp):
    """Vectors of the innermost dimension as scalars: `%x = pattern.as_scalar %v : ...`."""

    name = "pattern.as_scalar"

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type = array_in(operands[0])
        width = width_of(innermost(type))
        if width is None:
            raise VerifyException(f"expected an array of vectors, got {type}")
        return [_with_last_array(type, _last_size(type) * width, scalar_of(innermost(type)))]


@irdl_op_definition
class VectOp(IRDLOperation):
    """A function of scalars, applied to n lanes: `vect^n(f)`.

    ```
    %w = pattern.vect %v as %e : f32 {
      %s = math.absf %e : f32
      pattern.yield %s : f32
    } : vector<4xf32>
    ```

    There are as many operands as the function has arguments, and as many results as it yields.
    Captured values are the same in all lanes.
    """

    name = "pattern.vect"

    inputs = var_operand_def(VectorType)
    outputs = var_result_def(VectorType)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        body: Region,
        attributes: dict[str, Attribute] | None = None,
    ):
        n = width_of(inputs[0].type)
        super().__init__(
            operands=[inputs],
            result_types=[[VectorType(value.type, [n or 0]) for value in yielded(body)]],
            regions=[body],
            attributes=attributes or {},
        )

    @property
    def width(self) -> int:
        """The number of lanes."""
        return width_of(self.inputs[0].type) or 0

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """The yielded values of one lane."""
        return yielded(self.body)

    def verify_(self) -> None:
        if not self.inputs:
            raise VerifyException("expected at least one vector")
        for value in (*self.inputs, *self.outputs):
            if width_of(value.type) != self.width:
                raise VerifyException(
                    f"expected vectors of {self.width} elements like the first one, "
                    f"got {value.type}"
                )
        verify_binders(self.body.block.args, [scalar_of(value.type) for value in self.inputs])
        found = [value.type for value in self.yielded]
        expected = [scalar_of(value.type) for value in self.outputs]
        if found != expected or not all(map(is_scalar, found)):
            raise VerifyException(
                f"the function yields {', '.join(map(str, found))}, "
                f"expected the scalars of the results: {', '.join(map(str, expected))}"
            )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.inputs, printer.print_ssa_value)
        print_binders(printer, [[arg] for arg in self.body.block.args])
        print_function(printer, self, self.body)

    @classmethod
    def parse(cls, parser: Parser):
        operands = parse_values(parser)
        return parse_function(cls, parser, operands, parse_binders(parser))
