"""Calls by a native function: they do what other calls do, and refuse what others refuse."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.runtime.pattern import ready_call
from polycl.runtime.pattern.functions import Function

EXAMPLES = Path(__file__).parents[2] / "examples" / "pattern"
CPU = polycl.device("cpu", threads=1)


@pytest.fixture(autouse=True, params=["keeps the lock", "releases it"])
def always_native(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a busy machine; for short calls and for others."""
    short = request.param == "keeps the lock"
    monkeypatch.setattr(ready_call, "_SHORT_NS", 1 << 62 if short else 0)
    monkeypatch.setattr(ready_call, "_LONG_NS", 1 << 62)


def function(name: str, script: str) -> Function:
    return polycl.load(EXAMPLES / f"{name}.mlir").function(name).derived(EXAMPLES / script)


def numbers(*shape: int, seed: int = 1) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def warmed(call: Callable[[], Any], called: Function) -> None:
    for _ in range(5):
        call()
    (ready,) = called._ready.values()  # pyright: ignore[reportPrivateUsage]
    assert ready[0].call.__name__ in ("new_result", "new_results", "in_place")


@pytest.mark.parametrize("size", [1, 64, 997, 1000])
def test_each_call_has_its_own_values(size: int):
    dot = function("dot", "asum.any.deriv")
    x = numbers(size)
    warmed(lambda: dot(x, x + 1, device=CPU), dot)
    for seed in range(3):
        x, y = numbers(size, seed=seed), numbers(size, seed=seed + 10)
        found = dot(x, y, device=CPU)
        assert found == pytest.approx([np.dot(x.astype(float), y.astype(float))], abs=1e-3)
        out = np.empty(1, np.float32)
        assert dot(x, y, device=CPU, out=out) is out
        assert out == found


def test_the_result_overwrites_an_argument():
    scal = function("scal", "scal.any.deriv")
    x = numbers(100)
    right = x * np.float32(-0.5) ** 6
    for _ in range(6):
        assert np.shares_memory(scal(-0.5, x, device=CPU, out=x), x)
    assert (x == right).all()
    y = numbers(100, seed=2)
    assert (scal(2.0, y, device=CPU) == 2 * y).all()
    assert (y == numbers(100, seed=2)).all()


def test_matrices_and_numbers():
    gemv = function("gemv", "gemv.any.deriv")
    a, x, y = numbers(8, 64), numbers(64), numbers(8)
    warmed(lambda: gemv(a, x, y, 1.5, 0.5, device=CPU), gemv)
    assert np.allclose(gemv(a, x, y, 2.5, -1.0, device=CPU), 2.5 * a @ x - y, atol=1e-4)


def test_numbers_of_numpy_and_integers_are_floats():
    gemv = function("gemv", "gemv.any.deriv")
    a, x, y = numbers(8, 64), numbers(64), numbers(8)
    warmed(lambda: gemv(a, x, y, np.float32(1.5), 2, device=CPU), gemv)
    found = gemv(a, x, y, np.float32(1.5), 2, device=CPU)
    assert (found == gemv(a, x, y, 1.5, 2.0, device=CPU)).all()


def test_several_results():
    runs = polycl.load(EXAMPLES / "reduce_by_key.mlir").function("reduce_by_key")
    keys, values = np.array([3, 3, 5, 9, 9, 9], np.int32), np.arange(6, dtype=np.int32)

    def check(values: np.ndarray[Any, Any], out: Any) -> None:
        found, sums, (count,) = runs(keys, values, device=CPU, out=out)
        expected = [values[:2].sum(), values[2], values[3:].sum()]
        assert (found[:3].tolist(), sums[:3].tolist(), count) == ([3, 5, 9], expected, 3)
        assert out is None or found is out

    places = np.empty(6, np.int32), np.empty(6, np.int32), np.empty(1, np.int32)
    for number in range(6):
        check(values + np.int32(number), None)
        check(values, np.empty(6, np.int32))
        for place in places:
            place.fill(-1)
        assert np.shares_memory(runs(keys, values, device=CPU, out=places)[1], places[1])
        assert (places[1][:3].tolist(), places[2]) == ([1, 2, 12], 3)
        runs(keys, values, device=CPU, out=(None, None, places[2]))
        check(values, None)
    for wrong, message in (
        (places[:2], "each of its 3 results, got a tuple of 2"),
        ((places[0], places[0], None), "the arrays in 'out' overlap"),
        ((None, places[1][:5], None), r"int32 \[6\]; got an array of int32, shape 5"),
        ((None, values, None), "it overlaps 'out'"),
    ):
        with pytest.raises(polycl.ArgumentError, match=message):
            runs(keys, values, device=CPU, out=wrong)
    (ready,) = runs._ready.values()  # pyright: ignore[reportPrivateUsage]
    assert ready[0].call.__name__ == "new_results"
    first, second = (runs(keys, values, device=CPU) for _ in range(2))
    assert not any(np.shares_memory(a, b) for a in first for b in second)
    with pytest.raises(polycl.ArgumentError):
        runs(keys, values, device=CPU, out=np.empty(5, np.int32))


