"""`pattern-derive`: replay a derivation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from polycl.errors import location_of
from polycl.lowering.pattern.rules.derivation import Derivation


@dataclass(frozen=True)
class PatternDerivePass(ModulePass):
    """Rewrite a pattern program by the steps of a derivation.

    `pattern-derive{script="asum.deriv" parameters="n=64"}` applies the steps in a file, and
    `pattern-derive{steps="3c n=64 @map; 4a.global @map"}` those given, with `;` between them:

    ```
    %a = pattern.map %x as %e : f32 {...}   ->   %c = pattern.split %x by 64 ...
                                                 %m = pattern.map_global %c as %r ... {
                                                   %i = pattern.map %r as %e : f32 {...}
    ```

    `script` is searched next to the program, then in the current directory. `parameters` are the
    values of its `?tunables`. `function` names the function, unless there is only one.

    Raises:
        PolyclError: located in the script: a step is malformed or does not apply.
    """

    name = "pattern-derive"

    script: str | None = None
    steps: str | None = None
    function: str | None = None
    parameters: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if (self.script is None) == (self.steps is None):
            raise PassFailedException(f"{self.name}: expected either 'script' or 'steps'")
        if self.script is not None:
            derivation = Derivation.read(_next_to(op, self.script))
        else:
            derivation = Derivation.parse((self.steps or "").replace(";", "\n"), "<steps>")
        result = derivation.replay(op, self.function, self._values())
        _replace_contents(op, result)

    def _values(self) -> dict[str, str]:
        pairs = [text.partition("=") for text in self.parameters]
        for name, sign, value in pairs:
            if not (name and sign and value):
                raise PassFailedException(
                    f"{self.name}: expected parameters as in 'n=64', got '{name}{sign}{value}'"
                )
        return {name: value for name, _, value in pairs}


def _next_to(module: ModuleOp, script: str) -> Path:
    """The script in the folder of the program, if it is there."""
    located = (location_of(op) for op in module.walk())
    program = next((place[0] for place in located if place is not None), None)
    if program is not None and (beside := Path(program).parent / script).exists():
        return beside
    return Path(script)


def _replace_contents(module: ModuleOp, result: ModuleOp) -> None:
    old: list[Operation] = list(module.body.block.ops)
    for op in reversed(old):
        op.detach()
        op.erase()
    for op in list(result.body.block.ops):
        op.detach()
        module.body.block.add_op(op)
