"""The operations of MLIR's `arith` that xDSL has for scalars only, on vectors.

xDSL 0.74 gives `arith` arithmetic vector operands, but its comparisons, `arith.select` and its
integer and float casts take scalars only. They are operations of this dialect for vectors, in
MLIR's syntax; scalars stay `arith`, and so does a select of vectors by one i1:

    %m = vec.cmpi slt, %a, %b : vector<4xi32>
    %r = vec.select %m, %a, %b : vector<4xi1>, vector<4xi32>
    %f = vec.sitofp %r : vector<4xi32> to vector<4xf32>

`cmpi`, `cmpf`, `select`, `cast` and `form_of` choose between the two. MLIR text that writes
`arith` for vectors is read as `vec` (`frontends/mlir`). Each operation can go when xDSL
has it. `vec.lookup`, a small table of constants, is for scalars and vectors, and MLIR has none.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, TypeAlias, TypeVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    AnyFloatConstr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    IndexType,
    IndexTypeConstr,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

T = TypeVar("T")

_NO_FLAGS = arith.FastMathFlagsAttr("none")
_INTEGERS = VectorType.constr(base(IntegerType))
_INDEX_LIKE = VectorType.constr(base(IntegerType) | IndexTypeConstr)
_FLOATS = VectorType.constr(AnyFloatConstr)
_BOOLS = VectorType.constr(i1)


def element_of(type: Attribute) -> Attribute:
    """The element type of a vector, or the scalar itself.

    xDSL's `get_element_type_or_self` looks into memrefs and tensors too, and takes 15 times as
    long.
    """
    return type.element_type if isinstance(type, VectorType) else type


@cache
def vector_of(element: Attribute, count: int) -> VectorType:
    """The vector of `count` elements; to make the same type again takes long in xDSL."""
    return VectorType(element, [count])


def splat_of(value: SSAValue) -> int | None:
    """The integer that each element of a constant vector is."""
    match value.owner:
        case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as elements) if elements.is_splat():
            number = elements.get_values()[0]
            return number if isinstance(number, int) else None
        case _:
            return None


def count_of(type: Attribute) -> int:
    """The number of elements of a vector; 1 for a scalar."""
    return type.element_count() if isinstance(type, VectorType) else 1


def width_of(type: Attribute) -> int:
    """The bits of a scalar, or of a vector's elements."""
    element = element_of(type)
    assert isinstance(element, FixedBitwidthType), type
    return element.bitwidth


def signed(value: int, width: int) -> int:
    """`value` modulo 2^width as `arith.constant` writes it: 0 and 1 for i1, else with a sign."""
    value %= 1 << width
    return value - (1 << width) if width > 1 and value >> (width - 1) else value


@cache
def same_shape(element: Attribute, shaped: Attribute) -> Attribute:
    """`element`, or a vector of it where `shaped` is a vector."""
    if isinstance(shaped, VectorType):
        return VectorType(element, shaped.shape, shaped.scalable_dims)
    return element


class _Comparison(IRDLOperation, ABC):
    """One i1 for each element."""

    PREDICATES: ClassVar[Sequence[str]]

    predicate = prop_def(IntegerAttr)
    result = result_def(_BOOLS)

    traits = traits_def(Pure())

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation, predicate: str):
        if predicate not in self.PREDICATES:
            raise VerifyException(f"Unknown comparison mnemonic: {predicate}")
        lhs = SSAValue.get(lhs)
        super().__init__(
            operands=[lhs, rhs],
            properties={"predicate": IntegerAttr(self.PREDICATES.index(predicate), i64)},
            result_types=[same_shape(i1, lhs.type)],
        )

    @classmethod
    def parse(cls, parser: Parser) -> _Comparison:
        predicate = parser.parse_identifier()
        parser.parse_punctuation(",")
        left = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        right = parser.parse_unresolved_operand()
        properties = cls._parse_flags(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        lhs, rhs = parser.resolve_operands([left, right], [type, type], parser.pos)
        op = cls(lhs, rhs, predicate)
        op.properties |= properties
        op.attributes = attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.PREDICATES[self.predicate.value.data]}, ")
        printer.print_list(self.operands, printer.print_ssa_value)
        self._print_flags(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)

    @classmethod
    def _parse_flags(cls, parser: Parser) -> dict[str, Attribute]:
        return {}

    def _print_flags(self, printer: Printer) -> None:
        pass

    def verify_(self) -> None:
        left, right = self.operand_types
        if left != right:
            raise VerifyException(f"compares {left} with {right}")
        expected = same_shape(i1, left)
        if self.result.type != expected:
            raise VerifyException(f"expected result type {expected}, got {self.result.type}")


