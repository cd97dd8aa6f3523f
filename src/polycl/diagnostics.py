"""Turns xDSL's exceptions into errors `file:line:col: error: ...`, as those of clang."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError, VerifyException

from polycl.errors import PolyclError, SourceError, location_of


def one_line(text: object) -> str:
    """`text` with each sequence of white space as one blank."""
    return " ".join(str(text).split())


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """A message that `name` is no `kind`, with the nearest names that are."""
    near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.6)
    hint = f"; did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
    return f"unknown {kind} '{name}'{hint}"


def from_parse_error(error: ParseError, line_offset: int = 0) -> SourceError:
    """The `SourceError` for a parser's exception; `line_offset` lines precede its input."""
    span = error.span
    where = span.get_location()
    start = span.input.get_start_of_line(span.start)
    line = span.input.content[start : span.input.get_end_of_line(span.start)]
    text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    notes: list[str] = []
    if isinstance(error, MultipleSpansParseError):
        for ref, message in error.refs:
            at = ref.get_location()
            label = message or error.ref_text or "see here"
            notes.append(f"{at.file}:{at.line + line_offset}:{at.col}: note: {one_line(label)}")
    return SourceError(
        one_line(error.msg),
        where.file,
        where.line + line_offset,
        where.col,
        source_line=text.rstrip("\r"),
        notes=notes,
    )


def from_verify_error(module: ModuleOp, error: VerifyException, when: str = "") -> PolyclError:
    """The located error for `error`, which `module.verify()` raised; `when` ends the message."""
    op, error = _offender(module, error)
    # An error in the text of an attribute has its own caret.
    place: str | None = getattr(error.__cause__, "place", None)
    notes = [] if place is None else [place]
    if op is None:
        return PolyclError("\n".join([one_line(error) + when, *notes]))
    message = f"'{op.name}': {one_line(error)}{when}"
    where = location_of(op)
    if where is None:
        return PolyclError("\n".join([message, *notes, f"note: in {str(op).splitlines()[0]}"]))
    return SourceError(message, *where, notes=notes)


XDSL_FAILURES = (
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    NotImplementedError,
    TypeError,
    ValueError,
)
"""What xDSL's parsers and verifiers raise for some malformed operations, instead of an error."""


def verify_module(module: ModuleOp, when: str = "") -> None:
    """Verifies `module`; raises a `PolyclError` that names the operation and its location."""
    try:
        module.verify()
    except VerifyException as error:
        raise from_verify_error(module, error, when) from error
    except XDSL_FAILURES as error:
        raise from_verify_error(module, malformed(error), when) from error


def malformed(error: Exception) -> VerifyException:
    """The error for an operation that xDSL's verifier or parser cannot handle."""
    text = one_line(error)
    reason = f": {text}" if text else ""
    return VerifyException(f"is malformed, or on types that xDSL does not take{reason}")


def _offender(module: ModuleOp, error: VerifyException) -> tuple[Operation | None, VerifyException]:
    """The first operation that does not verify, and its exception.

    A `VerifyException` does not have its operation, so the operations are verified again.
    """
    for op in module.walk():
        try:
            op.verify(verify_nested_ops=False)
        except VerifyException as own:
            return op, own
        except XDSL_FAILURES as failure:
            return op, malformed(failure)
    return None, error
