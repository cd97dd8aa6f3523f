"""`--check-each-pass` of the command lines: what is said about a pass that changes a result."""

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

    `file` and the build `options` with which it was read are for the command that shows a
    finding again; `given` and `tolerance` are those of `PassChecker`.
    """

    def __init__(
        self,
        prog: str,
        file: str,
        options: Sequence[str],
        given: Sequence[Trial] | None = None,
        tolerance: float = 0,
    ):
        self._prog = prog
        self._read = shlex.join([file, *options])
        self._given = given
        self._tolerance = tolerance
        self._checker = PassChecker(())

    def start(self, passes: Sequence[ModulePass], module: ModuleOp) -> None:
        """`passes` will be run over `module`."""
        self._checker = PassChecker(passes, self._given, self._tolerance)
        self._checker.start(module)

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        """`step` has been run. Raises a PolyclError if it changed a result."""
        finding = self._checker.after(step, module)
        if finding is not None:
            raise self._error(finding)

    def finish(self) -> None:
        """Says on stderr what was checked, and what was not."""
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
