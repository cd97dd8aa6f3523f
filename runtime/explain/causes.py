"""Why a kernel is slow: a table of causes.

A cause is a predicate on a place of the kernel, what is the matter there, and what to change. A
predicate reads facts only. Each advice must be true of the kernel: where a fact is not known, the
predicate does not hold, and where the place takes little of the time, there is no advice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polycl.analysis.ocl.cache_line import LINE
from polycl.runtime.explain.facts import Array, Facts, Location, Place

MATTERS = 0.08
"""The share of a kernel's estimated time below which a place gets no advice."""
_LARGE = 1 << 20
"""Bytes of an array that does not stay in a core's caches."""
Words = dict[str, object]


@dataclass(frozen=True)
class Advice:
    """A cause that was found."""

    cause: str
    location: Location
    message: str
    remedy: str
    weight: float
    """The share of the estimated time that it concerns: the largest is shown first."""

    def __str__(self) -> str:
        return f"{self.message}: {self.remedy}"


@dataclass(frozen=True)
class Cause:
    """A reason for a kernel to be slow."""

    name: str
    kinds: tuple[str, ...]
    """Of places that it concerns; `launch` for the kernel as a whole."""
    holds: Callable[[Place, Facts], bool]
    message: str
    """What is the matter, with the words of `_words` in braces."""
    remedy: str


# Predicates


def _array(place: Place, facts: Facts) -> Array | None:
    same = (a for a in facts.arrays if (a.name, a.space) == (place.array, place.space))
    return next(same, None)


def _is_strided(place: Place, facts: Facts) -> bool:
    """Of each cache line, a group uses less than half."""
    array = _array(place, facts)
    if place.space == "local" or not place.neighbours or array is None or array.used is None:
        return False
    return abs(place.neighbours) > 2 * place.size and array.used < 0.55 and array.traffic > _LARGE


def _is_column(place: Place, facts: Facts) -> bool:
    """Neighbours are far apart, so that vectors gather, and lines are used in other iterations."""
    if _is_strided(place, facts) or place.space == "local" or not place.neighbours:
        return False
    far = abs(place.neighbours) >= LINE and place.neighbours != place.size
    return far and bool({"gather", "scatter"} & set(place.made)) and place.share >= MATTERS


def _is_gather(place: Place, facts: Facts) -> bool:
    """Neighbours are at no constant distance, in an array that does not fit the caches of a core;
    of the lines, a group uses little, as far as that is known."""
    array = _array(place, facts)
    if place.neighbours is not None or place.space not in ("global", "constant") or array is None:
        return False
    if array.used is None and "from memory" not in place.traits:
        return False
    return array.nbytes > _LARGE and (array.used or 0) < 0.55 and place.share >= MATTERS


def _splits_neighbours(place: Place, facts: Facts) -> bool:
    """Neighbours take different sides of a branch with much inside."""
    if place.uniform or place.inside < 2 * MATTERS or facts.lanes == 1:
        return False
    return place.inside > 0.4 if place.mixed is None else place.mixed > 0.25


def _is_uneven(place: Place, facts: Facts) -> bool:
    """Neighbours iterate differently often, and not just once or not at all."""
    if place.taken is not None and place.taken < 2:
        return False
    if place.uniform or place.inside < 2 * MATTERS or facts.lanes == 1:
        return False
    return place.mixed is None or place.mixed > 1.3


def _trait(name: str) -> Callable[[Place, Facts], bool]:
    return lambda place, facts: name in place.traits


def _costly_trait(name: str, least: float = MATTERS) -> Callable[[Place, Facts], bool]:
    return lambda place, facts: name in place.traits and place.share >= least


def _is_one_place(place: Place, facts: Facts) -> bool:
    """All work-items of all groups update one element of global memory."""
    one = place.lanes is not None and place.lanes.is_uniform
    return place.space == "global" and one and place.times * facts.group_items >= 2


def _leaves_lanes_idle(place: Place, facts: Facts) -> bool:
    """A few work-items take a branch with most of the time inside, in the group that was looked
    at."""
    few = place.taken is not None and 0 < place.taken <= 0.13
    return few and not place.uniform and place.inside >= 0.4


