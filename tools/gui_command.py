"""`polycl gui`: xDSL's own terminal program xdsl-gui, with polycl's dialects and passes."""

from __future__ import annotations

import argparse
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polycl.errors import PolyclError

if TYPE_CHECKING:
    from xdsl.interactive.app import InputApp


def add_gui(commands: Any) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "gui",
        help="xdsl-gui with all dialects and passes, in the terminal",
        description="Compose a pipeline in the terminal: xDSL's xdsl-gui, which itself knows the "
        "dialects and passes of xDSL only.",
    )
    parser.add_argument("file", nargs="?", help="a .cl or .mlir file")
    parser.add_argument("-p", "--passes", default="", help="passes to start with")
    parser.set_defaults(run=lambda args: gui_app(args).run())


def gui_app(args: argparse.Namespace) -> InputApp:
    """The program for a command line.

    Raises:
        PolyclError: the package is missing, or the file cannot be read.
    """
    try:
        from xdsl.interactive.app import InputApp
    except ImportError:
        raise PolyclError("polycl gui needs the extra of xDSL: pip install 'xdsl[gui]'") from None
    # Late: other commands do not need them.
    from xdsl.universe import Universe

    from polycl.tools.pipeline_spec import parse_passes

    everything = Universe.get_multiverse()
    passes = parse_passes(everything.all_passes, args.passes)
    return InputApp(
        tuple(everything.all_dialects.items()),
        tuple((name, make()) for name, make in sorted(everything.all_passes.items())),
        args.file,
        None if args.file is None else _text(args.file),
        passes,
    )


def _text(file: str) -> str:
    """A file as MLIR text that xDSL's own parser reads."""
    from xdsl.printer import Printer

    from polycl.runtime.program import load

    stream = StringIO()
    Printer(stream).print_op(load(Path(file)).module)
    return stream.getvalue()
