"""Values: struct fields, vector literals, reinterpretation, conversions, shuffles, builtins."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerType,
    StringAttr,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl.attributes import (
    ArrayType,
    Rounding,
    RoundingAttr,
    StructType,
    is_scalar,
    is_vector,
)
from polycl.dialects.ocl.builtins import verify_builtin
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of

_STRUCT: VarConstraint = VarConstraint("S", AnyAttr())
_SOURCE: VarConstraint = VarConstraint("X", AnyAttr())


def _verify_arithmetic(*types: Attribute) -> None:
    for type in types:
        if not (is_scalar(type) or is_vector(type)):
            raise VerifyException(f"expected a scalar or a vector, got {type}")


def _field_type(struct: Attribute, field: str) -> Attribute:
    if not isinstance(struct, StructType):
        raise VerifyException(f"expected a struct value, got {struct}")
    type = struct.field_type(field)
    if type is None:
        raise VerifyException(f"{struct} has no field '{field}'")
    return type


def _element_type(type: Attribute, places: Sequence[int]) -> Attribute:
    for place in places:
        if not isinstance(type, ArrayType) or not 0 <= place < type.size.data:
            raise VerifyException(f"{type} has no element {place}")
        type = type.element
    return type


def _verify_field(struct: Attribute, field: str, type: Attribute) -> None:
    expected = _field_type(struct, field)
    if type != expected:
        raise VerifyException(f"field '{field}' has type {expected}, got {type}")


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """A field of a struct value: `%f = ocl.extract %s["pos"] : !ocl.struct<...> -> f32`.

    Of a field that is an array, it may be the element at `places`:
    `%e = ocl.extract %s["row"] at [2] : !ocl.struct<...> -> f32`
    """

    name = "ocl.extract"

    struct = operand_def(StructType)
    field = prop_def(StringAttr)
    places = opt_prop_def(DenseArrayBase.constr(i64))
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$struct `[` $field `]` (`at` $places^)? attr-dict `:` type($struct) `->` type($result)"
    )

    def __init__(self, struct: SSAValue, field: str, places: Sequence[int] = ()):
        type = _element_type(_field_type(struct.type, field), places)
        super().__init__(
            operands=[struct],
            properties={
                "field": StringAttr(field),
                "places": DenseArrayBase.from_list(i64, places) if places else None,
            },
            result_types=[type],
        )

    @property
    def indices(self) -> tuple[int, ...]:
        """The element of the field's array that is extracted, one index for each dimension."""
        return () if self.places is None else tuple(self.places.get_values())

    def verify_(self) -> None:
        if not self.indices:
            _verify_field(self.struct.type, self.field.data, self.result.type)
            return
        field = _field_type(self.struct.type, self.field.data)
        expected = _element_type(field, self.indices)
        if self.result.type != expected:
            raise VerifyException(f"the element has type {expected}, got {self.result.type}")


@irdl_op_definition
class InsertOp(IRDLOperation):
    """A struct value with one field replaced.

    `%t = ocl.insert %v, %s["pos"] : f32, !ocl.struct<...>`
    """

    name = "ocl.insert"

    value = operand_def()
    struct = operand_def(_STRUCT)
    field = prop_def(StringAttr)
    result = result_def(_STRUCT)

    traits = traits_def(Pure())

    assembly_format = (
        "$value `,` $struct `[` $field `]` attr-dict `:` type($value) `,` type($struct)"
    )

    def __init__(self, value: SSAValue, struct: SSAValue, field: str):
        super().__init__(
            operands=[value, struct],
            properties={"field": StringAttr(field)},
            result_types=[struct.type],
        )

    def verify_(self) -> None:
        _verify_field(self.struct.type, self.field.data, self.value.type)


@irdl_op_definition
class ConcatOp(IRDLOperation):
    """A vector literal: the elements of scalars and vectors in order (OpenCL 1.2, 6.1.6).

    Passes also make vectors of conditions (i1), as comparisons have them.

    `%v = ocl.concat %xyz, %w : vector<3xf32>, f32 -> vector<4xf32>`
    """

    name = "ocl.concat"

    parts = var_operand_def()
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "$parts attr-dict `:` type($parts) `->` type($result)"

    def __init__(self, parts: Sequence[SSAValue], result_type: VectorType):
        super().__init__(operands=[parts], result_types=[result_type])

    def verify_(self) -> None:
        result = self.result.type
        assert isinstance(result, VectorType)
        element = i32 if result.element_type == i1 else result.element_type
        if not is_vector(VectorType(element, result.get_shape())):
            raise VerifyException(f"expected an OpenCL vector type, got {result}")
        for part in self.parts:
            if element_of(part.type) != result.element_type:
                raise VerifyException(f"{part.type} cannot be a part of {result}")
        count = sum(count_of(part.type) for part in self.parts)
        if count != result.element_count():
            raise VerifyException(f"expected {result.element_count()} elements, got {count}")


@irdl_op_definition
class BitcastOp(IRDLOperation):
    """`as_type`: the same bits as another type of the same size (OpenCL 1.2, section 6.2.4.2).

    `%i = ocl.bitcast %v : vector<4xi8> to i32`

    A 3-element vector has the size of a 4-element one; the element that is added is undefined.
    """

    name = "ocl.bitcast"

    source = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, result_type: Attribute):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        source, result = self.source.type, self.result.type
        _verify_arithmetic(source, result)
        if size_of(source) != size_of(result):
            raise VerifyException(
                f"{source} has {size_of(source)} bytes, {result} has {size_of(result)}"
            )


