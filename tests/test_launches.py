"""LAUNCH lines are read as `launches` documents them."""

from __future__ import annotations

from pathlib import Path

import pytest

from launches import launches_of

KERNEL = "kernel void f(global float *x, int n) {}\n"


def read(tmp_path: Path, text: str):
    path = tmp_path / "k.cl"
    path.write_text(text)
    return launches_of(path)


def test_every_setting(tmp_path: Path):
    (launch,) = read(
        tmp_path,
        "// What it tests.\n"
        '// LAUNCH: global=16x8 local=4x8 offset=16x0 options="-DN=4 -DT=float" tolerance=4ulp\n'
        "//     args: x=zeros:f32:8\n"
        "//           n=3\n"
        "// A comment.\n" + KERNEL,
    )
    assert (launch.kernel, launch.line) == ("f", 2)
    assert (launch.global_size, launch.local_size) == ((16, 8), (4, 8))
    assert launch.global_offset == (16, 0)
    assert launch.options == ("-DN=4", "-DT=float")
    assert launch.build_options[-2:] == ["-I", str(tmp_path)]
    assert launch.tolerance == 4
    assert launch.specs == {"x": "zeros:f32:8", "n": "3"}
    assert launch.values()["n"] == 3
    assert str(launch) == "k:2"


def test_defaults(tmp_path: Path):
    first, second = read(
        tmp_path, f"// LAUNCH: global=8 args: x=zeros:f32:8 n=1\n// LAUNCH: global=4\n{KERNEL}"
    )
    assert (first.local_size, first.global_offset, first.tolerance) == (None, None, 0)
    assert second.specs == {}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("local=4", "the global size is missing"),
        ("global=4 colour=red", "unknown setting 'colour'"),
        ("global=4 tolerance=4", "expected tolerance=Nulp"),
        ("global=4 args: x", "expected NAME=VALUE, got 'x'"),
        ("global=axb", "invalid literal"),
    ],
)
def test_errors_say_where(tmp_path: Path, line: str, message: str):
    with pytest.raises(ValueError, match=r"k\.cl:1: .*" + message):
        read(tmp_path, f"// LAUNCH: {line}\n{KERNEL}")


def test_the_kernel_must_be_named_where_there_are_two(tmp_path: Path):
    with pytest.raises(ValueError, match="say which kernel of f, g"):
        read(tmp_path, f"// LAUNCH: global=4\n{KERNEL}kernel void g() {{}}\n")
