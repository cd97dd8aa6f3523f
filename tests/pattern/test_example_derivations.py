"""The derivations beside the programs in examples/pattern: what they make runs, and is right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.rewriter import Rewriter

import polycl
from polycl.errors import PolyclError
from polycl.lowering.pattern.pattern_set_sizes import set_sizes
from polycl.lowering.pattern.rules.derivation import Derivation, find_function
from polycl.runtime.pattern.functions import Function
from polycl.runtime.pattern.pattern_program import LoweredFunction

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
    "matmul.any": (
        any_size := {
            "rows": 16,
            "columns": 32,
            "r": 4,
            "c": 8,
            "k": 7,
            "more_rows": 11,
            "more_columns": 27,
        }
    ),
    "matmul.parts": {**any_size, "parts": 2, "part": 7},
    "matmul_batch.gpu": {"rows": 8, "columns": 16, "r": 4, "c": 4, "k": 8},
    "matmul_half.gpu": {"rows": 32, "columns": 32, "r": 16, "c": 16, "k": 32},
    "matmul_half.wgmma": {"rows": 64, "columns": 64, "ahead": 1},
    "layernorm.cpu": {"lanes": 4},
    "softmax.cpu": {"lanes": 8},
    "stencil2d.cpu": {},
    "stencil2d.gpu": {"rows": 4},
    "black_scholes.cpu": {"local": 64},
    "black_scholes.gpu": {"local": 64},
    "md.cpu": {"local": 16},
    "md.gpu": {"local": 16},
}


# Scripts for sizes that are numbers.
NUMBERS = ("matmul.any", "matmul.parts", "matmul_batch.gpu")


def arguments(script: str) -> list[Any]:
    rng = np.random.default_rng(1)

    def numbers(*shape: int) -> np.ndarray[Any, Any]:
        return rng.standard_normal(shape).astype(np.float32)

    match script.partition(".")[0]:
        case "matmul" if script in ("matmul.any", "matmul.parts"):
            return [numbers(21, 14), numbers(14, 37)]
        case "matmul_batch":
            return [numbers(3, 16, 24), numbers(3, 24, 32)]
        case "matmul_half" if script == "matmul_half.wgmma":
            return [numbers(64, 192).astype(np.float16), numbers(192, 64).astype(np.float16)]
        case "matmul_half":
            return [numbers(64, 64).astype(np.float16), numbers(64, 32).astype(np.float16)]
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
        case "layernorm":
            return [numbers(6, 28), 1 / 28, 1e-5]
        case "softmax":
            return [numbers(6, 32)]
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
    args = arguments(script)
    module = program.module.clone()
    if script in NUMBERS:
        set_sizes(find_function(module, name), program.function(name).sizes(*args))
    derivation = Derivation.read(EXAMPLES / f"{script}.deriv")
    derived = Function(find_function(derivation.replay(module, parameters=SCRIPTS[script]), name))
    expected = program.function(name)(*args)
    for found in (derived(*args), derived(*args, device="cpu")):
        for right, got in zip(_parts(expected), _parts(found), strict=True):
            assert np.abs(got - right).max() <= 1e-5 * np.abs(right).max()


@pytest.mark.parametrize(
    "script",
    [
        "matmul.any",
        "matmul.gpu",
        pytest.param("matmul_half.gpu", marks=pytest.mark.slow),
        pytest.param("matmul_half.wgmma", marks=pytest.mark.slow),
    ],
)
def test_kernels_with_tiles_in_local_memory_have_no_race(script: str):
    """The interpreter finds races, and each element of the result is written."""
    name = script.partition(".")[0]
    program, args = polycl.load(EXAMPLES / f"{name}.mlir"), arguments(script)
    sizes, module = program.function(name).sizes(*args), program.module.clone()
    set_sizes(find_function(module, name), sizes)
    text = (EXAMPLES / f"{script}.deriv").read_text()
    derivation = Derivation.parse(re.sub(r"(?m)^size .*", "", text))
    derived = find_function(derivation.replay(module, parameters=SCRIPTS[script]), name)
    lowered = LoweredFunction(derived, {}, aligned=True)
    (found,) = lowered.run(args, polycl.device("interp", check=True))
    right = args[0].astype(np.float64) @ args[1].astype(np.float64)
    assert np.abs(found - right).max() <= 1e-5 * np.abs(right).max()
    (kernel,) = lowered.program.module.ops
    barriers = [op for op in kernel.walk() if op.name == "ocl.barrier"]
    assert len(barriers) == 1


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_gpu_computes_what_the_program_says(script: str):
    """With asynchronous copies and tensor cores, where there is a GPU."""
    try:
        gpu = polycl.device("cuda")
    except polycl.ArgumentError as error:
        pytest.skip(str(error))
    name, args = script.partition(".")[0], arguments(script)
    program = polycl.load(EXAMPLES / f"{name}.mlir")
    module = program.module.clone()
    if script in NUMBERS:
        set_sizes(find_function(module, name), program.function(name).sizes(*args))
    derivation = Derivation.read(EXAMPLES / f"{script}.deriv")
    derived = derivation.replay(module, parameters=SCRIPTS[script])
    expected = program.function(name)(*args)
    found = Function(find_function(derived, name))(*args, device=gpu)
    for right, got in zip(_parts(expected), _parts(found), strict=True):
        assert np.abs(got - right).max() <= 1e-5 * np.abs(right).max()


def test_without_its_barrier_the_product_has_a_race():
    program, args = polycl.load(EXAMPLES / "matmul.mlir"), arguments("matmul.gpu")
    derivation = Derivation.read(EXAMPLES / "matmul.gpu.deriv")
    derived = derivation.replay(program.module, parameters=SCRIPTS["matmul.gpu"])
    sizes = program.function("matmul").sizes(*args)
    lowered = LoweredFunction(find_function(derived, "matmul"), sizes, aligned=True)
    for op in list(lowered.program.module.walk()):
        if op.name == "ocl.barrier":
            Rewriter.erase_op(op)
    with pytest.raises(PolyclError, match="race"):
        lowered.run(args, polycl.device("interp", check=True))


def test_each_script_is_tested():
    found = {path.stem for path in EXAMPLES.glob("*.?pu.deriv")} | {
        "matmul.any",
        "matmul.parts",
        "matmul_half.wgmma",
    }
    assert found == set(SCRIPTS)


def _parts(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)
