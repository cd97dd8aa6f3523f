"""The `poly` dialect: which work-items of a kernel take which path, as sets of isl.

Moll, Doerfert, Hack: "Input space splitting for OpenCL" (CC 2016).
"""

from xdsl.ir import Dialect

from polycl.dialects.poly.access import AccessAttr, ClassAttr
from polycl.dialects.poly.index import IndexAttr
from polycl.dialects.poly.isl_context import BudgetExceeded, isl_budget
from polycl.dialects.poly.score import ScoreAttr, parse_score
from polycl.dialects.poly.sets import AffAttr, MapAttr, SetAttr

POLY = Dialect("poly", [], [SetAttr, MapAttr, AffAttr, IndexAttr, AccessAttr, ScoreAttr, ClassAttr])

__all__ = [
    "POLY",
    "AccessAttr",
    "AffAttr",
    "BudgetExceeded",
    "ClassAttr",
    "IndexAttr",
    "MapAttr",
    "ScoreAttr",
    "SetAttr",
    "isl_budget",
    "parse_score",
]
