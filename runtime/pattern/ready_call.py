"""Calls of a lowered program that differ from an earlier one in values only.

Such a call replaces the addresses and numbers in the launches that the earlier one has prepared, in
Python or, unless it is long, in a native function (`native_call.py`). It copies no array and
allocates only what it returns. It is refused, before anything ran, where an argument is of another
kind; the slow path in `Function` then checks it and explains what is wrong.
"""

from __future__ import annotations

import itertools
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from polycl.backends.cpu.launch import PreparedLaunch
from polycl.backends.device import Device
from polycl.runtime.kernel import Kernel
from polycl.runtime.pattern.native_call import ArrayOf, Word, native_call
from polycl.runtime.repeated import (
    ALIGNED,
    C_CONTIGUOUS,
    DATA,
    READS_ADDRESSES,
    WRITEABLE,
    number_code,
    word_at,
)


@dataclass(frozen=True)
class BoundLaunch:
    """One kernel of a call with its arguments."""

    kernel: Kernel
    launch: Callable[[], None]
    """Some devices can replace its arguments."""

    args: Sequence[Any]
    origins: Sequence[int | None]
    """For each argument the number of the argument of the call that it is; results have the numbers
    after the last one. None: it stays."""


@dataclass(frozen=True)
class Shape:
    """An array that a call takes or returns."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    alignment: int = 1
    offset: int = 0
    """Its address modulo `alignment`, in bytes."""

    @property
    def nbytes(self) -> int:
        return int(np.prod(self.shape)) * self.dtype.itemsize


class ReadyCall:
    """Calls with arrays of these shapes, and numbers of these types, on one device."""

    def __init__(self, device: Device | str, call: Callable[[Sequence[Any], Any], Any]):
        self.device = device
        """As the caller names it."""

        self.call = call
        """`call(args, out)` is the result; None, if the call is of another kind: nothing ran."""


def ready_call(
    device: Device | str,
    parameters: Sequence[Shape | type],
    results: Sequence[Shape],
    overwritten: int | None,
    given: bool,
    is_tuple: bool,
    bind: Callable[[], list[BoundLaunch]],
) -> ReadyCall | None:
    """Prepare calls; None where the device cannot replace the arguments of launches.

    Args:
        device: As the caller names it.
        parameters: A shape or a type for each argument of the function.
        results: Their shapes. `out` is an array for the first one, or a tuple of them.
        overwritten: The number of the argument that has the first result; None if it is an array of
            its own.
        given: Whether callers pass that argument as `out` too.
        is_tuple: Whether the results are those of one tuple: `out` is no array for the first one.
        bind: Binds all launches, with memory of their own between kernels. The arguments that are
            replaced stay alive only until then.
    """
    if not READS_ADDRESSES:
        return None
    first = _prepare(bind())
    if first is None:
        return None
    words = _Words(parameters, results, overwritten, given, is_tuple)
    names: dict[str, Any] = {
        "ndarray": np.ndarray,
        "empty": np.empty,
        "word_at": word_at,
        "errors": (struct.error, OverflowError),
        "free": [first],
        "prepare": lambda: _prepare(bind()),
        **words.names,
    }
    lines = [*words.lines, "try:", " launches = free.pop()", "except IndexError:"]
    # The first one could be prepared, and so can all.
    lines += [" launches = prepare()", "try:"]
    for number, filling in enumerate(first):
        names[f"pack{number}"] = struct.Struct(filling.layout).pack_into
        constants = iter(range(len(filling.constants)))
        values = [
            f"launches[{number}].constants[{next(constants)}]" if origin is None else f"w{origin}"
            for origin in filling.origins
        ]
        lines.append(f" pack{number}(launches[{number}].block, 0, {', '.join(values)})")
    lines += ["except errors:", " free.append(launches)", " return None"]
    lines += [f"launches[{number}].launch()" for number in range(len(first))]
    lines += ["free.append(launches)", f"return {words.result}"]
    # Straight code, as that of dataclasses: loops over the arguments take twice as long.
    text = "\n".join(["def call(args, out):", *(f" {line}" for line in lines)])
    exec(text, names)
    ready = ReadyCall(device, names["call"])
    make = partial(_native, parameters, results, overwritten, given, is_tuple, bind, ready.call)
    ready.call = _until_timed(ready, make)
    return ready


_SHORT_NS, _LONG_NS = 20_000, 2_000_000
"""A call that takes less than the first keeps Python's lock. One that takes more than the second
gains nothing by native code."""
_TRIES = 4
"""Calls that are timed; two short ones are enough."""

_Call = Callable[[Sequence[Any], Any], Any]


def _until_timed(ready: ReadyCall, make: Callable[[bool], _Call | None]) -> _Call:
    """Calls as before, whose times decide on the native function: `make(releases_lock)`."""
    slow, times = ready.call, list[int]()

    def call(args: Sequence[Any], out: Any) -> Any:
        start = time.perf_counter_ns()
        result = slow(args, out)
        if result is not None and ready.call is call:
            times.append(time.perf_counter_ns() - start)
            if sum(each < _SHORT_NS for each in times) >= 2:
                ready.call = make(False) or slow
            elif len(times) >= _TRIES:
                ready.call = (make(True) if min(times) < _LONG_NS else None) or slow
        return result

    return call


def _native(
    parameters: Sequence[Shape | type],
    results: Sequence[Shape],
    overwritten: int | None,
    given: bool,
    is_tuple: bool,
    bind: Callable[[], list[BoundLaunch]],
    slow: _Call,
    releases_lock: bool,
) -> _Call | None:
    """Calls of a native function; what that does not take goes to `slow`."""
    launches = _prepare(bind())
    if launches is None or not all(isinstance(each.launch, PreparedLaunch) for each in launches):
        return None
    first, *others = results
    native = native_call(
        [
            _array_of(p, i == overwritten) if isinstance(p, Shape) else p
            for i, p in enumerate(parameters)
        ],
        [
            _array_of(first, True) if overwritten is None else overwritten,
            *(_array_of(shape, True) for shape in others),
        ],
        [(cast(PreparedLaunch, each.launch), each.words()) for each in launches],
        [each.memory for each in launches],
        releases_lock=releases_lock,
    )
    if native is None:
        return None
    empty, shape, dtype = np.empty, first.shape, first.dtype
    if others:
        return _several_results(native, slow, results, overwritten, given, is_tuple)

    def new_result(args: Sequence[Any], out: Any) -> Any:
        found = native(*args, empty(shape, dtype) if out is None else out)
        return slow(args, out) if found is None else found

    if overwritten is None:
        return new_result
    number = overwritten

    def in_place(args: Sequence[Any], out: Any) -> Any:
        place = out if given else args[number] if out is None else None
        found = native(*args, place)
        return slow(args, out) if found is None else found

    return in_place


def _array_of(shape: Shape, writable: bool) -> ArrayOf:
    return ArrayOf(shape.dtype, shape.shape, shape.nbytes, writable, shape.alignment, shape.offset)


def _several_results(
    native: Callable[..., Any],
    slow: _Call,
    results: Sequence[Shape],
    overwritten: int | None,
    given: bool,
    is_tuple: bool,
) -> _Call:
    """Calls that return a tuple, of new arrays but for those that are given."""
    made = [f"new{number}()" for number in range(len(results))]
    if overwritten is not None:
        made[0] = "out" if given else f"(args[{overwritten}] if out is None else None)"
    else:
        made[0] += " if out is None else out"
    values = [f"r{number}" for number in range(len(results))]
    lines = [
        "def new_results(args, out):",
        # What does not fit is refused.
        " if type(out) is tuple: return slow(args, out) if native(*args, *out) is None else out",
        *([" if out is not None: return slow(args, out)"] if is_tuple else []),
        *(f" {value} = {new}" for value, new in zip(values, made, strict=True)),
        f" if native(*args, {', '.join(values)}) is None: return slow(args, out)",
        f" return {', '.join(values)}",
    ]
    names: dict[str, Any] = {"native": native, "slow": slow}
    for number, result in enumerate(results):
        names[f"new{number}"] = partial(np.empty, result.shape, result.dtype)
    exec("\n".join(lines), names)
    return names["new_results"]


class _Words:
    """The code that makes a word, `w0`, of each argument, an address or a number, and the results
    with their words."""

    def __init__(
        self,
        parameters: Sequence[Shape | type],
        results: Sequence[Shape],
        overwritten: int | None,
        given: bool,
        is_tuple: bool,
    ):
        self.names: dict[str, Any] = {}
        self.lines = [f"if len(args) != {len(parameters)}: return None"]
        sizes: dict[str, int] = {}
        for i, parameter in enumerate(parameters):
            self.lines.append(f"a{i} = args[{i}]")
            if isinstance(parameter, Shape):
                self._array(f"a{i}", parameter, f"w{i}", writable=i == overwritten)
                sizes[f"w{i}"] = parameter.nbytes
            else:
                self.names[f"t{i}"] = parameter
                self.lines += [f"if type(a{i}) is not t{i}: return None", f"w{i} = a{i}"]
        if overwritten is not None:
            written = f"w{overwritten}", sizes[f"w{overwritten}"]
            for pair in sizes.items():
                self.lines += self._distinct([pair, written]) if pair != written else []
        rest = range(1, len(results))
        if rest:
            none = " or ".join(f"{out} is None" for out in ("out", *(f"out{i}" for i in rest)))
            self.lines += [
                "if type(out) is tuple:",
                f" if len(out) != {len(results)}: return None",
                f" out, {', '.join(f'out{i}' for i in rest)} = out",
                *([f" if {none}: return None", "elif out is not None: return None"] * is_tuple),
                f"else: {' = '.join(f'out{i}' for i in rest)} = None",
            ]
        places = ["out", *(f"out{i}" for i in rest)]
        found = ["result", *(f"result{i}" for i in rest)]
        for i, shape in enumerate(results):
            if i == 0 and overwritten is not None:
                expected = f"a{overwritten}" if given else "None"
                self.lines += [f"if out is not {expected}: return None", f"result = a{overwritten}"]
                continue
            word = f"w{len(parameters) + i}"
            self._result(found[i], places[i], shape, word, sizes)
            sizes[word] = shape.nbytes
        self.result = f"({', '.join(found)})" if rest else "result"
        """What a call returns."""

    def _result(
        self, name: str, out: str, shape: Shape, word: str, sizes: Mapping[str, int]
    ) -> None:
        """The array that is given as `out`, or a new one."""
        self.lines.append(f"if {out} is None:")
        start = len(self.lines)
        # New memory overlaps nothing.
        self._new(name, shape, word)
        self.lines[start:] = [f" {line}" for line in self.lines[start:]]
        self.lines += ["else:", f" {name} = {out}"]
        start = len(self.lines)
        self._array(out, shape, word, writable=True)
        for pair in sizes.items():
            self.lines += self._distinct([pair, (word, shape.nbytes)])
        self.lines[start:] = [f" {line}" for line in self.lines[start:]]

    def _new(self, name: str, shape: Shape, word: str) -> None:
        self.names.update({f"shape_{word}": shape.shape, f"dtype_{word}": shape.dtype})
        self.lines += [
            f"{name} = empty(shape_{word}, dtype_{word})",
            f"{word} = word_at(id({name}) + {DATA}).value",
        ]

    def _array(self, name: str, shape: Shape, word: str, *, writable: bool) -> None:
        flags = C_CONTIGUOUS | ALIGNED | (WRITEABLE if writable else 0)
        dtype = f"dtype_{word}"
        self.names[dtype] = shape.dtype
        self.lines += [
            f"if type({name}) is not ndarray or {name}.shape != {shape.shape}: return None",
            f"if {name}.dtype is not {dtype} and {name}.dtype != {dtype}: return None",
            f"if {name}.flags.num & {flags} != {flags}: return None",
            f"{word} = word_at(id({name}) + {DATA}).value",
        ]
        if shape.alignment > 1:
            self.lines.append(f"if {word} % {shape.alignment} != {shape.offset}: return None")

    def _distinct(self, arrays: Sequence[tuple[str, int]]) -> list[str]:
        """The kernels are compiled for arrays that do not overlap, if one of them is written."""
        return [
            f"if {a} < {b} + {b_size} and {b} < {a} + {a_size}: return None"
            for (a, a_size), (b, b_size) in itertools.combinations(arrays, 2)
        ]


@dataclass(frozen=True)
class _Filling:
    """A launch whose arguments are words of the call, and constants."""

    launch: Callable[[], None]
    block: memoryview
    layout: str
    """Of the block, for `struct`."""

    origins: Sequence[int | None]
    constants: Sequence[Any]
    memory: Sequence[NDArray[Any]]
    """The arrays between kernels, which live as long as the launch."""

    places: Sequence[tuple[int, str]]
    """The offset and the code of each argument."""

    def words(self) -> list[Word]:
        """The words that calls write, after the constants are written."""
        constants = iter(self.constants)
        found: list[Word] = []
        for (offset, code), origin in zip(self.places, self.origins, strict=True):
            if origin is None:
                struct.pack_into(f"<{code}", self.block, offset, next(constants))
            else:
                found.append(Word(offset, code, origin))
        return found


def _prepare(launches: Sequence[BoundLaunch]) -> list[_Filling] | None:
    fillings = [filling for each in launches if (filling := _filling(each)) is not None]
    return fillings if len(fillings) == len(launches) else None


def _filling(bound: BoundLaunch) -> _Filling | None:
    """None where the device cannot replace the arguments of a launch."""
    launch: Any = bound.launch
    if not hasattr(launch, "forget_arguments"):
        return None
    layout, end = "<", 0
    constants: list[Any] = []
    memory: list[NDArray[Any]] = []
    places: list[tuple[int, str]] = []
    for parameter, arg, origin, offset in zip(
        bound.kernel.parameters, bound.args, bound.origins, launch.offsets, strict=True
    ):
        is_array = isinstance(arg, np.ndarray)
        code = "Q" if is_array else number_code(parameter, type(arg))
        if code is None:
            return None
        if origin is None:
            constants.append(arg.ctypes.data if is_array else arg)
            memory += [arg] if is_array else []
        layout += f"{offset - end}x{code}"
        places.append((offset, code))
        end = offset + struct.calcsize(f"<{code}")
    launch.forget_arguments()
    return _Filling(launch, launch.arguments, layout, bound.origins, constants, memory, places)
