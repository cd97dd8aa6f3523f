"""`ocl-to-wg`: one work-item's program becomes the program of a whole work-group."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.parallel_regions import MAY_TRAP, Plan, ops_around_barriers
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.errors import error_at
from polycl.lowering.ocl.inline_functions.kept_functions import functions_that_may_stay
from polycl.lowering.ocl.ocl_to_wg.emit_wg import Emitter
from polycl.remarks import emit_remark

_NEVER_FOR_NONE = (*MAY_TRAP, ocl.LoadOp, ocl.VLoadOp)
"""What does not run for the group where perhaps no work-item would execute it."""


@dataclass(frozen=True)
class OclToWgPass(ModulePass):
    """Turn each `ocl.kernel` into a `wg.func` with parallel regions between its barriers.

    A barrier is the boundary between two `wg.parallel`s. A loop or branch that contains a barrier
    is placed around them, once for the group, if its condition is proven uniform; if not, its
    regions run under a flag for each work-item until no work-item is active. Counted loops whose
    bounds all work-items know stay so under a flag. A value that several
    regions use is a result of its region if it is uniform, is recomputed if that is cheap, and
    otherwise is stored in a context array ([pocl15], section 4).

    ```
    %v = ocl.load %x[%gid]                        wg.parallel (%x, %y, %z) in (...) {
    ocl.store %v, %tile[%lid]                       ... load, store
    ocl.barrier local                      ->     }
    %w = ocl.load %tile[%other]                   wg.parallel (%x, %y, %z) in (...) {
    ocl.store %w, %x[%gid]                          ... load, store
                                                  }
    ```

    Kernels are structured (`scf`): `lift-cf-to-scf` runs before. So does `inline-functions`; a
    function that it keeps is one operation of a work-item here.

    Raises:
        PolyclError: located: calls, branches between blocks, an async copy whose operands are
            not proven uniform, or a barrier inside an operation that is not scf.if/for/while.
    """

    name = "ocl-to-wg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        may_stay = functions_that_may_stay(op)
        for kernel in functions_of(op, ocl.KernelOp):
            check_structured(kernel, may_stay)
            _share_ids(kernel)
            facts = Uniformity(kernel)
            if _rewrite_divergent_for_loops(kernel, facts):
                facts = Uniformity(kernel)
            _remark_choices(kernel, facts)
            emitter = Emitter(kernel, Plan(kernel, facts))
            _remark_context(emitter)
            Rewriter.replace_op(kernel, emitter.function, [])


def check_structured(kernel: ocl.KernelOp, may_stay: Set[str] = frozenset()) -> None:
    """Raise a located error where a kernel has branches between blocks, or calls of functions
    other than those in `may_stay`."""
    if len(kernel.body.blocks) != 1:
        raise error_at(
            kernel,
            f"kernel '{kernel.sym_name.data}' branches between blocks; a work-group needs "
            "structured control flow: run lift-cf-to-scf before ocl-to-wg",
        )
    for op in operations_of(kernel.body, CallOp):
        if op.callee.string_value() not in may_stay:
            raise error_at(op, f"call of {op.callee}: run inline-functions before ocl-to-wg")


def _share_ids(kernel: ocl.KernelOp) -> None:
    """Move the id queries to the top, one of each: each region replaces them by its own ids."""
    found: dict[tuple[str, int], ocl.GlobalIdOp | ocl.LocalIdOp] = {}
    for op in operations_of(kernel.body, ocl.GlobalIdOp, ocl.LocalIdOp):
        first = found.setdefault((op.name, op.dimension), op)
        if op is not first:
            Rewriter.replace_op(op, [], [first.result])
            continue
        op.detach()
        Rewriter.insert_op(op, InsertPoint.at_start(kernel.body.block))


def _rewrite_divergent_for_loops(kernel: ocl.KernelOp, facts: Uniformity) -> bool:
    """Make an `scf.for` with a barrier an `scf.while` if work-items may leave it at different
    times."""
    around = ops_around_barriers(kernel.body)
    divergent = [
        op
        for op in operations_of(kernel.body, scf.ForOp)
        if op in around and not _counts_for_group(op, facts)
    ]
    for op in divergent:
        _for_to_while(op)
    return bool(divergent)


def _counts_for_group(loop: scf.ForOp, facts: Uniformity) -> bool:
    """Whether the bounds of a loop are values of the group, also where not all work-items enter it,
    as after `if (i >= n) return`: those that do iterate together.

    There, what is computed for the group runs even if no work-item enters.
    """
    pending, seen = [loop.lb, loop.ub, loop.step], set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        owner = value.owner
        around = owner.parent_op()
        if around is None or not facts.is_uniform(value):
            return False
        if in_lock_step(around, facts):
            continue
        if isinstance(owner, Operation):
            if isinstance(owner, _NEVER_FOR_NONE) or owner.regions:
                return False
            if not is_side_effect_free(owner):
                return False
            pending += owner.operands
        elif isinstance(around, scf.ForOp) and value is owner.args[0]:
            pending += [around.lb, around.ub, around.step]
        else:
            return False
    return True


def in_lock_step(op: Operation, facts: Uniformity) -> bool:
    """Whether all work-items of the group enter `op` and iterate together."""
    while isinstance(op, scf.IfOp | scf.ForOp | scf.WhileOp):
        if not _is_uniform_control(op, facts):
            return False
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return isinstance(op, ocl.KernelOp)


def _is_uniform_control(op: scf.IfOp | scf.ForOp | scf.WhileOp, facts: Uniformity) -> bool:
    match op:
        case scf.IfOp():
            return facts.is_uniform(op.cond)
        case scf.ForOp():
            return all(facts.is_uniform(bound) for bound in (op.lb, op.ub, op.step))
    return facts.is_uniform(terminator(op.before_region.block).operands[0])


def _for_to_while(op: scf.ForOp) -> None:
    types = [op.lb.type, *(arg.type for arg in op.iter_args)]
    before, after = Block(arg_types=types), Block(arg_types=types)
    less = arith.CmpiOp(before.args[0], op.ub, "slt")
    before.add_ops([less, scf.ConditionOp(less.result, *before.args)])
    body = op.body.block
    yielded = terminator(body)
    following = arith.AddiOp(body.args[0], op.step)
    body.insert_op_before(following, yielded)
    Rewriter.replace_op(yielded, scf.YieldOp(following.result, *yielded.operands))
    Rewriter.inline_block(body, InsertPoint.at_end(after), after.args)
    for arg, name in zip(before.args, [body_arg.name_hint for body_arg in after.args], strict=True):
        arg.name_hint = name
    loop = scf.WhileOp([op.lb, *op.iter_args], types, Region(before), Region(after))
    for new in (less, following, loop):
        new.location = op.location
    Rewriter.replace_op(op, loop, loop.results[1:])


def _remark_choices(kernel: ocl.KernelOp, facts: Uniformity) -> None:
    around = ops_around_barriers(kernel.body)
    for op in operations_of(kernel.body, scf.IfOp, scf.ForOp, scf.WhileOp):
        if op not in around:
            continue
        what = "branch" if isinstance(op, scf.IfOp) else "loop"
        if isinstance(op, scf.ForOp) or in_lock_step(op, facts):
            message = f"{what} with a barrier is uniform: the group takes it in lock-step"
        else:
            message = (
                f"{what} with a barrier is not proven uniform: "
                "each region inside runs under a flag for each work-item"
            )
        emit_remark(op, OclToWgPass.name, message)


def _remark_context(emitter: Emitter) -> None:
    parts: list[str] = []
    total = 0
    for context in emitter.contexts:
        assert isinstance(context.result.type, wg.ContextType)
        element = context.result.type.element
        nbytes = slot_size(element)
        total += nbytes
        parts.append(f"{context.result.name_hint or 'unnamed'}: {element}")
    detail = f" ({', '.join(parts)})" if parts else ""
    emit_remark(
        emitter.function, OclToWgPass.name, f"context memory: {total} bytes a work-item{detail}"
    )


def slot_size(element: Attribute) -> int:
    """The bytes of one slot of a context array: one for an i1, eight for an index."""
    if element == IntegerType(1):
        return 1
    return 8 if isinstance(element, IndexType) else size_of(element)
