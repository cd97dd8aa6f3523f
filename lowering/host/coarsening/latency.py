"""The cost of an operation on a platform: its class in the platform's table of latencies."""

from __future__ import annotations

from xdsl.dialects import arith, math, scf, vector
from xdsl.dialects.builtin import AnyFloat, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.analysis.host.platforms import Platform
from polycl.analysis.ocl.parallel_regions import CUTS
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, vec

ROUNDS = 16
"""The assumed trip count of a loop whose bounds are not constant."""

_FREE = vec.both(
    arith.ConstantOp,
    arith.IndexCastOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.BitcastOp,
    vector.BroadcastOp,
    scf.YieldOp,
    scf.ConditionOp,
    ocl.ReturnOp,
    ocl.AllocaOp,
    ocl.LocalAllocOp,
    ocl.CastOp,
    ocl.NullOp,
    ocl.AddressOfOp,
)
_DIVISIONS = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.FloorDivSIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
    arith.DivfOp,
    math.SqrtOp,
)
_FLOATS = vec.both(
    *(arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.NegfOp, arith.CmpfOp), math.FmaOp
)


def class_of(op: Operation) -> str | None:
    """The class of an operation; None if it is free."""
    match op:
        case ocl.LoadOp() | ocl.VLoadOp():
            return _memory_class(op.pointer.type, "load")
        case ocl.StoreOp() | ocl.VStoreOp():
            return _memory_class(op.pointer.type, "store")
        case scf.IfOp() | scf.ForOp() | scf.WhileOp():
            return "branch"
        case arith.MuliOp():
            return "multiply"
        case _ if isinstance(op, _FREE) or op.name.endswith("_id") or op.name.endswith("_size"):
            return None
        case _ if isinstance(op, _DIVISIONS):
            return "divide"
        case _ if isinstance(op, _FLOATS):
            return "float"
        case _ if isinstance(op, CUTS):
            return "barrier"
        case _ if op.name.startswith("math.") or isinstance(op, ocl.BuiltinOp):
            return "math" if any(_is_float(r.type) for r in op.results) else "integer"
        case _ if op.name.startswith("ocl.atomic"):
            return "load"
        case _:
            return "float" if any(_is_float(r.type) for r in op.results) else "integer"


def _memory_class(type: Attribute, other: str) -> str | None:
    assert isinstance(type, ocl.PtrType)
    match type.address_space:
        case ocl.AddressSpace.LOCAL:
            return "local"
        case ocl.AddressSpace.CONSTANT:
            return "constant"
        case ocl.AddressSpace.PRIVATE:
            return "integer"
        case _:
            return other


def _is_float(type: Attribute) -> bool:
    return isinstance(type.element_type if isinstance(type, VectorType) else type, AnyFloat)


def latency(op: Operation, platform: Platform) -> int:
    """The cycles of one execution of `op`, without its regions; a loop branches each iteration."""
    name = class_of(op)
    return 0 if name is None else platform.latency[name] * rounds(op)


def rounds(op: Operation) -> int:
    """How often the regions of `op` run in one execution of it."""
    match op:
        case scf.ForOp() if isinstance(_uncast(op.lb).owner, ocl.LocalIdOp):
            # The work-items of the group share the iterations.
            return 1
        case scf.ForOp():
            bounds = [constant_value(v) for v in (op.lb, op.ub, op.step)]
            start, end, step = bounds
            if start is None or end is None or not step:
                return ROUNDS
            return max(1, -(-(end - start) // step))
        case scf.WhileOp():
            return ROUNDS
        case _:
            return 1


def _uncast(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, arith.IndexCastOp | arith.ExtSIOp | arith.TruncIOp):
        value = value.owner.operands[0]
    return value


def weights(block: Block, weight: int = 1) -> list[tuple[Operation, int]]:
    """Each operation of a block, nested ones too, with its execution count."""
    found: list[tuple[Operation, int]] = []
    for op in block.ops:
        found.append((op, weight))
        for region in op.regions:
            for inner in region.blocks:
                found += weights(inner, weight * rounds(op))
    return found
