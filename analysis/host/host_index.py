"""Index polynomials of the values in a kernel or in a function of the host.

A value is a polynomial over variables: arguments, ids and sizes (`gid0`, `lid1`, `gsize0`, ...),
loop counters, loaded values, and results of other operations. The names of a host function's
variables begin with `%`, so that one polynomial can have variables of kernel and host.

As everywhere in the compiler, ids are assumed not to wrap and signed arithmetic not to overflow.
Unsigned arithmetic may wrap: `is_modular` tells whether a polynomial is known modulo 2^32 only. A
32-bit unsigned comparison `x < n` bounds x if n is a size, which is less than 2^31.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polycl.analysis.ocl.index_arith import exact_div
from polycl.analysis.ocl.index_expr import Env, Expr, Range, integer, var
from polycl.analysis.ocl.index_facts import compared, sharpened
from polycl.analysis.ocl.index_ranges import is_nonneg
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import constant_value, is_narrow
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of

QUERIES: Mapping[type[Operation], str] = {
    ocl.GlobalIdOp: "gid",
    ocl.LocalIdOp: "lid",
    ocl.GroupIdOp: "group",
    ocl.GlobalSizeOp: "gsize",
    ocl.LocalSizeOp: "lsize",
    ocl.NumGroupsOp: "groups",
    ocl.GlobalOffsetOp: "offset",
}
"""The variables of a kernel's queries, without the dimension."""

_KEEPS_MODULUS = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.ShLIOp,
    arith.DivSIOp,
    arith.DivUIOp,
    arith.IndexCastOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
)

Sizes = tuple[int | None, int | None, int | None]


