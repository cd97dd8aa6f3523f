"""Boxes around sets: never too small, and as small as the research found them."""

from __future__ import annotations

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polycl.analysis.poly.boxes import boxes
from polycl.dialects.poly import ScoreAttr


def text(found: str, context: str) -> str:
    return str(ScoreAttr.of((box, 1) for box in boxes(isl.Set(found), isl.Set(context))))


def test_the_loop_nest_of_the_paper():
    """[split16], Listing 1: intervals give (2a)(2a); j is less than i, so that both end before."""
    nest = "[a] -> { S[i, j] : 0 <= i < 2a and 0 <= j < i }"
    assert text(nest, "[a] -> { : a >= 1 }") == "1*[-1 + 2a]*[-1 + 2a]"


CONVOLUTION = """[L0, L1, G0, G1, width, height, vs, hs] -> { R[y, x, k, l] :
    0 <= x < L0 and 0 <= y < L1 and x >= vs - G0 and
    0 <= k <= min(width - 1, G0 + x + vs) - max(0, G0 + x - vs) and
    0 <= l <= min(height - 1, G1 + y + hs) - max(0, G1 + y - hs) }"""
INSIDE = """[L0, L1, G0, G1, width, height, vs, hs] -> { : L0 > 0 and L1 > 0 and G0 >= 0 and G1 >= 0
    and vs >= 0 and hs >= 0 and G0 + L0 <= width and G1 + L1 <= height }"""


@pytest.mark.parametrize(
    ("found", "context", "expected"),
    [
        ("[n] -> { R[x] : 0 <= x < n }", "[n] -> { : n > 0 }", "1*[n]"),
        ("[n] -> { R[x] : 0 <= x < 5 and x < n }", "[n] -> { : n > 0 }", "1*[min(5, n)]"),
        # Of two bounds, the one that the context shows to be closer.
        ("[n] -> { R[x] : 0 <= x < 5 and x < n }", "[n] -> { : n > 8 }", "5"),
        ("[n] -> { R[x] : 0 <= x < 5 and x < n }", "[n] -> { : 1 <= n < 5 }", "1*[n]"),
        # Disjoint pieces count once.
        ("[n] -> { R[x] : 0 <= x < n or 3 <= x < n }", "[n] -> { : n > 0 }", "1*[n]"),
        (
            "[n] -> { R[x] : 0 <= x < 3 or 8 <= x < n }",
            "[n] -> { : n > 8 }",
            "3 + 1*[-8 + n]",
        ),
        # A multiple of x has bounds that are divided.
        ("[n] -> { R[x] : 0 <= 8x < n }", "[n] -> { : n > 0 }", "1*[1 + floor((-1 + n)/8)]"),
        # An extent of one point does not show.
        ("[n, t] -> { R[y, x] : y = t and 0 <= x < n }", "[n, t] -> { : n > 0 }", "1*[n]"),
        ("{ R[x] : 0 > x > 0 }", "{ : }", "0"),
        ("{ R[y, x] : 0 <= y < 16 and 0 <= x < 8 }", "{ : }", "128"),
        (
            CONVOLUTION,
            INSIDE,
            "1*[min(-G0 + vs + width, 1 + 2vs, width)]"
            "*[min(-G1 + height + hs, 1 + 2hs, G1 + L1 + hs, height)]"
            "*[min(G0 + L0 - vs, L0)]*[L1]",
        ),
    ],
)
def test_boxes(found: str, context: str, expected: str):
    assert text(found, context) == expected


BOUNDS = ("0", "2", "n", "m", "n - 3", "i", "2i + 1", "j", "j - 2", "floor(n/2)", "8")
constraints = st.builds(
    lambda v, sign, value: f"{v} {sign} {value}",
    st.sampled_from(("i", "j", "2j")),
    st.sampled_from(("<=", ">=", "<", ">")),
    st.sampled_from(BOUNDS),
)
pieces = st.lists(st.lists(constraints, max_size=3), min_size=1, max_size=3)


@settings(deadline=None, max_examples=150)
@given(pieces, st.integers(0, 9), st.integers(0, 9))
def test_no_point_is_left_out(parts: list[list[str]], n: int, m: int):
    whole = "-4 <= i <= 9 and -3 <= j < 9"
    condition = " or ".join(f"({' and '.join([whole, *part])})" for part in parts)
    found = isl.Set(f"[n, m] -> {{ S[i, j] : {condition} }}")
    score = ScoreAttr.of((box, 1) for box in boxes(found, isl.Set("[n, m] -> { : n, m >= 0 }")))
    points = found.intersect_params(isl.Set(f"[n, m] -> {{ : n = {n} and m = {m} }}"))
    values = {name: value for name, value in (("n", n), ("m", m)) if name in score.parameters}
    assert score.evaluate(values) >= points.count_val().to_python()


def test_how_the_set_is_written_does_not_matter():
    one = isl.Set("[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m and j < 7; S[20, j] : j = m }")
    other = isl.Set("[m, n] -> { S[20, m]; S[i, j] : 7 > j >= 0 and i < n and j < m and i >= 0 }")
    context = isl.Set("[n, m] -> { : 0 < n < 10 and m > 0 }")
    assert boxes(one, context) == boxes(other, context) == [(), (("7", "m"), ("n",))]
