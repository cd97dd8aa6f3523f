"""ocl-opt: reads OpenCL C, host programs in C or MLIR text, runs passes over it, prints the result.

xDSL's `xdsl-opt` with frontends for `.cl` and `.c`, located one-line diagnostics, and remarks.
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
import textwrap
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import partial
from io import StringIO
from typing import IO, TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.exceptions import (
    DiagnosticException,
    PassFailedException,
    ShrinkException,
    VerifyException,
)
from xdsl.xdsl_opt_main import xDSLOptMain

from polycl.backends.limits import check_ops
from polycl.backends.mlir_printer import MLIRTextTarget
from polycl.backends.pipeline import available_passes, installed
from polycl.backends.reproducer import (
    leave_reproducer,
    passes_of_reproducer,
    reproducers_wanted,
)
from polycl.columns import IMPLIED_PIPELINES, PIPELINES, READERS
from polycl.diagnostics import from_verify_error, one_line
from polycl.errors import PolyclError
from polycl.frontends.mlir.mlir_text import parse_mlir
from polycl.remarks import collect_remarks
from polycl.tools.cl_options import (
    add_cl_options,
    add_host_options,
    cl_options,
    split_cl_options,
)
from polycl.tools.driver import (
    InternalError,
    UsageError,
    add_safety_options,
    exception_text,
    non_negative,
    quiet_parser,
    run_tool,
    safely,
    version_text,
)
from polycl.tools.pass_observers import PassPrinter, PassTimer
from polycl.tools.pipeline_spec import check_target, option_texts, parse_passes
from polycl.universe import UNIVERSE

if TYPE_CHECKING:
    from polycl.tools.pass_checking import PassJudge

PROG = "ocl-opt"


_FLAGS = {
    "--print-after-all": "print the module to stderr after every pass",
    "--print-after-change": "the same, after every pass that changed it",
    "--check-each-pass": "execute the kernels before and after each pass on generated inputs, and "
    "stop at the first pass that changes a result",
    "--debug-info": "keep source lines in what -t prints: locations in MLIR, debug metadata in "
    "LLVM IR and assembly",
    "--run-reproducer": "run the passes that the input file, a reproducer, names",
    "--remarks": "print to stderr what the passes decided, and why",
    "--list-passes": "list polycl's passes with their options, and exit",
}


class _HeldOutput(StringIO):
    """Output that is kept until everything has succeeded."""

    text = ""

    def close(self) -> None:
        if not self.closed:
            self.text = self.getvalue()
        super().close()


class OclOptMain(xDSLOptMain):
    """The driver. It works as an installed tool and from a checkout."""

    version_format = version_text("ocl-opt")

    def __init__(self, args: Sequence[str]):
        rest, self._split_cl_options = split_cl_options(args)
        self._held: _HeldOutput | None = None
        self._running: ModulePass | None = None
        self._observers: list[PassPrinter | PassJudge] = []
        self._timer: PassTimer | None = None
        self._before: ModuleOp | None = None
        self._left: tuple[ModulePass, ...] = ()
        super().__init__("Run passes over OpenCL C or MLIR text and print the result.", rest)

    def register_all_dialects(self) -> None:
        # Upstream's methods would look for plugins three times.
        for name, dialect in (installed().all_dialects | UNIVERSE.all_dialects).items():
            self.ctx.register_dialect(name, dialect)

    def register_all_passes(self) -> None:
        self.available_passes |= available_passes()

    def register_all_targets(self) -> None:
        self.available_targets |= installed().all_targets | UNIVERSE.all_targets
        self.available_targets["mlir"] = lambda: MLIRTextTarget

    def register_all_frontends(self) -> None:
        for language in ("mlir", "cl", *READERS):
            self.available_frontends[language] = partial(self._read, language, line_offset=0)

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        quiet_parser(arg_parser, PROG)
        _improve_help(arg_parser, self.available_targets)
        add_cl_options(arg_parser)
        add_host_options(arg_parser)
        add_safety_options(arg_parser)
        arg_parser.add_argument(
            "--print-after",
            metavar="PASS",
            action="append",
            default=[],
            help="print the module to stderr after this pass; may be given several times",
        )
        arg_parser.add_argument(
            "--tolerance",
            type=non_negative,
            metavar="ULP",
            help="how much floats may differ for --check-each-pass (default: 0)",
        )
        for flag, text in _FLAGS.items():
            arg_parser.add_argument(flag, default=False, action="store_true", help=text)

    def setup_pipeline(self) -> None:
        if self.args.run_reproducer:
            self.args.passes = self._passes_of_reproducer()
        if not self.args.passes and self._reads_source():
            # A target of machine code needs the passes of its device.
            self.args.passes = IMPLIED_PIPELINES.get(self.args.target.partition("{")[0], "")
        passes = parse_passes(self.available_passes, self.args.passes)
        if self.args.debug_info:
            self._ask_for_debug_info()
        check_target(self.available_targets, self.args.target)
        # Upstream makes the callback for --print-between-passes; it knows no named pipelines.
        self.args.passes = ""
        super().setup_pipeline()
        upstream = self.pipeline.callback

        def between(
            previous: ModulePass | None, module: ModuleOp, following: ModulePass | None
        ) -> None:
            if self._timer is not None and previous is not None:
                self._timer.end_pass(previous)
            try:
                if upstream is not None:
                    upstream(previous, module, following)
            except VerifyException as error:
                when = "" if previous is None else f" (after pass '{previous.name}')"
                raise from_verify_error(module, error, when) from error
            self._before = None
            check_ops(module, "" if previous is None else f"after pass '{previous.name}'")
            for observer in self._observers:
                if previous is None:
                    observer.start(module)
                else:
                    observer.after(previous, module)
            self._running = following
            if following is not None and reproducers_wanted():
                done = 0 if previous is None else len(passes) - len(self._left) + 1
                self._before, self._left = module.clone(), passes[done:]
            if self._timer is not None:
                self._timer.start_pass(first=previous is None)

        self.pipeline = PassPipeline(passes, between)
        self._make_observers(passes)

    def _reads_source(self) -> bool:
        """Whether the input is OpenCL C."""
        return (self.args.frontend or _suffix(self.get_input_name())) == "cl"

    def _ask_for_debug_info(self) -> None:
        """Sets the option of the target."""
        match self.args.target:
            case "mlir":
                self.args.print_debuginfo = True
            case "llvm-ir" | "cpu-assembly" as target:
                self.args.target = f"{target}{{debug-info=true}}"
            case target:
                raise UsageError(
                    f"--debug-info: target '{target}' takes none; expected -t llvm-ir, "
                    "-t cpu-assembly or -t mlir"
                )

    def _make_observers(self, passes: Sequence[ModulePass]) -> None:
        """The observers of the passes, by the arguments."""
        args = self.args
        if args.time_passes:
            # Upstream would print times between the operations of the result.
            args.time_passes = False
            self._timer = PassTimer()
        for name in args.print_after:
            if name not in (step.name for step in passes):
                raise UsageError(f"--print-after {name}: there is no such pass in the pipeline")
        if args.print_after_all or args.print_after_change or args.print_after:
            self._observers.append(
                PassPrinter(passes, args.print_after_all, args.print_after_change, args.print_after)
            )
        if self.args.check_each_pass:
            # Late: numpy takes long to load.
            from polycl.tools.pass_checking import PassJudge

            options = cl_options(self.args, self._split_cl_options)
            name, ulp = self.get_input_name(), self.args.tolerance
            self._observers.append(PassJudge(PROG, name, options, passes, tolerance=ulp or 0))
        elif self.args.tolerance is not None:
            raise UsageError("--tolerance needs --check-each-pass")

    def run(self) -> None:
        if self.args.list_passes:
            print(_pass_list())
            return
        quiet = self.args.verify_diagnostics
        with safely(self.args, expected=quiet), collect_remarks() as remarks:
            try:
                super().run()
            finally:
                if self._timer is not None:
                    print(self._timer.table(), file=sys.stderr)
                if self.args.remarks:
                    for remark in remarks:
                        print(remark, file=sys.stderr)
        if self._held is not None:
            self._write(self._held.text)

    def get_input_name(self) -> str:
        return self.args.input_file or "<stdin>"

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        stream, suffix = super().get_input_stream()
        return stream, self.args.frontend or suffix

    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        if self.args.input_file == "-":
            self.args.input_file = None
        name = self.args.input_file
        suffix = "mlir" if name is None else _suffix(name)
        if name is not None and os.path.isdir(name):
            raise UsageError(f"cannot open '{name}': Is a directory")
        if not self.args.frontend and suffix not in self.available_frontends:
            raise UsageError(
                f"cannot tell the language of '{name}' by its name; expected a suffix among "
                + ", ".join(f".{known}" for known in self.available_frontends)
                + "; say -f cl, -f c or -f mlir"
            )
        return super().prepare_input()

    def prepare_output(self) -> IO[str]:
        if self.args.output_file in (None, "-"):
            return sys.stdout
        self._held = _HeldOutput()
        return self._held

    def parse_chunk(
        self, chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        try:
            with self._verifiable():
                return self._read(file_extension, chunk, start_offset)
        except PolyclError as error:
            if not self.args.parsing_diagnostics:
                raise
            print(error)
            return None

    def apply_passes(self, prog: ModuleOp) -> None:
        with self._verifiable():
            try:
                self._apply_passes(prog)
            except PassFailedException as error:
                raise PolyclError(f"pass '{self._running_name}': {one_line(error)}") from error
            except (PolyclError, DiagnosticException, ShrinkException, OSError, RecursionError):
                raise
            except Exception as error:
                text = f"in pass '{self._running_name}': {exception_text(error)}"
                raise InternalError(text) from error

    def _apply_passes(self, prog: ModuleOp) -> None:
        """Runs the passes; one that fails leaves a reproducer."""
        try:
            super().apply_passes(prog)
        except (ShrinkException, OSError):
            raise
        except Exception as error:
            if self._before is not None:
                leave_reproducer(self._before, self._left, error)
            raise

    def _passes_of_reproducer(self) -> str:
        name = self.args.input_file
        if self.args.passes or name in (None, "-"):
            raise UsageError("--run-reproducer needs a file, and no -p: the file names the passes")
        with open(name, encoding="utf-8", errors="replace") as file:
            passes = passes_of_reproducer(file.read(1 << 20))
        if passes is None:
            raise UsageError(f"'{name}' is not a reproducer: it does not name the passes to run")
        return passes

    def output_resulting_program(self, prog: ModuleOp) -> str:
        with self._verifiable():
            try:
                return super().output_resulting_program(prog)
            except NotImplementedError as error:
                text = f"target '{self.args.target}': {one_line(error)}"
                raise PolyclError(text) from error

    @property
    def _running_name(self) -> str:
        return "(none)" if self._running is None else self._running.name

    @contextmanager
    def _verifiable(self) -> Generator[None]:
        """Under --verify-diagnostics, hands polycl's errors to xDSL's driver, which prints them."""
        try:
            yield
        except PolyclError as error:
            if not self.args.verify_diagnostics:
                raise
            raise DiagnosticException(str(error)) from error

    def _read(self, language: str, stream: IO[bytes], line_offset: int) -> ModuleOp:
        data = stream.read()
        name = self.get_input_name()
        if language == "mlir":
            return parse_mlir(
                self.ctx,
                data,
                name,
                line_offset=line_offset,
                implicit_module=not self.args.no_implicit_module,
            )
        # With empty lines before it a chunk has the line numbers of its file.
        data = b"\n" * line_offset + data
        options = cl_options(self.args, self._split_cl_options)
        if language in READERS:
            read = READERS[language]()
            return read(data, name, options, self.args.kernels, self.args.function)
        # Late: libclang takes long to load.
        from polycl.frontends.opencl_c import import_source

        return import_source(data, name, options)

    def _write(self, text: str) -> None:
        try:
            with open(self.args.output_file, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise UsageError(f"cannot write '{self.args.output_file}': {error.strerror}") from error


def option_parser() -> argparse.ArgumentParser:
    """The parser of the command line, which xDSL makes while it starts."""
    made: list[argparse.ArgumentParser] = []

    class Main(OclOptMain):
        def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
            super().register_all_arguments(arg_parser)
            made.append(arg_parser)

    Main([])
    return made[0]


def _suffix(path: str) -> str:
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.rpartition(".")[2] if "." in name else ""


def _improve_help(parser: argparse.ArgumentParser, targets: Iterable[str]) -> None:
    """Shorter help for the options whose upstream text is a list of 150 names."""
    texts = {
        "input_file": "a .cl, .c or .mlir file; standard input when absent or '-'",
        "frontend": "the input language (default: by the suffix of the file)",
        "passes": "comma-separated passes with their options, say "
        "'ocl-set-local-size{size=64,1,1},ocl-to-wg'; or all of a device: "
        f"{', '.join(PIPELINES)}, with the local size 'cpu{{size=16,16}}' (default: 64)",
        "target": f"what to print: {', '.join(targets)} (default: mlir); for machine code of a "
        f".cl file without -p the passes of the device are run: {', '.join(IMPLIED_PIPELINES)}",
        "output_file": "where to write the result; written only if everything succeeded",
        "allow_unregistered_dialect": "read operations of unknown dialects in generic syntax",
        "no_implicit_module": "the input is one builtin.module; add none around it",
        "print_between_passes": "print the module after every pass but the last",
        "time_passes": "print to stderr how long each pass took",
        "print_op_generic": "print every operation in generic syntax",
        "print_no_properties": "print properties as attributes, as older MLIR does",
        "print_debuginfo": "print the source location of every operation",
        "syntax_highlight": "print in colours, for a terminal",
        "version": "print the version and exit",
        "shrink": "exit with 0 only if a pass raised ShrinkException (for test case reducers)",
        "disable_verify": "do not verify the module before, between and after the passes",
        "verify_diagnostics": "print errors to standard output and continue; exit code 0",
        "parsing_diagnostics": "print syntax errors to standard output and continue; exit code 0",
        "split_input_file": "process the parts of the file between '// -----' lines separately",
    }
    for action in parser._actions:
        if action.dest in texts:
            action.help = texts[action.dest].replace("%", "%%")
            action.metavar = action.metavar or (action.dest.upper() if action.nargs != 0 else None)
    names = textwrap.fill(
        ", ".join(UNIVERSE.all_passes), 78, initial_indent="  ", subsequent_indent="  "
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = (
        f"passes of polycl (see --list-passes):\n{names}\n"
        "All passes that 'xdsl-opt --help' lists can be used, too."
    )


def _pass_list() -> str:
    lines: list[str] = []
    for name, factory in UNIVERSE.all_passes.items():
        cls = factory()
        lines.append(name)
        if cls.__doc__:
            summary = inspect.cleandoc(cls.__doc__).split("\n\n")[0]
            lines += textwrap.wrap(
                one_line(summary), 74, initial_indent="    ", subsequent_indent="    "
            )
        lines += [f"    option {text}" for text in option_texts(cls)]
    return "\n".join(lines)


def main() -> None:
    """The console script."""
    sys.exit(run_tool(PROG, lambda: OclOptMain(sys.argv[1:]).run()))


if __name__ == "__main__":
    main()
