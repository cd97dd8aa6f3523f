"""What the cost model of the host passes says of a whole program.

The passes decide one thing at a time, each by a part of the model: latencies (merging, vectors),
lines (layouts), transposes and the host's own accesses. Here the parts are added up for one program
as it is, in cycles, so that variants can be compared.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from bench.programs.inputs import Arguments
from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.layout import accesses_of, vector_dimension
from polycl.analysis.host.platforms import Platform
from polycl.analysis.host.reuse_distance import evaluate_or_none, reuse_of
from polycl.analysis.host.samples import frequency, sizes_of
from polycl.dialects import host
from polycl.lowering.host.coarsening.latency import latency, weights

LINE = 20
"""Cycles of a line that is fetched."""


def predicted(module: ModuleOp, target: Platform, given: Arguments) -> float:
    """The cycles of a program whose numbers are `given`."""
    program = Program(module)
    samples = {f"%{k}": int(v) for k, v in given.items() if isinstance(v, int | np.integer)}
    cycles = 0.0
    for op in module.walk():
        if isinstance(op, host.LaunchOp):
            cycles += frequency(op, program, samples) * _launch(op, program, target, samples)
        elif isinstance(op, host.TransposeOp):
            count = 1
            for size in (op.rows, op.columns):
                count *= evaluate_or_none(program.host(op).expr(size), samples) or 1
            cycles += frequency(op, program, samples) * count * target.transpose
    return cycles


def _launch(
    op: host.LaunchOp, program: Program, target: Platform, samples: dict[str, int]
) -> float:
    kernel = program.kernel(op)
    sizes = sizes_of(op, program, samples)
    items = sizes.global_size[0] * sizes.global_size[1] * sizes.global_size[2]
    cycles = items * sum(latency(o, target) * n for o, n in weights(kernel.kernel.body.block))
    turned = replace(sizes, fastest=vector_dimension(kernel, target, sizes))
    for parameter in sorted({access.parameter for access in kernel.accesses}):
        reuse = reuse_of(kernel, [parameter], target, turned)
        steps = accesses_of(kernel, [parameter], sizes) / target.together
        cycles += LINE * reuse.lines * steps * (reuse.distance > 0 or reuse.lines > 1)
    return cycles / target.together
