"""Predicates and parts of small kernels, as sets. Some are cases in which the formulas of [split16]
give too little or too much, or in which the ends of a tile do not decide about its inside."""

from __future__ import annotations

import pytest

from polycl import load
from polycl.analysis.poly.model import Model, model_of
from polycl.analysis.poly.partition import partition, without_thin
from polycl.analysis.poly.predicates import consecutive, uniform
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import poly
from polycl.dialects.poly import SetAttr

FRONT = "inline-functions,ocl-to-wg,ocl-expand-builtins,wg-lower-contexts,poly-normalize"


def model(source: str, size: str = "") -> Model:
    """The kernel of a source; `size` fixes the local size."""
    module = load(source).module
    fixed = f"ocl-set-local-size{{size={size}}}," if size else ""
    run_pipeline(module, f"{fixed}{FRONT},poly-extract{{annotate=false}}")
    (kernel,) = [op for op in module.walk() if isinstance(op, poly.KernelOp)]
    return model_of(kernel)


def parts(source: str, size: str, dimension: int = 0, width: int = 8) -> dict[str, str]:
    found = model(source, size)
    whole = partition(found, dimension, width)
    return {
        part.name: SetAttr.of(part.domain.gist_params(found.context).coalesce()).data
        for part in whole.parts
    }


def test_what_is_consecutive_everywhere_or_nowhere_splits_nothing() -> None:
    """Figure 8: consecutive in the first dimension; in the second only where the width is 1."""
    source = """kernel void replicate(global float *a, global const float *b, int width) {
      int x = get_local_id(0), y = get_local_id(1);
      a[y * width + x] = b[y];
    }"""
    assert list(parts(source, "16,16,1")) == ["interior"]
    assert list(parts(source, "16,16,1", dimension=1)) == ["interior"]
    found = model(source, "16,16,1")
    write = next(access for access in found.accesses if access.direction == "write")
    where, exact = consecutive(found, write, 1)
    assert exact
    assert (
        SetAttr.of(where).data
        == "[width] -> { R[y, x] : width = 1 and 0 <= y <= 15 and 0 <= x <= 15 }"
    )
    assert without_thin(where, found.context).is_empty()


def test_the_tile_in_which_a_border_lies_is_split_off() -> None:
    """Figure 5, of which the first tile has work-items on both sides."""
    source = "kernel void foo(global float *a, global float *b) {" \
        "  int x = get_local_id(0); a[x] = b[max(5, x)]; }"  # fmt: skip
    assert parts(source, "32,1,1") == {
        "interior": "{ interior[t] : 0 < t <= 3 }",
        "divergent": "{ divergent[t = 0] }",
    }


def test_every_other_pair_of_lanes_is_no_tile() -> None:
    """`a[x / 2]` is consecutive from odd lanes to the next; no tile has only these."""
    source = "kernel void half_(global float *a, global float *b) {" \
        "  int x = get_local_id(0); b[x] = a[x / 2] + a[max(x, 9)]; }"  # fmt: skip
    assert parts(source, "32,1,1")["interior"] == "{ interior[t] : 2 <= t <= 3 }"


def test_a_run_over_two_pieces_of_a_set_counts() -> None:
    """The tile 0 of all groups but the first has its first lane in one piece of the set where
    `max(gid - 1, 0)` is consecutive, and the others in another."""
    source = "kernel void left(global float *a, global float *b) {" \
        "  int x = get_global_id(0); b[x] = a[max(x - 1, 0)]; }"  # fmt: skip
    assert (
        parts(source, "16,1,1")["interior"] == "[G0] -> { interior[t] : 0 <= t <= 1 and 8t > -G0 }"
    )


def test_a_window_inside_of_one_tile_is_not_lost() -> None:
    """Neither end of the tile passes the guard."""
    source = "kernel void window(global int *a) {" \
        "  int x = get_local_id(0); if (3 <= x && x < 5) a[x] = x; }"  # fmt: skip
    found = parts(source, "16,1,1")
    assert found == {"mixed": "{ mixed[t = 0] }"}


@pytest.mark.parametrize(("guards", "names"), [
    ("if (x < n) a[x] = 1;", ["interior", "mixed", "partial"]),
    ("if (x < n) a[x] = 1; if (x < m) a[x] += 2;", ["interior", "uniform", "mixed", "partial"]),
    ("if (x < n) a[x] = 1; if (x < m) a[x] += 2; if (x < 7) a[x] += n;",
     ["interior", "mixed", "partial"]),
])  # fmt: skip
def test_a_codelet_for_those_that_pass_all_guards(guards: str, names: list[str]) -> None:
    """Where there are at most two; tiles that pass one and all fail the other are `uniform`."""
    source = f"kernel void k(global int *a, int n, int m) {{ int x = get_local_id(0); {guards} }}"
    assert list(parts(source, "20,1,1")) == names


def test_gaussian_is_consecutive_along_its_second_dimension() -> None:
    source = """kernel void fan2(global const float *m, global float *a, int size, int t) {
      int x = get_global_id(0), y = get_global_id(1);
      if (x < size - 1 - t && y < size - t)
        a[size * (x + 1 + t) + (y + t)] -= m[size * (x + 1 + t) + t] * a[size * t + (y + t)];
    }"""
    found = model(source, "16,16,1")
    kinds: list[list[str]] = []
    for dimension in (0, 1):
        kinds.append([])
        for access in found.accesses:
            for kind, predicate in (("cons", consecutive), ("uni", uniform)):
                where, _ = predicate(found, access, dimension)
                if access.domain.is_subset(where):
                    kinds[-1].append(kind)
    assert kinds[0] == ["uni"]
    assert sorted(kinds[1]) == ["cons", "cons", "cons", "uni"]


def test_rests_are_known_below_the_divisor() -> None:
    """`(x + 1) % n` is x + 1 but for the last; `(x - 1 + n) % n` is x - 1 but for the first."""
    source = "kernel void ring(global float *a, global float *b, int n) {" \
        "  int x = get_global_id(0); b[x] = a[(x + 1) % n] + a[(x - 1 + n) % n]; }"  # fmt: skip
    assert parts(source, "16,1,1")["interior"] == (
        "[G0, n] -> { interior[t] : 0 <= t <= 1 and -G0 < 8t <= -9 - G0 + n }"
    )
