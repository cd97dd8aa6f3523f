"""What the cost model of the host passes says of a whole program.

The passes decide one thing at a time, each by a part of the model: latencies (merging, vectors),
lines (layouts), transposes and the host's own accesses. Here the parts are added up for one program
as it is, in cycles, so that variants can be compared.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Block

from bench.programs.inputs import Arguments
from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.host_loops import lines_of
from polycl.analysis.host.layout import accesses_of, vector_dimension
from polycl.analysis.host.platforms import Platform
from polycl.analysis.host.reuse_distance import evaluate_or_none, reuse_of
from polycl.analysis.host.samples import frequency, sampled, sizes_of
from polycl.analysis.ocl.index_expr import var
from polycl.dialects import host
from polycl.lowering.host.coarsening.latency import latency, rounds

LINE = 20
"""Cycles of an access to a line that was not the last one."""
GATHER = 4
"""Cycles of each further line of a step of several work-items."""


def predicted(module: ModuleOp, target: Platform, given: Arguments) -> float:
    """The cycles of a program whose numbers are `given`."""
    program = Program(module)
    samples = {f"%{k}": int(v) for k, v in given.items() if isinstance(v, int | np.integer)}
    cycles = 0.0
    for op in module.walk():
        if isinstance(op, host.LaunchOp):
            cycles += frequency(op, program, samples) * _launch(op, program, target, samples)
        elif isinstance(op, memref.LoadOp | memref.StoreOp):
            index = program.host(op).expr(op.indices[0])
            lines = lines_of(op, index, program, samples, target.cache_line)
            cycles += target.host_line * lines
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
    indices = program.host(op)
    for expr in program.values(op).values():
        for name in sorted(expr.variables - samples.keys()):
            # Sizes that are rounded up, and counters of loops.
            if (value := sampled(var(name), indices, samples)) is not None:
                samples = {**samples, name: value}
    sizes = sizes_of(op, program, samples)
    items = sizes.global_size[0] * sizes.global_size[1] * sizes.global_size[2]
    block = kernel.kernel.body.block
    if _has_vectors(block):
        # It is not vectorized again, and its accesses are continuous.
        return items * _cycles(block, target)
    width = target.together
    if target.weak_in_loops and any(isinstance(inner, scf.ForOp) for inner in block.walk()):
        width //= 2
    cycles = items * _cycles(block, target) / width
    turned = replace(sizes, fastest=vector_dimension(kernel, target, sizes))
    for parameter in sorted({access.parameter for access in kernel.accesses}):
        reuse = reuse_of(kernel, [parameter], target, turned)
        steps = accesses_of(kernel, [parameter], sizes) / target.together
        cycles += steps * (LINE * (reuse.distance > 0) + GATHER * (reuse.lines - 1))
    return cycles


def _cycles(block: Block, target: Platform) -> float:
    """The cycles of a work-item. Of a branch with two arms the one with vectors counts, as the
    other is for what is left at the end of a row, or the longer one."""
    cycles = 0.0
    for op in block.ops:
        arms = [inner for region in op.regions for inner in region.blocks]
        found = [_cycles(arm, target) for arm in arms]
        vectors = [c for c, arm in zip(found, arms, strict=True) if _has_vectors(arm)]
        if isinstance(op, scf.IfOp):
            found = [max(vectors or found)]
        cycles += latency(op, target) + rounds(op) * sum(found)
    return cycles


def _has_vectors(block: Block) -> bool:
    return any(isinstance(v.type, VectorType) for op in block.walk() for v in op.results)
