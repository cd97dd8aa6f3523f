"""`ocl-run --save-temps DIR`: the kernel after each pass, its LLVM IR, assembly and object."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from xdsl.printer import Printer

from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.cpu.jit import OPTIMISATION_LEVEL, compile_object, emit_assembly
from polycl.backends.cpu.llvm_ir import llvm_ir
from polycl.backends.device import Device, NDRange
from polycl.backends.pipeline import parse_passes, run_passes
from polycl.dialects.ocl.debug import has_lines, is_debug_build
from polycl.lowering.ocl.ocl_expand_images import expand_images
from polycl.lowering.ocl.ocl_expand_pipes import expand_pipes
from polycl.runtime.kernel import BoundKernel, Kernel
from polycl.tools.driver import UsageError


def save_temps(
    folder: Path, kernel: Kernel, device: Device, bound: BoundKernel, pipeline: str | None
) -> None:
    """Write the files of a launch; of groups of several sizes those of the first.

    The object has line tables if the device has `debug_info`, and in a debug build: `objdump -dS`
    reads them.

    Raises:
        UsageError: the device is another one than `cpu`, or the folder cannot be written.
        PolyclError: a pass failed.
    """
    if not isinstance(device, CpuDevice):
        raise UsageError("--save-temps is for the device cpu, without --check")
    ndrange = _compiled_for(bound)
    module = only_kernel(kernel.module, kernel.name)
    expand_images(module, dict(ndrange.facts.images))
    expand_pipes(module)
    debug = is_debug_build(module)
    passes = device.passes_for(module, ndrange) if pipeline is None else parse_passes(pipeline)
    files: dict[str, str | bytes] = {f"{kernel.name}.00.ocl.mlir": _text(module)}
    for number, step in enumerate(passes, 1):
        run_passes(module, (step,))
        files[f"{kernel.name}.{number:02}.{step.name}.mlir"] = _text(module)
    text, level = (
        llvm_ir(module, device.debug_info or has_lines(module)),
        0 if debug else OPTIMISATION_LEVEL,
    )
    files[f"{kernel.name}.ll"] = text
    files[f"{kernel.name}.s"] = emit_assembly(text, level)
    files[f"{kernel.name}.o"] = compile_object(text, level)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            (folder / name).write_bytes(data)
    except OSError as error:
        raise UsageError(f"--save-temps: cannot write to '{folder}': {error.strerror}") from error
    print(f"wrote {len(files)} files to {folder}")


def _compiled_for(bound: BoundKernel) -> NDRange:
    # The runtime may have chosen other groups.
    launch = getattr(bound.executable, "ndrange", bound.ndrange)
    return launch.parts()[0]


def _text(module: object) -> str:
    stream = StringIO()
    Printer(stream).print_op(module)  # pyright: ignore[reportArgumentType]
    return stream.getvalue() + "\n"
