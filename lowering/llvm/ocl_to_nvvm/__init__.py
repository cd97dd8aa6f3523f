"""`ocl-to-nvvm`: the kernels of NVIDIA's GPUs, in the LLVM dialect."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from polycl.dialects.ocl import KernelLike, KernelOp
from polycl.lowering.llvm.convert_to_llvm import CONVERTERS, convert_module
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Conventions
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import Spaces
from polycl.lowering.llvm.kernel_functions import kernel_function
from polycl.lowering.llvm.ocl_to_nvvm import (
    nvvm_collectives,
    nvvm_ids,
    nvvm_math,
    nvvm_memory,
    nvvm_printf,
    nvvm_tensor,
)

SPACES = Spaces(private=0, global_=1, constant=1, local=3, generic=0)
"""LLVM's numbers. Constant memory is global memory that nothing writes: the banks of constant
memory hold 64 KiB, and no pointer given at a launch points there."""


@dataclass(frozen=True)
class OclToNvvmPass(ModulePass):
    """Convert kernels, one work-item to a thread, for LLVM's target NVPTX.

    ```
    ocl.kernel @k(%x: !ocl.ptr<f32, global>) {        llvm.func @k(%x: !llvm.ptr<1>) ... {
      %i = ocl.local_id 0 : index                       %0 = llvm.call_intrinsic
      ocl.barrier local                           ->        "llvm.nvvm.read.ptx.sreg.tid.x"()
      %v = ocl.load %x[%i]                              %i = llvm.zext %0 : i32 to i64
                                                        llvm.call_intrinsic
                                                            "llvm.nvvm.barrier.cta.sync.aligned.all"
    ```

    A work-group is a block of threads, local memory is shared memory, and sub-groups are parts of
    a warp, whose work-items exchange values by shuffles. Calls are inlined before, and functions
    that the processor lacks are expanded (`expand-math`, `ocl-expand-builtins`,
    `ocl-expand-collectives`).

    A kernel that reads what a launch of CUDA does not say (the global offset, the number of
    dimensions) gets further parameters, which the attribute `nvvm.launch_arguments` names. Local
    memory of more than 48 KiB cannot have a fixed size: `nvvm.local_bytes` says how much a launch
    has to add. A parameter for local memory is the byte where it starts in what the launch adds;
    with `local_pointers`, as in OpenCL, the driver passes a pointer.

    `contract` allows fused multiply-adds; with `estimate` float divisions and roots are as exact as
    OpenCL C asks (OpenCL 1.2, section 7.4: 2.5 and 3 ULP), otherwise they are rounded correctly.

    Raises:
        PolyclError: located: an operation without a form on the GPU.
    """

    name = "ocl-to-nvvm"

    contract: bool = True
    estimate: bool = True
    local_pointers: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        conventions = Conventions(
            CONVERTERS
            | nvvm_ids.CONVERTERS
            | nvvm_memory.CONVERTERS
            | nvvm_collectives.CONVERTERS
            | nvvm_math.CONVERTERS
            | nvvm_printf.CONVERTERS
            | nvvm_tensor.CONVERTERS,
            contract=self.contract,
            estimate=self.estimate,
            spaces=SPACES,
            aligned_buffers=True,
            unroll_hints=True,
            scopes=("block", "device"),
            has_libm=False,
        )

        def kernel(old: KernelLike) -> FuncOp:
            attributes = [_required_size(old.required_size)] if old.required_size else []
            added: dict[str, Attribute] = {}
            if isinstance(old, KernelOp):
                fields = nvvm_ids.expand_queries(old)
                added = nvvm_memory.place_local_memory(op, old, self.local_pointers)
                if fields:
                    added[nvvm_ids.LAUNCH_ARGUMENTS] = ArrayAttr(map(StringAttr, fields))
            function = kernel_function(old, "ptx_kernel", attributes)
            function.attributes |= added
            return function

        convert_module(op, conventions, kernel)


def _required_size(size: tuple[int, int, int]) -> Attribute:
    """ptxas knows how many registers a thread can have."""
    text = ",".join(map(str, size))
    return ArrayAttr([StringAttr("nvvm.reqntid"), StringAttr(text)])
