"""The peers of `bench.lift_gpu` and `bench.lift_cuda`: NVIDIA's BLAS, by CuPy, and by torch."""

# CuPy and torch are on the machine of the GPU only.
# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.lift_works import Work


class Cublas:
    """Times its calls on arrays that are on the device. Raises ImportError where it is not."""

    def __init__(self) -> None:
        import cupy
        import torch
        from cupy.cuda import cublas, device

        self.cp, self.torch, self.blas = cupy, torch, cublas
        self._handle = device.get_cublas_handle()
        # Else each call would wait for its result.
        cublas.setPointerMode(self._handle, cublas.CUBLAS_POINTER_MODE_DEVICE)
        self._kept: list[Any] = []

    def calls(self, work: Work, values: dict[str, Any]) -> dict[str, Callable[[], Any]]:
        """By name; each does the work of `work` once, on arrays that are on the device."""
        cp, blas, handle, torch = self.cp, self.blas, self._handle, self.torch
        dev = {k: cp.asarray(v) for k, v in values.items()}
        one = cp.zeros(1, cp.float32)
        self._kept = [dev, one]
        pointer = {name: array.data.ptr for name, array in dev.items()}
        if work.name == "asum":
            n = work.sizes["N"]
            return {"cublas": lambda: blas.sasum(handle, n, pointer["x"], 1, one.data.ptr)}
        if work.name == "dot":
            n, x, y = work.sizes["N"], pointer["x"], pointer["y"]
            return {"cublas": lambda: blas.sdot(handle, n, x, 1, y, 1, one.data.ptr)}
        if work.name == "scal":
            n = work.sizes["N"]
            return {"cublas": lambda: blas.sscal(handle, n, pointer["a"], pointer["x"], 1)}
        if work.name == "gemv":
            m, k = work.sizes["M"], work.sizes["K"]
            lent = {name: torch.as_tensor(array) for name, array in dev.items()}
            a, b = float(values["a"]), float(values["b"])

            def sgemv() -> None:
                # Rows one after the other are columns of what Fortran sees.
                blas.sgemv(
                    handle,
                    blas.CUBLAS_OP_T,
                    k,
                    m,
                    pointer["a"],
                    pointer["A"],
                    k,
                    pointer["x"],
                    1,
                    pointer["b"],
                    pointer["y"],
                    1,
                )

            def addmv() -> None:
                torch.addmv(lent["y"], lent["A"], lent["x"], alpha=a, beta=b)

            return {"cublas": sgemv, "torch": addmv}
        if work.name.startswith("matmul"):
            left, right = (torch.as_tensor(array) for array in dev.values())
            product = torch.matmul(left, right)
            self._kept.append(product)
            # float32 is not rounded to tf32 (torch.backends.cuda.matmul.allow_tf32).
            return {"cublas": lambda: torch.matmul(left, right, out=product)}
        if work.name == "stencil2d":
            grid = dev["grid"]
            copy = cp.empty_like(grid)
            self._kept.append(copy)
            stream = cp.cuda.get_current_stream().ptr
            asynchronous = cp.cuda.runtime.memcpyAsync
            return {
                "copy": lambda: asynchronous(copy.data.ptr, grid.data.ptr, grid.nbytes, 3, stream)
            }
        return {}

    def seconds(self, call: Callable[[], Any], count: int = 1) -> float:
        """Of one of `count` calls in a row, between two events."""
        start, end = self.cp.cuda.Event(), self.cp.cuda.Event()
        start.record()
        for _ in range(count):
            call()
        end.record()
        end.synchronize()
        return self.cp.cuda.get_elapsed_time(start, end) * 1e-3 / count

    def kernel_seconds(self, call: Callable[[], Any]) -> float | None:
        """The shortest sum of the kernels' durations of one call."""
        from torch.profiler import ProfilerActivity, profile

        best: float | None = None
        for _ in range(10):
            with profile(activities=[ProfilerActivity.CUDA]) as seen:
                call()
                self.torch.cuda.synchronize()
                self.cp.cuda.Device().synchronize()
            total = sum(e.device_time_total for e in seen.key_averages()) * 1e-6
            if total:
                best = min(best or total, total)
        return best

    def copy_seconds(self, nbytes: int) -> float:
        """To copy half of `nbytes` from the device to the device: `nbytes` are moved."""
        x = self.cp.zeros(nbytes // 8, self.cp.float32)
        y = self.cp.empty_like(x)
        copy = self.cp.cuda.runtime.memcpy
        return min(
            self.seconds(lambda: copy(y.data.ptr, x.data.ptr, x.nbytes, 3)) for _ in range(30)
        )
