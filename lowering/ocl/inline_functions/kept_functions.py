"""Which functions stay functions, where the kernels would become too large without their calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, ModuleOp, VectorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects import ocl
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl import KernelLike, PtrType, RecordType
from polycl.dialects.ocl.layout import size_of
from polycl.lowering.ocl.uncalled_functions import is_private_function

Callers = Mapping[str, FuncOp | KernelLike]

WORTH = 0.05
"""The share of the budget that a function must save by staying a function."""

WORTH_WITH_STRUCTS = 2.0
"""The same for one that gets pointers to structs: what they point to is not split into fields,
which vectors can hold."""

WORTH_WITH_VARIABLES = 1.0
"""The same for one that gets the addresses of private variables: they stay in memory for its calls,
where inlined they are in registers. (Measured: FFTs of 1000 and 4096 points take 1.25 and 1.5 times
as long where their butterflies stay, and no less time to compile.)"""

MOST_PRIVATE = 4096
"""Bytes of private memory of a function and its callees: it lies on the stack, for each lane."""

_DIALECTS = ("arith", "math", "vector", "vec", "scf", "ub", "func")
_ALLOWED = (
    *(ocl.AllocaOp, ocl.LoadOp, ocl.StoreOp, ocl.VLoadOp, ocl.VStoreOp, ocl.PrefetchOp),
    *(ocl.OffsetOp, ocl.CastOp, ocl.MemberOp, ocl.PtrToIntOp, ocl.IntToPtrOp, ocl.NullOp),
    *(ocl.AddressOfOp, ocl.AtomicRMWOp, ocl.AtomicCmpXchgOp, ocl.FenceOp, ocl.PrintfOp),
    *(ocl.BitcastOp, ocl.BuiltinOp, ocl.ConcatOp, ocl.ConvertOp, ocl.ExtractOp, ocl.InsertOp),
    *(ocl.Shuffle2Op, ocl.ShuffleOp),
)
"""What a function that stays may contain: nothing that names the work-item or its group, since
only the kernel knows them, and nothing for which the work-items of a group meet."""


def kept_functions(functions: Callers, budget: int) -> set[str]:
    """The functions whose calls stay, so that what is left has at most `budget` operations.

    One after another, the function is kept that saves most, until the rest fits the budget or no
    function saves enough. Those that get addresses of variables come later, and those that get
    pointers to structs last. With a budget of 0 all functions stay that may.
    """
    sizes = {name: len(operations_in(f.body)) for name, f in functions.items()}
    calls = {name: _calls_in(f, functions) for name, f in functions.items()}
    order = _callees_first(calls)
    may_stay = _may_stay(functions, calls, order)
    candidates = [name for name in order if name in may_stay]
    roots = [name for name, f in functions.items() if isinstance(f, KernelLike)]
    with_variables = _with_variables(functions, order)
    least = dict.fromkeys(candidates, WORTH)
    least |= {name: WORTH_WITH_VARIABLES for name in candidates if name in with_variables}
    least |= {name: WORTH_WITH_STRUCTS for name in candidates if _gets_structs(functions[name])}
    kept: set[str] = set()
    while candidates:
        flat: dict[str, int] = {}
        for name in order:
            inlined = ((flat[c], count) for c, count in calls[name].items() if c not in kept)
            flat[name] = sizes[name] + sum(size * count for size, count in inlined)
        bodies = _bodies(roots, kept, calls, order)
        total = sum(flat[name] for name in (*roots, *sorted(kept)) if bodies[name])
        saved = {name: flat[name] * (bodies[name] - 1) for name in candidates if bodies[name]}
        if total <= budget or not saved:
            break
        worth = [name for name, size in saved.items() if size >= least[name] * budget]
        if not worth:
            break
        best = max(worth, key=lambda name: (-least[name], saved[name], name))
        kept.add(best)
        candidates.remove(best)
    return kept


def functions_that_may_stay(module: ModuleOp) -> set[str]:
    """The functions of a module that need not be inlined."""
    functions = {f.sym_name.data: f for f in module.ops if isinstance(f, FuncOp | KernelLike)}
    calls = {name: _calls_in(f, functions) for name, f in functions.items()}
    return _may_stay(functions, calls, _callees_first(calls))


def _calls_in(caller: FuncOp | KernelLike, functions: Callers) -> Counter[str]:
    names = (op.callee.string_value() for op in operations_of(caller.body, CallOp))
    return Counter(name for name in names if name in functions)


def _callees_first(calls: Mapping[str, Counter[str]]) -> list[str]:
    """All functions in an order in which callees precede their callers; recursion, which
    `inline-functions` refuses, is cut."""
    done: dict[str, None] = {}
    open: set[str] = set()

    def visit(name: str) -> None:
        if name not in done and name not in open:
            open.add(name)
            for callee in calls[name]:
                visit(callee)
            done[name] = None

    for name in calls:
        visit(name)
    return list(done)


def _bodies(
    roots: list[str], kept: set[str], calls: Mapping[str, Counter[str]], order: list[str]
) -> Counter[str]:
    """How many times each function's body is in the program: one that is kept is there once."""
    bodies = Counter(roots)
    for name in reversed(order):
        times = min(bodies[name], 1) if name in kept else bodies[name]
        for callee, count in calls[name].items():
            bodies[callee] += times * count
    return bodies


