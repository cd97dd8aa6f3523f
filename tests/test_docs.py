"""The examples in README.md and docs/ run, and print what the pages say.

Of the fenced blocks of a page, in order, in one empty folder that has links to the
repository's `examples` and `test` folders:

- any block with `title=NAME` in its first line becomes the file NAME;
- a `python` block is executed; with `>>>` prompts it is a doctest;
- a `console` block holds `$ ` commands, which the shell runs, and their output.

In expected output `...` stands for any text, as in doctests. `no-run` leaves a block out, and so
does `needs=TOOL` where the tool is not installed or may not be used: then the test is skipped.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import fork_server

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(p for p in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")) if p.is_file())
LINKED = [*PAGES, *(ROOT / f"{n}.md" for n in ("CHANGELOG", "CONTRIBUTING", "ROADMAP"))]
OPTIONS = doctest.ELLIPSIS
WATCHERS = ("gdb ", "perf ")

_FENCE = re.compile(r"(?P<indent> *)```(?P<info>\S.*)?$")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; `line` is the number of its first line of text."""

    page: Path
    line: int
    words: tuple[str, ...]
    text: str

    @property
    def kind(self) -> str:
        return self.words[0] if self.words else ""

    @property
    def title(self) -> str | None:
        titles = [w.removeprefix("title=") for w in self.words if w.startswith("title=")]
        return titles[0] if titles else None

    @property
    def missing(self) -> str | None:
        """Why it cannot run here; None: it can."""
        needed = (w.removeprefix("needs=") for w in self.words if w.startswith("needs="))
        return next((why for tool in needed if (why := _why_not(tool))), None)

    def where(self, line: int = 0) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line + line}"


@cache
def _why_not(tool: str) -> str | None:
    """Why a tool cannot be used on this machine; None: it can."""
    if shutil.which(tool) is None:
        return f"{tool} is not installed"
    if tool != "perf":
        return None
    command = ["perf", "record", "-q", "-e", "cpu-clock", "-o", os.devnull, "true"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return f"perf may not record here: {done.stderr.strip()}" if done.returncode else None


def blocks_of(page: Path) -> Iterator[Block]:
    """The fenced blocks of `page`, in order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    i = 0
    while i < len(lines):
        opening = _FENCE.match(lines[i])
        i += 1
        if opening is None:
            continue
        start = i
        while i < len(lines) and lines[i].strip() != "```":
            i += 1
        indent = len(opening["indent"])
        text = "".join(line[indent:] + "\n" for line in lines[start:i])
        i += 1
        yield Block(page, start + 1, tuple((opening["info"] or "").split()), text)


def run_python(block: Block, variables: dict[str, Any]) -> None:
    # Empty lines in front make the line numbers of a traceback those of the page.
    if ">>>" not in block.text:
        code = "\n" * (block.line - 1) + block.text
        exec(compile(code, str(block.page), "exec"), variables)
        return
    test = doctest.DocTestParser().get_doctest(
        block.text, {}, block.page.name, str(block.page), block.line - 1
    )
    test.globs = variables
    output: list[str] = []
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(test, out=output.append, clear_globs=False)
    if runner.failures:
        pytest.fail("".join(output), pytrace=False)


def run_console(block: Block) -> None:
    for line, command, expected in _commands(block):
        # A debugger or profiler looks into the process that it starts.
        loaded = not command.startswith(WATCHERS)
        done = subprocess.run(
            command,
            shell=True,
            env=_environment(loaded),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if not doctest.OutputChecker().check_output(expected, done.stdout, OPTIONS):
            pytest.fail(
                f"{block.where(line)}: $ {command}\nexpected:\n{expected}\ngot:\n{done.stdout}",
                pytrace=False,
            )


def _commands(block: Block) -> Iterator[tuple[int, str, str]]:
    """(line, command, expected output) of a console block."""
    found: list[tuple[int, str, str]] = []
    for number, line in enumerate(block.text.splitlines()):
        if line.startswith("$ "):
            found.append((number, line[2:], ""))
            continue
        assert found, f"{block.where(number)}: expected a line that begins with '$ '"
        start, command, expected = found[-1]
        if command.endswith("\\"):
            found[-1] = (start, f"{command}\n{line}", expected)
        else:
            found[-1] = (start, command, f"{expected}{line}\n")
    yield from found


def _environment(loaded: bool) -> dict[str, str]:
    """The installed tools come first; from a bare checkout, the scripts in tools/.

    With `loaded`, the installed tools run in forks of a process that has them loaded.
    """
    scripts = Path(sys.executable).parent
    folders = [str(scripts)]
    if not (scripts / "ocl-run").exists():
        folders.insert(0, str(ROOT / "tools"))
    elif loaded:
        folders.insert(0, _loaded_tools())
    return {**os.environ, "PATH": os.pathsep.join([*folders, os.environ.get("PATH", "")])}


@cache
def _loaded_tools() -> str:
    return fork_server.start({**os.environ})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("examples", "test"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    variables: dict[str, Any] = {"__name__": "__main__"}
    missing: list[str] = []
    for block in blocks_of(page):
        if "no-run" in block.words:
            continue
        if block.missing is not None:
            missing.append(f"{block.where()}: {block.missing}")
            continue
        if block.title is not None:
            Path(block.title).write_text(block.text)
        elif block.kind == "python":
            run_python(block, variables)
        elif block.kind == "console":
            run_console(block)
    if missing:
        pytest.skip("; ".join(missing))


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), f"{page.name}: no file {target}"
