"""MLIR's text forms of `gpu` and `memref` operations that xDSL 0.74 reads in generic syntax only.

`parse_mlir` reads what `mlir-opt` and other compilers write:

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

The operations are xDSL's own, and xDSL prints them. Memory attributions (MLIR, GPUFuncOp) are the
last inputs of the function; two attributes hold their numbers. A property that xDSL's operation
lacks becomes an attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

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
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import FormatProgram
from xdsl.parser import Parser

from polycl.dialects.gpu_ext import ATOMIC_KINDS, PRIVATE_ATTRIBUTIONS, WORKGROUP_ATTRIBUTIONS
from polycl.frontends.mlir.reader import reader

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
    gpu.TerminatorOp: "attr-dict",
    gpu.ThreadIdOp: "$dimension attr-dict",
    gpu.YieldOp: "attr-dict ($values^ `:` type($values))?",
    memref.CastOp: "$source attr-dict `:` type($source) `to` type($dest)",
    memref.CopyOp: "$source `,` $destination attr-dict `:` type($source) `to` type($destination)",
    memref.MemorySpaceCastOp: "$source attr-dict `:` type($source) `to` type($dest)",
    memref.RankOp: "$source attr-dict `:` type($source)",
}


def _parse_module(parser: Parser) -> gpu.ModuleOp:
    name = parser.parse_symbol_name()
    attributes = parser.parse_optional_attr_dict_with_keyword()
    op = gpu.ModuleOp.create(properties={"sym_name": name}, regions=[parser.parse_region()])
    op.attributes = {} if attributes is None else dict(attributes.data)
    return op


def _parse_func(parser: Parser) -> gpu.FuncOp:
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
    type = FunctionType.from_lists([argument.type for argument in entry], results)
    properties: dict[str, Attribute] = {"function_type": type}
    if kernel:
        properties["kernel"] = UnitAttr()
    op = gpu.FuncOp.create(properties=properties, regions=[parser.parse_region(entry)])
    op.attributes = {} if attributes is None else dict(attributes.data)
    op.attributes["sym_name"] = StringAttr(name.data)
    if any(attrs.data for _, attrs in arguments):
        op.attributes["arg_attrs"] = ArrayAttr(attrs for _, attrs in arguments)
    if workgroup or private:
        op.attributes[WORKGROUP_ATTRIBUTIONS] = IntegerAttr(len(workgroup), i64)
        op.attributes[PRIVATE_ATTRIBUTIONS] = IntegerAttr(len(private), i64)
    return op


def _create_func(**members: Any) -> gpu.FuncOp:
    """From MLIR's generic syntax, where the type of the function has no attributions."""
    op = _create(gpu.FuncOp)(**members)
    assert isinstance(op, gpu.FuncOp)
    type, args = op.properties["function_type"], op.body.blocks[0].arg_types
    if isinstance(type, FunctionType) and args[: len(type.inputs)] == type.inputs.data != args:
        count = op.attributes.get(WORKGROUP_ATTRIBUTIONS)
        workgroup = count.value.data if isinstance(count, IntegerAttr) else 0
        private = len(args) - len(type.inputs) - workgroup
        op.attributes[WORKGROUP_ATTRIBUTIONS] = IntegerAttr(workgroup, i64)
        op.attributes[PRIVATE_ATTRIBUTIONS] = IntegerAttr(private, i64)
        op.properties["function_type"] = FunctionType.from_lists(args, type.outputs.data)
    return op


def _parse_global(parser: Parser) -> memref.GlobalOp:
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
        # The text has no type for `dense`: it is that of the memref.
        parser.parse_keyword("dense")
        tensor = TensorType(type.element_type, type.get_shape())
        value = parser.parse_dense_int_or_fp_elements_attr(tensor)
    op = memref.GlobalOp.get(name, type, value, StringAttr(visibility or "public"))
    if constant:
        op.properties["constant"] = UnitAttr()
    op.attributes = parser.parse_optional_attr_dict()
    return op


def _parse_atomic_rmw(parser: Parser) -> memref.AtomicRMWOp:
    """`memref.atomic_rmw addf %v, %m[%i] : (f32, memref<8xf32>) -> f32`."""
    position = parser.pos
    kind = parser.parse_identifier(context_msg=" as the kind of the atomic")
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
    return memref.AtomicRMWOp.build(
        operands=[
            parser.resolve_operand(value, type.inputs.data[0]),
            parser.resolve_operand(memory, type.inputs.data[1]),
            [parser.resolve_operand(index, IndexType()) for index in indices],
        ],
        properties={"kind": IntegerAttr(ATOMIC_KINDS.index(kind), i64)},
        attributes=attributes,
        result_types=[type.outputs.data[0]],
    )


def _parse_as(op: type[IRDLOperation]) -> Callable[[Parser], Operation]:
    """The parser of an operation in `_FORMATS`."""
    program = FormatProgram.from_str(_FORMATS[op], op.get_irdl_definition())
    return lambda parser: program.parse(parser, op)


def _create(op: type[IRDLOperation]) -> Callable[..., Operation]:
    """The `create` of a reader: a property that `op` lacks becomes an attribute."""
    known = op.get_irdl_definition().properties

    def create(
        *, properties: Mapping[str, Attribute], attributes: Mapping[str, Attribute], **members: Any
    ) -> Operation:
        more = {name: value for name, value in properties.items() if name not in known}
        properties = {name: value for name, value in properties.items() if name in known}
        return op.create(properties=properties, attributes={**attributes, **more}, **members)

    return create


def readers() -> dict[type[Operation], type[Operation]]:
    """The readers of xDSL's operations."""
    plain = {op: reader(op, _parse_as(op)) for op in _FORMATS}
    return {
        **plain,
        gpu.FuncOp: reader(gpu.FuncOp, _parse_func, _create_func),
        gpu.ModuleOp: reader(gpu.ModuleOp, _parse_module, _create(gpu.ModuleOp)),
        memref.AtomicRMWOp: reader(memref.AtomicRMWOp, _parse_atomic_rmw),
        memref.GlobalOp: reader(memref.GlobalOp, _parse_global),
    }
