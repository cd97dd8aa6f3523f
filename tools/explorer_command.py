"""`polycl explorer`: a kernel on each level between its source and machine code, in the browser."""

from __future__ import annotations

import argparse
import secrets
import webbrowser
from pathlib import Path
from typing import Any

from polycl.columns import EXPLORER_SESSIONS
from polycl.runtime.devices import device
from polycl.runtime.program import CPP_SUFFIX
from polycl.tools.cl_options import add_cl_options, cl_options
from polycl.tools.driver import UsageError, add_safety_options, quiet_parser, safely
from polycl.tools.explorer_session import Session, text_of, three_ids
from polycl.tools.run_devices import machine_options
from polycl.tools.run_options import add_machine_options, sizes

_EMPTY = """\
kernel void scale(global const float *x, global float *y, float factor) {
  int i = get_global_id(0);
  y[i] = factor * x[i];
}
"""
"""What is shown without a file."""

EXAMPLE = """\
example:
  polycl explorer examples/blur.cl
  polycl explorer examples/blur.cl --export blur.html
"""


def add_explorer(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command to those of `polycl`."""
    _add_options(
        commands.add_parser(
            "explorer",
            help="show a kernel after each pass, in the browser",
            description="Show a kernel on every level between its source and machine code: what "
            "each pass changed, what became of each source line, and what passes say of it.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog=EXAMPLE,
        )
    )


def _add_options(parser: argparse.ArgumentParser) -> None:
    quiet_parser(parser, "polycl explorer")
    parser.set_defaults(run=_run)
    add = parser.add_argument
    add("file", metavar="FILE", nargs="?", help="a .cl or .mlir file (default: an example)")
    add("--kernel", metavar="NAME", help="which kernel (default: the first)")
    add("--global", dest="global_size", metavar="SIZE", type=sizes, help="1048576 or 64x64")
    add("--local", dest="local_size", metavar="SIZE", type=sizes, help="chosen if left out")
    add("--offset", metavar="IDS", type=sizes, help="first global id in each dimension")
    add(
        "--arg",
        metavar="NAME=SPEC",
        action="append",
        default=[],
        help="an argument, as for ocl-run; without sizes and arguments a launch is guessed",
    )
    add("--group", metavar="IDS", type=sizes, help="the work-group to look into (default: 0)")
    add("-p", "--pipeline", help="passes instead of the device's own, as ocl-opt -p takes them")
    add("--device", choices=("cpu", "tta"), default="cpu", help="cpu (default), or tta")
    add_machine_options(parser)
    add("--derive", metavar="FILE", help="show this derivation of the pattern program in FILE.mlir")
    add("--check", action="store_true", help="show races and other errors of the launch")
    add("--export", metavar="FILE.html", type=Path, help="write the page as a file, and exit")
    add("--port", type=int, default=0, help="of the server on this machine (default: a free one)")
    add("--no-browser", action="store_true", help="print the address only")
    add_cl_options(parser)
    add_safety_options(parser)


def _run(args: argparse.Namespace) -> None:
    with safely(args):
        found = (make()(args) for make in EXPLORER_SESSIONS.values())
        session, source = next(filter(None, found), None) or session_of(args)
        if args.export is not None:
            session.page(source).save(args.export)
            print(f"wrote {args.export}")
            return
        try:
            # Late: an extra of the package.
            from polycl.tools.explorer_server import explorer_app, serve
        except ImportError as error:
            raise UsageError(
                "the page with an editor needs Flask: pip install 'polycl[explorer]'; --export "
                "writes the page without one"
            ) from error
        token = secrets.token_urlsafe(16)

        def ready(address: str) -> None:
            print(f"{address}\nEnd with Ctrl-C.", flush=True)
            if not args.no_browser:
                webbrowser.open(address)

        serve(explorer_app(session, source, token), args.port, token, ready)


def session_of(args: argparse.Namespace) -> tuple[Session, str]:
    """What the command line says of a kernel, and the text of its file. Raises PolyclError."""
    source = _EMPTY if args.file is None else text_of(Path(args.file))
    file = args.file or "example.cl"
    language = "cl" if file.endswith(CPP_SUFFIX) else Path(file).suffix.removeprefix(".")
    if language not in ("cl", "mlir"):
        raise UsageError(f"'{file}': expected a .cl, {CPP_SUFFIX} or .mlir file")
    session = Session(
        file,
        language,
        cl_options(args),
        device(args.device, **machine_options(args)),
        args.kernel,
        args.global_size,
        args.local_size,
        args.offset,
        args.arg,
        three_ids(args.group),
        args.check,
        args.pipeline,
    )
    return session, source
