"""Kernels and program-scope data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.utils import parse_func_op_like, print_func_op_like
from xdsl.ir import Attribute, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    MessageConstraint,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    Pure,
    SymbolOpInterface,
    SymbolTable,
)
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl.assumptions import AssumptionError, check_assumption
from polycl.dialects.ocl.attributes import (
    AddressSpace,
    ArrayType,
    PtrType,
    StructType,
    UnionType,
    is_scalar,
    is_vector,
    verify_storable,
)
from polycl.dialects.ocl.images import ImageType, SamplerType
from polycl.dialects.ocl.pipes import PipeType

PARAM_NAME = "ocl.name"
"""Key of the parameter attribute that holds the name in the source."""
PARAM_TYPE = "ocl.type"
"""Key of the parameter attribute that holds the type as the source spells it."""
PARAM_TYPEDEF = "ocl.typedef"
"""Key of the parameter attribute that holds the type with the name of a typedef of the source, as
clGetKernelArgInfo reports it."""
PARAM_UNSIGNED = "ocl.unsigned_fields"
"""Key of the parameter attribute that holds the paths of a structure's unsigned fields, say
"id" or "inner.flags"; the IR's integers have no sign."""
UNSIGNED = "ocl.unsigned"
"""Key of the attribute of a function, or of program-scope data, that names the variables of the
source that hold unsigned integers, and such fields of them, say ["n", "body.flags"]; "result" is
what a function returns. Parameters of kernels have `PARAM_TYPE` and `PARAM_UNSIGNED` instead.
Reads and writes of images whose colours are unsigned have it, too."""
PARAM_IMPLIED = "ocl.implied"
"""Key of the parameter attribute that specifies where the runtime finds the value if a caller
leaves it out: "x.size0", "x.stride1" or "x.offset" of the array that parameter x gets."""
PARAM_VARIABLES = "ocl.variables"
"""Key of the parameter attribute of a pointer that no caller passes: the runtime passes memory
that starts as the `ocl.constant` of this name and keeps what launches write (OpenCL 2.0, section
6.5.1: program-scope variables)."""

NON_UNIFORM = "ocl.non_uniform"
"""Key of the unit attribute of a kernel whose launches may have a global size that is not a
multiple of the local size; the last group of a dimension is smaller then (OpenCL 2.0, section
5.8)."""
ENQUEUED_LOCAL_SIZE = "ocl.enqueued_local_size"
"""Key of the attribute of such a kernel that `ocl-set-local-size` has specialised for groups of one
size: the local size given at the launch, as `array<i64: x, y, z>`."""


def unsigned_names(op: Operation) -> set[str]:
    """The names in the `UNSIGNED` attribute of `op`."""
    names = op.attributes.get(UNSIGNED)
    names = names if isinstance(names, ArrayAttr) else ArrayAttr(())
    return {name.data for name in names if isinstance(name, StringAttr)}


def declare_unsigned(op: Operation, names: Iterable[str]) -> None:
    """Add names to the `UNSIGNED` attribute of `op`."""
    found = sorted({*unsigned_names(op), *names})
    if found:
        op.attributes[UNSIGNED] = ArrayAttr(map(StringAttr, found))


VEC_TYPE_HINT = "ocl.vec_type_hint"
"""Key of the attribute of a kernel with the type in `vec_type_hint`, as the source spells it. It
means nothing here, but OpenCL programs can ask for it."""

THREE_SIZES = MessageConstraint(
    DenseArrayBase.constr(i64), "work-group sizes are written array<i64: x, y, z>"
)
"""An attribute with a size for each dimension."""

_RESERVED = ("sym_name", "function_type", "arg_attrs")


