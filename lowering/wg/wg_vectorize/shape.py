"""Along which dimension a region is vectorized, and for how many work-items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, takewhile

from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import AnyFloat, IntegerType, i8
from xdsl.ir import Attribute, Operation, Region

from polycl.analysis.ocl.calls import called_functions
from polycl.analysis.ocl.lane_stride import VARYING
from polycl.analysis.ocl.tables import bytes_looked_up, table_of
from polycl.analysis.ocl.uniformity import Uniformity, constant_index
from polycl.dialects import ocl, wg
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.parents import parents
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.wg.wg_vectorize.accesses import (
    Access,
    access_stride,
    accessed_type,
    accesses_in,
    is_of_one,
)
from polycl.lowering.wg.wg_vectorize.cycles import REGISTER_BYTES
from polycl.lowering.wg.wg_vectorize.profit import ARITHMETIC, LOOP_WEIGHT

REGISTER_BITS = 8 * REGISTER_BYTES

LONG = 8
"""The bytes of the longest numbers."""

RARE = 0.1
"""The share of all accesses below which those of a type are rare."""

NEAR = 4
"""Elements from one lane to the next, of which some registers hold all that lanes read: channels
of a picture, say. (Measured: digits of Base64, three of four channels, are read and written in 0.79
of the time by 32 lanes instead of 16.)"""

GATHER_COST = 16
"""Of a gather or scatter, in loads of neighbouring elements."""


def largest_sizes(region: wg.ParallelOp) -> list[int | None]:
    """The sizes of a region; those of the work-group where the region's are not constant."""
    sizes: list[int | None] = [constant_index(size) for size in region.sizes]
    function = next((op for op in parents(region) if isinstance(op, wg.FuncOp)), None)
    if function is not None and function.local_size is not None:
        whole = [int(size) for size in function.local_size.get_values()]
        sizes = [w if s is None else s for s, w in zip(sizes, whole, strict=True)]
    return sizes


