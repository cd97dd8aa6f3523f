"""`sink-stores`: both sides of a branch store to the same place: one store follows the branch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import is_parameter, root_of
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.ocl.moving import hoisted, is_hoistable, with_results
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class SinkStoresPass(ModulePass):
    """Store once after a branch what both of its sides store.

    ```
    scf.if %border {                        %v = scf.if %border -> (f32) {
      ocl.store %zero, %p[%i]                 scf.yield %zero
    } else {                        ->      } else {
      A                                       A
      ocl.store %a, %p[%i]                    scf.yield %a
    }                                       }
                                            ocl.store %v, %p[%i]
    ```

    Where work-items disagree about the branch, two stores under masks become one without a mask:
    processors with AVX2 store slowly under masks. What follows a store in its side has no effects,
    or accesses other parameters' buffers where `distinct` states that these do not overlap.
    """

    name = "sink-stores"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            # The innermost first: what they sink may sink further.
            for branch in reversed(operations_of(function.body, scf.IfOp)):
                while len(branch.false_region.blocks) == 1:
                    pair = self._pair(branch)
                    if pair is None:
                        break
                    branch = _sink(branch, *pair)

    def _pair(self, branch: scf.IfOp) -> tuple[ocl.StoreOp, ocl.StoreOp] | None:
        """The last stores of both sides that may be one."""
        others = list(self._last_stores(branch.false_region.block))
        for store in self._last_stores(branch.true_region.block):
            for other in others:
                if _is_same_place(store, other, branch):
                    return store, other
        return None

    def _last_stores(self, block: Block) -> Iterator[ocl.StoreOp]:
        """The stores that may come after all that follows them in a block."""
        after: set[SSAValue] = set()
        for op in reversed(list(block.ops)[:-1]):
            if isinstance(op, ocl.StoreOp) and op.volatile is None:
                parameter = _parameter(op.pointer)
                if not after or (parameter is not None and parameter not in after):
                    yield op
            if is_side_effect_free(op):
                continue
            used = _parameters(op) if self.distinct else None
            if used is None:
                return
            after |= used


def _parameters(op: Operation) -> set[SSAValue] | None:
    """The parameters whose buffers an operation accesses; None if it does more than that."""
    found: set[SSAValue] = set()
    for inner in op.walk():
        if isinstance(inner, ocl.LoadOp | ocl.StoreOp) and inner.volatile is None:
            parameter = _parameter(inner.pointer)
            if parameter is None:
                return None
            found.add(parameter)
        elif not isinstance(inner, scf.IfOp | scf.YieldOp) and not is_side_effect_free(inner):
            return None
    return found


def _parameter(pointer: SSAValue) -> SSAValue | None:
    """The parameter of the kernel that a pointer is computed from, if only it is known to be."""
    root = root_of(pointer)
    return root if is_parameter(root) else None


def _is_same_place(store: ocl.StoreOp, other: ocl.StoreOp, branch: scf.IfOp) -> bool:
    places = [
        [one.pointer] if one.index is None else [one.pointer, one.index] for one in (store, other)
    ]
    return (
        store.value.type == other.value.type
        and len(places[0]) == len(places[1])
        and all(map(same_value, *places))
        and all(is_hoistable(value, branch) for value in places[0])
    )


def _sink(branch: scf.IfOp, store: ocl.StoreOp, other: ocl.StoreOp) -> scf.IfOp:
    """Put one store after a branch; the new branch."""
    known: dict[SSAValue, SSAValue] = {}
    pointer = hoisted(store.pointer, branch, known)
    index = None if store.index is None else hoisted(store.index, branch, known)
    for one, region in ((store, branch.true_region), (other, branch.false_region)):
        end = terminator(region.block)
        end.operands = [*end.operands, one.value]
        Rewriter.erase_op(one)
    new = with_results(branch, branch.operands, [*branch.result_types, store.value.type])
    after = ocl.StoreOp(new.results[-1], pointer, index)
    after.location = store.location
    Rewriter.insert_op(after, InsertPoint.after(new))
    Rewriter.replace_op(branch, [], new.results[:-1])
    emit_remark(after, SinkStoresPass.name, "both sides of a branch store here: one store follows")
    return new
