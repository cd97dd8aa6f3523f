"""Pattern programs in the notation of [lift15]: `reduce(+,0) o map(abs)`.

`f o g` applies g first. A function that is one known operation is its symbol or its name, `mult(a)`
with one operand fixed; the attribute `pattern.name` of an operation names its function. A size
follows the pattern, as in `split-64`, and so does a dimension of a parallel map other than 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from polycl.dialects.pattern.access import AtOp, GenerateOp, GetOp, TupleOp
from polycl.dialects.pattern.iterate import IterateOp
from polycl.dialects.pattern.lambdas import yielded
from polycl.dialects.pattern.maps import MapBase, MapSeqOp, ParallelMapBase
from polycl.dialects.pattern.memory import ToLocalOp, ToMemoryBase
from polycl.dialects.pattern.mma import MmaOp
from polycl.dialects.pattern.nat import NatAttr
from polycl.dialects.pattern.pad import PadOp
from polycl.dialects.pattern.paper_layout import layout
from polycl.dialects.pattern.paper_scalars import (
    COMMUTATIVE,
    function_name,
    is_comparison,
    literal,
    scalar_text,
    symbol,
)
from polycl.dialects.pattern.permutations import FilterOp, SortOp
from polycl.dialects.pattern.reductions import ReduceBase, ReduceSeqOp
from polycl.dialects.pattern.scan import ScanOp
from polycl.dialects.pattern.scatter import ScatterOp
from polycl.dialects.pattern.types import ArrayType
from polycl.dialects.pattern.vectors import AsScalarOp, AsVectorOp, VectOp
from polycl.dialects.pattern.views import (
    DropOp,
    GatherOp,
    ReorderStrideOp,
    SlideOp,
    SplitOp,
    TakeOp,
    UnzipOp,
    ZipOp,
)

NAME = "pattern.name"
"""Key of the attribute that names the function of a pattern."""

LONGEST = 12
"""An expression with more scalar operations is printed as `...`, as is control flow."""


def paper(function: FuncOp, width: int = 100) -> str:
    """A function in lines of at most `width` characters: `def asum(x) = ...`."""
    printer = _Printer()
    args = ", ".join(printer.name(arg) for arg in function.body.block.args)
    lets = [
        f"  {printer.text_and_name(value)}"
        for op in function.body.block.ops
        for value in op.results
        if isinstance(value.type, ArrayType) and len(list(value.uses)) > 1
    ]
    head = f"def {function.sym_name.data}({args}) ="
    body = printer.returned(function)
    if not lets:
        return layout(f"{head} {body}", width)
    return "\n".join([head, *(layout(line, width) for line in [*lets, f"  {body}"])])


def paper_expression(function: FuncOp) -> str:
    """The expression of a function in one line, without the name of its only array."""
    printer = _Printer()
    arrays = [arg for arg in function.body.block.args if isinstance(arg.type, ArrayType)]
    for arg in function.body.block.args:
        printer.name(arg)
    values = _returned(function)
    if len(arrays) == len(values) == 1:
        functions, leaf = printer.chain(values[0])
        if functions and leaf == printer.name(arrays[0]):
            return " o ".join(functions)
    return printer.returned(function)


def label(op: Operation, outside: Mapping[SSAValue, str], *, head_only: bool = False) -> str:
    """The function that an operation applies, `map(abs)`; `outside` are the names of values that
    are not part of it. With `head_only` without its own function: `map`.
    """
    if head_only or not op.results or isinstance(op, ZipOp | GatherOp | MmaOp | TupleOp):
        return _head(op) if op.name.startswith("pattern.") else function_name(op)
    printer = _Printer()
    for value, name in outside.items():
        printer.set_name(value, name)
    functions, leaf = printer.chain(op.results[0])
    return functions[0] if functions else leaf


def _returned(function: FuncOp) -> Sequence[SSAValue]:
    terminator = function.body.block.last_op
    return terminator.operands if terminator is not None else ()


class _TooLong(Exception):
    """An expression has too many scalar operations for a line."""


class _Printer:
    """Prints the values of one function."""

    def __init__(self):
        self._names: dict[SSAValue, str] = {}
        self._budget = LONGEST

    def name(self, value: SSAValue) -> str:
        """The name of an argument or of a value that is used twice."""
        if value not in self._names:
            wanted = value.name_hint or "abcdefghijklmnopqrstuvwxyz"[len(self._names) % 26]
            taken, new, count = set(self._names.values()), wanted, 0
            while new in taken:
                count += 1
                new = f"{wanted}{count}"
            self._names[value] = new
        return self._names[value]

    def set_name(self, value: SSAValue, name: str) -> None:
        """Call `value` by this name."""
        self._names[value] = name

    def text_and_name(self, value: SSAValue) -> str:
        """The line that defines `value` and gives it a name."""
        text = self._text_or_dots(value)
        return f"{self.name(value)} = {text}"

    def returned(self, function: FuncOp) -> str:
        """The expression of a function's results."""
        return _tuple([self._text_or_dots(value) for value in _returned(function)])

    def _text_or_dots(self, value: SSAValue) -> str:
        self._budget = LONGEST
        try:
            return self.text(value)
        except _TooLong:
            return "..."

    def text(self, value: SSAValue, level: int = 0) -> str:
        """A value as an expression, in parentheses where it binds weaker than `level`."""
        if value in self._names:
            return self._names[value]
        constant = literal(value)
        if constant is not None:
            return constant
        op = value.owner
        if isinstance(op, Operation) and not op.name.startswith("pattern."):
            if op.regions:
                return "..."
            self._budget -= 1
            if self._budget < 0:
                raise _TooLong
            return scalar_text(op, self.text, level)
        functions, leaf = self.chain(value)
        if not functions:
            return leaf
        text = " o ".join(functions)
        return f"{text} o {leaf}" if leaf.endswith(")") else f"{text}({leaf})"

    def chain(self, value: SSAValue) -> tuple[list[str], str]:
        """The functions whose composition makes `value`, the last one first, and their
        argument."""
        op = value.owner
        if value in self._names or isinstance(op, Block) or literal(value) is not None:
            return [], self.text(value)
        match op:
            case ToMemoryBase():
                functions, leaf = self.chain(op.input)
                inner = functions[0] if functions else "id"
                return [f"{camel(op)}{_marks(op)}({inner})", *functions[1:]], leaf
            case MapBase():
                return self._after(f"{_head(op)}({self._function(op, op.body)})", op.input)
            case ReduceBase():
                function, init = self._function(op, op.body), self.text(op.init)
                return self._after(f"{_head(op)}({function},{init})", op.input)
            case ScatterOp():
                function = self._function(op, op.body)
                args = ", ".join(self.text(operand) for operand in op.operands)
                return [], f"scatter({function})({args})"
            case IterateOp():
                function = self._function(op, op.body)
                return self._after(f"iterate-{_size(op.n)}({function})", op.input)
            case SplitOp():
                return self._after(f"split-{_size(op.size)}", op.input)
            case TakeOp():
                return self._after(f"take-{_size(op.size)}", op.input)
            case DropOp():
                return self._after(f"drop-{_size(op.size)}", op.input)
            case ReorderStrideOp():
                return self._after(f"reorder-stride-{_size(op.stride)}", op.input)
            case SlideOp():
                return self._after(f"slide-{_size(op.size)}-{_size(op.step)}", op.input)
            case PadOp():
                how = f"({self.text(op.value)})" if op.value is not None else f"-{op.mode.data}"
                return self._after(f"pad-{_size(op.left)}-{_size(op.right)}{how}", op.input)
            case AsVectorOp():
                return self._after(f"asVector-{op.width}", op.input)
            case AsScalarOp():
                return self._after("asScalar", op.input)
            case FilterOp():
                assert isinstance(value, OpResult)
                return (
                    [],
                    f"filter({self._function(op, op.body)})({self.text(op.input)}).{value.index}",
                )
            case SortOp():
                return self._after(f"sort({self._function(op, op.body)})", op.input)
            case ZipOp() | GatherOp() | MmaOp():
                args = ", ".join(self.text(operand) for operand in op.operands)
                return [], f"{_head(op)}({args})"
            case TupleOp():
                return [], _tuple([self.text(operand) for operand in op.inputs])
            case GetOp():
                return [], f"{self.text(op.input, 9)}.{op.part}"
            case UnzipOp():
                assert isinstance(value, OpResult)
                return [], f"unzip({self.text(op.input)}).{value.index}"
            case AtOp() if (size := _size_of(op)) is not None:
                return [], str(size)
            case AtOp():
                return [], f"{self.text(op.input, 9)}[{self.text(op.index)}]"
            case GenerateOp():
                return [], f"generate({self._function(op, op.body)})"
            case VectOp():
                assert isinstance(value, OpResult)
                part = f".{value.index}" if len(op.results) > 1 else ""
                args = ", ".join(self.text(operand) for operand in op.inputs)
                function = f"vectorize-{op.width}({self._function(op, op.body)})"
                if len(op.inputs) == 1 and not part:
                    return self._after(function, op.inputs[0])
                return [], f"{function}({args}){part}"
            case _ if op.name.startswith("pattern.") and len(op.operands) == 1:
                return self._after(_head(op), op.operands[0])
            case _ if len(op.operands) == 1 and not op.regions:
                return self._after(function_name(op), op.operands[0])
            case _ if (fixed := self._fixed_operand(op)) is not None:
                text = self.text(op.operands[fixed])
                return self._after(f"{function_name(op)}({text})", op.operands[1 - fixed])
            case _:
                return [], self.text(value)

    def _after(self, function: str, input: SSAValue) -> tuple[list[str], str]:
        functions, leaf = self.chain(input)
        return [function, *functions], leaf

    def _fixed_operand(self, op: Operation) -> int | None:
        """The operand from outside of the lambda, of an operation without an order."""
        if len(op.operands) != 2 or symbol(op) not in COMMUTATIVE:
            return None
        inside = [_block_of(operand) is op.parent for operand in op.operands]
        inside = [
            own and literal(operand) is None
            for own, operand in zip(inside, op.operands, strict=True)
        ]
        return inside.index(False) if sorted(inside) == [False, True] else None

    def _function(self, op: Operation, body: Region) -> str:
        """The function of a pattern."""
        name = op.attributes.get(NAME)
        if isinstance(name, StringAttr):
            return name.data
        known, budget = dict(self._names), self._budget
        self._budget = LONGEST
        try:
            return self._lambda(op, body)
        except _TooLong:
            return f"{self._head_of_lambda(op, body)}..."
        finally:
            self._names, self._budget = known, budget

    def _lambda(self, op: Operation, body: Region) -> str:
        args, values = body.block.args, yielded(body)
        if len(values) == 1 and len(args) > 1:
            short = self._short(args, values[0])
            if short is not None:
                return short
        head = self._head_of_lambda(op, body)
        if len(values) == 1 and len(args) == 1:
            functions, leaf = self.chain(values[0])
            text, own = " o ".join(functions), self._names[args[0]]
            if leaf == own and not re.search(rf"(?<![\w.]){re.escape(own)}(?![\w(])", text):
                return text or "id"
        self._budget = LONGEST
        return head + _tuple([self.text(value) for value in values])

    def _short(self, args: Sequence[BlockArgument], value: SSAValue) -> str | None:
        """The name of a function of several arguments that is one operation of them."""
        op = value.owner
        if isinstance(op, VectOp) and tuple(op.inputs) == tuple(args) and len(op.results) == 1:
            return f"vectorize-{op.width}({self._function(op, op.body)})"
        if not isinstance(op, Operation) or len(args) != 2 or len(op.operands) != 2:
            return None
        if op.name.startswith("pattern.") or op.regions or is_comparison(op):
            return None
        sign = symbol(op)
        in_order = tuple(op.operands) == tuple(args)
        reversed_order = tuple(op.operands) == tuple(reversed(args))
        return sign if in_order or (reversed_order and sign in COMMUTATIVE) else None

    def _head_of_lambda(self, op: Operation, body: Region) -> str:
        if isinstance(op, ReduceBase | ScatterOp | SortOp):
            groups: list[Sequence[BlockArgument]] = op.argument_groups
        else:
            groups = [[arg] for arg in body.block.args]
        names = [
            self.name(group[0])
            if len(group) == 1
            else f"({','.join(self.name(arg) for arg in group)})"
            for group in groups
        ]
        return f"λ {','.join(names)}: "


