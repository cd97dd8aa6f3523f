"""[split16] Table 3 for the kernels of the study: the properties and the share of each codelet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.case import Case
from bench.report import print_columns
from bench.study.settings import StudyDevice
from polycl import load
from polycl.analysis.ocl.module_parts import only_kernel
from polycl.analysis.poly.dispatch import decision, subkernels
from polycl.analysis.poly.group_values import Groups, UnknownValue, group_values
from polycl.analysis.poly.shares import Share, percentages, shares
from polycl.backends.device import NDRange, Size3
from polycl.backends.pipeline import run_passes
from polycl.dialects import poly


@dataclass(frozen=True)
class Part:
    """A kernel between two barriers: a continuation kernel of [split16]."""

    kernel: str
    number: int
    shares: list[Share]
    unknown: str = ""
    """Why nothing was counted."""


def parts_of(case: Case, width: int) -> list[Part]:
    """The parts of a kernel with the codelets that its launch runs."""
    form = next(iter(case.forms.values()))
    program = load(case.path, form)
    ndrange = NDRange(_three(case.global_size), _three(case.local_sizes[0]))
    passes = StudyDevice("split+score", width).own_passes(ndrange)
    names = [step.name for step in passes]
    module = only_kernel(program.module, case.kernel)
    run_passes(module, passes[: names.index("poly-materialize")])
    arguments = {
        parameter.name: int(value)
        for parameter, value in zip(
            program.kernel(case.kernel).parameters, case.args(), strict=True
        )
        if isinstance(value, np.integer)
    }
    groups = Groups(ndrange.global_size, ndrange.local_size, arguments)
    kernels = [op for op in module.walk() if isinstance(op, poly.KernelOp)]
    return [_part(case.name, i, kernel, groups) for i, kernel in enumerate(kernels)]


def _part(name: str, number: int, kernel: poly.KernelOp, groups: Groups) -> Part:
    try:
        values = group_values(kernel, groups)
    except UnknownValue as error:
        return Part(name, number, [], str(error))
    choices = subkernels(kernel)
    found: list[Share] = []
    if len(choices) == 1:
        found = shares(choices[0], kernel, values)
    else:
        chosen = [decision(kernel, each) for each in values]
        for subkernel in choices:
            runs = zip(chosen, values, strict=True)
            mine = [each for choice, each in runs if choice == subkernel.sym_name.data]
            found += shares(subkernel, kernel, mine)
    found = [share for share in found if share.items]
    return Part(name, number, sorted(found, key=lambda s: (not s.is_vector, -s.items)))


def _three(sizes: Sequence[int]) -> Size3:
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


def print_shares(cases: Sequence[Case], width: int) -> None:
    """The table. Work-items that fill no tile have a row without a share, unlike in [split16]."""
    lines = [["kernel", "part", "codelet", "along", "loops", "accesses", "work-items", "exec %"]]
    for case in cases:
        for part in parts_of(case, width):
            head = [part.kernel, str(part.number)]
            if part.unknown:
                lines.append([*head, f"not counted: {part.unknown}", *[""] * 5])
            percents = percentages(part.shares)
            for share, percent in zip(part.shares, percents, strict=True):
                lines.append([*head, *_cells(share, percent)])
    print_columns(lines)


def _cells(share: Share, percent: float) -> list[str]:
    along = "xyz"[share.codelet.along.value.data] if share.is_vector else ""
    return [
        share.name,
        along,
        " ".join(kind for kind in ("uni", "div") if kind in share.loops),
        " ".join(kind for kind in ("cons", "uni", "div") if kind in share.accesses),
        str(share.items),
        f"{percent:.2f}" if share.is_vector else "",
    ]