@irdl_op_definition
class CmpiOp(_Comparison):
    """`%m = vec.cmpi slt, %a, %b : vector<4xi32>`."""

    name = "vec.cmpi"

    PREDICATES: ClassVar[Sequence[str]] = tuple(arith.CMPI_COMPARISON_OPERATIONS)

    lhs = operand_def(_INDEX_LIKE)
    rhs = operand_def(_INDEX_LIKE)


@irdl_op_definition
class CmpfOp(_Comparison):
    """`%m = vec.cmpf olt, %x, %y fastmath<nnan> : vector<4xf32>`."""

    name = "vec.cmpf"

    PREDICATES: ClassVar[Sequence[str]] = tuple(arith.CMPF_COMPARISON_OPERATIONS)

    lhs = operand_def(_FLOATS)
    rhs = operand_def(_FLOATS)
    fastmath = prop_def(arith.FastMathFlagsAttr, default_value=_NO_FLAGS)

    @classmethod
    def _parse_flags(cls, parser: Parser) -> dict[str, Attribute]:
        if parser.parse_optional_keyword("fastmath") is None:
            return {}
        return {"fastmath": arith.FastMathFlagsAttr(_NO_FLAGS.parse_parameter(parser))}

    def _print_flags(self, printer: Printer) -> None:
        if self.fastmath != _NO_FLAGS:
            printer.print_string(" fastmath")
            self.fastmath.print_parameter(printer)


@irdl_op_definition
class SelectOp(IRDLOperation):
    """`%r = vec.select %m, %a, %b : vector<4xi1>, vector<4xf32>`: element by element."""

    name = "vec.select"

    _T: ClassVar = VarConstraint("T", base(VectorType))

    cond = operand_def(_BOOLS)
    lhs = operand_def(_T)
    rhs = operand_def(_T)
    result = result_def(_T)

    traits = traits_def(Pure())

    assembly_format = "$cond `,` $lhs `,` $rhs attr-dict `:` type($cond) `,` type($result)"

    def __init__(
        self, cond: SSAValue | Operation, lhs: SSAValue | Operation, rhs: SSAValue | Operation
    ):
        lhs = SSAValue.get(lhs)
        super().__init__(operands=[cond, lhs, rhs], result_types=[lhs.type])

    def verify_(self) -> None:
        expected = same_shape(i1, self.lhs.type)
        if self.cond.type != expected:
            raise VerifyException(f"expected a condition of type {expected}, got {self.cond.type}")


class _Cast(IRDLOperation, ABC):
    """A conversion of each element."""

    WIDENS: ClassVar[bool | None] = None
    """Whether the result must be wider than the source, or narrower; None: neither."""

    traits = traits_def(Pure())

    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def __init__(self, input: SSAValue | Operation, result_type: Attribute):
        super().__init__(operands=[input], result_types=[result_type])

    def verify_(self) -> None:
        (source,), (result,) = self.operand_types, self.result_types
        if same_shape(element_of(source), result) != source:
            raise VerifyException(f"{source} and {result} differ in their number of elements")
        if self.WIDENS is True and width_of(source) >= width_of(result):
            raise VerifyException(f"the result must be wider than {source}, got {result}")
        if self.WIDENS is False and width_of(source) <= width_of(result):
            raise VerifyException(f"the result must be narrower than {source}, got {result}")


class _IntegerCast(_Cast, ABC):
    input = operand_def(_INTEGERS)
    result = result_def(_INTEGERS)


class _FloatCast(_Cast, ABC):
    input = operand_def(_FLOATS)
    result = result_def(_FLOATS)


