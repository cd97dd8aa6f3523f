"""The values of a kernel that differ between work-items merged along one dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.lane_stride import Stride
from polycl.analysis.ocl.parallel_regions import CUTS
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.ocl.layout import stride_of
from polycl.lowering.host.coarsening.zero import zero_of
from polycl.lowering.wg.merged_items.item_dependence import NONE, VECTOR, Axes, Dependence

Access = ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp
ACCESSES = (ocl.LoadOp, ocl.StoreOp, ocl.VLoadOp, ocl.VStoreOp)

_TOGETHER = (*CUTS, ocl.LocalAllocOp)
"""Operations of the whole group, which merged work-items execute once."""

_OF_GROUPS = (ocl.LocalIdOp, ocl.LocalSizeOp, ocl.GroupIdOp, ocl.NumGroupsOp)


class KernelDependence(Dependence):
    """The values of a kernel that differ along one dimension of the NDRange (axis `vector`).

    Differences of affine values may cancel (`analysis/ocl/uniformity.py`): the trip count of a loop
    from `8*id` to `8*id + 8` is the same for all.
    """

    def __init__(self, kernel: ocl.KernelOp, dimension: int):
        self.dimension = dimension
        self._facts = Uniformity(kernel)
        super().__init__(kernel.body.block)

    def of_operation(self, op: Operation) -> Axes:
        axes = super().of_operation(op)
        if axes and op.results and not op.regions and is_side_effect_free(op):
            lanes = [self._facts.lanes(result).strides for result in op.results]
            if all(strides[self.dimension] == 0 for strides in lanes):
                return NONE
        return axes

    def stride(self, value: SSAValue) -> Stride:
        """The difference of a value between consecutive merged work-items."""
        return self._facts.lanes(value).strides[self.dimension]

    def is_consecutive(self, op: Access) -> bool:
        """Whether neighbours access consecutive elements of shared memory."""
        type = op.pointer.type
        assert isinstance(type, ocl.PtrType)
        value = op.result if isinstance(op, ocl.LoadOp | ocl.VLoadOp) else op.value
        pointer = self.stride(op.pointer)
        index = 0 if op.index is None else self.stride(op.index)
        if type.address_space == ocl.AddressSpace.PRIVATE:
            return False
        if not (isinstance(pointer, int) and isinstance(index, int)):
            return False
        size = stride_of(value.type)
        unit = size if isinstance(op, ocl.VLoadOp | ocl.VStoreOp) else stride_of(type.pointee)
        return pointer + index * unit == size

    def same_distance(self, start: SSAValue, end: SSAValue) -> bool:
        """Whether `end - start` is the same for all merged work-items."""
        lanes = self._facts.lanes(end) - self._facts.lanes(start)
        return lanes.strides[self.dimension] == 0

    def is_shared(self, op: Operation) -> bool:
        """Whether merged work-items execute `op` once: it is the same for all of them, and neither
        a branch nor a loop around it is taken apart, or it is a load at the start of a branch."""
        is_control = isinstance(op, scf.IfOp | scf.ForOp | scf.WhileOp)
        if self.splits(op) if is_control else self.of_operation(op):
            return False
        branch = op.parent_op()
        return self.stays_together(op) or (
            isinstance(branch, scf.IfOp)
            and self.stays_together(branch)
            and op in shared_loads(branch, self)
        )

    def stays_together(self, op: Operation) -> bool:
        """Whether no branch or loop around `op` is divergent, apart from guards."""
        return not any(True for _ in self._divergent_around(op))

    def share(self, op: Operation) -> float:
        """The part of the work-items that are taken to execute `op` when others reach the branches
        around it: half, at each that neighbours do not take together."""
        around = self._divergent_around(op)
        return 0.5 ** sum(isinstance(branch, scf.IfOp) for branch in around)

    def _divergent_around(self, op: Operation) -> Iterator[Operation]:
        """The branches and loops around `op` that neighbours do not share, apart from guards."""
        around = op.parent_op()
        while around is not None and not isinstance(around, ocl.KernelOp):
            is_guard = isinstance(around, scf.IfOp) and self.recomputed([around.cond]) is not None
            if self.splits(around) and not is_guard:
                yield around
            around = around.parent_op()

    def _own(self, op: Operation) -> Axes:
        if isinstance(op, ocl.GlobalIdOp | ocl.LocalIdOp):
            return VECTOR if op.dimension == self.dimension else NONE
        if isinstance(op, _TOGETHER):
            return NONE
        return VECTOR if super()._own(op) else NONE

    def recomputed(self, values: Sequence[SSAValue]) -> list[Operation] | None:
        """The operations, in order, that compute the varying ones of `values` from ids and values
        that do not vary; None if they need other values."""
        found: dict[Operation, None] = {}
        return list(found) if all(self._find(value, found) for value in values) else None

    def _find(self, value: SSAValue, found: dict[Operation, None]) -> bool:
        if not self.of(value) or value.owner in found:
            return True
        owner = value.owner
        if isinstance(owner, Block) or owner.regions or not is_side_effect_free(owner):
            return False
        if not all(self._find(operand, found) for operand in owner.operands):
            return False
        found[owner] = None
        return True


def sees_groups(kernel: ocl.KernelOp, dimension: int) -> bool:
    """Whether a kernel can observe other sizes of groups along a dimension."""
    for arg in kernel.args:
        if isinstance(arg.type, ocl.PtrType) and arg.type.address_space == ocl.AddressSpace.LOCAL:
            return True
    return any(
        isinstance(op, _TOGETHER) or (isinstance(op, _OF_GROUPS) and op.dimension == dimension)
        for op in kernel.body.walk()
    )


def has_barrier(kernel: ocl.KernelOp) -> bool:
    """Whether the work-items of a group synchronise."""
    return any(isinstance(op, CUTS) for op in kernel.body.walk())


def obstacle(kernel: ocl.KernelOp, dependence: KernelDependence) -> str | None:
    """Why work-items of a structured kernel cannot be merged; None where they can."""
    for op in kernel.body.walk():
        if not isinstance(op, CUTS):
            continue
        if isinstance(op, ocl.AsyncCopyOp) and dependence.of_all(op.operands):
            return "an async copy whose operands are not proven the same for merged work-items"
        around = op.parent_op()
        while around is not None and around is not kernel:
            if dependence.splits(around) or not isinstance(
                around, scf.IfOp | scf.ForOp | scf.WhileOp
            ):
                return "a barrier in a branch or loop where merged work-items may diverge"
            around = around.parent_op()
    return None


def shared_loads(op: scf.IfOp, dependence: KernelDependence) -> list[Operation]:
    """The common loads at the start of a branch, with the operations for their operands."""
    found: dict[Operation, None] = {}
    for inner in op.true_region.block.ops:
        is_load = isinstance(inner, ocl.LoadOp | ocl.VLoadOp)
        if not is_load and (inner.regions or not is_side_effect_free(inner)):
            break
        here = [o for o in inner.operands if is_inside(o, op) and o.owner not in found]
        if inner.results and not here and not dependence.of_operation(inner):
            found[inner] = None
    loads = [o for o in found if isinstance(o, ocl.LoadOp | ocl.VLoadOp)]
    if not loads or any(zero_of(load.results[0].type) is None for load in loads):
        return []
    return list(found)


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether a value is computed in a region of `op`."""
    owner = value.owner
    holder = owner.parent_op() if isinstance(owner, Block) else owner
    return holder is not None and holder is not op and op.is_ancestor(holder)
