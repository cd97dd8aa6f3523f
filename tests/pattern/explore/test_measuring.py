"""Candidates are checked before they are timed."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

import polycl
from polycl.runtime.pattern.explore.measuring import (
    Check,
    Request,
    Target,
    _prepared,  # pyright: ignore[reportPrivateUsage]
    _seconds,  # pyright: ignore[reportPrivateUsage]
    _timed,  # pyright: ignore[reportPrivateUsage]
    measure,
)

PROGRAM = """\
func.func @total(%x : !pattern.array<N, f32>) -> !pattern.array<1, f32> {
  %zero = arith.constant 0.0 : f32
  %sum = pattern.KIND %x init %zero as %p : f32, %q : f32 FLAGS {
    %s = arith.OPERATION %p, %q : f32
    pattern.yield %s : f32
  } : !pattern.array<1, f32>
  func.return %sum : !pattern.array<1, f32>
}
"""


def program(kind: str, operation: str = "addf") -> str:
    text = PROGRAM.replace("KIND", kind).replace("OPERATION", operation)
    return text.replace("FLAGS ", "assoc comm " if kind == "reduce" else "")


RIGHT, WRONG = program("reduce_seq"), program("reduce_seq", "subf")
REQUEST = Request(
    program("reduce"),
    "total",
    RIGHT,
    (("N", 1000),),
    Target("interp"),
    RIGHT,
    Check(RIGHT, (("N", 7),)),
)


def test_a_right_candidate_is_timed():
    found = measure(REQUEST)
    assert (found.status, found.detail) == ("ok", "")
    assert 0 < min(found.seconds) < 10


def test_a_slow_candidate_is_not_run_often():
    more = "".join(f"    %s{n + 1} = arith.addf %s{n}, %zero : f32\n" for n in range(40))
    slow = RIGHT.replace("%s = arith.addf %p, %q", "%s0 = arith.addf %p, %q")
    slow = slow.replace("    pattern.yield", more + "    pattern.yield").replace("%s :", "%s40 :")
    assert measure(replace(REQUEST, candidate=slow, rival=RIGHT)).status == "slow"


def test_a_long_run_is_not_repeated():
    runs: list[float] = []
    device = polycl.device("cpu", threads=2)
    found = _timed(lambda: time.sleep(runs.append(0.0) or 1.1), None, 1.0, device)
    assert (found.status, len(runs)) == ("ok", 1)


def test_a_candidate_runs_in_turns_with_another():
    # However much a busy machine disturbs a run, it is none that ends the turns.
    found = measure(replace(REQUEST, rival=RIGHT, best=100.0))
    assert found.status == "ok"
    assert 0.2 < found.relative < 5


def test_runs_write_to_one_memory_and_what_is_checked_to_another():
    request = replace(REQUEST, target=Target("cpu"))
    one, two = (_prepared(request, text) for text in (RIGHT, WRONG))
    before = one()
    assert np.shares_memory(before, two())
    measure(request)
    assert not np.shares_memory(before, one())


def test_other_programs_have_no_part_in_the_time_of_one_thread():
    """While a run waits, the processor is theirs. Several threads have no clock of their own."""

    def wait() -> None:
        time.sleep(0.1)

    one, two = (polycl.device("cpu", threads=threads) for threads in (1, 2))
    assert _seconds(wait, one) < 0.1 <= _seconds(wait, two)


def test_what_is_wrong_at_the_small_size_is_found():
    found = measure(replace(REQUEST, check=Check(WRONG, (("N", 70),))))
    assert found.status == "wrong"
    assert found.detail.startswith("with N=70: element [0] is ")


def test_what_is_wrong_at_full_size_is_found():
    found = measure(replace(REQUEST, candidate=WRONG))
    assert found.status == "wrong"
    assert found.detail.startswith("element [0] is ")


def test_what_does_not_build_fails_with_the_reason():
    half = RIGHT.replace("array<N,", "array<2*N,")
    found = measure(replace(REQUEST, candidate=half, sizes=(("N", 7),)))
    assert found.status == "failed"
    assert "2*N" in found.detail


@pytest.mark.parametrize(("spec", "status"), [("rand:f32:*", "wrong"), ("zeros:f32:*", "ok")])
def test_the_data_may_be_chosen(spec: str, status: str):
    request = replace(REQUEST, candidate=WRONG, check=None)
    assert measure(replace(request, target=Target("interp", (), (("x", spec),)))).status == status
