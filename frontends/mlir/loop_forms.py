"""MLIR's text forms of loops that xDSL 0.74 reads in generic syntax only: `scf.parallel`,
`affine.parallel` and `affine.if`.

```
scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 { .. scf.reduce(..) {..} }
affine.parallel (%i, %j) = (0, 0) to (%n, 8) step (1, 2) { .. }
affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) { .. } else { .. }
```
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    IndexType,
    IntegerAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.affine_parser import AffineParser

from polycl.frontends.mlir.reader import reader


def _parse_counters(parser: Parser) -> list[Parser.Argument]:
    return parser.parse_comma_separated_list(
        parser.Delimiter.PAREN,
        lambda: parser.parse_argument(expect_type=False).resolve(IndexType()),
    )


def _parse_indices(parser: Parser) -> list[SSAValue]:
    return parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_operand(IndexType())
    )


def _parse_scf_parallel(parser: Parser) -> scf.ParallelOp:
    position = parser.pos
    counters = _parse_counters(parser)
    parser.parse_punctuation("=")
    starts = _parse_indices(parser)
    parser.parse_keyword("to")
    ends = _parse_indices(parser)
    parser.parse_keyword("step")
    steps = _parse_indices(parser)
    if not len(counters) == len(starts) == len(ends) == len(steps):
        parser.raise_error(
            f"expected as many bounds and steps as counters, {len(counters)}, got {len(starts)}, "
            f"{len(ends)} and {len(steps)}",
            position,
            parser.pos,
        )
    inits: list[SSAValue] = []
    if parser.parse_optional_keyword("init") is not None:
        at = parser.pos
        unresolved = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        parser.parse_punctuation("->")
        inits = list(parser.resolve_operands(unresolved, _parse_types(parser), at))
    region = parser.parse_region(counters)
    if not isinstance(region.block.last_op, scf.ReduceOp):
        region.block.add_op(scf.ReduceOp())
    attributes = parser.parse_optional_attr_dict()
    op = scf.ParallelOp(starts, ends, steps, region, inits)
    op.attributes = attributes
    return op


def _parse_types(parser: Parser) -> Sequence[Attribute]:
    types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if types is None else types


class _Bounds:
    """The bounds of a side of an `affine.parallel`: expressions, in groups for `min` and `max`."""

    def __init__(self) -> None:
        self.results: list[AffineExpr] = []
        self.groups: list[int] = []
        self.operands: list[SSAValue] = []

    def add(self, map_: AffineMap, operands: Sequence[SSAValue]) -> None:
        start = len(self.operands)
        dims = [AffineExpr.dimension(start + k) for k in range(len(operands))]
        for result in map_.results:
            moved = result.replace_dims_and_symbols(dims[: map_.num_dims], dims[map_.num_dims :])
            self.results.append(moved)
        self.groups.append(len(map_.results))
        self.operands += operands

    def attributes(self) -> tuple[AffineMapAttr, DenseIntElementsAttr]:
        groups = DenseIntElementsAttr.from_list(VectorType(i32, [len(self.groups)]), self.groups)
        return AffineMapAttr(AffineMap(len(self.operands), 0, tuple(self.results))), groups


def _parse_bounds(parser: Parser, extreme: str) -> _Bounds:
    """`(%n * 2, max(%a, 8))`: an expression, or several, for each counter."""
    bounds = _Bounds()
    affine_parser = AffineParser(parser._parser_state)

    def parse_bound() -> None:
        parse_value, symbols, spans = affine_parser._get_parse_optional_ssa_value()
        several = parser.parse_optional_keyword(extreme) is not None
        results = (
            parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: affine_parser._parse_affine_expr(parse_value)
            )
            if several
            else [affine_parser._parse_affine_expr(parse_value)]
        )
        operands = [parser.resolve_operand(UnresolvedOperand(s, 0), IndexType()) for s in spans]
        bounds.add(AffineMap(0, len(symbols), tuple(results)), operands)

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_bound)
    return bounds


def _parse_affine_parallel(parser: Parser) -> affine.ParallelOp:
    position = parser.pos
    counters = _parse_counters(parser)
    parser.parse_punctuation("=")
    below = _parse_bounds(parser, "max")
    parser.parse_keyword("to")
    above = _parse_bounds(parser, "min")
    steps = [1] * len(counters)
    if parser.parse_optional_keyword("step") is not None:
        steps = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
    if not len(counters) == len(below.groups) == len(above.groups) == len(steps):
        parser.raise_error(
            f"expected as many bounds and steps as counters, {len(counters)}, got "
            f"{len(below.groups)}, {len(above.groups)} and {len(steps)}",
            position,
            parser.pos,
        )
    if parser.parse_optional_keyword("reduce") is not None:
        parser.raise_error("reductions of affine.parallel are not supported", position, parser.pos)
    region = parser.parse_region(counters)
    _close(region)
    attributes = parser.parse_optional_attr_dict()
    (low, low_groups), (high, high_groups) = below.attributes(), above.attributes()
    return affine.ParallelOp.build(
        operands=[[*below.operands, *above.operands]],
        properties={
            "reductions": ArrayAttr(()),
            "lowerBoundsMap": low,
            "lowerBoundsGroups": low_groups,
            "upperBoundsMap": high,
            "upperBoundsGroups": high_groups,
            "steps": ArrayAttr(IntegerAttr(step, i64) for step in steps),
        },
        attributes=attributes,
        result_types=[[]],
        regions=[region],
    )


def _close(region: Region) -> None:
    """The terminator that MLIR's text leaves out."""
    if not region.blocks:
        region.add_block(Block())
    if not isinstance(region.blocks[-1].last_op, affine.YieldOp):
        region.blocks[-1].add_op(affine.YieldOp.create())


def _parse_affine_if(parser: Parser) -> affine.IfOp:
    position = parser.pos
    condition = parser.parse_attribute()
    if not isinstance(condition, AffineSetAttr):
        parser.raise_error("expected an affine set", position, parser.pos)
    operands = _parse_indices(parser)
    symbols = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
    )
    operands += symbols or []
    count = condition.data.num_dims + condition.data.num_symbols
    if len(operands) != count:
        parser.raise_error(
            f"expected {count} operands of the set, got {len(operands)}", position, parser.pos
        )
    results: Sequence[Attribute] = ()
    if parser.parse_optional_punctuation("->") is not None:
        results = _parse_types(parser)
    then = parser.parse_region()
    _close(then)
    otherwise = Region()
    if parser.parse_optional_keyword("else") is not None:
        otherwise = parser.parse_region()
        _close(otherwise)
    attributes = parser.parse_optional_attr_dict()
    return affine.IfOp.build(
        operands=[operands],
        properties={"condition": condition},
        attributes=attributes,
        result_types=[results],
        regions=[then, otherwise],
    )


def readers() -> dict[type[Operation], type[Operation]]:
    """The readers of xDSL's operations."""
    return {
        affine.IfOp: reader(affine.IfOp, _parse_affine_if),
        affine.ParallelOp: reader(affine.ParallelOp, _parse_affine_parallel),
        scf.ParallelOp: reader(scf.ParallelOp, _parse_scf_parallel),
    }
