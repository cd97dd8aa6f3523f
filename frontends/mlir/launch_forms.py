"""MLIR's text forms of `gpu.launch`, `gpu.launch_func` and `gpu.all_reduce`.

```
gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
           threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
           workgroup(%tile : memref<64xf32, #gpu.address_space<workgroup>>) { .. gpu.terminator }
gpu.launch_func @kernels::@scale blocks in (%n, %c1, %c1) threads in (%c64, %c1, %c1)
                args(%x : memref<?xf32>, %a : f32)
%sum = gpu.all_reduce add %v { } : (f32) -> (f32)
```

Memory attributions of a launch become allocations at the start of its body, as the body of xDSL's
operation has no arguments for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import gpu, memref
from xdsl.dialects.builtin import IndexType, MemRefType, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand

from polycl.frontends.mlir.reader import reader

_KINDS = {
    **{kind.value: kind for kind in gpu.AllReduceOpEnum},
    "maxsi": gpu.AllReduceOpEnum.Max,
    "maxnumf": gpu.AllReduceOpEnum.Max,
    "minsi": gpu.AllReduceOpEnum.Min,
    "minnumf": gpu.AllReduceOpEnum.Min,
}
"""MLIR's words, of which xDSL has those without types."""

_IDS, _SIZES = slice(0, 3), slice(3, 6)


def _parse_indices(parser: Parser) -> Sequence[SSAValue]:
    values = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_operand(IndexType())
    )
    if len(values) != 3:
        parser.raise_error(f"expected three sizes, got {len(values)}")
    return values


def _parse_space(parser: Parser) -> tuple[list[Parser.Argument], list[SSAValue]]:
    """`(%bx, %by, %bz) in (%gx = %n, %gy = %m, %gz = %k)`: all arguments, and the sizes."""
    position = parser.pos

    def argument() -> Parser.Argument:
        return parser.parse_argument(expect_type=False).resolve(IndexType())

    def size() -> tuple[Parser.Argument, SSAValue]:
        name = argument()
        parser.parse_punctuation("=")
        return name, parser.parse_operand(IndexType())

    ids = parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    parser.parse_keyword("in")
    pairs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, size)
    if len(ids) != 3 or len(pairs) != 3:
        parser.raise_error("expected three indices and three sizes", position, parser.pos)
    return [*ids, *(name for name, _ in pairs)], [value for _, value in pairs]


def _refuse(parser: Parser, words: tuple[str, ...], what: str) -> None:
    position = parser.pos
    for word in words:
        if parser.parse_optional_keyword(word) is not None:
            parser.raise_error(f"'{word}' of {what} is not supported", position, parser.pos)


def _parse_attributions(parser: Parser, word: str) -> list[tuple[Parser.Argument, int]]:
    if parser.parse_optional_keyword(word) is None:
        return []

    def attribution() -> tuple[Parser.Argument, int]:
        position = parser.pos
        return parser.parse_argument(), position

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, attribution)


def _parse_launch(parser: Parser) -> gpu.LaunchOp:
    _refuse(parser, ("async", "clusters"), "gpu.launch")
    parser.parse_keyword("blocks")
    blocks, grid = _parse_space(parser)
    parser.parse_keyword("threads")
    threads, block = _parse_space(parser)
    _refuse(parser, ("dynamic_shared_memory_size",), "gpu.launch")
    _skip_names(parser)
    workgroup = _parse_attributions(parser, "workgroup")
    private = _parse_attributions(parser, "private")
    entry = [*blocks[_IDS], *threads[_IDS], *blocks[_SIZES], *threads[_SIZES]]
    memory = [argument for argument, _ in (*workgroup, *private)]
    region = parser.parse_region([*entry, *memory])
    _allocate(parser, region, [*workgroup, *private], len(workgroup))
    attributes = parser.parse_optional_attr_dict()
    op = gpu.LaunchOp(region, grid, block)
    op.attributes = attributes
    return op


