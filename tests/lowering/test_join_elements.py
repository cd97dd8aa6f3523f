"""`wg-join-elements`: its time grows with the number of accesses, not with the square of that; and
accesses that are made together, here or in vectors, read what was written before."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.ir import SSAValue

import polycl
from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.pipeline import run_pipeline
from polycl.lowering.wg import wg_join_elements
from polycl.lowering.wg.before_vectors import Access

LOADS = 30


def test_each_address_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    original, asked = wg_join_elements.address_in_small_buffer, list[object]()

    def counted(op: Access) -> tuple[SSAValue, Linear]:
        asked.append(op)
        return original(op)

    monkeypatch.setattr(wg_join_elements, "address_in_small_buffer", counted)
    text = (
        "kernel void k(global const uint *t, global uint *o) { "
        "int x = get_global_id(0); uint v = x;" + "v ^= t[(v * 7) % 1000];" * LOADS + "o[x] = v; }"
    )
    module = only_kernel(polycl.load(text, language="cl").kernel("k").module, "k")
    run_pipeline(
        module,
        "ocl-set-local-size{size=64,1,1},ocl-to-wg,wg-join-elements{small_buffers=true}",
    )
    assert LOADS <= len(asked) <= LOADS + 1


@pytest.mark.parametrize("count", [2, 3, 16])
def test_no_load_is_made_before_a_store_that_waits_for_another(count: int) -> None:
    """`p[1] = 4` might be made with the store of `p[0]`, the load of `p[1]` with that of `p[0]`."""
    text = (
        "kernel void k(global double *p, global double *o) { "
        f"int i = get_global_id(0), j = {count} * i; "
        "p[j + 1] = 4; double a = p[j]; p[j] = a + 1; double b = p[j + 1]; o[i] = a * b; }"
    )
    size = 64
    p, o = np.arange(count * size + 2.0), np.zeros(size)
    kernel = polycl.load(text, language="cl").kernel("k")
    kernel(p, o, global_size=size, local_size=32, device="cpu")
    assert (o == 4 * np.arange(0.0, count * size, count)).all()
