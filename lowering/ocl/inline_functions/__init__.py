"""`inline-functions`: calls are replaced by the bodies of the functions that they call."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import CallSiteLoc, ModuleOp, UnknownLoc
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl import AllocaOp, KernelLike
from polycl.dialects.ocl.debug import forget_argument
from polycl.dialects.ocl.kernel import declare_unsigned, unsigned_names
from polycl.errors import error_at
from polycl.lowering.ocl.inline_functions.kept_functions import kept_functions
from polycl.lowering.ocl.moving import replace_by_block
from polycl.lowering.ocl.uncalled_functions import erase_uncalled
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class InlineFunctionsPass(ModulePass):
    """Replace every `func.call` by the function's body; remove the private functions.

    ```
    %r = func.call @square(%x) : (f32) -> f32      ->      %r = arith.mulf %x, %x : f32
    ```

    An inlined operation keeps its own location and gets that of the call. Private memory of the
    function is allocated once at the top of the kernel, even for a call in a loop.

    With a `budget`, the functions whose copies would make the program larger than that many
    operations stay functions (`kept_functions.py`): a hash function of 1,300 operations that is
    called six times, say. They contain no barrier, and nothing that names the work-item.

    Raises:
        PolyclError: located: a function that calls itself (OpenCL 1.2, section 6.9.i, forbids
            it), one that is not defined, or one that branches between blocks.
    """

    name = "inline-functions"

    budget: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.budget is not None and self.budget < 0:
            raise PassFailedException(
                f"{self.name}: budget must be at least 0 operations, got {self.budget}"
            )
        # What no kernel calls would be inlined into what no kernel calls.
        erase_uncalled(op)
        callers = {f.sym_name.data: f for f in op.ops if isinstance(f, FuncOp | KernelLike)}
        functions = {name: f for name, f in callers.items() if isinstance(f, FuncOp)}
        kept = set[str]() if self.budget is None else kept_functions(callers, self.budget)
        for name in functions:
            if name in kept:
                message = f"'{name}' stays a function: its copies would exceed the budget"
                emit_remark(functions[name], self.name, message)
        done: set[str] = set()
        for caller in callers.values():
            _inline_into(caller, functions, kept, done, ())
        erase_uncalled(op)


def _inline_into(
    caller: FuncOp | KernelLike,
    functions: dict[str, FuncOp],
    kept: set[str],
    done: set[str],
    chain: tuple[str, ...],
) -> None:
    """Inline all calls in `caller`; callees first, so that each body is copied flat."""
    name = caller.sym_name.data
    if name in done:
        return
    chain = (*chain, name)
    for call in operations_of(caller.body, CallOp):
        callee = functions.get(call.callee.string_value())
        if callee is None or not callee.body.blocks:
            raise error_at(call, f"call of {call.callee}, which is not defined in this program")
        called = callee.sym_name.data
        if called in chain:
            cycle = " -> ".join([*chain[chain.index(called) :], called])
            raise error_at(call, f"recursion is not allowed in OpenCL C: {cycle}")
        _inline_into(callee, functions, kept, done, chain)
        if called not in kept:
            _inline(call, callee, caller)
    done.add(name)


def _inline(call: CallOp, callee: FuncOp, caller: FuncOp | KernelLike) -> None:
    if len(callee.body.blocks) != 1:
        raise error_at(
            call,
            f"function '{callee.sym_name.data}' branches between blocks; only structured control "
            "flow can be inlined: run lift-cf-to-scf before inline-functions",
        )
    body = callee.body.clone()
    for op in operations_in(body):
        _locate(op, call)
    declare_unsigned(caller, unsigned_names(callee))
    for op in operations_of(body, AllocaOp):
        op.detach()
        forget_argument(op)
        Rewriter.insert_op(op, InsertPoint.at_start(caller.body.blocks[0]))
    replace_by_block(call, body.block, call.arguments)


def _locate(op: Operation, call: CallOp) -> None:
    if isinstance(op.location, UnknownLoc):
        op.location = call.location
    elif not isinstance(call.location, UnknownLoc):
        op.location = CallSiteLoc(op.location, call.location)
