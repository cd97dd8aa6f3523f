"""The launches of a kernel and their new sizes for merged work-items: ChangeNDRange."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, ModuleOp, SymbolRefAttr, i64
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl
from polycl.dialects.host.launches import LaunchOp, constant_of
from polycl.lowering.build import Build, Constants
from polycl.lowering.host.coarsening.coarse_dependence import sees_groups
from polycl.lowering.host.coarsening.coarse_kernel import Merge

Sizes = tuple[int | None, ...]


@dataclass(frozen=True)
class Configuration:
    """The common sizes of a kernel's launches: three each, None where not constant."""

    rank: int
    global_size: Sizes
    local_size: Sizes | None
    offset: bool

    @staticmethod
    def of(launch: LaunchOp) -> Configuration:
        offset = any(constant_of(value) != 0 for value in launch.global_offset)
        local = _three(launch.local_size) if launch.local_size else None
        return Configuration(len(launch.global_size), _three(launch.global_size), local, offset)

    def merge(self, kernel: ocl.KernelOp, dimension: int, factor: int) -> Merge | None:
        """How to merge work-items along a dimension; None if the launch does not have it, or its
        sizes are not known to fit."""
        if dimension >= self.rank:
            return None
        size = self.local_size[dimension] if self.local_size else None
        divides = size is not None and size % factor == 0
        if sees_groups(kernel, dimension):
            if size is None:
                return None
            return Merge(dimension, factor, None if divides else size, self.offset)
        whole = self.global_size[dimension]
        if self.local_size is None and whole is not None and whole % factor == 0:
            divides = True
        return Merge(dimension, factor, None if divides else "argument", self.offset)


def _three(sizes: Sequence[SSAValue]) -> Sizes:
    return (*map(constant_of, sizes), 1, 1)[:3]


def launches_of(module: ModuleOp) -> dict[str, list[LaunchOp]]:
    """The launches of each kernel, by its name."""
    found: dict[str, list[LaunchOp]] = {}
    for op in module.walk():
        if isinstance(op, LaunchOp):
            found.setdefault(op.kernel.string_value(), []).append(op)
    return found


def copy_of(kernel: ocl.KernelOp, module: ModuleOp) -> ocl.KernelOp:
    """A copy of a kernel after it, under a new name."""
    names = {op.sym_name.data for op in module.ops if hasattr(op, "sym_name")}  # pyright: ignore
    number = 1
    while f"{kernel.sym_name.data}_{number}" in names:
        number += 1
    new = kernel.clone()
    new.properties["sym_name"] = type(kernel.sym_name)(f"{kernel.sym_name.data}_{number}")
    Rewriter.insert_op(new, InsertPoint.after(kernel))
    return new


def change_ndrange(launch: LaunchOp, kernel: ocl.KernelOp, merge: Merge, groups: bool) -> None:
    """Let a launch start fewer work-items of the coarsened `kernel`. `groups` tells whether the
    original kernel sees its groups."""
    d, build = merge.dimension, _Sizes(launch)
    whole, local = list(launch.global_size), list(launch.local_size)
    arguments = list(launch.arguments)
    if merge.size == "argument":
        arguments.append(build.index_cast(whole[d], i64))
    if merge.size is None or not local:
        whole[d] = build.value(build.divided(whole[d], merge.factor))
        local[d : d + 1] = [build.value(build.divided(n, merge.factor)) for n in local[d : d + 1]]
    else:
        smaller = build.divided(local[d], merge.factor)
        items = whole[d] if groups else build.divided(whole[d], merge.factor)
        count = build.divided(items, local[d] if groups else smaller)
        whole[d] = build.value(build.multiplied(count, smaller))
        local[d] = build.value(smaller)
    new = LaunchOp(
        SymbolRefAttr(kernel.sym_name.data),
        whole,
        local,
        arguments,
        global_offset=launch.global_offset,
        after=launch.after,
        event=launch.event is not None,
    )
    new.location = launch.location
    new.attributes = dict(launch.attributes)
    Rewriter.replace_op(launch, new)


Size = int | SSAValue


class _Sizes(Build):
    """Computes sizes before a launch, rounded up, with constants folded."""

    def __init__(self, launch: LaunchOp):
        known: Constants = {}
        for value in (*launch.global_size, *launch.local_size):
            if (number := constant_of(value)) is not None:
                known[repr(number), IndexType()] = value
        super().__init__(launch, constants=known)

    def value(self, size: Size) -> SSAValue:
        return size if isinstance(size, SSAValue) else self.index(size)

    def divided(self, size: Size, other: Size) -> Size:
        a, b = _number(size), _number(other)
        if b == 1:
            return size
        if a is not None and b is not None:
            return -(-a // b)
        return self.emit(arith.CeilDivUIOp(self.value(size), self.value(other)))

    def multiplied(self, a: Size, b: Size) -> Size:
        x, y = _number(a), _number(b)
        if x is not None and y is not None:
            return x * y
        if 1 in (x, y):
            return a if y == 1 else b
        return self.mul(self.value(a), self.value(b))


def _number(size: Size) -> int | None:
    return size if isinstance(size, int) else constant_of(size)
