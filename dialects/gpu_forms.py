"""MLIR's text forms of `gpu` and `memref` operations that xDSL 0.74 reads in generic syntax only.

After `read_custom_forms()` xDSL's parser reads what `mlir-opt` and other compilers write:

```
gpu.module @kernels {
  gpu.func @copy(%x: memref<64xf32>, %y: memref<64xf32>)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %i = gpu.thread_id x
    gpu.barrier
    gpu.return
  }
}
```

Only reading is added: text is printed as xDSL prints it, so that other projects' output stays
as it is. Memory attributions are block arguments after the parameters (MLIR, GPUFuncOp); how
many of them are workgroup memory is the attribute `workgroup_attributions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects import gpu, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AnyAttr, IRDLOperation, OptPropertyDef, irdl_attr_definition
from xdsl.irdl.declarative_assembly_format import FormatProgram
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

WORKGROUP_ATTRIBUTIONS = "workgroup_attributions"
"""Attribute of a `gpu.func`: how many attributions are workgroup memory; the others are private."""

# As MLIR writes them since its operations have properties.
_FUNC_PROPERTIES = ("arg_attrs", "res_attrs", "known_block_size", "known_grid_size")
_MODULE_PROPERTIES = ("targets", "offloadingHandler")

_FORMATS: dict[type[IRDLOperation], str] = {
    gpu.BarrierOp: "attr-dict",
    gpu.BlockDimOp: "$dimension attr-dict",
    gpu.BlockIdOp: "$dimension attr-dict",
    gpu.GlobalIdOp: "$dimension attr-dict",
    gpu.GridDimOp: "$dimension attr-dict",
    gpu.LaneIdOp: "attr-dict",
    gpu.NumSubgroupsOp: "attr-dict `:` type($result)",
    gpu.ReturnOp: "attr-dict ($args^ `:` type($args))?",
    gpu.SubgroupIdOp: "attr-dict `:` type($result)",
    gpu.SubgroupSizeOp: "attr-dict `:` type($result)",
    gpu.ThreadIdOp: "$dimension attr-dict",
    memref.CastOp: "$source attr-dict `:` type($source) `to` type($dest)",
    memref.CopyOp: "$source `,` $destination attr-dict `:` type($source) `to` type($destination)",
    memref.MemorySpaceCastOp: "$source attr-dict `:` type($source) `to` type($dest)",
    memref.RankOp: "$source attr-dict `:` type($source)",
}


class AddressSpaceEnum(StrEnum):
    GLOBAL = "global"
    WORKGROUP = "workgroup"
    PRIVATE = "private"
    CONSTANT = "constant"


@irdl_attr_definition
class AddressSpaceAttr(EnumAttribute[AddressSpaceEnum]):
    """The memory space of a memref: `#gpu.address_space<workgroup>`."""

    name = "gpu.address_space"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> AddressSpaceEnum:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(AddressSpaceEnum)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)


@cache
def read_custom_forms() -> None:
    """Teach xDSL's `gpu` and `memref` dialects the forms above; calling it again does nothing."""
    gpu.GPU._attributes.append(AddressSpaceAttr)
    for op, text in _FORMATS.items():
        _add_format(op, text)
    for op, names in ((gpu.FuncOp, _FUNC_PROPERTIES), (gpu.ModuleOp, _MODULE_PROPERTIES)):
        for name in names:
            op.get_irdl_definition().properties[name] = OptPropertyDef(AnyAttr())
    _define(gpu.ModuleOp, parse=classmethod(_parse_module))
    _define(memref.GlobalOp, parse=classmethod(_parse_global))
    _define(memref.AtomicRMWOp, parse=classmethod(_parse_atomic_rmw))
    definition = gpu.FuncOp.get_irdl_definition()

    def verify(self: gpu.FuncOp) -> None:
        definition.verify(self)
        _verify_func(self)

    _define(gpu.FuncOp, parse=classmethod(_parse_func), verify_=verify)


def attributions(op: gpu.FuncOp) -> tuple[int, int]:
    """How many arguments of the entry block are workgroup and how many private memory."""
    count = op.attributes.get(WORKGROUP_ATTRIBUTIONS, IntegerAttr(0, i64))
    assert isinstance(count, IntegerAttr)
    extra = len(op.body.blocks[0].args) - len(op.function_type.inputs)
    return count.value.data, extra - count.value.data


def _define(op: type[IRDLOperation], **members: object) -> None:
    for name, member in members.items():
        setattr(op, name, member)


def _add_format(op: type[IRDLOperation], text: str) -> None:
    program = FormatProgram.from_str(text, op.get_irdl_definition())

    def parse(cls: type[IRDLOperation], parser: Parser) -> Operation:
        return program.parse(parser, cls)

    _define(op, parse=classmethod(parse))


def _parse_module(cls: type[gpu.ModuleOp], parser: Parser) -> gpu.ModuleOp:
    name = parser.parse_symbol_name()
    attributes = parser.parse_optional_attr_dict_with_keyword()
    op = cls.create(properties={"sym_name": name}, regions=[parser.parse_region()])
    op.attributes = {} if attributes is None else dict(attributes.data)
    return op