@irdl_op_definition
class ConvertOp(IRDLOperation):
    """`convert_type` with saturation or an explicit rounding (OpenCL 1.2, section 6.2.3).

    `%b = ocl.convert %x rounding rte sat : f32 to unsigned i8`

    `unsigned` precedes an integer type that is read as unsigned. Without `rounding`,
    conversions to integers round toward zero, conversions to floats to nearest even.
    """

    name = "ocl.convert"

    source = operand_def()
    rounding = opt_prop_def(RoundingAttr)
    saturate = opt_prop_def(UnitAttr)
    from_unsigned = opt_prop_def(UnitAttr)
    to_unsigned = opt_prop_def(UnitAttr)
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$source (`rounding` $rounding^)? (`sat` $saturate^)? attr-dict "
        "`:` (`unsigned` $from_unsigned^)? type($source) "
        "`to` (`unsigned` $to_unsigned^)? type($result)"
    )

    def __init__(
        self,
        source: SSAValue,
        result_type: Attribute,
        *,
        rounding: Rounding | None = None,
        saturate: bool = False,
        from_unsigned: bool = False,
        to_unsigned: bool = False,
    ):
        super().__init__(
            operands=[source],
            properties={
                "rounding": None if rounding is None else RoundingAttr(rounding),
                "saturate": UnitAttr() if saturate else None,
                "from_unsigned": UnitAttr() if from_unsigned else None,
                "to_unsigned": UnitAttr() if to_unsigned else None,
            },
            result_types=[result_type],
        )

    def verify_(self) -> None:
        source, result = self.source.type, self.result.type
        _verify_arithmetic(source, result)
        if count_of(source) != count_of(result):
            raise VerifyException(f"{source} and {result} differ in their number of elements")
        if self.saturate is not None and not isinstance(element_of(result), IntegerType):
            raise VerifyException(f"only a conversion to integers saturates, got {result}")
        for flag, type in (("from", source), ("to", result)):
            unsigned = self.properties.get(f"{flag}_unsigned") is not None
            if unsigned and not isinstance(element_of(type), IntegerType):
                raise VerifyException(f"only an integer type can be unsigned, got {type}")


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """`shuffle`: elements chosen by a run-time mask, modulo the source's width (6.12.12).

    `%v = ocl.shuffle %x, %mask : vector<4xf32>, vector<2xi32> -> vector<2xf32>`
    """

    name = "ocl.shuffle"

    source = operand_def(VectorType)
    mask = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `,` $mask attr-dict `:` type($source) `,` type($mask) `->` type($result)"
    )

    def __init__(self, source: SSAValue, mask: SSAValue):
        super().__init__(
            operands=[source, mask],
            result_types=[VectorType(element_of(source.type), [count_of(mask.type)])],
        )

    def verify_(self) -> None:
        _verify_shuffle(self.source.type, self.mask.type, self.result.type)


@irdl_op_definition
class Shuffle2Op(IRDLOperation):
    """`shuffle2`: as `ocl.shuffle`, from the elements of `x` followed by those of `y` (6.12.12).

    `%v = ocl.shuffle2 %x, %y, %mask : vector<4xf32>, vector<8xi32> -> vector<8xf32>`
    """

    name = "ocl.shuffle2"

    x = operand_def(_SOURCE)
    y = operand_def(_SOURCE)
    mask = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$x `,` $y `,` $mask attr-dict `:` type($x) `,` type($mask) `->` type($result)"
    )

    def __init__(self, x: SSAValue, y: SSAValue, mask: SSAValue):
        super().__init__(
            operands=[x, y, mask],
            result_types=[VectorType(element_of(x.type), [count_of(mask.type)])],
        )

    def verify_(self) -> None:
        _verify_shuffle(self.x.type, self.mask.type, self.result.type)


def _verify_shuffle(source: Attribute, mask: Attribute, result: Attribute) -> None:
    for type in (source, mask):
        if not is_vector(type) or count_of(type) == 3:
            raise VerifyException(f"expected a vector of 2, 4, 8 or 16 elements, got {type}")
    if not isinstance(element_of(mask), IntegerType):
        raise VerifyException(f"the mask must hold integers, got {mask}")
    expected = VectorType(element_of(source), [count_of(mask)])
    if result != expected:
        raise VerifyException(f"expected result type {expected}, got {result}")


@irdl_op_definition
class BuiltinOp(IRDLOperation):
    """A builtin function that `arith` and `math` lack; `polycl.dialects.ocl.builtins` lists them.

    `%c = ocl.builtin "clamp"(%x, %lo, %hi) : (f32, f32, f32) -> f32`

    Integer functions that depend on the sign start with `s_` or `u_`. A builtin that stores a
    second result through a pointer in OpenCL C returns two values here.
    """

    name = "ocl.builtin"

    function = prop_def(StringAttr)
    arguments = var_operand_def()
    res = var_result_def()

    traits = traits_def(Pure())

    assembly_format = "$function `(` $arguments `)` attr-dict `:` functional-type($arguments, $res)"

    def __init__(
        self, function: str, arguments: Sequence[SSAValue], result_types: Sequence[Attribute]
    ):
        super().__init__(
            operands=[arguments],
            properties={"function": StringAttr(function)},
            result_types=[result_types],
        )

    def verify_(self) -> None:
        verify_builtin(
            self.function.data,
            [argument.type for argument in self.arguments],
            [result.type for result in self.res],
        )
