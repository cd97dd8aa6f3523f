"""`wg-specialize`: scalar parameters become constants."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import BlockArgument
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from polycl.dialects import vec, wg
from polycl.dialects.inside import functions_of
from polycl.lowering.build import Build
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class WgSpecializePass(ModulePass):
    """Compute with known values of scalar parameters: for launches with these arguments only.

    With `positions=1 values=768`:

    ```
    wg.func @k(%p: ..., %n: i32) {           wg.func @k(%p: ..., %n: i32) {
      scf.for %i = %c0 to %n ...        ->     %n_1 = arith.constant 768 : i32
                                               scf.for %i = %c0 to %n_1 ...
    ```

    `positions` counts parameters from 0, and `values` has one number for each of them. The
    function keeps its parameters: a launch passes them as before. `kernel` names the one kernel
    to specialise; without it, all are.

    Raises:
        PassFailedException: a position has no parameter, or one that is not an integer or float; or
            a number does not fit it.
    """

    name = "wg-specialize"

    positions: tuple[int, ...]
    values: tuple[int | float, ...]
    kernel: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if len(self.positions) != len(self.values):
            raise PassFailedException(
                f"{self.name}: {len(self.positions)} positions, but {len(self.values)} values"
            )
        for function in functions_of(op, wg.FuncOp):
            if self.kernel in (None, function.sym_name.data):
                for position, value in zip(self.positions, self.values, strict=True):
                    self._specialise(function, position, value)

    def _specialise(self, function: wg.FuncOp, position: int, value: int | float) -> None:
        name = function.sym_name.data
        if not 0 <= position < len(function.args):
            raise PassFailedException(
                f"{self.name}: kernel '{name}' has {len(function.args)} parameters, counted from "
                f"0; none is at position {position}"
            )
        parameter = function.args[position]
        attribute = _constant(parameter, value)
        if attribute is None:
            raise PassFailedException(
                f"{self.name}: {value} is no value for parameter {position} of '{name}', "
                f"{parameter.type}: give integers and floats that fit"
            )
        build = Build(function, InsertPoint.at_start(function.body.block))
        constant = build.emit(arith.ConstantOp(attribute))
        parameter.replace_all_uses_with(constant)
        constant.name_hint = parameter.name_hint
        shown = attribute.value.data
        emit_remark(function, self.name, f"'{parameter.name_hint}' is {shown}")


def _constant(parameter: BlockArgument, value: int | float) -> IntegerAttr | FloatAttr | None:
    """`value` as an attribute of the parameter's type, an integer of either sign."""
    match parameter.type:
        case IntegerType() as type if isinstance(value, int):
            bits = type.width.data
            if not -(1 << (bits - 1)) <= value < 1 << bits:
                return None
            return IntegerAttr(vec.signed(value, bits), type)
        case type if isinstance(type, AnyFloat):
            return FloatAttr(float(value), type)
        case _:
            return None
