"""What the numbers of a launch prove of accesses, and what they must not prove."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from xdsl.context import Context

import polycl
from polycl.analysis.ocl.launch_values import LaunchNumbers
from polycl.dialects import ocl
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.ocl_insert_checks import prepare
from polycl.lowering.ocl.ocl_insert_checks.accesses import accesses_of
from polycl.lowering.ocl.ocl_insert_checks.proofs import prove


class Kernel(NamedTuple):
    """The body of `kernel void k(global const int *x, global int *y, int n)` with a local array
    `t[64]`; launched with 64 work-items in groups of 16, x and y of 64 elements, and n = 64."""

    body: str
    in_bounds: bool = True
    """Whether all accesses are proved to be inside."""
    no_races: bool = True
    """Whether all are proved to have no rivals."""


KERNELS = {
    "own element": Kernel("int i = get_global_id(0); y[i] = x[i];"),
    "own element by group": Kernel(
        "int i = get_group_id(0) * get_local_size(0) + get_local_id(0); y[i] = x[i];"
    ),
    "in reverse": Kernel("int i = get_global_id(0); y[n - 1 - i] = x[i];"),
    "one after the end": Kernel("int i = get_global_id(0); y[i] = x[i + 1];", in_bounds=False),
    "one before the start": Kernel("int i = get_global_id(0); y[i] = x[i - 1];", in_bounds=False),
    "neighbours in a guard": Kernel(
        "int i = get_global_id(0); if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i + 1];"
    ),
    "clamped": Kernel("int i = get_global_id(0); y[i] = x[max(i - 2, 0)] + x[min(i + 2, n - 1)];"),
    "chosen": Kernel("int i = get_global_id(0); y[i] = x[i == 0 ? 0 : i - 1];"),
    "chosen wrongly": Kernel(
        "int i = get_global_id(0); y[i] = x[i == 1 ? 0 : i - 1];", in_bounds=False
    ),
    "early return": Kernel("int i = get_global_id(0); if (i >= n - 1) return; y[i] = x[i + 1];"),
    "unsigned guard": Kernel("int i = get_global_id(0) - 1; if ((uint)i < (uint)n) y[i] = x[i];"),
    "written by two": Kernel("int i = get_global_id(0); y[i / 2] = x[i];", no_races=False),
    "neighbour is written": Kernel(
        "int i = get_global_id(0); if (i < n - 1) y[i] = y[i + 1];", no_races=False
    ),
    "by local id only": Kernel("y[get_local_id(0)] = 1;", no_races=False),
    "by the first of a group": Kernel("if (get_local_id(0) == 0) y[get_group_id(0)] = 1;"),
    "halves": Kernel("int i = get_global_id(0); if (i < n / 2) y[i] = y[i + n / 2];"),
    "halves that overlap": Kernel(
        "int i = get_global_id(0); if (i <= n / 2 - 1) y[i] = y[i + n / 2 - 1];", no_races=False
    ),
    "rows": Kernel(
        "int i = get_global_id(0); for (int k = 0; k < 4; ++k) if (i < 16) y[4 * i + k] = x[i];"
    ),
    "rows that overlap": Kernel(
        "int i = get_global_id(0); for (int k = 0; k < 5; ++k) if (i < 15) y[4 * i + k] = x[i];",
        no_races=False,
    ),
    "columns": Kernel(
        "int i = get_global_id(0); if (i < 16) for (int k = 0; k < 4; ++k) y[16 * k + i] = x[i];"
    ),
    "steps of the whole launch": Kernel(
        "for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[i];"
    ),
    "atomics only": Kernel("atomic_inc(&y[get_local_id(0)]);"),
    "an atomic and a read": Kernel(
        "atomic_inc(&y[get_local_id(0)]); if (y[0] > n) y[63] = 1;", no_races=False
    ),
    "loaded index": Kernel("y[x[get_global_id(0)]] = 1;", in_bounds=False, no_races=False),
    "loaded byte": Kernel("int i = get_global_id(0); y[i] = x[((global const uchar *)x)[i] & 63];"),
    "carried index": Kernel(
        "int i = get_global_id(0), j = i; for (int k = 0; k < 3; ++k, j += 2) y[i] = x[j];",
        in_bounds=False,
    ),
    "tile": Kernel(
        "int l = get_local_id(0); t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE);"
        "y[get_global_id(0)] = t[15 - l];"
    ),
    "tile without a barrier": Kernel(
        "int l = get_local_id(0); t[l] = x[l]; y[get_global_id(0)] = t[15 - l];", no_races=False
    ),
    "tile with the wrong fence": Kernel(
        "int l = get_local_id(0); t[l] = x[l]; barrier(CLK_GLOBAL_MEM_FENCE);"
        "y[get_global_id(0)] = t[15 - l];",
        no_races=False,
    ),
    "reduction": Kernel(
        "int l = get_local_id(0); t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE);"
        "for (int s = 8; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s];"
        "barrier(CLK_LOCAL_MEM_FENCE); } if (l == 0) y[get_group_id(0)] = t[0];"
    ),
    "reduction with <=": Kernel(
        "int l = get_local_id(0); t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE);"
        "for (int s = 8; s > 0; s >>= 1) { if (l <= s) t[l] += t[l + s];"
        "barrier(CLK_LOCAL_MEM_FENCE); } if (l == 0) y[get_group_id(0)] = t[0];",
        no_races=False,
    ),
    "reduction without its barrier": Kernel(
        "int l = get_local_id(0); t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE);"
        "for (int s = 8; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; }"
        "if (l == 0) y[get_group_id(0)] = t[0];",
        no_races=False,
    ),
    "two guards": Kernel(
        "int r = get_group_id(0) - 1, c = get_local_id(0), i = 16 * r + c - 1;"
        "if (r >= 0 && c > 0) y[i] = x[i];"
    ),
    # What follows is proved by the addresses of all work-items.
    "powers of two": Kernel(
        "int l = get_local_id(0); t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE);"
        "for (int s = 1; s < 16; s *= 2) { if (l % (2 * s) == 0) t[l] += t[l + s];"
        "barrier(CLK_LOCAL_MEM_FENCE); } if (l == 0) y[get_group_id(0)] = t[0];"
    ),
    "powers of two without a barrier": Kernel(
        "int l = get_local_id(0); t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE);"
        "for (int s = 1; s < 16; s *= 2) if (l % (2 * s) == 0) t[l] += t[l + s];"
        "if (l == 0) y[get_group_id(0)] = t[0];",
        no_races=False,
    ),
    "diagonal": Kernel(
        "int l = get_local_id(0); if (l < 7) for (int k = 0; k < 7; ++k) t[7 * k + l] = x[l];"
        "barrier(CLK_LOCAL_MEM_FENCE);"
        "for (int m = 1; m < 7; ++m) { if (l < m) t[7 * (m - l) + l + 1] += t[7 * (m - l) + l];"
        "barrier(CLK_LOCAL_MEM_FENCE); }"
    ),
    "diagonal that overlaps": Kernel(
        "int l = get_local_id(0); if (l < 7) for (int k = 0; k < 7; ++k) t[7 * k + l] = x[l];"
        "barrier(CLK_LOCAL_MEM_FENCE);"
        "for (int m = 1; m < 7; ++m) { if (l < m) "
        "t[7 * (m - l) + l + 1] += t[7 * (m - l - 1) + l + 2];"
        "barrier(CLK_LOCAL_MEM_FENCE); }",
        no_races=False,
    ),
    "permuted": Kernel("int i = get_global_id(0); y[i ^ 5] = x[(i * 7) & 63];"),
    "permuted twice": Kernel(
        "int i = get_global_id(0); y[i ^ 5] = 1; y[i ^ 4] = 2;", no_races=False
    ),
    "two numbers in a word": Kernel(
        "int i = get_global_id(0); ((global short *)y)[i ^ 1] = 1;"
        "((global short *)y)[64 + (i ^ 1)] = 2;"
    ),
    "tiles of an unknown number": Kernel(
        "int l = get_local_id(0); for (int k = 0; k < x[0]; ++k) {"
        "t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] += t[l ^ 1];"
        "barrier(CLK_LOCAL_MEM_FENCE); }"
    ),
    "tiles of an unknown number without the second barrier": Kernel(
        "int l = get_local_id(0); for (int k = 0; k < x[0]; ++k) {"
        "t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] += t[l ^ 1]; }",
        no_races=False,
    ),
    "ordered by a barrier that may be left out": Kernel(
        "int l = get_local_id(0); t[l] = x[l]; for (int k = 0; k < x[0]; ++k) {"
        "barrier(CLK_LOCAL_MEM_FENCE); } y[get_global_id(0)] = t[l ^ 1];",
        no_races=False,
    ),
    "forgotten behind a barrier that may be left out": Kernel(
        "int l = get_local_id(0); t[l] = x[l]; if (x[0] > 5) { barrier(CLK_LOCAL_MEM_FENCE);"
        "t[l ^ 1] = 1; } y[get_global_id(0)] = t[l ^ 1];",
        no_races=False,
    ),
    "an address after a loop of unknown length": Kernel(
        "int l = get_local_id(0), j = l; for (int k = 0; k < x[0]; ++k) j = 15 - l; t[j ^ 1] = 1;",
        no_races=False,
    ),
    "read before a barrier without a fence": Kernel(
        "int i = get_global_id(0), v = y[i ^ 1]; barrier(CLK_LOCAL_MEM_FENCE); y[i] = v;"
    ),
    "written before a barrier without a fence": Kernel(
        "int i = get_global_id(0); y[i] = i; barrier(CLK_LOCAL_MEM_FENCE);"
        "if (y[i ^ 1] < 0) y[i] = 1;",
        no_races=False,
    ),
    "read by another group": Kernel(
        "int i = get_global_id(0), v = y[i ^ 16]; barrier(CLK_GLOBAL_MEM_FENCE); y[i] = v;",
        no_races=False,
    ),
    "wrapped to 8 bits": Kernel("int i = get_global_id(0); y[(uchar)(i * 4) >> 2] = 1;"),
    "wrapped to 7 bits": Kernel(
        "int i = get_global_id(0); y[(uchar)(i * 8) >> 2] = 1;", no_races=False
    ),
}


@pytest.mark.parametrize("name", KERNELS)
def test_proofs(name: str, tmp_path: Path) -> None:
    kernel = KERNELS[name]
    path = tmp_path / "k.cl"
    path.write_text(
        f"kernel void k(global const int *x, global int *y, int n) {{ local int t[64]; "
        f"{kernel.body} }}"
    )
    module = polycl.load(path).module
    InlineFunctionsPass().apply(Context(), module)
    (function,) = (op for op in module.ops if isinstance(op, ocl.KernelOp))
    prepare(function)
    proof = prove(
        function, LaunchNumbers((64, 1, 1), (16, 1, 1), (4, 1, 1), (0, 0, 0), (256, 256, 64))
    )
    numbers = set(range(len(accesses_of(function))))
    assert (proof.in_bounds == numbers) is kernel.in_bounds
    assert (proof.without_rivals == numbers) is kernel.no_races
