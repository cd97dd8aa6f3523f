"""Global ids that are computed from group and local ids: the same results in groups of any size."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.dialects.inside import functions_of
from polycl.dialects.ocl import KernelLike
from polycl.lowering.wg.group_shape import best_group

SUMS = {
    "size_t": "get_group_id({d}) * get_local_size({d}) + get_local_id({d})",
    "int": "(int)get_local_id({d}) + (int)get_group_id({d}) * (int)get_local_size({d})",
    "uint": "(uint)get_group_id({d}) * (uint)get_local_size({d}) + (uint)get_local_id({d})",
    "mad24": "mad24((int)get_group_id({d}), (int)get_local_size({d}), (int)get_local_id({d}))",
    "mul24": "mul24((uint)get_local_size({d}), (uint)get_group_id({d})) + get_local_id({d})",
    "enqueued": "get_group_id({d}) * get_enqueued_local_size({d}) + get_local_id({d})",
    "more": "3 + get_group_id({d}) * get_local_size({d}) + 5 + get_local_id({d}) - 8",
    "sum of 8 bits": "(uchar)(get_group_id({d}) * get_local_size({d}) + get_local_id({d}))",
}
REQUIRED = {
    "number": "get_group_id({d}) * {n} + get_local_id({d})",
    "shift": "((int)get_group_id({d}) << {bits}) + (int)get_local_id({d})",
}
OTHERS = {
    "product of 8 bits": "(uchar)(get_group_id({d}) * get_local_size({d})) + get_local_id({d})",
    "twice": "2 * get_group_id({d}) * get_local_size({d}) + get_local_id({d})",
    "another size": "get_group_id({d}) * get_local_size(2) + get_local_id({d})",
    "another number": "get_group_id({d}) * 2 + get_local_id({d})",
}
KERNEL = """
{head} kernel void k(global int *out, int w) {{
  int x = {x}, y = {y};
  int i = (y * w + x) % (w * w);
  atomic_add(&out[i], x + 3 * y + (int)(get_num_groups(0) * get_local_size(0)));
}}
"""
LAUNCHES = [((1, 1), (61, 70)), ((4, 8), (60, 72)), ((16, 16), (64, 80))]


def program(text: str, *, required: bool, options: list[str]) -> polycl.Program:
    local = (4, 8)
    x, y = (text.format(d=d, n=n, bits=n.bit_length() - 1) for d, n in enumerate(local))
    head = "__attribute__((reqd_work_group_size(4, 8, 1)))" if required else ""
    return polycl.load(KERNEL.format(x=x, y=y, head=head), options)


def is_free(program: polycl.Program) -> bool:
    kernel, *_ = functions_of(program.kernel("k").module, KernelLike)
    return best_group(kernel) is not None


@pytest.mark.parametrize("required", [False, True])
@pytest.mark.parametrize("name", [*SUMS, *REQUIRED, *OTHERS])
def test_results_are_the_interpreters(name: str, required: bool) -> None:
    text = {**SUMS, **REQUIRED, **OTHERS}[name]
    options = ["-cl-std=CL2.0", "-cl-uniform-work-group-size"] if name == "enqueued" else []
    loaded = program(text, required=required, options=options)
    assert is_free(loaded) == (name in SUMS or required and name in REQUIRED)
    for local, size in LAUNCHES:
        if required and local != (4, 8):
            continue
        for offset in (None, (5, 7)):
            found = [np.zeros(90 * 90, np.int32) for _ in range(2)]
            for out, device in zip(found, ("interp", polycl.device("cpu")), strict=True):
                loaded.kernel("k")(
                    out, 90, global_size=size, local_size=local, global_offset=offset, device=device
                )
            assert np.array_equal(found[0], found[1])


def test_smaller_last_groups() -> None:
    """The local size of the last group is not the distance of groups."""
    loaded = program(SUMS["size_t"], required=False, options=["-cl-std=CL2.0"])
    assert not is_free(loaded)
    found = [np.zeros(90 * 90, np.int32) for _ in range(2)]
    for out, device in zip(found, ("interp", polycl.device("cpu")), strict=True):
        loaded.kernel("k")(out, 90, global_size=(61, 70), local_size=(16, 8), device=device)
    assert np.array_equal(found[0], found[1])