def test_a_tuple_of_arrays_is_returned_as_several_results_are():
    text = """
    func.func @both(%x: !pattern.array<N, f32>) -> !pattern.array<N, tuple<f32, i32>> {
      %one = arith.constant 1 : i32
      %y = pattern.map %x as %e : f32 {
        %d = arith.addf %e, %e : f32
        pattern.yield %d, %one : f32, i32
      } : !pattern.array<N, tuple<f32, i32>>
      func.return %y : !pattern.array<N, tuple<f32, i32>>
    }
    """
    both = polycl.load(text, language="mlir").function("both")
    x = numbers(64)
    warmed(lambda: both(x, device=CPU), both)
    out = np.empty(64, np.float32), np.empty(64, np.int32)
    for given in (None, out, None):
        doubled, ones = both(x, device=CPU, out=given)
        assert (doubled == 2 * x).all()
        assert (ones == 1).all()
        assert given is not out or doubled is out[0]
    for wrong in (out[0], (out[0], None), (out[0], x), (*out, None), (out[1], out[0])):
        with pytest.raises(polycl.ArgumentError):
            both(x, device=CPU, out=wrong)


def test_arrays_that_are_only_read_may_overlap():
    dot, scal = function("dot", "asum.any.deriv"), function("scal", "scal.any.deriv")
    x = numbers(96)
    warmed(lambda: dot(x[:64], x[32:], device=CPU), dot)
    for a, b in ((x[:64], x[:64]), (x[:64], x[1:65])):
        assert dot(a, b, device=CPU) == pytest.approx([float(a @ b)], rel=1e-5)
    (ready,) = dot._ready.values()  # pyright: ignore[reportPrivateUsage]
    assert len(ready) == 1
    # The result is written.
    warmed(lambda: scal(2.0, x[:64], device=CPU), scal)
    with pytest.raises(polycl.ArgumentError, match="it overlaps 'out'"):
        scal(2.0, x[:64], device=CPU, out=x[1:65])


def test_what_is_of_another_kind_is_right_or_refused():
    """Each of these is what the native function does not take."""
    dot, scal = function("dot", "asum.any.deriv"), function("scal", "scal.any.deriv")
    x, y = numbers(64), numbers(64, seed=2)
    right = dot(x, y, device=CPU)
    warmed(lambda: dot(x, y, device=CPU), dot)
    warmed(lambda: scal(2.0, x, device=CPU), scal)
    twice = np.repeat(x, 2)
    bytes = np.zeros(64 * 4 + 1, np.uint8)
    odd = bytes[1:].view(np.float32)
    odd[:] = x

    class Own(np.ndarray[Any, Any]):
        pass

    with pytest.raises(polycl.ArgumentError, match="the array is not aligned"):
        dot(odd, y, device=CPU)
    for other in (twice[::2], x.view(Own), x.astype(np.dtype("f4").newbyteorder("="))):
        assert dot(other, y, device=CPU) == pytest.approx(right)
    assert dot(x, x, device=CPU) == pytest.approx([float(x @ x)], rel=1e-5)
    assert (scal(3, x, device=CPU) == 3 * x).all()
    assert (scal(np.float32(3), x, device=CPU) == 3 * x).all()
    assert (scal(float("inf"), np.ones_like(x), device=CPU) == np.inf).all()
    assert np.isnan(scal(float("nan"), x, device=CPU)).all()
    for wrong in (x.astype(np.float64), x[:32], x.reshape(8, 8), list(x), None):
        with pytest.raises(polycl.ArgumentError):
            dot(wrong, y, device=CPU)
    for arguments in ((x,), (x, y, x)):
        with pytest.raises(polycl.ArgumentError):
            dot(*arguments, device=CPU)
    fixed = np.zeros(1, np.float32)
    fixed.flags.writeable = False
    for out in (fixed, np.zeros(2, np.float32), np.zeros(1, np.float64), x[:1]):
        with pytest.raises((polycl.ArgumentError, ValueError)):
            dot(x, y, device=CPU, out=out)


