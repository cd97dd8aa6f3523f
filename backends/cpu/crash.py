"""A kernel that crashes ends the process, as it must: after a line that names it.

The handler, crash.ll, acts on instructions of kernels only. All else, and what follows, goes to the
handlers that were there before; faulthandler may be enabled before or later.
"""

from __future__ import annotations

import ctypes
import platform
import signal
import sys
import threading
import weakref
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polycl.backends.cpu.jit import NativeCode, native_code
from polycl.backends.cpu.line_table import LineTable, known_lines
from polycl.backends.device import NDRange

_SLOTS = 1024
"""The number of kernels that can be named: the newest."""
_SIGNALS = 65
_REASONS = {
    "SIGSEGV": "an access to memory that is not the process's (out of bounds, or a stack overflow)",
    "SIGBUS": "an access to memory that is not there",
    "SIGFPE": "a division by zero, or one that overflows",
    "SIGILL": "an instruction that this processor does not have",
}
_PC_OFFSET = {"x86_64": 168, "aarch64": 440}.get(platform.machine())
"""Where the system stores the address of the instruction, in its `ucontext_t`."""
_STACK_BYTES = 1 << 16
_SA_ONSTACK, _SA_SIGINFO, _SS_DISABLE = 0x08000000, 4, 2

_FIELDS = 7
"""The numbers of a kernel in the state of crash.ll."""
_state = np.zeros(_FIELDS * _SLOTS + 4 * _SIGNALS, np.int64)
_texts: list[Any] = [None] * _SLOTS
"""What slots point to."""
_next = 0
_lock = threading.Lock()
_kept: list[Any] = []
"""What must live as long as the process."""


class _Action(ctypes.Structure):
    """`struct sigaction` of Linux's C libraries."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_uint8 * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


class _Stack(ctypes.Structure):
    """`stack_t`."""

    _fields_ = (("address", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


class Watch:
    """A line about crashes in the code of a kernel, which is at `address` in this process."""

    def __init__(self, name: str, address: int, object_code: bytes):
        self._name = name
        table = known_lines(object_code, name) if _install() else None
        self._hint = (
            "ocl-run --check, or the device polycl.device('interp', check=True), finds the place"
        )
        if table is not None:
            self._hint = "ocl-run --check says what is wrong there"
            address -= table.kernel
        nbytes = len(object_code) if table is None else table.size
        self._slot = _slot(address, nbytes) if _install() else None
        if self._slot is not None:
            weakref.finalize(self, _clear, self._slot, address)
            if table is not None and table.rows:
                self._name_lines(address, table)

    def _name_lines(self, base: int, table: LineTable) -> None:
        assert self._slot is not None
        rows = np.zeros((len(table.rows), 3), np.int64)
        texts: list[Any] = [rows]
        for row, (offset, file, line) in zip(rows, table.rows, strict=True):
            text = np.frombuffer(f" at {file}:{line}".encode() if line else b" ", np.uint8)
            texts.append(text)
            row[:] = base + offset, text.ctypes.data, len(text) if line else 0
        self._lines = texts
        fields = _state[_FIELDS * self._slot :][:_FIELDS]
        fields[5:] = rows.ctypes.data, len(rows)

    def describe(self, ndrange: NDRange) -> None:
        """The launch that the line is about from now on."""
        if self._slot is None:
            return
        rank = ndrange.work_dim
        local_size = ndrange.given_size or ndrange.local_size
        sizes = [" x ".join(map(str, s[:rank])) for s in (ndrange.global_size, local_size)]
        before = f"polycl: kernel '{self._name}' crashed".encode()
        after = (
            f". It was launched with the global size {sizes[0]} and the local size {sizes[1]}; "
            f"{self._hint}\n"
        )
        text = np.frombuffer(before + after.encode(), np.uint8)
        fields = _state[_FIELDS * self._slot :][:_FIELDS]
        fields[2:5] = text.ctypes.data, len(before), len(text)
        _texts[self._slot] = text


def use_signal_stack() -> None:
    """After an overflow of its stack this thread needs another one for the handler."""
    library = ctypes.CDLL(None)
    found = _Stack()
    if library.sigaltstack(None, ctypes.byref(found)) or not found.flags & _SS_DISABLE:
        return
    memory = ctypes.create_string_buffer(_STACK_BYTES)
    stack = _Stack(ctypes.addressof(memory), 0, _STACK_BYTES)
    if library.sigaltstack(ctypes.byref(stack), None) == 0:
        _kept.append(memory)


def _slot(address: int, nbytes: int) -> int:
    global _next
    with _lock:
        slot, _next = _next, (_next + 1) % _SLOTS
        _state[_FIELDS * slot :][:_FIELDS] = address, address + nbytes, 0, 0, 0, 0, 0
        return slot


def _clear(slot: int, address: int) -> None:
    """Forget a kernel whose code may be freed."""
    with _lock:
        if _state[_FIELDS * slot] == address:
            _state[_FIELDS * slot :][:2] = 0


@cache
def _install() -> bool:
    """Install the handler. Returns whether this system is known."""
    if not sys.platform.startswith("linux") or _PC_OFFSET is None:
        return False
    text = Path(__file__).with_name("crash.ll").read_text(encoding="utf-8")
    text = text.replace("PC_OFFSET", str(_PC_OFFSET)).replace("SLOTS", str(_SLOTS))
    code: NativeCode = native_code(text, ["polycl_crash", "polycl_state"], level=0, own=True)
    ctypes.c_void_p.from_address(code.addresses["polycl_state"]).value = _state.ctypes.data
    _kept.append(code)
    use_signal_stack()
    library = ctypes.CDLL(None)
    signals: NDArray[np.int64] = _state[_FIELDS * _SLOTS :].reshape(_SIGNALS, 4)
    for name, reason in _REASONS.items():
        number = signal.Signals[name]
        action = _Action(code.addresses["polycl_crash"], flags=_SA_SIGINFO | _SA_ONSTACK)
        before = _Action()
        data = np.frombuffer(f": {reason}".encode(), np.uint8)
        _kept.append(data)
        if library.sigaction(number, None, ctypes.byref(before)) == 0:
            signals[number] = before.handler or 0, before.flags, data.ctypes.data, len(data)
            library.sigaction(number, ctypes.byref(action), None)
    return True
