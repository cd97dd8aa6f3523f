"""Launches generated from a kernel's parameters.

Buffers are large for the index space, so that most kernels stay inside them. Integers by value are
small positive numbers that may be sizes. A launch that fails is not an input, and the next one is
tried.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerType, ModuleOp, VectorType
from xdsl.ir import Operation

from polycl.dialects import ocl, wg
from polycl.dialects.ocl.layout import stride_of
from polycl.errors import ArgumentError
from polycl.runtime.check_passes.inputs import Array, Fixed, Input, Number, Picture
from polycl.runtime.check_passes.trial import GeneratedTrial, Size
from polycl.runtime.dtypes import element_name, signedness
from polycl.runtime.images import IMAGE_SHAPES
from polycl.runtime.parameters import Parameter, parameters_of
from polycl.runtime.type_names import type_name, value_text

MAX_ELEMENTS = 1 << 14
MAX_TILE = 256

SHAPES: dict[int, tuple[tuple[Size, Size, Size | None], ...]] = {
    1: (
        ((1,), (1,), None),
        ((1,), (4,), None),
        ((3,), (4,), None),
        ((4,), (16,), None),
        ((2,), (8,), (5,)),
        ((2,), (64,), None),
    ),
    2: (
        ((1, 1), (1, 1), None),
        ((1, 1), (4, 4), None),
        ((2, 3), (4, 2), None),
        ((3, 2), (3, 5), None),
        ((1, 1), (16, 16), None),
        ((2, 1), (8, 8), (8, 4)),
    ),
    3: (
        ((1, 1, 1), (1, 1, 1), None),
        ((1, 1, 1), (2, 2, 2), None),
        ((2, 1, 3), (2, 3, 1), None),
        ((2, 2, 2), (4, 2, 1), None),
        ((1, 2, 1), (2, 2, 2), (1, 2, 3)),
    ),
}
"""Dimensions -> (work-groups, local size, global offset), small ones first."""

GROUPS: dict[int, tuple[Size, ...]] = {
    1: ((1,), (2,), (3,)),
    2: ((1, 1), (2, 1), (2, 3)),
    3: ((1, 1, 1), (2, 1, 1), (1, 2, 3)),
}
"""Dimensions -> work-groups, where the local size is given."""


@dataclass(frozen=True)
class Flavour:
    """The kinds of numbers of a launch."""

    integers: tuple[str, ...]
    """Kind and options of an integer array; `{n}` is the largest index of the index space."""
    floats: tuple[str, ...]
    sizes: str
    """Integers by value: `items` (as many as work-items, by the names), `row`, `one`, `few`."""
    real: float
    """Floats by value."""


FLAVOURS = (
    Flavour(("rand", "0", "{n}"), ("rand", "-4", "4"), "items", 1.5),
    Flavour(("iota",), ("iota",), "row", 2.0),
    Flavour(("rand", "1", "7"), ("rand", "0.5", "2"), "few", 0.25),
    Flavour(("edges",), ("edges",), "items", -3.0),
    Flavour(("perm",), ("bits",), "one", math.inf),
)

SAMPLERS = (
    "sampler:clamp_to_edge:nearest",
    "sampler:clamp:linear",
    "sampler:repeat:linear:normalized",
    "sampler:mirrored_repeat:nearest:normalized",
)

_NAMES = (
    (r"w|width|cols?|columns|nx|pitch|stride|row_?(size|len|length)", 0),
    (r"h|height|rows?|ny", 1),
    (r"depth|nz|slices", 2),
)
"""The dimension of the index space whose size a parameter of such a name probably is."""


class NoInput(Exception):
    """No argument for a parameter can be generated; the message names it, and the reason."""


def rank_of(module: ModuleOp, kernel: ocl.KernelLike) -> int:
    """The number of dimensions that the kernel queries, at least 1.

    The functions of the module count: the kernel may call them.
    """
    bodies = [kernel, *(op for op in module.ops if isinstance(op, func.FuncOp))]
    return max((_rank(op) for body in bodies for op in body.walk()), default=1)


def _rank(op: Operation) -> int:
    match op:
        case ocl.GlobalIdOp() | ocl.LocalIdOp() | ocl.GroupIdOp():
            return op.dimension + 1
        case wg.ParallelOp():
            return max((i + 1 for i, lid in enumerate(op.local_ids) if lid.uses), default=1)
        case _:
            return 1


def generate_trials(
    module: ModuleOp, kernel: ocl.KernelLike, local_size: Sequence[int] | None = None
) -> Iterator[GeneratedTrial]:
    """Different launches of `kernel`, the smallest first.

    `local_size` is the size for which a pass of the pipeline specialises it.

    Raises:
        NoInput: the type of a parameter has no text.
    """
    shapes = list(_shapes(module, kernel, local_size))
    fixed = local_size is not None or kernel.required_size is not None
    for turn in range(len(FLAVOURS)):
        for i, shape in enumerate(shapes):
            flavour = FLAVOURS[(turn + i) % len(FLAVOURS)]
            yield _trial(module, kernel, shape, flavour, fixed)


def typical_trial(module: ModuleOp, kernel: ocl.KernelLike) -> GeneratedTrial:
    """A launch with the largest groups of `generate_trials`, without an offset, and ordinary
    numbers. Raises NoInput."""
    shapes = [shape for shape in _shapes(module, kernel, None) if shape[2] is None]
    largest = max(shapes, key=lambda shape: (math.prod(shape[1]), math.prod(shape[0])))
    return _trial(module, kernel, largest, FLAVOURS[0], kernel.required_size is not None)


def _trial(
    module: ModuleOp,
    kernel: ocl.KernelLike,
    shape: tuple[Size, Size, Size | None],
    flavour: Flavour,
    fixed: bool,
) -> GeneratedTrial:
    groups, local, offset = shape
    inputs = [
        (p.name, _input(p, _Space(*shape), flavour, number, module))
        for number, p in enumerate(parameters_of(kernel))
    ]
    return GeneratedTrial(kernel.sym_name.data, groups, local, tuple(inputs), offset, fixed)


def _shapes(
    module: ModuleOp, kernel: ocl.KernelLike, local_size: Sequence[int] | None
) -> Iterator[tuple[Size, Size, Size | None]]:
    rank = rank_of(module, kernel)
    required = kernel.required_size if local_size is None else local_size
    if required is None:
        yield from SHAPES[rank]
        for size in _sizes_of_tiles(kernel, rank):
            yield from ((groups, size, None) for groups in GROUPS[rank][:2])
        return
    x, y, z = (*required, 1, 1)[:3]
    rank = max(rank, 3 if z > 1 else 2 if y > 1 else 1)
    for groups in GROUPS[rank]:
        yield groups, (x, y, z)[:rank], None


def _sizes_of_tiles(kernel: ocl.KernelLike, rank: int) -> list[Size]:
    """The local sizes for which the kernel's local arrays have one element for each work-item.

    With another size such a kernel would leave part of its array unwritten, or write beyond it.
    """
    sizes: list[Size] = []
    for op in kernel.walk():
        if not isinstance(op, ocl.LocalAllocOp) or not isinstance(op.result.type, ocl.PtrType):
            continue
        size: list[int] = []
        element = op.result.type.pointee
        while isinstance(element, ocl.ArrayType):
            size.insert(0, element.size.data)
            element = element.element
        size = size[:rank]
        if len(size) == rank and math.prod(size) <= MAX_TILE and tuple(size) not in sizes:
            sizes.append(tuple(size))
    return sizes


@dataclass(frozen=True)
class _Space:
    """The index space of a launch."""

    groups: Size
    local_size: Size
    offset: Size | None

    @property
    def ends(self) -> Size:
        """One more than the largest global id of each dimension."""
        start = self.offset or (0,) * len(self.groups)
        sizes = zip(self.groups, self.local_size, start, strict=True)
        return tuple(n * size + first for n, size, first in sizes)

    @property
    def elements(self) -> int:
        """The number of elements of a buffer."""
        return min(max(64, 4 * math.prod(self.ends), max(self.ends) ** 2), MAX_ELEMENTS)


def _input(
    parameter: Parameter, space: _Space, flavour: Flavour, number: int, module: ModuleOp
) -> Input:
    try:
        match parameter.type:
            case ocl.ImageType():
                return _picture(parameter.type, space, number, _has_integer_colours(module))
            case ocl.PipeType():
                raise NoInput(f"pipe '{parameter.name}': the order of packets is not determined")
            case ocl.SamplerType():
                return Fixed(SAMPLERS[FLAVOURS.index(flavour) % len(SAMPLERS)])
            case _:
                return _make_input(parameter, space, flavour, number)
    except (ArgumentError, TypeError) as error:
        raise NoInput(f"parameter '{parameter.name}' ({parameter.type_text}): {error}") from error


def _make_input(parameter: Parameter, space: _Space, flavour: Flavour, number: int) -> Input:
    if parameter.space is ocl.AddressSpace.LOCAL:
        items = math.prod(space.local_size)
        return Fixed(f"local:{stride_of(parameter.pointee) * max(64, 4 * items)}")
    signed = signedness(parameter.spelling) is not False
    name = type_name(parameter.pointee, signed)
    if parameter.space is not None:
        return _array(parameter, name, space, flavour, number)
    match parameter.type:
        case VectorType() | ocl.StructType() | ocl.UnionType():
            return Fixed(value_text(name, cycle(range(1, 100))))
        case _ if parameter.dtype.kind == "f":
            return Number(flavour.real)
        case _:
            return Number(_size(parameter, space, flavour))


def _array(parameter: Parameter, name: str, space: _Space, flavour: Flavour, number: int) -> Array:
    count = space.elements
    if parameter.is_void_pointer:
        count *= 8
    kind, *options = flavour.floats if re.match(r"f\d", name) else flavour.integers
    if "{" in name:
        # One range for members of all types.
        kind, *options = "rand", "0", "7"
    elif element_name(parameter.spelling) == "bool":
        kind, *options = "rand", "0", "1"
    elif re.match(r"[iu]8", name) and kind == "perm":
        kind = "bits"
    limit = min(math.prod(space.ends) - 1, 100)
    options = [option.format(n=limit) for option in options]
    if kind != "iota":
        # A seed of its own keeps the first elements when the array is cut.
        options.append(f"seed={number + 1}")
    return Array(name, kind, tuple(options), parameter.name, count)


def _picture(type: ocl.ImageType, space: _Space, number: int, integers: bool) -> Picture:
    """As large as the index space, and not smaller than 4 in any dimension."""
    kind = type.kind.value
    sides = reversed([max(4, end) for end in (*space.ends, 4, 4)[: len(IMAGE_SHAPES[kind])]])
    numbers, limits = ("i32", ("0", "99")) if integers else ("f32", ("0", "1"))
    options = (*limits, f"seed={number + 1}")
    return Picture(numbers, "rand", options, kind, tuple(sides))


def _has_integer_colours(module: ModuleOp) -> bool:
    """Whether the first access to an image, if there is one, is to integers."""
    for op in module.walk():
        if isinstance(op, ocl.ImageReadOp | ocl.ImageWriteOp):
            colour = op.result.type if isinstance(op, ocl.ImageReadOp) else op.color.type
            return isinstance(colour, VectorType) and isinstance(colour.element_type, IntegerType)
    return False


def _size(parameter: Parameter, space: _Space, flavour: Flavour) -> int:
    if element_name(parameter.spelling) == "bool":
        return 1
    match flavour.sizes:
        case "items":
            size = math.prod(space.ends)
            for names, dim in _NAMES:
                if dim < len(space.ends) and re.fullmatch(names, parameter.name, re.IGNORECASE):
                    size = space.ends[dim]
            return size if parameter.dtype.itemsize > 1 else min(size, 127)
        case "row":
            return min(space.ends[0], 127)
        case "few":
            return 3
        case _:
            return 1
