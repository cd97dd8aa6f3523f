"""The execution order of a group's work-items: WII functions ([ppopencl19], section 3.1.2).

Work-item `tid` executes its operation number `op` at step

    serial           operations * tid + op
    data-parallel    operations * (tid / N) + op

so work-items `N * k` to `N * k + N - 1` execute one operation together: a vector operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from polycl.analysis.host.host_index import QUERIES
from polycl.analysis.host.kernel_access import KernelAccesses
from polycl.analysis.host.platforms import Platform
from polycl.dialects import host, ocl
from polycl.dialects.host.buffers import constant_of

_PRINTED_STEPS = 32


@dataclass(frozen=True)
class Interleaving:
    """A platform's WII function (Table 1); in serial execution N is 1."""

    together: int

    @staticmethod
    def of(platform: Platform, lanes: int | None = None) -> Interleaving:
        """The function of a platform; `lanes` is another N for data-parallel ones."""
        return Interleaving(1 if platform.is_serial else lanes or platform.lanes)

    def step(self, tid: int, op: int, operations: int) -> int:
        """WII(tid, op)."""
        return operations * (tid // self.together) + op

    def blocks(self, work_items: int) -> list[range]:
        """The work-items that are executed together, in order."""
        n = self.together
        return [range(i, min(i + n, work_items)) for i in range(0, work_items, n)]

    def steps(self, work_items: int, operations: int) -> list[list[tuple[int, int]]]:
        """All `(tid, op)` of a group by their steps."""
        last = self.step(work_items - 1, operations - 1, operations)
        found: list[list[tuple[int, int]]] = [[] for _ in range(last + 1)]
        for tid in range(work_items):
            for op in range(operations):
                found[self.step(tid, op, operations)].append((tid, op))
        return found

    def text(self, operations: int) -> str:
        """The text of the function for a kernel with this number of operations."""
        if self.together == 1:
            return f"{operations} * tid + op"
        return f"{operations} * (tid / {self.together}) + op"


def fused_graph(module: ModuleOp, platform: Platform, lanes: int | None = None) -> Iterator[str]:
    """The output of `ocl-print-wii`: each host function with its kernels in it."""
    order = Interleaving.of(platform, lanes)
    launched = [op for op in module.walk() if isinstance(op, host.LaunchOp)]
    if not launched:
        for kernel in module.walk():
            if isinstance(kernel, ocl.KernelLike):
                yield from _kernel(kernel, order, platform, None, "")
        return
    for function in module.walk():
        if isinstance(function, FuncOp) and any(function.is_ancestor(op) for op in launched):
            yield f"host @{function.sym_name.data}"
            yield from _host(function.body.blocks[0], order, platform, "  ")


def _host(block: Block, order: Interleaving, platform: Platform, indent: str) -> Iterator[str]:
    for op in block.ops:
        if isinstance(op, host.LaunchOp):
            sizes = [constant_of(value) for value in op.local_size]
            items = 1 if sizes else None
            for size in sizes:
                items = None if items is None or size is None else items * size
            yield from _kernel(op.callee(), order, platform, items, indent)
        elif op.regions:
            yield f"{indent}{op.name}"
            for region in op.regions:
                for inner in region.blocks:
                    yield from _host(inner, order, platform, indent + "  ")
        elif host.is_host_operation(op):
            names = ", ".join(_name(operand) for operand in op.operands)
            result = f"{_name(op.results[0])} = " if op.results else ""
            yield f"{indent}{result}{op.name} {names}".rstrip()


def _kernel(
    kernel: ocl.KernelLike, order: Interleaving, platform: Platform, items: int | None, indent: str
) -> Iterator[str]:
    known = KernelAccesses(kernel)
    numbers = _numbers(kernel)
    count = "M" if items is None else str(items)
    yield (
        f"{indent}kernel @{kernel.sym_name.data}, {platform.name}, {platform.mode}: "
        f"{count} work-items in a group, WII(tid, op) = {order.text(len(numbers))}"
    )
    times = count if order.together == 1 else _quotient(items, order.together)
    together = f", {order.together} together" if order.together > 1 else ""
    yield f"{indent}  for tid: {times} times{together}"
    for text in _graph(kernel.body.blocks[0], numbers, known, order, ""):
        yield f"{indent}    {text}"
    if items is not None and items * len(numbers) <= _PRINTED_STEPS:
        yield f"{indent}  steps:"
        for step, pairs in enumerate(order.steps(items, len(numbers))):
            yield f"{indent}    {step}: " + " ".join(f"{tid}.{op}" for tid, op in pairs)


def _quotient(items: int | None, n: int) -> str:
    return f"M / {n} rounded up" if items is None else str(-(-items // n))


def _numbers(kernel: ocl.KernelLike) -> dict[Operation, int]:
    """The counted operations, numbered in the order of the text."""
    found = [op for op in kernel.body.walk() if _counts(op)]
    return {op: number for number, op in enumerate(found)}


def _counts(op: Operation) -> bool:
    if isinstance(op, scf.ForOp | scf.IfOp | scf.WhileOp | arith.ConstantOp | arith.IndexCastOp):
        return False
    if op.results and all(isinstance(use.operation, scf.IfOp) for use in op.results[0].uses):
        # The guard of a branch.
        return False
    return type(op) not in QUERIES and not op.has_trait(IsTerminator)


def _graph(
    block: Block,
    numbers: dict[Operation, int],
    known: KernelAccesses,
    order: Interleaving,
    indent: str,
) -> Iterator[str]:
    """The lines of a kernel's graph."""
    vector = "vector " if order.together > 1 else ""
    for op in block.ops:
        number = numbers.get(op)
        if number is not None:
            yield f"{indent}{number}: {vector}{_described(op, known)}"
        elif op.regions:
            yield f"{indent}{_header(op, known)}"
            for index, region in enumerate(op.regions):
                if index and region.blocks and isinstance(op, scf.IfOp):
                    yield f"{indent}else"
                for inner in region.blocks:
                    yield from _graph(inner, numbers, known, order, indent + "  ")


def _header(op: Operation, known: KernelAccesses) -> str:
    expr = known.indices.expr
    match op:
        case scf.ForOp():
            counter = expr(op.body.block.args[0])
            return f"for {counter} = {expr(op.lb)} to {expr(op.ub)}"
        case scf.IfOp():
            facts = " and ".join(f"{fact} >= 0" for fact in known.indices.decided(op.cond, True))
            return f"if {facts or _name(op.cond)}"
        case _:
            return op.name


def _described(op: Operation, known: KernelAccesses) -> str:
    result = f"{_name(op.results[0])} = " if op.results and op.results[0].name_hint else ""
    for access in known.accesses:
        if access.op is op:
            name = known.kernel.param_names[access.parameter]
            return f"{result}{'store' if access.is_store else 'load'} {name}[{access.index}]"
    return f"{result}{op.name}"


def _name(value: SSAValue) -> str:
    return f"%{value.name_hint}" if value.name_hint else "%_"
