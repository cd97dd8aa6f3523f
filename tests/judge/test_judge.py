"""The judge itself: it must neither let a broken kernel pass nor fall with it."""

from __future__ import annotations

import numpy as np
import pytest

from judge.runtime import Judge, JudgeError, JudgeMissing, find_library


@pytest.fixture
def real(judge: Judge | None) -> Judge:
    if judge is None:
        pytest.skip("--no-judge")
    return judge


def test_the_arrays_of_the_caller_stay_as_they_are(real: Judge):
    x = np.ones(4, np.float32)
    source = b"kernel void twice(global float *x) { x[get_global_id(0)] *= 2.0f; }"
    verdict = real.run(source, "twice", [x], global_size=(4,))
    assert verdict.arrays[0].tolist() == [2, 2, 2, 2]
    assert x.tolist() == [1, 1, 1, 1]


def test_nothing_is_contracted(real: Judge):
    # In one rounding, a*a - b is the error of the rounded product; in two it is 0.
    a = np.float32(1 + 2**-12)
    out = np.ones(1, np.float32)
    source = b"kernel void f(global float *out, float a, float b) { out[0] = a * a - b; }"
    assert real.run(source, "f", [out, a, a * a], global_size=(1,)).arrays[0][0] == 0


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"kernel void f(global int *x) { y = 1; }", "undeclared identifier 'y'"),
        (b"kernel void g(global int *x) {}", "INVALID_KERNEL_NAME"),
        (b"kernel void f() {}", "f takes 0 arguments, not 1"),
        (b"kernel void f(global int *x) { x[4] = 1; }", "wrote behind the end of argument 0"),
    ],
)
def test_failures_say_what_is_wrong(real: Judge, source: bytes, message: str):
    with pytest.raises(JudgeError, match=message):
        real.run(source, "f", [np.zeros(4, np.int32)], global_size=(1,))


def test_a_crash_is_reported_and_the_next_launch_works(real: Judge):
    with Judge() as judge:
        x = np.zeros(1, np.int32)
        crash = b"kernel void f(global int *x) { *(volatile global int *)8 = *x; }"
        with pytest.raises(JudgeError, match="ended with status -"):
            judge.run(crash, "f", [x], global_size=(1,))
        fine = b"kernel void f(global int *x) { *x = 7; }"
        assert judge.run(fine, "f", [x], global_size=(1,)).arrays[0][0] == 7


def test_a_missing_runtime_says_how_to_get_it():
    with pytest.raises(JudgeMissing, match=r"pip install 'polycl\[test\]'.*--no-judge"):
        find_library("no-such-opencl-runtime", "libintelocl.so")
