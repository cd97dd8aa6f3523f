"""Whether two values are equal because they are computed alike."""

from __future__ import annotations

from xdsl.ir import Block, SSAValue

from polycl.dialects.effects import is_side_effect_free


def same_value(
    a: SSAValue, b: SSAValue, known: dict[tuple[SSAValue, SSAValue], bool] | None = None
) -> bool:
    """Whether two values are computed in the same way from the same values."""
    known = {} if known is None else known
    if (a, b) not in known:
        known[a, b] = a is b or _same_operation(a, b, known)
    return known[a, b]


def _same_operation(a: SSAValue, b: SSAValue, known: dict[tuple[SSAValue, SSAValue], bool]) -> bool:
    x, y = a.owner, b.owner
    if isinstance(x, Block) or isinstance(y, Block) or type(x) is not type(y):
        return False
    if x.regions or not is_side_effect_free(x) or len(x.operands) != len(y.operands):
        return False
    if x.properties != y.properties or a.type != b.type:
        return False
    if x.results.index(a) != y.results.index(b):  # pyright: ignore[reportArgumentType]
        return False
    return all(same_value(p, q, known) for p, q in zip(x.operands, y.operands, strict=True))
