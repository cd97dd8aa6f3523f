"""`--check-each-pass` of the command lines: the report of a pass that changes a result."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.errors import PolyclError, SourceError
from polycl.runtime.check_passes.checker import Finding, PassChecker
from polycl.runtime.check_passes.trial import GivenTrial, Trial, options_of


class PassJudge:
    """Judges the passes that a tool runs over the module of a file.

    `file` and its build `options` are for the command that reproduces a finding; `given` and
    `tolerance` are those of `PassChecker`.
    """

    def __init__(
        self,
        prog: str,
        file: str,
        options: Sequence[str],
        passes: Sequence[ModulePass],
        given: Sequence[Trial] | None = None,
        tolerance: float = 0,
    ):
        self._prog = prog
        self._read = shlex.join([file, *options])
        self._passes = passes
        self._given = given
        self._tolerance = tolerance
        self._left = 0
        self._checker = PassChecker(())

    def start(self, module: ModuleOp) -> None:
        """Called before the first pass."""
        self._checker = PassChecker(self._passes, self._given, self._tolerance)
        self._checker.start(module)
        self._left = len(self._passes)
        self._report()

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        """Called after `step`. Raises a PolyclError if it changed a result."""
        finding = self._checker.after(step, module)
        if finding is not None:
            raise self._error(finding)
        self._left -= 1
        self._report()

    def _report(self) -> None:
        """After the last pass: prints to stderr what was checked and what was not."""
        if self._left:
            return
        self._checker.finish()
        for remark in self._checker.remarks:
            print(f"{self._prog}: check-each-pass: {remark}", file=sys.stderr)

    def _error(self, finding: Finding) -> PolyclError:
        headline = (
            f"pass '{finding.pass_name}' changed what kernel '{finding.trial.kernel}' does: "
            f"{finding.change.message}"
        )
        given = isinstance(finding.trial, GivenTrial)
        launch = options_of(finding.trial)
        passes = shlex.quote(finding.spec)
        notes = [
            f"note: {'the launch' if given else 'the smallest launch found'}: {launch}",
            f"note: to see it again: ocl-run {self._read} --device interp --compare interp "
            f"-p {passes} {launch}",
        ]
        if finding.location is None:
            return PolyclError("\n".join([headline, *notes]))
        return SourceError(headline, *finding.location, notes=notes)
