"""Sets and expressions on grids agree with isl's own enumeration and evaluation."""

import islpy as isl
import numpy as np
import pytest

from polycl.analysis.poly.points import contains, evaluate

SETS = [
    "{ R[x, y] : 0 <= x < 7 and x <= y < 12 }",
    "[n] -> { R[x, y] : 8*floor(n/8) <= x < n and 0 <= y < 3 }",
    "[n] -> { R[x, y] : 0 <= x, y < 20 and (x mod 3 = 1 or y = x + n) }",
    "{ R[x, y] : 0 <= x, y < 20 and exists (k : y = 2k and 3k <= 5 + x) }",
    "{ R[x, y] : 0 <= x, y < 20 and floor((x + floor(y/3))/2) mod 3 = 1 }",
    "[n] -> { R[x, y] : 0 <= x, y < 5 and n > 30 }",
    "{ R[x, y] : false }",
]


@pytest.mark.parametrize("text", SETS)
@pytest.mark.parametrize("n", [0, 13, 37])
def test_contains_as_isl_enumerates(text: str, n: int):
    found = isl.Set(text)
    x, y = np.arange(-2, 40)[:, None], np.arange(-2, 40)[None, :]
    grid = np.broadcast_to(contains(found, {"x": x, "y": y, "n": n}), (42, 42))
    points: set[tuple[int, ...]] = set()
    fixed = found.intersect_params(isl.Set(f"[n] -> {{ : n = {n} }}")).project_out_all_params()
    fixed.foreach_point(
        lambda p: points.add(
            tuple(p.get_coordinate_val(isl.dim_type.set, i).to_python() for i in (0, 1))
        )
    )
    assert {(int(i) - 2, int(j) - 2) for i, j in np.argwhere(grid)} == points


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "[n] -> { R[x] -> [(max(x, floor((n + floor(x/5))/8)))] }",
            lambda x, n: max(x, (n + x // 5) // 8),
        ),
        ("[n] -> { R[x] -> [(floor((-x - n)/2))] }", lambda x, n: (-x - n) // 2),
        ("[n] -> { R[x] -> [(4)] }", lambda x, n: 4),
    ],
)
def test_evaluate(text, value):
    x = np.arange(-5, 30)
    values, defined = evaluate(isl.PwAff(text), {"x": x, "n": 21})
    assert np.all(defined)
    assert np.broadcast_to(values, x.shape).tolist() == [value(int(i), 21) for i in x]


def test_evaluate_tells_where_it_is_defined():
    values, defined = evaluate(isl.PwAff("{ R[x] -> [(x + 1)] : x > 2 }"), {"x": np.arange(5)})
    assert np.asarray(values).tolist() == [0, 0, 0, 4, 5]
    assert np.asarray(defined).tolist() == [False, False, False, True, True]


def test_a_name_without_a_value():
    with pytest.raises(KeyError, match="n"):
        contains(isl.Set("[n] -> { R[x] : x < n }"), {"x": 0})
