"""Random kernels keep their bits when work-items are merged, with and without vectors."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import ocl
from polycl.lowering.host.coarsening.coarse_kernel import Emit, Merge, coarsen
from polycl.lowering.host.coarsening.packing import Packing
from polycl.lowering.host.ocl_holistic_vectorize.packed_emitter import VectorEmitter
from polycl.runtime.program import Program

ITEMS = 24
PREPARE = "lift-cf-to-scf,inline-functions,promote-private-memory,simplify-loops,remove-dead-values"


def random_kernel(seed: int) -> str:
    """Statements on an integer and a float of each work-item: sums, loops with equal and with
    different trip counts, guards, branches on data, loads of neighbours and of the same place."""
    rng = np.random.default_rng(seed)

    def number() -> str:
        return str(rng.choice(["i", "k", "n", "3", "(i & 7)", "a[(k & 15) + 32]", "a[i]"]))

    def value() -> str:
        return str(rng.choice(["x", "2.5f", "b[i]", "b[n]", "b[i + 1]", "(float)k", "b[k & 31]"]))

    def statement(depth: int) -> str:
        kind = rng.integers(0, 9 if depth < 2 else 5)
        inner = (
            " ".join(statement(depth + 1) for _ in range(rng.integers(1, 3))) if kind > 4 else ""
        )
        name = f"t{depth}"
        return [
            f"x = x {rng.choice(['+', '*', '-'])} {value()};",
            f"k = k {rng.choice(['+', '^', '*'])} {number()};",
            f"x = fmax(x, {value()}) * 0.5f;",
            "x += sqrt(fabs(x));",
            f"k = (k >> 1) + {number()};",
            f"if ({rng.choice(['i < n', 'i > 3 && i < n', '!(i >= n || n < 2)'])}) {{ {inner} }}",
            f"if ({rng.choice(['k & 1', 'x > 1.0f', 'k > n'])}) {{ {inner} }}",
            f"for (int {name} = 0; {name} < {rng.choice(['3', 'n', '(i & 3)'])}; {name}++) "
            f"{{ {inner} }}",
            f"if (x < {value()}) x = {value()}; else k += 2;",
        ][kind]

    body = "\n  ".join(statement(0) for _ in range(5))
    return f"""
kernel void f(global const int *a, global const float *b, global float *out, global int *other,
              int n) {{
  int i = get_global_id(0), k = a[i];
  float x = b[i];
  {body}
  out[i] = x;
  other[i] = k;
}}"""


def vectors(factor: int) -> Emit:
    return lambda kernel, dependence, block, _: VectorEmitter(
        dependence, block, Packing(kernel, dependence, factor)
    )


@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(n, marks=pytest.mark.slow) for n in range(8, 120))]
)
def test_random_kernels(seed: int):
    program = polycl.load(random_kernel(seed))
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 99, 64, np.int32)
    b = rng.random(64, np.float32)

    def run(kernel: polycl.Kernel, items: int, *more: int) -> tuple[bytes, bytes]:
        out, other = np.zeros(64, np.float32), np.zeros(64, np.int32)
        kernel(a, b, out, other, 5, *more, global_size=items, device=InterpDevice())
        return out.tobytes(), other.tobytes()

    expected = run(program.kernel("f"), ITEMS)
    for factor, emit in ((3, None), (5, None), (4, vectors(4)), (16, vectors(16))):
        module = program.module.clone()
        run_pipeline(module, PREPARE)
        kernel = next(op for op in module.ops if isinstance(op, ocl.KernelOp))
        divides = ITEMS % factor == 0
        coarsen(kernel, Merge(0, factor, None if divides else "argument", False), emit)
        module.verify()
        run_pipeline(module, "cse,canonicalize")
        more = () if divides else (ITEMS,)
        found = run(Program(module).kernel("f"), -(-ITEMS // factor), *more)
        assert found == expected, f"{factor} {'vectors' if emit else ''}\n{random_kernel(seed)}"
