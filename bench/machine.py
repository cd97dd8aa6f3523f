"""What this machine can do at most: multiply-adds and copying, for `compare_peers.py`."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import llvmlite.binding as llvm
import numpy as np

_CHAINS = 12
"""Independent multiply-adds: latency times throughput of any machine of these years."""
_TURNS = 10_000_000


def fma_peak(threads: int) -> float:
    """f32 multiply-adds in GFLOP/s (2 for each), of `threads` threads."""
    width = _vector_width()
    run = _fma_loop(width)
    seconds = min(_parallel(lambda _: run(_TURNS), threads) for _ in range(3))
    return 2 * _CHAINS * width * _TURNS * threads / seconds / 1e9


def copy_bandwidth(threads: int) -> float:
    """GB/s of reads plus writes while `threads` threads copy much more than the caches hold."""
    count = 1 << 25
    source, target = np.ones(count), np.zeros(count)
    bounds = [count * t // threads for t in range(threads + 1)]

    def copy(thread: int) -> None:
        part = slice(bounds[thread], bounds[thread + 1])
        np.copyto(target[part], source[part])

    seconds = min(_parallel(copy, threads) for _ in range(3))
    return 2 * source.nbytes / seconds / 1e9


def _parallel(work: Callable[[int], object], threads: int) -> float:
    """Seconds until every thread has done its `work`; what it calls releases the lock."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: time.sleep(0.01), range(threads)))
        start = time.perf_counter()
        list(pool.map(work, range(threads)))
        return time.perf_counter() - start


def _vector_width() -> int:
    """f32s in a register: more would not fit and be spilled."""
    features = llvm.get_host_cpu_features()
    return 16 if features.get("avx512f") else 8 if features.get("avx2") else 4


def _fma_loop(width: int) -> Callable[[int], object]:
    """`float f(int64 turns)`: `_CHAINS` vectors, each multiplied and added to once a turn."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    type_ = f"<{width} x float>"
    phis = "".join(
        f"  %a{c} = phi {type_} [ splat (float {float(c)}), %entry ], [ %b{c}, %loop ]\n"
        for c in range(_CHAINS)
    )
    steps = "".join(
        f"  %b{c} = call {type_} @llvm.fma.v{width}f32({type_} %a{c}, {type_} %m, {type_} %m)\n"
        for c in range(_CHAINS)
    )
    sums = "".join(
        f"  %s{c + 1} = fadd {type_} {f'%s{c}' if c else '%b0'}, %b{c}\n" for c in range(_CHAINS)
    )
    text = f"""
declare {type_} @llvm.fma.v{width}f32({type_}, {type_}, {type_})
define float @peak(i64 %turns) {{
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
{sums}  %r = extractelement {type_} %s{_CHAINS}, i32 0
  ret float %r
}}
"""
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2
    )
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    function = ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_int64)(engine.get_function_address("peak"))

    def run(turns: int) -> object:
        # The engine owns the code.
        return engine and function(turns)

    return run