class _IntegerToFloat(_Cast, ABC):
    input = operand_def(_INTEGERS)
    result = result_def(_FLOATS)


class _FloatToInteger(_Cast, ABC):
    input = operand_def(_FLOATS)
    result = result_def(_INTEGERS)


@irdl_op_definition
class ExtSIOp(_IntegerCast):
    """`%b = vec.extsi %a : vector<4xi32> to vector<4xi64>`."""

    name = "vec.extsi"
    WIDENS: ClassVar[bool | None] = True


@irdl_op_definition
class ExtUIOp(_IntegerCast):
    """`%b = vec.extui %a : vector<4xi32> to vector<4xi64>`."""

    name = "vec.extui"
    WIDENS: ClassVar[bool | None] = True


@irdl_op_definition
class TruncIOp(_IntegerCast):
    """`%b = vec.trunci %a : vector<4xi32> to vector<4xi8>`."""

    name = "vec.trunci"
    WIDENS: ClassVar[bool | None] = False


@irdl_op_definition
class ExtFOp(_FloatCast):
    """`%y = vec.extf %x : vector<4xf32> to vector<4xf64>`."""

    name = "vec.extf"
    WIDENS: ClassVar[bool | None] = True


@irdl_op_definition
class TruncFOp(_FloatCast):
    """`%y = vec.truncf %x : vector<4xf32> to vector<4xf16>`."""

    name = "vec.truncf"
    WIDENS: ClassVar[bool | None] = False


@irdl_op_definition
class SIToFPOp(_IntegerToFloat):
    """`%x = vec.sitofp %a : vector<4xi32> to vector<4xf32>`."""

    name = "vec.sitofp"


@irdl_op_definition
class UIToFPOp(_IntegerToFloat):
    """`%x = vec.uitofp %a : vector<4xi32> to vector<4xf32>`."""

    name = "vec.uitofp"


@irdl_op_definition
class FPToSIOp(_FloatToInteger):
    """`%a = vec.fptosi %x : vector<4xf32> to vector<4xi32>`."""

    name = "vec.fptosi"


@irdl_op_definition
class FPToUIOp(_FloatToInteger):
    """`%a = vec.fptoui %x : vector<4xf32> to vector<4xi32>`."""

    name = "vec.fptoui"


@irdl_op_definition
class IndexCastOp(_Cast):
    """`%i = vec.index_cast %a : vector<4xi32> to vector<4xindex>`."""

    name = "vec.index_cast"

    input = operand_def(_INDEX_LIKE)
    result = result_def(_INDEX_LIKE)

    def verify_(self) -> None:
        super().verify_()
        (source,), (result,) = self.operand_types, self.result_types
        if isinstance(element_of(source), IndexType) == isinstance(element_of(result), IndexType):
            raise VerifyException(f"casts between index and integers, got {source} and {result}")


@irdl_op_definition
class LookupOp(IRDLOperation):
    """`%y = vec.lookup %i in array<f32: 1.0, 1.5> : vector<4xi32> to vector<4xf32>`.

    For each element the number of the table at its index, of which the low bits count: the length
    of the table is a power of two. An index is as wide as a number. A scalar has the same form.
    """

    name = "vec.lookup"

    index = operand_def(_INTEGERS | base(IntegerType))
    table = prop_def(DenseArrayBase.constr(AnyFloatConstr))
    result = result_def(_FLOATS | AnyFloatConstr)

    traits = traits_def(Pure())

    assembly_format = "$index `in` qualified($table) attr-dict `:` type($index) `to` type($result)"

    def __init__(self, index: SSAValue | Operation, table: DenseArrayBase[AnyFloat]):
        index = SSAValue.get(index)
        super().__init__(
            operands=[index],
            properties={"table": table},
            result_types=[same_shape(table.elt_type, index.type)],
        )

    def verify_(self) -> None:
        index, result = self.index.type, self.result.type
        if same_shape(self.table.elt_type, index) != result:
            raise VerifyException(f"{self.table.elt_type} at {index} is not {result}")
        if width_of(index) != width_of(result):
            raise VerifyException(f"expected indices as wide as {result}, got {index}")
        if len(self.table).bit_count() != 1:
            raise VerifyException(f"expected 2^n numbers in the table, got {len(self.table)}")


