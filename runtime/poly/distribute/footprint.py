"""What each part of a launch reads and writes, buffer by buffer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from polycl.analysis.ocl.module_parts import only_kernel
from polycl.analysis.poly.byte_ranges import NONE, ByteRanges
from polycl.analysis.poly.slices import Box, Touch, touches_of
from polycl.backends.device import NDRange, Part
from polycl.backends.pipeline import run_passes
from polycl.dialects import ocl
from polycl.dialects.inside import functions_of
from polycl.dialects.ocl.sync import AtomicKind
from polycl.errors import ArgumentError, error_at, location_of
from polycl.lowering.ocl.forward_spaces import ForwardSpacesPass
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.lift_cf_to_scf import LiftCfToScfPass
from polycl.lowering.ocl.ocl_expand_builtins import OclExpandBuiltinsPass
from polycl.lowering.ocl.ocl_expand_sub_groups import OclExpandSubGroupsPass
from polycl.lowering.ocl.ocl_resolve_spaces import OclResolveSpacesPass
from polycl.lowering.ocl.promote_private_memory import PromotePrivateMemoryPass
from polycl.lowering.ocl.simplify_breaks import SimplifyBreaksPass
from polycl.lowering.poly.poly_fix_launch import PolyFixLaunchPass, body_over_ids
from polycl.runtime.dtypes import signedness
from polycl.runtime.kernel import Kernel

_FAMILIES = {AtomicKind.SUB: AtomicKind.ADD}
"""Kinds whose partial results are combined as those of another kind."""

PAGE = 4096
"""Bytes that the system gives memory to at once."""
_FEW_RANGES, _MOST_USES = 256, 4096
"""Of what is kept for the next launch."""
_NOT_COMBINED = (AtomicKind.XCHG,)


@dataclass(frozen=True)
class Use:
    """What a part of a launch does with one buffer."""

    reads: ByteRanges = NONE
    writes: ByteRanges = NONE
    """All bytes that may be written."""
    kept: ByteRanges = NONE
    """Those of them that may stay as they were: the part must have their values, too."""
    is_exact: bool = True
    """Whether no byte is named that is not accessed, as far as isl knows."""

    @cached_property
    def needed(self) -> ByteRanges:
        """The bytes that the part must have before it runs."""
        return self.reads | self.kept

    @cached_property
    def touched(self) -> ByteRanges:
        return self.needed | self.writes

    @cached_property
    def pages(self) -> int:
        """The pages of memory with these bytes; the system has no memory for others."""
        touched = self.touched
        return ByteRanges.of(touched.starts // PAGE, -(-touched.ends // PAGE)).nbytes


@dataclass(frozen=True)
class Reduction:
    """A buffer to which a launch does nothing but one kind of atomic operation."""

    kind: AtomicKind
    element: np.dtype[np.generic]


class Footprint:
    """The accesses of one launch.

    Raises (the constructor):
        UnsupportedError: located: what no part of a launch can do on another machine.
    """

    def __init__(
        self,
        kernel: Kernel,
        ndrange: NDRange,
        integers: Mapping[int, int],
        sizes: Mapping[int, int],
    ):
        """`integers` are the integer arguments and `sizes` the bytes of the buffers, by the
        position of the parameter."""
        self.kernel = kernel
        self.ndrange = ndrange
        self.sizes = sizes
        self._uses: dict[tuple[int, Part], Use] = {}
        """Launches in a loop have the same parts."""
        whole = Part((0, 0, 0), ndrange.num_groups, ndrange.local_size)
        self._touches: dict[int, list[Touch]] = {position: [] for position in sizes}
        for touch in _touches(kernel, ndrange, integers, self.box_of(whole)):
            # A null pointer has no bytes.
            if touch.parameter in sizes:
                self._touches[touch.parameter].append(touch)
        self.reductions = {
            position: found
            for position, touches in self._touches.items()
            if (found := self._reduction(position, touches)) is not None
        }
        self.remarks = [*self._unbounded(whole)]
        """Of accesses whose buffer is sent whole: the operation, and the reason."""

    @property
    def written(self) -> list[int]:
        """The positions of the buffers that the launch writes, reductions included."""
        return [p for p, touches in self._touches.items() if any(t.writes for t in touches)]

    @property
    def read(self) -> list[int]:
        return [p for p, touches in self._touches.items() if any(t.reads for t in touches)]

    def box_of(self, part: Part) -> Box:
        """The global ids of a part."""
        launch = self.ndrange
        x, y, z = (
            (
                offset + first * local,
                offset + min((first + count) * local, size),
            )
            for first, count, local, size, offset in zip(
                part.first,
                part.groups,
                launch.local_size,
                launch.global_size,
                launch.global_offset,
                strict=True,
            )
        )
        return x, y, z

    def use(self, position: int, part: Part) -> Use:
        """What a part does with a buffer that is no reduction."""
        found = self._uses.get((position, part))
        if found is None:
            found = self._use(position, part)
            if len(found.touched.starts) <= _FEW_RANGES and len(self._uses) < _MOST_USES:
                self._uses[position, part] = found
        return found

    def _use(self, position: int, part: Part) -> Use:
        size = self.sizes[position]
        box = self.box_of(part)
        reads: list[ByteRanges] = []
        writes: list[ByteRanges] = []
        surely: list[ByteRanges] = []
        exact = True
        for touch in self._touches[position]:
            bytes, is_exact = self._bytes(touch, box, size)
            exact = exact and is_exact
            if touch.reads:
                reads.append(bytes)
            if touch.writes:
                writes.append(bytes)
                if is_exact and touch.is_exact:
                    surely.append(bytes)
        written = ByteRanges.union(writes)
        kept = written - ByteRanges.union(surely)
        return Use(ByteRanges.union(reads), written, kept, exact)

    def writers(self, position: int, part: Part, bytes: ByteRanges) -> list[Touch]:
        """The accesses of a part that may write some of these bytes."""
        size, box = self.sizes[position], self.box_of(part)
        return [
            touch
            for touch in self._touches[position]
            if touch.writes and self._bytes(touch, box, size)[0] & bytes
        ]

    def _bytes(self, touch: Touch, box: Box, size: int) -> tuple[ByteRanges, bool]:
        return touch.image(box, size) or (ByteRanges.one(0, size), False)

    def _reduction(self, position: int, touches: Sequence[Touch]) -> Reduction | None:
        kinds = {
            None if t.reduction is None else _FAMILIES.get(t.reduction, t.reduction)
            for t in touches
        }
        values = {t.op.operands[1].type for t in touches if isinstance(t.op, ocl.AtomicRMWOp)}
        if len(kinds) != 1 or len(values) != 1:
            return None
        (kind,) = kinds
        if kind is None or kind in _NOT_COMBINED:
            return None
        return Reduction(kind, _element(kind, values.pop()))

    def _unbounded(self, whole: Part) -> list[tuple[Touch, str]]:
        box = self.box_of(whole)
        found: list[tuple[Touch, str]] = []
        for position, touches in self._touches.items():
            if position in self.reductions:
                continue
            name = self.kernel.parameters[position].name
            size = self.sizes[position]
            for touch in touches:
                image = touch.image(box, size)
                if image is None or (touch.unknowns and image[0].nbytes == size):
                    verb = "written" if touch.writes else "read"
                    found.append(
                        (
                            touch,
                            f"'{name}' is {verb} at {addresses_of(touch)}: all of its "
                            f"{size} bytes go to each worker",
                        )
                    )
        return found


def _element(kind: AtomicKind, type: object) -> np.dtype[np.generic]:
    if isinstance(type, IntegerType):
        sign = "u" if kind in (AtomicKind.UMIN, AtomicKind.UMAX) else "i"
        return np.dtype(f"{sign}{type.width.data // 8}")
    return np.dtype("f4" if str(type) == "f32" else "f8")


def place_of(touch: Touch) -> str:
    """`file:line:col` of an access, or the text of the operation."""
    return _place(touch.op)


def _place(op: Operation) -> str:
    location = location_of(op)
    return ":".join(map(str, location)) if location is not None else op.name


def addresses_of(touch: Touch) -> str:
    """Why the addresses of an access have no better bounds."""
    if not touch.unknowns:
        return "addresses that are not affine"
    owner = touch.unknowns[0].owner
    place = f" ({_place(owner)})" if isinstance(owner, Operation) else ""
    return f"addresses that depend on a value that is not affine in the ids{place}"


def _touches(
    kernel: Kernel, ndrange: NDRange, integers: Mapping[int, int], box: Box
) -> list[Touch]:
    module = only_kernel(kernel.module, kernel.name)
    function = functions_of(module, ocl.KernelOp)
    if not function:
        raise ArgumentError(
            f"kernel '{kernel.name}' is a wg.func; only kernels of OpenCL C or ocl.kernel can be "
            "distributed"
        )
    for type in function[0].function_type.inputs:
        if isinstance(type, ocl.ImageType | ocl.PipeType):
            raise error_at(
                function[0],
                f"kernel '{kernel.name}' has a parameter of type {type}; images and pipes are not "
                "distributed: use buffers",
            )
    if len(function[0].args) != len(kernel.parameters):
        raise error_at(
            function[0],
            f"kernel '{kernel.name}' uses variables of the program, which the workers would not "
            "share: pass them as a buffer",
        )
    positions = sorted(integers)
    passes: list[ModulePass] = [
        LiftCfToScfPass(),
        InlineFunctionsPass(),
        ForwardSpacesPass(),
        PromotePrivateMemoryPass(),
        OclResolveSpacesPass(),
        SimplifyBreaksPass(),
        # Integer functions such as clamp are minima and maxima.
        OclExpandBuiltinsPass(),
    ]
    if ndrange.is_uniform:
        passes.append(OclExpandSubGroupsPass())
    fix = PolyFixLaunchPass(
        ndrange.global_size,
        ndrange.local_size,
        ndrange.global_offset,
        ndrange.work_dim,
        tuple(positions),
        tuple(integers[p] for p in positions),
    )
    run_passes(module, (*passes, fix))
    found = functions_of(module, ocl.KernelOp)[0]
    arguments = list(found.args)
    return touches_of(body_over_ids(found), arguments, box)


def integers_of(kernel: Kernel, values: Mapping[int, bytes]) -> dict[int, int]:
    """The integer arguments as numbers, by the position of the parameter."""
    found: dict[int, int] = {}
    for position, value in values.items():
        parameter = kernel.parameters[position]
        if isinstance(parameter.type, IntegerType):
            signed = signedness(parameter.spelling) is not False
            found[position] = int.from_bytes(value, "little", signed=signed)
    return found