def _skip_names(parser: Parser) -> None:
    """`module(@m) function(@f)`: proposals for the names of what is outlined."""
    for word in ("module", "function"):
        if parser.parse_optional_keyword(word) is not None:
            with parser.in_parens():
                parser.parse_symbol_name()


def _allocate(
    parser: Parser, region: Region, attributions: list[tuple[Parser.Argument, int]], shared: int
) -> None:
    entry = region.blocks[0]
    for number, (attribution, position) in enumerate(attributions):
        argument = entry.args[12]
        if (
            not isinstance(argument.type, MemRefType)
            or min(argument.type.get_shape(), default=0) < 0
        ):
            parser.raise_error(
                f"attribution of type {attribution.type}: expected a memref of known sizes",
                position,
            )
        kind = memref.AllocOp if number < shared else memref.AllocaOp
        new = kind.build(operands=[[], []], result_types=[argument.type], properties={}, regions=[])
        new.results[0].name_hint = argument.name_hint
        if entry.first_op is None:
            entry.add_op(new)
        else:
            entry.insert_op_before(new, entry.first_op)
        argument.replace_all_uses_with(new.results[0])
        entry.erase_arg(argument)


def _parse_launch_func(parser: Parser) -> gpu.LaunchFuncOp:
    _refuse(parser, ("async",), "gpu.launch_func")
    position = parser.pos
    kernel = parser.parse_attribute()
    if not isinstance(kernel, SymbolRefAttr):
        parser.raise_error("expected a kernel, as in @module::@kernel", position, parser.pos)
    _refuse(parser, ("clusters",), "gpu.launch_func")
    parser.parse_keyword("blocks")
    parser.parse_keyword("in")
    grid = _parse_indices(parser)
    parser.parse_keyword("threads")
    parser.parse_keyword("in")
    block = _parse_indices(parser)
    _refuse(parser, ("dynamic_shared_memory_size",), "gpu.launch_func")
    arguments: list[SSAValue] = []
    if parser.parse_optional_keyword("args") is not None:

        def argument() -> SSAValue:
            value: UnresolvedOperand = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            return parser.resolve_operand(value, parser.parse_type())

        arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    attributes = parser.parse_optional_attr_dict()
    op = gpu.LaunchFuncOp(
        kernel,
        grid,
        block,
        kernelOperands=arguments,
        asyncDependencies=[],
    )
    op.attributes = attributes
    return op


def _parse_all_reduce(parser: Parser) -> gpu.AllReduceOp:
    """`gpu.all_reduce add %v uniform { } : (f32) -> (f32)`."""
    kind = None
    position = parser.pos
    word = parser.parse_optional_identifier()
    if word is not None and word not in _KINDS:
        parser.raise_error(
            f"gpu.all_reduce {word} is not supported; expected one of {', '.join(_KINDS)}",
            position,
            parser.pos,
        )
    if word is not None:
        kind = gpu.AllReduceOpAttr(_KINDS[word])
    value = parser.parse_unresolved_operand()
    properties: dict[str, Attribute] = {} if kind is None else {"op": kind}
    if parser.parse_optional_keyword("uniform") is not None:
        properties["uniform"] = UnitAttr()
    region = parser.parse_region()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_function_type()
    operand = parser.resolve_operand(value, type.inputs.data[0])
    return gpu.AllReduceOp.build(
        operands=[operand],
        properties=properties,
        attributes=attributes,
        result_types=[type.outputs.data[0]],
        regions=[Region() if kind is not None else region],
    )


def readers() -> dict[type[Operation], type[Operation]]:
    """The readers of xDSL's operations."""
    return {
        gpu.AllReduceOp: reader(gpu.AllReduceOp, _parse_all_reduce),
        gpu.LaunchFuncOp: reader(gpu.LaunchFuncOp, _parse_launch_func),
        gpu.LaunchOp: reader(gpu.LaunchOp, _parse_launch),
    }