class KernelLike(IRDLOperation):
    """A kernel on the level `ocl` or `wg`: a symbol, named parameters and a required size."""

    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    reqd_work_group_size = opt_prop_def(THREE_SIZES)
    work_group_size_hint = opt_prop_def(THREE_SIZES)
    assume = opt_prop_def(ArrayAttr[StringAttr])
    """Facts about the integer arguments and sizes of every launch, say `["width >= 64"]`; the
    runtime refuses other launches. The language is that of `polycl.dialects.ocl.assumptions`."""
    body = region_def()

    def __init__(
        self,
        sym_name: str,
        function_type: FunctionType,
        body: Region,
        arg_attrs: Sequence[Mapping[str, Attribute]],
        *,
        reqd_work_group_size: Sequence[int] | None = None,
        work_group_size_hint: Sequence[int] | None = None,
        assume: Sequence[str] = (),
    ):
        def size(values: Sequence[int] | None) -> DenseArrayBase | None:
            return None if values is None else DenseArrayBase.from_list(i64, list(values))

        super().__init__(
            properties={
                "sym_name": StringAttr(sym_name),
                "function_type": function_type,
                "arg_attrs": ArrayAttr(DictionaryAttr(dict(attrs)) for attrs in arg_attrs),
                "reqd_work_group_size": size(reqd_work_group_size),
                "work_group_size_hint": size(work_group_size_hint),
                "assume": ArrayAttr(map(StringAttr, assume)) if assume else None,
            },
            regions=[body],
        )

    @property
    def args(self) -> tuple[BlockArgument, ...]:
        """The parameters as block arguments, in order."""
        return tuple(self.body.blocks[0].args)

    @property
    def param_attrs(self) -> tuple[dict[str, Attribute], ...]:
        """The attributes of each parameter, in order."""
        if self.arg_attrs is None:
            return ({},) * len(self.function_type.inputs)
        return tuple(dict(attrs.data) for attrs in self.arg_attrs)

    @property
    def param_names(self) -> tuple[str, ...]:
        """The name of each parameter in the source, in order."""
        return tuple(_string(attrs, PARAM_NAME) for attrs in self.param_attrs)

    def name_of(self, value: SSAValue) -> str | None:
        """The name of a parameter; None for another value."""
        pairs = zip(self.args, self.param_names, strict=True)
        return next((name for argument, name in pairs if argument is value), None)

    @property
    def param_type_names(self) -> tuple[str, ...]:
        """The type of each parameter as the source spells it ("" where unknown), in order."""
        return tuple(_string(attrs, PARAM_TYPE) for attrs in self.param_attrs)

    @property
    def required_size(self) -> tuple[int, int, int] | None:
        """`reqd_work_group_size` as three numbers, or None."""
        if self.reqd_work_group_size is None:
            return None
        x, y, z = self.reqd_work_group_size.get_values()
        return int(x), int(y), int(z)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The texts of `assume`."""
        return () if self.assume is None else tuple(text.data for text in self.assume)

    @property
    def integer_param_names(self) -> tuple[str, ...]:
        """The parameters that an assumption may name."""
        pairs = zip(self.param_names, self.function_type.inputs, strict=True)
        return tuple(name for name, type in pairs if isinstance(type, IntegerType))

    def is_small_unsigned(self, index: int) -> bool:
        """Whether the source declares a parameter as an unsigned integer of less than 64 bits."""
        return self.param_type_names[index] in ("uchar", "ushort", "uint")

    def verify_(self) -> None:
        if len(self.function_type.outputs):
            raise VerifyException("a kernel returns nothing, got a result type")
        if not self.body.blocks:
            raise VerifyException("a kernel needs a body")
        arg_types = tuple(arg.type for arg in self.args)
        if arg_types != tuple(self.function_type.inputs):
            raise VerifyException("the entry block's arguments differ from the parameter types")
        self._verify_parameters()
        verify_sizes("reqd_work_group_size", self.reqd_work_group_size)
        verify_sizes("work_group_size_hint", self.work_group_size_hint)
        for text in self.assumptions:
            try:
                check_assumption(text, self.integer_param_names)
            except AssumptionError as error:
                raise VerifyException(error.message) from error

    def _verify_parameters(self) -> None:
        if self.arg_attrs is not None and len(self.arg_attrs) != len(self.function_type.inputs):
            raise VerifyException(
                f"expected attributes for {len(self.function_type.inputs)} parameters, "
                f"got {len(self.arg_attrs)}"
            )
        names = self.param_names
        for index, (name, type) in enumerate(zip(names, self.function_type.inputs, strict=True)):
            if not name:
                raise VerifyException(f"parameter {index} has no name; add {{{PARAM_NAME} = ...}}")
            if names.count(name) > 1:
                raise VerifyException(f"two parameters are named '{name}'")
            _verify_parameter_type(name, type)

    def print(self, printer: Printer) -> None:
        print_func_op_like(
            printer,
            self.sym_name,
            self.function_type,
            self.body,
            {**self.properties, **self.attributes},
            arg_attrs=self.arg_attrs,
            reserved_attr_names=_RESERVED,
        )

    @classmethod
    def parse(cls, parser: Parser) -> KernelLike:
        name, inputs, outputs, body, extra, arg_attrs, _ = parse_func_op_like(
            parser, reserved_attr_names=_RESERVED
        )
        op = cls(name, FunctionType.from_lists(inputs, outputs), body, ())
        op.properties["arg_attrs"] = arg_attrs or ArrayAttr(DictionaryAttr({}) for _ in inputs)
        for key, value in (extra.data if extra is not None else {}).items():
            target = op.properties if key in cls.get_irdl_definition().properties else op.attributes
            target[key] = value
        return op


@irdl_op_definition
class KernelOp(KernelLike):
    """One work-item's program (OpenCL 1.2, section 6.7).

    ```
    ocl.kernel @scale(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %a: f32 {ocl.name = "a"}) {
      %i = ocl.global_id 0 : index
      %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
      %w = arith.mulf %v, %a : f32
      ocl.store %w, %x[%i] : !ocl.ptr<f32, global>
      ocl.return
    }
    ```
    """

    name = "ocl.kernel"

    traits = lazy_traits_def(lambda: (IsolatedFromAbove(), SymbolOpInterface()))

    def verify_(self) -> None:
        super().verify_()
        for block in self.body.blocks:
            if block.last_op is None or not block.last_op.has_trait(IsTerminator):
                raise VerifyException("a block of a kernel must end in ocl.return or a branch")


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """The end of a work-item's program: `ocl.return`."""

    name = "ocl.return"

    traits = traits_def(IsTerminator(), HasParent(KernelOp))

    assembly_format = "attr-dict"