def _size_of(op: AtOp) -> NatAttr | None:
    """The size n where `op` is n: the first of the indices 0, 1, ... after as many."""
    rest = op.input.owner
    if not isinstance(rest, DropOp):
        return None
    indices = rest.input.owner
    is_size = (
        isinstance(indices, GenerateOp)
        and indices.yielded == tuple(indices.body.block.args)
        and literal(op.index) == "0"
    )
    return rest.size if is_size else None


def _block_of(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent


def _tuple(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{{{', '.join(texts)}}}"


def _size(size: NatAttr) -> str:
    text = str(size)
    return text if text.isalnum() else f"({text})"


def camel(op: Operation | type[Operation]) -> str:
    """`toLocal` for `pattern.to_local`."""
    first, *rest = op.name.removeprefix("pattern.").split("_")
    return first + "".join(word.capitalize() for word in rest)


def _marks(op: ToMemoryBase) -> str:
    """`-pad-4-ahead-2` of a `pattern.to_local` with both."""
    if not isinstance(op, ToLocalOp):
        return ""
    given = (("pad", op.padding), ("ahead", op.elements_ahead))
    marks = "".join(f"-{name}-{value}" for name, value in given if value)
    return marks + ("-swizzled" if op.swizzled is not None else "")


def _head(op: Operation) -> str:
    """`map-local` for `pattern.map_local`, with its sizes and dimension."""
    text = op.name.removeprefix("pattern.").replace("_", "-")
    if isinstance(op, ParallelMapBase) and op.dimension:
        text += f"-{op.dimension}"
    if isinstance(op, ScanOp) and op.exclusive is not None:
        text += "-exclusive"
    if isinstance(op, MapSeqOp | ReduceSeqOp) and op.unroll is not None:
        text += "-unroll"
    return text
