"""A derivation in the explorer: a pattern program after each step of a script."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.opencl_c.target import OpenclCTarget
from polycl.backends.pipeline import make_context, run_passes
from polycl.deep_calls import deep_calls
from polycl.dialects.pattern.paper import paper_expression
from polycl.errors import PolyclError
from polycl.lowering.pattern.pattern_to_ocl import PatternToOclPass
from polycl.lowering.pattern.rules.derivation import Derivation, find_function
from polycl.lowering.pattern.rules.script import Statement
from polycl.runtime.explorer.changes import changes
from polycl.runtime.explorer.levels import Level
from polycl.runtime.explorer.page import Page
from polycl.runtime.explorer.texts import Line, module_lines
from polycl.runtime.program import load
from polycl.tools.driver import UsageError
from polycl.tools.explorer_session import text_of


def derivation_session(args: argparse.Namespace) -> tuple[DerivationSession, str] | None:
    """The derivation of a command line, and its text, which is empty for a pattern program without
    one; None if there is neither. Raises PolyclError."""
    if args.derive is None:
        module = _pattern_program(args.file)
        return None if module is None else (_session("new.deriv", module, args.kernel), "")
    if args.file is None:
        raise UsageError("--derive: which program? expected an .mlir file")
    module = load(Path(args.file)).module
    return _session(args.derive, module, args.kernel), text_of(Path(args.derive))


def _pattern_program(file: str | None) -> ModuleOp | None:
    """The module of a file that has no kernels, but pattern programs."""
    if file is None or not file.endswith(".mlir"):
        return None
    try:
        program = load(Path(file))
    except PolyclError:
        # The page shows it.
        return None
    return program.module if program.functions and not program.kernels else None


def _session(file: str, module: ModuleOp, function: str | None) -> DerivationSession:
    find_function(module, function)
    return DerivationSession(file, module, function)


@dataclass(frozen=True)
class DerivationSession:
    """Derivations of one program, in a file that a user may edit."""

    file: str
    module: ModuleOp
    function: str | None

    def with_form(self, form: Mapping[str, str]) -> DerivationSession:
        return self

    @deep_calls()
    def page(self, source: str) -> Page:
        """The page of a script, with the levels up to a step that does not apply."""
        name = find_function(self.module, self.function).sym_name.data
        page = Page(self.file, source, name)
        levels = _Levels(self.module, name)
        page.levels = levels.found
        try:
            derivation = Derivation.parse(source, self.file)
            module = derivation.replay(self.module, self.function, observer=levels.after)
            run_passes(module, (PatternToOclPass(),))
            levels.add(PatternToOclPass.name, "ocl", module, 0)
            text = StringIO()
            OpenclCTarget().emit(make_context(), module, text)
            lines = [Line(line, 0) for line in text.getvalue().split("\n")]
            levels.found.append(Level("OpenCL C", "machine", lines))
        except PolyclError as error:
            page.error = ("derivation", error)
        return page


class _Levels:
    """The levels of a derivation. A line belongs to the step that made it."""

    def __init__(self, module: ModuleOp, function: str):
        self.found: list[Level] = []
        self.add("program", "pattern", module, 0, paper_expression(find_function(module, function)))

    def after(self, step: Statement, function: func.FuncOp) -> None:
        """After each step."""
        position = step.position
        text = position.source_line[position.col - 1 :].partition("//")[0].strip()
        self.add(text, "pattern", _module_of(function), position.line, paper_expression(function))

    def add(self, name: str, form: str, module: ModuleOp, step: int, note: str = "") -> None:
        """The next level; what is new comes from line `step` of the script."""
        texts = [line.text for line in module_lines(module, "")]
        if not self.found:
            self.found.append(Level(name, form, [Line(text, step) for text in texts], note=note))
            return
        before: Sequence[Line] = self.found[-1].lines
        what = changes([line.text for line in before], texts)
        lines = [
            Line(text, before[what.kept[i]].source if i in what.kept else step)
            for i, text in enumerate(texts)
        ]
        removed = [(at, before[line]) for line, at in what.removed]
        self.found.append(Level(name, form, lines, sorted(what.added), removed, "", note, step))


def _module_of(function: func.FuncOp) -> ModuleOp:
    module = function.parent_op()
    assert isinstance(module, ModuleOp)
    return module
