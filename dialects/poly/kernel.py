"""A kernel over one work-group, and the subkernels and codelets that it is split into."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import islpy as isl
from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    HasParent,
    NoTerminator,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.poly.access import ClassAttr
from polycl.dialects.poly.isl_context import BudgetExceeded, isl_budget, isl_context
from polycl.dialects.poly.score import ScoreAttr
from polycl.dialects.poly.sets import SetAttr
from polycl.dialects.wg import WorkItemRegion

_VERIFY_OPERATIONS = 2_000_000
"""The budget for one subkernel, a second at most; if it is exceeded, the cover is not verified."""


def names_of(names: ArrayAttr[StringAttr]) -> tuple[str, ...]:
    """The strings of `["L0", "G0"]`."""
    return tuple(name.data for name in names)


def verify_known(needed: Iterable[str], given: Sequence[str], what: str) -> None:
    """Checks that all parameters of `what` are among the given names."""
    missing = [name for name in needed if name not in given]
    if missing:
        raise VerifyException(
            f"the {what} has the parameter '{missing[0]}', but the operands are named "
            f"{', '.join(given) or 'not at all'}"
        )


def verify_named(values: Sequence[SSAValue], names: ArrayAttr[StringAttr]) -> None:
    """Checks that each operand has a unique name."""
    if len(values) != len(names):
        raise VerifyException(f"'params' names {len(names)} operands, but there are {len(values)}")
    if len(set(names)) != len(names):
        raise VerifyException(f"'params' has a name twice: {', '.join(names_of(names))}")


def verify_dimensions(found: SetAttr, names: Sequence[str], free: int | None = None) -> None:
    """Checks that the dimensions have the names of the work-items; that at `free` may have any."""
    got = found.dimensions
    expected = [*names]
    if free is not None and len(got) == len(names):
        expected[free] = got[free]
    if not _is_tuple(found) or list(got) != expected:
        raise VerifyException(
            f"expected a set with the dimensions ({', '.join(expected)}), got {found.data}"
        )


def _is_tuple(found: SetAttr) -> bool:
    """Whether the elements are tuples `R[y, x]`, not parameters only or pairs `[A[x] -> B[y]]`."""
    return not found.isl.is_params() and not found.isl.is_wrapping()


def _verify_parameters_only(found: SetAttr) -> None:
    if not found.isl.is_params():
        raise VerifyException(f"expected a set of parameters, {{ : ... }}, got {found.data}")


@irdl_op_definition
class KernelOp(WorkItemRegion):
    """The code of a work-item, executed for the whole group; the block arguments are local ids.

    ```
    poly.kernel @scale(%L0, %G0, %n) params ["L0", "G0", "n"] work_items ["x"]
        context #poly.set<"[G0, L0] -> { : G0 >= 0 and L0 > 0 }"> {
    ^bb0(%x: index):
      ...
    }
    ```

    The operands are the parameters of all sets inside, with the names in `params`; L0, L1 and L2
    are the sizes of the group. The ids are ordered outermost first: the last one is the id of
    dimension 0. `context` holds for every launch. After splitting, subkernels and a dispatch
    replace the code.
    """

    name = "poly.kernel"

    sym_name = prop_def(SymbolNameConstraint())
    arguments = var_operand_def(IndexType)
    params = prop_def(ArrayAttr[StringAttr])
    work_items = prop_def(ArrayAttr[StringAttr])
    context = prop_def(SetAttr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    assembly_format = (
        "$sym_name `(` $arguments `)` `params` $params `work_items` $work_items "
        "`context` qualified($context) attr-dict-with-keyword $body"
    )

    @property
    def local_ids(self) -> tuple[BlockArgument, ...]:
        return tuple(reversed(self.body.block.args))

    @property
    def known(self) -> isl.Set:
        """The known constraints on the parameters: the context and the assumptions."""
        found = self.context.isl
        for op in self.body.block.ops:
            if isinstance(op, AssumeOp):
                found = found.intersect(op.set.isl)
        return found

    @property
    def subkernels(self) -> list[SubkernelOp]:
        """The subkernels, none before splitting."""
        return [op for op in self.body.block.ops if isinstance(op, SubkernelOp)]

    def verify_(self) -> None:
        verify_named(self.arguments, self.params)
        symbols = [subkernel.sym_name.data for subkernel in self.subkernels]
        if len(set(symbols)) != len(symbols):
            raise VerifyException(f"two subkernels have one name: {', '.join(symbols)}")
        names = names_of(self.work_items)
        arguments = [argument.type for argument in self.body.block.args]
        if arguments != [IndexType()] * len(names):
            raise VerifyException(f"expected {len(names)} block arguments of type index")
        for i, name in enumerate(names):
            if name in names[:i] or name in names_of(self.params):
                raise VerifyException(f"the work-item '{name}' has the name of something else")
        _verify_parameters_only(self.context)
        verify_known(self.context.parameters, names_of(self.params), "context")
        if self.known.is_empty():
            raise VerifyException("the context and the assumptions rule out every launch")


@irdl_op_definition
class AssumeOp(IRDLOperation):
    """What the user knows: `poly.assume #poly.set<"[vs, width] -> { : 2vs < width }">`."""

    name = "poly.assume"

    set = prop_def(SetAttr)

    traits = traits_def(HasParent(KernelOp))

    assembly_format = "qualified($set) attr-dict"

    def verify_(self) -> None:
        _verify_parameters_only(self.set)
        kernel = self.parent_op()
        assert isinstance(kernel, KernelOp)
        verify_known(self.set.parameters, names_of(kernel.params), "assumption")


@irdl_op_definition
class SubkernelOp(IRDLOperation):
    """All work-items of a kernel, vectorized along one dimension: codelets, each its part.

    ```
    poly.subkernel @scale_x along 0 width 8 score #poly.score<"8*[L0]">
        domain #poly.set<"[L0] -> { R[x] : 0 <= x < L0 }"> {
      poly.codelet ...
    }
    ```

    `domain` has the work-items with effects. The codelets are disjoint and cover it. A subkernel of
    width 1 is the scalar one.
    """

    name = "poly.subkernel"

    sym_name = prop_def(SymbolNameConstraint())
    along = prop_def(IntegerAttr[I64])
    width = prop_def(IntegerAttr[I64])
    score = opt_prop_def(ScoreAttr)
    domain = prop_def(SetAttr)
    body = region_def("single_block")

    traits = lazy_traits_def(lambda: (HasParent(KernelOp), NoTerminator(), RecursiveMemoryEffect()))

    assembly_format = (
        "$sym_name `along` $along `width` $width (`score` qualified($score)^)? "
        "`domain` qualified($domain) attr-dict-with-keyword $body"
    )

    @property
    def codelets(self) -> list[CodeletOp]:
        """The codelets, in the order in which they run."""
        return [op for op in self.body.block.ops if isinstance(op, CodeletOp)]

    def verify_(self) -> None:
        kernel = self.parent_op()
        assert isinstance(kernel, KernelOp)
        parameters = names_of(kernel.params)
        verify_dimensions(self.domain, names_of(kernel.work_items))
        verify_known(self.domain.parameters, parameters, "domain")
        verify_known(self.score.parameters if self.score else (), parameters, "score")
        for op in self.body.block.ops:
            if not isinstance(op, CodeletOp):
                raise VerifyException(f"expected only poly.codelet in a subkernel, got '{op.name}'")
            op.verify_in(kernel, self)
        try:
            with isl_budget(_VERIFY_OPERATIONS):
                self._verify_cover(kernel.known)
        except BudgetExceeded:
            pass

    def _verify_cover(self, known: isl.Set) -> None:
        left = _unnamed(self.domain.isl).intersect_params(known)
        for i, codelet in enumerate(self.codelets):
            items = codelet.covered.intersect_params(known)
            outside = items.subtract(left)
            if not outside.is_empty():
                raise VerifyException(
                    f"codelet {i} has a work-item that another codelet has, or that is not in the "
                    f"domain: {outside.sample_point()}"
                )
            left = left.subtract(items)
        if not left.is_empty():
            raise VerifyException(f"a work-item is in no codelet: {left.sample_point()}")


@irdl_op_definition
class CodeletOp(WorkItemRegion):
    """The code for a subset of the work-items, with a class that holds for this subset.

    ```
    poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform>
        domain #poly.set<"[L0] -> { interior[t] : t >= 0 and 8t <= -8 + L0 }"> {
    ^bb0(%x: index):
      ...
    }
    ```

    With more than one lane, the domain is a set of tiles: dimension `along` counts tiles, and tile
    t has the work-items `lanes*t` to `lanes*t + lanes - 1`. The body is the program of one of them,
    and the block arguments are its ids. After `poly-materialize`, a codelet is inside loops: the
    operands of `poly.codelet(%x0)` are the ids of the first lane, and the body runs for each lane.
    """

    name = "poly.codelet"

    at = var_operand_def(IndexType)
    lanes = prop_def(IntegerAttr[I64])
    along = prop_def(IntegerAttr[I64])
    class_ = prop_def(ClassAttr, prop_name="class")
    domain = prop_def(SetAttr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    assembly_format = (
        "(`(` $at^ `)`)? `lanes` $lanes `along` $along `class` qualified($class) "
        "`domain` qualified($domain) attr-dict-with-keyword $body"
    )

    @property
    def local_ids(self) -> tuple[BlockArgument, ...]:
        return tuple(reversed(self.body.block.args))

    @property
    def position(self) -> int:
        """The position of dimension `along` among the ids, which are ordered outermost first."""
        return len(self.body.block.args) - 1 - self.along.value.data

    @property
    def covered(self) -> isl.Set:
        """The work-items of the codelet, as a set without a tuple name."""
        lanes = self.lanes.value.data
        tiles = _unnamed(self.domain.isl)
        ids = [f"i{i}" for i in range(len(self.body.block.args))]
        items = [*ids]
        items[self.position] = "x"
        first = f"{lanes}{ids[self.position]}"
        text = f"{{ [{', '.join(ids)}] -> [{', '.join(items)}] : 0 <= x - {first} < {lanes} }}"
        return tiles.apply(isl.Map.read_from_str(isl_context(), text))

    def verify_(self) -> None:
        arguments = self.body.block.args
        if [argument.type for argument in arguments] != [IndexType()] * len(arguments):
            raise VerifyException("expected block arguments of type index")
        if self.lanes.value.data < 1:
            raise VerifyException("expected at least one lane")
        if not 0 <= self.along.value.data < len(arguments):
            raise VerifyException(
                f"dimension {self.along.value.data} is not one of {len(arguments)} dimensions"
            )
        if not _is_tuple(self.domain) or len(self.domain.dimensions) != len(arguments):
            raise VerifyException(
                f"expected a domain with {len(arguments)} dimensions, as there are block "
                f"arguments, got {self.domain.data}"
            )
        expected = 0 if isinstance(self.parent_op(), SubkernelOp) else len(arguments)
        if len(self.at) != expected:
            raise VerifyException(f"expected {expected} ids as operands, got {len(self.at)}")

    def verify_in(self, kernel: KernelOp, subkernel: SubkernelOp) -> None:
        """Checks that depend on the operations around this one."""
        self.verify_()
        lanes, width = self.lanes.value.data, subkernel.width.value.data
        if lanes not in (1, width) or self.along != subkernel.along:
            raise VerifyException(
                f"expected codelets with {width} lanes or 1 along dimension "
                f"{subkernel.along.value.data}, got {lanes} along {self.along.value.data}"
            )
        names = names_of(kernel.work_items)
        if len(self.body.block.args) != len(names):
            raise VerifyException(f"expected {len(names)} block arguments in a codelet")
        verify_dimensions(self.domain, names, self.position if lanes > 1 else None)
        if lanes > 1 and self.domain.dimensions[self.position] == names[self.position]:
            raise VerifyException(
                f"the dimension '{names[self.position]}' of a codelet with lanes counts tiles; "
                "give it another name than the work-item's"
            )
        verify_known(self.domain.parameters, names_of(kernel.params), "domain of a codelet")


@irdl_op_definition
class DispatchOp(IRDLOperation):
    """Run the subkernel with the best score: `poly.dispatch [@conv_x, @conv_y, @conv_scalar]`.

    A subkernel whose dimension is shorter than its width has the score 0; the scalar subkernel has
    the score 1. Of several with the same score, the first one runs.
    """

    name = "poly.dispatch"

    subkernels = prop_def(ArrayAttr[SymbolRefAttr])

    traits = traits_def(HasParent(KernelOp))

    assembly_format = "$subkernels attr-dict"

    def verify_(self) -> None:
        kernel = self.parent_op()
        assert isinstance(kernel, KernelOp)
        named: set[Attribute] = set()
        for symbol in self.subkernels:
            if symbol in named:
                raise VerifyException(f"{symbol} is named twice")
            named.add(symbol)
            if symbol.string_value() not in {s.sym_name.data for s in kernel.subkernels}:
                raise VerifyException(f"there is no subkernel {symbol} in this kernel")


def _unnamed(found: isl.Set) -> isl.Set:
    return found.reset_tuple_id()
