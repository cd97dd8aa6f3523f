"""Operations that compute guards, indices and scores from ids and parameters."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr, i1, i64
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.poly.kernel import names_of, verify_known, verify_named
from polycl.dialects.poly.score import ScoreAttr
from polycl.dialects.poly.sets import AffAttr, SetAttr


def _verify_point(dimensions: int, ids: int, what: str) -> None:
    if dimensions != ids:
        raise VerifyException(f"the {what} has {dimensions} dimensions, but there are {ids} ids")


@irdl_op_definition
class ContainsOp(IRDLOperation):
    """Whether a point is in a set.

    `%b = poly.contains #poly.set<"[n] -> { R[x] : x < n }"> (%x) [%n] params ["n"]`
    """

    name = "poly.contains"

    set = prop_def(SetAttr)
    ids = var_operand_def(IndexType)
    arguments = var_operand_def(IndexType)
    params = prop_def(ArrayAttr[StringAttr])
    result = result_def(i1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    assembly_format = "qualified($set) `(` $ids `)` `[` $arguments `]` `params` $params attr-dict"

    def verify_(self) -> None:
        verify_named(self.arguments, self.params)
        verify_known(self.set.parameters, names_of(self.params), "set")
        _verify_point(len(self.set.dimensions), len(self.ids), "set")


@irdl_op_definition
class EvalOp(IRDLOperation):
    """The value of a piecewise affine expression; the point is in its domain.

    `%v = poly.eval #poly.aff<"[n] -> { R[x] -> [(x + n)] }"> (%x) [%n] params ["n"]`
    """

    name = "poly.eval"

    expression = prop_def(AffAttr)
    ids = var_operand_def(IndexType)
    arguments = var_operand_def(IndexType)
    params = prop_def(ArrayAttr[StringAttr])
    result = result_def(IndexType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    assembly_format = (
        "qualified($expression) `(` $ids `)` `[` $arguments `]` `params` $params attr-dict"
    )

    def verify_(self) -> None:
        verify_named(self.arguments, self.params)
        verify_known(self.expression.parameters, names_of(self.params), "expression")
        _verify_point(len(self.expression.dimensions), len(self.ids), "expression")


@irdl_op_definition
class ScoreOp(IRDLOperation):
    """The value of a score: `%s = poly.score #poly.score<"4*[L0]"> [%L0] params ["L0"]`."""

    name = "poly.score"

    score = prop_def(ScoreAttr)
    arguments = var_operand_def(IndexType)
    params = prop_def(ArrayAttr[StringAttr])
    result = result_def(i64)

    traits = traits_def(Pure())

    assembly_format = "qualified($score) `[` $arguments `]` `params` $params attr-dict"

    def verify_(self) -> None:
        verify_named(self.arguments, self.params)
        verify_known(self.score.parameters, names_of(self.params), "score")
