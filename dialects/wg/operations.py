"""Operations of the `wg` dialect: one whole work-group."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import takewhile

from xdsl.dialects.builtin import I64, DenseArrayBase, IndexType, IntegerAttr, i1, i64
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParamAttrConstraint,
    VarConstraint,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    MemoryAllocEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    RecursiveMemoryEffect,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl.attributes import AddressSpace, PtrType
from polycl.dialects.ocl.kernel import THREE_SIZES, KernelLike, verify_sizes
from polycl.dialects.ocl.memory import verify_value_type
from polycl.dialects.parents import parents
from polycl.dialects.wg.attributes import ContextType

_T: VarConstraint = VarConstraint("T", AnyAttr())
_CONTEXT_OF_T = ParamAttrConstraint(ContextType, (_T,))

# Operations of the work-item level have no meaning outside of a work-item.
_WORK_ITEM_OPS = (
    *("ocl.global_id", "ocl.local_id", "ocl.barrier", "ocl.sub_group"),
    *("ocl.group_reduce", "ocl.group_scan", "ocl.group_shuffle"),
)


@irdl_op_definition
class FuncOp(KernelLike):
    """Code that runs once for a work-group; its parameters are those of the kernel.

    ```
    wg.func @scale(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %a: f32 {ocl.name = "a"}) {
      %lx = ocl.local_size 0 : index
      %one = arith.constant 1 : index
      wg.parallel (%i, %j, %k) in (%lx, %one, %one) {
        %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
        %w = arith.mulf %v, %a : f32
        ocl.store %w, %x[%i] : !ocl.ptr<f32, global>
      }
      wg.return
    }
    ```

    Barriers are not operations here: a barrier is the boundary between two `wg.parallel`s.
    """

    name = "wg.func"

    local_size = opt_prop_def(THREE_SIZES)
    group_order = opt_prop_def(THREE_SIZES)
    """The dimensions of the groups, the fastest first; without it: x, y, z."""

    traits = lazy_traits_def(lambda: (IsolatedFromAbove(), SymbolOpInterface()))

    def set_local_size(self, size: Sequence[int]) -> None:
        """Fix the local size that this function is specialised for."""
        self.local_size = DenseArrayBase.from_list(i64, list(size))

    def verify_(self) -> None:
        super().verify_()
        verify_sizes("local_size", self.local_size)
        if self.group_order is not None and sorted(self.group_order.get_values()) != [0, 1, 2]:
            raise VerifyException("'group_order' names each of the dimensions 0, 1 and 2 once")
        for op in self.body.walk():
            if op.name in _WORK_ITEM_OPS:
                raise VerifyException(
                    f"'{op.name}' belongs to one work-item and has no meaning in a wg.func; "
                    "inside wg.parallel the block arguments are the local ids"
                )


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """The end of a work-group's code: `wg.return`."""

    name = "wg.return"

    traits = traits_def(IsTerminator(), HasParent(FuncOp))

    assembly_format = "attr-dict"


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The uniform results of a parallel region: `wg.yield %u : f32`."""

    name = "wg.yield"

    values = var_operand_def()

    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(ParallelOp)))

    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, values: Sequence[SSAValue] = ()):
        super().__init__(operands=[values])


class WorkItemRegion(IRDLOperation, ABC):
    """An operation whose body is the program of one work-item; all or some of them execute it."""

    @property
    @abstractmethod
    def local_ids(self) -> tuple[BlockArgument, ...]:
        """The arguments of the body that are local ids, dimension 0 first."""


@irdl_op_definition
class ParallelOp(WorkItemRegion):
    """A parallel region: its body runs once for each work-item of the group, in any order.

    ```
    %u = wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
      ...
      wg.yield %v : f32
    } : f32
    ```

    The block arguments are the local ids. The work-items are independent of each other. Results
    are uniform: every work-item yields the same value.

    With `step (16, 1, 1)` the body runs once for each tile of 16 work-items along x: the block
    arguments are the ids of the first one. The sizes are multiples of the steps.
    """

    name = "wg.parallel"

    sizes = var_operand_def(IndexType)
    step = opt_prop_def(THREE_SIZES)
    res = var_result_def()
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        sizes: Sequence[SSAValue],
        body: Region | None = None,
        results: Sequence[Attribute] = (),
        step: Sequence[int] = (1, 1, 1),
    ):
        if body is None:
            body = Region(Block(arg_types=[IndexType()] * 3))
        super().__init__(operands=[sizes], result_types=[results], regions=[body])
        self.set_steps(step)

    @property
    def steps(self) -> tuple[int, int, int]:
        """The number of work-items of one execution of the body along each dimension."""
        if self.step is None:
            return 1, 1, 1
        x, y, z = self.step.get_values()
        return int(x), int(y), int(z)

    def set_steps(self, steps: Sequence[int]) -> None:
        if tuple(steps) == (1, 1, 1):
            self.properties.pop("step", None)
        else:
            self.step = DenseArrayBase.from_list(i64, list(steps))

    @property
    def local_ids(self) -> tuple[BlockArgument, ...]:
        return tuple(self.body.block.args)

    @property
    def yielded(self) -> YieldOp:
        terminator = self.body.block.last_op
        assert isinstance(terminator, YieldOp)
        return terminator

    def verify_(self) -> None:
        if len(self.sizes) != 3:
            raise VerifyException(f"expected 3 local sizes, got {len(self.sizes)}")
        if [arg.type for arg in self.local_ids] != [IndexType()] * 3:
            raise VerifyException("expected 3 local ids of type index as block arguments")
        verify_sizes("step", self.step)
        for parent in takewhile(lambda parent: not isinstance(parent, FuncOp), parents(self)):
            if isinstance(parent, ParallelOp):
                raise VerifyException("a parallel region cannot be inside another one")
            if parent.parent is None:
                raise VerifyException("a parallel region must be in a wg.func")
        terminator = self.body.block.last_op
        if not isinstance(terminator, YieldOp):
            raise VerifyException("expected wg.yield at the end of the body")
        yielded = [value.type for value in terminator.values]
        results = [result.type for result in self.res]
        if yielded != results:
            raise VerifyException(
                f"yields {', '.join(map(str, yielded)) or 'nothing'}, but has results "
                f"{', '.join(map(str, results)) or 'none'}"
            )

    def print(self, printer: Printer) -> None:
        printer.print_string(" (")
        printer.print_list(
            self.local_ids, lambda arg: printer.print_block_argument(arg, print_type=False)
        )
        printer.print_string(") in (")
        printer.print_list(self.sizes, printer.print_ssa_value)
        printer.print_string(") ")
        if self.step is not None:
            printer.print_string(f"step ({', '.join(map(str, self.steps))}) ")
        printer.print_region(
            self.body, print_entry_block_args=False, print_block_terminators=bool(self.res)
        )
        if self.res:
            printer.print_string(" : ")
            printer.print_list([result.type for result in self.res], printer.print_attribute)
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> ParallelOp:
        arguments = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        parser.parse_keyword("in")
        sizes = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        steps: Sequence[int] = (1, 1, 1)
        if parser.parse_optional_keyword("step"):
            steps = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
        body = parser.parse_region([argument.resolve(IndexType()) for argument in arguments])
        if not isinstance(body.block.last_op, YieldOp):
            body.block.add_op(YieldOp())
        results: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation(":"):
            results = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(
            parser.resolve_operands(sizes, [IndexType()] * len(sizes), parser.pos),
            body,
            results,
            steps,
        )
        op.attributes = dict(attributes.data) if attributes is not None else {}
        return op


@irdl_op_definition
class ContextOp(IRDLOperation):
    """A context array of the group: `%c = wg.context : !wg.context<f32>`.

    It keeps the values of each work-item that are live across parallel regions.
    """

    name = "wg.context"

    result = result_def(ContextType)

    traits = traits_def(MemoryAllocEffect())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, element: Attribute):
        super().__init__(result_types=[ContextType(element)])

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is not None and not isinstance(parent, FuncOp):
            raise VerifyException(
                f"a context array must be at the top level of a wg.func, not inside '{parent.name}'"
            )


@irdl_op_definition
class PutOp(IRDLOperation):
    """Write a work-item's slot: `wg.put %v, %c[%x, %y, %z] : !wg.context<f32>`."""

    name = "wg.put"

    value = operand_def(_T)
    context = operand_def(_CONTEXT_OF_T)
    ids = var_operand_def(IndexType)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "$value `,` $context `[` $ids `]` attr-dict `:` type($context)"

    def __init__(self, value: SSAValue, context: SSAValue, ids: Sequence[SSAValue]):
        super().__init__(operands=[value, context, ids])

    def verify_(self) -> None:
        verify_value_type(self.value.type)
        _verify_ids(self.ids)