class Indices:
    """The polynomials of the values in one kernel or function, made on demand."""

    def __init__(self, function: Operation, local_size: Sizes = (None, None, None)):
        self.function = function
        self.local_size = local_size
        self.is_kernel = isinstance(function, ocl.KernelLike)
        self.values: dict[str, SSAValue] = {}
        """A value for each variable; for ids and sizes, one that may not dominate other uses."""
        self.symbols: set[str] = set()
        """Variables that are the same for all work-items and iterations."""
        self._names: dict[SSAValue, str] = {}
        self._known: dict[SSAValue, Expr] = {}
        self._modular: set[SSAValue] = set()
        self._ranges: dict[str, Range] = {}
        self._quotients: dict[str, tuple[Expr, int]] = {}
        """The dividend and divisor of each quotient that is a variable."""
        self.arguments: list[str] = []
        """The variables of the arguments, in order."""
        names = function.param_names if isinstance(function, ocl.KernelLike) else ()
        for index, argument in enumerate(function.regions[0].blocks[0].args):
            self.arguments.append(self._new_name(argument, names[index] if names else None))
        self.symbols |= set(self.arguments)
        for d in range(3):
            for kind in ("gsize", "lsize", "groups", "offset"):
                self.symbols.add(f"{kind}{d}")

    # Values as polynomials

    def expr(self, value: SSAValue) -> Expr:
        """The polynomial of `value`, which is a variable if the operation has no equation."""
        if value not in self._known:
            self._known[value] = self._merged(self._expr(value))
            if isinstance(value.owner, _KEEPS_MODULUS):
                if any(operand in self._modular for operand in value.owner.operands):
                    self._modular.add(value)
        return self._known[value]

    def values_of(self, expr: Expr) -> list[SSAValue]:
        """The values that are known to be `expr`."""
        return [v for v, e in self._known.items() if e == expr and v not in self._modular]

    def is_modular(self, value: SSAValue) -> bool:
        """Whether the polynomial is known to be the value modulo 2^32 only."""
        self.expr(value)
        return value in self._modular

    def _expr(self, value: SSAValue) -> Expr:
        number = constant_value(value)
        if number is not None:
            return integer(number)
        if isinstance(value, BlockArgument):
            return self._of_argument(value)
        op = value.owner
        assert isinstance(op, Operation)
        query = QUERIES.get(type(op))
        if query is not None:
            return self._query(query, op)
        match op:
            case arith.AddiOp():
                return self.expr(op.lhs) + self.expr(op.rhs)
            case arith.SubiOp():
                return self.expr(op.lhs) - self.expr(op.rhs)
            case arith.MuliOp():
                return self.expr(op.lhs) * self.expr(op.rhs)
            case arith.ShLIOp() if (shift := constant_value(op.rhs)) is not None and shift >= 0:
                return self.expr(op.lhs) * (1 << shift)
            case arith.IndexCastOp() | arith.ExtSIOp() if not is_narrow(op.operands[0]):
                return self.expr(op.operands[0])
            case arith.ExtUIOp() | arith.TruncIOp() if not is_narrow(op.operands[0]):
                if is_narrow(op.results[0]):
                    return self._opaque(value)
                inner = self.expr(op.operands[0])
                if not self._is_id(inner):
                    self._modular.add(value)
                return inner
            case arith.RemSIOp() | arith.RemUIOp():
                return self._remainder(op)
            case arith.AndIOp() if (mask := constant_value(op.rhs)) is not None and mask >= 0:
                return self._opaque(value, Range(integer(0), integer(mask)))
            case arith.DivSIOp() | arith.DivUIOp() | arith.CeilDivUIOp():
                return self._quotient(op)
            case memref.DimOp():
                return self._size_of(op)
            case _:
                return self._opaque(value)

    def _is_id(self, expr: Expr) -> bool:
        """Whether it is a nonnegative sum of ids, or a counter, which does not wrap."""
        if any(len(monomial) > 1 for monomial, _ in expr.terms):
            return False
        ids = all(is_query(name) for name in expr.variables)
        return (ids or len(expr.terms) <= 2) and is_nonneg(expr, self._ranges)

    def _query(self, kind: str, op: Operation) -> Expr:
        assert isinstance(op, ocl.GlobalIdOp) or hasattr(op, "dimension")
        d: int = op.dimension  # pyright: ignore[reportAttributeAccessIssue]
        size = self.local_size[d]
        if kind == "lsize" and size is not None:
            return integer(size)
        name = f"{kind}{d}"
        self.values.setdefault(name, op.results[0])
        lsize = integer(size) if size is not None else var(f"lsize{d}")
        low, high = integer(0), None
        match kind:
            case "gid":
                low, high = var(f"offset{d}"), var(f"offset{d}") + var(f"gsize{d}") - 1
                self._ranges[f"offset{d}"] = Range(integer(0), None)
                self._ranges[f"gsize{d}"] = Range(integer(1), None)
            case "lid":
                high = lsize - 1
            case "group":
                high = var(f"groups{d}") - 1
            case "offset":
                pass
            case _:
                low = integer(1)
        self._ranges[name] = Range(low, high)
        return var(name)

    def _merged(self, expr: Expr) -> Expr:
        """`group * local size + lid` is the global id without the offset."""
        for d in range(3):
            if f"group{d}" not in expr.variables or f"lid{d}" not in expr.variables:
                continue
            size = self.local_size[d]
            base = var(f"group{d}") * (integer(size) if size is not None else var(f"lsize{d}"))
            factor = _factor_of(expr, f"lid{d}")
            rest = expr - factor * (base + var(f"lid{d}"))
            if factor.terms and not {f"group{d}", f"lid{d}"} & rest.variables:
                self._ranges.setdefault(
                    f"gid{d}",
                    Range(var(f"offset{d}"), var(f"offset{d}") + var(f"gsize{d}") - 1),
                )
                expr = rest + factor * (var(f"gid{d}") - var(f"offset{d}"))
        return expr

    def _remainder(self, op: arith.RemSIOp | arith.RemUIOp) -> Expr:
        x, y = self.expr(op.lhs), self.expr(op.rhs)
        env = self.env(op)
        if is_nonneg(x, env) and is_nonneg(y - 1, env):
            return self._opaque(op.result, Range(integer(0), y - 1))
        return self._opaque(op.result)

    def _quotient(self, op: arith.DivSIOp | arith.DivUIOp | arith.CeilDivUIOp) -> Expr:
        x, y = self.expr(op.lhs), self.expr(op.rhs)
        exact = exact_quotient(x, y)
        if exact is not None:
            return exact
        number = y.constant
        if number is not None and number > 0:
            if isinstance(op, arith.CeilDivUIOp):
                x = x + number - 1
            self._quotients[self._name(op.result)] = (x, number)
        return self._opaque(op.result)

    def quotient_facts(self, env: Env) -> list[Expr]:
        """The nonnegative remainders of positive quotients: `x - y * (x / y)`."""
        return [
            x - number * var(name)
            for name, (x, number) in self._quotients.items()
            if is_nonneg(var(name) - 1, env)
        ]

    def example(self, name: str) -> tuple[Expr, int] | None:
        """A sum and a divisor that estimate a variable, or None.

        For a quotient, its operands; for a loop's counter, the sum of its bounds and 2.
        """
        if name in self._quotients:
            return self._quotients[name]
        value = self.values.get(name)
        range_ = self._ranges.get(name)
        if isinstance(value, BlockArgument) and range_ is not None and range_.high is not None:
            return range_.high + (range_.low or 0), 2
        return None

    def _size_of(self, op: memref.DimOp) -> Expr:
        source = op.source.owner
        if isinstance(source, memref.AllocOp) and source.dynamic_sizes:
            return self.expr(source.dynamic_sizes[0])
        name = f"%dim({self._names.get(op.source, op.source.name_hint or '')})"
        self.values.setdefault(name, op.result)
        self._ranges.setdefault(name, Range(integer(0), None))
        self.symbols.add(name)
        return var(name)

    def _of_argument(self, value: BlockArgument) -> Expr:
        loop = value.block.parent_op()
        if not isinstance(loop, scf.ForOp):
            return self._opaque(value)
        if value.index == 0:
            self._ranges[self._name(value)] = Range(self.expr(loop.lb), self.expr(loop.ub) - 1)
            return var(self._name(value))
        return self._carried(loop, value)

    def _carried(self, loop: scf.ForOp, value: BlockArgument) -> Expr:
        """A carried value as `start + step * iteration`, or a variable."""
        name = self._name(value)
        known, modular = dict(self._known), set(self._modular)
        self._known[value] = var(name)
        step = self.expr(terminator(loop.body.block).operands[value.index - 1]) - var(name)
        is_modular = self._modular - modular
        self._known, self._modular = known, modular
        inside = any(self._is_defined_in(loop, variable) for variable in step.variables)
        if inside or constant_value(loop.step) != 1:
            return self._opaque(value)
        if is_modular:
            self._modular.add(value)
        counter = self.expr(loop.body.block.args[0])
        return self.expr(loop.iter_args[value.index - 1]) + (counter - self.expr(loop.lb)) * step

    def _is_defined_in(self, loop: scf.ForOp, variable: str) -> bool:
        if variable in self.symbols or is_query(variable):
            return False
        value = self.values.get(variable)
        if value is None:
            return True
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        return block is not None and loop.is_ancestor(block)

    def _opaque(self, value: SSAValue, range_: Range | None = None) -> Expr:
        name = self._name(value)
        if range_ is not None:
            self._ranges[name] = range_
        return var(name)

    def _name(self, value: SSAValue) -> str:
        return self._names.get(value) or self._new_name(value, None)

    def _new_name(self, value: SSAValue, given: str | None) -> str:
        base = given or value.name_hint or f"v{len(self._names)}"
        base = base if self.is_kernel else f"%{base}"
        name, count = base, 1
        while name in self.values or name in self._ranges or is_query(name):
            name, count = f"{base}.{count}", count + 1
        self._names[value] = name
        self.values[name] = value
        return name

    # Facts at an operation

    def env(self, op: Operation) -> Env:
        """The ranges of the variables seen so far, narrowed by the facts at `op`."""
        env = dict(self._ranges)
        return sharpened(env, self.facts(op))

    def facts(self, op: Operation) -> list[Expr]:
        """The nonnegative expressions at `op`, from the loops and branches around it."""
        found: list[Expr] = []
        block = op.parent
        while block is not None and (parent := block.parent_op()) is not None:
            if isinstance(parent, scf.ForOp):
                counter = self.expr(parent.body.block.args[0])
                found += [counter - self.expr(parent.lb), self.expr(parent.ub) - 1 - counter]
            elif isinstance(parent, scf.IfOp):
                holds = block.parent is parent.true_region
                found += self.decided(parent.cond, holds)
            if parent is self.function:
                break
            block = parent.parent
        return found

    def decided(self, condition: SSAValue, holds: bool) -> Iterator[Expr]:
        """The nonnegative expressions where a condition holds, or does not hold."""
        op = condition.owner
        match op:
            case arith.AndIOp() if holds:
                yield from self.decided(op.lhs, True)
                yield from self.decided(op.rhs, True)
            case arith.OrIOp() if not holds:
                yield from self.decided(op.lhs, False)
                yield from self.decided(op.rhs, False)
            case arith.XOrIOp() if constant_value(op.rhs) in (1, -1):
                yield from self.decided(op.lhs, not holds)
            case arith.CmpiOp():
                yield from self._compared(op, holds)
            case _:
                pass

    def _compared(self, op: arith.CmpiOp, holds: bool) -> Iterator[Expr]:
        if is_narrow(op.lhs) or self.is_modular(op.lhs) or self.is_modular(op.rhs):
            return
        yield from compared(predicate_of(op), self.expr(op.lhs), self.expr(op.rhs), holds)


def is_query(name: str) -> bool:
    """Whether a variable is an id or a size of a kernel."""
    return name[:-1] in QUERIES.values() and name[-1] in "012"


def _factor_of(expr: Expr, variable: str) -> Expr:
    """The coefficient of `variable`, from the terms that are linear in it."""
    return expr.along(lambda atom: atom == variable)


def exact_quotient(x: Expr, y: Expr) -> Expr | None:
    """`x / y` if the remainder is zero, or None."""
    return exact_div(x, y) if y.terms else None
