"""Launches of native code: the args block, and work-groups distributed over threads."""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute

from polycl.backends.cpu import pool
from polycl.backends.cpu.aligned_memory import aligned_memory
from polycl.backends.cpu.crash import Watch
from polycl.backends.cpu.jit import NativeCode
from polycl.backends.cpu.own_form import OwnChoice, OwnForm
from polycl.backends.cpu.printf import PrintfBuffer, PrintfFormat
from polycl.backends.cpu.turns import turns
from polycl.backends.device import (
    ArgumentFacts,
    Executable,
    KernelArg,
    LocalMemory,
    NDRange,
    Size3,
    constants_of,
    facts_of,
    images_of,
)
from polycl.dialects.ocl.layout import round_up, size_of
from polycl.errors import ArgumentError
from polycl.lowering.wg.launch_abi import (
    FIELDS,
    SCRATCH_ALIGNMENT,
    ArgsBlock,
    args_block,
    is_local_pointer,
)

CHUNKS_PER_THREAD = 8
"""The number of chunks of a thread's share: a thread that starts late takes fewer chunks."""

_NEW_HISTORY = (1 << 62, 0, 0, 4, 0)
"""The structure `history` of pool.ll before the first launch, which may be long. The first trial
follows four launches of all threads: until memory and caches are used, all takes longer."""

_MOST_HISTORIES = 256

_ENTRY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
"""`k(args, scratch, begin, end)`. Called through it, the code runs without Python's lock."""


@dataclass(frozen=True)
class CompiledKernel:
    """A kernel compiled for one size of groups, as the cache has it."""

    name: str
    types: tuple[Attribute, ...]
    """The types of its parameters."""

    sizes: tuple[Size3, Size3, bool, tuple[int, ...]]
    """The local size of the groups, the one given at the launch, whether ids may be wide, and in
    which dimensions work-items may be outside of the global size."""

    facts: ArgumentFacts
    """The facts that the code assumes about the arguments."""

    scratch_bytes: int
    formats: tuple[PrintfFormat, ...]
    object_code: bytes
    is_debug_build: bool = False


def sizes_of(ndrange: NDRange) -> tuple[Size3, Size3, bool, tuple[int, ...]]:
    """The sizes for which code is compiled: `CompiledKernel.sizes`."""
    return ndrange.groups.size, ndrange.local_size, ndrange.wide_ids, ndrange.guarded or ()


class CpuExecutable(Executable):
    """A kernel as native code for one local size."""

    def __init__(self, compiled: CompiledKernel, code: NativeCode, threads: int):
        self.compiled = compiled
        self.name = compiled.name
        self.block: ArgsBlock = args_block(compiled.types)
        self.threads = threads
        self.takes_turns = compiled.facts.alone
        self.own_form: OwnForm | None = None
        """Of a kernel with atomic operations that are not plain loads and stores."""
        self.code = code
        self.entry = _ENTRY(code.addresses[self.name])
        self.watch = Watch(self.name, code.addresses[self.name], compiled.object_code)
        self._histories: dict[int, tuple[NDArray[np.int64], OwnChoice]] = {}

    def history(self, groups: int) -> tuple[NDArray[np.int64], OwnChoice]:
        """What is known of launches of so many groups: the structure `history` of pool.ll, and the
        choice between both forms."""
        found = self._histories.get(groups)
        if found is None:
            if len(self._histories) >= _MOST_HISTORIES:
                # Prepared launches keep theirs.
                self._histories.clear()
            found = self._histories[groups] = np.array(_NEW_HISTORY, np.int64), OwnChoice()
        return found

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        self.prepare(args, ndrange)()

    def prepare(self, args: Sequence[KernelArg], ndrange: NDRange) -> PreparedLaunch:
        """A prepared launch: calling it handles no arguments.

        Raises:
            ArgumentError: the arguments or the local size do not fit this kernel.
        """
        if ndrange.parts() != (ndrange,) or sizes_of(ndrange) != self.compiled.sizes:
            groups, enqueued, wide, _ = self.compiled.sizes
            ids = "wide" if wide else "small"
            raise ArgumentError(
                f"kernel '{self.name}' was compiled for groups of {groups}, the local size "
                f"{enqueued} and {ids} ids, got the global size {ndrange.global_size}, the local "
                f"size {ndrange.local_size} and the offset {ndrange.global_offset}"
            )
        facts = self.compiled.facts
        given = replace(
            facts_of(args),
            alone=self.threads == 1,
            constants=constants_of(args, [position for position, _ in facts.constants]),
            images=images_of(args, [position for position, _ in facts.images]),
        )
        if not facts.hold_for(given):
            raise ArgumentError(
                f"kernel '{self.name}' was compiled for arguments with {self.compiled.facts}, "
                f"got {given}"
            )
        if len(args) != len(self.block.types):
            raise ArgumentError(
                f"kernel '{self.name}' takes {len(self.block.types)} arguments, got {len(args)}"
            )
        return PreparedLaunch(self, args, ndrange)


