"""Simulator files: their syntax, and the places of their errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.backends.device import LocalMemory
from polycl.errors import PolyclError, SourceError
from polycl.runtime.simfile import SimArgument, SimFile, dump

KERNEL = """
typedef struct { int a; float b; } pair;
kernel void k(PARAMETERS) {}
"""


def read(tmp_path: Path, parameters: str, arguments: str) -> list[SimArgument]:
    """The `arguments` for a kernel with `parameters`; they start on line 5."""
    path = tmp_path / "k.sim"
    path.write_text(f"k.cl # the program\nk\n8 1 1\n\t4 1 1\n{arguments}")
    program = polycl.load(KERNEL.replace("PARAMETERS", parameters))
    return SimFile(path).arguments(program.kernel("k").parameters)


def value(tmp_path: Path, parameter: str, argument: str) -> Any:
    (argument_read,) = read(tmp_path, parameter, argument)
    return argument_read.value


def test_head(tmp_path: Path):
    path = tmp_path / "x.sim"
    path.write_text("dir/k.cl kernel_name\n1024 2\n1 # sizes may stand anywhere\n64 1 1\n")
    sim = SimFile(path)
    assert sim.program == tmp_path / "dir" / "k.cl"
    assert (sim.kernel, sim.global_size, sim.local_size) == (
        "kernel_name",
        (1024, 2, 1),
        (64, 1, 1),
    )


@pytest.mark.parametrize(
    ("parameter", "argument", "expected"),
    [
        ("global int *x", "<size=12>\n1 -2\n3", np.array([1, -2, 3], np.int32)),
        ("global uint *x", "<size=8 hex> 0x10 ff", np.array([16, 255], np.uint32)),
        ("global uint *x", "<size=4> -1", np.array([2**32 - 1], np.uint32)),
        ("global float4 *x", "<size=16> 1 2.5 -3e1 inf", np.array([1, 2.5, -30, np.inf], "f4")),
        ("global double *x", "<fill=0.5 size=16>", np.array([0.5, 0.5])),
        ("global uchar *x", "<size=3 range=250:2:254>", np.array([250, 252, 254], np.uint8)),
        ("global float *x", "<size=12 range=0:0.25:0.5>", np.array([0, 0.25, 0.5], np.float32)),
        ("global float *x", "<size=4 int> 1065353216", np.array([1065353216], np.int32)),
        ("global void *x", "<size=2> 1 2", np.array([1, 2], np.uint8)),
        ("constant short *x", "<size=4 noinit>", np.zeros(2, np.int16)),
        ("global int *x", "<size=0 fill=0>", np.zeros(0, np.int32)),
    ],
)
def test_buffers(tmp_path: Path, parameter: str, argument: str, expected: Any):
    result = value(tmp_path, parameter, argument)
    assert result.dtype == expected.dtype
    assert result.tolist() == expected.tolist()


def test_ranges_are_summed_in_their_type(tmp_path: Path):
    result = value(tmp_path, "global float *x", "<size=44 range=0:0.125:1.25>")
    assert result.tolist() == np.arange(11, dtype=np.float32).dot(np.float32(0.125)).tolist()


def test_other_arguments(tmp_path: Path):
    arguments = read(
        tmp_path,
        "global int *p, local float *l, char c, float2 v, pair s, global int *r",
        "<null>\n<size=64>\n<size=1> -1\n<size=8> 1 2\n<size=8 int> 3 4\n<size=4 ro dump fill=1>",
    )
    values: list[Any] = [argument.value for argument in arguments]
    null, local, char, vector, pair, last = values
    assert null is None
    assert local == LocalMemory(64)
    assert char == b"\xff"
    assert vector == np.array([1, 2], np.float32).tobytes()
    assert pair == np.array([3, 4], np.int32).tobytes()
    assert last.tolist() == [1]
    assert arguments[-1].dump
    assert arguments[-1].access == "ro"


@pytest.mark.parametrize(
    ("parameter", "argument", "message"),
    [
        ("int x", "4", "5:1: error: expected the argument header <size=...> of 'x' (int), got '4'"),
        ("int x", "<size=4", "5:1: error: the header has no '>' at its end"),
        ("int x", "<int>", "5:1: error: the header has no size"),
        ("int x", "<size=4 blue>", "5:9: error: unknown word 'blue' in the header; expected size"),
        ("int x", "<size=x>", "5:7: error: 'x' is no size"),
        ("int x", "<size=4 dump> 1", "5:9: error: 'dump' is for buffers; 'x' is none"),
        ("int x", "<size=8> 1 2", "5:1: error: size=8, but parameter 'x' (int) has 4 bytes"),
        ("int x", "<size=4>\n  1.5", "6:3: error: '1.5' is no integer"),
        ("int x", "<size=4> 4294967296", "5:10: error: 4294967296 does not fit into 32 bits"),
        ("char x", "<size=1> 128", "5:10: error: 128 does not fit into 8 bits"),
        ("float x", "<size=4> one", "5:10: error: 'one' is no number"),
        ("float x", "<size=4>", "5:1: error: the file ends; expected element 0 of 1"),
        ("int x", "<size=4> 1 2", "5:12: error: unexpected '2'; kernel 'k' has 1 argument"),
        ("global int *x", "<size=6 fill=1>", "5:1: error: 6 bytes are no multiple of 4"),
        ("global int *x", "<size=4 int uint>", "5:13: error: the type is given twice"),
        ("global int *x", "<size=4 fill=1 noinit>", "5:1: error: fill and noinit exclude"),
        ("global int *x", "<size=4 ro wo fill=1>", "5:12: error: 'ro' and 'wo' exclude"),
        ("global int *x", "<size=8 range=1:1:4>", "5:15: error: the range has 4 elements"),
        ("global int *x", "<size=8 range=1:0:4>", "5:15: error: the range never ends"),
        ("global int *x", "<size=8 range=1:4>", "5:15: error: '1:4' is no range"),
        ("global int *x", "<null size=4>", "5:1: error: 'null' stands alone"),
        ("global pair *x", "<size=8 fill=1>", "5:1: error: 'x' (global pair*) has no type that"),
        ("local int *x", "<size=0>", "5:1: error: local memory has at least 1 byte"),
    ],
)
def test_mistakes(tmp_path: Path, parameter: str, argument: str, message: str):
    with pytest.raises(SourceError) as error:
        read(tmp_path, parameter, argument)
    assert f"k.sim:{message}" in str(error.value)


def test_mistakes_in_the_head(tmp_path: Path):
    path = tmp_path / "x.sim"
    for text, message in (
        ("", "x.sim:1:1: error: the file ends; expected the name of a program file"),
        ("k.cl k 8 1", "x.sim:1:1: error: the file ends; expected the global size: three numbers"),
        ("k.cl k 8 1 -1", "x.sim:1:12: error: '-1' is no global size; expected a positive number"),
    ):
        path.write_text(text)
        with pytest.raises(SourceError) as error:
            SimFile(path)
        assert message in str(error.value)
    with pytest.raises(PolyclError, match="cannot open '.*missing.sim'"):
        SimFile(tmp_path / "missing.sim")


@pytest.mark.parametrize(
    ("array", "is_hex", "expected"),
    [
        (np.array([1, -2], np.int32), False, ["1", "-2"]),
        (np.array([1, -2], np.int32), True, ["0x00000001", "0xfffffffe"]),
        (np.array([1, -2], np.int8), True, ["0x01", "0xfffffffe"]),
        (np.array([200], np.uint8), False, ["200"]),
        (
            np.array([0.1, 1e10, 100000, -0.0, np.inf], np.float32),
            False,
            "0.1 1e+10 100000 -0 inf".split(),
        ),
        (np.array([1 / 3]), False, ["0.333333"]),
    ],
)
def test_dumps(array: Any, is_hex: bool, expected: list[str]):
    lines = dump(SimArgument("x", array, array.dtype, True, is_hex)).splitlines()
    assert lines[:2] == ["", f"Argument 'x': {array.nbytes} bytes"]
    assert [line.partition(" = ")[2] for line in lines[2:]] == expected