def _has_small_groups(place: Place, facts: Facts) -> bool:
    return facts.keeps_groups and facts.group_items < 32 and facts.items >= 4096


def _has_odd_groups(place: Place, facts: Facts) -> bool:
    """The last vector of each row of a group is partly empty."""
    if not facts.keeps_groups or facts.items < 4096 or facts.lanes == 1:
        return False
    if _has_small_groups(place, facts):
        return False
    x = facts.ndrange.local_size[0]
    filled = x / (-(-x // facts.lanes) * facts.lanes)
    return x > 1 and filled < 0.7


def _has_few_items(place: Place, facts: Facts) -> bool:
    return facts.items < 16 and facts.cycles * facts.items > 20_000


def _has_few_groups(place: Place, facts: Facts) -> bool:
    large = facts.cycles * facts.items > 200_000 and facts.group_items >= 64
    return facts.groups < facts.threads and large and not _has_few_items(place, facts)


CAUSES: Sequence[Cause] = (
    Cause(
        "strided",
        ("read", "write"),
        _is_strided,
        "work-items next to each other {verb} {distance:,} bytes apart: of each cache line of "
        "64 bytes, {used:.0f} are used",
        "put what neighbouring work-items {verb} side by side (an array for each field instead of "
        "an array of records, or a transposed array), or swap the dimensions of the launch if "
        "another one runs along memory",
    ),
    Cause(
        "column",
        ("read", "write"),
        _is_column,
        "work-items next to each other {verb} {distance:,} bytes apart, which takes one access for "
        "each lane",
        "swap the dimensions of the launch, or transpose {array}, so that neighbouring work-items "
        "{verb} neighbouring elements",
    ),
    Cause(
        "gather",
        ("read", "write"),
        _is_gather,
        "neighbouring work-items {verb} {array} at no constant distance, all over {nbytes:,} "
        "bytes: each of them may wait for a cache line of its own",
        "sort the work by these places, so that neighbours {verb} the same or following lines; or "
        "make {array} smaller, say with a narrower type",
    ),
    Cause(
        "divergence",
        ("branch",),
        _splits_neighbours,
        "{mixed} some take this branch and others do not: a vector runs each side that any of "
        "them takes",
        "let whole ranges of neighbouring work-items decide alike (split the launch by the "
        "condition, or sort the work by it)",
    ),
    Cause(
        "uneven-loop",
        ("loop",),
        _is_uneven,
        "neighbouring work-items {may}run this loop differently often{longest}, and all lanes of a "
        "vector wait for the longest",
        "sort the work by the number of iterations, or give long loops to several work-items each",
    ),
    Cause(
        "double",
        ("arithmetic",),
        _costly_trait("widened double"),
        "a float is converted to double here, and back: half as many lanes, and conversions",
        "write float literals with an f (0.5f), and call functions with floats only; or build with "
        "-cl-single-precision-constant",
    ),
    Cause(
        "one-atomic",
        ("update",),
        _is_one_place,
        "all work-items update the same element of {array} one after the other",
        "combine the values of a group first (work_group_reduce_*, or an atomic on local memory), "
        "and update {array} once for each group",
    ),
    Cause(
        "idle-lanes",
        ("branch",),
        _leaves_lanes_idle,
        "{taken:.1%} of the work-items take this branch, and {inside:.0%} of the time is inside",
        "share the work in it among all work-items of the group",
    ),
    Cause(
        "small-groups",
        ("launch",),
        _has_small_groups,
        "a work-group has {group_items} work-items, which is less than two vectors of {lanes}, and "
        "its local memory and barriers do not let it run together with others",
        "choose a local size of 64 to 256 along x, a multiple of {width}",
    ),
    Cause(
        "odd-groups",
        ("launch",),
        _has_odd_groups,
        "the local size along x is {local_x}, no multiple of the {lanes} work-items of a vector: "
        "the last vector of each row is partly empty",
        "choose a multiple of {width}",
    ),
    Cause(
        "few-work-items",
        ("launch",),
        _has_few_items,
        "the launch has {items} work-item(s), so that nothing runs in vectors or on other threads",
        "make the loop over independent elements the index space: one work-item for each element",
    ),
    Cause(
        "few-groups",
        ("launch",),
        _has_few_groups,
        "the launch has {groups} work-group(s) for {threads} threads, and a group runs on one",
        "use smaller work-groups, or let a loop over parts be more groups: at least {threads}, and "
        "better four times as many",
    ),
    Cause(
        "integer-division",
        ("arithmetic",),
        _costly_trait("long division"),
        "a division of 64-bit integers by a number that is no constant: processors have no vectors "
        "of it",
        "divide 32-bit integers if the numbers fit (uint), or make the divisor a constant (-D); a "
        "power of two is a shift or a mask",
    ),
    Cause(
        "power",
        ("arithmetic",),
        _costly_trait("small power"),
        "pow with the constant exponent {exponent} computes a logarithm and an exponential",
        "multiply ({product}), or call pown",
    ),
    Cause(
        "private-array",
        ("read", "write"),
        _costly_trait("scattered private"),
        "each work-item uses another element of its private array {array}, which lies in memory "
        "for that: one access for each lane",
        "use constant indices (unrolled loops) so that the elements are registers, or choose by "
        "comparisons (select) where there are few",
    ),
    Cause(
        "volatile",
        ("read", "write"),
        _costly_trait("volatile"),
        "each access to volatile memory happens alone and in order: there are no vectors of it",
        "leave out volatile: kernels need it only to see what other groups write at the same time, "
        "for which atomics are",
    ),
    Cause(
        "sum-in-memory",
        ("write",),
        _costly_trait("sum in memory"),
        "each iteration reads {array} and writes it again at one place, since other accesses of "
        "the loop may go there, too",
        "if they do not, sum up in a private variable and store it after the loop (restrict says "
        "that the pointers to two arrays do not overlap)",
    ),
    Cause(
        "needless-barrier",
        ("barrier",),
        _trait("needless barrier"),
        "no work-item reads what another one of its group has written: this barrier orders "
        "nothing, and splits the work-items' registers",
        "leave it out",
    ),
)


def advice_of(facts: Facts) -> list[Advice]:
    """What to change, the most important first; each cause once for each line."""
    found: dict[tuple[str, str, int], Advice] = {}
    for cause in CAUSES:
        for place in (*_launch(facts), *facts.places):
            if place.kind not in cause.kinds or not cause.holds(place, facts):
                continue
            words = _words(place, facts)
            advice = Advice(
                cause.name,
                place.location,
                cause.message.format(**words),
                cause.remedy.format(**words),
                max(place.share, place.inside),
            )
            key = cause.name, *place.location[:2]
            found.setdefault(key, advice)
    return sorted(found.values(), key=lambda advice: -advice.weight)


def _launch(facts: Facts) -> Sequence[Place]:
    """The place of advice on the launch: the kernel's own."""
    if facts.location is None:
        return ()
    return (Place(facts.location, "launch", share=1.0),)


def _words(place: Place, facts: Facts) -> Words:
    array = _array(place, facts)
    exponent = place.detail.get("exponent", "")
    used = LINE * (array.used or 0) if array is not None else 0
    return {
        "array": place.array,
        "distance": abs(place.neighbours or 0),
        "exponent": exponent,
        "group_items": facts.group_items,
        "groups": facts.groups,
        "inside": place.inside,
        "items": facts.items,
        "lanes": facts.lanes,
        "local_x": facts.ndrange.local_size[0],
        "longest": "" if place.mixed is None else f" ({place.mixed:.1f} times the mean)",
        "may": "may " if place.mixed is None else "",
        "mixed": (
            "of neighbouring work-items, as far as is known,"
            if place.mixed is None
            else f"in {place.mixed:.0%} of all sets of 16 neighbouring work-items"
        ),
        "nbytes": array.nbytes if array is not None else 0,
        "product": " * ".join("x" * int(exponent or 0)),
        "taken": place.taken or 0,
        "threads": facts.threads,
        "used": used,
        "verb": place.kind,
        "width": max(facts.lanes, 16),
    }
