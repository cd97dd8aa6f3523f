"""Programs on arrays of any size: derivations with remainders, and repeated calls, give numpy's
results. Data are small integers, so that sums of floats are exact in any order."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polycl
from polycl.errors import ArgumentError, PolyclError
from polycl.lowering.pattern.rules.derivation import Derivation, find_function
from polycl.lowering.pattern.rules.lines import DerivationError
from polycl.runtime.pattern.functions import Function

EXAMPLES = Path(__file__).parents[2] / "examples/pattern"
SCRIPTS = {
    "asum": "asum.any",
    "dot": "asum.any",
    "scal": "scal.any",
    "gemv": "gemv.any",
    "matmul": "matmul.blocks",
}
SMALLER = {
    "asum": {"chunk": 96, "lanes": 8},
    "dot": {"chunk": 96, "lanes": 8},
    "matmul": {"columns": 4, "rows": 2, "panel": 3},
}
"""Parameters with which small sizes have all kinds of remainders."""

LENGTHS = (0, 1, 2, 3, 15, 16, 17, 95, 96, 97, 192, 211, 389)
SHAPES = ((0, 5), (1, 1), (2, 3), (7, 16), (8, 17), (9, 37), (16, 32))
PRODUCTS = ((1, 1, 1), (2, 3, 5), (8, 4, 16), (9, 7, 17), (13, 31, 33), (0, 2, 3))


def program(name: str) -> Function:
    return polycl.load(EXAMPLES / f"{name}.mlir").function(name)


def derived(name: str) -> Function:
    script = EXAMPLES / f"{SCRIPTS[name]}.deriv"
    return program(name).derived(script, **SMALLER.get(name, {}))


def integers(*shape: int, seed: int = 1) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.random.default_rng(seed).integers(-8, 8, shape).astype(np.float32)


def arguments(name: str, sizes: tuple[int, ...]) -> tuple[Any, ...]:
    match name:
        case "asum":
            return (integers(*sizes),)
        case "dot":
            return integers(*sizes), integers(*sizes, seed=2)
        case "scal":
            return 3.0, integers(*sizes)
        case "gemv":
            m, k = sizes
            return integers(m, k), integers(k, seed=2), integers(m, seed=3), 2.0, -1.0
        case _:
            m, k, n = sizes
            return integers(m, k), integers(k, n, seed=2)


def expected(name: str, args: tuple[Any, ...]) -> Any:
    match name:
        case "asum":
            return [np.abs(args[0]).sum()]
        case "dot":
            return [args[0] @ args[1]]
        case "scal":
            return args[0] * args[1]
        case "gemv":
            return args[3] * (args[0] @ args[1]) + args[4] * args[2]
        case _:
            return args[0] @ args[1]


CASES = [
    *((name, (n,)) for name in ("asum", "dot", "scal") for n in LENGTHS),
    *(("gemv", shape) for shape in SHAPES),
    *(("matmul", shape) for shape in PRODUCTS),
]


@pytest.mark.parametrize(("name", "sizes"), CASES)
def test_a_derivation_for_any_size_on_cpu_and_interp(name: str, sizes: tuple[int, ...]):
    args = arguments(name, sizes)
    function = derived(name)
    for device in ("cpu", "interp"):
        result = function(*args, device=device)
        assert result.dtype == np.float32
        np.testing.assert_array_equal(result, expected(name, args))


@pytest.mark.parametrize("name", ["asum", "matmul"])
def test_the_kernels_of_a_derivation_for_any_size_are_checked(name: str):
    args = arguments(name, (211,) if name == "asum" else (9, 7, 17))
    function = derived(name)
    device = polycl.device("interp", check=True)
    (result,) = function.lowered(function.sizes(*args)).run(args, device)
    np.testing.assert_array_equal(result, expected(name, args))


@pytest.mark.slow
@pytest.mark.parametrize("n", [65_537, 1_000_003, 10_000_019])
@pytest.mark.parametrize("name", ["asum", "dot", "scal"])
def test_large_primes(name: str, n: int):
    args = arguments(name, (n,))
    function = program(name).derived(EXAMPLES / f"{SCRIPTS[name]}.deriv")
    # Sums of absolute values beyond 2^24 are rounded.
    right = np.array(expected(name, tuple(np.float64(a) for a in args)))
    np.testing.assert_allclose(function(*args, device="cpu"), right, rtol=1e-6, atol=50)


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_calls_that_follow_a_call(data: st.DataObject):
    """Whatever comes after a call: other data, offsets, layouts, memory of the result, sizes."""
    name = data.draw(st.sampled_from(["dot", "scal", "gemv"]))
    function = FUNCTIONS[name]
    for seed in range(data.draw(st.integers(1, 4))):
        n = data.draw(st.sampled_from([5, 16]))
        args = tuple(
            place(arg + seed if isinstance(arg, np.ndarray) else arg, data)
            for arg in arguments(name, (3, n) if name == "gemv" else (n,))
        )
        right = np.array(expected(name, args))
        out = None
        if data.draw(st.booleans()):
            out = place(np.zeros(right.shape, np.float32), data, whole=True)
        elif name == "scal" and args[1].flags.c_contiguous and data.draw(st.booleans()):
            out = args[1]
        result = function(*args, device="cpu", out=out)
        np.testing.assert_array_equal(result, right)
        if out is not None:
            np.testing.assert_array_equal(out, right)


FUNCTIONS = {name: program(name) for name in ("dot", "scal", "gemv")}


def place(arg: Any, data: st.DataObject, whole: bool = False) -> Any:
    """The same numbers at another place in memory, maybe with gaps."""
    if not isinstance(arg, np.ndarray):
        return arg
    start = data.draw(st.integers(0, 3))
    memory = np.zeros(arg.size + start, np.float32)
    moved = memory[start:].reshape(arg.shape)
    if not whole and data.draw(st.booleans()):
        moved = np.zeros((*arg.shape, 2), np.float32)[..., 0]
    moved[...] = arg
    return moved


def test_the_same_array_twice():
    x = integers(64)
    for _ in range(3):
        np.testing.assert_array_equal(FUNCTIONS["dot"](x, x, device="cpu"), [x @ x])


def test_a_repeated_call_checks_its_arguments():
    scal, x = program("scal"), integers(16)
    for _ in range(3):
        scal(2.0, x, device="cpu")
    with pytest.raises(ArgumentError, match="expected an array of float32"):
        scal(2.0, x.astype(np.float64), device="cpu")
    with pytest.raises(ArgumentError, match="expected a number"):
        scal("2", x, device="cpu")
    with pytest.raises(ArgumentError, match="takes 2 arguments"):
        scal(2.0, device="cpu")
    with pytest.raises(ArgumentError, match="as 'out'"):
        scal(2.0, x, device="cpu", out=np.zeros(15, np.float32))


def test_results_of_repeated_calls_are_different_arrays():
    scal, x = program("scal"), integers(16)
    first, second, third = (scal(a, x, device="cpu") for a in (1.0, 2.0, 3.0))
    for result, a in ((first, 1), (second, 2), (third, 3)):
        np.testing.assert_array_equal(result, a * x)


def test_an_out_that_overlaps_an_argument_is_refused():
    scal, memory = program("scal"), integers(20)
    before = memory.copy()
    for _ in range(2):
        scal(2.0, memory[:16], device="cpu")
        with pytest.raises(ArgumentError, match="it overlaps 'out'"):
            scal(2.0, memory[:16], device="cpu", out=memory[4:])
    np.testing.assert_array_equal(memory, before)


def test_an_out_of_which_the_program_reads_other_elements_is_refused():
    text = """
