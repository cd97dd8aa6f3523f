"""What the site has beside docs/: pages made of the code (a hook of MkDocs, see mkdocs.yml).

- `reference/passes/NAME.md`: a pass, from its docstring and its lit test; `index.md`: all of them.
- `reference/dialects/NAME.md`: the types, attributes and operations of a dialect, from their
  docstrings.
- `reference/api.md`: the names of `polycl`, from their docstrings (by mkdocstrings).
- the pages of the repository that are not in docs/ (README.md is the home page), and, for each
  other file of the repository that a page links to, `source/PATH.md` with its text.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from xdsl.ir import Dialect

import polycl
from polycl.universe import DIALECTS, PASSES

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "ROADMAP.md": "roadmap.md",
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples.md",
}
"""Pages outside of docs/, and their places on the site."""

PLACES = {site: source for source, site in PAGES.items()}

BY_HAND = {
    "poly": "poly/dialect.md",
    "pattern": "pattern/dialect.md",
    "host": "host/dialect.md",
    "tta": "tta/dialect.md",
}
"""The pages of dialects that are not `dialects/NAME.md`."""

LANGUAGES = {"mlir": "rust", "cl": "c"}
"""The highlighter's names of languages that it knows under another one, or not at all: its lexer
for LLVM IR finds an error in every word of MLIR, that for Rust none."""

_FENCE = re.compile(r"(\s*`{3,})(\S*)(.*)")
_TITLE = re.compile(r"title=(\S+)")
_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)]*)?\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that are made of the repository."""
    pages = dict(_reference())
    for source, place in PAGES.items():
        pages[place] = (ROOT / source).read_text(encoding="utf-8")
    texts = {file.src_uri: file.content_string for file in files.documentation_pages()}
    for place, text in (texts | pages).items():
        for path in _linked(text, PLACES.get(place, f"docs/{place}")):
            pages.setdefault(*_source_page(path))
    for place, text in pages.items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrites links to files of the repository as links to their pages."""
    place = page.file.src_uri
    source = PLACES.get(place, f"docs/{place}")

    def rewritten(match: re.Match[str]) -> str:
        path = _target(match[2], source)
        if path is None or (path.startswith("docs/") and source.startswith("docs/")):
            return match[0]
        target = _place(path)
        return match[1] + posixpath.relpath(target, posixpath.dirname(place) or ".") + match[3]

    return "".join(
        _highlighted(text) if is_code else _LINK.sub(rewritten, text)
        for is_code, text in _parts(markdown)
    )


def _highlighted(block: str) -> str:
    """A fenced block whose first line is as MkDocs reads it: a language, and a title in quotes."""
    first, newline, rest = block.partition("\n")
    opening = _FENCE.fullmatch(first)
    assert opening is not None
    fence, language, words = opening.groups()
    title = _TITLE.search(words)
    shown = f' title="{title[1]}"' if title else ""
    return f"{fence}{LANGUAGES.get(language, language)}{shown}{newline}{rest}"


def _parts(markdown: str) -> Iterator[tuple[bool, str]]:
    """The text in pieces: whether a piece is a fenced block, and the piece."""
    piece: list[str] = []
    inside = False
    for line in markdown.splitlines(keepends=True):
        is_fence = line.lstrip().startswith("```")
        if is_fence and not inside:
            yield False, "".join(piece)
            piece, inside = [line], True
        elif is_fence:
            yield True, "".join((*piece, line))
            piece, inside = [], False
        else:
            piece.append(line)
    yield inside, "".join(piece)


def _target(link: str, source: str) -> str | None:
    """The path in the repository of what a page links to; None for other sites."""
    if "://" in link or link.startswith("mailto:"):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), link))


def _linked(text: str, source: str) -> Iterator[str]:
    """The files and folders outside of docs/ that a page links to."""
    for is_code, part in _parts(text):
        for match in () if is_code else _LINK.finditer(part):
            path = _target(match[2], source)
            if path is None or path in PAGES or path.startswith("docs/"):
                continue
            if not (ROOT / path).exists():
                raise FileNotFoundError(f"{source} links to {path}, which does not exist")
            yield path


def _place(path: str) -> str:
    """Where on the site a path of the repository is."""
    if path in PAGES:
        return PAGES[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return f"source/{path}.md"


def _source_page(path: str) -> tuple[str, str]:
    """The page of a file, or of a folder."""
    real = ROOT / path
    if real.is_dir():
        names = sorted(p.name + "/" * p.is_dir() for p in real.iterdir() if p.name[0] not in "._")
        body = "\n".join(f"- `{name}`" for name in names)
    elif real.suffix in (".jpg", ".png"):
        body = "A picture of the repository."
    else:
        body = _fenced(real.read_text(encoding="utf-8"), real.suffix.removeprefix("."))
    return _place(path), f"# `{path}`\n\n{body}\n"


def _fenced(text: str, language: str = "") -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _reference() -> Iterator[tuple[str, str]]:
    rooms: dict[str, list[str]] = {}
    for name, late in sorted(PASSES.items()):
        cls = late()
        source = Path(inspect.getfile(cls)).resolve().relative_to(ROOT)
        room = "/".join(source.parts[:2])
        summary = (inspect.getdoc(cls) or "").partition("\n\n")[0].replace("\n", " ")
        rooms.setdefault(room, []).append(f"| [`{name}`]({name}.md) | {summary} |")
        yield f"reference/passes/{name}.md", _pass_page(name, cls, source)
    tables = [
        f"## {room}\n\n| pass | |\n|---|---|\n" + "\n".join(rows)
        for room, rows in sorted(rooms.items())
    ]
    yield "reference/passes/index.md", "# All passes\n\n" + "\n\n".join(tables) + "\n"
    for name, late in sorted(DIALECTS.items()):
        yield f"reference/dialects/{name}.md", _dialect_page(name, late())
    yield "reference/api.md", _api_page()


def _pass_page(name: str, cls: Any, source: Path) -> str:
    parts = [f"# {name}", inspect.getdoc(cls) or ""]
    options = [f for f in dataclasses.fields(cls) if f.init]
    if options:
        rows = [f"| `{f.name.replace('_', '-')}` | `{f.type}` | {_default(f)} |" for f in options]
        parts += ["## Options", "| option | type | default |\n|---|---|---|\n" + "\n".join(rows)]
    room = source.parent if source.stem != "__init__" else source.parent.parent
    tests = sorted((ROOT / "test" / "lit" / room).glob(f"{name.replace('-', '_')}.*"))
    if (ROOT / "docs" / "passes" / f"{name}.md").exists():
        parts.append(f"[This pass explained](../../passes/{name}.md).")
    parts.append(f"Its code is in `{source.as_posix()}`.")
    for test in tests:
        text = test.read_text(encoding="utf-8")
        parts += [
            "## Its test" if test is tests[0] else "",
            f"`{test.relative_to(ROOT).as_posix()}`: what the pass makes of each function is in the"
            " comments with `CHECK`.",
            _fenced(text, test.suffix.removeprefix(".")),
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default is not dataclasses.MISSING:
        return f"`{field.default}`"
    if field.default_factory is not dataclasses.MISSING:
        return f"`{field.default_factory()}`"
    return "must be given"


def _dialect_page(name: str, dialect: Dialect) -> str:
    by_hand = BY_HAND.get(name, f"dialects/{name}.md")
    parts = [
        f"# The dialect `{name}`: all definitions",
        f"[The page of this dialect](../../{by_hand}) explains what they are for.",
    ]
    for title, definitions in (
        ("Types and attributes", dialect.attributes),
        ("Operations", dialect.operations),
    ):
        entries = sorted(definitions, key=lambda definition: definition.name)
        if entries:
            parts.append(f"## {title}")
        for definition in entries:
            parts += [f"### `{definition.name}`", inspect.getdoc(definition) or ""]
            fmt = getattr(definition, "assembly_format", None)
            if isinstance(fmt, str):
                parts += ["Syntax:", _fenced(fmt)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _api_page() -> str:
    """Every public name of `polycl`, where it is defined."""
    parts = ["# Python API, all names", "[The guide](../python-api.md) has examples."]
    for name in sorted(polycl.__all__, key=str.lower):
        value = getattr(polycl, name)
        if not callable(value):
            continue
        module = inspect.getmodule(value)
        assert module is not None
        parts.append(f"::: {module.__name__}.{value.__name__}")
    return "\n\n".join(parts) + "\n"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The repository is what the checkout is, wherever the command runs."""
    os.chdir(ROOT)
    return config
