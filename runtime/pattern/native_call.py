"""Calls of a lowered program as one native function, a builtin of Python.

A call from Python code (`ready_call.py`) takes 2 to 3 microseconds, most of it checks of arguments.
Here LLVM compiles them: the function reads the fields of numpy's arrays, compares them with
those of an earlier call, writes the addresses into the args blocks, and calls the kernels one after
the other. Where these are short, it keeps Python's lock meanwhile. Else it releases the lock; there
is one set of args blocks, so a call that another thread makes meanwhile is refused.

What differs from process to process is in a table of words, so the code is in the cache.
"""

from __future__ import annotations

import ctypes
import itertools
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polycl.backends.cpu import pool
from polycl.backends.cpu.jit import NativeCode, native_code
from polycl.backends.cpu.launch import NativeLaunch, PreparedLaunch
from polycl.runtime.repeated import ALIGNED, C_CONTIGUOUS, DATA, WRITEABLE

# Offsets in objects: Python's `PyObject` and `PyFloatObject`, and numpy's `PyArrayObject`.
_TYPE, _VALUE = 8, object.__basicsize__
_RANK, _DIMENSIONS, _DTYPE, _FLAGS = DATA + 8, DATA + 16, DATA + 40, DATA + 48
_METH_FASTCALL = 0x80


def _knows_objects() -> bool:
    """Whether the objects of this Python and this numpy are laid out so."""
    if sysconfig.get_config_var("Py_GIL_DISABLED") or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    probe, at = np.zeros((3, 5), np.float32), ctypes.c_uint64.from_address
    here = id(probe)
    return (
        at(here + _TYPE).value == id(np.ndarray)
        and at(here + DATA).value == probe.ctypes.data
        and ctypes.c_int.from_address(here + _RANK).value == 2
        and at(at(here + _DIMENSIONS).value + 8).value == 5
        and at(here + _DTYPE).value == id(probe.dtype)
        and ctypes.c_int.from_address(here + _FLAGS).value == probe.flags.num
        and at(id(1.5) + _TYPE).value == id(float)
        and ctypes.c_double.from_address(id(1.5) + _VALUE).value == 1.5
    )


KNOWS_OBJECTS = _knows_objects()


@dataclass(frozen=True)
class ArrayOf:
    """An array argument, as `ready_call.Shape`."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    nbytes: int
    writable: bool
    alignment: int
    offset: int


@dataclass(frozen=True)
class Word:
    """A word of an args block."""

    offset: int
    code: str
    """As for `struct`: `Q` for an address, `f` or `d` for a number."""
    origin: int
    """The number of the argument; those of the results follow the last one."""


def native_call(
    parameters: Sequence[ArrayOf | type],
    results: Sequence[ArrayOf | int],
    launches: Sequence[tuple[PreparedLaunch, Sequence[Word]]],
    memory: Any,
    *,
    releases_lock: bool,
) -> Callable[..., Any] | None:
    """A builtin that takes the arguments and the arrays for the results, and returns the first of
    these; None where an argument is of another kind, and nothing was run. None, if there is no such
    builtin for these arguments.

    `results`: for each an array, or the number of the argument that it must be. `memory`: what the
    launches need.
    """
    if not KNOWS_OBJECTS or any(kind is not float for kind in parameters if isinstance(kind, type)):
        return None
    code = _Code()
    singles = {word.origin for _, words in launches for word in words if word.code == "f"}
    code.arguments(parameters, results, singles)
    natives = [native for launch, _ in launches if (native := launch.native) is not None]
    if len(natives) < len(launches):
        return None
    code.workers(max((native.helpers for native in natives), default=0))
    if releases_lock:
        code.take()
    for native, (_, words) in zip(natives, launches, strict=True):
        code.fill(native, words)
    if releases_lock:
        code.release_lock()
    for native in natives:
        code.launch(native)
    if releases_lock:
        code.acquire_lock()
    text = code.text(len(parameters) + len(results))
    table = np.array(code.table, np.uint64).view(_Table)
    # Optimisation would take longer than all calls gain by it.
    return _builtin(
        native_code(text, ["polycl_call"], level=0, own=True), table, (launches, memory)
    )


class _MethodDef(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Table(np.ndarray[Any, Any]):
    """The words of a builtin, and what must live as long as it."""

    kept: Any = None


def _builtin(code: NativeCode, table: _Table, keep: Any) -> Callable[..., Any]:
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", ctypes.pythonapi)
    )
    definition = _MethodDef(b"polycl_call", code.addresses["polycl_call"], _METH_FASTCALL, None)
    table.kept = definition, code, keep
    return make(ctypes.addressof(definition), table, None)


def _address_of(function: Any) -> int:
    """Of a function of Python's C interface."""
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address


