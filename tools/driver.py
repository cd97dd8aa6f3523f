"""Shared by the command lines: every failure is one diagnostic on stderr and exit code 1."""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError

from polycl.backends.limits import MAX_OPS, max_ops
from polycl.backends.reproducer import reproducers
from polycl.deep_calls import deep_calls
from polycl.diagnostics import from_parse_error, one_line
from polycl.errors import PolyclError, SourceError


class UsageError(PolyclError):
    """The command line itself is wrong."""


class InternalError(Exception):
    """An unexpected exception and its place; it is a bug of polycl."""


class Version(argparse.Action):
    """Prints the versions of polycl and xDSL, and exits."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(version_text(parser.prog))
        sys.exit(0)


def version_text(prog: str) -> str:
    """`ocl-run of polycl 0.1.0, built on xdsl 0.74.0, Python 3.11.7`"""
    own, xdsl = version("polycl"), version("xdsl")
    return f"{prog} of polycl {own}, built on xdsl {xdsl}, Python {platform.python_version()}"


def add_version(parser: argparse.ArgumentParser) -> None:
    """Adds --version."""
    parser.add_argument("--version", nargs=0, action=Version, help="print the version and exit")


def quiet_parser(parser: argparse.ArgumentParser, prog: str) -> None:
    """Makes `parser` call itself `prog` and raise `UsageError` instead of printing its usage."""

    def error(message: str) -> NoReturn:
        raise UsageError(f"{message}; see '{prog} --help'")

    parser.prog = prog
    parser.allow_abbrev = False
    parser.error = error


def non_negative(text: str) -> float:
    """A number of ULP, for argparse."""
    if not re.fullmatch(r"\d+(\.\d*)?", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of ULP")
    return float(text)


def run_tool(prog: str, body: Callable[[], int | None]) -> int:
    """Runs `body` and returns the exit code: its own (None is 0), or 1 after a diagnostic.

    With POLYCL_DEBUG=1 in the environment it also prints the traceback of any failure.
    """
    try:
        with deep_calls():
            code = body()
        sys.stdout.flush()
        return code or 0
    except BrokenPipeError:
        # The reader is gone (`| head`). Python must not try to flush again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except (Exception, ArgSpecParseError) as error:
        if os.environ.get("POLYCL_DEBUG", "0") not in ("", "0"):
            traceback.print_exc()
        print(describe(prog, error), *notes_of(error), sep="\n", file=sys.stderr)
        return 1


def notes_of(error: BaseException) -> list[str]:
    """The notes of `error` and of its causes."""
    notes: list[str] = []
    cause: BaseException | None = error
    while cause is not None:
        # xDSL's verifier adds the whole module as a note.
        notes += [n for n in getattr(cause, "__notes__", ()) if n.startswith("note: ")]
        cause = cause.__cause__
    return notes


def positive(text: str) -> int:
    """A positive integer, for argparse."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return int(text)


def add_safety_options(parser: argparse.ArgumentParser) -> None:
    """Adds --max-ops, --reproducer-dir and --no-reproducer; see `safely`."""
    parser.add_argument(
        "--max-ops",
        metavar="N",
        type=positive,
        default=MAX_OPS,
        help=f"refuse modules of more than N operations (default: {MAX_OPS})",
    )
    parser.add_argument(
        "--reproducer-dir",
        metavar="DIR",
        type=Path,
        default=Path(tempfile.gettempdir()) / "polycl-reproducers",
        help="where a pass that fails writes the module before it (default: polycl-reproducers "
        "in the system's folder for temporary files)",
    )
    parser.add_argument(
        "--no-reproducer", action="store_true", help="a pass that fails writes no file"
    )


@contextmanager
def safely(args: argparse.Namespace, *, expected: bool = False) -> Generator[None]:
    """Applies the limits and the folder for reproducers of `args`.

    Errors that are `expected` need no reproducer.
    """
    keep = not (args.no_reproducer or expected)
    with reproducers(args.reproducer_dir if keep else None), max_ops(args.max_ops):
        yield


def describe(prog: str, error: BaseException) -> str:
    """The diagnostic for `error`."""
    match error:
        case SourceError():
            return str(error)
        case PolyclError() | DiagnosticException():
            return f"{prog}: error: {error}"
        case ParseError():
            return str(from_parse_error(error))
        case ArgSpecParseError():
            return f"{prog}: error: {spec_error_text(error)}"
        case OSError() if error.filename is not None:
            return f"{prog}: error: cannot open '{error.filename}': {error.strerror}"
        case OSError():
            return f"{prog}: error: {error.strerror or error}"
        case RecursionError():
            return f"{prog}: error: the input is nested too deeply; split it into functions"
        case MemoryError():
            return f"{prog}: error: not enough memory: {one_line(error) or 'none is left'}"
        case InternalError():
            what = str(error)
        case _:
            what = exception_text(error)
    return (
        f"{prog}: internal error: {what}; this is a bug in polycl: "
        "please report it (POLYCL_DEBUG=1 shows the traceback)"
    )


def spec_error_text(error: ArgSpecParseError) -> str:
    """The message of a malformed `name{option=value}` text, with a caret under its place."""
    # xDSL's text: "Error parsing ...:", "pass-pipeline:LINE:COL", the input, the caret, message
    lines = str(error).splitlines()
    if len(lines) < 5:
        return one_line(error)
    return f"{lines[4].strip()}\n{lines[2]}\n{lines[3]}"


def exception_text(error: BaseException) -> str:
    """`Type: message` on one line."""
    text = one_line(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
