"""The NDRange of a kernel, from the sizes of its parallel maps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from polycl.analysis.ocl.index_arith import Expr, div, integer
from polycl.dialects import pattern
from polycl.dialects.pattern.nat import NatAttr
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.destinations import item_levels
from polycl.lowering.pattern.pattern_to_ocl.generator import Shape
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import size_expr

HINT = "pattern.ndrange"
"""Key of the attribute of a parallel map, or of the function, with the number of work-items, and
of those in a group, of its dimension: `[global, local]`, two symbolic sizes."""

_MOST_LOCAL = 256
_UNKNOWN_LOCAL = 64
_GROUPS = 8
"""The least number of groups of large maps, so that every core has work."""

_WIDEST = 16
"""The local size, which fits vectors of the CPU."""


def shape_of(op: Operation, sizes: Mapping[str, Expr]) -> Shape:
    """The NDRange for the kernel of `op`, which is not inside of other patterns."""
    found: dict[type[Operation], dict[int, list[Expr]]] = {}
    _collect(op, sizes, found)
    groups, locals_, items = [integer(1)] * 3, [1] * 3, [integer(1)] * 3
    owners = _owners(op, sizes)
    left = max(1, _MOST_LOCAL // math.prod(owners.values()))
    for dim in range(3):
        wanted = found.get(pattern.MapLocalOp, {}).get(dim)
        if dim in owners:
            locals_[dim] = owners[dim]
        elif wanted:
            locals_[dim] = _local(wanted, left)
            left = max(1, left // locals_[dim])
        if counts := found.get(pattern.MapWorkgroupOp, {}).get(dim):
            groups[dim] = counts[0]
        if counts := found.get(pattern.MapGlobalOp, {}).get(dim):
            locals_[dim], groups[dim] = _of_global(counts[0], left if dim == 0 else 1)
            left = max(1, left // locals_[dim])
    hint = _hint(op)
    if hint is not None:
        for dim, (all_items, local) in enumerate(hint):
            locals_[dim], groups[dim] = local, integer(all_items // local)
    for dim in range(3):
        items[dim] = groups[dim] * locals_[dim]
    by_group = pattern.MapLocalOp in found or pattern.MapWorkgroupOp in found
    is_open = any(size.constant is None for size in items) and not by_group
    (gx, gy, gz), (lx, ly, lz), (ix, iy, iz) = groups, locals_, items
    return Shape(
        (gx, gy, gz),
        (lx, ly, lz),
        (ix, iy, iz),
        by_groups=pattern.MapLocalOp in found,
        any_local=is_open and hint is None,
    )


def shape_of_map(size: Expr) -> Shape:
    """The NDRange for a global map of this size, without other parallel maps."""
    local, groups = _of_global(size, _MOST_LOCAL)
    one = integer(1)
    items = groups * local
    any_local = items.constant is None
    return Shape((groups, one, one), (local, 1, 1), (items, one, one), any_local=any_local)


def _collect(
    op: Operation,
    sizes: Mapping[str, Expr],
    found: dict[type[Operation], dict[int, list[Expr]]],
) -> None:
    """The sizes of the parallel maps in `op`, itself included, by class and dimension."""
    if isinstance(op, pattern.ParallelMapBase):
        assert isinstance(op.input.type, pattern.ArrayType)
        size = size_expr(op.input.type.size, sizes)
        if isinstance(op, pattern.MapGlobalOp):
            size += op.first_item
        found.setdefault(type(op), {}).setdefault(op.dimension, []).append(size)
    if isinstance(op, pattern.IterateOp) and op.symbol is not None:
        # The first iteration is the largest one.
        assert isinstance(op.input.type, pattern.ArrayType)
        size = size_expr(op.input.type.size, sizes)
        first = div(size, size_expr(op.factor, sizes), {})
        sizes = {**sizes, op.symbol.data: first}
    for region in op.regions:
        for nested in region.block.ops:
            _collect(nested, sizes, found)


def _owners(op: Operation, sizes: Mapping[str, Expr]) -> dict[int, int]:
    """For dimensions whose work-items keep parts of a group's array: the number of these."""
    found: dict[int, int] = {}
    for inner in op.walk():
        if isinstance(inner, pattern.MmaOp):
            found[0] = inner.work_items
        if not isinstance(inner, pattern.ToPrivateOp):
            continue
        type = inner.result.type
        for level in item_levels(inner.input):
            assert isinstance(type, pattern.ArrayType)
            size = size_expr(type.size, sizes).constant
            if isinstance(level, int) and size is not None:
                found[level] = size
            type = type.element_type
    return found


def _local(wanted: Sequence[Expr], limit: int) -> int:
    """The local size for maps of these sizes."""
    numbers = [size.constant for size in wanted]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return min(_UNKNOWN_LOCAL, limit)
    return _divisor(max(known), limit)


def _of_global(size: Expr, limit: int) -> tuple[int, Expr]:
    """The local size and the number of groups for a global map."""
    number = size.constant
    if number is None:
        return 1, size
    # A group of 250 has a part of a vector, which takes as long as a whole one.
    local = _divisor(number, min(limit, max(_WIDEST, number // _GROUPS)), _WIDEST)
    return local, integer(-(-number // local))


def _divisor(number: int, limit: int, multiple: int = 1) -> int:
    """The largest divisor up to `limit` that is a multiple of a number; a power of 2 where all are
    small."""
    if number <= limit:
        return number
    best = max((d for d in range(multiple, limit + 1, multiple) if number % d == 0), default=0)
    return best if 4 * best >= limit else 1 << limit.bit_length() - 1


def _hint(op: Operation) -> Sequence[tuple[int, int]] | None:
    """For each dimension the number of work-items, and of those in a group."""
    function: Operation | None = op
    while function is not None and HINT not in function.attributes:
        if isinstance(function, FuncOp):
            return None
        function = function.parent_op()
    if function is None:
        return None
    value = function.attributes[HINT]
    pairs = [_pair(pair) for pair in value] if isinstance(value, ArrayAttr) else [None]
    result = [pair for pair in pairs if pair is not None]
    if len(result) != len(pairs) or len(pairs) > 3:
        raise error_at(
            op,
            f"{HINT} = {value}: expected for each dimension [work-items, local size], say "
            "[[#pattern.nat<1024>, #pattern.nat<64>]]",
        )
    for all_items, local in result:
        if local < 1 or all_items % local:
            raise error_at(op, f"{HINT}: {all_items} work-items in groups of {local}")
    return result


def _pair(value: object) -> tuple[int, int] | None:
    if not isinstance(value, ArrayAttr) or len(value) != 2:
        return None
    numbers = [n.value for n in value if isinstance(n, NatAttr) and n.is_constant]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None
