"""`wg-join-elements`: its time grows with the number of accesses, not with the square of that."""

from __future__ import annotations

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
