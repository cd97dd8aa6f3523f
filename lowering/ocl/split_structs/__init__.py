"""`split-structs`: a struct is one value for each of its fields, in registers and in own memory."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from polycl.dialects import ocl
from polycl.lowering.ocl.split_structs.struct_memory import split_memory
from polycl.lowering.ocl.split_structs.struct_values import split_values


@dataclass(frozen=True)
class SplitStructsPass(ModulePass):
    """Take structs apart into their fields, which vectors can hold.

    ```
    %v = ocl.load %p[%i] : ...                      %a = ocl.offset %p[%i] : ...
    %x = ocl.extract %v["x"] : ...             ->   %b = ocl.member %a["x"] : ...
                                                    %x = ocl.load %b : !ocl.ptr<f32, global>
    ```

    A struct value becomes the values of its fields, those of nested structs too; control flow
    hands them on one by one. What is loaded and not used is not loaded. Kernels' parameters and
    whatever else hands structs on stay, and their fields are extracted.

    Private and local memory of a struct, or of an array of structs, becomes memory of each field
    (scalar replacement of aggregates; structures of arrays):

    ```
    %s = ocl.alloca : !ocl.ptr<!ocl.struct<"P", {x: f32, n: i32}>, private>
    %q = ocl.member %s["x"] : ...              ->   %q = ocl.alloca : !ocl.ptr<f32, private>
    ```

    Elements of arrays in structs count as fields of values; the memory of such an array stays
    together. Structs with a union in them, or with more than 64 fields, stay as they are.
    Memory stays where the pointer to a struct goes elsewhere, and where a pointer to a field may
    be moved to the next field, or is cast to another type. Bodies of several blocks are left as
    they are: `lift-cf-to-scf` runs before.
    """

    name = "split-structs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, ocl.KernelOp | FuncOp) and len(function.body.blocks) == 1:
                split_values(function.body.block)
                for inner in list(function.body.walk()):
                    if isinstance(inner, ocl.AllocaOp | ocl.LocalAllocOp):
                        split_memory(inner)
