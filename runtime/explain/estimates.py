"""What operations cost and what became of accesses: facts of the program of a group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from polycl.analysis.ocl.uniformity import Uniformity
from polycl.backends.cpu.jit import has_masks
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.parents import parents
from polycl.dialects.vec import count_of
from polycl.errors import location_of
from polycl.lowering.wg.wg_vectorize.profit import operation_costs
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes, natural_width
from polycl.remarks import Remark
from polycl.runtime.explain.facts import Location
from polycl.runtime.explain.states import States

CONTROL = (scf.IfOp, scf.ForOp, scf.WhileOp)
_MEMORY = (
    ocl.LoadOp,
    ocl.StoreOp,
    ocl.VLoadOp,
    ocl.VStoreOp,
    ocl.AtomicRMWOp,
    ocl.AtomicCmpXchgOp,
)

Access = tuple[Location, str]
"""The place of an access, and its kind."""
Side = tuple[Location, int]
"""The place of a branch or loop, and the number of its region."""


@dataclass
class Estimates:
    """Cycles for each work-item."""

    accesses: dict[Access, float] = field(default_factory=dict[Access, float])
    others: dict[Location, float] = field(default_factory=dict[Location, float])
    """Of all operations but accesses."""
    inside: dict[Location, float] = field(default_factory=dict[Location, float])
    """Of what is in a branch or loop."""
    lanes: int = 1
    """Work-items of the widest vector."""

    @property
    def total(self) -> float:
        return sum(self.accesses.values()) + sum(self.others.values())


def estimates_of(
    states: States,
    executions: Mapping[Side, float],
    distances: Mapping[Access, int],
    idle: Mapping[Side, float],
) -> Estimates:
    """The costs of `wg-vectorize`, times the executions of what is around an operation.

    `distances` are those of neighbours in the launch, for accesses that became vectors in most of
    it: the passes have split off the borders where they are others. `idle` says how much more often
    a vector runs a part than one of its work-items, on the average.
    """
    found = Estimates()
    masks = has_masks()
    for function in functions_of(states.group, wg.FuncOp):
        facts = Uniformity(function)
        for region in operations_of(function.body, wg.ParallelOp):
            sizes = largest_sizes(region)
            dimension = best_dimension(region, facts, sizes)
            width = 1
            if dimension is not None:
                width = natural_width(region, facts, dimension, sizes[dimension] or 1)
            vectors = width > 1 and _is_vectorised(region, states.remarks)
            found.lanes = max(found.lanes, width if vectors else 1)
            strides = _strides(region.body.block, distances)
            costs = operation_costs(
                region.body.block, facts, dimension or 0, width, strides, masks=masks
            )
            for op, cost in costs.items():
                location = location_of(op)
                if location is None:
                    continue
                times = _executions(op, executions)
                if vectors:
                    times *= _idle(op, idle)
                cycles = times * (cost.vector if vectors else cost.scalar) / width
                if isinstance(op, _MEMORY):
                    key = location, access_kind(op)
                    found.accesses[key] = found.accesses.get(key, 0) + cycles
                else:
                    found.others[location] = found.others.get(location, 0) + cycles
                around = {location_of(each) for each in parents(op) if isinstance(each, CONTROL)}
                for place in around - {None}:
                    assert place is not None
                    found.inside[place] = found.inside.get(place, 0) + cycles
    return found


def _strides(body: Block, distances: Mapping[Access, int]) -> dict[Operation, int]:
    found: dict[Operation, int] = {}
    for op in operations_of(body, *_MEMORY):
        location = location_of(op)
        if location is not None and (location, access_kind(op)) in distances:
            found[op] = distances[location, access_kind(op)]
    return found


def _is_vectorised(region: wg.ParallelOp, remarks: Sequence[Remark]) -> bool:
    """Whether remarks say so of a region at this place, or of any if none is about this place."""
    told = [r for r in remarks if r.pass_name == "wg-vectorize"]
    here = [r for r in told if r.location == location_of(region)]
    return any(r.message.startswith("vectorised") for r in here or told)


def _executions(op: Operation, known: Mapping[Side, float]) -> float:
    """How often a work-item reaches `op`: as often as the innermost known branch or loop around
    it runs."""
    return next((known[side] for side in _sides(op) if side in known), 1.0)


def _idle(op: Operation, idle: Mapping[Side, float]) -> float:
    return prod(idle.get(side, 1.0) for side in _sides(op))


def _sides(op: Operation) -> Iterator[Side]:
    """The branches and loops around `op`, the innermost first, and which of their regions it is
    in."""
    inner = op
    for parent in parents(op):
        location = location_of(parent)
        if isinstance(parent, CONTROL) and location is not None:
            region = inner.parent_region()
            assert region is not None
            yield location, list(parent.regions).index(region)
        inner = parent


def access_kind(op: Operation) -> str:
    """`read`, `write` or `update`."""
    match op:
        case ocl.LoadOp() | ocl.VLoadOp() | wg.LoadOp() | wg.GatherOp():
            return "read"
        case ocl.StoreOp() | ocl.VStoreOp() | wg.StoreOp() | wg.ScatterOp():
            return "write"
        case _:
            return "update"


def forms_of(vectors: ModuleOp) -> dict[Access, tuple[str, ...]]:
    """What became of the accesses of each place and kind, the most frequent first."""
    counts: dict[Access, Counter[str]] = {}
    for op in operations_in(vectors):
        form, location = _form(op), location_of(op)
        if form is not None and location is not None:
            counts.setdefault((location, access_kind(op)), Counter())[form] += 1
    return {
        place: tuple(form for form, _ in found.most_common()) for place, found in counts.items()
    }


def _form(op: Operation) -> str | None:
    match op:
        case wg.LoadOp():
            return "vector load" if op.mask is None else "masked vector load"
        case wg.StoreOp():
            return "vector store" if op.mask is None else "masked vector store"
        case wg.GatherOp():
            rows = count_of(op.result.type) > count_of(op.indices.type)
            return "gather of rows" if rows else "gather"
        case wg.ScatterOp():
            return "scatter"
        case ocl.AtomicRMWOp() | ocl.AtomicCmpXchgOp():
            return "atomic"
        case ocl.LoadOp() | ocl.StoreOp() | ocl.VLoadOp() | ocl.VStoreOp():
            what = "load" if isinstance(op, ocl.LoadOp | ocl.VLoadOp) else "store"
            region = next((each for each in parents(op) if isinstance(each, wg.ParallelOp)), None)
            if region is None:
                return f"{what} once for the group"
            if region.step is None:
                return f"scalar {what}"
            return "broadcast" if what == "load" else "store of one element"
        case _:
            return None