def test_a_number_that_does_not_fit_is_what_it_is_without_native_code(
    monkeypatch: pytest.MonkeyPatch,
):
    x = numbers(64)
    found: list[Any] = []
    for native in (True, False):
        if not native:
            monkeypatch.setattr(ready_call, "native_call", lambda *_, **__: None)
        scal = function("scal", "scal.any.deriv")
        for _ in range(5):
            scal(2.0, x, device=CPU)
        for number in (3.4e38, 3.5e38, -1e300):
            try:
                found.append(scal(number, x, device=CPU).tolist())
            except polycl.PolyclError as error:
                found.append(str(error))
    assert found[:3] == found[3:]


def test_threads_share_a_call():
    dot = function("dot", "asum.any.deriv")
    x = numbers(1000)
    warmed(lambda: dot(x, x + 1, device=CPU), dot)
    wrong: list[Any] = []

    def work(seed: int) -> None:
        x, y = numbers(1000, seed=seed), numbers(1000, seed=seed + 50)
        right = dot(x, y, device=CPU)
        wrong.extend(r for _ in range(2000) if (r := dot(x, y, device=CPU)) != right)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_nothing_is_kept_when_the_function_is_gone():
    from polycl.runtime.pattern.native_call import _Table  # pyright: ignore[reportPrivateUsage]

    def tables() -> int:
        gc.collect()
        return sum(isinstance(each, _Table) for each in gc.get_objects())

    before = tables()

    def work() -> None:
        dot = function("dot", "asum.any.deriv")
        x = numbers(64)
        warmed(lambda: dot(x, x + 1, device=CPU), dot)

    work()
    assert tables() == before


def test_long_calls_leave_python_its_lock(monkeypatch: pytest.MonkeyPatch):
    """Another thread runs only if this one releases the lock: Python never takes it away."""
    monkeypatch.setattr(ready_call, "_SHORT_NS", 0)
    dot = function("dot", "asum.any.deriv")
    x, y = numbers(10_000), numbers(10_000, seed=2)
    warmed(lambda: dot(x, y, device=CPU), dot)
    begun, ran = threading.Event(), threading.Event()

    def work() -> None:
        begun.wait()
        ran.set()

    thread = threading.Thread(target=work)
    thread.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        begun.set()
        assert any(ran.is_set() for _ in range(100_000) if dot(x, y, device=CPU) is not None)
    finally:
        sys.setswitchinterval(interval)
        thread.join()


def test_several_threads_of_the_device():
    """Before its workers are started, and after that."""
    scal = function("scal", "scal.any.deriv")
    x = numbers(300_000)
    device = polycl.device("cpu", threads=2)
    for _ in range(8):
        assert (scal(2.0, x, device=device) == 2 * x).all()
    (ready,) = scal._ready.values()  # pyright: ignore[reportPrivateUsage]
    assert ready[0].call.__name__ == "new_result"


def test_very_long_calls_stay_as_they_are(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ready_call, "_SHORT_NS", 0)
    monkeypatch.setattr(ready_call, "_LONG_NS", 0)
    dot = function("dot", "asum.any.deriv")
    x = numbers(64)
    for _ in range(8):
        dot(x, x + 1, device=CPU)
    (ready,) = dot._ready.values()  # pyright: ignore[reportPrivateUsage]
    assert ready[0].call.__name__ == "call"
