"""Which map may become a map of which level: what rules ask before they lower one."""

from __future__ import annotations

import pytest
from xdsl.parser import Parser

from polycl.backends.pipeline import make_context
from polycl.dialects.pattern import (
    MapBase,
    MapGlobalOp,
    MapLocalOp,
    MapSeqOp,
    MapWorkgroupOp,
    hierarchy_errors,
    may_lower_to,
    why_not_lower_to,
)

LEVELS = (MapWorkgroupOp, MapLocalOp, MapGlobalOp, MapSeqOp)


def nest(*kinds: str) -> list[MapBase]:
    """Maps of these kinds, say "map_local dim 1", each in the one before; the outermost first."""
    depth = len(kinds)
    types = ["f32"]
    for level in range(depth):
        types.append(f"!pattern.array<{', '.join(f'N{i}' for i in range(level, -1, -1))}, f32>")
    types.reverse()
    text, value = "", "%x"
    for level, kind in enumerate(kinds):
        name, _, dim = kind.partition(" ")
        text += f"%r{level} = pattern.{name} {value} as %e{level}: {types[level + 1]} {dim} {{\n"
        value = f"%e{level}"
    for level in reversed(range(depth)):
        text += f"pattern.yield {value} : {types[level + 1]}\n}} : {types[level]}\n"
        value = f"%r{level}"
    source = f"func.func @f(%x: {types[0]}) {{\n{text}func.return\n}}"
    module = Parser(make_context(), source).parse_module()
    module.verify()
    return [op for op in module.walk() if isinstance(op, MapBase)]


def allowed(op: MapBase, dim: int = 0) -> set[str]:
    """The levels that a map may get."""
    return {level.name.removeprefix("pattern.") for level in LEVELS if may_lower_to(op, level, dim)}


def test_a_map_alone_is_for_all_but_local_work_items():
    (op,) = nest("map")
    assert allowed(op) == {"map_workgroup", "map_global", "map_seq"}


@pytest.mark.parametrize(
    ("outer", "expected"),
    [
        ("map", {"map_workgroup", "map_global", "map_seq"}),
        ("map_seq", {"map_seq"}),
        ("map_workgroup", {"map_local", "map_seq"}),
        ("map_workgroup dim 1", {"map_workgroup", "map_local", "map_seq"}),
        ("map_global", {"map_seq"}),
        ("map_global dim 1", {"map_global", "map_seq"}),
    ],
)
def test_a_map_inside_of_another(outer: str, expected: set[str]):
    _, inner = nest(outer, "map")
    assert allowed(inner) == expected


def test_a_map_around_others():
    outer, _, _ = nest("map", "map_workgroup", "map_local")
    assert allowed(outer) == set()
    assert allowed(outer, dim=1) == {"map_workgroup"}
    reason = why_not_lower_to(outer, MapWorkgroupOp)
    assert reason == (
        "'pattern.map_workgroup' inside: it stands in another 'pattern.map_workgroup' "
        "of dimension 0"
    )


def test_a_local_map_of_a_dimension_without_work_groups():
    """There is one group along it."""
    _, inner = nest("map_workgroup", "map")
    assert why_not_lower_to(inner, MapLocalOp, 1) is None


def test_a_local_map_without_work_groups():
    (alone,) = nest("map")
    assert why_not_lower_to(alone, MapLocalOp) == "expected a 'pattern.map_workgroup' around it"


def test_two_dimensions_of_both():
    kinds = ["map_workgroup dim 1", "map_workgroup", "map_local dim 1", "map_local"]
    function = nest(*kinds)[0].parent_op()
    assert function is not None
    assert not list(hierarchy_errors(function))
