"""The vector forms of xDSL's `arith` operations, as MLIR has them.

xDSL 0.74 gives `arith` arithmetic vector operands, but its comparisons, `arith.select` and its
integer and int/float casts take scalars only. `allow_vectors()` widens their definitions in
place, in the syntax of MLIR, so that vector code is ordinary `arith`:

    %m = arith.cmpi slt, %a, %b : vector<4xi32>
    %r = arith.select %m, %a, %b : vector<4xi1>, vector<4xi32>
    %f = arith.sitofp %r : vector<4xi32> to vector<4xf32>

It runs when `polycl.dialects` is imported and changes nothing for scalars. Each part can go
when xDSL has it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerType,
    VectorType,
    container_of,
    i1,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, SSAValues
from xdsl.irdl import AttrConstraint, IRDLOperation, OperandDef, ResultDef, traits_def
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.printer import Printer
from xdsl.traits import HasCanonicalizationPatternsTrait, Pure
from xdsl.utils.exceptions import VerifyException

_INTEGERS = container_of(IntegerType)
_INDEX_LIKE = container_of(IntegerType) | container_of(IndexType)
_FLOATS = container_of(AnyFloat)
_BOOLS = container_of(IntegerType(1))

_CASTS: dict[type[IRDLOperation], tuple[AttrConstraint, AttrConstraint]] = {
    arith.ExtSIOp: (_INTEGERS, _INTEGERS),
    arith.ExtUIOp: (_INTEGERS, _INTEGERS),
    arith.TruncIOp: (_INTEGERS, _INTEGERS),
    arith.SIToFPOp: (_INTEGERS, _FLOATS),
    arith.UIToFPOp: (_INTEGERS, _FLOATS),
    arith.FPToSIOp: (_FLOATS, _INTEGERS),
    arith.FPToUIOp: (_FLOATS, _INTEGERS),
    arith.IndexCastOp: (_INDEX_LIKE, _INDEX_LIKE),
    arith.ExtFOp: (_FLOATS, _FLOATS),
    arith.TruncFOp: (_FLOATS, _FLOATS),
}


def element_of(type: Attribute) -> Attribute:
    """The element type of a vector, or the scalar itself."""
    return type.element_type if isinstance(type, VectorType) else type


def same_shape(element: Attribute, shaped: Attribute) -> Attribute:
    """`element`, or a vector of it where `shaped` is a vector."""
    if isinstance(shaped, VectorType):
        return VectorType(element, shaped.shape, shaped.scalable_dims)
    return element


def allow_vectors() -> None:
    """Widen the definitions. Call it once."""
    for comparison in (arith.CmpiOp, arith.CmpfOp):
        _constrain(comparison, results=[_BOOLS])
        _define(
            comparison,
            __init__=_shaped_result(comparison.__init__),
            verify_=_verifier(comparison, _verify_comparison),
            print=_print_comparison,
            parse=classmethod(_parse_comparison),
        )
    _constrain(arith.SelectOp, operands=[_BOOLS])
    _define(
        arith.SelectOp,
        verify_=_verifier(arith.SelectOp, _verify_select),
        print=_print_select,
        parse=classmethod(_parse_select),
    )
    for cast, (source, result) in _CASTS.items():
        _constrain(cast, operands=[source], results=[result])
        _define(cast, verify_=_verifier(cast, _verify_cast))
    # Without this trait an unused sign extension is never removed.
    arith.ExtSIOp.traits.add_trait(Pure())
    patterns = traits_def(_ScalarCmpiPatterns(), Pure())
    arith.CmpiOp.traits = arith.CmpiOp.get_irdl_definition().traits = patterns


def _constrain(
    op: type[IRDLOperation],
    operands: list[AttrConstraint] | None = None,
    results: list[AttrConstraint] | None = None,
) -> None:
    """Replace the constraints of the first operands and results."""
    definition = op.get_irdl_definition()
    for (_, operand), constraint in zip(definition.operands, operands or [], strict=False):
        operand.constr = OperandDef(constraint).constr
    for (_, result), constraint in zip(definition.results, results or [], strict=False):
        result.constr = ResultDef(constraint).constr


def _define(op: type[IRDLOperation], **members: Any) -> None:
    for name, member in members.items():
        setattr(op, name, member)


def _verifier(op: type[IRDLOperation], relate: Callable[[Any], None]) -> Callable[[Any], None]:
    """What `irdl_op_definition` makes: the constraints first, then how the types relate."""
    definition = op.get_irdl_definition()

    def verify(self: IRDLOperation) -> None:
        definition.verify(self)
        relate(self)

    return verify


def _shaped_result(original: Callable[..., None]) -> Callable[..., None]:
    """The constructor of a comparison, with one i1 for each element."""

    def init(self: Operation, operand1: SSAValue | Operation, *args: Any, **kwargs: Any) -> None:
        original(self, operand1, *args, **kwargs)
        shaped = same_shape(i1, self.operands[0].type)
        self.results = SSAValues((OpResult(shaped, self, 0),))

    return init


def _print_comparison(self: arith.CmpiOp | arith.CmpfOp, printer: Printer) -> None:
    """As upstream's, but with the attributes, which a round trip would lose otherwise."""
    is_float = isinstance(self, arith.CmpfOp)
    names = arith.CMPF_COMPARISON_OPERATIONS if is_float else arith.CMPI_COMPARISON_OPERATIONS
    printer.print_string(f" {names[self.predicate.value.data]}, ")
    printer.print_list((self.lhs, self.rhs), printer.print_ssa_value)
    if isinstance(self, arith.CmpfOp) and self.fastmath != arith.FastMathFlagsAttr("none"):
        printer.print_string(" fastmath")
        self.fastmath.print_parameter(printer)
    printer.print_op_attributes(self.attributes)
    printer.print_string(" : ")
    printer.print_attribute(self.lhs.type)


