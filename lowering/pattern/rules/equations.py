r"""Rules that are equations: the text is parsed, matched and built.

`rule("3c", "map(f) -> join o map(map(f)) o split^n", [divides("n")], n=Sizes(divisors))`

`terms.py` has the notation, `conditions.py` the conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import IndexType, VectorType
from xdsl.ir import Attribute, Operation, Region, SSAValue

from polycl.dialects import pattern
from polycl.dialects.pattern import NatAttr, array, nat
from polycl.dialects.pattern.lambdas import UNIT, int_attr, yielded_type
from polycl.dialects.pattern.neutral import is_neutral
from polycl.dialects.pattern.paper import camel
from polycl.dialects.pattern.reductions import FlaggedReduceBase
from polycl.dialects.pattern.types import parts_of, vector_of
from polycl.lowering.pattern.rules import apart
from polycl.lowering.pattern.rules.build import (
    Values,
    element_of,
    fit,
    inline,
    make_lambda,
    neutral_value,
    size_of,
    splat,
)
from polycl.lowering.pattern.rules.conditions import (
    Condition,
    expect,
    needs_any,
    only,
    producer,
    short,
    used_once,
)
from polycl.lowering.pattern.rules.expressions import Expression
from polycl.lowering.pattern.rules.rule import Counts, PatternRule, Refused, Rewrite, Sizes
from polycl.lowering.pattern.rules.terms import PATTERNS, Function, Term, parse_equations

Scope = Mapping[str, Values]
"""The parameters of the functions around a term."""


def rule(
    name: str,
    equation: str,
    where: Sequence[Condition] = (),
    note: str = "",
    **parameters: Sizes | Counts,
) -> PatternRule:
    """The rule of an equation, or of several, where the conditions hold, checked in this order."""
    equations = parse_equations(equation, name, parameters)
    sides = [(left.terms, each.right) for each in equations for left in each.lefts]

    def find(op: Operation, **values: NatAttr | int) -> Rewrite:
        match = Match(sides, op, {name: nat(value) for name, value in values.items()})
        for condition in where:
            condition.check(op, match.sizes)
        return match.rewrite

    demands = "; ".join(condition.text for condition in where)
    conditions = f"{demands}. {note}".strip() if demands else note
    return PatternRule(name, ", ".join(map(str, equations)), conditions, parameters, find)


class Match:
    """The values of an equation's variables for a left-hand side. Raises `Refused`."""

    def __init__(
        self,
        sides: Sequence[tuple[tuple[Term, ...], Function]],
        op: Operation,
        sizes: Mapping[str, NatAttr],
    ):
        self.sizes = dict(sizes)
        self._op = op
        self._input: Values = []
        # Functions and patterns by name; a function as the pattern that has it.
        self._functions: dict[str, Operation] = {}
        self._patterns: dict[str, Operation] = {}
        self._values: dict[str, SSAValue] = {}
        self._parts: dict[str, Callable[[], Region]] = {}
        if sides[0][0][0].name == "X":
            _, self._right = sides[0]
            return
        expect(op, *(PATTERNS[terms[0].name].op for terms, _ in sides))
        terms, self._right = next(s for s in sides if isinstance(op, PATTERNS[s[0][0].name].op))
        self.sizes["N"] = size_of(op.operands[0])
        self._input = [self._match(terms, op)]

    def rewrite(self, b: Builder) -> Values:
        """Insert the right-hand side; returns what replaces the result."""
        return self._apply(b, self._right, self._input, {})

    # ---- the left-hand side ----

    def _match(self, terms: tuple[Term, ...], op: Operation) -> SSAValue:
        """Match terms with `op` and the operations before it; returns the input of the first."""
        self._match_term(terms[0], op, op)
        for term in terms[1:]:
            same = term.name == "map-k"
            made = producer(op.operands[0], type(op) if same else PATTERNS[term.name].op)
            if same and made.properties != op.properties:
                raise Refused("the two maps are of different dimensions, or only one is unrolled")
            if made.regions:
                used_once(made)
            self._match_term(term, made, op)
            op = made
        return op.operands[0]

    def _match_term(self, term: Term, op: Operation, user: Operation) -> None:
        self._patterns.setdefault(term.name, op)
        for expected, size in zip(term.sizes, PATTERNS[term.name].sizes, strict=False):
            self._match_size(expected, size(op), op, user)
        for place, argument in enumerate(term.arguments):
            name = argument.variable
            if name is None:
                self._match_function(argument, op)
            elif place == 1:
                self._values[name] = op.operands[1]
            else:
                self._functions[name] = op

    def _match_function(self, function: Function, op: Operation) -> None:
        """One pattern of the element, which depends on the element by its input only; or two
        functions, one of which may be a pattern."""
        assert isinstance(op, pattern.MapBase)
        if len(function.terms) == 2:
            self._take_apart(*function.terms, op)
            return
        inner = only(op, PATTERNS[function.terms[0].name].op)
        if [self._match(function.terms, inner)] != list(op.body.block.args):
            raise Refused(f"the {short(inner)} inside has another input than the element")
        if needs_any(inner, op.body.block.args):
            raise Refused(f"{short(inner)} needs more of the element than its first operand")

    def _take_apart(self, last: Term, first: Term, op: pattern.MapBase) -> None:
        """One of them is a variable; the functions are made when they are needed."""
        body = op.body
        if first.name in PATTERNS:
            self._match_term(first, made := apart.first(op, PATTERNS[first.name].op), made)
            self._parts[last.name] = lambda: apart.without_first(body)
            return
        if last.name in PATTERNS:
            self._match_term(last, made := apart.last(op, PATTERNS[last.name].op), made)
        else:
            made = apart.any_last(op)
            self._parts[last.name] = lambda: apart.alone(made)
        self._parts[first.name] = lambda: apart.without_last(body)

    def _match_size(
        self, expected: Expression, found: NatAttr, op: Operation, user: Operation
    ) -> None:
        """At most one variable is still unknown, and its factor is 1."""
        for name in expected.variables:
            if name not in self.sizes:
                self.sizes[name] = found - expected.evaluate({**self.sizes, name: nat(0)})
        if expected.evaluate(self.sizes) != found:
            takes, makes = op.operands[0].type, user.results[0].type
            raise Refused(f"{camel(op)} takes {takes}, {camel(user)} makes {makes}")

    # ---- the right-hand side ----

    def _apply(self, b: Builder, function: Function, values: Values, scope: Scope) -> Values:
        """The terms applied to an element: one value, or the parts of a tuple."""
        for term in reversed(function.terms):
            values = self._apply_term(b, term, values, scope)
        return values

    def _apply_term(self, b: Builder, term: Term, values: Values, scope: Scope) -> Values:
        name = term.name
        if name in scope:
            return scope[name]
        if name == "X":
            return b.insert(self._op.clone()).results
        if name == "e":
            ops = self._functions.values()
            (like,) = (op for op in ops if isinstance(op, FlaggedReduceBase))
            value = neutral_value(b, like)
            assert value is not None
            return [value]
        if name in self._values:
            value = self._values[name]
            if not term.sizes:
                return [value]
            body = make_lambda([IndexType()], lambda b, _: value)
            return [b.insert(pattern.GenerateOp(self._size(term), body)).result]
        if name in self._functions:
            forms = _forms(self._functions[name])
            groups = [self._apply(b, each, [], scope) for each in term.arguments]
            if not groups:
                groups = [values] if len(forms) == 1 else [[v] for v in fit(b, values, len(forms))]
            fitted = [fit(b, g, len(form)) for g, form in zip(groups, forms, strict=True)]
            return inline(b, self._functions[name].regions[0], sum(map(list, fitted), []))
        if name == "zip":
            inputs = [fit(b, self._apply(b, each, values, scope), 1)[0] for each in term.arguments]
            return [b.insert(pattern.ZipOp(*inputs)).result]
        if name == "vect":
            inner = term.arguments[0].terms[0].name
            if inner in self._values:
                return [splat(b, self._values[inner], self._size(term).value)]
            op = self._functions[inner]
            vect = pattern.VectOp(values, op.regions[0].clone(), dict(op.attributes))
            return b.insert(vect).results
        (input,) = fit(b, values, 1)
        return [b.insert(self._make(b, term, input, scope)).results[0]]

    def _make(self, b: Builder, term: Term, input: SSAValue, scope: Scope) -> Operation:
        """A pattern of `input`."""
        kind, like = PATTERNS[term.name].op, self._patterns.get(term.name)
        if issubclass(kind, pattern.ToMemoryBase):
            (value,) = self._apply(b, term.arguments[0], [input], scope)
            value.name_hint = self._op.results[0].name_hint
            return kind(value)
        sizes = [size.evaluate(self.sizes) for size in term.sizes]
        if issubclass(kind, pattern.AsVectorOp):
            return kind(input, sizes[0].value)
        if issubclass(kind, pattern.OneToOneOp):
            return kind(input, *sizes)  # pyright: ignore[reportArgumentType, reportCallIssue]
        function, *rest = term.arguments
        if issubclass(kind, pattern.IterateOp):
            assert isinstance(like, pattern.IterateOp)
            region, attributes = self._function(function, [like.arg.type])
            return kind(input, sizes[0], region, like.symbol, attributes)
        operands, size = [input], size_of(input)
        if rest:
            operands += self._apply(b, rest[0], [], scope)
            if not issubclass(kind, pattern.ScanOp):
                size = sizes[0] if sizes else nat(1)
        elements = [*(init.type for init in operands[1:]), element_of(input)]
        region, attributes = self._function(function, elements)
        return (type(like) if like is not None else kind).create(
            operands=operands,
            result_types=[array(size, yielded_type(region))],
            properties=self._properties(term, function),
            attributes=attributes,
            regions=[region],
        )

    def _properties(self, term: Term, function: Function) -> dict[str, Attribute]:
        """Those of the same pattern or of the same function on the left."""
        kind, like = PATTERNS[term.name].op, self._patterns.get(term.name)
        if issubclass(kind, FlaggedReduceBase):
            ops = self._functions.values()
            (like,) = (op for op in ops if isinstance(op, FlaggedReduceBase))
            properties = {
                name: value for name, value in like.properties.items() if name in kind.FLAGS
            }
            start = term.arguments[1].variable
            if function.variable is None and is_neutral(like):
                properties["neutral"] = UNIT
            elif start is not None and start != "e" and start not in self._values:
                # It starts at a parameter of a function.
                properties.pop("neutral", None)
            if term.name.endswith("-exclusive"):
                properties["exclusive"] = UNIT
            return properties
        if term.name.endswith("-unroll"):
            return {"unroll": UNIT}
        if issubclass(kind, pattern.ParallelMapBase) and like is None:
            return {"dim": int_attr(self.sizes["dim"].value)}
        return dict(like.properties) if like is not None else {}

    def _size(self, term: Term) -> NatAttr:
        return term.sizes[0].evaluate(self.sizes)

    def _function(
        self, function: Function, types: Sequence[Attribute]
    ) -> tuple[Region, dict[str, Attribute]]:
        """A function of elements of these types; with its name, where it has one."""
        names = function.parameters
        if len(names) > len(types):
            types = parts_of(types[0])
        if function.variable in self._parts:
            return self._parts[function.variable](), {}
        if function.variable is not None:
            op = self._functions[function.variable]
            if len(_forms(op)) == len(types):
                return op.regions[0].clone(), dict(op.attributes)
            forms = [parts_of(types[0])]
        elif not function.terms:
            return make_lambda(types, identity), {}
        elif names:
            found = [next(self._forms_of(name, function), None) for name in names]
            forms = [form or [type] for form, type in zip(found, types, strict=True)]
        else:
            last = function.terms[-1]
            vect = last.name == "vect"
            op = self._functions.get(last.arguments[0].terms[0].name if vect else last.name)
            forms = [types] if op is None else _forms(op)
            if vect:
                n = self._size(last).value
                forms = [[vector_of(type, n) or type for type in form] for form in forms]

        def body(b: Builder, *args: SSAValue) -> Values:
            rest, scope = list(args), dict[str, Values]()
            for name, form in zip(names, forms, strict=False):
                scope[name], rest = rest[: len(form)], rest[len(form) :]
            return self._apply(b, function, rest, scope)

        return make_lambda([type for form in forms for type in form], body), {}

    def _forms_of(self, name: str, function: Function) -> Iterator[Sequence[Attribute]]:
        """The types in which the functions that are applied to a parameter take it."""
        for term in function.terms:
            for place, argument in enumerate(term.arguments):
                if argument.variable == name and term.name in self._functions:
                    yield _forms(self._functions[term.name])[place]
                yield from self._forms_of(name, argument)


def _forms(op: Operation) -> list[Sequence[Attribute]]:
    """The types for each parameter of a pattern's function: one, or those of a tuple's parts."""
    groups = (
        op.argument_groups if isinstance(op, pattern.ReduceBase) else [op.regions[0].block.args]
    )
    return [[arg.type for arg in group] for group in groups]


def identity(b: Builder, value: SSAValue) -> SSAValue:
    """id; of vectors, `vect^n(id)`."""
    if not isinstance(value.type, VectorType):
        return value
    scalar = make_lambda([value.type.element_type], lambda b, scalar: scalar)
    return b.insert(pattern.VectOp([value], scalar)).outputs[0]
