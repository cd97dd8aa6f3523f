"""`ocl-run --plot`: the files that it writes, and what it refuses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from polycl.errors import PolyclError
from polycl.tools.ocl_run import run

CONV2D = str(Path(__file__).with_name("conv2d.cl"))
LAUNCH = "--global 96x36 --local 32x12 --arg width=96 --arg height=36 --arg size=7".split()


def plot(*arguments: str, launch: Sequence[str] = LAUNCH) -> None:
    run([CONV2D, *launch, *arguments])


@pytest.mark.parametrize("kind", ["codelets", "domain", "access", "dispatch"])
def test_each_kind_as_each_file(kind: str, tmp_path: Path):
    for suffix, start in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        path = tmp_path / f"{kind}{suffix}"
        plot("--plot-kind", kind, "--plot", str(path))
        assert path.read_bytes().startswith(start)
    with Image.open(tmp_path / f"{kind}.png") as image:
        assert min(image.size) > 300
        colours = image.convert("RGB").getcolors(1 << 24)
        assert colours is not None
        assert len(colours) > 50


def test_the_same_picture_is_the_same_file(tmp_path: Path):
    for suffix in ("svg", "png", "pdf"):
        for name in ("a", "b"):
            plot("--plot", str(tmp_path / f"{name}.{suffix}"))
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


def test_a_table_is_printed_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    plot("--plot-kind", "table")
    printed = capsys.readouterr().out
    assert "@conv2d_0_x  interior" in printed
    plot("--plot-kind", "table", "--plot", str(tmp_path / "table.txt"))
    assert (tmp_path / "table.txt").read_text(encoding="utf-8") == printed


def test_the_kernel_does_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    plot("--plot", str(tmp_path / "a.svg"))
    assert capsys.readouterr().out == ""


def test_options_choose_what_is_drawn(tmp_path: Path):
    path = tmp_path / "a.svg"
    plot("--plot", str(path), "--plot-option", "subkernel=conv2d_0_y", "--plot-option", "width=4")
    assert "@conv2d_0_y: 96 × 36 work-items in groups of 32 × 12, vectors of 4" in path.read_text()
    chosen = ["array=mask", "tile=1", "group=1x2", "at.y=5", "at.k=2", "at.k2=3"]
    options = [word for option in chosen for word in ("--plot-option", option)]
    plot("--plot", str(path), "--plot-kind", "access", *options)
    # Row 3 and column 2 of the mask.
    assert "y = 5, k = 2, k2 = 3" in path.read_text()
    assert ">23</text>" in path.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--plot a.jpg", r"'a.jpg': expected a name in .svg, .png, .pdf"),
        ("--plot /nowhere/a.svg", "cannot write '/nowhere/a.svg': No such file"),
        ("--plot-kind access", "expected --plot access.svg"),
        ("--plot a.svg --plot-kind codelet", r"unknown kind 'codelet'; did you mean 'codelets'"),
        ("--plot a.svg --plot-kind table", "a table is a text"),
        ("--plot a.svg --plot-option tile=1", "unknown option 'tile' .those of codelets: width"),
        ("--plot a.svg --plot-option width", "expected KEY=VALUE"),
        ("--plot a.svg --plot-option width=x", "width=x: expected a number"),
        ("--plot a.svg --plot-kind domain --plot-option dims=x", "expected two names"),
        ("--plot a.svg --plot-kind domain --plot-option group=a", "group=a: expected N, NxM"),
        ("--plot a.svg --plot-kind dispatch --plot-option x=L0", "expected x=NAME:FIRST..LAST"),
    ],
)
def test_errors(arguments: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PolyclError, match=message):
        plot(*arguments.split())
    assert list(tmp_path.iterdir()) == []


def test_launches_that_cannot_be_drawn(tmp_path: Path):
    file = ["--plot", str(tmp_path / "a.svg")]
    with pytest.raises(PolyclError, match="no dimension of the local size 4x4x1"):
        plot(*file, launch=[*LAUNCH[:3], "4x4", *LAUNCH[4:]])
    with pytest.raises(PolyclError, match="depend on the argument 'width'; give its value"):
        plot(*file, launch=LAUNCH[:4])


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    plot("--plot", str(tmp_path / "a.svg"))
    with pytest.raises(PolyclError, match=r"needs matplotlib: pip install 'polycl\[explore\]'"):
        plot("--plot", str(tmp_path / "a.png"))
