"""Reductions: the elements of an array combined from left to right."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.lambdas import (
    binder_groups,
    flag,
    parse_binders,
    parse_flags,
    parse_function,
    print_binders,
    print_flags,
    print_function,
    verify_binders,
    yielded,
    yielded_type,
)
from polycl.dialects.pattern.nat import NatAttr, nat
from polycl.dialects.pattern.neutral import is_neutral
from polycl.dialects.pattern.sizes import quotient, verify_integer
from polycl.dialects.pattern.text import parse_value
from polycl.dialects.pattern.types import ArrayType, array


class ReduceBase(IRDLOperation, ABC):
    """`T[n] -> U[m]`, with a function `(U, T) -> U` and a value `U` to start from.

    The function's arguments are the accumulator and the element; tuples may be taken apart. The
    value of an array `x` is `f(... f(f(init, x[0]), x[1]) ..., x[n-1])`, as an array of one.
    """

    input = operand_def(ArrayType)
    init = operand_def()
    result = result_def(ArrayType)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    FLAGS: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        input: SSAValue,
        init: SSAValue,
        body: Region,
        size: NatAttr | int = 1,
        properties: Mapping[str, Attribute | None] | None = None,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            operands=[input, init],
            result_types=[array(nat(size), init.type)],
            regions=[body],
            properties=properties or {},
            attributes=attributes or {},
        )

    @property
    def argument_groups(self) -> list[Sequence[BlockArgument]]:
        """The arguments for the accumulator and for the element."""
        assert isinstance(self.input.type, ArrayType)
        types = [self.init.type, self.input.type.element_type]
        return binder_groups(self.body.block.args, types)

    @property
    def accumulator_args(self) -> Sequence[BlockArgument]:
        """The arguments for the accumulator: one, or one for each part of a tuple."""
        return self.argument_groups[0]

    @property
    def element_args(self) -> Sequence[BlockArgument]:
        """The arguments for the element: one, or one for each part of a tuple."""
        return self.argument_groups[1]

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """The yielded values."""
        return yielded(self.body)

    def verify_(self) -> None:
        assert isinstance(self.input.type, ArrayType) and isinstance(self.result.type, ArrayType)
        verify_binders(self.body.block.args, [self.init.type, self.input.type.element_type])
        if yielded_type(self.body) != self.init.type:
            raise VerifyException(
                f"the function yields {yielded_type(self.body)}, "
                f"expected the type of the initial value, {self.init.type}"
            )
        if self.result.type.element_type != self.init.type:
            raise VerifyException(
                f"expected a result of elements of the initial value's type {self.init.type}, "
                f"got {self.result.type}"
            )

    def _verify_one_result(self) -> None:
        assert isinstance(self.result.type, ArrayType)
        if self.result.type.size != nat(1):
            raise VerifyException(
                f"expected an array of one element as the result, got {self.result.type}"
            )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        printer.print_string(" init ")
        printer.print_ssa_value(self.init)
        print_binders(printer, self.argument_groups)
        print_flags(printer, {name: UnitAttr() for name in self.FLAGS if name in self.properties})
        print_function(printer, self, self.body)

    @classmethod
    def parse(cls, parser: Parser):
        input = parse_value(parser)
        parser.parse_keyword("init")
        init = parse_value(parser)
        arguments = parse_binders(parser)
        properties = parse_flags(parser, cls.FLAGS)
        return parse_function(cls, parser, [input, init], arguments, properties)


class FlaggedReduceBase(ReduceBase, ABC):
    """A reduction by a function `(T, T) -> T`, with flags for rules.

    They state that the function is associative (up to the rounding of floats), commutative, and
    that the initial value is neutral, `f(init, x) = x`. `neutral.py` proves the last one where
    possible.
    """

    assoc = opt_prop_def(UnitAttr)
    comm = opt_prop_def(UnitAttr)
    neutral = opt_prop_def(UnitAttr)

    FLAGS: ClassVar[tuple[str, ...]] = ("assoc", "comm", "neutral")
    OTHER_TYPES: ClassVar[str] = "pattern.reduce_seq takes a function (U, T) -> U"
    """What to do where the initial value has another type than the elements."""

    def __init__(
        self,
        input: SSAValue,
        init: SSAValue,
        body: Region,
        size: NatAttr | int,
        *,
        assoc: bool = False,
        comm: bool = False,
        neutral: bool = False,
        attributes: dict[str, Attribute] | None = None,
    ):
        flags = {"assoc": flag(assoc), "comm": flag(comm), "neutral": flag(neutral)}
        super().__init__(input, init, body, size, flags, attributes)

    def verify_(self) -> None:
        super().verify_()
        assert isinstance(self.input.type, ArrayType)
        if self.init.type != self.input.type.element_type:
            raise VerifyException(
                "expected a function (T, T) -> T: the initial value has type "
                f"{self.init.type}, the elements have type {self.input.type.element_type}; "
                f"{self.OTHER_TYPES}"
            )


@irdl_op_definition
class ReduceOp(FlaggedReduceBase):
    """All elements combined by a function `(T, T) -> T`.

    ```
    %r = pattern.reduce %a init %z as %p : f32, %q : f32 assoc comm {
      %s = arith.addf %p, %q : f32
      pattern.yield %s : f32
    } : !pattern.array<1, f32>
    ```
    """

    name = "pattern.reduce"

    def __init__(
        self,
        input: SSAValue,
        init: SSAValue,
        body: Region,
        *,
        assoc: bool = False,
        comm: bool = False,
        neutral: bool = False,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            input, init, body, 1, assoc=assoc, comm=comm, neutral=neutral, attributes=attributes
        )

    def verify_(self) -> None:
        super().verify_()
        self._verify_one_result()


@irdl_op_definition
class PartRedOp(FlaggedReduceBase):
    """A partial reduction from n elements to m: m divides n, and result i combines the i-th
    chunk of n/m elements, from left to right, starting at the initial value.

    `%p = pattern.part_red %x init %z as %a : f32, %b : f32 assoc comm {...} :
    !pattern.array<M, f32>`
    """

    name = "pattern.part_red"

    def verify_(self) -> None:
        super().verify_()
        if self.assoc is None:
            raise VerifyException(
                "only an associative function can be reduced in parts; "
                "say 'assoc' behind the arguments if it is"
            )
        if not is_neutral(self):
            raise VerifyException(
                "each part starts at the initial value, which must be neutral: f(init, x) = x; "
                "that is not proven here, say 'neutral' behind the arguments if it is"
            )
        what = "the number of parts must divide the number of elements"
        verify_integer(self, self.chunk_size, what)

    @property
    def chunk_size(self) -> NatAttr:
        """The number of elements that each element of the result combines."""
        assert isinstance(self.input.type, ArrayType) and isinstance(self.result.type, ArrayType)
        what = "the number of parts must divide the number of elements"
        return quotient(self.input.type.size, self.result.type.size, what)


@irdl_op_definition
class ReduceSeqOp(ReduceBase):
    """One work-item combines the elements in order, by a function `(U, T) -> U`.

    ```
    %r = pattern.reduce_seq %c init %z as %acc : f32, %e : f32 unroll {
      ...
      pattern.yield %s : f32
    } : !pattern.array<1, f32>
    ```
    """

    name = "pattern.reduce_seq"

    unroll = opt_prop_def(UnitAttr)

    FLAGS: ClassVar[tuple[str, ...]] = ("unroll",)

    def __init__(
        self,
        input: SSAValue,
        init: SSAValue,
        body: Region,
        unroll: bool = False,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(input, init, body, 1, {"unroll": flag(unroll)}, attributes)

    def verify_(self) -> None:
        super().verify_()
        self._verify_one_result()
