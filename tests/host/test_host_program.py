# ruff: noqa: E501 (programs)
"""Host programs: commands on every device, loops between them, arguments, results and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from host_programs import CASES, SEARCH, STEPS
from numpy.typing import NDArray

import polycl
from polycl import ArgumentError, Device, PolyclError
from polycl.remarks import collect_remarks

DEVICES = {
    "interp": {},
    "cpu": {"contract": False},
    "opencl:intel": {"contract": False},
    "tta": {},
}


@pytest.fixture(params=DEVICES, scope="module")
def device(request: pytest.FixtureRequest) -> Device:
    return polycl.device(request.param, **DEVICES[request.param])


def host(text: str, name: str = "f") -> Any:
    return polycl.load(text, language="mlir").host(name)


@pytest.mark.parametrize("name", CASES)
def test_programs(name: str, device: Device) -> None:
    case = CASES[name]
    program, arguments = host(case.text, case.function), case.arguments()
    assert program(*arguments, device=device) == case.result
    arrays = [argument for argument in arguments if isinstance(argument, np.ndarray)]
    for array, expected in zip(arrays, case.expected(), strict=True):
        # A transport-triggered machine may fuse a product and a sum.
        if array.dtype == np.float32 and device.name == "tta":
            np.testing.assert_array_max_ulp(array, expected, 64)
        else:
            np.testing.assert_array_equal(array, expected)


def test_times_of_commands(device: Device) -> None:
    md = host(CASES["md"].text, "md")
    md(*CASES["md"].arguments(), device=device)
    counts = {time.command: time.count for time in md.times}
    assert counts["host.launch @ker"] == 1
    assert counts["host.write %d_n"] == 1
    assert ("host code" in counts) == (device.name != "interp")
    assert all(time.seconds > 0 for time in md.times)


def test_results_are_numbers() -> None:
    f = host(
        """func.func @f(%x: memref<1xf32>, %n: index, %c: i1) -> (i32, index, f64, i1) {
  %m = arith.constant -3 : i32
  %h = arith.constant 0.5 : f64
  func.return %m, %n, %h, %c : i32, index, f64, i1
}"""
    )
    assert f(np.zeros(1, np.float32), 8, True) == (-3, 8, 0.5, True)
    assert f(np.zeros(1, np.float32), -8, False) == (-3, -8, 0.5, False)


OPAQUE = """
func.func @f(%x: memref<?xf32>, %n: index) -> i32 {
  %d = host.buffer %n : !host.buffer<f32>
  host.write %x to %d : memref<?xf32>, !host.buffer<f32>
  %r = host.opaque "measure"(%x, %d, %n) : (memref<?xf32>, !host.buffer<f32>, index) -> i32
  func.return %r : i32
}
"""


def test_what_was_not_understood_is_passed(device: Device) -> None:
    def measure(x: NDArray[np.float32], d: NDArray[np.float32], n: int) -> int:
        x[0] = d.sum()
        return -n

    x = np.ones(8, np.float32)
    assert host(OPAQUE)(x, 8, device=device, functions={"measure": measure}) == -8
    assert x[0] == 8


def test_what_was_not_understood_is_missing() -> None:
    with pytest.raises(PolyclError, match=r"'measure' is unknown; pass functions="):
        host(OPAQUE)(np.ones(8, np.float32), 8)


def test_a_part_of_a_buffer(device: Device) -> None:
    """clCreateSubBuffer: the same memory."""
    f = host(
        """func.func @f(%x: memref<?xi32>, %o: index) {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %d = host.buffer %c64 : !host.buffer<i32>
  %p = host.opaque "clCreateSubBuffer"(%d, %o, %c128) : (!host.buffer<i32>, index, index) -> !host.buffer<i32>
  host.write %x to %d : memref<?xi32>, !host.buffer<i32>
  host.fill %p with %one : !host.buffer<i32>
  host.read %d to %x : !host.buffer<i32>, memref<?xi32>
  func.return
}"""
    )
    x = np.arange(64, dtype=np.int32)
    f(x, 128, device=device)
    assert x.tolist() == [*range(32), *[1] * 32]
    with pytest.raises(PolyclError, match="7:3: .*128 bytes from 160 on of a buffer that has 256"):
        f(x, 160, device=device)


def on_buffers(commands: str, device: Device) -> list[int]:
    """What is in `%y` after a host's commands on buffers of 64 numbers; `%x` has 0, 1, 2 .."""
    f = host(
        f"""func.func @f(%x: !A, %y: !A) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  {commands}
  func.return
}}""".replace("!A", "memref<?xi32>").replace("!B", "!host.buffer<i32>")
    )
    y = np.zeros(64, np.int32)
    f(np.arange(64, dtype=np.int32), y, device=device)
    return y.tolist()


