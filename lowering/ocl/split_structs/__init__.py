"""`split-structs`: a struct becomes one value for each field, in registers and in memory."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.lowering.ocl.split_structs.struct_arguments import read_arguments
from polycl.lowering.ocl.split_structs.struct_memory import split_memory
from polycl.lowering.ocl.split_structs.struct_values import split_values


@dataclass(frozen=True)
class SplitStructsPass(ModulePass):
    """Split structs into their fields, which vectors can hold.

    ```
    %v = ocl.load %p[%i] : ...                      %a = ocl.offset %p[%i] : ...
    %x = ocl.extract %v["x"] : ...             ->   %b = ocl.member %a["x"] : ...
                                                    %x = ocl.load %b : !ocl.ptr<f32, global>
    ```

    A struct value becomes the values of its fields, including those of nested structs; control flow
    carries them one by one. A field that is not used is not loaded. Parameters of kernels and
    other operations that pass whole structs stay, and their fields are extracted.

    Private and local memory of a struct, or of an array of structs, becomes memory of each field
    (scalar replacement of aggregates; structures of arrays):

    ```
    %s = ocl.alloca : !ocl.ptr<!ocl.struct<"P", {x: f32, n: i32}>, private>
    %q = ocl.member %s["x"] : ...              ->   %q = ocl.alloca : !ocl.ptr<f32, private>
    ```

    Elements of arrays in structs are fields of values; the memory of such an array is not split.
    What is read at known places of the copy of an argument, as `info.strides[1]`, is an element of
    the argument, the same for all work-items: barriers, loops and addresses may depend on it.
    Structs that contain a union, or more than 64 fields, are not split. Memory is not split if
    the pointer to a struct escapes, or if a pointer to a field may be moved to the next field or
    is cast to another type. Bodies of several blocks are left as
    they are: `lift-cf-to-scf` runs before.
    """

    name = "split-structs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, ocl.KernelOp | FuncOp) and len(function.body.blocks) == 1:
                split_structs(function)


def split_structs(function: ocl.KernelOp | FuncOp) -> None:
    """Split the structs of a function whose body is one block."""
    read_arguments(operations_of(function.body, ocl.AllocaOp))
    split_values(function.body.block)
    for inner in operations_of(function.body, ocl.AllocaOp, ocl.LocalAllocOp):
        split_memory(inner)
