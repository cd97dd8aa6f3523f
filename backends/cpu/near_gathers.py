"""The functions of `wg.near`: gathers that load a register's width if all elements are in there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from string import Template

from polycl.lowering.llvm.convert_to_llvm.near_to_llvm import PREFIX
from polycl.lowering.wg.wg_vectorize.cycles import REGISTER_BYTES
from polycl.lowering.wg.wg_vectorize.near_lanes import window
from polycl.lowering.wg.wg_vectorize.vector_memory import PAGE_BYTES

NEAR = re.compile(rf"{re.escape(PREFIX)}\.(\d+)\.(\d+)\.(\w+)(\.mask)?(\.words)?(\.numbers)?")
"""Of a function of this kind."""

_CHOICES = {1: "permvar.qi", 2: "permvar.hi", 4: "vpermi2var.d", 8: "vpermi2var.q"}
"""The instructions that choose among the elements of a register, or two, by the bytes of one."""

_LAST = {"sext": 2**31, "zext": 2**32}
"""The first number after those of an index."""


@cache
def near_function(name: str) -> str:
    """The text of the function with that name.

    If no lane's element is before that of the first lane, or more than a register's width (or two)
    behind it, those of all lanes are in what is loaded from there, unless that goes on to another
    page, which may not be there. Else they are gathered.
    """
    match = NEAR.fullmatch(name)
    assert match is not None
    size, lanes, kind, masked = int(match[1]), int(match[2]), match[3], match[4] is not None
    bits, count = 64 if kind == "i64" else 32, REGISTER_BYTES // size
    index, element = f"i{bits}", f"i{8 * size}"
    register = f"<{count} x {element}>"
    first = "%first = add i64 %first.index, 0"
    wide = f"%wide = add <{lanes} x i64> %indices, zeroinitializer"
    if bits == 32:
        first = f"%first = {kind} i32 %first.index to i64"
        wide = f"%wide = {kind} <{lanes} x i32> %indices to <{lanes} x i64>"
    short = "%short = add $lane_elements %distance, zeroinitializer"
    if bits != 8 * size:
        cast = "trunc" if bits > 8 * size else "zext"
        short = f"%short = {cast} <$lanes x $index> %distance to $lane_elements"
    chosen = _ONE if window(size) == REGISTER_BYTES else _TWO
    text = _BEGIN + (_MASKED if masked else _ALL)
    text += _ROW.replace("$SHORT", short).replace("$CHOSEN", chosen)
    by_words, by_numbers = match[5] is not None, match[6] is not None
    if by_words:
        text += _BASE + (_PLACES_BY_NUMBERS if by_numbers else _PLACES) + _FROM_WORDS
    else:
        text += _ELEMENTS_BY_NUMBERS if by_numbers else _ELEMENTS
    return Template(text + _END).substitute(
        name=name,
        first=first,
        wide=wide,
        size=size,
        lanes=lanes,
        count=count,
        most=window(size) // size,
        index=index,
        element=element,
        choice=_CHOICES[size],
        register=register,
        registers=", ".join([register] * (1 + window(size) // REGISTER_BYTES)),
        lane_elements=f"<{lanes} x {element}>",
        lane_words=f"<{lanes} x i32>",
        pointers=f"<{lanes} x ptr>, <{lanes} x i1>",
        parameter=f", <{lanes} x i1> %mask" if masked else "",
        on="%mask" if masked else "splat (i1 true)",
        last=_LAST.get(kind, 2**63) - window(size),
        page=PAGE_BYTES - 1,
        fits=PAGE_BYTES - window(size),
        first_of_all=_order([0] * lanes),
        spread=_order([*range(lanes), *[None] * (count - lanes)]),
        taken=_order(range(lanes)),
    )


def _order(positions: Iterable[int | None]) -> str:
    numbers = ["i32 poison" if place is None else f"i32 {place}" for place in positions]
    return f"<{len(numbers)} x i32> <{', '.join(numbers)}>"


_BEGIN = """
define internal $lane_elements @"$name"(ptr %pointer,
    <$lanes x $index> %indices$parameter) alwaysinline nounwind {
  $wide
  %first.index = extractelement <$lanes x $index> %indices, i32 0
  $first
  %firsts = shufflevector <$lanes x $index> %indices, <$lanes x $index> poison, $first_of_all
  %distance = sub <$lanes x $index> %indices, %firsts
  %inside = icmp ult <$lanes x $index> %distance, splat ($index $most)
  %start = getelementptr $element, ptr %pointer, i64 %first
  %address = ptrtoint ptr %start to i64
  %in.page = and i64 %address, $page
  %fits = icmp ule i64 %in.page, $fits
  %wraps.not = icmp slt i64 %first, $last
  %may = and i1 %fits, %wraps.not
"""

_ALL = """
  %near = call i1 @llvm.vector.reduce.and.v${lanes}i1(<$lanes x i1> %inside)
  %is.row = and i1 %may, %near
"""

_MASKED = """
  %inside.or.off = select <$lanes x i1> %mask, <$lanes x i1> %inside, <$lanes x i1> splat (i1 true)
  %near = call i1 @llvm.vector.reduce.and.v${lanes}i1(<$lanes x i1> %inside.or.off)
  %first.on = extractelement <$lanes x i1> %mask, i32 0
  %may.on = select i1 %first.on, i1 %may, i1 false
  %is.row = select i1 %may.on, i1 %near, i1 false
"""
"""The index of a lane that is off may be poison, which only a selection leaves out."""

_ONE = """
  %loaded = load $register, ptr %start, align 1
  %moved = call $register @llvm.x86.avx512.$choice.512($register %loaded, $register %places)
"""

_TWO = """
  %loaded = load $register, ptr %start, align 1
  %next = getelementptr $element, ptr %start, i64 $count
  %loaded.next = load $register, ptr %next, align 1
  %moved = call $register @llvm.x86.avx512.$choice.512(
      $register %loaded, $register %places, $register %loaded.next)
"""

_ROW = """
  br i1 %is.row, label %row, label %apart
row:
  $SHORT
  %places = shufflevector $lane_elements %short, $lane_elements poison, $spread
  $CHOSEN
  %taken = shufflevector $register %moved, $register poison, $taken
  %together = select <$lanes x i1> $on, $lane_elements %taken,
    $lane_elements zeroinitializer
  br label %end
apart:
"""

_ELEMENTS = """
  %addresses = getelementptr $element, ptr %pointer, <$lanes x i64> %wide
  %gathered = call $lane_elements @llvm.masked.gather.v${lanes}$element.v${lanes}p0(
      <$lanes x ptr> %addresses, <$lanes x i1> $on, $lane_elements zeroinitializer)
"""

_ELEMENTS_BY_NUMBERS = """
  %gathered = call $lane_words @llvm.x86.avx512.mask.gather.dpi.512(
      $lane_words zeroinitializer, ptr %pointer, $lane_words %indices, <$lanes x i1> $on, i32 4)
"""

_BASE = """
  %base = ptrtoint ptr %pointer to i64
  %rest = and i64 %base, 3
  %down = call ptr @llvm.ptrmask.p0.i64(ptr %pointer, i64 -4)
"""

_PLACES = """
  %rest.one = insertelement <$lanes x i64> poison, i64 %rest, i32 0
  %rests = shufflevector <$lanes x i64> %rest.one, <$lanes x i64> poison, $first_of_all
  %bytes = mul <$lanes x i64> %wide, splat (i64 $size)
  %place.wide = add <$lanes x i64> %bytes, %rests
  %aligned = and <$lanes x i64> %place.wide, splat (i64 -4)
  %words.at = getelementptr i8, ptr %down, <$lanes x i64> %aligned
  %words = call $lane_words @llvm.masked.gather.v${lanes}i32.v${lanes}p0(
      <$lanes x ptr> %words.at, <$lanes x i1> $on, $lane_words zeroinitializer)
  %place = trunc <$lanes x i64> %place.wide to $lane_words
"""

_PLACES_BY_NUMBERS = """
  %rest.short = trunc i64 %rest to i32
  %rest.one = insertelement $lane_words poison, i32 %rest.short, i32 0
  %rests = shufflevector $lane_words %rest.one, $lane_words poison, $first_of_all
  %bytes = mul $lane_words %indices, splat (i32 $size)
  %place = add $lane_words %bytes, %rests
  %word = lshr $lane_words %place, splat (i32 2)
  %words = call $lane_words @llvm.x86.avx512.mask.gather.dpi.512(
      $lane_words zeroinitializer, ptr %down, $lane_words %word, <$lanes x i1> $on, i32 4)
"""

_FROM_WORDS = """
  %in.word = and $lane_words %place, splat (i32 3)
  %bits = shl $lane_words %in.word, splat (i32 3)
  %shifted = lshr $lane_words %words, %bits
  %gathered = trunc $lane_words %shifted to $lane_elements
"""

_END = """
  br label %end
end:
  %found = phi $lane_elements [ %together, %row ], [ %gathered, %apart ]
  ret $lane_elements %found
}
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i1 @llvm.vector.reduce.and.v${lanes}i1(<$lanes x i1>)
declare $register @llvm.x86.avx512.$choice.512($registers)
declare $lane_elements @llvm.masked.gather.v${lanes}$element.v${lanes}p0($pointers, $lane_elements)
declare $lane_words @llvm.masked.gather.v${lanes}i32.v${lanes}p0($pointers, $lane_words)
declare <16 x i32> @llvm.x86.avx512.mask.gather.dpi.512(<16 x i32>, ptr, <16 x i32>, <16 x i1>, i32)
"""
