"""`polycl rebuild`: a whole program in C, read, changed by passes, and built again."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from polycl.backends.host.build_program import build_program
from polycl.backends.pipeline import run_pipeline
from polycl.errors import PolyclError
from polycl.frontends.host import OPENCL_HEADERS, import_program
from polycl.tools.driver import quiet_parser

EXAMPLES = """\
examples:
  polycl rebuild main.c device.c -I include -p 'ppopencl{platform=intel-rt}' -o program
  polycl rebuild main.c device.c --print > program.mlir
  polycl rebuild main.c -o program -- input.txt    run it, too
"""


def add_rebuild(commands: Any) -> None:
    """Add the command to those of `polycl`."""
    parser = commands.add_parser(
        "rebuild",
        help="read a whole program in C, change it by passes, and build it again",
        description="Read all C files of a program that uses OpenCL, run passes over its host "
        "and kernels, and build it: main as -t opencl-host-c writes it, with the program's "
        "functions that use no OpenCL.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EXAMPLES,
    )
    quiet_parser(parser, "polycl rebuild")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-I", action="append", default=[], dest="include", metavar="DIR")
    parser.add_argument("-D", action="append", default=[], dest="define", metavar="NAME[=VALUE]")
    parser.add_argument("-k", action="append", default=[], dest="kernels", metavar="KERNELS.cl")
    parser.add_argument("-p", dest="passes", default="", metavar="PASSES")
    parser.add_argument("-o", dest="output", type=Path, metavar="PROGRAM")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the written C here")
    parser.add_argument("--link", action="append", default=[], metavar="FILE",
                        help="an object file, library or linker option of the program")  # fmt: skip
    parser.add_argument("--print", action="store_true", help="print the module and build nothing")
    parser.add_argument("arguments", nargs="*", metavar="-- ARGUMENTS", help="run it with these")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> None:
    options = [*(f"-I{folder}" for folder in args.include), *(f"-D{name}" for name in args.define)]
    files = [file for file in args.files if file.endswith(".c")]
    arguments = [*args.files[len(files) :], *args.arguments]
    module = import_program(files, options, args.kernels)
    if args.passes:
        run_pipeline(module, args.passes)
    module.verify()
    if args.print:
        print(module)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = args.keep or Path(place)
        program = args.output or folder / "program"
        build_program(module, folder, program, {}, options, args.link, headers=str(OPENCL_HEADERS))
        if args.output is not None and not arguments:
            print(f"wrote {args.output}")
            return
        status = subprocess.run([str(program.resolve()), *arguments]).returncode
    if status:
        raise PolyclError(f"the program ended with status {status}")
