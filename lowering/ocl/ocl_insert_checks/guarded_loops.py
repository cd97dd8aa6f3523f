"""Loops whose accesses are checked before them run without guards where all of these are right.

```
%v = scf.for ... {                         %v = scf.if %ok -> (f32) {
  %w = scf.if %ok -> (f32) {                 %u = scf.for ... {
    %x = ocl.load %x[%i]                       %w = ocl.load %x[%i]
    ...                              =>        ...
  }                                          scf.yield %u : f32
  ...                                      } else { as it was }
}
```

Under guards the accesses would be masked, and what they load and store could not stay in registers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from xdsl.dialects import scf
from xdsl.ir import Block, Region

from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import replace_by_block

_MOST_OPERATIONS = 400
"""Of a loop that is copied."""


def leave_guards_out(guards: Mapping[scf.IfOp, scf.ForOp]) -> None:
    """Split innermost loops by all checks of their accesses that were made before them.

    Each guard is given with the loop before which its condition is computed.
    """
    loops = dict.fromkeys(guards.values())
    for loop in loops:
        if any(loop.is_ancestor(other) for other in loops if other is not loop):
            continue
        if sum(1 for _ in loop.walk()) <= _MOST_OPERATIONS:
            _split(loop, [guard for guard in guards if loop.is_ancestor(guard)])


def _split(loop: scf.ForOp, guards: Sequence[scf.IfOp]) -> None:
    build = Build(loop)
    ok = reduce(build.and_, dict.fromkeys(guard.cond for guard in guards))
    then, otherwise = Block(), Block([guarded := loop.clone()])
    types = [result.type for result in loop.results]
    build.emit_void(branch := scf.IfOp(ok, types, Region(then), Region(otherwise)))
    for old, new in zip(loop.results, branch.results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    loop.detach()
    then.add_op(loop)
    for block, results in ((then, loop.results), (otherwise, guarded.results)):
        Build(loop, block).emit_void(scf.YieldOp(*results))
    for guard in guards:
        replace_by_block(guard, guard.true_region.block)


__all__ = ["leave_guards_out"]
