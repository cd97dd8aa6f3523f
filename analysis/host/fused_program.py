"""Facts about the host functions and kernels of a module, and about values at launches."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from polycl.analysis.host.buffers import function_of
from polycl.analysis.host.host_index import Indices, exact_quotient
from polycl.analysis.host.kernel_access import Access, KernelAccesses
from polycl.analysis.host.matrix import Known, translated
from polycl.analysis.ocl.index_expr import Expr, integer
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import host


class Program:
    """Facts about the functions and kernels of a module, computed on demand."""

    def __init__(self, module: ModuleOp):
        self.launches: dict[str, list[host.LaunchOp]] = {}
        for op in module.walk():
            if isinstance(op, host.LaunchOp):
                self.launches.setdefault(op.kernel.string_value(), []).append(op)
        self._hosts: dict[FuncOp, Indices] = {}
        self._kernels: dict[str, KernelAccesses] = {}
        self._known: dict[tuple[host.LaunchOp, Block | None], Known] = {}

    def host(self, op: Operation) -> Indices:
        """The indices of the host function around an operation."""
        function = function_of(op)
        assert function is not None
        if function not in self._hosts:
            self._hosts[function] = Indices(function)
        return self._hosts[function]

    def kernel(self, launch: host.LaunchOp) -> KernelAccesses:
        """The accesses of the kernel that is launched."""
        name = launch.kernel.string_value()
        if name not in self._kernels:
            sizes = [_local_sizes(op) for op in self.launches[name]]
            x, y, z = (d[0] if len(set(d)) == 1 else None for d in zip(*sizes, strict=True))
            self._kernels[name] = KernelAccesses(launch.callee(), (x, y, z))
        return self._kernels[name]

    def known(self, access: Access, launch: host.LaunchOp) -> Known:
        """The facts at an access of a kernel, in one of its launches."""
        key = (launch, access.op.parent)
        if key not in self._known:
            indices, host = self.kernel(launch).indices, self.host(launch)
            env, facts = indices.env(access.op), indices.facts(access.op)
            known = translated(self.values(launch), env, facts, host.env(launch))
            more = [*host.facts(launch), *host.quotient_facts(known.env)]
            self._known[key] = Known(known.values, known.env, [*known.facts, *more])
        return self._known[key]

    def values(self, launch: host.LaunchOp) -> dict[str, Expr]:
        """The kernel's arguments and sizes in the host's variables."""
        host, kernel = self.host(launch), self.kernel(launch)
        found: dict[str, Expr] = {}
        for name, operand in zip(kernel.indices.arguments, launch.arguments, strict=True):
            if isinstance(operand.type, IndexType | IntegerType):
                found[name] = host.expr(operand)
        for d in range(3):
            given = d < len(launch.global_size)
            whole = host.expr(launch.global_size[d]) if given else integer(1)
            found[f"gsize{d}"] = whole
            offset = launch.global_offset[d] if launch.global_offset and given else None
            found[f"offset{d}"] = integer(0) if offset is None else host.expr(offset)
            if launch.local_size or not given:
                local = host.expr(launch.local_size[d]) if given else integer(1)
                found[f"lsize{d}"] = local
                groups = exact_quotient(whole, local)
                found |= {} if groups is None else {f"groups{d}": groups}
        return found


def _local_sizes(launch: host.LaunchOp) -> tuple[int | None, int | None, int | None]:
    if not launch.local_size:
        return None, None, None
    sizes = [constant_value(value) for value in launch.local_size]
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z
