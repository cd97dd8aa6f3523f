"""MLIR's text forms that xDSL 0.74 does not read, in a separate context.

xDSL's classes stay as they are: `FormsContext` gives the parser a reader for some of them, whose
`parse` and `create` make the operation of xDSL, or that of `vec` where `arith` is on vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Attribute, Dialect, Operation, SSAValue, TypeAttribute
from xdsl.parser import Parser

from polycl.dialects import vec
from polycl.dialects.gpu_ext import AddressSpaceAttr
from polycl.frontends.mlir.reader import reader


class FormsContext(Context):
    """`context` with readers and the attributes of `gpu_ext` for the parser."""

    def __init__(self, context: Context):
        super().__init__(context.allow_unregistered)
        self._context = context

    def get_optional_op(
        self, name: str, *, dialect_stack: Sequence[str] = ()
    ) -> type[Operation] | None:
        op = self._context.get_optional_op(name, dialect_stack=dialect_stack)
        readers = _READERS.get(op.name.partition(".")[0]) if op is not None else None
        return op if op is None or readers is None else readers().get(op, op)

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        return self._context.get_optional_type(name)

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        if name == AddressSpaceAttr.name:
            return AddressSpaceAttr
        return self._context.get_optional_attr(name)

    def get_optional_dialect(self, name: str) -> Dialect | None:
        return self._context.get_optional_dialect(name)


def _settled(found: Operation, scalar: type[Operation]) -> Operation:
    """`found`, as an operation of `arith` if it is on scalars."""
    if isinstance(found.operands[0].type, VectorType):
        return found
    new = scalar.create(
        operands=found.operands,
        result_types=found.result_types,
        properties=found.properties,
        attributes=found.attributes,
    )
    found.erase()
    return new


def _parse_cast(op: type[Operation], parser: Parser) -> Operation:
    position = parser.pos
    operand = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source = parser.parse_type()
    parser.parse_keyword("to")
    result = parser.parse_type()
    (value,) = parser.resolve_operands([operand], [source], position)
    new = vec.cast(op, value, result)
    new.attributes = attributes
    return new


def _parse_select(parser: Parser) -> Operation:
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
    op = vec.select(*parser.resolve_operands(operands, [condition, result, result], position))
    op.attributes = attributes
    return op


def _creates(op: type[Operation]) -> Callable[..., Operation]:
    """The `create` of a reader, which selects the operation of `vec` on vectors."""

    def create(*, operands: Sequence[SSAValue], **members: Any) -> Operation:
        kind = vec.form_of(op, operands[0].type) if operands else op
        return kind.create(operands=operands, **members)

    return create


@cache
def _arith_readers() -> dict[type[Operation], type[Operation]]:
    parsers: dict[type[Operation], Callable[[Parser], Operation]] = {
        **{op: partial(_parse_cast, op) for op in vec.VECTOR_FORMS},
        # xDSL's text forms have no attributes.
        arith.CmpiOp: lambda parser: _settled(vec.CmpiOp.parse(parser), arith.CmpiOp),
        arith.CmpfOp: lambda parser: _settled(vec.CmpfOp.parse(parser), arith.CmpfOp),
        arith.SelectOp: _parse_select,
    }
    return {op: reader(op, parse, _creates(op)) for op, parse in parsers.items()}


@cache
def _gpu_readers() -> dict[type[Operation], type[Operation]]:
    # A late import, since few texts need it.
    from polycl.frontends.mlir import gpu_forms, launch_forms

    return gpu_forms.readers() | launch_forms.readers()


@cache
def _loop_readers() -> dict[type[Operation], type[Operation]]:
    # A late import, since few texts need it.
    from polycl.frontends.mlir.loop_forms import readers

    return readers()


_READERS = {
    "affine": _loop_readers,
    "arith": _arith_readers,
    "gpu": _gpu_readers,
    "memref": _gpu_readers,
    "scf": _loop_readers,
}
