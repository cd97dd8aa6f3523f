"""Structs that are taken apart keep their fields' values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from launches import Launch, all_launches
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import ocl
from polycl.frontends.opencl_c import import_source

SPLIT = "lift-cf-to-scf,inline-functions,split-structs"
LAUNCHES = all_launches(Path(__file__).resolve().parent.parent / "kernels")
WITH_STRUCTS = [launch for launch in LAUNCHES if "struct" in launch.path.read_text()]


def split(text: str, pipeline: str = SPLIT) -> list[ocl.AllocaOp]:
    """The private memory that is left."""
    module = import_source(text.encode(), "k.cl")
    run_pipeline(module, pipeline)
    return [op for op in module.walk() if isinstance(op, ocl.AllocaOp)]


@pytest.mark.parametrize("launch", WITH_STRUCTS, ids=str)
@pytest.mark.parametrize("then", ["", ",promote-private-memory,remove-dead-values"])
def test_kernels_compute_the_same(launch: Launch, then: str) -> None:
    program = launch.load()
    results: list[dict[str, object]] = []
    for pipeline in (None, SPLIT + then):
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


POINT = "typedef struct { float x, y; } Point;\n"


def test_a_struct_whose_address_was_taken_leaves_no_memory() -> None:
    text = POINT + (
        "void turn(Point *p) { float x = p->x; p->x = p->y; p->y = -x; }\n"
        "kernel void k(global Point *p) {\n"
        "  Point v = p[0]; if (v.x > 0) turn(&v); p[1] = v;\n}"
    )
    assert len(split(text, "inline-functions")) == 1
    assert split(text, SPLIT + ",promote-private-memory") == []


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("float *f = &v.x; p[0].y = f[n];", "a pointer is moved from one field to the next"),
        ("int *b = (int *)&v.y; p[0].x = *b;", "a field is read as another type"),
        ("Point *q = n ? &v : &w; q->x = 1;", "a pointer may point to either of two"),
        ("p[0].x = (size_t)&v.x;", "the address is a number"),
    ],
)
def test_memory_that_stays(statement: str, why: str) -> None:
    body = f"Point v = p[0], w = p[1]; {statement} p[1] = v; p[2] = w;"
    left = split(POINT + f"kernel void k(global Point *p, int n) {{ {body} }}")
    assert any("struct" in str(op.result.type) for op in left), why
