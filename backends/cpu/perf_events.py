"""Linux's perf_event_open: where a thread spends its time, and the processor's counters.

The kernel of Linux writes the address of the instruction that runs, some thousand times a second,
into memory that it shares with this process: no signal interrupts anything. Where the processor's
cycle counter is not accessible (many virtual machines), its clock is sampled instead.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import struct
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from polycl.errors import PolyclError

FREQUENCY = 4000
"""Samples a second."""

_SYSTEM_CALLS = {"x86_64": 298, "aarch64": 241}
_SIZE = 112
_HARDWARE, _SOFTWARE = 0, 1
_CPU_CLOCK = 0
_SAMPLED_ADDRESS = 1
_IS_FREQUENCY, _NO_KERNEL, _NO_HYPERVISOR = 1 << 10, 1 << 5, 1 << 6
_PAGES = 64
"""Of the ring of samples, a power of two."""
_RECORD = struct.Struct("<IHHQ")
_IS_SAMPLE = 9
_HEAD, _TAIL = 1024, 1032
"""Where the first page has the places to which the system writes, and from which we read."""

COUNTERS = {"cycles": 0, "instructions": 1, "cache misses": 3, "branch misses": 5}
"""The processor's counters that are shown, by their number."""


@dataclass
class Samples:
    """What was measured of one thread."""

    event: str
    """`cycles` or `cpu-clock`."""
    addresses: dict[int, int] = field(default_factory=dict[int, int])
    """How often each instruction was running."""
    counters: dict[str, int] = field(default_factory=dict[str, int])
    """What the processor counted, as far as it allows that."""

    @property
    def total(self) -> int:
        return sum(self.addresses.values())


@contextmanager
def sampled() -> Generator[Samples]:
    """Sample this thread, inside of kernels and libraries but not of the system, while the `with`
    block runs.

    Raises:
        PolyclError: this system has no such events, or does not allow them.
    """
    descriptor, event = _open_samples()
    counters = {name: _try_open(_HARDWARE, number, 0) for name, number in COUNTERS.items()}
    found = Samples(event)
    length = (1 + _PAGES) * mmap.PAGESIZE
    try:
        try:
            ring = mmap.mmap(descriptor, length)
        except OSError as error:
            raise PolyclError(f"no memory for samples: {error.strerror}") from error
        with ring:
            yield found
            os.set_blocking(descriptor, False)
            _drain(ring, found.addresses)
        found.counters.update(_read(counters))
    finally:
        for each in (descriptor, *counters.values()):
            if each >= 0:
                os.close(each)


def _open_samples() -> tuple[int, str]:
    if platform.system() != "Linux" or platform.machine() not in _SYSTEM_CALLS:
        raise PolyclError(
            f"lines are timed on Linux for x86-64 and ARM64 only, not on {platform.system()} for "
            f"{platform.machine()}"
        )
    for event, type, number in (("cycles", _HARDWARE, 0), ("cpu-clock", _SOFTWARE, _CPU_CLOCK)):
        descriptor = _try_open(type, number, FREQUENCY)
        if descriptor >= 0:
            return descriptor, event
    reason = os.strerror(ctypes.get_errno())
    raise PolyclError(
        f"this system does not allow samples (perf_event_open: {reason}); where you may, set "
        "/proc/sys/kernel/perf_event_paranoid to 2 or less; containers need the system call "
        "perf_event_open (docker run --security-opt seccomp=...)"
    )


def _try_open(type: int, number: int, frequency: int) -> int:
    """A descriptor for this thread on any processor, or -1."""
    flags = _NO_KERNEL | _NO_HYPERVISOR | (_IS_FREQUENCY if frequency else 0)
    sample = _SAMPLED_ADDRESS if frequency else 0
    attributes = struct.pack("<IIQQQQQ", type, _SIZE, number, frequency, sample, 0, flags)
    buffer = ctypes.create_string_buffer(attributes, _SIZE)
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.syscall(_SYSTEM_CALLS[platform.machine()], buffer, 0, -1, -1, 0)


def _drain(ring: mmap.mmap, addresses: dict[int, int]) -> None:
    """Read the samples that are in the ring. What did not fit it is lost, the oldest stay."""
    (head,) = struct.unpack_from("<Q", ring, _HEAD)
    (tail,) = struct.unpack_from("<Q", ring, _TAIL)
    size = _PAGES * mmap.PAGESIZE

    def at(place: int, count: int) -> bytes:
        return bytes(ring[mmap.PAGESIZE + (place + i) % size] for i in range(count))

    while tail + _RECORD.size <= head:
        kind, _, length, address = _RECORD.unpack(at(tail, _RECORD.size))
        if kind == _IS_SAMPLE:
            addresses[address] = addresses.get(address, 0) + 1
        tail += max(length, 8)
    struct.pack_into("<Q", ring, _TAIL, head)


def _read(counters: Mapping[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, descriptor in counters.items():
        if descriptor >= 0:
            (found[name],) = struct.unpack("<Q", os.read(descriptor, 8))
    return found
