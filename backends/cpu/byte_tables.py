"""The functions of `wg.table`: gathers of bytes from tables that registers hold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from string import Template

from polycl.lowering.llvm.convert_to_llvm.near_to_llvm import TABLE_PREFIX
from polycl.lowering.wg.wg_vectorize.cycles import REGISTER_BYTES
from polycl.lowering.wg.wg_vectorize.vector_memory import PAGE_BYTES

TABLE = re.compile(rf"{re.escape(TABLE_PREFIX)}\.(\d+)\.(\d+)(\.mapped)?(\.mask)?")
"""Of a function of this kind."""

_REGISTER = f"<{REGISTER_BYTES} x i8>"
_MASK = f"<{REGISTER_BYTES} x i1>"


@cache
def table_function(name: str) -> str:
    """The text of the function with that name.

    A table of which some bytes may not be there is loaded as a whole if it is in one page, and a
    lane asks for a byte of it; else from the first byte up to the last one that lanes ask for.
    """
    match = TABLE.fullmatch(name)
    assert match is not None
    count, lanes, is_masked = int(match[1]), int(match[2]), match[4] is not None
    firsts = range(0, count, REGISTER_BYTES)
    numbers = range(len(firsts))
    if match[3] is not None:
        loads = "\n".join(_load_known(number, count) for number in numbers)
    else:
        loads = Template(_IN_PAGE).substitute(
            fits=PAGE_BYTES - len(firsts) * REGISTER_BYTES,
            page=PAGE_BYTES - 1,
            wholes="\n".join(_load(f"%whole.{number}", number) for number in numbers),
            parts="\n".join(_load_asked_for(number) for number in numbers),
            found="\n".join(
                f"  %table.{n} = phi {_REGISTER} [ %whole.{n}, %whole ], [ %part.{n}, %part ]"
                for n in numbers
            ),
        )
    return Template(_BEGIN + loads + _choice(len(firsts)) + _END).substitute(
        name=name,
        lanes=lanes,
        bytes=f"<{lanes} x i8>",
        parameter=f", <{lanes} x i1> %mask" if is_masked else "",
        on="%mask" if is_masked else "splat (i1 true)",
        spread=_order([*range(lanes), *[None] * (REGISTER_BYTES - lanes)]),
        taken=_order(range(lanes)),
        register=_REGISTER,
        register_mask=_MASK,
    )


def _load(name: str, number: int) -> str:
    at = f"{name}.at"
    return (
        f"  {at} = getelementptr i8, ptr %pointer, i64 {number * REGISTER_BYTES}\n"
        f"  {name} = load {_REGISTER}, ptr {at}, align 1"
    )


def _load_known(number: int, count: int) -> str:
    """A register of a table all of whose bytes are there."""
    left = count - number * REGISTER_BYTES
    if left >= REGISTER_BYTES:
        return _load(f"%table.{number}", number)
    on = ", ".join(f"i1 {str(i < left).lower()}" for i in range(REGISTER_BYTES))
    return _load_some(f"%table.{number}", number, f"<{on}>")


def _load_asked_for(number: int) -> str:
    bytes = range(number * REGISTER_BYTES, (number + 1) * REGISTER_BYTES)
    places = ", ".join(f"i8 {byte - 256 * (byte > 127)}" for byte in bytes)
    mask = f"%part.{number}.on"
    compare = (
        f"  {mask}.from = icmp uge {_REGISTER} <{places}>, %firsts\n"
        f"  {mask}.to = icmp ule {_REGISTER} <{places}>, %lasts\n"
        f"  {mask} = and {_MASK} {mask}.from, {mask}.to\n"
    )
    return compare + _load_some(f"%part.{number}", number, mask)


def _load_some(name: str, number: int, mask: str) -> str:
    at = f"{name}.at"
    return (
        f"  {at} = getelementptr i8, ptr %pointer, i64 {number * REGISTER_BYTES}\n"
        f"  {name} = call {_REGISTER} @llvm.masked.load.v{REGISTER_BYTES}i8.p0(\n"
        f"      ptr {at}, {_MASK} {mask}, {_REGISTER} zeroinitializer)"
    )


def _choice(registers: int) -> str:
    if registers == 1:
        return _ONE
    return _TWO if registers == 2 else _FOUR.replace("$last", str(registers - 1))


def _order(positions: Iterable[int | None]) -> str:
    numbers = ["i32 poison" if place is None else f"i32 {place}" for place in positions]
    return f"<{len(numbers)} x i32> <{', '.join(numbers)}>"


_BEGIN = """
define internal $bytes @"$name"(ptr %pointer, $bytes %indices$parameter) alwaysinline nounwind {
entry:
  %spread = shufflevector $bytes %indices, $bytes poison, $spread
"""

_IN_PAGE = """
  %address = ptrtoint ptr %pointer to i64
  %in.page = and i64 %address, $page
  %is.in.page = icmp ule i64 %in.page, $fits
  %any = call i1 @llvm.vector.reduce.or.v$${lanes}i1(<$$lanes x i1> $$on)
  %fits = and i1 %is.in.page, %any
  br i1 %fits, label %whole, label %part
whole:
$wholes
  br label %loaded
part:
  %low = select <$$lanes x i1> $$on, $$bytes %indices, $$bytes splat (i8 -1)
  %first = call i8 @llvm.vector.reduce.umin.v$${lanes}i8($$bytes %low)
  %first.one = insertelement $$register poison, i8 %first, i32 0
  %firsts = shufflevector $$register %first.one, $$register poison, <64 x i32> zeroinitializer
  %high = select <$$lanes x i1> $$on, $$bytes %indices, $$bytes zeroinitializer
  %last = call i8 @llvm.vector.reduce.umax.v$${lanes}i8($$bytes %high)
  %last.one = insertelement $$register poison, i8 %last, i32 0
  %lasts = shufflevector $$register %last.one, $$register poison, <64 x i32> zeroinitializer
$parts
  br label %loaded
loaded:
$found
"""

_ONE = """
  %moved = call $register @llvm.x86.avx512.permvar.qi.512($register %table.0, $register %spread)
"""

_TWO = """
  %moved = call $register @llvm.x86.avx512.vpermi2var.qi.512(
      $register %table.0, $register %spread, $register %table.1)
"""

_FOUR = """
  %lower = call $register @llvm.x86.avx512.vpermi2var.qi.512(
      $register %table.0, $register %spread, $register %table.1)
  %upper = call $register @llvm.x86.avx512.vpermi2var.qi.512(
      $register %table.2, $register %spread, $register %table.$last)
  %is.high = icmp slt $register %spread, zeroinitializer
  %moved = select $register_mask %is.high, $register %upper, $register %lower
"""

_END = """
  %taken = shufflevector $register %moved, $register poison, $taken
  %found = select <$lanes x i1> $on, $bytes %taken, $bytes zeroinitializer
  ret $bytes %found
}
declare i1 @llvm.vector.reduce.or.v${lanes}i1(<${lanes} x i1>)
declare i8 @llvm.vector.reduce.umin.v${lanes}i8($bytes)
declare i8 @llvm.vector.reduce.umax.v${lanes}i8($bytes)
declare $register @llvm.masked.load.v64i8.p0(ptr, $register_mask, $register)
declare $register @llvm.x86.avx512.permvar.qi.512($register, $register)
declare $register @llvm.x86.avx512.vpermi2var.qi.512($register, $register, $register)
"""