VECTOR_FORMS: dict[type[Operation], type[Operation]] = {
    arith.CmpiOp: CmpiOp,
    arith.CmpfOp: CmpfOp,
    arith.SelectOp: SelectOp,
    arith.ExtSIOp: ExtSIOp,
    arith.ExtUIOp: ExtUIOp,
    arith.TruncIOp: TruncIOp,
    arith.SIToFPOp: SIToFPOp,
    arith.UIToFPOp: UIToFPOp,
    arith.FPToSIOp: FPToSIOp,
    arith.FPToUIOp: FPToUIOp,
    arith.IndexCastOp: IndexCastOp,
    arith.ExtFOp: ExtFOp,
    arith.TruncFOp: TruncFOp,
}
"""The operation of `arith` for scalars -> the one for vectors."""

SCALAR_FORMS = {vector: scalar for scalar, vector in VECTOR_FORMS.items()}

VEC = Dialect("vec", [*VECTOR_FORMS.values(), LookupOp])

AnyCmpi: TypeAlias = arith.CmpiOp | CmpiOp
AnyCmpf: TypeAlias = arith.CmpfOp | CmpfOp
AnySelect: TypeAlias = arith.SelectOp | SelectOp
AnyExtSI: TypeAlias = arith.ExtSIOp | ExtSIOp
AnyExtUI: TypeAlias = arith.ExtUIOp | ExtUIOp
AnyTruncI: TypeAlias = arith.TruncIOp | TruncIOp
AnySIToFP: TypeAlias = arith.SIToFPOp | SIToFPOp
AnyUIToFP: TypeAlias = arith.UIToFPOp | UIToFPOp
AnyFPToSI: TypeAlias = arith.FPToSIOp | FPToSIOp
AnyFPToUI: TypeAlias = arith.FPToUIOp | FPToUIOp
AnyIndexCast: TypeAlias = arith.IndexCastOp | IndexCastOp
AnyExtF: TypeAlias = arith.ExtFOp | ExtFOp
AnyTruncF: TypeAlias = arith.TruncFOp | TruncFOp


def form_of(op: type[Operation], operand: Attribute) -> type[Operation]:
    """The class of the operation `op` (one of `arith`) whose first operand has type `operand`."""
    return VECTOR_FORMS.get(op, op) if isinstance(operand, VectorType) else op


def both(*ops: type[Operation]) -> tuple[type[Operation], ...]:
    """`ops`, and the forms for vectors of those that have one."""
    return (*ops, *(VECTOR_FORMS[op] for op in ops if op in VECTOR_FORMS))


def with_vectors(table: Mapping[Any, T]) -> dict[Any, T]:
    """`table` with the rows of `arith`'s operations for those on vectors too."""
    rows = {VECTOR_FORMS[op]: row for op, row in table.items() if op in VECTOR_FORMS}
    return {**rows, **table}


def cmpi(lhs: SSAValue, rhs: SSAValue, predicate: str) -> AnyCmpi:
    """Compares integers or vectors of them."""
    kind = CmpiOp if isinstance(lhs.type, VectorType) else arith.CmpiOp
    return kind(lhs, rhs, predicate)


def cmpf(lhs: SSAValue, rhs: SSAValue, predicate: str) -> AnyCmpf:
    """Compares floats or vectors of them."""
    kind = CmpfOp if isinstance(lhs.type, VectorType) else arith.CmpfOp
    return kind(lhs, rhs, predicate)


def select(condition: SSAValue, lhs: SSAValue, rhs: SSAValue) -> AnySelect:
    """Chooses by one i1, or by one for each element."""
    kind = SelectOp if isinstance(condition.type, VectorType) else arith.SelectOp
    return kind(condition, lhs, rhs)


def cast(op: type[Operation], value: SSAValue, type: Attribute) -> Operation:
    """The conversion `op` of `arith` on a scalar or on a vector."""
    return form_of(op, value.type).create(operands=[value], result_types=[type])
