"""isl texts: parsed with located errors, and printed in a canonical form.

isl's text depends on the order of the constraints, and even on earlier operations on the object
(comparing two sets sorts their parts). The canonical text depends on neither: parameters and
disjuncts are sorted, and unused parameters are left out. It is not a semantic normal form: equal
sets may have different texts. Names of dimensions are kept; isl ignores them.
"""

from __future__ import annotations

import os
import re
import tempfile
import threading
from typing import TypeAlias, TypeVar

import islpy as isl

from polycl.dialects.poly.isl_context import (
    BudgetExceeded,
    IslT,
    is_out_of_budget,
    isl_budget,
    isl_context,
)

IslObject: TypeAlias = isl.Set | isl.Map | isl.PwAff
RelationT = TypeVar("RelationT", isl.Set, isl.Map)

KINDS: dict[type[IslObject], str] = {
    isl.Set: "set",
    isl.Map: "map",
    isl.PwAff: "piecewise affine expression",
}

_READ_OPERATIONS = 1_000_000
"""The budget for one text, about a second; the longest domain in our tests takes a hundredth."""

_PLACE = re.compile(r"syntax error \((\d+), (\d+)\): (.*)\n?(?:got (.*))?")


class IslTextError(ValueError):
    """An error in a text at `offset`, from 0."""

    def __init__(self, message: str, offset: int = 0):
        super().__init__(message)
        self.offset = offset


def read_isl(kind: type[IslT], text: str) -> IslT:
    """The object of a text.

    Raises:
        IslTextError: the text has an error, or a dimension has the name of a parameter.
    """
    _expect_end(text, KINDS[kind])
    if kind is isl.Map and "{" in text and "->" not in text[text.index("{") :]:
        # isl reads a set as a map without inputs.
        raise IslTextError("expected an isl map, got a set; a set is written #poly.set")
    try:
        found = kind.read_from_str(isl_context(), text)
    except isl.Error as error:
        if is_out_of_budget(error):
            raise
        raise _explained(kind, text) from None
    _expect_distinct_names(found, text)
    return found


def canonical_isl(kind: type[IslT], given: IslT | str) -> str:
    """The canonical text. Reading it and writing it again gives the same text.

    Raises:
        IslTextError: `given` is not a text of this kind, or is too complicated.
    """
    try:
        with isl_budget(_READ_OPERATIONS):
            return _fixed_point(kind, read_isl(kind, given) if isinstance(given, str) else given)
    except BudgetExceeded as error:
        raise IslTextError(f"this {KINDS[kind]} is too complicated: {error}") from None


def parameters_of(found: IslObject) -> tuple[str, ...]:
    """The names of the parameters."""
    return tuple(name or "" for name in found.get_var_names(isl.dim_type.param))


def dimensions_of(found: isl.Set) -> tuple[str, ...]:
    """The names of the dimensions; "" for one without a name."""
    of_set = isl.dim_type.set
    return tuple(found.get_dim_name(of_set, i) or "" for i in range(found.dim(of_set)))


def _fixed_point(kind: type[IslT], found: IslT) -> str:
    # A step is not always idempotent (`i mod 8 = 7` may become `(1 + i) mod 8 = 0`): repeat it
    # until a text recurs, and take the least text of the cycle.
    seen = [_step(found)]
    while True:
        text = _step(kind.read_from_str(isl_context(), seen[-1]))
        if text in seen:
            return min(seen[seen.index(text) :])
        seen.append(text)


def _step(found: IslObject) -> str:
    if isinstance(found, isl.PwAff):
        return _step_of_expression(found)
    if isinstance(found, isl.Set):  # Two calls, as the type variable is one of two types.
        return _step_of_relation(found)
    return _step_of_relation(found)


def _step_of_relation(found: RelationT) -> str:
    found = _sorted_parameters(_simplified(found))
    parts = [str(part) for part in _convex(found)]
    if not parts:
        return str(found)
    return _joined(parts, sorted({_split(part)[1] for part in parts}))


def _step_of_expression(found: isl.PwAff) -> str:
    found = _sorted_parameters(found.coalesce())
    clauses: list[tuple[str, str]] = []
    texts: list[str] = []
    for domain, expression in found.get_pieces():
        parts = [str(isl.PwAff.alloc(part, expression)) for part in _convex(_simplified(domain))]
        if not parts:  # isl finds only now that the domain of this piece is empty.
            continue
        texts += parts
        head = _split(parts[0])[1][0]
        conditions = sorted({_split(part)[1][1] for part in parts})
        # isl adds up overlapping clauses: so there is one clause for each expression.
        condition = " or ".join(f"({c})" for c in conditions) if len(parts) > 1 else conditions[0]
        clauses.append((head, condition))
    if not texts:
        return str(isl.PwAff.empty(found.get_space()))
    return _joined(texts, sorted(clauses))


