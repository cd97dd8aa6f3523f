"""Reproducers: the module before a pass that failed, with the remaining passes.

A tool chooses the folder; without a folder none are written:

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
    """Failing passes inside the `with` block write a file in `folder`; None: they write none."""
    token = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(token)


def reproducers_wanted() -> bool:
    """Whether a failing pass writes a file, so that its input must be kept."""
    return _folder.get() is not None


def leave_reproducer(before: ModuleOp, passes: Sequence[ModulePass], error: BaseException) -> None:
    """Writes `before`, on which the first of `passes` raised `error`, and adds a note to the error.

    The file is named by the pass and a checksum of the content, so the same failure gives the same
    file. If the file cannot be written, the note says so.
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
    # Generic syntax with locations can be read back for all operations.
    Printer(stream, print_generic_format=True, print_debuginfo=True).print_op(before)
    spec = ",".join(str(step.spec()) for step in passes)
    what = one_line(error) or type(error).__name__
    return f"{_TITLE}: {what}\n// passes: {spec}\n{stream.getvalue()}\n"


def passes_of_reproducer(text: str) -> str | None:
    """The passes of a reproducer, as `-p` takes them; None if `text` is not a reproducer."""
    if not text.startswith(_TITLE):
        return None
    found = _PASSES.search(text)
    return None if found is None else found["spec"]
