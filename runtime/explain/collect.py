"""The facts of a kernel and a launch, put together from the analyses of the compiler."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import AnyFloat, Float64Type
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.addresses import root_of
from polycl.analysis.ocl.lane_stride import Lanes
from polycl.analysis.ocl.launch_accesses import (
    ACCESSES,
    LINE,
    GroupAccesses,
    Seen,
    accessed_bytes,
    group_accesses,
)
from polycl.analysis.ocl.launch_values import LaunchNumbers
from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.analysis.ocl.work_counts import Count, WorkCounts, name, number
from polycl.backends.cpu.checked import launch_numbers
from polycl.backends.device import KernelArg, NDRange
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.parents import parents
from polycl.dialects.vec import count_of, element_of
from polycl.errors import location_of
from polycl.runtime.explain.estimates import (
    CONTROL,
    Access,
    Side,
    access_kind,
    estimates_of,
    forms_of,
)
from polycl.runtime.explain.facts import Array, Facts, Location, Place
from polycl.runtime.explain.states import States
from polycl.runtime.explain.traits import small_exponent, traits_of
from polycl.runtime.explorer.behaviours import name_of

_NEAR = 1 << 20
"""Bytes of an array that stays in the caches of a core."""


def facts_of(
    states: States,
    args: Sequence[KernelArg],
    ndrange: NDRange,
    *,
    threads: int,
    keeps_groups: bool,
) -> Facts:
    """What is known of the kernel of `states` in a launch with these arguments."""
    return _Collection(states, args, ndrange, threads, keeps_groups).facts()


@dataclass
class _Collection:
    states: States
    args: Sequence[KernelArg]
    ndrange: NDRange
    threads: int
    keeps_groups: bool

    def __post_init__(self) -> None:
        self.kernel = self.states.work_item
        self.lanes = Uniformity(self.kernel)
        self.counts = WorkCounts(self.kernel)
        numbers = launch_numbers(self.args, self.ndrange)
        self.group: GroupAccesses = group_accesses(self.kernel, numbers, self._memory())
        self.known = known_names(self.kernel, numbers)
        self.shares = branch_shares(self.kernel, self.group)

    def times(self, op: Operation) -> float:
        return self.value(self.counts.of(op))

    def value(self, count: Count) -> float:
        return self.counts.value(count, self.known, self.shares)

    def _memory(self) -> dict[SSAValue, NDArray[Any]]:
        """The arrays that the kernel only reads."""
        if not self.ndrange.facts.distinct_buffers:
            return {}
        written = {
            root_of(op.pointer)
            for op in operations_in(self.kernel.body)
            if isinstance(op, ACCESSES) and not isinstance(op, ocl.LoadOp | ocl.VLoadOp)
        }
        if any(isinstance(root.owner, Operation) and _may_be_any(root) for root in written):
            return {}
        return {
            argument: value
            for argument, value in zip(self.kernel.args, self.args, strict=False)
            if isinstance(value, np.ndarray) and argument not in written
        }

    def facts(self) -> Facts:
        ops = [op for op in operations_in(self.kernel.body) if location_of(op) is not None]
        forms = forms_of(self.states.vectors)
        estimates = estimates_of(
            self.states, self._executions(ops), self._distances(ops, forms), self._idle(ops)
        )
        arrays = self._arrays(ops)
        places: dict[tuple[Location, str, str], Place] = {}
        for op in ops:
            place = self._place(op)
            if place is None:
                continue
            key = place.location, place.kind, place.array
            if key in places:
                # The compiler has copied it.
                old = places[key]
                old.times += place.times
                old.count = old.count + place.count
                old.traits |= place.traits
                continue
            places[key] = place
            if place.is_access:
                own = place.location, place.kind
                place.made = forms.get(own, ())
                place.cycles = estimates.accesses.pop(own, 0)
            elif place.kind in ("branch", "loop"):
                place.inside = estimates.inside.get(place.location, 0)
        # What is left belongs to accesses that the compiler has moved to other lines.
        total = estimates.total + sum(place.cycles for place in places.values())
        found = [*places.values(), *self._arithmetic(ops, estimates.others)]
        operations = self._operations(ops)
        per_item = {
            **operations,
            **{f"bytes read from {a.name}": a.read_count for a in arrays},
            **{f"bytes written to {a.name}": a.written_count for a in arrays},
        }
        per_item = {name: count for name, count in per_item.items() if count.coefficients}
        return Facts(
            self.kernel.sym_name.data,
            location_of(self.kernel),
            self.ndrange,
            sorted(found, key=lambda place: place.location),
            arrays,
            {name: self.value(count) for name, count in operations.items()},
            per_item,
            {name: self._total(count) for name, count in per_item.items()},
            self._unknown(per_item.values()),
            total,
            estimates.lanes,
            self._remarks("not vector"),
            self.threads,
            self.keeps_groups,
            self.group.complete,
            self._remarks("vectors and one by one"),
        )

    def _total(self, count: Count) -> Count:
        total = self.counts.total(count)
        # Dimensions of one work-item are no factors.
        sizes = zip("xyz", self.ndrange.global_size, strict=True)
        ones = {f"global size {dimension}" for dimension, size in sizes if size == 1}
        return total.substitute(lambda atom: number(1) if atom in ones else name(atom))

    def _unknown(self, counts: Iterable[Count]) -> dict[str, float]:
        names = {name for count in counts for name in count.atoms}
        return {
            name: self.shares.get(unknown.op, unknown.typical)
            for name, unknown in self.counts.unknown.items()
            if name in names
        }

    def _remarks(self, start: str) -> Sequence[str]:
        """The remarks of `wg-vectorize` that start so, each once."""
        return list(
            dict.fromkeys(
                remark.message
                for remark in self.states.remarks
                if remark.pass_name == "wg-vectorize" and remark.message.startswith(start)
            )
        )

    def _executions(self, ops: Sequence[Operation]) -> dict[Side, float]:
        found: dict[Side, float] = {}
        for op in ops:
            location = location_of(op)
            if not isinstance(op, CONTROL) or location is None:
                continue
            for index, region in enumerate(op.regions):
                first = region.blocks[0].first_op if region.blocks else None
                if first is not None:
                    key = location, index
                    found[key] = found.get(key, 0) + self.times(first)
        return found

    def _idle(self, ops: Sequence[Operation]) -> dict[Side, float]:
        """How much more often a vector runs a side of a branch, or a loop, than a work-item."""
        found: dict[Side, float] = {}
        for op in ops:
            location = location_of(op)
            decision = condition_of(op) if isinstance(op, scf.WhileOp) else op
            seen = self.group.seen.get(decision, Seen())
            if location is None or seen.taken is None or seen.mixed is None:
                continue
            if isinstance(op, scf.IfOp):
                for side, (tiles, items) in enumerate(
                    zip(seen.sides, (seen.taken, 1 - seen.taken), strict=True)
                ):
                    found[location, side] = max(1.0, tiles / items) if items else 1.0
            elif isinstance(op, scf.ForOp | scf.WhileOp):
                for side in range(len(op.regions)):
                    found[location, side] = max(1.0, seen.mixed)
        return found

    def _distances(
        self, ops: Sequence[Operation], forms: Mapping[Access, tuple[str, ...]]
    ) -> dict[Access, int]:
        """The distances of neighbours that the launch shows, where there are vectors."""
        found: dict[Access, int] = {}
        for op in ops:
            location, distance = location_of(op), self.group.seen.get(op, Seen()).neighbours
            if isinstance(op, ACCESSES) and location is not None and distance is not None:
                key = location, access_kind(op)
                if any("vector" in form for form in forms.get(key, ())):
                    found[key] = distance
        return found

    def _place(self, op: Operation) -> Place | None:
        location = location_of(op)
        assert location is not None
        traits = traits_of(op, self.lanes)
        if "needless barrier" in traits and not self.ndrange.facts.distinct_buffers:
            traits -= {"needless barrier"}
        place = Place(
            location,
            "",
            times=self.times(op),
            count=self.counts.of(op),
            traits=traits,
            in_loop=any(isinstance(each, scf.ForOp | scf.WhileOp) for each in parents(op)),
        )
        seen = self.group.seen.get(op, Seen())
        if isinstance(op, ACCESSES):
            return self._access(op, place, seen)
        if isinstance(op, ocl.BarrierOp):
            return replace(place, kind="barrier")
        if not isinstance(op, CONTROL) or location == location_of(self.kernel):
            return None
        decisions: Sequence[SSAValue] = op.operands[:1]
        if isinstance(op, scf.ForOp):
            decisions = (op.lb, op.ub, op.step)
        if isinstance(op, scf.WhileOp):
            condition = condition_of(op)
            decisions, seen = (condition.condition,), self.group.seen.get(condition, Seen())
        return replace(
            place,
            kind="branch" if isinstance(op, scf.IfOp) else "loop",
            uniform=all(map(self.lanes.is_uniform, decisions)),
            taken=self.shares.get(op, seen.taken),
            mixed=seen.mixed,
        )

    def _access(self, op: Operation, place: Place, seen: Seen) -> Place | None:
        assert isinstance(op, ACCESSES)
        space = ocl.space_of(root_of(op.pointer))
        if space is ocl.AddressSpace.PRIVATE and "scattered private" not in place.traits:
            return None
        lanes: Lanes = self.lanes.lanes(op.pointer)
        index = getattr(op, "index", None)
        if isinstance(index, SSAValue):
            step = stride_of(ocl.pointee_of(op.pointer))
            if isinstance(op, ocl.VLoadOp | ocl.VStoreOp):
                step = accessed_bytes(op)
            lanes += self.lanes.lanes(index).scaled(step)
        nx = next((d for d, size in enumerate(self.ndrange.local_size) if size > 1), 0)
        proved = lanes.strides[nx]
        return replace(
            place,
            kind=access_kind(op),
            array=name_of(op.pointer, self.kernel),
            space=space.value,
            size=accessed_bytes(op),
            lanes=lanes,
            neighbours=proved if isinstance(proved, int) else seen.neighbours,
            iterations=seen.iterations,
        )

    def _arithmetic(
        self, ops: Sequence[Operation], cycles: Mapping[Location, float]
    ) -> Sequence[Place]:
        """The rest of each line, at its most expensive column."""
        traits: dict[Location, frozenset[str]] = {}
        detail: dict[Location, dict[str, str]] = {}
        times: dict[Location, tuple[float, Count]] = {}
        for op in ops:
            location = location_of(op)
            assert location is not None
            if isinstance(op, (*ACCESSES, *CONTROL, ocl.BarrierOp)):
                continue
            traits[location] = traits.get(location, frozenset()) | traits_of(op, self.lanes)
            times.setdefault(location, (self.times(op), self.counts.of(op)))
            if (exponent := small_exponent(op)) is not None:
                detail.setdefault(location, {})["exponent"] = str(exponent)
        lines: dict[tuple[str, int], Place] = {}
        for location in sorted(
            cycles.keys() | {place for place, found in traits.items() if found},
            key=lambda place: -cycles.get(place, 0),
        ):
            here = lines.get(location[:2])
            if here is None:
                often, count = times.get(location, (0.0, number(0)))
                here = Place(location, "arithmetic", times=often, count=count)
                lines[location[:2]] = here
            here.cycles += cycles.get(location, 0)
            here.traits |= traits.get(location, frozenset())
            here.detail = {**detail.get(location, {}), **here.detail}
        return list(lines.values())

    def _operations(self, ops: Sequence[Operation]) -> dict[str, Count]:
        found: dict[str, Count] = {}
        for op in ops:
            kind, times = _kind_of(op)
            if kind:
                old = found.get(kind, number(0))
                found[kind] = old + self.counts.of(op) * number(times)
        return found

    def _arrays(self, ops: Sequence[Operation]) -> list[Array]:
        found: dict[SSAValue, Array] = {}
        executions: dict[SSAValue, float] = {}
        for op in ops:
            if not isinstance(op, ACCESSES):
                continue
            root = root_of(op.pointer)
            space = ocl.space_of(root)
            if space is ocl.AddressSpace.PRIVATE:
                continue
            array = found.get(root)
            if array is None:
                called = name_of(op.pointer, self.kernel)
                array = found[root] = Array(called, space.value, self._nbytes(root))
            moved = self.counts.of(op) * number(accessed_bytes(op))
            if not isinstance(op, ocl.StoreOp | ocl.VStoreOp):
                array.read_count = array.read_count + moved
                array.read += self.value(moved)
            if not isinstance(op, ocl.LoadOp | ocl.VLoadOp):
                array.written_count = array.written_count + moved
                array.written += self.value(moved)
            executions[root] = executions.get(root, 0) + self.times(op)
        for root, array in found.items():
            self._set_traffic(array, root, executions[root])
        return list(found.values())

    def _set_traffic(self, array: Array, root: SSAValue, executions: float) -> None:
        """The lines that groups touch, each fetched once by a group: those of a small array stay in
        the caches. What is written is fetched, and written back."""
        if array.space == "local":
            return
        items = int(np.prod(self.ndrange.global_size))
        groups = int(np.prod(self.ndrange.num_groups))
        lines = self.group.lines.get(root)
        if lines is None:
            array.traffic = executions * items * LINE
        else:
            array.traffic, array.used = lines.count * LINE * groups, lines.used
        if array.nbytes and array.nbytes <= _NEAR:
            array.traffic = min(array.traffic, array.nbytes)
        array.traffic *= 2 if array.written else 1

    def _nbytes(self, root: SSAValue) -> int:
        for argument, value in zip(self.kernel.args, self.args, strict=False):
            if argument is root:
                return getattr(value, "nbytes", 0)
        return 0


def branch_shares(kernel: ocl.KernelLike, group: GroupAccesses) -> dict[Operation, float]:
    """The share of work-items that takes a branch, and the iterations of loops, where the launch's
    numbers decide them."""
    found: dict[Operation, float] = {}
    for op in operations_in(kernel.body):
        decision = condition_of(op) if isinstance(op, scf.WhileOp) else op
        taken = group.seen.get(decision, Seen()).taken
        if taken is None:
            continue
        if isinstance(op, scf.WhileOp):
            taken = taken / (1 - taken) if taken < 1 else None
        if taken is not None:
            found[op] = taken
    return found


def known_names(kernel: ocl.KernelLike, numbers: LaunchNumbers) -> dict[str, float]:
    """The names of counts whose values the launch gives; ids have their mean."""
    found: dict[str, float] = {}
    for parameter, value in zip(kernel.param_names, numbers.arguments, strict=False):
        if value is not None:
            found[parameter] = value
    sizes = (numbers.global_size, numbers.local_size, numbers.num_groups, numbers.global_offset)
    for d, size, local, groups, offset in zip("xyz", *sizes, strict=True):
        found |= {
            f"global size {d}": size,
            f"local size {d}": local,
            f"groups {d}": groups,
            f"offset {d}": offset,
            f"id {d}": offset + (size - 1) / 2,
            f"local id {d}": (local - 1) / 2,
            f"group id {d}": (groups - 1) / 2,
        }
    return found


def _may_be_any(root: SSAValue) -> bool:
    """Whether a pointer that is no argument may be to an argument's array."""
    return not isinstance(root.owner, ocl.AllocaOp | ocl.LocalAllocOp | ocl.AddressOfOp)


_FLOATS = (arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp)
_FUSED = (math.FmaOp,)
_INTEGERS = (
    arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.DivSIOp, arith.DivUIOp, arith.RemSIOp,
    arith.RemUIOp, arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp, arith.AndIOp, arith.OrIOp,
    arith.XOrIOp, arith.CmpiOp,
)  # fmt: skip


def _kind_of(op: Operation) -> tuple[str, int]:
    """Which operation it counts as, and how many."""
    if len(op.results) != 1:
        return "", 0
    elements = count_of(op.results[0].type)
    if isinstance(op, _FLOATS + _FUSED):
        is_double = element_of(op.results[0].type) == Float64Type()
        each = 2 if isinstance(op, _FUSED) else 1
        return "double" if is_double else "float", each * elements
    if isinstance(op, _INTEGERS):
        return "integer", elements
    is_function = op.name.startswith("math.") or op.name == "ocl.builtin"
    if is_function and isinstance(element_of(op.results[0].type), AnyFloat):
        return "function", elements
    return "", 0
