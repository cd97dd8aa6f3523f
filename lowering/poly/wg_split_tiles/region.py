"""Input space splitting [split16] of one parallel region, if an access benefits."""

from __future__ import annotations

from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import Facts
from polycl.analysis.poly.model import model_of
from polycl.analysis.poly.partition import Partition, partition
from polycl.dialects import wg
from polycl.dialects.poly import BudgetExceeded, isl_budget
from polycl.lowering.poly.poly_extract import extract
from polycl.lowering.poly.poly_lower_codelet import lower_codelets
from polycl.lowering.poly.poly_materialize import materialize
from polycl.lowering.poly.poly_normalize import normalize
from polycl.lowering.poly.poly_split import add_subkernel, take_code

_BUDGET = 200_000
"""The budget of isl for a region, a tenth of a second."""


def split_region(
    region: wg.ParallelOp, function: wg.FuncOp, facts: Facts, dimension: int, width: int
) -> str:
    """Splits a region into an interior and the rest; returns the text of a remark.

    `facts` are shared by the regions of a function.
    """
    original = region.clone()
    normalize(region.body)
    kernel = extract(region, function, function.sym_name.data)
    facts.changed(function, kernel)
    try:
        with isl_budget(_BUDGET):
            model = model_of(kernel, facts=facts)
            parts = partition(model, dimension, width, most=2)
            if not any(part.name == "interior" for part in parts.parts):
                # Control flow diverges in every tile, as in a loop over a tile and its border.
                parts = partition(model, dimension, width, ("full", "mem"), most=2)
            reason = _reason_against(parts)
            if reason is not None:
                Rewriter.replace_op(kernel, original, [])
                return f"not split: {reason}"
            add_subkernel(kernel, dimension, width, parts, take_code(kernel))
            materialize(kernel, fold=True, whole_groups=True)
    except BudgetExceeded as error:
        Rewriter.replace_op(kernel, original, [])
        return f"not split: {error}"
    lower_codelets(function)
    arrays = ", ".join(dict.fromkeys(access.array for access in parts.gaining))
    return f"split: inside, neighbours access neighbours in {arrays}"


def _reason_against(parts: Partition) -> str | None:
    """Why a region is not split; None if it is."""
    interior = [part for part in parts.parts if part.name == "interior"]
    if not interior or not parts.gaining:
        return "no access is consecutive in some tiles only"
    if interior[0].domain.n_basic_set() > 1:
        return "the interior is not convex"
    return None
