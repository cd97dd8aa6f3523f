"""Operations of functions for a transport-triggered processor before they are scheduled.

Such a function also has operations of `arith` that function units execute. The operations here are
loads and stores with 32-bit addresses, and operations that `arith` does not have.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import Float32Type, IntAttr, IntegerType, StringAttr, f32, i1, i32
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.tta.opset import OPSET, Kind


@irdl_attr_definition
class AliasAttr(ParametrizedAttribute):
    """Which accesses never overlap: `#tta.alias<set, item, region>`, where -1 means unknown.

    Accesses of different sets never overlap, for example accesses to two local variables. Accesses
    of different work-items in one parallel region (between two barriers) never overlap either.
    """

    name = "tta.alias"

    set: IntAttr = param_def()
    item: IntAttr = param_def()
    region: IntAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            numbers = [parser.parse_integer()]
            for _ in range(2):
                parser.parse_characters(",")
                numbers.append(parser.parse_integer())
        return [IntAttr(number) for number in numbers]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.set.data}, {self.item.data}, {self.region.data}>")

    def excludes(self, other: AliasAttr) -> bool:
        """Whether two accesses with these facts never overlap."""
        if self.excludes_set(other):
            return True
        same_region = self.region.data == other.region.data >= 0
        return same_region and -1 != self.item.data != other.item.data != -1

    def excludes_set(self, other: AliasAttr) -> bool:
        """Whether the sets exclude an overlap, and so also in different iterations of a loop."""
        return -1 != self.set.data != other.set.data != -1


def _check(name: str, kind: Kind, inputs: int) -> None:
    operation = OPSET.get(name)
    if operation is None or operation.kind is not kind:
        names = ", ".join(n for n, o in OPSET.items() if o.kind is kind)
        raise VerifyException(f"expected one of {names}, got '{name}'")
    if operation.inputs != inputs:
        raise VerifyException(f"'{name}' has {operation.inputs} inputs, got {inputs}")


_VALUE = (i32, f32, i1)


def _check_type(value: SSAValue) -> None:
    if value.type not in _VALUE:
        raise VerifyException(f"expected i32, f32 or i1, got {value.type}")


@irdl_op_definition
class ComputeOp(IRDLOperation):
    """A pure operation of the processor: `%2 = tta.compute "mulhi"(%0, %1) : (i32, i32) -> i32`."""

    name = "tta.compute"

    operation = prop_def(StringAttr)
    inputs = var_operand_def()
    result = result_def()

    traits = traits_def(Pure())
    assembly_format = "$operation `(` $inputs `)` attr-dict `:` functional-type(operands, results)"

    def __init__(self, operation: str, inputs: Sequence[SSAValue], result: Attribute):
        super().__init__(
            properties={"operation": StringAttr(operation)},
            operands=[inputs],
            result_types=[result],
        )

    def verify_(self) -> None:
        _check(self.operation.data, Kind.PURE, len(self.inputs))
        for value in (*self.inputs, self.result):
            _check_type(value)


@irdl_op_definition
class LoadOp(IRDLOperation):
    """`%1 = tta.load "ld32" %0 {alias = #tta.alias<0, 3, 1>} : f32`; %0 is the address, an i32."""

    name = "tta.load"

    operation = prop_def(StringAttr)
    address = operand_def(i32)
    alias = opt_prop_def(AliasAttr)
    result = result_def(AnyAttr())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$operation $address attr-dict `:` type($result)"

    def __init__(
        self,
        operation: str,
        address: SSAValue,
        result: IntegerType | Float32Type,
        alias: AliasAttr | None = None,
    ):
        super().__init__(
            properties={"operation": StringAttr(operation), "alias": alias},
            operands=[address],
            result_types=[result],
        )

    def verify_(self) -> None:
        _check(self.operation.data, Kind.LOAD, 1)
        _check_type(self.result)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """`tta.store "st32" %0, %1 if %2 : f32` stores %1 at the address %0 if %2 is true."""

    name = "tta.store"

    operation = prop_def(StringAttr)
    address = operand_def(i32)
    value = operand_def(AnyAttr())
    condition = opt_operand_def(i1)
    alias = opt_prop_def(AliasAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$operation $address `,` $value (`if` $condition^)? attr-dict `:` type($value)"
    )

    def __init__(
        self,
        operation: str,
        address: SSAValue,
        value: SSAValue,
        condition: SSAValue | None = None,
        alias: AliasAttr | None = None,
    ):
        super().__init__(
            properties={"operation": StringAttr(operation), "alias": alias},
            operands=[address, value, condition],
        )

    def verify_(self) -> None:
        _check(self.operation.data, Kind.STORE, 2)
        _check_type(self.value)