def _joined(texts: list[str], clauses: list[tuple[str, str]]) -> str:
    """`texts` have the parameters, `clauses` a tuple and a condition each."""
    # A set of parameters has no tuple: `{ : n > 0 }`, and `{ : }` for all of them.
    body = "; ".join(f"{head} : {c}".strip() if c or not head else head for head, c in clauses)
    return f"{_split(texts[0])[0]} {{ {body} }}".strip()


def _split(text: str) -> tuple[str, tuple[str, str]]:
    """The parameters, and the tuple and the condition of `[p] -> { T[x] : condition }`."""
    start, end = text.index("{"), text.rindex("}")
    head, colon, condition = text[start + 1 : end].strip().partition(":")
    return text[:start].strip(), (head.strip(), condition.strip() if colon else "")


def _simplified(found: RelationT) -> RelationT:
    return found.coalesce().detect_equalities().remove_redundancies().coalesce()


def _convex(found: RelationT) -> list[RelationT]:
    """The convex parts, each on its own: the text of a union depends on its history."""
    if isinstance(found, isl.Set):
        return [
            p.detect_equalities().remove_redundancies().to_set() for p in found.get_basic_sets()
        ]
    return [p.detect_equalities().remove_redundancies().to_map() for p in found.get_basic_maps()]


def _sorted_parameters(found: IslT) -> IslT:
    param = isl.dim_type.param
    for i in reversed(range(found.dim(param))):
        if not found.involves_dims(param, i, 1):
            found = (
                found.drop_dims(param, i, 1)
                if isinstance(found, isl.PwAff)
                else (found.project_out(param, i, 1))
            )
    names = sorted(parameters_of(found))
    space = isl.Space.params_alloc(isl_context(), len(names))
    for i, name in enumerate(names):
        space = space.set_dim_name(param, i, name)
    return found.align_params(space)


def _expect_end(text: str, what: str) -> None:
    """Refuses text after the closing brace, which isl ignores."""
    end = text.find("}") + 1
    if end and text[end:].strip():
        offset = end + len(text[end:]) - len(text[end:].lstrip())
        raise IslTextError(f"expected the end of the {what} after its '}}'", offset)


def _expect_distinct_names(found: IslObject, text: str) -> None:
    """Refuses a dimension with the name of a parameter `t`, which isl prints as `t'`."""
    sides = {
        isl.Set: (isl.dim_type.set,),
        isl.Map: (isl.dim_type.in_, isl.dim_type.out),
        isl.PwAff: (isl.dim_type.in_,),
    }
    parameters = set(parameters_of(found))
    for side in sides[type(found)]:
        for i in range(found.dim(side)):
            name = (found.get_dim_name(side, i) or "").rstrip("'")
            if name in parameters:
                raise IslTextError(
                    f"the dimension '{name}' has the name of a parameter; rename one of them",
                    max(text.find("{"), 0),
                )


def _explained(kind: type[IslObject], text: str) -> IslTextError:
    """Why isl does not read the text, with isl's own location if it has one."""
    what = KINDS[kind]
    place = _PLACE.search(_complaint(kind, text))
    if place is not None:
        lines = text.split("\n")[: int(place[1]) - 1]
        offset = sum(len(line) + 1 for line in lines) + int(place[2]) - 1
        got = f", got {place[4]}" if place[4] else ""
        return IslTextError(f"malformed isl {what}: {place[3]}{got}", min(offset, len(text)))
    hint = ""
    if kind is isl.Set and "->" in text[text.find("{") :]:
        hint = "; an '->' inside the braces makes a map: #poly.map"
    return IslTextError(f"expected an isl {what}{hint}")


_complaints = threading.Lock()


def _complaint(kind: type[IslObject], text: str) -> str:
    """isl's message on standard error, which has the location that its exceptions lack."""
    with _complaints, tempfile.TemporaryFile() as file:
        context = isl.Context()
        context.set_on_error(isl.on_error.WARN)
        standard_error = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            kind.read_from_str(context, text)
        except isl.Error:
            pass
        finally:
            os.dup2(standard_error, 2)
            os.close(standard_error)
        file.seek(0)
        return file.read().decode(errors="replace")
