"""Attributes of the poly dialect: their text does not depend on how a set was written."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polycl.dialects.poly import (
    AffAttr,
    BudgetExceeded,
    IndexAttr,
    MapAttr,
    SetAttr,
    isl_budget,
    parse_score,
)
from polycl.dialects.poly.isl_text import IslTextError
from polycl.dialects.poly.score import canonical_affine

VARIABLES = ("i", "j")
VALUES = ("0", "3", "n", "m", "n - 4", "m - 9", "i + 2", "j + 1", "2n", "8*floor(i/8) + 7")

constraints = st.builds(
    lambda v, sign, value: f"{v} {sign} {value}",
    st.sampled_from(VARIABLES),
    st.sampled_from(("<=", ">=", "<", ">")),
    st.sampled_from(VALUES),
)
disjuncts = st.lists(st.lists(constraints, min_size=2, max_size=4), min_size=1, max_size=4)


def condition(parts: list[list[str]]) -> str:
    return " or ".join("(" + " and ".join(part) + ")" for part in parts)


@st.composite
def reordered(draw: st.DrawFn) -> tuple[str, str]:
    """A condition, and the same with its parts in another order."""
    parts = draw(disjuncts)
    shuffled = [draw(st.permutations(part)) for part in draw(st.permutations(parts))]
    return condition(parts), condition(shuffled)


@settings(deadline=None, max_examples=60)
@given(reordered())
def test_the_order_of_a_set_s_text_does_not_matter(conditions: tuple[str, str]) -> None:
    one, other = conditions
    found = SetAttr(f"[n, m] -> {{ S[i, j] : {one} }}")
    assert found.isl.is_equal(isl.Set(f"[n, m] -> {{ S[i, j] : {one} }}"))
    assert found == SetAttr(f"[m, unused, n] -> {{ S[i, j] : {other} }}")
    assert SetAttr(found.data) == found


@settings(deadline=None, max_examples=60)
@given(reordered())
def test_the_order_of_an_expression_s_text_does_not_matter(conditions: tuple[str, str]) -> None:
    one, other = conditions
    text = f"[n, m] -> {{ S[i, j] -> [(i + n)] : {one} }}"
    found = AffAttr(text)
    assert found.isl.is_equal(isl.PwAff(text))
    assert found == AffAttr(f"[m, n] -> {{ S[i, j] -> [(n + i)] : {other} }}")
    assert AffAttr(found.data) == found


def test_an_expression_may_be_defined_nowhere() -> None:
    found = AffAttr("[n] -> { S[i, j] -> [(i + n)] : i <= 0 and i > j and j >= 0 }")
    assert found.isl.domain().is_empty()
    assert found.parameters == ()
    assert AffAttr(found.data) == found


def test_the_text_does_not_depend_on_what_was_asked_before() -> None:
    found = isl.Set("[n, m] -> { S[i] : 0 <= i < n or m <= i < m + 3 }")
    before = SetAttr.of(found)
    hash(found)  # isl sorts the parts in place and prints another text from now on.
    assert SetAttr.of(found) == before


def test_equal_sets_with_other_names_are_written_differently() -> None:
    one, other = SetAttr("{ S[i] : i > 0 }"), SetAttr("{ S[j] : j > 0 }")
    assert one != other
    assert one.is_equal(other)


def test_an_attribute_can_be_copied_and_pickled() -> None:
    found = MapAttr("[n] -> { S[i] -> A[2i + n] }")
    assert pickle.loads(pickle.dumps(found)) == found == copy.deepcopy(found)


def test_each_thread_has_its_own_object() -> None:
    one, other = SetAttr("{ S[i] : i > 0 }"), SetAttr("{ S[i] : i < 9 }")

    def both() -> tuple[bool, str]:
        found = one.isl.intersect(other.isl)
        return found.get_ctx() == isl.DEFAULT_CONTEXT, SetAttr.of(found).data

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(both).result() == (False, "{ S[i] : 0 < i <= 8 }")
    assert both() == (True, "{ S[i] : 0 < i <= 8 }")


def test_a_budget_ends_and_leaves_isl_usable() -> None:
    whole = SetAttr("[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m }").isl
    inner = SetAttr("[n, m] -> { S[i, j] : 3 <= i < n - 5 and 2 <= j < m - 4 }").isl
    with pytest.raises(BudgetExceeded, match="more than 10 operations"), isl_budget(10):
        whole.subtract(inner)
    assert inner.is_subset(whole)


def test_a_budget_may_end_in_the_middle_of_a_text() -> None:
    """isl says then that the text has a syntax error."""
    text = "[n] -> { [a, b, c] : 0 <= a < b and 8*floor(c/8) > n and (a < 5 or b > 7) }"
    for operations in (1, 5, 20, 60):
        with pytest.raises(BudgetExceeded), isl_budget(operations):
            isl.Set.read_from_str(isl.DEFAULT_CONTEXT, text)
    with pytest.raises(isl.Error, match="syntax error"), isl_budget(10_000):
        isl.Set.read_from_str(isl.DEFAULT_CONTEXT, text[:-2])


def test_a_text_that_is_too_complicated_is_refused_in_time() -> None:
    terms = " and ".join(f"(i{k} < 3 or i{k} > 7)" for k in range(24))
    names = ", ".join(f"i{k}" for k in range(24))
    with pytest.raises(IslTextError, match="too complicated"):
        SetAttr(f"{{ [{names}] : {terms} }}")


@pytest.mark.parametrize(
    ("text", "message", "offset"),
    [
        ("[n] -> { S[i : 0 <= i }", "got ':'", 13),
        ("{ [i] : i*j > 0 }", "got ident 'j'", 10),
        ("{ [i] : i > 0 } and more", "expected the end of the set after its '}'", 16),
        ("{ S[i]; T[j] }", "expected an isl set", 0),
        ("{ S[i] -> T[j] }", "makes a map: #poly.map", 0),
        ("[t] -> { T[t'] : t' > t }", "the dimension 't' has the name of a parameter", 7),
    ],
)
def test_an_error_has_a_place(text: str, message: str, offset: int) -> None:
    with pytest.raises(IslTextError, match="(?s)" + message.replace("*", r"\*")) as caught:
        SetAttr(text)
    assert caught.value.offset == offset


def test_terms_of_an_index_are_collected() -> None:
    row, one = AffAttr("[G1] -> { R[y, x] -> [(G1 + y)] }"), AffAttr("{ R[y, x] -> [(1)] }")
    column = AffAttr("{ R[y, x] -> [(x)] }")
    index = IndexAttr([(("width",), row), ((), column), (("width",), one)])
    next_row = AffAttr("[G1] -> { R[y, x] -> [(1 + G1 + y)] }")
    assert index.data == (((), column), (("width",), next_row))
    assert index.uniform_values == ("width",)
    with pytest.raises(ValueError, match="over the same tuple"):
        IndexAttr([((), column), (("w",), AffAttr("{ R[x] -> [(x)] }"))])
    with pytest.raises(ValueError, match="over the same tuple"):
        IndexAttr([((), column), ((), AffAttr("{ S[y, x] -> [(x)] }"))])


def test_scores_are_evaluated() -> None:
    score = parse_score("4*[L0 - 5] + 2*[min(L0, 5)]*[L1] + 4*[L0]")
    assert score == parse_score("4*[L0] + 2*[L1]*[min(5, L0)] + 4*[-5 + L0]")
    assert score.evaluate({"L0": 3, "L1": 7}) == 4 * 0 + 2 * 3 * 7 + 4 * 3
    assert score.evaluate({"L0": 9, "L1": 7}) == 4 * 4 + 2 * 5 * 7 + 4 * 9


summands = st.builds(
    lambda sign, number, name: (sign, f"{number}{name}"),
    st.sampled_from("+-"),
    st.integers(0, 9),
    st.sampled_from(["", "n", "L0", "_m", "Width", "*n"]),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(summands, min_size=1, max_size=5))
def test_sums_are_written_as_isl_writes_them(found: list[tuple[str, str]]) -> None:
    first, *others = found
    text = first[1] + "".join(f" {sign} {summand}" for sign, summand in others)
    expected = AffAttr(f"[n, L0, _m, Width] -> {{ [({text})] }}").data
    assert f"[({canonical_affine(text)})]" in expected