class _Code:
    """The LLVM IR of one call, and its table."""

    def __init__(self) -> None:
        self.table: list[int] = []
        self._lines: list[str] = []
        self._count = 0
        self._values: list[str] = []
        """The address or the number of each argument."""
        self._singles: dict[int, str] = {}

    def arguments(
        self,
        parameters: Sequence[ArrayOf | type],
        results: Sequence[ArrayOf | int],
        singles: set[int],
    ) -> None:
        """Checks of all arguments; the numbers `singles` are needed in single precision."""
        objects = [
            self._field("%args", 8 * i, "ptr") for i in range(len(parameters) + len(results))
        ]
        arrays: list[tuple[str, ArrayOf]] = []
        for i, (object, parameter) in enumerate(zip(objects, parameters, strict=False)):
            if isinstance(parameter, ArrayOf):
                self._values.append(self._array(object, parameter))
                arrays.append((self._values[-1], parameter))
            else:
                self._same(object, id(float), _TYPE)
                number = self._field(object, _VALUE, "double")
                self._values.append(number)
                if i in singles:
                    self._singles[i] = self._single(number)
        for out, result in zip(objects[len(parameters) :], results, strict=True):
            if isinstance(result, int):
                self._require(self._new(f"icmp eq ptr {out}, {objects[result]}"))
                self._values.append(self._values[result])
            else:
                self._values.append(self._array(out, result))
                arrays.append((self._values[-1], result))
        for (a, first), (b, second) in itertools.combinations(arrays, 2):
            # The kernels are compiled for arrays that do not overlap, if one of them is written.
            if not first.writable and not second.writable:
                continue
            after = self._new(f"icmp uge i64 {a}, {self._new(f'add i64 {b}, {second.nbytes}')}")
            before = self._new(f"icmp uge i64 {b}, {self._new(f'add i64 {a}, {first.nbytes}')}")
            self._require(self._new(f"or i1 {after}, {before}"))
        self._out = objects[len(parameters)]

    def workers(self, count: int) -> None:
        """Refuse a call before so many workers have been started: Python does that."""
        if count:
            found = self._new(f"load i32, ptr {self._pointer(pool.address + pool.WORKERS)}")
            self._require(self._new(f"icmp uge i32 {found}, {count}"))

    def take(self) -> None:
        """Refuse a call while another thread makes one. All threads look under Python's lock."""
        self._busy = self._word_at(0)
        self._require(self._new(f"icmp eq i64 {self._new(f'load i64, ptr {self._busy}')}, 0"))
        self._lines.append(f"  store i64 1, ptr {self._busy}")

    def release_lock(self) -> None:
        save = self._pointer(_address_of(ctypes.pythonapi.PyEval_SaveThread))
        self._thread = self._new(f"call ptr {save}()")

    def acquire_lock(self) -> None:
        restore = self._pointer(_address_of(ctypes.pythonapi.PyEval_RestoreThread))
        self._lines.append(f"  call void {restore}(ptr {self._thread})")
        self._lines.append(f"  store i64 0, ptr {self._busy}")

    def fill(self, native: NativeLaunch, words: Sequence[Word]) -> None:
        """Write the words of an args block."""
        block = self._pointer(native.block)
        for word in words:
            value, type = self._values[word.origin], "i64"
            if word.code == "d":
                type = "double"
            elif word.code == "f":
                value, type = self._singles[word.origin], "float"
            self._lines.append(f"  store {type} {value}, ptr {self._at(block, word.offset)}")

    def launch(self, native: NativeLaunch) -> None:
        code = self._pointer(native.code)
        arguments = ", ".join(f"i64 {self._word(word)}" for word in native.words)
        self._lines.append(f"  call void {code}({arguments})")

    def text(self, count: int) -> str:
        # Kernels are called only after all checks.
        none, count_up = len(self.table), len(self.table) + 1
        self.table += [id(None), _address_of(ctypes.pythonapi.Py_IncRef)]
        return "\n".join([
            "define ptr @polycl_call(ptr %self, ptr %args, i64 %count) {",
            f"  %data = getelementptr i8, ptr %self, i64 {DATA}",
            "  %table = load ptr, ptr %data",
            f"  %all = icmp eq i64 %count, {count}",
            "  br i1 %all, label %begin, label %no",
            "begin:",
            *self._lines,
            "  br label %end",
            "no:",
            f"  %none.at = getelementptr i64, ptr %table, i64 {none}",
            "  %none = load ptr, ptr %none.at",
            "  br label %end",
            "end:",
            f"  %result = phi ptr [ {self._out}, %{self._last_label()} ], [ %none, %no ]",
            f"  %increment.at = getelementptr i64, ptr %table, i64 {count_up}",
            "  %increment = load ptr, ptr %increment.at",
            "  call void %increment(ptr %result)",
            "  ret ptr %result",
            "}",
            "",
        ])  # fmt: skip

    def _last_label(self) -> str:
        labels = [line[:-1] for line in self._lines if line.endswith(":")]
        return labels[-1] if labels else "begin"

    def _array(self, object: str, array: ArrayOf) -> str:
        """Checks an array; its address."""
        self._same(object, id(np.ndarray), _TYPE)
        rank = self._field(object, _RANK, "i32")
        self._require(self._new(f"icmp eq i32 {rank}, {len(array.shape)}"))
        dimensions = self._field(object, _DIMENSIONS, "ptr")
        for number, size in enumerate(array.shape):
            found = self._field(dimensions, 8 * number, "i64")
            self._require(self._new(f"icmp eq i64 {found}, {size}"))
        self._same(object, id(array.dtype), _DTYPE)
        needed = C_CONTIGUOUS | ALIGNED | (WRITEABLE if array.writable else 0)
        flags = self._new(f"and i32 {self._field(object, _FLAGS, 'i32')}, {needed}")
        self._require(self._new(f"icmp eq i32 {flags}, {needed}"))
        address = self._field(object, DATA, "i64")
        if array.alignment > 1:
            found = self._new(f"and i64 {address}, {array.alignment - 1}")
            self._require(self._new(f"icmp eq i64 {found}, {array.offset}"))
        return address

    def _single(self, value: str) -> str:
        """A number in single precision, which must not be too large for it."""
        single = self._new(f"fptrunc double {value} to float")
        back = self._new(f"fpext float {single} to double")
        error = self._new(f"fsub double {back}, {value}")
        for infinity in ("0x7FF0000000000000", "0xFFF0000000000000"):
            self._require(self._new(f"fcmp une double {error}, {infinity}"))
        return single

    def _same(self, object: str, value: int, offset: int) -> None:
        found = self._field(object, offset, "i64")
        self._require(self._new(f"icmp eq i64 {found}, {self._word(value)}"))

    def _require(self, condition: str) -> None:
        self._count += 1
        label = f"b{self._count}"
        self._lines += [f"  br i1 {condition}, label %{label}, label %no", f"{label}:"]

    def _word(self, value: int) -> str:
        """A word of the table."""
        return self._new(f"load i64, ptr {self._word_at(value)}")

    def _word_at(self, value: int) -> str:
        """The address of a new word of the table."""
        self.table.append(value)
        return self._at("%table", 8 * (len(self.table) - 1))

    def _pointer(self, address: int) -> str:
        return self._new(f"inttoptr i64 {self._word(address)} to ptr")

    def _field(self, object: str, offset: int, type: str) -> str:
        return self._new(f"load {type}, ptr {self._at(object, offset)}")

    def _at(self, object: str, offset: int) -> str:
        return self._new(f"getelementptr i8, ptr {object}, i64 {offset}")

    def _new(self, operation: str) -> str:
        self._count += 1
        self._lines.append(f"  %v{self._count} = {operation}")
        return f"%v{self._count}"
