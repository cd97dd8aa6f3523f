"""Launches: sizes, threads, what a prepared launch costs, and printf."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.cpu import CpuDevice
from polycl.backends.cpu.printf import PrintfBuffer, PrintfFormat
from polycl.backends.device import LocalMemory, NDRange
from polycl.errors import ArgumentError, LaunchError, PolyclError

Parse = Callable[[str], ModuleOp]
Run = Callable[..., None]

QUERIES = ("global_id", "local_id", "group_id", "global_size", "local_size", "num_groups",
           "global_offset")  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2])
def test_every_work_item_sees_its_place(run: Run, threads: int):
    """One record of all queries for each work-item, at its linear position."""
    loads = "\n".join(
        f"%{q}{d} = ocl.{q} {d} : index\n%v{n} = arith.index_cast %{q}{d} : index to i64\n"
        f"%c{n} = arith.constant {n} : index\n%at{n} = arith.addi %base, %c{n} : index\n"
        f"ocl.store %v{n}, %out[%at{n}] : !ocl.ptr<i64, global>"
        for n, (q, d) in enumerate(product(QUERIES, range(3)))
    )
    ids = "".join(
        f"%g{d} = ocl.global_id {d} : index\n%o{d} = ocl.global_offset {d} : index\n"
        f"%i{d} = arith.subi %g{d}, %o{d} : index\n%s{d} = ocl.global_size {d} : index\n"
        for d in range(3)
    )
    text = f"""
    ocl.kernel @k(%out: !ocl.ptr<i64, global> {{ocl.name = "out"}}) {{
      {ids}
      %a = arith.muli %i2, %s1 : index
      %b = arith.addi %a, %i1 : index
      %c = arith.muli %b, %s0 : index
      %d = arith.addi %c, %i0 : index
      %size = arith.constant 21 : index
      %base = arith.muli %d, %size : index
      {loads}
      ocl.return
    }}"""
    size, local, offset = (6, 4, 4), (3, 2, 1), (10, 20, 30)
    out = np.full((4, 4, 6, 7, 3), -1, "i8")
    run(text, out, global_size=size, local_size=local, global_offset=offset, threads=threads)
    for z, y, x in product(range(4), range(4), range(6)):
        position = np.array([x, y, z])
        expected = [position + offset, position % local, position // local, size, local,
                    np.array(size) // local, offset]  # fmt: skip
        assert np.array_equal(out[z, y, x], np.array(expected))


COUNT = """
ocl.kernel @k(%n: !ocl.ptr<i32, global> {ocl.name = "n"}) {
  %one = arith.constant 1 : i32
  %old = ocl.atomic_rmw add %n, %one : !ocl.ptr<i32, global>
  ocl.return
}"""


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("groups", [0, 1, 2, 5, 1000])
def test_each_group_runs_once(run: Run, groups: int, threads: int):
    n = np.zeros(1, "i4")
    run(COUNT, n, global_size=groups * 8, local_size=8, threads=threads)
    assert n[0] == groups * 8


def test_a_prepared_launch_can_be_made_again(parse: Parse):
    ndrange = NDRange((64, 1, 1), (16, 1, 1))
    executable = CpuDevice(threads=2).compile(parse(COUNT), "k", ndrange)
    n = np.zeros(1, "i4")
    launch = executable.prepare([n], ndrange)
    for _ in range(50):
        launch()
    assert n[0] == 50 * 64


def test_arguments_and_sizes_that_do_not_fit_are_refused(parse: Parse):
    ndrange = NDRange((64, 1, 1), (16, 1, 1))
    executable = CpuDevice(threads=1).compile(parse(COUNT), "k", ndrange)
    n = np.zeros(1, "i4")
    with pytest.raises(ArgumentError, match=r"compiled for groups of \(16, 1, 1\)"):
        executable.prepare([n], NDRange((64, 1, 1), (8, 1, 1)))
    with pytest.raises(ArgumentError, match="takes 1 arguments, got 2"):
        executable.prepare([n, n], ndrange)
    with pytest.raises(ArgumentError, match="argument 0 is not a value for"):
        executable.prepare([LocalMemory(4)], ndrange)
    with pytest.raises(ArgumentError, match="argument 0 is not a value for"):
        executable.prepare([b"1234"], ndrange)


def test_errors_of_the_device(parse: Parse):
    ndrange = NDRange((8, 1, 1), (8, 1, 1))
    with pytest.raises(ArgumentError, match="threads must be at least 1, got 0"):
        CpuDevice(threads=0)
    with pytest.raises(ArgumentError, match="no kernel 'q'|unknown kernel 'q'"):
        CpuDevice().compile(parse(COUNT), "q", ndrange)
    with pytest.raises(LaunchError, match="did not make a function of kernel 'k'"):
        CpuDevice().compile(parse(COUNT), "k", ndrange, pipeline="inline-functions")
    required = COUNT.replace(
        ") {", ") attributes {reqd_work_group_size = array<i64: 4, 1, 1>} {", 1
    )
    with pytest.raises(PolyclError, match="requires the local size 4x1x1"):
        CpuDevice().compile(parse(required), "k", ndrange)


def test_an_explicit_pipeline(parse: Parse):
    passes = (
        "inline-functions,ocl-set-local-size{size=8},ocl-to-wg,ocl-expand-builtins,"
        "wg-to-scf,wg-to-launch,scf-to-cf,convert-to-llvm{contract=false}"
    )
    ndrange = NDRange((64, 1, 1), (8, 1, 1))
    n = np.zeros(1, "i4")
    CpuDevice().compile(parse(COUNT), "k", ndrange, passes).run([n], ndrange)
    assert n[0] == 64


PRINT = r"""
ocl.kernel @k(%v: vector<2xf32> {ocl.name = "v"}) {
  %i = ocl.global_id 0 : index
  %n = arith.index_cast %i : index to i32
  %r = ocl.printf "%d: %v2hlf\n"(%n, %v) : (i32, vector<2xf32>) -> i32
  %s = ocl.printf "end\n"() : () -> i32
  ocl.return
}"""


def test_printf(run: Run, capsys: pytest.CaptureFixture[str]):
    value = np.array([1.5, -2.0], "f4").tobytes()
    run(PRINT, value, global_size=3, local_size=1)
    expected = "".join(f"{i}: 1.500000,-2.000000\nend\n" for i in range(3))
    assert capsys.readouterr().out == expected


def test_printf_says_what_was_lost(run: Run, capsys: pytest.CaptureFixture[str]):
    """32 bytes for each work-item: 24 and 8."""
    run(PRINT, bytes(8), global_size=40_000, local_size=1)
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "0: 0.000000,0.000000"
    assert (
        out[-1] == "printf: 231424 bytes of arguments were lost: one launch can print 1048576 bytes"
    )
    assert len(out) == 2 * (1 << 20) // 32 + 2


def test_the_printf_buffer_is_empty_after_it_was_read():
    buffer = PrintfBuffer([PrintfFormat("never\n", ())], capacity=64)
    assert buffer.take_text() == ""


def test_debug_info_is_in_the_machine_code(parse: Parse):
    ndrange = NDRange((8, 1, 1), (8, 1, 1))
    for debug_info in (False, True):
        executable = CpuDevice(debug_info=debug_info).compile(parse(COUNT), "k", ndrange)
        assert (b".debug_line" in executable.compiled.object_code) == debug_info
