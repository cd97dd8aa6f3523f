"""Reproducers: the module before a pass that failed, with the passes that were left to run.

A tool says where they go; without it none are written:

    with reproducers(folder):
        ...

`ocl-opt FILE --run-reproducer` runs one again.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from io import StringIO
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from polycl.diagnostics import one_line

_TITLE = "// polycl reproducer"
_PASSES = re.compile(r"^// passes: (?P<spec>.*)$", re.MULTILINE)

_folder: ContextVar[Path | None] = ContextVar("polycl_reproducers", default=None)


@contextmanager
def reproducers(folder: Path | None) -> Generator[None]:
    """Failing passes inside the `with` block leave a file in `folder`; None: they leave none."""
    token = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(token)


def reproducers_wanted() -> bool:
    """Whether a failing pass leaves a file: for those who must keep a module for it."""
    return _folder.get() is not None


def leave_reproducer(before: ModuleOp, passes: Sequence[ModulePass], error: BaseException) -> None:
    """Writes `before`, on which the first of `passes` raised `error`, and notes where on it.

    The name of the file says the pass and a checksum of the content: the same failure has the
    same file. What goes wrong here is noted, too: the error itself is more important.
    """
    folder = _folder.get()
    if folder is None:
        return
    name = passes[0].name
    try:
        text = reproducer_text(before, passes, error)
        path = folder / f"{name}-{zlib.crc32(text.encode()):08x}.mlir"
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        error.add_note(f"note: no reproducer of pass '{name}' was written: {problem}")
    else:
        error.add_note(
            f"note: reproducer of pass '{name}': {path}; run it by: ocl-opt {path} --run-reproducer"
        )


def reproducer_text(before: ModuleOp, passes: Iterable[ModulePass], error: BaseException) -> str:
    """The content of a reproducer: comments, then the module in generic syntax."""
    stream = StringIO()
    # Generic syntax and locations: it reads back whatever an operation's own syntax is.
    Printer(stream, print_generic_format=True, print_debuginfo=True).print_op(before)
    spec = ",".join(str(step.spec()) for step in passes)
    what = one_line(error) or type(error).__name__
    return f"{_TITLE}: {what}\n// passes: {spec}\n{stream.getvalue()}\n"


def passes_of_reproducer(text: str) -> str | None:
    """The passes that a reproducer says, as `-p` takes them; None where `text` is none."""
    if not text.startswith(_TITLE):
        return None
    found = _PASSES.search(text)
    return None if found is None else found["spec"]
