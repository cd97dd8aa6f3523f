"""Launches with checks in compiled code; the interpreter judges what they suspect.

The kernel runs as native code that finds the work-groups in which something may be wrong
(`ocl-insert-checks`). Where there are none, there is nothing to report. Else the interpreter's
checks run these groups again, on copies of the arrays as they were before the launch, and what they
find is reported: kinds, places and sentences are theirs (docs/oracle.md). What only the interpreter
can check runs there as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from polycl.analysis.ocl.launch_values import LaunchNumbers
from polycl.backends.cpu.launch import CpuExecutable
from polycl.backends.device import (
    ArgumentFacts,
    Executable,
    KernelArg,
    LocalMemory,
    NDRange,
    Size3,
    facts_of,
    ranges_are_distinct,
)
from polycl.backends.interp.checks import Finding
from polycl.backends.interp.device import InterpDevice, InterpExecutable
from polycl.dialects import ocl
from polycl.errors import PolyclError, error_at
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.lift_cf_to_scf import LiftCfToScfPass
from polycl.lowering.ocl.ocl_insert_checks import (
    MOST_GROUPS,
    MOST_ITEMS,
    CheckParameter,
    insert_checks,
    prepare,
)
from polycl.lowering.ocl.ocl_insert_checks.proofs import Proof, prove
from polycl.lowering.ocl.ocl_resolve_spaces import OclResolveSpacesPass

_MOST_JUDGED = 64
"""Groups that the interpreter runs again at first; the others of a launch with errors have the
same ones, most probably."""

_MOST_PROOFS = 1024
"""The number of launches whose proofs a kernel keeps."""

CompileNative = Callable[[ModuleOp, str, NDRange], CpuExecutable]


class CheckedExecutable(Executable):
    """A kernel with checks."""

    def __init__(
        self,
        judge: InterpExecutable,
        prepared: ocl.KernelOp | None,
        native: CompileNative,
        why: str,
    ):
        self._judge = judge
        self._prepared = prepared
        self._native = native
        self._compiled: dict[
            tuple[Any, ...], tuple[CpuExecutable, tuple[CheckParameter, ...], ArgumentFacts]
        ] = {}
        self._proofs: dict[LaunchNumbers, Proof] = {}
        self.why = why
        """Why the interpreter runs the kernel as a whole; "" where it does not."""
        self.findings: tuple[Finding, ...] = ()
        """The findings of the last launch, warnings included."""
        self.suspects = 0
        """The number of groups of the last launch that the interpreter ran."""

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        groups = math.prod(ndrange.num_groups)
        if self._prepared is None or not self._is_checkable(args, ndrange, groups):
            self.suspects = groups
            self._judged(args, ndrange, None)
            return
        proof = self._proof(self._prepared, args, ndrange)
        compiled, parameters, facts = self._compiled_for(self._prepared, proof, args, ndrange)
        added = self._added_arguments(parameters, args, groups)
        # It is the last parameter.
        suspects = added[-1]
        assert isinstance(suspects, np.ndarray)
        before = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
        compiled.run([*args, *added], replace(ndrange, facts=facts))
        found = np.flatnonzero(suspects)
        self.findings, self.suspects = (), len(found)
        if len(found):
            self._judge_groups(before, ndrange, found, suspects)

    def _proof(self, prepared: ocl.KernelOp, args: Sequence[KernelArg], ndrange: NDRange) -> Proof:
        numbers = LaunchNumbers(
            ndrange.global_size,
            ndrange.local_size,
            ndrange.num_groups,
            ndrange.global_offset,
            tuple(map(_number, args)),
        )
        if numbers not in self._proofs:
            if len(self._proofs) >= _MOST_PROOFS:
                self._proofs.clear()
            self._proofs[numbers] = prove(prepared, numbers)
        return self._proofs[numbers]

    def _compiled_for(
        self, prepared: ocl.KernelOp, proof: Proof, args: Sequence[KernelArg], ndrange: NDRange
    ) -> tuple[CpuExecutable, tuple[CheckParameter, ...], ArgumentFacts]:
        """The code with the checks that are not proved, and the facts of its launches."""
        given = facts_of(args)
        key = (proof, given, ndrange.local_size, ndrange.wide_ids)
        if key not in self._compiled:
            module = prepared.get_toplevel_object().clone()
            assert isinstance(module, ModuleOp)
            name = prepared.sym_name.data
            (kernel,) = (
                op for op in module.ops if isinstance(op, ocl.KernelOp) and op.sym_name.data == name
            )
            parameters = insert_checks(kernel, proof)
            facts = replace(
                given, local_bytes=facts_of(self._local_arguments(parameters, args)).local_bytes
            )
            compiled = self._native(module, name, replace(ndrange, facts=facts))
            self._compiled[key] = compiled, parameters, facts
        return self._compiled[key]

    def _local_arguments(
        self, parameters: Sequence[CheckParameter], args: Sequence[KernelArg]
    ) -> list[KernelArg]:
        local = [p for p in parameters if isinstance(args[p.position], LocalMemory)]
        return [*args, *self._added_arguments(local, args, 0)]

    def _is_checkable(self, args: Sequence[KernelArg], ndrange: NDRange, groups: int) -> bool:
        """Whether cells have room for the launch, and each object is its own."""
        arrays = [arg for arg in args if isinstance(arg, np.ndarray)]
        return (
            ndrange.is_uniform
            and groups < MOST_GROUPS
            and math.prod(ndrange.local_size) <= MOST_ITEMS
            and ranges_are_distinct([(a.ctypes.data, a.nbytes) for a in arrays])
            and all(type(a) is np.ndarray and a.flags.writeable for a in arrays)
            and not any(arg is None for arg in args)
        )

    def _added_arguments(
        self, parameters: Sequence[CheckParameter], args: Sequence[KernelArg], groups: int
    ) -> list[KernelArg]:
        def value(parameter: CheckParameter) -> KernelArg:
            if parameter.kind == "suspects":
                return np.zeros(groups, np.uint32)
            arg = args[parameter.position]
            assert isinstance(arg, np.ndarray | LocalMemory)
            if parameter.kind == "bytes":
                return arg.nbytes.to_bytes(8, "little")
            cells = -(-arg.nbytes // parameter.granule)
            if isinstance(arg, LocalMemory):
                return LocalMemory(8 * cells)
            return np.zeros(cells, np.uint64)

        return [value(parameter) for parameter in parameters]

    def _judge_groups(
        self,
        before: Sequence[KernelArg],
        ndrange: NDRange,
        found: NDArray[np.intp],
        suspects: NDArray[np.generic],
    ) -> None:
        chosen: dict[int, None] = {}
        for group in found:
            if len(chosen) >= _MOST_JUDGED:
                break
            chosen[int(group)] = None
            chosen[int(suspects[group]) - 1] = None
        nx, ny, _ = ndrange.num_groups
        ids = [(g % nx, g // nx % ny, g // (nx * ny)) for g in sorted(chosen)]
        copies = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in before]
        self._judged(copies, ndrange, ids)
        if not self.findings and len(ids) < math.prod(ndrange.num_groups):
            # What is wrong in these groups may come from others.
            self.suspects = math.prod(ndrange.num_groups)
            self._judged(before, ndrange, None)

    def _judged(
        self, args: Sequence[KernelArg], ndrange: NDRange, groups: Sequence[Size3] | None
    ) -> None:
        try:
            self._judge.run(args, ndrange, groups)
        finally:
            self.findings = self._judge.findings


def compile_checked(
    module: ModuleOp, kernel: str, ndrange: NDRange, strict: bool, compile_native: CompileNative
) -> CheckedExecutable:
    """Compile `kernel` of `module`, which is not changed, with checks."""
    judge = InterpDevice(check="strict" if strict else True).compile(module, kernel, ndrange)
    if strict:
        return CheckedExecutable(judge, None, compile_native, "strict checks")
    from polycl.backends.cpu.compile import find_kernel, only_kernel

    module = only_kernel(module, kernel)
    prepared = find_kernel(module, kernel)
    try:
        for step in (LiftCfToScfPass(), InlineFunctionsPass(), OclResolveSpacesPass()):
            step.apply(Context(), module)
        if not isinstance(prepared, ocl.KernelOp):
            raise error_at(prepared, "only kernels in the form ocl are checked in compiled code")
        prepare(prepared)
    except PolyclError as error:
        return CheckedExecutable(judge, None, compile_native, str(error))
    return CheckedExecutable(judge, prepared, compile_native, "")


def _number(arg: KernelArg) -> int | None:
    """What `LaunchNumbers` has of an argument."""
    match arg:
        case np.ndarray() | LocalMemory():
            return arg.nbytes
        case bytes() if len(arg) <= 8:
            return int.from_bytes(arg, "little", signed=True)
        case _:
            return None
