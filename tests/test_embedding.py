"""A second project (tests/embedding) on an installed polycl: its own tests pass."""

from __future__ import annotations

from pathlib import Path

EMBEDDING = Path(__file__).resolve().parent / "embedding"


def test_the_tests_of_the_embedding_project_pass(run_installed):
    done = run_installed(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(EMBEDDING)
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_ocl_opt_knows_the_embedding_dialect_and_pass(run_installed, tmp_path: Path):
    kernel = tmp_path / "k.mlir"
    kernel.write_text(
        'ocl.kernel @square(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {\n'
        "  tiny.square %x : !ocl.ptr<f32, global>\n"
        "  ocl.return\n"
        "}\n"
    )
    done = run_installed("-m", "polycl.tools.ocl_opt", str(kernel), "-p", "tiny-to-ocl")
    assert done.returncode == 0, done.stderr
    assert "ocl.store" in done.stdout