def test_released_memory_is_no_live_buffers(device: Device) -> None:
    """The next buffer may have the memory of one that was released, the one after has not."""
    commands = """%a = host.buffer %c64 : !B
  host.release %a : !B
  %b = host.buffer %c64 : !B
  %c = host.buffer %c64 : !B
  host.write %x to %b : !A, !B
  host.fill %c with %one : !B
  host.read %b to %y : !B, !A"""
    assert on_buffers(commands, device) == [*range(64)]


def test_memory_is_released_in_each_round(device: Device) -> None:
    """Two buffers of each round, beside one that lives on."""
    commands = """%a = host.buffer %c64 : !B
  host.write %x to %a : !A, !B
  scf.for %i = %c0 to %c3 step %c1 {
    %b = host.buffer %c64 : !B
    %c = host.buffer %c64 : !B
    host.fill %b with %one : !B
    host.release %b : !B
    host.fill %c with %one : !B
    host.release %c : !B
  }
  %d = host.buffer %c64 : !B
  host.fill %d with %one : !B
  host.read %a to %y : !B, !A"""
    assert on_buffers(commands, device) == [*range(64)]


def test_what_is_released_twice_is_given_once(device: Device) -> None:
    commands = """%a = host.buffer %c64 : !B
  host.release %a : !B
  host.release %a : !B
  %b = host.buffer %c64 : !B
  %c = host.buffer %c64 : !B
  host.write %x to %b : !A, !B
  host.fill %c with %one : !B
  host.release %a : !B
  %d = host.buffer %c64 : !B
  host.fill %d with %one : !B
  host.read %b to %y : !B, !A"""
    assert on_buffers(commands, device) == [*range(64)]


def test_a_released_buffer_has_no_memory(device: Device) -> None:
    """Though a new one has what was its."""
    commands = """%a = host.buffer %c64 : !B
  host.release %a : !B
  %b = host.buffer %c64 : !B
  host.write %x to %a count %c64 : !A, !B"""
    with pytest.raises(PolyclError, match="copies 256 bytes, the target at 0 has 0"):
        on_buffers(commands, device)


@pytest.mark.parametrize(("released", "kept"), [("%p", "%a"), ("%a", "%p")])
def test_parts_of_buffers_keep_their_memory(released: str, kept: str, device: Device) -> None:
    """A buffer and a part of it are the same memory: while one is there, nobody else gets it."""
    commands = f"""%a = host.buffer %c64 : !B
  %p = host.opaque "clCreateSubBuffer"(%a, %c0, %c256) : (!B, index, index) -> !B
  host.write %x to %a : !A, !B
  host.release {released} : !B
  %b = host.buffer %c64 : !B
  host.fill %b with %one : !B
  host.read {kept} to %y : !B, !A"""
    assert on_buffers(commands, device) == [*range(64)]


def test_memory_is_used_again() -> None:
    """A new buffer of the same size has the pages of the one that was released."""
    commands = """%a = host.buffer %c64 : !B
  host.write %x to %a : !A, !B
  host.release %a : !B
  %b = host.buffer %c64 : !B
  host.read %b to %y : !B, !A"""
    assert on_buffers(commands, polycl.device("cpu")) == [*range(64)]


def test_texts_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    f = host(
        """func.func @f(%x: memref<?xi32>, %n: index, %v: i32, %t: f64) {
  host.opaque "printf"(%n, %v, %t) {texts = ["%zu %5d %.1f%%\\n"]} : (index, i32, f64) -> ()
  %r = host.opaque "puts"() {texts = ["done"]} : () -> i32
  func.return
}"""
    )
    f(np.zeros(1, np.int32), 3, -7, 0.25)
    assert capsys.readouterr().out == "3    -7 0.2%\ndone\n"