@dataclass(frozen=True)
class NativeLaunch:
    """A launch as a call of native code, for other native code."""

    code: int
    """The address of the function."""
    words: tuple[int, ...]
    """Its arguments."""
    block: int
    """The address of the args block."""
    helpers: int
    """The number of workers that must have been started."""


class PreparedLaunch:
    """A launch that can be repeated, but not by two threads at the same time."""

    def __init__(self, executable: CpuExecutable, args: Sequence[KernelArg], ndrange: NDRange):
        self._executable = executable
        executable.watch.describe(ndrange)
        self._keep = tuple(args)
        nx, ny, nz = ndrange.groups.groups
        self._groups = nx * ny * nz
        compiled = executable.compiled
        self._printf = PrintfBuffer(compiled.formats) if compiled.formats else None
        scratch_bytes = round_up(compiled.scratch_bytes, SCRATCH_ALIGNMENT)
        self._block, scratch_bytes = self._fill(args, ndrange, scratch_bytes)
        threads = max(1, min(executable.threads, self._groups))
        self._helpers = threads - 1
        # 128 more bytes, so that threads never write to the same or to adjacent cache lines.
        stride = scratch_bytes + SCRATCH_ALIGNMENT
        self._scratch = aligned_memory(threads * stride)
        self._args_address = self._block.ctypes.data
        self._scratch_address = self._scratch.ctypes.data
        self.history, self._own_choice = executable.history(self._groups)
        # The structure `launch` of pool.ll.
        self._launch = np.array(
            [
                executable.code.addresses[executable.name],
                self._args_address,
                self._scratch_address,
                stride,
                self._groups,
                max(1, self._groups // (threads * CHUNKS_PER_THREAD)),
                threads,
                pool.address,
                self.history.ctypes.data,
            ],
            np.int64,
        )
        self._launch_address = self._launch.ctypes.data
        self.arguments = self._block.data
        """The args block."""
        self.offsets = executable.block.offsets
        self._share = pool.launcher() if self._helpers else None
        # Groups that wait for each other need as many threads as there are groups.
        self._may_be_own = self._printf is None and 1 < threads < self._groups
        self._ndrange = ndrange
        self._own: PreparedLaunch | None = None
        self._group_memory = {
            position: arg for position, arg in enumerate(args) if isinstance(arg, LocalMemory)
        }
        self._values: list[tuple[int, int]] = []

    @property
    def native(self) -> NativeLaunch | None:
        """None for a kernel that prints, or that takes turns with others."""
        executable = self._executable
        if self._printf is not None or executable.takes_turns or executable.own_form is not None:
            return None
        block = self._args_address
        if self._share is not None:
            return NativeLaunch(
                pool.launcher_address(), (self._launch_address,), block, self._helpers
            )
        code = self._executable.code.addresses[self._executable.name]
        return NativeLaunch(code, (block, self._scratch_address, 0, self._groups), block, 0)

    def replace(self, position: int, data: bytes) -> None:
        """Replace an argument that is passed by value by `data`, which has the same size."""
        offset = self.offsets[position]
        self.arguments[offset : offset + len(data)] = data

    def forget_arguments(self) -> None:
        """Drop the references to the arrays; `arguments` must change before the next launch."""
        self._keep = ()
        if self._own is not None:
            self._own.forget_arguments()

    def __call__(self) -> None:
        form = self._executable.own_form
        if form is not None:
            self._run_either(form)
        elif self._executable.takes_turns:
            with turns.alone():
                self._run_here()
        else:
            self._run_on_all()
        if self._printf is not None:
            sys.stdout.write(self._printf.take_text())
            sys.stdout.flush()

    def _run_either(self, form: OwnForm) -> None:
        own = self._own_launch(form)
        is_own = own is not None and self._own_choice.next_is_own() and turns.begin_alone()
        if is_own and own is not None:
            try:
                start = time.perf_counter_ns()
                own._run_here()
            finally:
                turns.end_alone()
        else:
            with turns.shared():
                start = time.perf_counter_ns()
                self._run_on_all()
        nanoseconds = time.perf_counter_ns() - start
        if own is not None:
            self._own_choice.ended(is_own, nanoseconds, self.history)
        elif self._may_be_own:
            form.note(nanoseconds)

    def _own_launch(self, form: OwnForm) -> PreparedLaunch | None:
        """The launch of the other form, with the present arguments; None: there is none yet."""
        if form.executable is None or not self._may_be_own:
            return None
        block, own = self._executable.block, self._own
        if own is None:
            # Each form has its own place for the group's memory.
            places = [
                (offset, offset + size_of(type))
                for type, offset in zip(block.types, block.offsets, strict=True)
            ]
            given = [
                self._group_memory.get(position) or bytes(self.arguments[begin:end])
                for position, (begin, end) in enumerate(places)
            ]
            self._values = [
                place for position, place in enumerate(places) if position not in self._group_memory
            ]
            own = self._own = PreparedLaunch(form.executable, given, self._ndrange)
        for begin, end in self._values:
            own.arguments[begin:end] = self.arguments[begin:end]
        return own

    def _run_on_all(self) -> None:
        if self._share is None:
            self._run_here()
            return
        if len(pool.workers) < self._helpers:
            pool.start_workers(self._helpers)
        self._share(self._launch_address)

    def _run_here(self) -> None:
        self._executable.entry(self._args_address, self._scratch_address, 0, self._groups)

    def _fill(
        self, args: Sequence[KernelArg], ndrange: NDRange, scratch: int
    ) -> tuple[NDArray[np.uint8], int]:
        """The args block, and the bytes of scratch memory that a thread needs."""
        layout = self._executable.block
        block = aligned_memory(layout.size)
        for position, (type, offset, arg) in enumerate(
            zip(layout.types, layout.offsets, args, strict=True)
        ):
            if is_local_pointer(type):
                if not isinstance(arg, LocalMemory):
                    raise self._mismatch(position, type, arg)
                data = scratch.to_bytes(8, "little")
                scratch += round_up(arg.nbytes, SCRATCH_ALIGNMENT)
            else:
                data = self._argument(position, type, arg)
            block[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
        fields = block[layout.fields :].view(np.int64)
        values = (
            *ndrange.global_size,
            *ndrange.groups.size,
            *ndrange.num_groups,
            *ndrange.global_offset,
            ndrange.work_dim,
            self._printf.address if self._printf is not None else 0,
            *ndrange.groups.first,
            *ndrange.groups.groups,
            *ndrange.local_size,
        )
        assert len(values) == len(FIELDS)
        fields[:] = values
        return block, scratch

    def _argument(self, position: int, type: Attribute, arg: KernelArg) -> bytes:
        match arg:
            case None:
                return bytes(8)
            case np.ndarray():
                return arg.ctypes.data.to_bytes(8, "little")
            case bytes() if len(arg) == size_of(type):
                return arg
            case _:
                raise self._mismatch(position, type, arg)

    def _mismatch(self, position: int, type: Attribute, arg: Any) -> ArgumentError:
        return ArgumentError(
            f"kernel '{self._executable.name}': argument {position} is not a value for {type}: "
            f"{arg!r:.60}"
        )