def _parse_comparison(
    cls: type[arith.CmpiOp] | type[arith.CmpfOp], parser: Parser
) -> arith.CmpiOp | arith.CmpfOp:
    predicate = parser.parse_identifier()
    parser.parse_punctuation(",")
    operands = [parser.parse_unresolved_operand()]
    parser.parse_punctuation(",")
    operands.append(parser.parse_unresolved_operand())
    flags: list[arith.FastMathFlagsAttr] = []
    if issubclass(cls, arith.CmpfOp) and parser.parse_optional_keyword("fastmath"):
        flags.append(arith.FastMathFlagsAttr(arith.FastMathFlagsAttr.parse_parameter(parser)))
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    lhs, rhs = parser.resolve_operands(operands, [type, type], parser.pos)
    op = cls(lhs, rhs, predicate, *flags)
    op.attributes = attributes
    return op


def _verify_comparison(self: arith.CmpiOp | arith.CmpfOp) -> None:
    if self.lhs.type != self.rhs.type:
        raise VerifyException(f"compares {self.lhs.type} with {self.rhs.type}")
    expected = same_shape(i1, self.lhs.type)
    if self.result.type != expected:
        raise VerifyException(f"expected result type {expected}, got {self.result.type}")


def _verify_select(self: arith.SelectOp) -> None:
    expected = same_shape(i1, self.lhs.type)
    if self.cond.type not in (i1, expected):
        raise VerifyException(f"expected a condition of type {expected}, got {self.cond.type}")


def _verify_cast(self: IRDLOperation) -> None:
    source, result = self.operands[0].type, self.results[0].type
    if same_shape(element_of(source), result) != source:
        raise VerifyException(f"{source} and {result} differ in their number of elements")
    narrow, wide = _width(source), _width(result)
    if isinstance(self, arith.TruncIOp | arith.TruncFOp):
        narrow, wide = wide, narrow
    widens = isinstance(
        self,
        arith.ExtSIOp | arith.ExtUIOp | arith.TruncIOp | arith.ExtFOp | arith.TruncFOp,
    )
    if widens and narrow >= wide:
        name = "narrower" if isinstance(self, arith.TruncIOp | arith.TruncFOp) else "wider"
        raise VerifyException(f"the result must be {name} than {source}, got {result}")
    is_index = [isinstance(element_of(type), IndexType) for type in (source, result)]
    if isinstance(self, arith.IndexCastOp) and sum(is_index) != 1:
        raise VerifyException(f"casts between index and integers, got {source} and {result}")


def _width(type: Attribute) -> int:
    """The bits of an element; those of index do not matter here."""
    element = element_of(type)
    return 64 if isinstance(element, IndexType) else getattr(element, "bitwidth", 0)


def _print_select(self: arith.SelectOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_list((self.cond, self.lhs, self.rhs), printer.print_ssa_value)
    printer.print_op_attributes(self.attributes)
    printer.print_string(" : ")
    if self.cond.type != i1:
        printer.print_attribute(self.cond.type)
        printer.print_string(", ")
    printer.print_attribute(self.result.type)


def _parse_select(cls: type[arith.SelectOp], parser: Parser) -> arith.SelectOp:
    position = parser.pos
    operands = [parser.parse_unresolved_operand()]
    for _ in range(2):
        parser.parse_punctuation(",")
        operands.append(parser.parse_unresolved_operand())
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    condition: Attribute = i1
    result = parser.parse_type()
    if parser.parse_optional_punctuation(","):
        condition, result = result, parser.parse_type()
    op = cls(*parser.resolve_operands(operands, [condition, result, result], position))
    op.attributes = attributes
    return op


class _ScalarCmpiPatterns(HasCanonicalizationPatternsTrait):
    """Upstream's patterns make a scalar i1: they hold for scalars only."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        # Upstream imports its patterns late as well: they import the dialect.
        from xdsl.transforms.canonicalization_patterns.arith import (
            ApplyCmpiPredicateToEqualOperands,
        )

        class ScalarsOnly(ApplyCmpiPredicateToEqualOperands):
            def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
                if isinstance(op, arith.CmpiOp) and op.result.type == i1:
                    super().match_and_rewrite(op, rewriter)

        return (ScalarsOnly(),)
