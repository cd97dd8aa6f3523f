"""`count-up`: a loop that goes down a row, and whose iterations are independent, goes up."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from polycl.analysis.ocl.addresses import address_of, are_apart, size_of_access
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.carry_stores import accesses_in
from polycl.lowering.ocl.moving import is_hoistable
from polycl.remarks import emit_remark

_Access = ocl.LoadOp | ocl.StoreOp


@dataclass(frozen=True)
class CountUpPass(ModulePass):
    """Run the iterations of a loop that writes a row from its end to its beginning from there on.

    ```
    scf.for %k = %c0 to %n step %c1 {              scf.for %k = %c0 to %n step %c1 {
      %i = arith.subi %last, %k             ->       %turned = %n - 1 - %k
      ocl.store %v, %row[%i]                         %i = arith.subi %last, %turned
    ```

    So `for (k = n; k-- > 0;)` accesses rows as `for (k = 0; k < n; k++)` does. This is so if the
    loop carries nothing, and no iteration accesses what another one writes: it writes to each
    element once, and accesses others only in memory that it does not write. With `distinct`,
    parameters have arrays of their own. Elements that all iterations read may lie anywhere, those
    of rows that go up stay with the loop as it is.
    """

    name = "count-up"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.ForOp):
            if (constant_index(loop.lb), constant_index(loop.step)) != (0, 1) or loop.results:
                continue
            accesses = accesses_in(loop)
            if accesses is not None and self._goes_down(accesses, loop):
                _turn(loop)
                emit_remark(loop, self.name, "counts up: the iterations are independent")

    def _goes_down(self, accesses: list[_Access], loop: scf.ForOp) -> bool:
        counter = loop.body.block.args[0]
        if any(address_of(access)[1].factors.get(counter, 0) > 0 for access in accesses):
            return False
        stores = [access for access in accesses if isinstance(access, ocl.StoreOp)]
        return (
            bool(stores)
            and all(_writes_once(store, loop) for store in stores)
            and all(self._is_independent(x, y) for x in stores for y in accesses)
        )

    def _is_independent(self, store: ocl.StoreOp, other: _Access) -> bool:
        if are_apart(store.pointer, other.pointer, self.distinct):
            return True
        is_own = size_of_access(other) <= size_of_access(store)
        return is_own and address_of(store) == address_of(other)


def _writes_once(store: ocl.StoreOp, loop: scf.ForOp) -> bool:
    """Whether the iterations write one below the other."""
    pointer, place = address_of(store)
    counter = loop.body.block.args[0]
    known = [pointer, *(value for value in place.factors if value is not counter)]
    is_known = all(is_hoistable(value, loop) for value in known)
    return is_known and -place.factors.get(counter, 0) >= size_of_access(store)


def _turn(loop: scf.ForOp) -> None:
    counter = loop.body.block.args[0]
    uses = list(counter.uses)
    build = Build(loop, InsertPoint.at_start(loop.body.block))
    last = build.sub(loop.ub, build.index(1))
    turned = build.sub(last, counter)
    for use in uses:
        use.operation.operands[use.index] = turned
