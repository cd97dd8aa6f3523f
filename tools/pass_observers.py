"""What ocl-opt shows of a pipeline while it runs: the module after passes, and times."""

from __future__ import annotations

import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.backends.mlir_printer import MLIRPrinter


@dataclass
class PassPrinter:
    """Prints the module to stderr after passes of `passes`.

    It prints after each pass (`everything`), after each that changed the text (`changes`), or after
    those in `names`.
    """

    passes: Sequence[ModulePass]
    everything: bool
    changes: bool
    names: Collection[str]
    _done: int = 0
    _text: str = ""

    def start(self, module: ModuleOp) -> None:
        """Called before the first pass."""
        self._done = 0
        self._text = _text_of(module)

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        """Called after `step`."""
        self._done += 1
        before, self._text = self._text, _text_of(module)
        where = f"pass '{step.name}' ({self._done} of {len(self.passes)})"
        if self.everything or step.name in self.names or (self.changes and self._text != before):
            print(f"// ----- after {where} -----\n{self._text}\n", file=sys.stderr)
        elif self.changes:
            print(f"// ----- {where} changed nothing -----\n", file=sys.stderr)


def _text_of(module: ModuleOp) -> str:
    stream = StringIO()
    MLIRPrinter(stream).print_op(module)
    return stream.getvalue()


@dataclass
class PassTimer:
    """The time of each pass, without the time between two passes."""

    names: list[str] = field(default_factory=list[str])
    seconds: list[float] = field(default_factory=list[float])
    _place: int = 0
    _start: float = 0.0

    def start_pass(self, first: bool) -> None:
        """A pass starts: the first of the pipeline, or the next one."""
        self._place = 0 if first else self._place
        self._start = time.perf_counter()

    def end_pass(self, step: ModulePass) -> None:
        """The pass is done. The times of the parts of a split file are added."""
        took = time.perf_counter() - self._start
        if self._place == len(self.names):
            self.names.append(step.name)
            self.seconds.append(0.0)
        self.seconds[self._place] += took
        self._place += 1

    def table(self) -> str:
        """A row for each pass, in order, and the sum."""
        total = sum(self.seconds)
        width = max(len(name) for name in (*self.names, "total"))
        rows = [*zip(self.names, self.seconds, strict=True), ("total", total)]
        lines = [f"  {'pass':<{width}}  {'seconds':>9}  {'percent':>7}"]
        for name, seconds in rows:
            share = 100 * seconds / total if total else 0.0
            lines.append(f"  {name:<{width}}  {seconds:>9.4f}  {share:>7.1f}")
        return "\n".join(lines)
