"""A function of arrays, applied several times."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.ir import Attribute, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.lambdas import (
    parse_binders,
    parse_function,
    print_binders,
    print_function,
    yielded,
    yielded_type,
)
from polycl.dialects.pattern.nat import NatAttr, nat, read_nat
from polycl.dialects.pattern.sizes import quotient, verify_integer
from polycl.dialects.pattern.text import parse_value
from polycl.dialects.pattern.types import ArrayType, nats_in


@irdl_op_definition
class IterateOp(IRDLOperation):
    """A function of arrays, applied n times: `iterate^n(f)`.

    A function that makes its array k times smaller has a size variable of its own, here S: it
    maps k*S elements to S, for the S of each iteration, and k^n*l elements become l.

    ```
    %r = pattern.iterate 7 %x size S as %v : !pattern.array<2*S, f32> {
      %c = pattern.split %v by 2 : !pattern.array<S, 2, f32>
      ...
      pattern.yield %j : !pattern.array<S, f32>
    } : !pattern.array<1, f32>
    ```

    Without a size variable the function maps arrays of the input's type to the same type. Then n
    may be a symbolic size, and the function may take the number of the iteration, from 0:

    `pattern.iterate 2*N %x as %v : !pattern.array<N, f32>, %i : index {...}`
    """

    name = "pattern.iterate"

    input = operand_def(ArrayType)
    n = prop_def(NatAttr)
    symbol = opt_prop_def(StringAttr)
    result = result_def(ArrayType)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        input: SSAValue,
        n: int | str | NatAttr,
        body: Region,
        symbol: str | StringAttr | None = None,
        attributes: dict[str, Attribute] | None = None,
    ):
        count, name = nat(n), StringAttr(symbol) if isinstance(symbol, str) else symbol
        result_type: Attribute = input.type
        if name is not None:
            assert isinstance(input.type, ArrayType)
            size = _final_size(input.type.size, _factor(body, name.data), count.value)
            result_type = ArrayType(size, input.type.element_type)
        super().__init__(
            operands=[input],
            result_types=[result_type],
            regions=[body],
            properties={"n": count, "symbol": name},
            attributes=attributes or {},
        )

    @property
    def count(self) -> int:
        """The number of iterations. Raises ValueError where it has variables."""
        return self.n.value

    @property
    def arg(self) -> BlockArgument:
        """The function's argument."""
        return self.body.block.args[0]

    @property
    def number(self) -> BlockArgument | None:
        """The function's argument for the number of the iteration."""
        args = self.body.block.args
        return args[1] if len(args) > 1 else None

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """The yielded array."""
        return yielded(self.body)

    @property
    def factor(self) -> NatAttr:
        """k: the quotient of the sizes of the function's argument and its result."""
        return nat(1) if self.symbol is None else _factor(self.body, self.symbol.data)

    def verify_(self) -> None:
        input, result = self.input.type, self.result.type
        assert isinstance(input, ArrayType) and isinstance(result, ArrayType)
        if self.n.is_constant and self.n.denominator == 1 and self.count < 0:
            raise VerifyException(f"expected a number of iterations, got {self.count}")
        verify_integer(self, self.n, "the number of iterations")
        args = self.body.block.args
        types = [arg.type for arg in args[1:]]
        if not args or types not in ([], [IndexType()]):
            raise VerifyException(
                "expected a function of one array, or of one and the number of the iteration, an "
                f"index; got {len(args)} arguments"
            )
        if self.symbol is not None and (types or not self.n.is_constant):
            raise VerifyException(
                "a function that makes its array smaller is applied a known number of times, and "
                "takes the array only"
            )
        if self.symbol is None:
            types = (args[0].type, yielded_type(self.body), result)
            if types != (input,) * 3:
                raise VerifyException(
                    f"without a size variable the function maps {input} to itself and that is "
                    f"the result's type; got a function from {types[0]} to {types[1]} "
                    f"and the result type {result}"
                )
            return
        symbol = self.symbol.data
        if any(symbol in size.variables for size in nats_in(input)):
            raise VerifyException(f"the size variable {symbol} must be new, but {input} has it")
        factor = _factor(self.body, symbol)
        argument = args[0].type
        assert isinstance(argument, ArrayType)
        if argument.element_type != input.element_type:
            raise VerifyException(
                f"expected a function of arrays of {input.element_type}, got {argument}"
            )
        expected = ArrayType(_final_size(input.size, factor, self.count), input.element_type)
        if result != expected:
            raise VerifyException(
                f"{self.count} times from {factor}*{symbol} to {symbol} elements: "
                f"expected the result type {expected}, got {result}"
            )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.n} ")
        printer.print_ssa_value(self.input)
        if self.symbol is not None:
            printer.print_string(f" size {self.symbol.data}")
        print_binders(printer, [[arg] for arg in self.body.block.args])
        print_function(printer, self, self.body)

    @classmethod
    def parse(cls, parser: Parser):
        count = read_nat(parser)
        input = parse_value(parser)
        properties: dict[str, Attribute] = {"n": count}
        if parser.parse_optional_keyword("size"):
            properties["symbol"] = StringAttr(parser.parse_identifier())
        return parse_function(cls, parser, [input], parse_binders(parser), properties)


def _factor(body: Region, symbol: str) -> NatAttr:
    """k of a function from k*S elements to S."""
    argument, result = body.block.args[0].type, yielded_type(body)
    if isinstance(argument, ArrayType) and isinstance(result, ArrayType):
        factor = argument.size.exact_div(symbol)
        if (
            result == ArrayType(nat(symbol), argument.element_type)
            and factor is not None
            and symbol not in factor.variables
        ):
            return factor
    raise VerifyException(
        f"expected a function from k*{symbol} elements to {symbol} of the same type, "
        f"got one from {argument} to {result}"
    )


def _final_size(size: NatAttr, factor: NatAttr, count: int) -> NatAttr:
    for _ in range(count):
        size = quotient(size, factor, f"the array's size is no multiple of {factor}^{count}")
    return size
