"""Texts that are nearly right: an error of ours or success, and no crash, no hang.

`pytest -m slow tests/test_text_fuzz.py` tries thousands. POLYCL_FUZZ_TEXTS is the number of
texts of each language in the other tests.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import polycl
from fuzz.texts import corpus, mutated
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.device import NDRange
from polycl.backends.limits import max_ops
from polycl.backends.pipeline import run_passes
from polycl.errors import PolyclError

FEW = int(os.environ.get("POLYCL_FUZZ_TEXTS", "120"))
MANY = 3000
SECONDS = 20
"""A text that takes longer hangs."""

SETTINGS = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "print_blob": True,
    "database": None,
}


class Hang(Exception):
    """A text took too long."""


@contextmanager
def time_limit() -> Generator[None]:
    def stop(signum: int, frame: object) -> None:
        raise Hang(f"more than {SECONDS} s")

    old = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def check(text: bytes, language: str) -> str:
    """What became of `text`: "done" or the first words of the error."""
    with time_limit(), max_ops(100_000):
        try:
            options = ["-I", str(Path(__file__).parent / "kernels")] if language == "cl" else []
            module = polycl.load(text, options, language=language).module.clone()
            run_passes(module, cpu_pipeline(NDRange((64, 1, 1), (64, 1, 1)), contract=False))
        except PolyclError as error:
            return str(error)[:60]
    return "done"


@settings(max_examples=FEW, **SETTINGS)
@given(mutated("mlir"))
def test_mlir(text: bytes) -> None:
    check(text, "mlir")


@settings(max_examples=FEW, **SETTINGS)
@given(mutated("cl"))
def test_opencl_c(text: bytes) -> None:
    check(text, "cl")


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(max_examples=MANY, **SETTINGS)
@given(st.sampled_from(["mlir", "cl"]).flatmap(lambda x: st.tuples(mutated(x), st.just(x))))
def test_many(case: tuple[bytes, str]) -> None:
    check(*case)


def test_no_text_kills_the_process() -> None:
    """libclang is C++: what it cannot stand would end the process, so it gets one of its own."""
    code = (
        "import sys\n"
        "from hypothesis import HealthCheck, given, seed, settings\n"
        "from fuzz.texts import mutated\n"
        "from polycl.errors import PolyclError\n"
        "from polycl.frontends.opencl_c import import_source\n"
        "@seed(1)\n"
        "@settings(max_examples=int(sys.argv[1]), deadline=None, database=None,\n"
        "          suppress_health_check=list(HealthCheck))\n"
        "@given(mutated('cl'))\n"
        "def run(text):\n"
        "    try:\n"
        "        import_source(text, 'fuzz.cl', [])\n"
        "    except PolyclError:\n"
        "        pass\n"
        "run()\n"
        "print('alive')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(FEW)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert done.stdout.endswith("alive\n"), f"exit code {done.returncode}\n{done.stderr[-2000:]}"


def test_a_crash_of_clang_is_an_error() -> None:
    text = b"""kernel void live(global const float *x) {
  size_t g = get_global_id();
  char small = (char)(g * 3);voidulong wide = (ulong)g << 33;
  float4 four = (float4)(x"""
    with pytest.raises(PolyclError, match="error: "):
        polycl.load(text, language="cl")


DEEP = {
    "sum": ("cl", b"kernel void k(global int *x) { x[0] = " + b"1 + " * 5000 + b"x[1]; }"),
    "parentheses": (
        "cl",
        b"kernel void k() { int x = " + b"(" * 3000 + b"1" + b")" * 3000 + b"; }",
    ),
    "blocks": ("cl", b"kernel void k() {" + b"{" * 2000 + b"}" * 2000 + b"}"),
    "regions": ("mlir", b"func.func @f(%c: i1) {" + b"scf.if %c {" * 3000 + b"}" * 3001),
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting_is_an_error(name: str, tmp_path: Path) -> None:
    language, text = DEEP[name]
    file = tmp_path / f"k.{language}"
    file.write_bytes(text)
    command = [sys.executable, "-m", "polycl.tools.ocl_opt", str(file)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode in (0, 1), done.stderr
    assert done.returncode == 0 or "error: " in done.stderr
    assert "internal error" not in done.stderr
    assert "Traceback" not in done.stderr


def test_the_corpus_is_there() -> None:
    assert len(corpus("cl")) > 50
    assert len(corpus("mlir")) > 100
