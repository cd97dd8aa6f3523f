"""ocl-run in this process on a device that computes nothing: options, arguments, files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from polycl.backends.device import LocalMemory
from polycl.errors import PolyclError
from polycl.tools.ocl_run import run

KERNELS = """
ocl.kernel @add(%y: !ocl.ptr<f32, global> {ocl.name = "y", ocl.type = "float*"},
                %x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*", ocl.const},
                %n: i32 {ocl.name = "n", ocl.type = "uint"}) {
  ocl.return
}
ocl.kernel @blur(%out: !ocl.ptr<vector<4xi8>, global> {ocl.name = "out", ocl.type = "uchar4*"},
                 %in: !ocl.ptr<vector<4xi8>, constant> {ocl.name = "in", ocl.type = "uchar4*"},
                 %w: vector<3xf32> {ocl.name = "w", ocl.type = "float3"},
                 %t: !ocl.ptr<f32, local> {ocl.name = "tile", ocl.type = "float*"}) {
  ocl.return
}
ocl.kernel @grey(%out: !ocl.ptr<f32, global> {ocl.name = "out", ocl.type = "float*"},
                 %in: !ocl.ptr<i8, global> {ocl.name = "in", ocl.type = "uchar*"}) {
  ocl.return
}
ocl.kernel @bodies(%b: !ocl.ptr<!ocl.struct<"body", {p: vector<4xf32>, m: i8}>, global>
                       {ocl.name = "b", ocl.type = "body*"},
                   %v: !ocl.struct<"s", {p: vector<2xf32>, m: !ocl.array<3 x i8>}>
                       {ocl.name = "v", ocl.type = "s"}) {
  ocl.return
}
"""

Run = Callable[..., None]


@pytest.fixture
def ocl_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorder: Any) -> Run:
    """Runs `ocl-run k.mlir --kernel NAME --device recorder OPTIONS` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    Path("k.mlir").write_text(KERNELS)

    def call(kernel: str, *options: str) -> None:
        run(["k.mlir", "--kernel", kernel, "--device", "recorder", *options])

    return call


ADD = ("--global", "8", "--arg", "x=iota:f32:8", "--arg", "y=zeros:f32:8", "--arg", "n=8")


def test_arguments(ocl_run: Run, recorder: Any) -> None:
    ocl_run("add", *ADD, "--local", "4", "--offset", "2")
    [launch] = recorder.launches
    assert launch.ndrange.local_size == (4, 1, 1)
    assert launch.ndrange.global_offset == (2, 0, 0)
    assert launch.args[1].tolist() == list(range(8))
    assert launch.args[2] == b"\x08\0\0\0"


@pytest.mark.parametrize("size", ["4x6", "4,6"])
def test_vectors_local_memory_and_pictures(ocl_run: Run, recorder: Any, size: str) -> None:
    Image.new("RGB", (4, 6), (1, 2, 3)).save("p.png")
    data = ("--arg", "in=@p.png", "--arg", "out=like:in", "--arg", "w=1,2,3")
    ocl_run("blur", "--global", size, "--local", "2x2", *data, "--arg", "tile=local:64")
    out, image, weights, tile = recorder.launches[0].args
    assert recorder.launches[0].ndrange.global_size == (4, 6, 1)
    assert image.shape == out.shape == (6, 4, 4)
    assert image[0, 0].tolist() == [1, 2, 3, 255]
    assert np.frombuffer(weights, np.float32).tolist() == [1, 2, 3, 0]
    assert tile == LocalMemory(64)


def test_pictures_become_what_the_parameter_takes(ocl_run: Run, recorder: Any) -> None:
    Image.new("RGB", (4, 6), (255, 255, 255)).save("p.PNG")
    size = ("--global", "4")
    ocl_run("grey", *size, "--arg", "in=@p.PNG", "--arg", "out=like:in")
    ocl_run("grey", *size, "--arg", "in=@p.PNG:u8", "--arg", "out=@p.PNG:f32", "--out", "out=o.png")
    first, second = (launch.args for launch in recorder.launches)
    assert [(a.dtype, a.shape) for a in first] == [("f4", (6, 4, 3)), ("u1", (6, 4, 3))]
    assert [(a.dtype, a.shape) for a in second] == [("f4", (6, 4)), ("u1", (6, 4))]
    assert np.asarray(Image.open("o.png")).tolist() == [[255] * 4] * 6


