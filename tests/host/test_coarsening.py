"""Coarsened kernels leave the bits that the kernel as it was leaves: every test kernel, along each
dimension, by factors that divide the sizes and by some that do not; and random kernels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import polycl
from launches import Launch, launches_of, sampled
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import ocl
from polycl.errors import PolyclError
from polycl.lowering.host.coarsening.coarse_dependence import sees_groups
from polycl.lowering.host.coarsening.coarse_kernel import CannotMerge, Emit, Merge, coarsen
from polycl.lowering.host.coarsening.coarse_launches import Configuration
from polycl.lowering.host.coarsening.packing import Packing
from polycl.lowering.host.ocl_holistic_vectorize.packed_emitter import VectorEmitter
from polycl.runtime.compare import compare
from polycl.runtime.index_space import make_ndrange
from polycl.runtime.program import Program

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted((ROOT / "tests" / "kernels").glob("*.cl"))
PREPARE = (
    "lift-cf-to-scf,inline-functions,promote-private-memory,promote-loop-memory,"
    "simplify-loops,remove-dead-values"
)
ORDER_SHOWS = {"atomics", "atomics_c11", "atomics_wide", "compaction", "printing"}
"""Kernels whose results depend on the order of work-items, as OpenCL leaves it open."""


def run(module: ModuleOp, launch: Launch, sizes: Any, more: dict[str, Any]) -> dict[str, Any]:
    arguments = launch.values()
    Program(module).kernel(launch.kernel)(
        **arguments,
        **more,
        global_size=sizes[0],
        local_size=sizes[1],
        global_offset=launch.global_offset,
        device=InterpDevice(),
    )
    return arguments


def kernel_of(module: ModuleOp, launch: Launch) -> ocl.KernelOp:
    kernels = [k for k in module.ops if isinstance(k, ocl.KernelOp)]
    return next(k for k in kernels if k.sym_name.data == launch.kernel)


def coarsened(
    module: ModuleOp, launch: Launch, dimension: int, factor: int, emit: Emit | None = None
) -> tuple[ModuleOp, Any, dict[str, int]] | str:
    """A module whose kernel is coarsened, its sizes and further arguments; or why not."""
    module = module.clone()
    kernel = kernel_of(module, launch)
    ndrange = make_ndrange(
        launch.kernel,
        launch.global_size,
        launch.local_size,
        launch.global_offset,
        required=kernel.required_size,
        hint=None,
        needs_local_size="",
    )
    whole, local = list(ndrange.global_size), list(ndrange.local_size)
    if dimension >= len(launch.global_size):
        return "no such dimension"
    more: dict[str, int] = {}
    size: int | str | None = None
    if sees_groups(kernel, dimension):
        if local[dimension] % factor:
            size = local[dimension]
        groups = whole[dimension] // local[dimension]
        local[dimension] = -(-local[dimension] // factor)
        whole[dimension] = groups * local[dimension]
    else:
        if whole[dimension] % factor:
            size = "argument"
            more[f"global_size_{'xyz'[dimension]}"] = whole[dimension]
        whole[dimension] = -(-whole[dimension] // factor)
        local[dimension] = 1
    if kernel.required_size is not None:
        local = [
            -(-n // (factor if d == dimension else 1)) for d, n in enumerate(kernel.required_size)
        ]
        if any(w % n for w, n in zip(whole, local, strict=True)):
            return "another size is required"
    offset = launch.global_offset is not None
    try:
        coarsen(kernel, Merge(dimension, factor, size, offset), emit)
    except CannotMerge as reason:
        return str(reason)
    module.verify()
    rank = len(launch.global_size)
    return module, (tuple(whole[:rank]), tuple(local[:rank])), more


def check(path: Path, factors: tuple[int, ...], launches: int, vectors: bool = False) -> set[str]:
    outcomes: set[str] = set()
    for launch in launches_of(path)[:launches]:
        module = polycl.load(path, launch.build_options).module.clone()
        run_pipeline(module, PREPARE)
        expected = run(module, launch, (launch.global_size, launch.local_size), {})
        for dimension in range(len(launch.global_size)):
            for factor in factors:
                emit = vector_emitter(factor) if vectors else None
                made = coarsened(module, launch, dimension, factor, emit)
                if isinstance(made, str):
                    outcomes.add(made)
                    continue
                outcomes.add("coarsened")
                if path.stem in ORDER_SHOWS:
                    continue
                after = run(made[0], launch, made[1], made[2])
                for name, value in expected.items():
                    if isinstance(value, np.ndarray):
                        difference = compare(value, after[name])
                        assert difference is None, (
                            f"{launch} {dimension} by {factor}: {name} {difference}"
                        )
    return outcomes


def vector_emitter(factor: int) -> Emit:
    return lambda kernel, dependence, block, _: VectorEmitter(
        dependence, block, Packing(kernel, dependence, factor)
    )


@pytest.mark.parametrize("path", sampled(FILES, 6, 0))
def test_kernels(path: Path):
    check(path, (2, 3), 9)


@pytest.mark.parametrize("path", sampled(FILES, 6, 3))
def test_kernels_with_vectors(path: Path):
    check(path, (2, 4), 9, vectors=True)


def test_most_kernels_are_coarsened():
    outcomes = [check(path, (2,), 1) for path in FILES[::6]]
    assert sum("coarsened" in outcome for outcome in outcomes) > 0.8 * len(outcomes)


SIZES = """
kernel void sizes(global const uint *x, global ulong *y, int n) {
  uint t = get_local_id(0);
  local uint last;
  last = n;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x[get_global_id(0)])
    y[get_global_id(0)] = get_local_size(0) * 100 + get_global_size(0) - last;
}
"""


@pytest.mark.parametrize("emit", [None, vector_emitter(4)])
def test_sizes_in_branches_are_those_of_all_work_items(emit: Emit | None):
    """In a branch that work-items take apart, with a load in it that all share."""
    module = polycl.load(SIZES, language="cl").module
    run_pipeline(module, PREPARE)
    (kernel,) = [k for k in module.ops if isinstance(k, ocl.KernelOp)]
    coarsen(kernel, Merge(0, 4), emit)
    x, y = np.arange(16, dtype=np.uint32) % 3, np.zeros(16, np.uint64)
    Program(module).kernel("sizes")(x, y, 5, global_size=4, local_size=2, device=InterpDevice())
    np.testing.assert_array_equal(y, np.where(x > 0, 8 * 100 + 16 - 5, 0))


def test_a_launch_without_the_dimension_stays():
    module = polycl.load(SIZES, language="cl").module
    (kernel,) = [k for k in module.ops if isinstance(k, ocl.KernelOp)]
    along_x = Configuration(1, (8, 1, 1), (4, 1, 1), offset=False)
    assert along_x.merge(kernel, 0, 2) == Merge(0, 2, None, offset=False)
    assert along_x.merge(kernel, 1, 2) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("dimension=y", "dimension and factor come together"),
        ("dimension=w factor=2", "dimension is x, y or z, got 'w'"),
        ("dimension=x factor=1", "factor is at least 2, got 1"),
        ("dimension=x factor=-2", "factor is at least 2, got -2"),
    ],
)
def test_options_that_are_refused(options: str, message: str):
    with pytest.raises(PolyclError, match=message):
        run_pipeline(ModuleOp([]), f"ocl-reorganize-threads{{{options}}}")
