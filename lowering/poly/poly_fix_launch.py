"""`poly-fix-launch`: a kernel with the numbers of one launch put in."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.ocl.uniformity import constant_index
from polycl.analysis.poly.concrete import result_of
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in
from polycl.lowering.build import Build

Size3 = tuple[int, int, int]


@dataclass(frozen=True)
class PolyFixLaunchPass(ModulePass):
    """Put the sizes and the integer arguments of a launch in, and compute what follows from them.

    With `global=64 local=16 positions=1 values=8`:

    ```
    ocl.kernel @k(%x: ..., %n: i32) {            ocl.kernel @k(%x: ..., %n: i32) {
      %l = ocl.local_id 0 : index                  %i = ocl.global_id 0 : index
      %m = arith.muli %n, %n : i32        ->       %g = arith.floordivsi %i, %c16 : index
                                                   %s = arith.muli %g, %c16 : index
                                                   %l = arith.subi %i, %s : index
                                                   %m = arith.constant 64 : i32
    ```

    The only query that is left is `ocl.global_id`. `global`, `local` and `offset` have one to
    three numbers. `positions` counts parameters from 0; `values` has a number for each.

    The result is for analyses, whose sets have numbers in place of products of parameters.

    Raises:
        PassFailedException: a size or a position does not fit.
    """

    name = "poly-fix-launch"

    global_size: tuple[int, ...]
    local_size: tuple[int, ...]
    offset: tuple[int, ...] = ()
    work_dim: int = 0
    positions: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    kernel: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if len(self.positions) != len(self.values):
            raise PassFailedException(
                f"{self.name}: {len(self.positions)} positions, but {len(self.values)} values"
            )
        for kernel in functions_of(op, ocl.KernelOp):
            if self.kernel in (None, kernel.sym_name.data):
                self._fix_arguments(kernel)
                launch = _Launch(
                    self._three("global", self.global_size, 1),
                    self._three("local", self.local_size, 1),
                    self._three("offset", self.offset, 0),
                    self.work_dim or len(self.global_size),
                )
                for query in operations_in(kernel.body):
                    launch.replace(query)
                fold_integers(kernel)

    def _three(self, option: str, size: tuple[int, ...], fill: int) -> Size3:
        if len(size) > 3 or any(n < fill for n in size):
            text = ",".join(map(str, size))
            raise PassFailedException(
                f"{self.name}: {option} must be at most three numbers from {fill}, got '{text}'"
            )
        x, y, z = (*size, fill, fill, fill)[:3]
        return x, y, z

    def _fix_arguments(self, kernel: ocl.KernelOp) -> None:
        block = kernel.body.block
        first = block.first_op
        assert first is not None
        for position, number in zip(self.positions, self.values, strict=True):
            if not 0 <= position < len(block.args) or not isinstance(
                type := block.args[position].type, IntegerType
            ):
                raise PassFailedException(
                    f"{self.name}: kernel '{kernel.sym_name.data}' has no integer parameter "
                    f"{position}"
                )
            block.args[position].replace_all_uses_with(Build(first).constant(number, type))


@dataclass(frozen=True)
class _Launch:
    size: Size3
    local: Size3
    offset: Size3
    work_dim: int

    def replace(self, op: Operation) -> None:
        """Replaces a query other than that of the global id."""
        value = self._value(op)
        if value is not None:
            Rewriter.replace_op(op, [], [value])

    def _value(self, op: Operation) -> SSAValue | None:
        build = Build(op)
        if isinstance(op, ocl.WorkDimOp):
            return build.constant(self.work_dim, op.results[0].type)
        dimension: int = getattr(op, "dimension", 0)
        size, local = self.size[dimension], self.local[dimension]
        match op:
            case ocl.GlobalSizeOp():
                return build.index(size)
            case ocl.EnqueuedLocalSizeOp():
                return build.index(local)
            case ocl.NumGroupsOp():
                return build.index(-(-size // local))
            case ocl.GlobalOffsetOp():
                return build.index(self.offset[dimension])
            case ocl.LocalSizeOp() if size % local == 0:
                return build.index(local)
            case ocl.LocalSizeOp():
                # The last group of a launch with groups of several sizes is smaller.
                first = self._first(build, dimension)
                rest = build.sub(build.index(size), first)
                return build.min(rest, build.index(local), signed=True)
            case ocl.GroupIdOp():
                return self._group(build, dimension)
            case ocl.LocalIdOp():
                return build.sub(self._place(build, dimension), self._first(build, dimension))
            case _:
                return None

    def _place(self, build: Build, dimension: int) -> SSAValue:
        """The number of the work-item along a dimension."""
        id = build.emit(ocl.GlobalIdOp(dimension))
        offset = self.offset[dimension]
        return build.sub(id, build.index(offset)) if offset else id

    def _group(self, build: Build, dimension: int) -> SSAValue:
        place, local = self._place(build, dimension), build.index(self.local[dimension])
        return build.alike(arith.FloorDivSIOp, place, local)

    def _first(self, build: Build, dimension: int) -> SSAValue:
        """The number of the first work-item of the group."""
        return build.mul(self._group(build, dimension), build.index(self.local[dimension]))


def fold_integers(kernel: ocl.KernelOp) -> None:
    """Computes integers that follow from constants, and drops what nothing reads any more."""
    for op in operations_in(kernel.body):
        if len(op.results) != 1 or isinstance(op, arith.ConstantOp):
            continue
        type = op.results[0].type
        if not isinstance(type, IntegerType | IndexType) or not op.operands:
            continue
        known = [constant_index(operand) for operand in op.operands]
        numbers = [number for number in known if number is not None]
        result = result_of(op, numbers) if len(numbers) == len(known) else None
        if isinstance(result, int):
            constant = Build(op).constant(result, type)
            Rewriter.replace_op(op, [], [constant])
    for op in reversed(operations_in(kernel.body)):
        unused = all(result.first_use is None for result in op.results)
        if unused and op.results and not op.regions and is_side_effect_free(op):
            Rewriter.erase_op(op)


def body_over_ids(kernel: ocl.KernelOp) -> Block:
    """The body of a kernel in this form, moved into a block of the global ids, outermost first.

    It still reads the pointer arguments of the kernel, which loses its body.
    """
    body = Block(arg_types=[IndexType()] * 3)
    for place, name in enumerate("zyx"):
        body.args[place].name_hint = name
    for op in operations_in(kernel.body):
        if isinstance(op, ocl.GlobalIdOp):
            Rewriter.replace_op(op, [], [body.args[2 - op.dimension]])
    for op in list(kernel.body.block.ops):
        op.detach()
        body.add_op(op)
    return body
