"""`pattern-apply`: one step of a derivation."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.lowering.pattern.pattern_derive import PatternDerivePass


@dataclass(frozen=True)
class PatternApplyPass(ModulePass):
    """Apply one rewrite rule of patterns: `pattern-apply{rule="3c" at="map/in" n=64}`.

    ```
    %a = pattern.map %x as %e : f32 {...}   ->   %c = pattern.split %x by 64 ...
                                                 %m = pattern.map %c as %r ... {
                                                   %i = pattern.map %r as %e : f32 {...}
                                                 %a = pattern.join %m ...
    ```

    `at` is a place as in derivations, without the `@`; the other options are the parameters of
    the rules, which docs/pattern/rules.md lists. `function` is as in `pattern-derive`.

    Raises:
        PolyclError: the rule does not apply there.
    """

    name = "pattern-apply"

    rule: str
    at: str = ""
    function: str | None = None
    n: int | str | None = None
    m: int | str | None = None
    s: int | str | None = None
    k: int | str | None = None
    dim: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        names = ("n", "m", "s", "k", "dim")
        values = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        given = " ".join(f"{name}={''.join(str(value).split())}" for name, value in values.items())
        step = f"{self.rule} {given} @{self.at}"
        PatternDerivePass(steps=step, function=self.function).apply(ctx, op)