def test_arguments_are_checked() -> None:
    f = host(SEARCH)
    seen = np.zeros(4, np.int32)
    with pytest.raises(ArgumentError, match=r"takes 2 arguments \(x, seen\): missing seen"):
        f(1)
    with pytest.raises(ArgumentError, match=r"takes 2 arguments \(x, seen\), got 3"):
        f(1, seen, 3)
    with pytest.raises(ArgumentError, match="unknown parameter 'sen'; did you mean 'seen'"):
        f(1, sen=seen)
    with pytest.raises(ArgumentError, match="'x' is given twice"):
        f(1, seen, x=2)
    with pytest.raises(ArgumentError, match=r"function 'f', parameter 'seen'.*int32.*float32"):
        f(1, seen.astype(np.float32))
    with pytest.raises(ArgumentError, match="expected an array of 16 bytes, got 20"):
        f(1, np.zeros(5, np.int32))
    with pytest.raises(ArgumentError, match="'x'.*expected an integer, got float 0.5"):
        f(0.5, seen)
    seen.setflags(write=False)
    with pytest.raises(ArgumentError, match="'seen'.*read-only"):
        f(1, seen)


@pytest.mark.parametrize(
    ("size", "offset", "message"),
    [
        (4, 0, "copies 32 bytes, the source at 0 has 16"),
        (8, 1, "copies 32 bytes, the source at 4 has 28"),
        (8, -1, "copies 32 bytes, the source at -4 has 36"),
    ],
)
def test_transfers_stay_inside(size: int, offset: int, message: str) -> None:
    f = host(
        """func.func @f(%x: memref<?xi32>, %n: index, %o: index) {
  %d = host.buffer %n : !host.buffer<i32>
  host.write %x[%o] to %d : memref<?xi32>, !host.buffer<i32>
  func.return
}"""
    )
    with pytest.raises(PolyclError, match=rf"<source>.mlir:3:3: error: {message}"):
        f(np.zeros(size, np.int32), 8, offset)


def test_sizes_of_launches_are_checked() -> None:
    f = host(
        STEPS
        + """func.func @f(%n: index, %l: index) {
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %d = host.buffer %c8 : !host.buffer<i32>
  host.launch @step global [%n] local [%l] (%d, %d, %one) : !host.buffer<i32>, !host.buffer<i32>, i32
  func.return
}"""
    )
    f(8, 4)
    with pytest.raises(PolyclError, match="13:3: error: .*8 is not a multiple of 3"):
        f(8, 3)


def test_memory_of_the_host_is_checked() -> None:
    """Where the host is interpreted."""
    text = """func.func @f(%x: memref<?xi32>, %i: index) -> i32 {
  %r = memref.load %x[%i] : memref<?xi32>
  %y = memref.alloc(%i) : memref<?xi32>
  memref.dealloc %y : memref<?xi32>
  %c0 = arith.constant 0 : index
  %s = memref.load %y[%c0] : memref<?xi32>
  func.return %r : i32
}"""
    f = host(text)
    with pytest.raises(
        PolyclError, match="2:3: .*read of element 9 is out of bounds: array 'x' has 8"
    ):
        f(np.zeros(8, np.int32), 9)
    with pytest.raises(PolyclError, match="6:3: .*'y', which was freed at .*4:3, has 0 elements"):
        f(np.zeros(8, np.int32), 3)


def test_host_code_that_is_no_kernel_is_interpreted_with_a_remark() -> None:
    """An array that a branch chooses is no kernel argument."""
    f = host(
        """func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = scf.if %c -> (memref<?xi32>) {
      scf.yield %x : memref<?xi32>
    } else {
      scf.yield %y : memref<?xi32>
    }
    %k = arith.index_cast %i : index to i32
    memref.store %k, %p[%i] : memref<?xi32>
  }
  func.return
}"""
    )
    x, y = np.zeros(4, np.int32), np.zeros(4, np.int32)
    with collect_remarks() as remarks:
        f(x, y, 4, False)
    assert (x.tolist(), y.tolist()) == ([0] * 4, [0, 1, 2, 3])
    assert any("is interpreted" in str(remark) for remark in remarks)


def test_names_of_host_functions() -> None:
    program = polycl.load(SEARCH, language="mlir")
    assert list(program.hosts) == ["f"]
    assert repr(program.host()) == "<polycl.HostFunction f(x: int32, seen: array of int32)>"
    with pytest.raises(ArgumentError, match=r"unknown host function 'g' \(its host functions: f\)"):
        program.host("g")
