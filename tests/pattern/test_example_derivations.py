"""The derivations beside the programs in examples/pattern: what they make runs, and is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.lowering.pattern.rules.derivation import Derivation, find_function
from polycl.runtime.pattern.functions import Function

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "pattern"

# Of each script, tunables for small data.
SCRIPTS: dict[str, dict[str, int]] = {
    "asum.cpu": {"chunk": 256, "streams": 2, "lanes": 16},
    "asum.gpu": {"chunk": 512, "lanes": 32},
    "dot.cpu": {"chunk": 256, "streams": 2, "lanes": 16},
    "dot.gpu": {"chunk": 512, "lanes": 32},
    "scal.cpu": {"chunk": 256, "streams": 2, "lanes": 16},
    "scal.gpu": {"local": 64},
    "gemv.cpu": {"rows": 4, "lanes": 16},
    "gemv.gpu": {"lanes": 32},
    "matmul.cpu": {"columns": 32, "rows": 4},
    "matmul.gpu": {"rows": 16, "columns": 32, "r": 4, "c": 8, "k": 8},
    "stencil2d.cpu": {},
    "stencil2d.gpu": {"rows": 4},
    "black_scholes.cpu": {"local": 64},
    "black_scholes.gpu": {"local": 64},
    "md.cpu": {"local": 16},
    "md.gpu": {"local": 16},
}


def arguments(name: str) -> list[Any]:
    rng = np.random.default_rng(1)

    def numbers(*shape: int) -> np.ndarray[Any, Any]:
        return rng.standard_normal(shape).astype(np.float32)

    match name:
        case "asum":
            return [numbers(32768)]
        case "dot":
            return [numbers(32768), numbers(32768)]
        case "scal":
            return [2.5, numbers(1024)]
        case "gemv":
            return [numbers(8, 256), numbers(256), numbers(8), 1.5, -0.5]
        case "matmul":
            return [numbers(16, 24), numbers(24, 32)]
        case "stencil2d":
            return [numbers(12, 37), numbers(9)]
        case "black_scholes":
            return [rng.uniform(20, 200, 256).astype(np.float32), 100.0, 2.0, 0.02, 0.3]
        case _:
            p = np.zeros((64, 4), np.float32)
            p[:, :3] = np.argwhere(np.ones((4, 4, 4))) + 0.1 * numbers(64, 3)
            neighbours = (np.arange(64)[:, None] + np.arange(1, 9)) % 64
            return [p, neighbours.astype(np.int32), 4.0, 1.5, 2.0]


@pytest.mark.parametrize("script", SCRIPTS)
def test_derived_program_computes_what_the_program_says(script: str):
    name = script.partition(".")[0]
    program = polycl.load(EXAMPLES / f"{name}.mlir")
    derivation = Derivation.read(EXAMPLES / f"{script}.deriv")
    derived = derivation.replay(program.module, parameters=SCRIPTS[script])
    args = arguments(name)
    expected = program.function(name)(*args)
    found = Function(find_function(derived, name))(*args, device="cpu")
    for right, got in zip(_parts(expected), _parts(found), strict=True):
        assert np.abs(got - right).max() <= 1e-5 * np.abs(right).max()


def test_each_script_is_tested():
    found = {path.stem for path in EXAMPLES.glob("*.?pu.deriv")}
    assert found == set(SCRIPTS)


def _parts(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)
