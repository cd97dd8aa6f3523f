"""The `poly` dialect: which work-items of a kernel take which path, as isl sets [split16]."""

from xdsl.ir import Dialect

from polycl.dialects.poly.access import AccessAttr, ClassAttr
from polycl.dialects.poly.index import IndexAttr
from polycl.dialects.poly.isl_context import BudgetExceeded, isl_budget
from polycl.dialects.poly.kernel import AssumeOp, CodeletOp, DispatchOp, KernelOp, SubkernelOp
from polycl.dialects.poly.score import ScoreAttr, parse_score
from polycl.dialects.poly.sets import AffAttr, MapAttr, SetAttr
from polycl.dialects.poly.values import ContainsOp, EvalOp, ScoreOp

POLY = Dialect(
    "poly",
    [
        KernelOp,
        AssumeOp,
        SubkernelOp,
        CodeletOp,
        DispatchOp,
        ContainsOp,
        EvalOp,
        ScoreOp,
    ],
    [SetAttr, MapAttr, AffAttr, IndexAttr, AccessAttr, ScoreAttr, ClassAttr],
)

__all__ = [
    "POLY",
    "AccessAttr",
    "AffAttr",
    "AssumeOp",
    "BudgetExceeded",
    "ClassAttr",
    "CodeletOp",
    "ContainsOp",
    "DispatchOp",
    "EvalOp",
    "IndexAttr",
    "KernelOp",
    "MapAttr",
    "ScoreAttr",
    "ScoreOp",
    "SetAttr",
    "SubkernelOp",
    "isl_budget",
    "parse_score",
]