func.func @f(%x: !pattern.array<N, f32>) -> !pattern.array<N, f32> {
  %p = pattern.pad %x left 1 right 0 clamp : !pattern.array<N + 1, f32>
  %w = pattern.slide %p size 2 step 1 : !pattern.array<N, 2, f32>
  %zero = arith.constant 0.0 : f32
  %s = pattern.map %w as %row: !pattern.array<2, f32> {
    %r = pattern.reduce %row init %zero as %a: f32, %b: f32 {
      %t = arith.addf %a, %b : f32
      pattern.yield %t : f32
    } : !pattern.array<1, f32>
    pattern.yield %r : !pattern.array<1, f32>
  } : !pattern.array<N, 1, f32>
  %j = pattern.join %s : !pattern.array<N, f32>
  func.return %j : !pattern.array<N, f32>
}"""
    f, x = polycl.load(text, language="mlir").function("f"), integers(16)
    with pytest.raises(PolyclError, match="only the element that it computes"):
        f(x, device="cpu", out=x)


def test_bind():
    scal, x, out = program("scal"), integers(16), np.zeros(16, np.float32)
    bound = scal.bind(3.0, x, out=out)
    x += 1
    assert bound.launch() is bound.result
    np.testing.assert_array_equal(out, 3 * x)
    on_interp = scal.bind(2.0, x, device="interp")
    x += 1
    np.testing.assert_array_equal(on_interp.launch(), 2 * x)


def test_calls_from_several_threads():
    dot = program("dot").derived(EXAMPLES / "asum.any.deriv", chunk=1024)
    wrong: list[int] = []

    def work(seed: int) -> None:
        x, y = integers(5000, seed=seed), integers(5000, seed=seed + 100)
        for _ in range(200):
            if dot(x, y, device="cpu")[0] != x @ y:
                wrong.append(seed)

    dot(integers(5000), integers(5000, seed=2), device="cpu")
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_tunables_by_size():
    script = "tune n = 2\ntune n = 4 where N >= 8\ntune n = 8 where N >= 64\n3c n=?n @map"
    derivation, module = Derivation.parse(script), polycl.load(EXAMPLES / "scal.mlir").module
    for size, n in ((6, 2), (8, 4), (60, 4), (64, 8)):
        function = find_function(derivation.replay(module, sizes={"N": size}), None)
        assert f"by {n} :" in str(function)
    with pytest.raises(DerivationError, match="3c does not apply"):
        derivation.replay(module, sizes={"N": 7})


def test_tunables_and_steps_by_several_sizes():
    script = "tune n = 2\ntune n = 4 where M >= 8 and N < 3\n3c n=?n where M >= 4 and N < 100"
    text = """func.func @f(%x: !pattern.array<M, N, f32>) -> !pattern.array<M, N, f32> {
      %y = pattern.map %x as %e: !pattern.array<N, f32> {
        pattern.yield %e : !pattern.array<N, f32>
      } : !pattern.array<M, N, f32>
      func.return %y : !pattern.array<M, N, f32>
    }"""
    derivation, module = Derivation.parse(script), polycl.load(text).module
    chunks = {(8, 2): 4, (8, 3): 2, (4, 2): 2, (2, 2): 0, (8, 100): 0}
    for (m, n), chunk in chunks.items():
        function = find_function(derivation.replay(module, sizes={"M": m, "N": n}), None)
        assert ("pattern.split" in str(function)) == bool(chunk)
        assert chunk == 0 or f"by {chunk} :" in str(function)
    # Of an unknown size no condition holds.
    assert "pattern.split" not in str(find_function(derivation.replay(module), None))


def test_tunables_by_the_lanes_of_a_device():
    script = "tune n = 2\ntune n = 4 where N >= 8 and lanes >= 4\n3c n=?n @map\n4a.global @map"
    derivation = Derivation.parse(script)
    assert derivation.for_lanes({"N": 8}, 3) == derivation.for_lanes({"N": 7}, 4) == {}
    assert derivation.for_lanes({"N": 8}, 4) == {"n": 4}
    # Every CPU has vectors of four; by two 10 could be divided, by four it cannot.
    scal = program("scal").derived(derivation)
    args = arguments("scal", (10,))
    with pytest.raises(DerivationError, match="3c does not apply"):
        scal(*args, device="cpu")
    for size in (6, 12):
        args = arguments("scal", (size,))
        np.testing.assert_array_equal(scal(*args, device="cpu"), expected("scal", args))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("tune n = 4 where N >= 8", "expected the default first: 'tune n = 4'"),
        ("tune n = 2\ntune n = 4 8 where N >= 8", "expected one value"),
        ("tune n = 2\ntune n = 4 where N = 8", "expected '>=' or '<', got '= 8'"),
        ("tune n = 2\ntune n = 4 where N >= 8 and", "expected a size variable, as in"),
        ("3c n=2 @map where M >= x", "expected a number, got 'x'"),
        ("3c n=2 @map where lanes >= 16", "a step depends on sizes only"),
        ("tune n = 2\ntune n = 4 where N >= 8\ntune n = 2", "values for some sizes before"),
        ("tune n = align 64 where N >= 8", "expected the default first: 'tune n = 0'"),
        ("tune n = 0\ntune n = align 48 where N >= 8", "expected one power of two"),
        ("tune n = 0\ntune n = align 64", "expected sizes for which it holds: "),
    ],
)
def test_malformed_tunables(line: str, message: str):
    with pytest.raises(DerivationError, match=message):
        Derivation.parse(line)


def test_a_tunable_is_the_number_of_elements_before_an_aligned_one():
    """Each address modulo the alignment has a program of its own, by all ways to call it."""
    script = "tune n = 0\ntune n = align 32 where N >= 16\ntry x.reduce-head n=?n @"
    function = polycl.load(EXAMPLES / "dot.mlir").function("dot")
    dot = function.derived(Derivation.parse(script))
    memory, y = integers(200), integers(100, seed=2)
    first = -memory.ctypes.data % 32 // 4
    derivation = Derivation.parse(script)
    for offset in (*range(8), *range(8)):
        x = memory[first + offset :][:100]
        heads = derivation.heads({"N": 100}, x.ctypes.data, 4)
        assert heads == ({"n": 8 - offset} if offset else {})
        for _ in range(6):
            assert dot(x, y, device="cpu") == x @ y
        assert dot.bind(x, y).launch() == x @ y
    assert dot(memory[1:11], y[:10], device="cpu") == memory[1:11] @ y[:10]
    # No element is at an aligned address.
    assert derivation.heads({"N": 100}, 2, 4) == {}


def test_work_items_before_the_first_one_do_nothing():
    script = "tune n = 0\ntune n = align 64 where N >= 16\n4a.global @map\n"
    function = polycl.load(EXAMPLES / "scal.mlir").function("scal")
    memory = integers(300)
    for step in ("n=(16-?n)%16", "n=37"):
        scal = function.derived(Derivation.parse(f"{script}x.first-item {step} @map_global"))
        for offset in (0, 1, 6, 15):
            x = memory[offset:][:277].copy() if offset else memory[:16]
            assert np.array_equal(scal(3.0, x, device="cpu"), 3 * x)
            place = memory[offset:][: x.size]
            expected = np.concatenate([memory[:offset], -place, memory[offset + x.size :]])
            scal(-1.0, place, device="cpu", out=place)
            assert np.array_equal(memory, expected)


def test_remainders_need_numbers():
    module = polycl.load(EXAMPLES / "scal.mlir").module
    with pytest.raises(DerivationError, match="expected numbers before and after '%', got N and 4"):
        Derivation.parse("3c n=N%4 @map").replay(module)


def test_a_size_that_a_script_does_not_allow():
    module = polycl.load(EXAMPLES / "scal.mlir").module
    with pytest.raises(DerivationError, match="the size N is 10, expected N divisible_by 4"):
        Derivation.parse("size N divisible_by 4").replay(module, sizes={"N": 10})


def test_a_size_as_a_product_is_divided_where_it_is_a_number():
    module = polycl.load(EXAMPLES / "scal.mlir").module
    script = "tune n = 8\nsize N = ?n*M\n3c n=M @map"
    low = Derivation.parse(script).replay(module, sizes={"N": 96})
    assert "by 12 :" in str(low)
    assert str(Derivation.parse("size N = 96").replay(module, sizes={"N": 96}))
    for line in ("size N = 7*M", "size N = 64", "size N = M*K"):
        with pytest.raises(DerivationError, match="the size N is 96, expected N = "):
            Derivation.parse(line).replay(module, sizes={"N": 96})
