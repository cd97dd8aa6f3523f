"""What this machine can do at most: multiply-adds, and moving data, measured by small loops.

Each figure is the best of many short runs within `_BUDGET` seconds. Bandwidth is that of threads
that go through a working set again and again: it is the bandwidth of the level of memory in which
the working set fits. The loops are LLVM IR, so that they use the processor's widest vectors.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

_CHAINS = 12
"""Independent multiply-adds: latency times throughput of any machine of these years."""
_TURNS = 500_000
_STEP = 8
"""Vectors that a turn of a stream moves."""
_BUDGET = 0.5
"""Seconds for one figure: many short runs, of which some are not disturbed."""


def measured_peak(threads: int, budget: float = _BUDGET) -> float:
    """f32 multiply-adds in GFLOP/s (2 for each), of `threads` threads."""
    width = _vector_width()
    run = _compile(_fma_loop(width), ctypes.c_int64)
    seconds = _shortest(lambda _: run(_TURNS), threads, budget)
    return 2 * _CHAINS * width * _TURNS * threads / seconds / 1e9


def measured_cycle(budget: float = _BUDGET) -> float:
    """One cycle of a core: integer additions and exclusive ors, each of which waits for the last
    one, take one each on any machine of these years."""
    run = _compile(_integer_chain(), ctypes.c_int64, ctypes.c_int64)
    return _shortest(lambda _: run(_TURNS, 12345), 1, budget) / (_TURNS * 2 * _CHAINS)


def measured_bandwidth(
    nbytes: int, threads: int, reads_only: bool, budget: float = _BUDGET
) -> float:
    """GB/s of `threads` threads that go through `nbytes` again and again.

    They read all of it, or they update one half by the other: two reads and a write for each
    element, so that no line is fetched only to be overwritten.
    """
    width = _vector_width()
    arrays = 1 if reads_only else 2
    turn = 4 * width * _STEP * arrays
    share = max(nbytes // threads // turn, 1) * turn
    memory = [_aligned(share) for _ in range(threads)]
    moved = share if reads_only else share // 2 * 3
    repeats = max(1, (1 << 26) // share)
    run = _compile(_stream(width, reads_only), *[ctypes.c_int64] * 4)
    floats = share // 4 // arrays

    def work(thread: int) -> object:
        base = memory[thread].ctypes.data
        return run(base, base + 4 * floats, floats, repeats)

    seconds = _shortest(work, threads, budget)
    return moved * repeats * threads / seconds / 1e9


fma_peak, cycle_seconds, bandwidth = map(cache, (measured_peak, measured_cycle, measured_bandwidth))
"""The same, each measured once in a process."""


def reader() -> tuple[Callable[[int, int, int], object], int]:
    """`read(address, nbytes, repeats)`, which reads memory, and of what `nbytes` is a multiple."""
    width = _vector_width()
    run = _compile(_stream(width, True), *[ctypes.c_int64] * 4)
    return lambda at, nbytes, repeats: run(at, 0, nbytes // 4, repeats), 4 * width * _STEP


def _aligned(nbytes: int) -> NDArray[np.float32]:
    memory = np.ones(nbytes // 4 + 1024, np.float32)
    start = -memory.ctypes.data % 4096 // 4
    return memory[start:]


def _shortest(work: Callable[[int], object], threads: int, budget: float) -> float:
    """Seconds until every thread has done its `work`; what it calls releases the lock."""
    best = float("inf")
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: time.sleep(0.01), range(threads)))
        end = time.perf_counter() + budget
        while (start := time.perf_counter()) < end:
            list(pool.map(work, range(threads)))
            best = min(best, time.perf_counter() - start)
    return best


def _vector_width() -> int:
    """f32s in a register: more would not fit and be spilled."""
    features = llvm.get_host_cpu_features()
    return 16 if features.get("avx512f") else 8 if features.get("avx2") else 4


def _fma_loop(width: int) -> str:
    """`float f(i64 turns)`: `_CHAINS` vectors, each multiplied and added to once a turn."""
    type_ = f"<{width} x float>"
    phis = "".join(
        f"  %a{c} = phi {type_} [ splat (float {float(c)}), %entry ], [ %b{c}, %loop ]\n"
        for c in range(_CHAINS)
    )
    steps = "".join(
        f"  %b{c} = call {type_} @llvm.fma.v{width}f32({type_} %a{c}, {type_} %m, {type_} %m)\n"
        for c in range(_CHAINS)
    )
    return f"""