def test_output_files(ocl_run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("y.npy", np.arange(8, dtype=np.float32))
    ocl_run("add", *ADD[:4], "--arg", "y=@y.npy", "--arg", "n=0", "--out", "y=y.npy")
    expected = np.arange(8, dtype=np.float32).view(np.uint8) + 1
    assert (np.load("y.npy").view(np.uint8) == expected).all()
    assert sorted(p.name for p in Path().iterdir()) == ["k.mlir", "y.npy"]
    assert capsys.readouterr().out.endswith("\nwrote y.npy (y)\n")


def test_printed_values(ocl_run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    ocl_run("add", *ADD, "--print", "x[:3]", "--print", "x[5]", "--print", "x[-1:4:-2]")
    assert capsys.readouterr().out.endswith(
        "x[:3] = [0. 1. 2.]\nx[5] = 5.0\nx[-1:4:-2] = [7. 5.]\n"
    )


def test_timing_runs_on_copies(
    ocl_run: Run, recorder: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ocl_run("add", *ADD, "--time", "5", "--out", "y=y.npy")
    assert len(recorder.launches) == 6
    assert (np.load("y.npy").view(np.uint8) == 1).all()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "add on recorder: global size 8, local size 8"
    assert [line.split()[0] for line in lines[1:5]] == ["import", "compile", "first", "5"]
    assert lines[4].endswith(" median")


def test_comparison(
    ocl_run: Run, recorder: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ocl_run("add", *ADD, "--compare", "recorder")
    assert "  y: bit-identical (recorder and recorder)\n" in capsys.readouterr().out
    executed: list[int] = []
    original = type(recorder).compile

    def compile_differently(device: Any, *args: Any) -> Any:
        executable = original(device, *args)
        execute = executable.run

        def run_differently(values: Any, ndrange: Any) -> None:
            execute(values, ndrange)
            executed.append(1)
            if len(executed) == 2:
                values[0][3] = np.nextafter(values[0][3], np.float32(1))

        executable.run = run_differently
        return executable

    monkeypatch.setattr(type(recorder), "compile", compile_differently)
    with pytest.raises(PolyclError) as error:
        ocl_run("add", *ADD, "--compare", "recorder", "--out", "y=y.npy")
    assert str(error.value) == (
        "the results of recorder and recorder differ by 1 ULP; --tolerance allows 0"
    )
    assert not Path("y.npy").exists()
    assert "y: 1 of 8 elements differ, by at most 1 ULP" in capsys.readouterr().out
    executed.clear()
    ocl_run("add", *ADD, "--compare", "recorder", "--out", "y=y.npy", "--tolerance", "1")
    assert Path("y.npy").exists()


def test_seeds(ocl_run: Run, recorder: Any) -> None:
    data = ("--global", "8", "--arg", "x=rand:f32:8", "--arg", "y=rand:f32:8", "--arg", "n=1")
    for seed in ((), (), ("--seed", "1"), ("--seed", "1"), ("--seed", "2")):
        ocl_run("add", *data, *seed)
    xs = [launch.args[1].tolist() for launch in recorder.launches]
    assert xs[0] == xs[1] != xs[2] == xs[3] != xs[4] != xs[0]
    assert all(
        x != launch.args[0].tolist() for x, launch in zip(xs, recorder.launches, strict=True)
    )


def test_lists_kernels(ocl_run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run(["k.mlir", "--list"])
    assert capsys.readouterr().out.startswith(
        "add\n"
        "  y  float*  global             float32\n"
        "  x  float*  global  read only  float32\n"
        "  n  uint    value              uint32\n"
        "\n"
        "blur\n"
    )


@pytest.mark.parametrize(
    ("kernel", "options", "message"),
    [
        ("add", (), "which index space? expected --global N, NxM or NxMxK"),
        (
            "add",
            ("--global", "8"),
            "kernel 'add': no --arg for parameter 'y' (global float*); for example "
            "--arg y=rand:f32:8 (missing, too: 'x', 'n')",
        ),
        (
            "add",
            ADD[:-2],
            "kernel 'add': no --arg for parameter 'n' (uint); for example --arg n=1",
        ),
        (
            "bodies",
            ("--global", "8"),
            "kernel 'bodies': no --arg for parameter 'b' (global body*); for example "
            "--arg b='rand:{p:f32x4,m:i8}:8' (missing, too: 'v')",
        ),
        (
            "bodies",
            ("--global", "8", "--arg", "b=null"),
            "kernel 'bodies': no --arg for parameter 'v' (s); for example "
            "--arg v='{p:f32x2,m:i8[3]}((0,0),(0,0,0))'",
        ),
        ("add", (*ADD, "--arg", "z"), "--arg z: expected --arg NAME=VALUE"),
        (
            "add",
            (*ADD, "--arg", "m=1"),
            "--arg m=1: unknown parameter 'm' (those of kernel 'add': y, x, n)",
        ),
        ("add", (*ADD, "--arg", "n=1"), "--arg: 'n' is given twice"),
        ("add", (*ADD, "--out", "n=n.npy"), "--out n: this argument is not an array"),
        ("add", (*ADD, "--out", "y=y.txt"), "cannot write 'y.txt': expected a .npy or .png file"),
        (
            "add",
            (*ADD, "--out", "y=o.npy", "--out", "x=o.npy"),
            "--out: two arrays would be written to 'o.npy'",
        ),
        ("add", (*ADD, "--out", "y=no/y.npy"), "cannot write 'no/y.npy': there is no folder 'no'"),
        (
            "add",
            (*ADD, "--out", "y=y.png"),
            "cannot write 'y' to 'y.png': a picture has shape (height, width) or (height, width, "
            "1 to 4 channels), not 8",
        ),
        (
            "add",
            (*ADD, "--print", "y[a]"),
            "--print y[a]: expected NAME or NAME[INDEX], say y[:8] or m[0, 2:4]",
        ),
        (
            "add",
            (*ADD, "--print", "y[8]"),
            "--print y[8]: index 8 is out of bounds for axis 0 with size 8 (the shape is 8)",
        ),
        (
            "add",
            ("--tolerance", "nan"),
            "argument --tolerance: 'nan' is not a number of ULP; see 'ocl-run --help'",
        ),
        ("add", (*ADD, "--tolerance", "1"), "--tolerance needs --compare or --check-each-pass"),
        (
            "add",
            (*ADD, "--compare", "abacus"),
            "unknown device 'abacus' (the devices: cpu, cuda, interp, opencl, tta)",
        ),
        (
            "add",
            (*ADD[:-1], "n=1.5"),
            "kernel 'add', parameter 'n' (uint): expected an integer, got float 1.5; "
            "convert it with int()",
        ),
        (
            "grey",
            ("--global", "8", "--arg", "in=like:out", "--arg", "out=null"),
            "kernel 'grey', parameter 'in' (global uchar*): cannot read 'like:out': 'out' is not "
            "an array argument of this launch",
        ),
        (
            "add",
            ("--global", "64y64"),
            "argument --global: '64y64' is not a size; expected N, NxM or NxMxK; see "
            "'ocl-run --help'",
        ),
        (
            "add",
            ("--time", "0"),
            "argument --time: '0' is not a positive number; see 'ocl-run --help'",
        ),
        ("ad", (), None),
    ],
)
def test_mistakes(
    ocl_run: Run, recorder: Any, kernel: str, options: tuple[str, ...], message: str | None
) -> None:
    with pytest.raises(PolyclError) as error:
        ocl_run(kernel, *options)
    if message is not None:
        assert str(error.value) == message
    assert "\n" not in str(error.value)
    assert not recorder.launches
    assert [p.name for p in Path().iterdir()] == ["k.mlir"]


def test_examples_in_messages_fit(ocl_run: Run, recorder: Any) -> None:
    value = "{p:f32x2,m:i8[3]}((0,0),(0,0,0))"
    ocl_run("bodies", "--global", "8", "--arg", "b=rand:{p:f32x4,m:i8}:8", "--arg", f"v={value}")
    assert recorder.launches[0].args[1] == bytes(16)


def test_device_options(ocl_run: Run) -> None:
    for option in (("--threads", "2"), ("--no-contract",)):
        with pytest.raises(PolyclError, match="device 'interp' has no option '"):
            run(["k.mlir", "--kernel", "add", *ADD, "--device", "interp", *option])
