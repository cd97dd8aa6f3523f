"""Launches with checks in compiled code; the interpreter judges what they suspect.

The kernel runs as native code that finds the work-groups in which something may be wrong
(`ocl-insert-checks`). Where there are none, there is nothing to report. Else the interpreter's
checks run these groups again, on copies of the arrays as they were before the launch, and what they
find is reported: kinds, places and sentences are theirs (docs/oracle.md). What only the interpreter
can check runs there as a whole.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cache, partial
from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.ocl.evaluated_launch import MOST_WORK
from polycl.analysis.ocl.launch_values import LaunchNumbers
from polycl.analysis.ocl.module_parts import find_kernel, only_kernel
from polycl.backends.cache import key_of
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.cpu.launch import CpuExecutable
from polycl.backends.device import (
    ArgumentFacts,
    Device,
    Executable,
    KernelArg,
    LocalMemory,
    NDRange,
    Size3,
    facts_of,
    ranges_are_distinct,
)
from polycl.backends.interp.checks import Check, Finding, checked_kinds
from polycl.backends.interp.device import InterpDevice, InterpExecutable
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.errors import PolyclError, error_at
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.lift_cf_to_scf import LiftCfToScfPass
from polycl.lowering.ocl.ocl_expand_images import expand_images
from polycl.lowering.ocl.ocl_expand_pipes import expand_pipes
from polycl.lowering.ocl.ocl_insert_checks import (
    InsertedChecks,
    insert_checks,
    prepare,
)
from polycl.lowering.ocl.ocl_insert_checks.accesses import Aliases
from polycl.lowering.ocl.ocl_insert_checks.decisions import Decision
from polycl.lowering.ocl.ocl_insert_checks.proofs import NOTHING_PROVED, Proof, prove
from polycl.lowering.ocl.ocl_insert_checks.records import MOST_GROUPS, CheckParameter
from polycl.lowering.ocl.ocl_resolve_spaces import OclResolveSpacesPass

_MOST_JUDGED = 64
"""Groups that the interpreter runs again at first; the others of a launch with errors have the
same ones, most probably."""

_LARGE = 1 << 16
"""Bytes from which on cells take at most twice the memory of an array."""

_WORK_OF_KERNEL = 8 * MOST_WORK
"""For the addresses of all launches of a kernel: a program may give other numbers to each."""

_MOST_PROOFS = 1024
"""The number of launches whose proofs a kernel keeps."""

_SOON_PROVED = 256
"""Small launches are proved when they have run so often with the same numbers: a proof and its code
take longer than many of them, and a program may give other numbers to each."""
_SMALL_ITEMS = 1 << 16
_SMALL_BYTES = 1 << 26
"""Work-items, and bytes of the arguments, of a small launch."""
_MOST_SUSPECTED = 4
"""Launches of a kernel that code without proofs may suspect until it is given up."""
_OFTEN = 8
"""Launches of a kernel with the same findings, after which not each one is judged."""


@dataclass(frozen=True)
class _Code:
    """Native code with checks."""

    native: CpuExecutable
    checks: InsertedChecks
    facts: ArgumentFacts
    """What it assumes about its arguments, added ones included."""


class _Repeats:
    """A program may make the same errors in each launch of a kernel: after a while only some are
    judged, at twice, four times, ... the number."""

    def __init__(self) -> None:
        self._known: set[tuple[object, ...]] = set()
        self._count = 0

    def add(self, findings: Sequence[Finding]) -> None:
        """Those of a launch that was judged."""
        keys = {(f.kind, f.severity, f.where, *f.locations) for f in findings}
        if keys:
            self._count = self._count + 1 if keys <= self._known else 0
            self._known |= keys

    @property
    def are_many(self) -> bool:
        return self._count >= _OFTEN

    def leave_out(self) -> bool:
        """Whether a suspect launch is not judged, which it counts."""
        if not self.are_many or (self._count + 1).bit_count() == 1:
            return False
        self._count += 1
        return True


class CheckedExecutable(Executable):
    """A kernel with checks."""

    def __init__(
        self,
        judge: InterpExecutable,
        prepared: ocl.KernelOp | None,
        native: CpuDevice,
        kinds: Collection[str],
        why: str,
    ):
        self._judge = judge
        self._prepared = prepared
        self._prints = prepared is not None and bool(operations_of(prepared.body, ocl.PrintfOp))
        self._native = native
        self._kinds = kinds
        self._codes: dict[tuple[Any, ...], _Code] = {}
        self._proofs: dict[tuple[LaunchNumbers, Aliases], Proof] = {}
        self._unproved: Counter[tuple[LaunchNumbers, Aliases]] = Counter()
        self._work_left = _WORK_OF_KERNEL
        self.suspected = 0
        """The number of launches that code without proofs has suspected."""
        self.repeats = _Repeats()
        """Findings that launches had before."""
        self.why = why
        """Why the interpreter runs the kernel as a whole; "" where it does not."""
        self.findings: tuple[Finding, ...] = ()
        """The findings of the last launch, warnings included."""
        self.suspects = 0
        """The number of groups of the last launch that the interpreter ran."""
        self.decisions: tuple[Decision, ...] | None = None
        """What became of the checks of each access; None where the interpreter ran all groups."""

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        """A launch that may not come again: a small one is not proved."""
        self.launch(args, ndrange, once=True)()

    def prepare(self, args: Sequence[KernelArg], ndrange: NDRange) -> Callable[[], None]:
        """A launch that can be repeated."""
        return self.launch(args, ndrange, once=False)

    def launch(
        self, args: Sequence[KernelArg], ndrange: NDRange, *, once: bool
    ) -> Callable[[], None]:
        """A launch, whose numbers are proved unless it is small and may come `once` only."""
        if self._prepared is None or self.why_judged(args, ndrange):
            return partial(self._judge_all, args, ndrange)
        aliases = _aliases(args)
        numbers = launch_numbers(args, ndrange), aliases
        is_proved = not once or self._is_proved(args, numbers)
        proof = self._proof(self._prepared, *numbers) if is_proved else NOTHING_PROVED
        code = self._code(self._prepared, proof, args, ndrange, aliases)
        if not all(_is_writable(args[position]) for position in code.checks.written):
            return partial(self._judge_all, args, ndrange)
        return _CheckedLaunch(self, code, args, ndrange, is_proved=is_proved, once=once)

    def _is_proved(self, args: Sequence[KernelArg], numbers: tuple[LaunchNumbers, Aliases]) -> bool:
        """Whether a launch with these numbers is proved, or has been."""
        if numbers in self._proofs:
            return True
        is_small = (
            math.prod(numbers[0].global_size) <= _SMALL_ITEMS
            and sum(map(_nbytes, args)) <= _SMALL_BYTES
        )
        is_given_up = self.suspected >= _MOST_SUSPECTED and not self.repeats.are_many
        # Nothing is printed twice.
        if not is_small or is_given_up or self._prints:
            return True
        if len(self._unproved) >= _MOST_PROOFS:
            self._unproved.clear()
        self._unproved[numbers] += 1
        return self._unproved[numbers] > _SOON_PROVED

    def _judge_all(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        """The interpreter runs the launch."""
        self.decisions = None
        given = _as_given(ndrange)
        self.suspects = math.prod(given.num_groups)
        self.judged(args, given, None)

    def _proof(self, prepared: ocl.KernelOp, launch: LaunchNumbers, aliases: Aliases) -> Proof:
        numbers = launch, aliases
        if numbers not in self._proofs:
            if len(self._proofs) >= _MOST_PROOFS:
                self._proofs.clear()
            proof = prove(prepared, *numbers, min(MOST_WORK, self._work_left))
            self._work_left -= proof.work
            self._proofs[numbers] = proof
        return self._proofs[numbers]

    def _code(
        self,
        prepared: ocl.KernelOp,
        proof: Proof,
        args: Sequence[KernelArg],
        ndrange: NDRange,
        aliases: Aliases,
    ) -> _Code:
        """The code with the checks that are not proved."""
        given = facts_of(args)
        large = self._large(args)
        key = (proof, aliases, given, ndrange.local_size, ndrange.guarded, ndrange.wide_ids, large)
        if key not in self._codes:
            whole = prepared.parent_op()
            assert isinstance(whole, ModuleOp)
            module = whole.clone()
            name = prepared.sym_name.data
            (kernel,) = (
                op for op in module.ops if isinstance(op, ocl.KernelOp) and op.sym_name.data == name
            )
            checks = insert_checks(kernel, proof, aliases, large, self._kinds)
            local = [p for p in checks.parameters if p.kind in ("cells", "marks")]
            sizes = facts_of([*args, *(_added(p, args, 0) for p in local)]).local_bytes
            facts = replace(given, local_bytes=sizes)
            native = self._compiled(module, name, replace(ndrange, facts=facts))
            self._codes[key] = _Code(native, checks, facts)
        return self._codes[key]

    def _compiled(self, module: ModuleOp, kernel: str, ndrange: NDRange) -> CpuExecutable:
        """Native code, from the cache where another process has compiled it."""
        content = cache(lambda: key_of("checks", str(module)))
        native = self._native.kept(content, kernel, ndrange)
        if native is None:
            native = self._native.compile(module, kernel, ndrange)
            self._native.keep(native, content, kernel, ndrange)
        return native

    def _large(self, args: Sequence[KernelArg]) -> frozenset[int]:
        """The arrays whose parts have cells one after the other; nothing is printed twice."""
        if self._prints:
            return frozenset()
        return frozenset(
            place
            for place, arg in enumerate(args)
            if isinstance(arg, np.ndarray) and arg.nbytes >= _LARGE
        )

    def why_judged(self, args: Sequence[KernelArg], ndrange: NDRange) -> str:
        """Why the interpreter runs a launch as a whole; "" where it does not."""
        arrays = {_memory(arg): arg for arg in args if isinstance(arg, np.ndarray)}
        if self._prepared is None:
            return self.why
        if not ndrange.is_uniform:
            return "groups of different sizes"
        if math.prod(ndrange.num_groups) >= MOST_GROUPS:
            return f"{MOST_GROUPS} groups or more"
        if not ranges_are_distinct(list(arrays)):
            return "arrays that overlap in part"
        if any(type(arg) is not np.ndarray for arg in arrays.values()):
            return "arrays of another class than numpy's"
        return ""

    def judge_groups(
        self,
        args: Sequence[KernelArg],
        before: Sequence[KernelArg],
        ndrange: NDRange,
        suspects: NDArray[np.generic],
    ) -> None:
        """Run suspect groups on the arrays as they were before the launch."""
        found = np.flatnonzero(suspects[:-1])
        self.suspects = len(found)
        chosen: dict[int, None] = {}
        for group in found:
            if len(chosen) >= _MOST_JUDGED:
                break
            chosen[int(group)] = None
            chosen[int(suspects[group]) - 1] = None
        given = _as_given(ndrange)
        ids = sorted(
            {id for group in chosen for id in _groups_in(group, ndrange, given)},
            key=lambda id: id[::-1],
        )
        # What kernels print was printed.
        with redirect_stdout(StringIO()):
            self.judged(_copies(before, before), given, ids)
        has_left_out = bool(suspects[-1])
        is_in_vain = not self.findings and not self._judge.left_out
        if has_left_out or (is_in_vain and len(ids) < math.prod(given.num_groups)):
            # What is wrong in these groups may come from others.
            self.suspects = math.prod(given.num_groups)
            with redirect_stdout(StringIO()):
                self.judged(before, given, None)
        if has_left_out:
            # It was right to differ: the results are the interpreter's.
            _assign(args, before)

    def judged(
        self, args: Sequence[KernelArg], ndrange: NDRange, groups: Sequence[Size3] | None
    ) -> None:
        try:
            self._judge.run(args, ndrange, groups)
        finally:
            self.findings = self._judge.findings
            self.repeats.add(self.findings)


class _CheckedLaunch:
    """A launch of native code with checks, and of the interpreter where they suspect a group."""

    def __init__(
        self,
        executable: CheckedExecutable,
        code: _Code,
        args: Sequence[KernelArg],
        ndrange: NDRange,
        *,
        is_proved: bool,
        once: bool,
    ):
        self._executable = executable
        self._is_proved = is_proved
        self._once = once
        self._args = tuple(args)
        self._ndrange = ndrange
        self._written = code.checks.written
        self._decisions = code.checks.decisions
        groups = math.prod(ndrange.num_groups)
        parameters = code.checks.parameters
        added = [_added(parameter, args, groups) for parameter in parameters]
        self._suspects: NDArray[np.generic] | None = None
        self._cells: list[NDArray[np.generic]] = []
        for parameter, arg in zip(parameters, added, strict=True):
            if isinstance(arg, np.ndarray):
                if parameter.kind == "suspects":
                    self._suspects = arg
                else:
                    self._cells.append(arg)
        self._launches: list[Callable[[], None]] = []
        for window in range(code.checks.windows):
            for place, parameter in enumerate(parameters):
                if parameter.kind == "window":
                    first = window % parameter.parts * _cells_of(parameter, args)
                    added[place] = first.to_bytes(8, "little")
            whole = replace(ndrange, facts=code.facts)
            self._launches.append(code.native.prepare([*args, *added], whole))
        self._is_new = True

    def __call__(self) -> None:
        executable = self._executable
        executable.findings, executable.suspects = (), 0
        executable.decisions = self._decisions
        suspects = self._suspects
        if suspects is None:
            self._launches[0]()
            return
        written = [self._args[position] for position in self._written]
        before = _copies(self._args, written)
        if not self._is_new:
            suspects.fill(0)
        for number, launch in enumerate(self._launches):
            if not self._is_new:
                for cells in self._cells:
                    cells.fill(0)
            if number:
                _assign(self._args, before)
            self._is_new = False
            launch()
        if not suspects.any():
            return
        if self._once and not suspects[-1] and executable.repeats.leave_out():
            return
        if self._is_proved:
            executable.judge_groups(self._args, before, self._ndrange, suspects)
        else:
            # In vain, maybe: proofs tell.
            executable.suspected += 1
            _assign(self._args, before)
            executable.launch(self._args, self._ndrange, once=False)()


def _assign(args: Sequence[KernelArg], values: Sequence[KernelArg]) -> None:
    """Give arrays the elements of other ones."""
    for arg, value in zip(args, values, strict=True):
        if isinstance(arg, np.ndarray) and arg is not value:
            assert isinstance(value, np.ndarray)
            arg[...] = value


def _as_given(ndrange: NDRange) -> NDRange:
    """The launch in the groups that it was given."""
    if ndrange.guarded is None:
        return ndrange
    size = ndrange.given_size or ndrange.local_size
    return replace(ndrange, local_size=size, given_size=None, guarded=None)


def _groups_in(number: int, ndrange: NDRange, given: NDRange) -> Iterable[Size3]:
    """The groups of the launch as it was given that have work-items of a group of `ndrange`."""
    nx, ny, _ = ndrange.num_groups
    group = number % nx, number // nx % ny, number // (nx * ny)
    ranges: list[range] = []
    for id, size, own, whole in zip(
        group, ndrange.local_size, given.local_size, given.global_size, strict=True
    ):
        first, last = id * size, min((id + 1) * size, whole) - 1
        ranges.append(range(first // own, last // own + 1))
    x, y, z = ranges
    return ((i, j, k) for k in z for j in y for i in x)


def _memory(array: NDArray[np.generic]) -> tuple[int, int]:
    """The address and the bytes of an array."""
    return array.ctypes.data, array.nbytes


def _aliases(args: Sequence[KernelArg]) -> Aliases:
    """The arguments that are the same array as an earlier one."""
    first: dict[tuple[int, int], int] = {}
    arrays = [(i, _memory(arg)) for i, arg in enumerate(args) if isinstance(arg, np.ndarray)]
    places = [(i, first.setdefault(memory, i)) for i, memory in arrays if memory[1]]
    return tuple((later, earlier) for later, earlier in places if later != earlier)


def _copies(args: Sequence[KernelArg], of: Sequence[KernelArg]) -> list[KernelArg]:
    """The arguments with copies of the arrays `of`, one for each array."""
    wanted = {_memory(arg) for arg in of if isinstance(arg, np.ndarray)}
    made: dict[tuple[int, int], NDArray[np.generic]] = {}
    result: list[KernelArg] = []
    for arg in args:
        if isinstance(arg, np.ndarray) and (memory := _memory(arg)) in wanted:
            arg = made.setdefault(memory, arg.copy()) if memory not in made else made[memory]
        result.append(arg)
    return result


def _added(parameter: CheckParameter, args: Sequence[KernelArg], groups: int) -> KernelArg:
    """The argument for a parameter of the checks."""
    if parameter.kind == "suspects":
        return np.zeros(groups + 1, np.uint32)
    arg = args[parameter.position]
    match parameter.kind:
        case "bytes":
            return _nbytes(arg).to_bytes(8, "little")
        case "window":
            return bytes(8)
        case "window_size":
            return _cells_of(parameter, args).to_bytes(8, "little")
        case _:
            count = _cells_of(parameter, args)
    if isinstance(arg, LocalMemory):
        return LocalMemory(count * (8 if parameter.kind == "cells" else 1))
    return np.zeros(count, np.uint64)


def _cells_of(parameter: CheckParameter, args: Sequence[KernelArg]) -> int:
    """The number of granules, in a window if there are several."""
    granules = -(-_nbytes(args[parameter.position]) // parameter.granule)
    return -(-granules // parameter.parts)


def _nbytes(arg: KernelArg) -> int:
    return 0 if arg is None else len(arg) if isinstance(arg, bytes) else arg.nbytes


def _is_writable(arg: KernelArg) -> bool:
    return not isinstance(arg, np.ndarray) or arg.flags.writeable


class CheckedDevice(Device):
    """The device `cpu` with checks, `strict` ones by the interpreter only."""

    name = "cpu"

    finds_bounds = True
    """Also where it looks for other kinds only: who asks for these does not want others."""

    def __init__(self, native: CpuDevice, check: Check = True):
        self.native = native
        self.check = check
        self.kinds = checked_kinds(check)
        self.threads = native.threads

    @property
    def chooses_groups(self) -> bool:
        return self.check != "strict" and self.native.chooses_groups

    def own_passes(self, ndrange: NDRange) -> tuple[ModulePass, ...]:
        return self.native.own_passes(ndrange)

    def address_of_variables(self, memory: NDArray[np.uint8]) -> int:
        return self.native.address_of_variables(memory)

    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> CheckedExecutable:
        judge = InterpDevice(check=self.check).compile(module, kernel, _as_given(ndrange), pipeline)
        assert isinstance(judge, InterpExecutable)
        if self.check == "strict" or pipeline:
            what = "strict checks" if self.check == "strict" else "a kernel after passes"
            why = f"{what}: on the interpreter only"
            return CheckedExecutable(judge, None, self.native, self.kinds, why)
        module = only_kernel(module, kernel)
        prepared = find_kernel(module, kernel)
        try:
            # As the interpreter sees them: memory, and functions that read and write it.
            expand_images(module, dict(ndrange.facts.images))
            expand_pipes(module)
            for step in (LiftCfToScfPass(), InlineFunctionsPass(), OclResolveSpacesPass()):
                step.apply(Context(), module)
            if not isinstance(prepared, ocl.KernelOp):
                raise error_at(prepared, "only kernels in the form ocl have checks in native code")
            prepare(prepared)
        except PolyclError as error:
            return CheckedExecutable(judge, None, self.native, self.kinds, str(error))
        return CheckedExecutable(judge, prepared, self.native, self.kinds, "")


def launch_numbers(args: Sequence[KernelArg], ndrange: NDRange) -> LaunchNumbers:
    """What is known of a launch with these arguments."""
    return LaunchNumbers(
        ndrange.global_size,
        ndrange.local_size,
        ndrange.num_groups,
        ndrange.global_offset,
        tuple(map(_number, args)),
    )


def _number(arg: KernelArg) -> int | None:
    """What `LaunchNumbers` has of an argument."""
    match arg:
        case np.ndarray() | LocalMemory():
            return arg.nbytes
        case bytes() if len(arg) <= 8:
            return int.from_bytes(arg, "little", signed=True)
        case _:
            return None