declare {type_} @llvm.fma.v{width}f32({type_}, {type_}, {type_})
define float @f(i64 %turns) {{
entry:
  %f = sitofp i64 %turns to float
  %e = insertelement {type_} poison, float %f, i32 0
  %m = shufflevector {type_} %e, {type_} poison, <{width} x i32> zeroinitializer
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
{phis}{steps}  %n = add i64 %i, 1
  %c = icmp slt i64 %n, %turns
  br i1 %c, label %loop, label %end
end:
{_sum(type_, [f"%b{c}" for c in range(_CHAINS)])}}}
"""


def _integer_chain() -> str:
    """`float f(i64 turns, i64 x)`: `_CHAINS` additions and as many exclusive ors a turn."""
    steps = "".join(
        f"  %s{c} = add i64 %b{c}, %turns\n  %b{c + 1} = xor i64 %s{c}, %x\n"
        for c in range(_CHAINS)
    )
    return f"""
define float @f(i64 %turns, i64 %x) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %b0 = phi i64 [ %x, %entry ], [ %b{_CHAINS}, %loop ]
{steps}  %n = add i64 %i, 1
  %c = icmp slt i64 %n, %turns
  br i1 %c, label %loop, label %end
end:
  %f = sitofp i64 %b{_CHAINS} to float
  ret float %f
}}
"""


def _stream(width: int, reads_only: bool) -> str:
    """`float f(i64 x, i64 y, i64 floats, i64 repeats)`: sums x, or adds it to y."""
    type_ = f"<{width} x float>"
    phis = "".join(
        f"  %a{k} = phi {type_} [ zeroinitializer, %outer ], [ %b{k}, %loop ]\n"
        for k in range(_STEP)
    )
    steps = ""
    for k in range(_STEP):
        steps += f"  %i{k} = add i64 %i, {k * width}\n"
        steps += f"  %x{k} = getelementptr float, ptr %xp, i64 %i{k}\n"
        steps += f"  %v{k} = load {type_}, ptr %x{k}, align 64\n"
        if reads_only:
            steps += f"  %b{k} = fadd {type_} %a{k}, %v{k}\n"
        else:
            steps += f"  %y{k} = getelementptr float, ptr %yp, i64 %i{k}\n"
            steps += f"  %w{k} = load {type_}, ptr %y{k}, align 64\n"
            steps += f"  %b{k} = fadd {type_} %w{k}, %v{k}\n"
            steps += f"  store {type_} %b{k}, ptr %y{k}, align 64\n"
    return f"""
define float @f(i64 %x, i64 %y, i64 %floats, i64 %repeats) {{
entry:
  %xp = inttoptr i64 %x to ptr
  %yp = inttoptr i64 %y to ptr
  br label %outer
outer:
  %r = phi i64 [ 0, %entry ], [ %r2, %next ]
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %n, %loop ]
{phis if reads_only else ""}{steps}  %n = add i64 %i, {_STEP * width}
  %c = icmp slt i64 %n, %floats
  br i1 %c, label %loop, label %next
next:
  call void asm sideeffect "", "~{{memory}}"()
  %r2 = add i64 %r, 1
  %d = icmp slt i64 %r2, %repeats
  br i1 %d, label %outer, label %end
end:
{_sum(type_, [f"%b{k}" for k in range(_STEP)])}}}
"""


def _sum(type_: str, vectors: list[str]) -> str:
    """Something that needs all of `vectors`."""
    text, total = "", vectors[0]
    for number, vector in enumerate(vectors[1:]):
        text += f"  %s{number} = fadd {type_} {total}, {vector}\n"
        total = f"%s{number}"
    return f"{text}  %s = extractelement {type_} {total}, i32 0\n  ret float %s\n"


def _compile(text: str, *types: Any) -> Callable[..., object]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2
    )
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    function = ctypes.CFUNCTYPE(ctypes.c_float, *types)(engine.get_function_address("f"))

    def run(*values: int) -> object:
        # The engine owns the code.
        return engine and function(*values)

    return run