def natural_width(
    region: wg.ParallelOp, facts: Uniformity, dimension: int, size: int, tables: bool = True
) -> int:
    """As many as fill a register with the widest type that the work-items read or write, but not
    more than those of 16 bits: bytes are computed with as wider numbers.

    Pixels of bytes that are mostly moved, or computed with as words, count as words. Where
    functions are called, which do most of the work, rare accesses of a wider type do not count.
    Where most of what is computed is wider, that decides: the carries of long numbers need
    many registers. Where lanes do little but look numbers up in `tables` of constants, there are
    as many as the bytes of a register: one instruction looks so many bytes up, and lookups that
    depend on each other wait less. So it is where loops access no memory and carry bytes only.
    """
    counts: Counter[int] = Counter()
    narrowest, nearest, has_vectors = 2, NEAR, False
    callees = called_functions(region)
    for op in chain.from_iterable(map(accesses_in, (region, *callees))):
        stride = access_stride(facts, op, dimension)
        if stride != 0:
            type = accessed_type(op)
            element = element_of(type)
            if isinstance(element, AnyFloat | IntegerType):
                near = stride is not None and abs(stride) <= NEAR * size_of(element)
                has_vectors = has_vectors or count_of(type) > 1
                if not near:
                    # Bytes that are not side by side are spread over several registers as it is.
                    narrowest = 4
                if stride is not None:
                    nearest = min(nearest, abs(stride) // size_of(element))
                counts[size_of(element)] += 1
    if nearest == NEAR:
        # Each lane has a word of its own, whose other bytes nobody moves.
        narrowest = 4
    if has_vectors and narrowest < 4:
        # Pixels that are moved, or whose channels become words, fill several registers as it is.
        short, words = _computed(32, region, callees, facts, dimension)
        narrowest = 2 if short > words else 4
    least = RARE * counts.total() if callees else 0
    widest = max([narrowest, *(size for size, count in counts.items() if count > least)])
    if widest < LONG:
        shorter, long = _computed(64, region, callees, facts, dimension)
        widest = LONG if long > shorter else widest
    if (
        tables
        and _looks_up_most(region, facts, dimension)
        or _carries_bytes(region, facts, dimension)
    ):
        widest = 1
    width = REGISTER_BITS // (8 * widest)
    while width // 2 >= size:
        width //= 2
    return width


def _looks_up_most(region: wg.ParallelOp, facts: Uniformity, dimension: int) -> bool:
    """Whether lanes look up more in small tables than they access other memory."""
    counts = {True: 0, False: 0}
    for op in accesses_in(region):
        is_private = ocl.space_of(op.pointer) == ocl.AddressSpace.PRIVATE
        stride = access_stride(facts, op, dimension)
        if not is_private and stride != 0:
            # Neighbouring elements are loaded like those of other memory.
            is_row = stride == size_of(accessed_type(op))
            is_lookup = isinstance(op, ocl.LoadOp) and (
                table_of(op.pointer) is not None or bytes_looked_up(op) is not None
            )
            counts[is_lookup and not is_row] += _weight(op, region)
    return counts[True] > counts[False]


def _carries_bytes(region: wg.ParallelOp, facts: Uniformity, dimension: int) -> bool:
    """Whether the values that loops carry for each lane are bytes, and lanes access nothing in
    loops but what is the same for all of them."""
    types: set[Attribute] = set()
    for loop in operations_of(region.body, scf.ForOp, scf.WhileOp):
        for block in (block for part in loop.regions for block in part.blocks):
            for value in block.args:
                if facts.lanes(value).strides[dimension] is VARYING:
                    types.add(value.type)
        if any(access_stride(facts, op, dimension) != 0 for op in accesses_in(loop)):
            return False
    return types == {i8}


def _computed(
    bits: int,
    region: wg.ParallelOp,
    callees: Iterable[Operation],
    facts: Uniformity,
    dimension: int,
) -> tuple[float, float]:
    """How many operations compute numbers of fewer bits, and of as many or more, apart from those
    whose results are known for all lanes at once, such as ids and sums of them, and from `uint`
    indices that become addresses, as those of `int` do without such an operation.
    """
    times = {True: 0.0, False: 0.0}

    def count(part: Region, weight: float) -> None:
        for op in chain.from_iterable(block.ops for block in part.blocks):
            if op.name.startswith(ARITHMETIC) and not _is_extended_index(op):
                [result] = op.results
                # Of values in functions nothing is known: they vary.
                if facts.lanes(result).strides[dimension] is VARYING and isinstance(
                    element := element_of(result.type), AnyFloat | IntegerType
                ):
                    amount = 2 if type(op) is math.FmaOp else 1
                    times[element.bitwidth >= bits] += amount * weight
            if not op.regions:
                continue
            inner = weight
            if isinstance(op, scf.ForOp | scf.WhileOp):
                inner *= LOOP_WEIGHT
            elif isinstance(op, scf.IfOp):
                inner /= 2
            for nested in op.regions:
                count(nested, inner)

    for around in (region, *callees):
        count(around.regions[0], 1.0)
    return times[False], times[True]


def _is_extended_index(op: Operation) -> bool:
    return isinstance(op, arith.ExtUIOp) and all(
        isinstance(use.operation, arith.IndexCastOp) for use in op.result.uses
    )


def best_dimension(
    region: wg.ParallelOp, facts: Uniformity, sizes: Sequence[int | None]
) -> int | None:
    """The dimension with the cheapest accesses for each work-item; x where it does not matter."""
    long = [(d, size) for d, size in enumerate(sizes) if size is not None and size > 1]
    if len(long) < 2:
        return long[0][0] if long else None
    weights = {op: _weight(op, region) for op in accesses_in(region.body)}
    costs: list[tuple[float, int]] = []
    for dimension, size in long:
        accesses = sum(_cost(op, facts, dimension) * weight for op, weight in weights.items())
        # A tile that is not full does as much as one that is.
        used = size / (-(-size // 16) * 16)
        costs.append(((accesses + 1) / used, dimension))
    return min(costs)[1]


def _cost(op: Access, facts: Uniformity, dimension: int) -> float:
    stride = access_stride(facts, op, dimension)
    if is_of_one(op, stride):
        return GATHER_COST
    if stride == 0:
        return 1 / 16
    return 1 if stride == size_of(accessed_type(op)) else GATHER_COST


def _weight(op: Operation, region: wg.ParallelOp) -> int:
    around = takewhile(lambda parent: parent is not region, parents(op))
    return LOOP_WEIGHT ** sum(isinstance(parent, scf.ForOp | scf.WhileOp) for parent in around)
