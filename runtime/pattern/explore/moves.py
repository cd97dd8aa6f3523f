"""The strategies of the search: each is a short sequence of rules [lift15, section 6].

A strategy is independent of the program: it searches for a kind of pattern, and leaves the values
of its parameters open. The search finds out which strategies pay, and in which order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from polycl.dialects.pattern import MapOp, ReduceOp
from polycl.runtime.pattern.explore.draft import Draft, Inapplicable, inside, size_of
from polycl.runtime.pattern.explore.machines import Machine
from polycl.runtime.pattern.explore.space import AtMost, powers_of_two

SIZES = powers_of_two(2, 1 << 22)
"""The sizes of chunks, and their numbers."""
COUNTS = (2, 4, 8)
"""The numbers of accumulators."""
WIDTHS = (4, 8, 16)
"""The sizes of vectors."""

Move = Callable[[Draft, str, Machine], Draft]
"""Applies a strategy at a place; raises Inapplicable where it is not useful."""


def chunk_map(draft: Draft, at: str, machine: Machine) -> Draft:
    """map(f) -> join o map(map(f)) o split-n"""
    draft, chunk, _ = draft.noted(f"chunks for the map at @{at}").cut(_size(draft, at), SIZES)
    return _pull(draft.step(f"3c n={chunk} @{at}"), inside(at, "in"))


def chunk_reduce(draft: Draft, at: str, machine: Machine) -> Draft:
    """reduce(f) -> reduce(f) o join o map(reduce(f)) o split-n"""
    draft = draft.noted(f"chunks for the reduction at @{at}")
    draft, chunk, count = draft.cut(_size(draft, at), SIZES)
    return _split(draft, at, chunk, count)


def stride_reduce(draft: Draft, at: str, machine: Machine) -> Draft:
    """reduce(f) -> reduce(f) o join o map(reduce(f)) o split-n o reorder-stride-s

    Neighbouring chunks read neighbouring elements.
    """
    draft = draft.noted(f"interleaved chunks for the reduction at @{at}")
    draft, chunk, count = draft.cut(_size(draft, at), SIZES)
    return _split(draft, at, chunk, count, reordered=True)


def _split(draft: Draft, at: str, chunk: str, count: str, *, reordered: bool = False) -> Draft:
    partial, mapped = inside(at, "in"), inside(at, "in", "in")
    draft = draft.step(f"3d.reduce m={count} @{at}")
    if reordered:
        draft = draft.step(f"3d.reorder @{partial}")
        # Choose the order at the source of the elements.
        reorder = inside(partial, "in")
        while True:
            further = draft.tried(f"3b.in @{reorder}")
            if further is draft:
                break
            draft, reorder = further, inside(reorder, "in")
        draft = draft.step(f"4c.stride s={count} @{reorder}")
    draft = draft.step(f"3d.split n={chunk} @{partial}")
    draft = draft.step(f"3d.full @{inside(mapped, 'fn')}")
    return _pull(draft, mapped)


def _pull(draft: Draft, mapped: str) -> Draft:
    """Maps before the split move into the map after it."""
    split = inside(mapped, "in")
    while True:
        try:
            draft = draft.step(f"x.split-map @{split}").step(f"3f.map @{mapped}")
        except Inapplicable:
            return draft


def vector_reduce(draft: Draft, at: str, machine: Machine) -> Draft:
    """reduce(f) -> reduce(f) o asScalar o part-red(vect-n(f)) o asVector-n

    The partial reduction has k accumulators, which are vectors.
    """
    draft = draft.noted(f"accumulators that are vectors for the reduction at @{at}")
    draft, accumulators, _ = draft.cut(_size(draft, at), COUNTS, "k", 4)
    draft, width, _ = draft.cut(_size(draft, at), WIDTHS, "w", _width(machine))
    draft = draft.limited(AtMost(f"{accumulators[1:]}*{width[1:]}", "256", "registers"))
    draft = draft.step(f"3d.reduce m={width}*{accumulators} @{at}")
    partial = inside(at, "in")
    draft = draft.step(f"x.part-red-vect n={width} @{partial}")
    draft = draft.step(f"x.accumulators @{inside(partial, 'in')}")
    split = inside(partial, "in", "in", "in")
    return _vector_input(draft, inside(split, "in"), width).tried(f"x.split-map @{split}")


def _vector_input(draft: Draft, as_vector: str, width: str) -> Draft:
    """Maps before an asVector compute vectors."""
    try:
        draft = draft.step(f"4e n={width} @{inside(as_vector, 'in')}").step(f"3e @{as_vector}")
    except Inapplicable:
        return draft
    return _vector_input(draft, inside(as_vector, "in"), width)


def vector_map(draft: Draft, at: str, machine: Machine) -> Draft:
    """map(f) -> asScalar o map(vect-n(f)) o asVector-n"""
    draft = draft.noted(f"vectors for the map at @{at}")
    draft, width, _ = draft.cut(_size(draft, at), WIDTHS, "w", _width(machine))
    return draft.step(f"4e n={width} @{at}")


def _width(machine: Machine) -> int:
    """A GPU's work-items load four numbers at once, a CPU's as many as its registers hold."""
    return 4 if machine.is_gpu else machine.lanes


def _size(draft: Draft, at: str):
    for kind in (ReduceOp, MapOp):
        for op, place in draft.sites(kind):
            if place == at:
                return size_of(op)
    raise Inapplicable(f"nothing at @{at}")


MOVES: tuple[tuple[type, Move], ...] = (
    (ReduceOp, chunk_reduce),
    (ReduceOp, stride_reduce),
    (MapOp, chunk_map),
    (ReduceOp, vector_reduce),
    (MapOp, vector_map),
)


def successors(draft: Draft, machine: Machine) -> Iterator[Draft]:
    """The drafts of each strategy at each place where it applies."""
    for kind, move in MOVES:
        for _, at in list(draft.sites(kind)):
            try:
                yield move(draft, at, machine)
            except Inapplicable:
                continue
