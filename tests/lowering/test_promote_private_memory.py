"""Variables that leave memory keep their values."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import polycl
from launches import Launch, all_launches, sampled
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import ocl
from polycl.frontends.opencl_c import import_source

FEW = int(os.environ.get("POLYCL_FUZZ_EXAMPLES", "24"))
PROMOTE = "lift-cf-to-scf,inline-functions,promote-private-memory"
SETTINGS = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}
LAUNCHES = all_launches(Path(__file__).resolve().parent.parent / "kernels")


def allocas_after(text: str, pipeline: str = PROMOTE) -> int:
    module = import_source(text.encode(), "k.cl")
    run_pipeline(module, pipeline)
    return sum(isinstance(op, ocl.AllocaOp) for op in module.walk())


def test_pointers_to_inlined_functions_leave_no_memory() -> None:
    text = """
    void add(int *sum, int v) { if (v > 0) *sum += v; }
    kernel void k(global int *x, int n) {
      int sum = 0;
      for (int i = 0; i < n; i++) add(&sum, x[i]);
      x[0] = sum;
    }
    """
    assert allocas_after(text, "inline-functions") == 1
    assert allocas_after(text) == 0


@pytest.mark.parametrize("launch", sampled(LAUNCHES, 8, 1))
def test_kernels_compute_the_same(launch: Launch) -> None:
    program = launch.load()
    module = program.module.clone()
    run_pipeline(module, "lift-cf-to-scf,inline-functions")
    if not any(isinstance(op, ocl.AllocaOp) for op in module.walk()):
        return
    results: list[dict[str, object]] = []
    for pipeline in (None, PROMOTE):
        values = launch.values()
        program.kernel(launch.kernel)(
            **values,
            global_size=launch.global_size,
            local_size=launch.local_size,
            global_offset=launch.global_offset,
            device=polycl.device("interp"),
            pipeline=pipeline,
        )
        results.append(values)
    for name, value in results[0].items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(results[1][name], value, name)


class _Writer:
    """A kernel whose variables are in memory: their addresses go to functions."""

    def __init__(self, draw: st.DrawFn):
        self._draw = draw
        self._budget = 10
        self._loops = 0

    def _pick(self, *choices: str) -> str:
        return self._draw(st.sampled_from(choices))

    def value(self) -> str:
        return self._pick("a", "b", "c", "i", "3", "b ^ c", "c * 5 + i", "n - a", "v.y")

    def statements(self, depth: int) -> str:
        return "".join(self.statement(depth) for _ in range(self._draw(st.integers(1, 3))))

    def statement(self, depth: int) -> str:
        self._budget -= 1
        kinds = ["set", "add", "swap", "turn", "element"]
        if depth < 3 and self._budget > 0:
            kinds += ["if", "for", "while", "do"]
        name, value = self._pick("a", "b", "c"), self.value()
        match self._pick(*kinds):
            case "set":
                return f"{name} = {value};\n"
            case "add":
                return f"add(&{name}, {value});\n"
            case "turn":
                return f"turn(&v, {value});\n"
            case "element":
                return f"v.{self._pick('x', 'y')} = {value};\n"
            case "swap":
                return f"swap(&{name}, &{self._pick('a', 'b', 'c')});\n"
            case "if":
                tail = f"else {{\n{self.statements(depth + 1)}}}\n" if self._budget % 2 else ""
                return f"if ({value} & 1) {{\n{self.statements(depth + 1)}}}\n{tail}"
        self._loops += 1
        counter, body = f"t{self._loops}", self.statements(depth + 1)
        leave = f"if ({self.value()} & 4) {self._pick('break', 'continue')};\n"
        body += leave if self._draw(st.booleans()) else ""
        match self._pick("for", "while", "do"):
            case "for":
                return f"for (int {counter} = 0; {counter} < 3; {counter}++) {{\n{body}}}\n"
            case "while":
                return f"int {counter} = {value} & 3;\nwhile ({counter}-- > 0) {{\n{body}}}\n"
            case _:
                return f"int {counter} = 2;\ndo {{\n{body}}} while (--{counter} > 0);\n"


@st.composite
def memory_kernels(draw: st.DrawFn) -> str:
    body = _Writer(draw).statements(0)
    return (
        "void add(int *p, int v) { *p += v; }\n"
        "void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }\n"
        "void turn(int2 *p, int v) { int t = (*p).x; (*p).x = (*p).y - v; (*p).y = t; *p ^= 1; }\n"
        "kernel void k(global int *x, int n) {\n"
        "int i = get_global_id(0), a = i, b = n, c = 1;\n"
        "int2 v = (int2)(i, n);\n"
        f"{body}"
        "add(&a, 0); add(&b, 0); add(&c, 0); turn(&v, 2);\n"
        "x[i] = a + 31 * b + 1009 * c + 17 * v.x + 29 * v.y;\n}\n"
    )


@settings(max_examples=FEW, **SETTINGS)
@given(memory_kernels(), st.integers(-5, 5))
def test_random_kernels(text: str, n: int) -> None:
    results: list[np.ndarray] = []
    for pipeline in (None, PROMOTE):
        x = np.zeros(16, np.int32)
        device = polycl.device("interp")
        polycl.load(text).kernel("k")(x, n, global_size=16, device=device, pipeline=pipeline)
        results.append(x)
    np.testing.assert_array_equal(results[1], results[0], text)
    assert allocas_after(text) == 0