@irdl_op_definition
class ConstantDataOp(IRDLOperation):
    """Program-scope data in the constant address space (OpenCL 1.2, section 6.5.3).

    `ocl.constant @weights : !ocl.array<3 x f32> = [1.0 : f32, 2.0 : f32, 1.0 : f32]`

    The value of an aggregate or a vector is an array attribute with one value for each element
    or field (for a union: one value, of its first field). A pointer is null, `0 : i64`, or the
    address of a byte of the data itself, `[@weights, 4 : i64]`.
    """

    name = "ocl.constant"

    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(Attribute)
    value = prop_def(Attribute)

    traits = traits_def(SymbolOpInterface())

    def __init__(self, sym_name: str, type: Attribute, value: Attribute):
        super().__init__(
            properties={"sym_name": StringAttr(sym_name), "type": type, "value": value}
        )

    def verify_(self) -> None:
        verify_storable(self.type, "program-scope data")
        _verify_constant(self.value, self.type, self.sym_name.data)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        printer.print_string(" = ")
        printer.print_attribute(self.value)
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantDataOp:
        name = parser.parse_symbol_name().data
        parser.parse_punctuation(":")
        type = parser.parse_type()
        parser.parse_punctuation("=")
        op = cls(name, type, parser.parse_attribute())
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op.attributes = dict(attributes.data) if attributes is not None else {}
        return op


