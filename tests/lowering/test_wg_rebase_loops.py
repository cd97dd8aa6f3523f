"""`wg-rebase-loops` keeps every bit: the work-group form runs alike before and after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from launches import Launch, launches_of
from polycl.remarks import collect_remarks

FILE = Path(__file__).resolve().parent.parent / "kernels/clamped_loops.cl"


def run(launch: Launch, passes: str) -> dict[str, Any]:
    kernel = polycl.load(launch.path, launch.build_options).kernel(launch.kernel)
    arguments = launch.values()
    kernel(
        **arguments,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
        device=polycl.device("interp"),
        pipeline=passes,
    )
    return arguments


@pytest.mark.parametrize("launch", launches_of(FILE), ids=str)
def test_keeps_every_bit(launch: Launch):
    assert launch.local_size is not None
    size = ",".join(map(str, (*launch.local_size, 1, 1)[:3]))
    before = f"inline-functions,ocl-set-local-size{{size={size}}},ocl-to-wg,ocl-expand-builtins"
    expected = run(launch, before)
    with collect_remarks() as remarks:
        found = run(launch, f"{before},wg-rebase-loops")
    assert any(r.message.startswith("rebased") for r in remarks)
    np.testing.assert_array_equal(found["out"], expected["out"])
