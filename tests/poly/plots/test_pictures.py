"""The pictures of docs/poly/pictures.md are what its commands draw today."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest

from polycl.tools.ocl_run import run

DOCS = Path(__file__).resolve().parents[3] / "docs" / "poly"
PAGE = (DOCS / "pictures.md").read_text(encoding="utf-8")

SOURCES = re.findall(r"```c title=(\S+)\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"^\$ ocl-run ((?:.|\\\n)*? --plot (\S+)\.svg)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("command", "name"), COMMANDS, ids=[name for _, name in COMMANDS])
def test_the_page_shows_what_is_drawn(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for file, text in SOURCES:
        Path(file).write_text(text)
    run(shlex.split(command.replace("\\\n", " ")))
    drawn = Path(f"{name}.svg").read_text(encoding="utf-8")
    kept = (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == kept, f"draw docs/poly/pictures/{name}.svg again, look at it, and commit it"
    assert len(drawn) < 20_000
    ElementTree.fromstring(drawn)


def test_every_picture_is_on_a_page():
    shown = re.findall(r"\]\(pictures/(\S+?)\)", PAGE)
    assert sorted(shown) == sorted(f"{name}.svg" for _, name in COMMANDS)
    pages = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    for picture in (DOCS / "pictures").iterdir():
        assert f"(pictures/{picture.name})" in pages