@irdl_op_definition
class GetOp(IRDLOperation):
    """Read a work-item's slot: `%v = wg.get %c[%x, %y, %z] : !wg.context<f32>`."""

    name = "wg.get"

    context = operand_def(_CONTEXT_OF_T)
    ids = var_operand_def(IndexType)
    result = result_def(_T)

    traits = traits_def(MemoryReadEffect())

    assembly_format = "$context `[` $ids `]` attr-dict `:` type($context)"

    def __init__(self, context: SSAValue, ids: Sequence[SSAValue]):
        assert isinstance(context.type, ContextType)
        super().__init__(operands=[context, ids], result_types=[context.type.element])

    def verify_(self) -> None:
        verify_value_type(self.result.type)
        _verify_ids(self.ids)


@irdl_op_definition
class SlotOp(IRDLOperation):
    """The address of a work-item's slot, for private arrays and address-taken variables.

    `%p = wg.slot %c[%x, %y, %z] : !wg.context<!ocl.array<8 x f32>>` has type
    `!ocl.ptr<!ocl.array<8 x f32>, private>`.
    """

    name = "wg.slot"

    context = operand_def(ContextType)
    ids = var_operand_def(IndexType)
    result = result_def(PtrType)

    # Not pure: the address must not be shared between work-items.
    traits = traits_def(MemoryReadEffect())

    assembly_format = "$context `[` $ids `]` attr-dict `:` type($context) `->` type($result)"

    def __init__(self, context: SSAValue, ids: Sequence[SSAValue]):
        assert isinstance(context.type, ContextType)
        super().__init__(
            operands=[context, ids],
            result_types=[PtrType(context.type.element, AddressSpace.PRIVATE)],
        )

    def verify_(self) -> None:
        _verify_ids(self.ids)
        assert isinstance(self.context.type, ContextType)
        expected = PtrType(self.context.type.element, AddressSpace.PRIVATE)
        if self.result.type != expected:
            raise VerifyException(f"expected result type {expected}, got {self.result.type}")