@irdl_op_definition
class AddressOfOp(IRDLOperation):
    """The address of program-scope data.

    `%p = ocl.address_of @weights : !ocl.ptr<!ocl.array<3 x f32>, constant>`
    """

    name = "ocl.address_of"

    symbol = prop_def(SymbolRefAttr)
    result = result_def(PtrType)

    traits = traits_def(Pure())

    assembly_format = "$symbol attr-dict `:` type($result)"

    def __init__(self, symbol: str, result_type: PtrType):
        super().__init__(properties={"symbol": SymbolRefAttr(symbol)}, result_types=[result_type])

    def verify_(self) -> None:
        assert isinstance(self.result.type, PtrType)
        if self.result.type.address_space != AddressSpace.CONSTANT:
            raise VerifyException(
                f"program-scope data is in the constant address space, got {self.result.type}"
            )
        symbol = SymbolTable.lookup_symbol(self, self.symbol)
        if not isinstance(symbol, ConstantDataOp):
            raise VerifyException(f"no ocl.constant named {self.symbol}")
        if symbol.type != self.result.type.pointee:
            raise VerifyException(
                f"{self.symbol} has type {symbol.type}, the pointer's pointee is "
                f"{self.result.type.pointee}"
            )


def _string(attrs: Mapping[str, Attribute], key: str) -> str:
    value = attrs.get(key)
    return value.data if isinstance(value, StringAttr) else ""


def _verify_parameter_type(name: str, type: Attribute) -> None:
    if isinstance(type, PtrType):
        if type.address_space in (AddressSpace.PRIVATE, AddressSpace.GENERIC):
            raise VerifyException(
                f"parameter '{name}' is a {type.address_space.value} pointer; a kernel takes "
                "global, constant or local pointers"
            )
        return
    if isinstance(type, ImageType | SamplerType | PipeType):
        return
    if not (is_scalar(type) or is_vector(type) or isinstance(type, StructType | UnionType)):
        hint = "; pass a C bool as i8" if type == i1 else ""
        raise VerifyException(f"parameter '{name}' cannot have type {type}{hint}")


def verify_sizes(name: str, sizes: DenseArrayBase[IntegerType] | None) -> None:
    """Check that attribute `name`, if it is there, holds three positive sizes."""
    if sizes is None:
        return
    values = sizes.get_values()
    if len(values) != 3:
        raise VerifyException(f"{name} needs 3 sizes, got {len(values)}")
    if any(value < 1 for value in values):
        raise VerifyException(f"{name} must be positive, got {list(values)}")


def constant_parts(type: Attribute) -> Sequence[Attribute] | None:
    """The types of the values in an array attribute for `type`; of a union, its first field's."""
    match type:
        case ArrayType():
            return (type.element,) * type.size.data
        case VectorType():
            return (type.element_type,) * type.element_count()
        case StructType():
            return type.field_types.data
        case UnionType():
            return type.field_types.data[:1]
        case _:
            return None


def own_address(symbol: str, offset: int) -> ArrayAttr:
    """A pointer in the data `symbol` to its byte `offset`."""
    return ArrayAttr([SymbolRefAttr(symbol), IntegerAttr(offset, i64)])


def _verify_constant(value: Attribute, type: Attribute, symbol: str) -> None:
    if isinstance(type, PtrType):
        match value:
            case ArrayAttr(data=(_, IntegerAttr() as offset)):
                expected = own_address(symbol, offset.value.data)
            case _:
                expected = IntegerAttr(0, i64)
        if value != expected:
            raise VerifyException(
                f"a pointer in program-scope data is 0 : i64 or [@{symbol}, OFFSET : i64], "
                f"got {value}"
            )
        return
    if isinstance(value, IntegerAttr | FloatAttr):
        if value.type != type:
            raise VerifyException(f"expected a constant of type {type}, got {value}")
        return
    elements = constant_parts(type)
    if elements is None:
        raise VerifyException(f"expected a constant of type {type}, got {value}")
    if not isinstance(value, ArrayAttr) or len(value) != len(elements):
        raise VerifyException(f"expected {len(elements)} values for {type}, got {value}")
    for element, element_type in zip(value, elements, strict=True):
        _verify_constant(element, element_type, symbol)
