"""Reuse distances against the figures of [ppopencl19], and the layouts that follow from them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

import polycl
from polycl.analysis.host.buffers import buffer_groups
from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.kernel_access import KernelAccesses
from polycl.analysis.host.layout import compared, vector_dimension
from polycl.analysis.host.plan import plans
from polycl.analysis.host.platforms import Platform, platform, platforms
from polycl.analysis.host.reuse_distance import Reuse, Sizes, example_sizes, reuse_of, with_examples
from polycl.analysis.host.wii import Interleaving
from polycl.dialects import ocl
from polycl.lowering.host.ocl_data_layout import gain

PROGRAMS = Path(__file__).parent.parent.parent / "examples" / "host"

SUMS = """
kernel void coalesced(global const int *a, global int *b, int m, int n, int rounds)
{
    int i = get_global_id(0), sum = 0;
    for (int round = 0; round < rounds; round++)
        for (int j = 0; j < n; j++)
            sum += a[j * m + i];
    b[i] = sum;
}
kernel void continuous(global const int *a, global int *b, int m, int n, int rounds)
{
    int i = get_global_id(0), sum = 0;
    for (int round = 0; round < rounds; round++)
        for (int j = 0; j < n; j++)
            sum += a[i * n + j];
    b[i] = sum;
}
"""


@cache
def sums() -> ModuleOp:
    return polycl.load(SUMS, language="cl").module


def reuse(name: str, target: Platform, items: int, group: int, **values: int) -> Reuse:
    """How `a` is reused in a kernel of SUMS."""
    kernels = [op for op in sums().ops if isinstance(op, ocl.KernelLike)]
    known = KernelAccesses(next(op for op in kernels if op.sym_name.data == name))
    sizes = example_sizes(1, {"m": items, **values}, [items], [group])
    return reuse_of(known, [0], target, with_examples(known, sizes))


@pytest.mark.parametrize(
    ("name", "target", "distance"),
    [
        ("coalesced", "amd-cpu", 1),
        ("coalesced", "intel-cpu", 0),
        ("continuous", "amd-cpu", 0),
        ("continuous", "intel-cpu", 3),
    ],
)
def test_figure_8(name: str, target: str, distance: int):
    """Two elements in a line, four work-items in a group."""
    small = replace(platform(target), cache_line=8)
    assert reuse(name, small, 4, 4, n=2, rounds=1).distance == distance


@pytest.mark.parametrize(
    ("target", "coalesced", "continuous"),
    [("xeon-phi", 33, 15), ("intel-cpu", 33, 15), ("amd-cpu", 33, 0), ("tilera", 33, 0)],
)
def test_kmeans_as_in_section_4_2(target: str, coalesced: int, continuous: int):
    """819200 points of 34 features, groups of 256 and five clusters."""
    sizes = {"n": 34, "rounds": 5}
    found = [
        reuse(name, platform(target), 819200, 256, **sizes).distance
        for name in ("coalesced", "continuous")
    ]
    assert found == [coalesced, continuous]


def test_the_paper_gives_steps_on_serial_platforms():
    """51200 and 204800 are the lines between one access and the next, not those in between."""
    jumps = [
        reuse(name, platform(target), 819200, 256, n=34, rounds=5).jump
        for target in ("amd-cpu", "tilera")
        for name in ("coalesced", "continuous")
    ]
    assert jumps == [51200, 0, 204800, 0]


def test_table_1():
    serial, parallel = Interleaving(1), Interleaving(4)
    assert [serial.step(tid, 2, 5) for tid in (0, 1, 7)] == [2, 7, 37]
    assert [parallel.step(tid, 2, 5) for tid in (0, 3, 4, 7)] == [2, 2, 7, 7]
    assert parallel.blocks(6) == [range(4), range(4, 6)]
    assert serial.steps(2, 2) == [[(0, 0)], [(0, 1)], [(1, 0)], [(1, 1)]]
    assert parallel.steps(5, 1) == [[(0, 0), (1, 0), (2, 0), (3, 0)], [(4, 0)]]


TURNED = """
kernel void rows(global const float *a, global float *b, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    b[y * n + x] = a[y * n + x];
}
kernel void columns(global const float *a, global float *b, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    b[x * n + y] = a[x * n + y];
}
kernel void transpose(global const float *a, global float *b, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    b[x * n + y] = a[y * n + x];
}
"""


@cache
def turned(name: str) -> KernelAccesses:
    """The accesses of a kernel of TURNED."""
    module = polycl.load(TURNED, language="cl").module
    kernels = [op for op in module.ops if isinstance(op, ocl.KernelLike)]
    return KernelAccesses(next(op for op in kernels if op.sym_name.data == name))


@pytest.mark.parametrize(
    ("name", "target", "local", "dimension"),
    [
        ("rows", "intel-rt", (16, 16, 1), 0),
        ("columns", "intel-rt", (16, 16, 1), 1),
        ("columns", "polycl-cpu", (16, 16, 1), 1),
        # Both are as good: x.
        ("transpose", "intel-rt", (16, 16, 1), 0),
        # The group has no more than one work-item along the other.
        ("columns", "intel-rt", (256, 1, 1), 0),
        ("rows", "intel-rt", (1, 256, 1), 1),
        ("rows", "intel-rt", (1, 1, 1), 0),
        # Their compilers do not choose.
        ("columns", "xeon-phi", (16, 16, 1), 0),
        ("columns", "nvidia-h200", (16, 16, 1), 0),
    ],
)
def test_the_dimension_of_vectors(
    name: str, target: str, local: tuple[int, int, int], dimension: int
):
    known = turned(name)
    sizes = with_examples(known, Sizes({"n": 1024}, (1024, 1024, 1), local))
    assert vector_dimension(known, platform(target), sizes) == dimension


def test_the_order_begins_along_the_fastest_dimension():
    """16 neighbours along y are one line of a matrix whose rows are those of x."""
    known = turned("columns")
    sizes = with_examples(known, Sizes({"n": 1024}, (1024, 1024, 1), (16, 16, 1)))
    found = [
        reuse_of(known, [0], platform("intel-rt"), replace(sizes, fastest=d)).lines for d in (0, 1)
    ]
    assert found == [16, 1]


def changed(name: str, buffer: str) -> list[str]:
    """For which platforms the other layout of a program's buffer is the better one."""
    module = polycl.load(PROGRAMS / name / "host.c").module
    program = Program(module)
    (group,) = (g for g in buffer_groups(module) if buffer in g.name.split(" and "))
    (plan, *_), _ = plans(group, program)
    found: list[str] = []
    for target in platforms().values():
        if gain(compared(plan, target, program), target) > 0:
            found.append(target.name)
    return found


def test_kmeans_changes_on_cpus_and_stays_on_gpus():
    """The platforms that are here make vectors of neighbours, which are to read neighbours."""
    assert changed("kmeans", "d_feature") == [
        *("intel-cpu", "amd-cpu", "xeon-phi", "tilera", "sw26010")
    ]


def test_lbm_stays_on_serial_platforms_and_changes_on_others():
    assert changed("lbm", "in") == [
        *("intel-cpu", "xeon-phi", "nvidia-gpu", "amd-gpu"),
        *("polycl-cpu", "pocl-cpu", "pocl7-cpu", "intel-rt", "nvidia-h200"),
    ]


@pytest.mark.parametrize("buffer", ["d_a", "d_m"])
def test_gaussian_stays_where_the_compiler_chooses_the_dimension(buffer: str):
    """Along y neighbours read neighbours. Of `d_m` one kernel reads a column, once: less than a
    tenth of the lines would be saved."""
    stays = {target.name for target in platforms().values()} - {*changed("gaussian", buffer)}
    assert stays == {"polycl-cpu", "intel-rt"}
