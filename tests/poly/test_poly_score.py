"""`poly-score`: the scores of known kernels, and that elimination changes no decision's worth."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

import polycl
from polycl.analysis.poly.dispatch import decision, is_at_least
from polycl.backends.pipeline import parse_passes, run_passes
from polycl.dialects import ocl, poly
from polycl.dialects.poly import ScoreAttr, parse_score
from polycl.remarks import collect_remarks

SPLIT = (
    "promote-private-memory,inline-functions,ocl-expand-builtins,ocl-to-wg,poly-normalize,"
    "poly-extract{annotate=false},poly-split"
)


def module_of(name: str) -> ModuleOp:
    """The kernel of poly_score.cl of this name, alone."""
    module = polycl.load(Path(__file__).with_name("poly_score.cl")).module.clone()
    for op in list(module.ops):
        assert isinstance(op, ocl.KernelOp)
        if op.sym_name.data != name:
            op.detach()
    return module


@cache
def kernel(name: str, options: str = "", first: str = "") -> poly.KernelOp:
    """The kernel of this name after poly-score."""
    module = module_of(name)
    run_passes(module, parse_passes(f"{first}{SPLIT},poly-score{options}"))
    return next(op for op in module.walk() if isinstance(op, poly.KernelOp))


def scores(found: poly.KernelOp) -> dict[str, str]:
    """The scores of the subkernels that are left, by the ends of their names."""
    subkernels = (op for op in found.body.block.ops if isinstance(op, poly.SubkernelOp))
    return {s.sym_name.data.rpartition("_")[2]: str(s.score) for s in subkernels}


INNER = "[min(-G0 + vs + width, 1 + 2vs, width)]*[min(-G0 + vs + width, G0 + L0 - vs, L0, width)]"
LEFT = "[min(-G0 + vs, L0)]"
ROWS = "[min(-G1 + height + hs, 1 + 2hs, G1 + L1 + hs, height)]*[min(-G1 + height + hs, L1)]"
GUARDED = "[min(-1 - G0 + size - t, L0)]*[min(-G1 + size - t, L1)]"


@pytest.mark.parametrize(
    ("name", "along_x", "along_y"),
    [
        # max(5, x) is the same in five lanes only, which make no tile.
        ("foo", "4*[-5 + L0]*[L1] + 4*[L0]*[L1]", "4*[L0]*[L1]"),
        ("replicate", "6*[L0]*[L1]", "4*[L0]*[L1]"),
        # Consecutive for n = 1 only: that is not counted.
        ("matmul", "4*[L0]*[L1] + 6*[L0]*[L1]*[k]", "2*[L0]*[L1]*[k]"),
        ("transpose", "4*[L0]*[L1]", "4*[L0]*[L1]"),
        ("fan2", f"2*{GUARDED}", f"14*{GUARDED}"),
        ("floyd", "14*[L0]*[L1]", "2*[L0]*[L1]"),
        # Each second lane is consecutive.
        ("halves", "0", "4*[L0]*[L1]"),
    ],
)
def test_scores(name: str, along_x: str, along_y: str):
    """What the research found. The size along z, of which nothing is known here, is a factor."""
    found = scores(kernel(name, "{other=0 eliminate=false profit=false}"))
    expected = {"x": along_x, "y": along_y}
    for dimension, text in expected.items():
        with_z = ScoreAttr.of(((*box, ("L2",)), weight) for box, weight in parse_score(text).data)
        assert found[dimension] == str(with_z)
    assert found["scalar"] == "1"


def test_score_of_a_convolution():
    found = kernel("conv2d", "{other=0 eliminate=false}")
    score = parse_score(scores(found)["x"])
    terms = [f"6*{INNER}*{ROWS}*[L2]", "4*[L0]*[L1]*[L2]"]
    assert all(term in score.data for text in terms for term in parse_score(text).data)
    (border,) = set(score.data) - {t for text in terms for t in parse_score(text).data}
    assert border[1] == 2
    assert ("-G0 + vs", "L0") in border[0]


IMAGE = dict(width=4096, height=4096, vs=3, hs=3, maskWidth=7, L2=1)


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (dict(L0=256, L1=1, G0=0, G1=8), "conv2d_0_x"),
        (dict(L0=4, L1=64, G0=0, G1=64), "conv2d_0_y"),
        (dict(L0=16, L1=16, G0=16, G1=64), "conv2d_0_x"),
        (dict(L0=2, L1=2, G0=0, G1=0), "conv2d_0_scalar"),
    ],
)
@pytest.mark.parametrize("eliminate", ["true", "false"])
def test_the_group_decides_about_a_convolution(
    group: dict[str, int], expected: str, eliminate: str
):
    assert decision(kernel("conv2d", f"{{eliminate={eliminate}}}"), IMAGE | group) == expected


def test_gaussian_elimination_takes_the_second_dimension():
    """Fan2 of [split16], where rows are along y."""
    group = dict(L0=16, L1=16, L2=1, G0=0, G1=0, size=1024, t=5)
    flat = group | dict(L0=256, L1=1)
    assert decision(kernel("fan2"), group) == "fan2_0_y"
    # No tile is in a group of one row. [split16] has dropped the others then; vectors of gathers
    # and scatters are worse than scalar code, though.
    assert decision(kernel("fan2"), flat) == "fan2_0_scalar"
    assert decision(kernel("fan2", "{profit=false}"), flat) == "fan2_0_x"


@pytest.mark.parametrize("name", ["newton", "foo", "floyd"])
def test_a_kernel_that_computes_is_not_made_scalar(name: str):
    """The regression of [split16]: without affine accesses, all its scores are 0."""
    values = dict(L0=64, L1=1, L2=1, G0=0, G1=0, width=64, k=3)
    assert decision(kernel(name), values).endswith("_x")


def test_what_a_kernel_computes_counts_once():
    """Where the index is read from neighbouring elements; and that alone does not pay."""
    first = "ocl-set-local-size{size=64,1,1},"
    assert scores(kernel("compare", "{profit=false}", first)) == {"x": str(64 * 4 + 64)}
    assert scores(kernel("shuffle", "{profit=false}", first)) == {"x": str(64 * 4)}


@pytest.mark.parametrize("name", ["shuffle", "compare"])
def test_moving_data_all_over_the_place_stays_scalar(name: str):
    with collect_remarks() as remarks:
        found = kernel(name, first="ocl-set-local-size{size=64,1,1},")
    assert scores(found) == {"scalar": "1"}
    assert decision(found, {}) == f"{name}_0_scalar"
    reason = f"{name}_0_x: 0, as its vectors take longer than scalar code"
    assert reason in [remark.message for remark in remarks]


def test_only_what_can_win_is_left():
    assert list(scores(kernel("floyd", "{profit=false}"))) == ["x", "y", "z", "scalar"]
    assert list(scores(kernel("floyd"))) == ["x", "z", "scalar"]
    size = "ocl-set-local-size{{size={},1}},"
    assert list(scores(kernel("floyd", first=size.format("16,16")))) == ["x"]
    assert list(scores(kernel("floyd", "{profit=false}", "ocl-set-local-size{size=4,64,1},"))) == [
        "y"
    ]
    assert list(scores(kernel("floyd", first=size.format("4,4")))) == ["scalar"]


def test_remarks_say_what_was_dropped():
    kernel.cache_clear()
    with collect_remarks() as remarks:
        kernel("replicate", first="ocl-set-local-size{size=16,16,1},")
    found = [str(r).rpartition("poly_score.cl:")[2] for r in remarks if r.pass_name == "poly-score"]
    assert found == [
        "6:11: remark: replicate_0_x: 1536 [poly-score]",
        "6:11: remark: replicate_0_y: 0, as its vectors take longer than scalar code [poly-score]",
        "6:11: remark: replicate_0_scalar dropped: replicate_0_x scores at least as much "
        "[poly-score]",
        "6:11: remark: replicate_0_y dropped: replicate_0_x scores at least as much [poly-score]",
    ]


@pytest.mark.parametrize("name", ["foo", "fan2", "floyd", "conv2d", "shuffle"])
@pytest.mark.parametrize("size", ["", "ocl-set-local-size{size=16,16,1},"])
def test_scored_before_they_are_made(name: str, size: str):
    """`poly-split{score=true}` makes what `poly-score` leaves of all."""
    before = module_of(name)
    run_passes(before, parse_passes(f"{size}{SPLIT}{{score=true}}"))
    after = module_of(name)
    run_passes(after, parse_passes(f"{size}{SPLIT},poly-score"))
    assert str(before) == str(after)


def worth(found: poly.KernelOp, name: str, values: dict[str, int]) -> int:
    """What the subkernel of a name counts, evaluated again."""
    subkernel = next(
        op
        for op in found.body.block.ops
        if isinstance(op, poly.SubkernelOp) and op.sym_name.data == name
    )
    if name.endswith("_scalar"):
        return 1
    assert subkernel.score is not None
    size = values[f"L{subkernel.along.value.data}"]
    return subkernel.score.evaluate(values) if size >= subkernel.width.value.data else 0


@pytest.mark.parametrize("name", ["foo", "replicate", "matmul", "fan2", "floyd", "conv2d"])
def test_elimination_loses_nothing(name: str):
    """For any launch, the best of what is left is as good as the best of all."""
    whole = kernel(name, "{eliminate=false profit=false}")
    choose = random.Random(name)
    for x, y in [(16, 16), (64, 1), (8, 4), (4, 8), (4, 4)]:
        left = kernel(name, "{profit=false}", f"ocl-set-local-size{{size={x},{y},1}},")
        for _ in range(10):
            values = {p.data: choose.choice([0, 1, 3, 16, 100]) for p in whole.params}
            values |= dict(L0=x, L1=y, L2=1)
            best = worth(whole, decision(whole, values), values)
            assert worth(whole, decision(left, values), values) == best


extents = st.sampled_from(["[n]", "[m]", "[n - 3]", "[min(4, n)]", "[min(n, m)]", "[5]"])
terms = st.builds(
    lambda weight, box: "*".join([str(weight), *box]),
    st.integers(0, 5),
    st.lists(extents, max_size=3),
)
sums = st.lists(terms, min_size=1, max_size=3).map(lambda found: parse_score(" + ".join(found)))


@settings(deadline=None, max_examples=150)
@given(sums, sums)
def test_what_is_at_least_as_much_is(one: ScoreAttr, other: ScoreAttr):
    context = isl.Set("[n, m] -> { : 2 <= n <= m }")
    if is_at_least(one, other, context):
        for n, m in [(2, 2), (2, 9), (4, 5), (7, 7), (11, 30)]:
            values = dict(n=n, m=m)
            assert one.evaluate(values) >= other.evaluate(values)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("4*[n] + 2*[n]*[m]", "4*[n]", True),
        ("4*[n]", "5*[n]", False),
        ("2*[n]*[m]", "2*[min(n, 5)]*[m]", True),
        ("2*[n]*[m]", "1*[n] + 1*[m]", True),
        ("1*[n]*[m]", "1*[n] + 1*[m]", False),
        ("1*[n - 3]", "1", False),
        ("1*[n]", "2", False),
        ("2*[n]", "2", True),
        ("1*[m]", "1*[n]", True),
        ("1*[n]", "1*[m]", False),
    ],
)
def test_comparison_of_scores(one: str, other: str, expected: bool):
    context = isl.Set("[n, m] -> { : 2 <= n <= m }")
    assert is_at_least(parse_score(one), parse_score(other), context) is expected