@irdl_op_definition
class AnyOp(IRDLOperation):
    """Whether any work-item's slot is true: `%b = wg.any %c : !wg.context<i1>`."""

    name = "wg.any"

    context = operand_def(ContextType)
    result = result_def(i1)

    traits = traits_def(MemoryReadEffect())

    assembly_format = "$context attr-dict `:` type($context)"

    def __init__(self, context: SSAValue):
        super().__init__(operands=[context], result_types=[i1])

    def verify_(self) -> None:
        if self.context.type != ContextType(i1):
            raise VerifyException(f"expected a context array of i1, got {self.context.type}")


@irdl_op_definition
class ChooseOp(IRDLOperation):
    """Which of two forms of a region runs, both with the same results: `%first = wg.choose 0`.

    The program measures each of them while it runs, up to the next `wg.chosen`. The number is that
    of the choice in its kernel.
    """

    name = "wg.choose"

    number = prop_def(IntegerAttr[I64])
    first = result_def(i1)

    traits = traits_def(MemoryWriteEffect())

    def __init__(self, number: int):
        super().__init__(result_types=[i1], properties={"number": IntegerAttr(number, i64)})

    @classmethod
    def parse(cls, parser: Parser) -> ChooseOp:
        number = parser.parse_integer(allow_boolean=False, allow_negative=False)
        op = cls(number)
        op.attributes = parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.number.value.data}")
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class ChosenOp(IRDLOperation):
    """The end of the form that a `wg.choose` chose: `wg.chosen %first`."""

    name = "wg.chosen"

    first = operand_def(i1)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "$first attr-dict"

    def __init__(self, first: SSAValue):
        super().__init__(operands=[first])

    def verify_(self) -> None:
        if not isinstance(self.first.owner, ChooseOp):
            raise VerifyException("expected the result of a 'wg.choose'")


def _verify_ids(ids: Sequence[SSAValue]) -> None:
    if len(ids) != 3:
        raise VerifyException(f"a slot is named by 3 local ids, got {len(ids)}")
