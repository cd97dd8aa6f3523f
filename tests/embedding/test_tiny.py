"""The project's own tests; they need it and polycl installed, nothing else."""

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from xdsl.xdsl_opt_main import xDSLOptMain

import polycl

KERNEL = """
ocl.kernel @square(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  tiny.square %x : !ocl.ptr<f32, global>
  ocl.return
}
"""


def run_xdsl_opt(text: str, passes: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """What plain `xdsl-opt` prints."""
    path = tmp_path / "in.mlir"
    path.write_text(text)
    out = StringIO()
    monkeypatch.setattr("sys.stdout", out)
    xDSLOptMain(args=[str(path), "-p", passes]).run()
    return out.getvalue()


def test_both_dialects_parse(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    text = run_xdsl_opt(KERNEL, "", monkeypatch, tmp_path)
    assert "tiny.square %x : !ocl.ptr<f32, global>" in text
    assert run_xdsl_opt(text, "", monkeypatch, tmp_path) == text


def test_own_pass_makes_ocl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    text = run_xdsl_opt(KERNEL, "tiny-to-ocl", monkeypatch, tmp_path)
    assert "ocl.global_id 0 : index" in text
    assert "tiny." not in text


def test_one_pipeline_of_both_projects_passes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    text = run_xdsl_opt(KERNEL, "tiny-to-ocl,ocl-to-wg", monkeypatch, tmp_path)
    assert "wg.func @square" in text
    assert "wg.parallel" in text


def test_the_kernel_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    text = run_xdsl_opt(KERNEL, "tiny-to-ocl", monkeypatch, tmp_path)
    x = np.arange(8, dtype=np.float32)
    polycl.load(text).kernel("square")(x, global_size=8, device=polycl.device("interp"))
    np.testing.assert_array_equal(x, np.arange(8, dtype=np.float32) ** 2)
