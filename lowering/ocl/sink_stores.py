"""`sink-stores`: both sides of a branch store to the same place: one store follows the branch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import are_apart, is_parameter, may_share_bytes, root_of
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.ocl.moving import hoisted, is_hoistable, with_results
from polycl.lowering.ocl.scattered import Scattered
from polycl.lowering.ocl.share_values import share_values
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
    processors with AVX2 store slowly under masks. Stores anywhere into one buffer
    (`if (f[i]) p[a[i]] = x; else p[b[i]] = x;`) are one, too, at an index that the branch results
    in: lanes that are off cost a branch each. What follows a store in its side has no effects,
    or accesses other parameters' buffers where `distinct` states that these do not overlap.
    """

    name = "sink-stores"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            scattered = Scattered(function)
            self._store_on_both_sides(function, scattered)
            # The innermost first: what they sink may sink further.
            for branch in reversed(operations_of(function.body, scf.IfOp)):
                while len(branch.false_region.blocks) == 1:
                    pair = self._pair(branch, scattered)
                    if pair is None:
                        break
                    branch = _sink(branch, *pair)

    def _store_on_both_sides(self, function: wg.FuncOp, scattered: Scattered) -> None:
        """Take the stores before branches that store to the same place again into their other
        sides, and after each branch what it has stored."""
        for branch in operations_of(function.body, scf.IfOp):
            before = branch
            while (earlier := self._store_before(branch)) is not None:
                if not branch.false_region.blocks:
                    branch.false_region.add_block(Block([scf.YieldOp()]))
                earlier.detach()
                Rewriter.insert_op(
                    earlier, InsertPoint.before(terminator(branch.false_region.block))
                )
                pair = self._pair(branch, scattered)
                assert pair is not None
                branch = _sink(branch, *pair)
            if branch is not before:
                # The next branch may ask for what this one has stored.
                share_values(_parent(branch))

    def _store_before(self, branch: scf.IfOp) -> ocl.StoreOp | None:
        """A store of the branch's block to where one side of it stores at last, and between which
        nothing accesses that place."""
        stores = list(self._last_stores(branch.true_region.block))
        inside = [op for op in branch.walk() if op is not branch] if stores else []
        for store in stores:
            passed: list[Operation] = []
            op = branch.prev_op
            while op is not None:
                if (
                    isinstance(op, ocl.StoreOp)
                    and op.volatile is None
                    and _is_same_buffer(store, op, branch)
                    and _is_same_index(store, op, branch)
                ):
                    between = chain(inside, *(other.walk() for other in passed))
                    if all(
                        other is store or _leaves(other, op, self.distinct) for other in between
                    ):
                        return op
                    break
                passed.append(op)
                op = op.prev_op
        return None

    def _pair(
        self, branch: scf.IfOp, scattered: Scattered
    ) -> tuple[ocl.StoreOp, ocl.StoreOp] | None:
        """The last stores of both sides that may be one."""
        others = list(self._last_stores(branch.false_region.block))
        for store in self._last_stores(branch.true_region.block):
            for other in others:
                if _is_same_buffer(store, other, branch) and (
                    _is_same_index(store, other, branch) or scattered(store.index, other.index)
                ):
                    return store, other
        return None

    def _last_stores(self, block: Block) -> Iterator[ocl.StoreOp]:
        """The stores that may come after all that follows them in a block."""
        after: set[SSAValue] = set()
        ops = list(block.ops)[:-1]
        left = sum(isinstance(op, ocl.StoreOp) and op.volatile is None for op in ops)
        for op in reversed(ops):
            if not left:
                # What is before does not matter, such as large branches.
                return
            if isinstance(op, ocl.StoreOp) and op.volatile is None:
                left -= 1
                parameter = _parameter(op.pointer)
                if not after or (parameter is not None and parameter not in after):
                    yield op
            if is_side_effect_free(op):
                continue
            used = _parameters(op) if self.distinct else None
            if used is None:
                return
            after |= used


def _leaves(op: Operation, store: ocl.StoreOp, distinct: bool) -> bool:
    """Whether an operation accesses nothing of what a store of the same work-item writes."""
    if isinstance(op, ocl.LoadOp | ocl.StoreOp) and op.volatile is None:
        return are_apart(op.pointer, store.pointer, distinct) or not may_share_bytes(op, store)
    is_control = isinstance(op, scf.IfOp | scf.ForOp | scf.WhileOp | scf.YieldOp | scf.ConditionOp)
    return is_control or is_side_effect_free(op)


def _parent(op: Operation) -> Block:
    assert op.parent is not None
    return op.parent


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


def _is_same_buffer(store: ocl.StoreOp, other: ocl.StoreOp, branch: scf.IfOp) -> bool:
    same_type = store.value.type == other.value.type
    same = same_type and same_value(store.pointer, other.pointer)
    return same and is_hoistable(store.pointer, branch)


def _is_same_index(store: ocl.StoreOp, other: ocl.StoreOp, branch: scf.IfOp) -> bool:
    if store.index is None or other.index is None:
        return store.index is other.index
    return same_value(store.index, other.index) and is_hoistable(store.index, branch)


def _sink(branch: scf.IfOp, store: ocl.StoreOp, other: ocl.StoreOp) -> scf.IfOp:
    """Put one store after a branch; the new branch."""
    known: dict[SSAValue, SSAValue] = {}
    pointer = hoisted(store.pointer, branch, known)
    is_same = _is_same_index(store, other, branch)
    index = hoisted(store.index, branch, known) if is_same and store.index is not None else None
    types = list(branch.result_types)
    for one, region in ((store, branch.true_region), (other, branch.false_region)):
        end = terminator(region.block)
        passed = [one.value] if is_same or one.index is None else [one.index, one.value]
        types = [*branch.result_types, *(value.type for value in passed)]
        end.operands = [*end.operands, *passed]
        Rewriter.erase_op(one)
    new = with_results(branch, branch.operands, types)
    if not is_same:
        index = new.results[-2]
    after = ocl.StoreOp(new.results[-1], pointer, index)
    after.location = store.location
    Rewriter.insert_op(after, InsertPoint.after(new))
    Rewriter.replace_op(branch, [], new.results[: len(branch.results)])
    emit_remark(after, SinkStoresPass.name, "both sides of a branch store here: one store follows")
    return new
