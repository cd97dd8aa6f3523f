"""`pattern-set-sizes`: size variables of pattern programs become numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects.pattern import SIZES, NatAttr, SizeAttr, nat
from polycl.dialects.pattern.types import nats_in, substitute
from polycl.errors import ArgumentError


@dataclass(frozen=True)
class PatternSetSizesPass(ModulePass):
    """Replace size variables by numbers: `pattern-set-sizes{sizes="N=1024,M=64"}`.

    ```
    !pattern.array<N, f32>   ->   !pattern.array<1024, f32>
    ```

    With the sizes of a launch, loops of one iteration disappear, and private arrays become
    registers.
    """

    name = "pattern-set-sizes"

    sizes: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        values: dict[str, int] = {}
        for pair in filter(None, self.sizes.replace(" ", "").split(",")):
            name, _, number = pair.partition("=")
            if not name.isidentifier() or not number.isdigit():
                raise ArgumentError(f"pattern-set-sizes: expected NAME=NUMBER, got '{pair}'")
            values[name] = int(number)
        for function in op.ops:
            if isinstance(function, FuncOp):
                set_sizes(function, values)


def set_sizes(function: FuncOp, values: Mapping[str, int]) -> None:
    """Put numbers in the place of the size variables of `function`."""
    known = function.attributes.get(SIZES)
    if isinstance(known, ArrayAttr):
        left = [s for s in known if isinstance(s, SizeAttr) and s.variable.data not in values]
        function.attributes[SIZES] = ArrayAttr(left)
    replace_sizes(function, {name: nat(value) for name, value in values.items()})


def replace_sizes(function: FuncOp, env: dict[str, NatAttr]) -> None:
    """Replace the size variables by the sizes of `env`, in types and in properties such as
    split's."""

    def changed(attribute: Attribute) -> Attribute:
        match attribute:
            case NatAttr():
                return attribute.substitute(env)
            case ArrayAttr():
                return ArrayAttr([changed(a) for a in attribute])
            case FunctionType():
                return FunctionType.from_lists(
                    [substitute(type, env) for type in attribute.inputs],
                    [substitute(type, env) for type in attribute.outputs],
                )
            case _ if any(True for _ in nats_in(attribute)):
                return substitute(attribute, env)
            case _:
                return attribute

    def retype(value: SSAValue) -> None:
        if any(size.variables for size in nats_in(value.type)):
            Rewriter.replace_value_with_new_type(value, substitute(value.type, env))

    for op in function.walk():
        for name, attribute in op.properties.items():
            op.properties[name] = changed(attribute)
        for result in op.results:
            retype(result)
        for region in op.regions:
            for block in region.blocks:
                for arg in block.args:
                    retype(arg)
