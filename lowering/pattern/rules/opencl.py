"""[lift15, Figure 4]: rules that map patterns to OpenCL.

`f o g` is f applied to the result of g; `terms.py` has the whole notation.
"""

from __future__ import annotations

from xdsl.ir import Operation

from polycl.dialects import pattern
from polycl.dialects.pattern.hierarchy import is_in, why_not_lower_to
from polycl.dialects.pattern.types import innermost, is_scalar, vector_of
from polycl.lowering.pattern.rules.build import element_of
from polycl.lowering.pattern.rules.conditions import Condition, condition, divides, divisors, short
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.expressions import Environment
from polycl.lowering.pattern.rules.rule import Counts, Refused, Sizes

DIMENSIONS = Counts(lambda _: range(3), default=0)
WIDTHS = Counts(lambda _: (2, 4, 8, 16))
"""The sizes of OpenCL's vectors, except 3, which takes the space of 4."""


def _at(level: type[pattern.MapBase]) -> Condition:
    def check(op: Operation, sizes: Environment) -> None:
        assert isinstance(op, pattern.MapBase)
        dim = sizes["dim"].value if "dim" in sizes else 0
        if dim not in range(3):
            raise Refused(f"dim = {dim} must be 0, 1 or 2")
        why_not = why_not_lower_to(op, level, dim)
        if why_not is not None:
            raise Refused(why_not)

    return Condition("the thread hierarchy allows it", check)


@condition("it is not marked yet")
def unmarked(op: Operation, sizes: Environment) -> None:
    for use in op.results[0].uses:
        if isinstance(use.operation, pattern.ToMemoryBase):
            raise Refused(f"it is marked {short(use.operation)} already")


@condition("in a map-workgroup")
def within_workgroup(op: Operation, sizes: Environment) -> None:
    if not is_in(op, pattern.MapWorkgroupOp):
        raise Refused("it is in no map-workgroup, which local memory and barriers belong to")


@condition("there are vectors of the elements")
def has_vectors(op: Operation, sizes: Environment) -> None:
    if vector_of(innermost(op.operands[0].type), sizes["n"].value) is None:
        raise Refused(f"there are no vectors of {element_of(op.operands[0])}")


@condition("f is arithmetic on scalars")
def vectorizable(op: Operation, sizes: Environment) -> None:
    body = op.regions[0]
    for arg in body.block.args:
        if not is_scalar(arg.type):
            raise Refused(f"the function takes {arg.type}, expected scalars")
    for inner in body.block.ops:
        if inner.name == "pattern.yield":
            continue
        if inner.dialect_name() not in ("arith", "math") or inner.regions:
            raise Refused(f"the function has {inner.name}, which has no form for vectors")
        for value in (*inner.operands, *inner.results):
            if not is_scalar(value.type):
                raise Refused(f"{inner.name} has a value of type {value.type}, expected scalars")


RULES = (
    rule(
        "4a.workgroup", "map(f) -> map-workgroup(f)", [_at(pattern.MapWorkgroupOp)], dim=DIMENSIONS
    ),
    rule("4a.local", "map(f) -> map-local(f)", [_at(pattern.MapLocalOp)], dim=DIMENSIONS),
    rule("4a.global", "map(f) -> map-global(f)", [_at(pattern.MapGlobalOp)], dim=DIMENSIONS),
    rule("4a.seq", "map(f) -> map-seq(f)", [_at(pattern.MapSeqOp)]),
    rule("4b", "reduce(f,z) -> reduce-seq(f,z)"),
    rule("4c.stride", "reorder -> reorder-stride^s", [divides("s")], s=Sizes(divisors)),
    rule("4c.id", "reorder -> id"),
    rule("4d.global", "map-local(f) -> toGlobal(map-local(f))", [within_workgroup, unmarked]),
    rule("4d.local", "map-local(f) -> toLocal(map-local(f))", [within_workgroup, unmarked]),
    rule(
        "4e",
        "map(f) -> asScalar o map(vect^n(f)) o asVector^n",
        [divides("n"), vectorizable, has_vectors],
        "The scalars may be the parts of a tuple that f takes apart.",
        n=WIDTHS,
    ),
)