def _may_stay(functions: Callers, calls: Mapping[str, Counter[str]], order: list[str]) -> set[str]:
    """The functions that may stay, as may all that they call."""
    private: dict[str, int | None] = {}
    for name in order:
        function = functions[name]
        needed = [private[callee] for callee in calls[name]]
        own = _private_bytes(function) if isinstance(function, FuncOp) else None
        fits = own is not None and None not in needed
        total = (own or 0) + max((bytes or 0 for bytes in needed), default=0)
        private[name] = total if fits and total <= MOST_PRIVATE else None
    return {name for name, bytes in private.items() if bytes is not None}


def _private_bytes(function: FuncOp) -> int | None:
    """The bytes of private memory of a function; None where it must be inlined."""
    outputs = function.function_type.outputs.data
    if not is_private_function(function) or len(function.body.blocks) != 1 or len(outputs) > 1:
        return None
    if not all(_may_be_passed(type) for type in function.function_type.inputs):
        return None
    if not all(_may_be_passed(type) for type in outputs):
        return None
    total = 0
    for op in operations_in(function.body):
        if not _is_allowed(op):
            return None
        if isinstance(op, ocl.AllocaOp):
            total += size_of(ocl.pointee_of(op.result))
    return total


def _gets_structs(function: FuncOp | KernelLike) -> bool:
    return any(
        isinstance(type, PtrType) and isinstance(type.pointee, RecordType)
        for type in function.function_type.inputs
    )


def _with_variables(functions: Callers, order: list[str]) -> set[str]:
    """The functions that get addresses of private variables, which may be parameters of their
    callers. What points into an array is not one: it has been cast."""
    given: dict[SSAValue, str] = {}
    for name in reversed(order):
        for call in operations_of(functions[name].body, CallOp):
            callee = call.callee.string_value()
            if callee in functions and functions[callee].body.blocks:
                parameters = functions[callee].body.blocks[0].args
                for argument, parameter in zip(call.arguments, parameters, strict=True):
                    if isinstance(argument.owner, ocl.AllocaOp) or argument in given:
                        given[parameter] = callee
    return set(given.values())


def _may_be_passed(type: Attribute) -> bool:
    if isinstance(type, VectorType):
        type = type.element_type
    return isinstance(type, IntegerType | IndexType | AnyFloat | PtrType)


@cache
def _is_allowed_class(kind: type[Operation]) -> bool:
    return kind.name.partition(".")[0] in _DIALECTS or issubclass(kind, _ALLOWED)


def _is_allowed(op: Operation) -> bool:
    return _is_allowed_class(type(op)) and all(
        not isinstance(type, ocl.EventType) for type in op.result_types
    )