def _parse_func(cls: type[gpu.FuncOp], parser: Parser) -> gpu.FuncOp:
    def parse_argument() -> tuple[Parser.Argument, DictionaryAttr]:
        argument = parser.parse_argument()
        return argument, DictionaryAttr(parser.parse_optional_dictionary_attr_dict())

    def parse_arguments() -> list[tuple[Parser.Argument, DictionaryAttr]]:
        return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_argument)

    name = parser.parse_symbol_name()
    arguments = parse_arguments()
    results: Sequence[Attribute] = ()
    if parser.parse_optional_punctuation("->") is not None:
        results = parser.parse_optional_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_type
        ) or [parser.parse_type()]
    workgroup = parse_arguments() if parser.parse_optional_keyword("workgroup") else []
    private = parse_arguments() if parser.parse_optional_keyword("private") else []
    kernel = parser.parse_optional_keyword("kernel") is not None
    attributes = parser.parse_optional_attr_dict_with_keyword()
    entry = [argument for argument, _ in (*arguments, *workgroup, *private)]
    type = FunctionType.from_lists([argument.type for argument, _ in arguments], results)
    properties: dict[str, Attribute] = {"function_type": type}
    if kernel:
        properties["kernel"] = UnitAttr()
    if any(attrs.data for _, attrs in arguments):
        properties["arg_attrs"] = ArrayAttr(attrs for _, attrs in arguments)
    op = cls.create(properties=properties, regions=[parser.parse_region(entry)])
    op.attributes = {
        **({} if attributes is None else attributes.data),
        "sym_name": StringAttr(name.data),
    }
    if workgroup:
        op.attributes[WORKGROUP_ATTRIBUTIONS] = IntegerAttr(len(workgroup), i64)
    return op


def _verify_func(op: gpu.FuncOp) -> None:
    inputs = op.function_type.inputs.data
    types = op.body.blocks[0].arg_types
    if types[: len(inputs)] != inputs:
        raise VerifyException("the entry block's arguments differ from the parameter types")
    if any(count < 0 for count in attributions(op)):
        raise VerifyException(f"{WORKGROUP_ATTRIBUTIONS} counts more than there are attributions")
    if op.kernel is not None and len(op.function_type.outputs):
        raise VerifyException("a kernel returns nothing, got a result type")


def _parse_global(cls: type[memref.GlobalOp], parser: Parser) -> memref.GlobalOp:
    """`memref.global "private" constant @t : memref<2xf32> = dense<[1.0, 2.0]>`."""
    visibility = parser.parse_optional_str_literal()
    constant = parser.parse_optional_keyword("constant") is not None
    name = parser.parse_symbol_name()
    parser.parse_punctuation(":")
    position = parser.pos
    type = parser.parse_type()
    if not isinstance(type, MemRefType):
        parser.raise_error(f"expected a memref, got {type}", position, parser.pos)
    value: Attribute = UnitAttr()
    is_defined = parser.parse_optional_punctuation("=") is not None
    if is_defined and parser.parse_optional_keyword("uninitialized") is None:
        # `dense` is written without its type here, which is that of the memref.
        parser.parse_keyword("dense")
        tensor = TensorType(type.element_type, type.get_shape())
        value = parser.parse_dense_int_or_fp_elements_attr(tensor)
    op = cls.get(name, type, value, StringAttr(visibility or "public"))
    if constant:
        op.properties["constant"] = UnitAttr()
    op.attributes = parser.parse_optional_attr_dict()
    return op


ATOMIC_KINDS = (
    "addf",
    "addi",
    "assign",
    "maximumf",
    "maxs",
    "maxu",
    "minimumf",
    "mins",
    "minu",
    "mulf",
    "muli",
    "ori",
    "andi",
    "maxnumf",
    "minnumf",
    "xori",
)
"""MLIR's `arith.AtomicRMWKind` by number."""


def _parse_atomic_rmw(cls: type[memref.AtomicRMWOp], parser: Parser) -> memref.AtomicRMWOp:
    """`memref.atomic_rmw addf %v, %m[%i] : (f32, memref<8xf32>) -> f32`."""
    position = parser.pos
    kind = parser.parse_identifier("kind of the atomic")
    if kind not in ATOMIC_KINDS:
        parser.raise_error(f"expected one of {', '.join(ATOMIC_KINDS)}", position, parser.pos)
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    memory = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_function_type()
    if len(type.inputs) != 2 or len(type.outputs) != 1:
        parser.raise_error("expected (value type, memref type) -> result type", position)
    return cls.build(
        operands=[
            parser.resolve_operand(value, type.inputs.data[0]),
            parser.resolve_operand(memory, type.inputs.data[1]),
            [parser.resolve_operand(index, IndexType()) for index in indices],
        ],
        properties={"kind": IntegerAttr(ATOMIC_KINDS.index(kind), i64)},
        attributes=attributes,
        result_types=[type.outputs.data[0]],
    )
