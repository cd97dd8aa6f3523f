"""The documentation site is built: every page is in its list, and every link leads somewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from polycl.universe import DIALECTS, PASSES

ROOT = Path(__file__).resolve().parent.parent
# The site is built once, which takes half a minute, and longer beside other work.
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_each_pass_and_dialect_has_a_page(site: Path):
    for name in PASSES:
        page = (site / "reference" / "passes" / f"{name}.html").read_text()
        assert "Its code is in" in page
    for name in DIALECTS:
        assert (site / "reference" / "dialects" / f"{name}.html").exists()


def test_blocks_of_code_are_blocks(site: Path):
    """A fence with a title, or with words that only the tests read."""
    page = (site / "index.html").read_text()
    assert 'filename">reverse.cl</span>' in page
    assert "```" not in page
    assert "```" not in (site / "tta" / "device.html").read_text()


def test_files_of_the_repository_are_pages(site: Path):
    page = (site / "tta" / "dialect.html").read_text()
    assert "../source/examples/tta/minimal.adf.html" in page
    assert (site / "source" / "examples" / "tta" / "minimal.adf.html").exists()


def test_public_names_have_signatures(site: Path):
    page = (site / "reference" / "api.html").read_text()
    assert "global_size" in page
    assert 'id="polycl.runtime.program.load"' in page
