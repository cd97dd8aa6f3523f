"""What each access and branch does to neighbouring work-items, as the analyses know it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.addresses import root_of
from polycl.analysis.ocl.lane_stride import UNKNOWN, Lanes
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.ocl.memory import space_of
from polycl.errors import location_of

KINDS = {
    "uniform": "all work-items do the same",
    "consecutive": "neighbours are next to each other in memory",
    "strided": "neighbours are a constant distance apart",
    "scattered": "neighbours may be anywhere",
    "divergent": "neighbours may take different branches",
}
"""What an access or a branch does, along x."""

MEMORY = (
    ocl.LoadOp,
    ocl.StoreOp,
    ocl.VLoadOp,
    ocl.VStoreOp,
    ocl.AtomicRMWOp,
    ocl.AtomicCmpXchgOp,
)
BRANCHES = (scf.IfOp, scf.ForOp, scf.ConditionOp)


@dataclass(frozen=True)
class Behaviour:
    """An access or a branch."""

    location: tuple[str, int, int]
    what: str
    """`read of x`, `branch`, `loop`."""
    kind: str
    """One of KINDS."""
    text: str
    """The distance of neighbours along each dimension."""
    size: int = 0
    """The bytes of an access."""


def behaviours_of(module: ModuleOp) -> dict[Behaviour, list[Operation]]:
    """The accesses to shared memory, branches and loops of the kernels of `module` whose place is
    known, in order, each with its operations: the compiler may have copied it."""
    found: dict[Behaviour, list[Operation]] = {}
    for kernel in module.ops:
        if not isinstance(kernel, ocl.KernelOp):
            continue
        facts = Uniformity(kernel)
        for op in kernel.walk():
            location = location_of(op)
            if location is None:
                continue
            if isinstance(op, MEMORY) and space_of(op.pointer) is not ocl.AddressSpace.PRIVATE:
                found.setdefault(_access(op, facts, kernel, location), []).append(op)
            elif isinstance(op, BRANCHES):
                found.setdefault(_branch(op, facts, location), []).append(op)
    return found


def _access(
    op: Operation, facts: Uniformity, kernel: ocl.KernelOp, location: tuple[str, int, int]
) -> Behaviour:
    assert isinstance(op, MEMORY)
    pointee = ocl.pointee_of(op.pointer)
    lanes = facts.lanes(op.pointer)
    index = getattr(op, "index", None)
    if isinstance(index, SSAValue):
        lanes += facts.lanes(index).scaled(stride_of(pointee))
    match op:
        case ocl.LoadOp() | ocl.VLoadOp():
            verb, size = "read", size_of(op.result.type)
        case ocl.StoreOp() | ocl.VStoreOp():
            verb, size = "write", size_of(op.value.type)
        case _:
            verb, size = "update", stride_of(pointee)
    x = lanes.x
    if x == 0:
        kind = "uniform"
    elif isinstance(x, int):
        kind = "consecutive" if abs(x) == size else "strided"
    else:
        kind = "strided" if x is UNKNOWN else "scattered"
    what = f"{verb} of {name_of(op.pointer, kernel)}"
    return Behaviour(location, what, kind, _bytes(lanes), size)


def _bytes(lanes: Lanes) -> str:
    parts = [
        f"{stride:+} bytes along {name}"
        if isinstance(stride, int)
        else f"{stride.value} along {name}"
        for name, stride in zip("xyz", lanes.strides, strict=True)
        if stride != 0
    ]
    known = ", ".join(parts).replace("? along", "a multiple that is not known along")
    return known or "the same address for the whole group"


def _branch(op: Operation, facts: Uniformity, location: tuple[str, int, int]) -> Behaviour:
    operands = op.operands[:1]
    if isinstance(op, scf.ForOp):
        operands = (op.lb, op.ub, op.step)
    uniform = all(facts.is_uniform(value) for value in operands)
    what = "branch" if isinstance(op, scf.IfOp) else "loop"
    text = (
        "all work-items of a group decide the same"
        if uniform
        else "not proven to be the same for all work-items of a group"
    )
    return Behaviour(location, what, "uniform" if uniform else "divergent", text)


def name_of(pointer: SSAValue, kernel: ocl.KernelLike) -> str:
    """What the source calls the object that `pointer` is in, if that is known."""
    root = root_of(pointer)
    name = kernel.name_of(root) or root.name_hint
    return name or f"{space_of(root).value} memory"
