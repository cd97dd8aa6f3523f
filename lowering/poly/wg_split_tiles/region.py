"""Input space splitting [split16] of one parallel region, if an access benefits."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import Facts
from polycl.analysis.poly.model import model_of
from polycl.analysis.poly.partition import Part, Partition, partition
from polycl.dialects import poly, wg
from polycl.dialects.poly import BudgetExceeded, isl_budget
from polycl.dialects.poly.kernel import names_of
from polycl.lowering.poly.poly_extract import extract
from polycl.lowering.poly.poly_lower_codelet import lower_codelets
from polycl.lowering.poly.poly_materialize import materialize
from polycl.lowering.poly.poly_normalize import normalize
from polycl.lowering.poly.poly_split import add_subkernel, take_code
from polycl.lowering.wg.wg_split_guards import depends_on_group

_TYPICAL_PLACE, _TYPICAL_SIZE = 1 << 16, 1 << 24
"""Values of parameters that differ between groups, and of others: in most groups, the borders are
far away."""

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
            parts = _with_convex_interior(parts, kernel)
            reason = _reason_against(parts)
            if reason is not None:
                Rewriter.replace_op(kernel, original, [])
                return f"not split: {reason}"
            add_subkernel(kernel, dimension, width, parts, take_code(kernel))
            materialize(kernel, fold=True, whole_groups=True)
    except BudgetExceeded as error:
        Rewriter.replace_op(kernel, original, [])
        return f"not split: {error}"
    # Its uses of arrays would count.
    original.erase()
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


def _with_convex_interior(parts: Partition, kernel: poly.KernelOp) -> Partition:
    """The partition with one convex piece of its interior; the other tiles become divergent.

    The piece is the one for typical launches: conditions that hardly a launch meets, such as an id
    beyond a size that nothing guards, have pieces of their own.
    """
    interior = next((part for part in parts.parts if part.name == "interior"), None)
    if interior is None or interior.domain.n_basic_set() == 1:
        return parts
    piece = isl.Set.from_basic_set(interior.domain.simple_hull())
    if not piece.is_subset(interior.domain):
        pieces = [isl.Set.from_basic_set(basic) for basic in interior.domain.get_basic_sets()]
        values = _typical_values(kernel)
        typical = [piece for piece in pieces if not _fixed(piece, values).is_empty()]
        if not typical:
            return parts
        piece = typical[0]
    rest = interior.domain.subtract(piece).coalesce()
    others = [part for part in parts.parts if part is not interior]
    if not rest.is_empty():
        divergent = next((part for part in others if part.name == "divergent"), None)
        domain = rest.set_tuple_name("divergent")
        if divergent is not None:
            others.remove(divergent)
            domain = domain.union(divergent.domain).coalesce()
        others.insert(0, Part("divergent", domain, interior.lanes))
    return replace(parts, parts=(replace(interior, domain=piece), *others))


def _typical_values(kernel: poly.KernelOp) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, value in zip(names_of(kernel.params), kernel.arguments, strict=True):
        differs = depends_on_group(value, set())
        found[name] = _TYPICAL_PLACE if differs else _TYPICAL_SIZE
    return found


def _fixed(piece: isl.Set, values: dict[str, int]) -> isl.Set:
    """A set with these values of its parameters."""
    for place in range(piece.dim(isl.dim_type.param)):
        name = piece.get_dim_name(isl.dim_type.param, place)
        assert name is not None
        value = isl.Val.int_from_si(piece.get_ctx(), values[name])
        piece = piece.fix_val(isl.dim_type.param, place, value)
    return piece
