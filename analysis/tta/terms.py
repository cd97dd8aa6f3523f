"""Values as hash-consed expressions: equal terms have equal indices.

A term is an index into a table. Sums and products with constants are in a normal form
(`3*x + y + 8`, modulo 2^32), operands of commutative operations are sorted, conditions have no
double negation, operations on constants are folded, and `x | 0` is `x`. No other identities are
used: float arithmetic is never reordered.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any, TypeAlias

from polycl.dialects.tta import OPSET
from polycl.symbolic import Poly, atom, integer

Term: TypeAlias = int

MASK = 0xFFFFFFFF
MOST_SUMMANDS = 8
"""Longer sums are kept in the order of their computation."""
COMPARISONS = frozenset(
    name + suffix for name in "eq ne lt le gt ge".split() for suffix in ("", "u", "f")
)
BITWISE = frozenset(("and", "ior", "xor"))

Sum: TypeAlias = Poly[Term, int]
"""A linear combination of terms and a constant, modulo 2^32."""


class Terms:
    """The terms of one block."""

    def __init__(self) -> None:
        self._index: dict[tuple[Any, ...], Term] = {}
        self._keys: list[tuple[Any, ...]] = []
        self._values: list[int | None] = []
        self._boolean: list[bool] = []
        self._partial: list[bool] = []
        self._constants: dict[int, Term] = {}
        self._splits: dict[Term, tuple[Term | None, int]] = {}
        self.zero = self.constant(0)
        self.one = self.constant(1)

    def _keep(self, key: tuple[Any, ...], boolean: bool = False, partial: bool = False) -> Term:
        term = self._index.get(key)
        if term is None:
            term = self._index[key] = len(self._keys)
            self._keys.append(key)
            self._values.append(key[1].constant if key[0] == "sum" else None)
            self._boolean.append(boolean)
            self._partial.append(partial)
        return term

    # Making terms.

    def constant(self, value: int) -> Term:
        term = self._constants.get(value)
        if term is None:
            term = self._constants[value] = self._of_sum(integer(value, MASK + 1))
        return term

    def leaf(self, name: Hashable, boolean: bool = False) -> Term:
        """A value with a name only (which is 0 or 1 if `boolean`)."""
        return self._keep(("leaf", name), boolean)

    def unknown(self) -> Term:
        """A value that equals no other one, and may be undefined."""
        return self._keep(("unknown", len(self._keys)), partial=True)

    def load(self, operation: str, address: Term, version: int) -> Term:
        """The content of memory at `address` after the first `version` stores of the block."""
        return self._keep(("load", operation, address, version))

    def operation(self, name: str, *inputs: Term) -> Term:
        """A pure operation of the opset."""
        semantics = OPSET[name]
        if name in ("shl", "shr", "shru"):
            inputs = inputs[0], self._shift_amount(inputs[1])
        constants = [self.value(term) for term in inputs]
        if semantics.compute is not None and None not in constants:
            return self.constant(semantics.compute(*constants))
        if semantics.commutative:
            # Constants are on the right.
            inputs = tuple(sorted(inputs, key=lambda term: (self.value(term) is not None, term)))
        right = self.value(inputs[-1])
        match name:
            case "add" | "sub":
                return self._sum(name, *inputs)
            case "shl" if right is not None:
                return self._of_sum(self.sum(inputs[0]) * (1 << (right & 31)))
            case "mul" if right is not None:
                return self._of_sum(self.sum(inputs[0]) * right)
            case "ior" | "xor" | "shr" | "shru" if right == 0:
                return inputs[0]
            case "xor" | "eq" | "ne" if self._boolean[inputs[0]] and right in (0, 1):
                return inputs[0] if right == (name == "eq") else self.inverse(inputs[0])
            case _:
                pass
        boolean = name in COMPARISONS or (
            name in BITWISE and all(self._boolean[term] for term in inputs)
        )
        return self._keep((name, *inputs), boolean)

    def plus(self, term: Term, number: int) -> Term:
        """The sum of a term and a constant."""
        return self._of_sum(self.sum(term) + number)

    def _shift_amount(self, term: Term) -> Term:
        """A term without masks that keep the low 5 bits: shift amounts count modulo 32."""
        while self._keys[term][0] == "and":
            mask = self.value(self._keys[term][2])
            if mask is None or mask & 31 != 31:
                break
            term = self._keys[term][1]
        return term

    def select(self, condition: Term, then: Term, otherwise: Term) -> Term:
        """`then` if the condition, 0 or 1, is 1."""
        constant = self.value(condition)
        if constant is not None:
            return then if constant else otherwise
        if self._keys[condition][0] == "not":
            condition, then, otherwise = self._keys[condition][1], otherwise, then
        then = self.where(then, condition)
        otherwise = self.where(otherwise, self.inverse(condition))
        if then == otherwise:
            return then
        if (then, otherwise) == (self.one, self.zero):
            return condition
        return self._keep(
            ("select", condition, then, otherwise),
            self._boolean[then] and self._boolean[otherwise],
            self._partial[then] or self._partial[otherwise],
        )

    def where(self, term: Term, condition: Term) -> Term:
        """A term that equals `term` if the condition holds: resolves selects by the condition, and
        the condition itself, which a select of 1 and 0 is."""
        holds = self._keys[condition][0] != "not"
        if not holds:
            condition = self._keys[condition][1]
        while self._keys[term][:2] == ("select", condition):
            term = self._keys[term][2 if holds else 3]
        if term == condition:
            return self.one if holds else self.zero
        return term

    def truth(self, term: Term) -> Term:
        """Whether a term is not 0."""
        return term if self._boolean[term] else self.operation("ne", term, self.zero)

    def inverse(self, condition: Term) -> Term:
        """1 if the condition, 0 or 1, is 0."""
        constant = self.value(condition)
        if constant is not None:
            return self.zero if constant else self.one
        key = self._keys[condition]
        return key[1] if key[0] == "not" else self._keep(("not", condition), boolean=True)

    def clipped(self, term: Term, width: int) -> Term:
        """The low `width` bits."""
        if width >= 32 or self._boolean[term]:
            return term
        return self.operation("and", term, self.constant((1 << width) - 1))

    def unite(self, same: Collection[Term]) -> bool:
        """Makes terms equal in all terms that are made from now on; returns whether that is new.

        Operations are replaced by sums, leaves or constants, which are never replaced.
        """
        best = min(same, key=lambda t: (self.value(t) is None, self._is_opaque(t), t))
        others = [t for t in same if t != best and self._is_opaque(t)]
        self._index.update((self._keys[t], best) for t in others)
        return bool(others)

    def _is_opaque(self, term: Term) -> bool:
        return self._keys[term][0] not in ("sum", "leaf")

    # Properties of terms.

    def value(self, term: Term) -> int | None:
        """The value of a constant; None for other terms."""
        return self._values[term]

    def name(self, term: Term) -> Hashable:
        """The name of a leaf; None for other terms."""
        key = self._keys[term]
        return key[1] if key[0] == "leaf" else None

    def is_partial(self, term: Term) -> bool:
        """Whether the value may be undefined."""
        return self._partial[term]

    def sum(self, term: Term) -> Sum:
        """A term as a sum."""
        key = self._keys[term]
        return key[1] if key[0] == "sum" else atom(term, MASK + 1)

    def split(self, term: Term) -> tuple[Term | None, int]:
        """A term as another one, None if it is constant, and the constant that is added."""
        if self._keys[term][0] != "sum":
            return term, 0
        found = self._splits.get(term)
        if found is None:
            sum = self.sum(term)
            rest = None if self._values[term] is not None else self._of_sum(sum - sum.number)
            found = self._splits[term] = rest, sum.number
        return found

    def text(self, term: Term, depth: int = 4) -> str:
        """The text for messages; terms deeper than `depth` are `...`."""
        head, *rest = self._keys[term]
        if head == "leaf":
            return str(rest[0])
        if depth == 0:
            return "..."
        if head == "sum":
            parts = [
                self.text(part, depth - 1) if factor == 1 else f"{factor} * {self.text(part, 1)}"
                for part, factor in sorted(rest[0].factors.items())
            ]
            number = rest[0].number
            return " + ".join(parts + [str(number)] * (number != 0 or not parts))
        if head == "load":
            return f"{rest[0]}({self.text(rest[1], depth - 1)})"
        if head == "unknown":
            return "?"
        return f"{head}({', '.join(self.text(part, depth - 1) for part in rest)})"

    # Sums.

    def _of_sum(self, sum: Sum) -> Term:
        whole = sum.only_atom
        if whole is not None:
            return whole
        return self._keep(("sum", sum), boolean=sum.constant in (0, 1))

    def _sum(self, name: str, left: Term, right: Term) -> Term:
        """`left + right` or `left - right`."""
        a, b = self.sum(left), self.sum(right)
        total = a + b if name == "add" else a - b
        if b.constant is None and len({**a.factors, **b.factors}) > MOST_SUMMANDS:
            parts: Sequence[Term] = (self._of_sum(a - a.number), self._of_sum(b - b.number))
            whole = self._keep((name, *(sorted(parts) if name == "add" else parts)))
            total = atom(whole, MASK + 1) + total.number
        return self._of_sum(total)
