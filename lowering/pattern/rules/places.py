"""Places in a pattern program: paths from its result, `@map/fn/in1`.

| part | leads to |
|---|---|
| (nothing) | the operation of the result |
| `ret1` | the operation of the second result |
| `in`, `in1`, ... | the operation of the first, second, ... operand |
| `fn`, `fn1`, ... | the operation of the first, second, ... value that the lambda yields |
| `map`, `reduce_seq`, ... | the nearest such pattern: this one, or one of its operands' |
| `everywhere`, `everywhere(map)` | every pattern, every map, from here on; last part only |
| `outermost(map)` | the first map outside of maps where the rule applies; last part only |
| `innermost(map)` | the first map without maps inside where the rule applies; last part only |

A path follows the structure of the program, so that steps elsewhere do not change its meaning. From
here on means: in the lambda of the pattern here, and in the operations of its operands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.ir import Operation, Use

from polycl.diagnostics import unknown_name
from polycl.dialects.pattern import PATTERN

PATTERNS = tuple(op.name.removeprefix("pattern.") for op in PATTERN.operations)
_TRAVERSALS = ("everywhere", "outermost", "innermost")


class PlaceError(Exception):
    """A path that is malformed, or that leads nowhere."""


@dataclass(frozen=True)
class Part:
    word: str
    index: int = 0
    pattern: str | None = None

    def __str__(self) -> str:
        if self.pattern is not None:
            return f"{self.word}({self.pattern})"
        return f"{self.word}{self.index}" if self.index else self.word


@dataclass(frozen=True)
class Place:
    parts: tuple[Part, ...] = ()

    def __str__(self) -> str:
        return "@" + "/".join(map(str, self.parts))

    def within(self, outer: Place) -> Place:
        """This path, started at the end of `outer`."""
        return Place(outer.parts + self.parts)


def parse_place(text: str) -> Place:
    """The place after `@`. Raises `PlaceError`."""
    parts = tuple(_parse_part(part) for part in text.split("/")) if text else ()
    for part in parts[:-1]:
        if part.word in _TRAVERSALS:
            raise PlaceError(f"'{part}' can only be the last part of a place")
    return Place(parts)


def _parse_part(text: str) -> Part:
    if found := re.fullmatch(r"(in|fn|ret)(\d*)", text):
        return Part(found[1], int(found[2] or 0))
    if found := re.fullmatch(r"(everywhere|outermost|innermost)(?:\(([\w-]+)\))?", text):
        if found[2] is None and found[1] != "everywhere":
            raise PlaceError(f"expected the name of a pattern, as in '{found[1]}(map)'")
        return Part(found[1], pattern=found[2] and _pattern(found[2]))
    return Part(_pattern(text))


def _pattern(text: str) -> str:
    name = text.replace("-", "_")
    if name not in PATTERNS:
        raise PlaceError(unknown_name("place", text, (*PATTERNS, "in", "fn", "ret", *_TRAVERSALS)))
    return name


def result_of(function: func.FuncOp) -> Use:
    """The start of paths: the operand of the function's return."""
    last = function.body.block.last_op
    assert last is not None
    return Use(last, 0)


def locate(function: func.FuncOp, place: Place, start: Use | None = None) -> Iterator[Operation]:
    """The operations at `place`, nearest to the result first; one where there is no traversal.

    The path starts at the operand `start`, or at the function's result.

    Raises:
        PlaceError: the path leads nowhere.
    """
    traversal = place.parts[-1] if place.parts and place.parts[-1].word in _TRAVERSALS else None
    path = Place(place.parts[:-1]) if traversal else place
    op = _producer(follow(start or result_of(function), path))
    if traversal is None:
        yield op
    else:
        yield from _traverse(op, traversal)


def follow(start: Use, place: Place) -> Use:
    """The operand at the end of a path; steps replace its operation, not the operand."""
    use = start
    for part in place.parts:
        match part.word:
            case "ret" if isinstance(use.operation, func.ReturnOp) and use is start:
                use = Use(use.operation, _index(part, use.operation))
            case "ret":
                raise PlaceError(f"'{part}' can only be the first part of a place")
            case "in":
                op = _producer(use)
                use = Use(op, _index(part, op))
            case "fn":
                op = _producer(use)
                if not op.regions or not op.regions[0].blocks or not op.regions[0].block.last_op:
                    raise PlaceError(f"'{part}': {op.name} has no lambda")
                use = Use(op.regions[0].block.last_op, _index(part, op.regions[0].block.last_op))
            case word if word in _TRAVERSALS:
                raise PlaceError(f"'{part}' may be several places, expected one")
            case pattern:
                use = _nearest(use, f"pattern.{pattern}")
        _producer(use, part)
    return use


def is_everywhere(place: Place) -> bool:
    return bool(place.parts) and place.parts[-1].word == "everywhere"


def _index(part: Part, op: Operation) -> int:
    if part.index >= len(op.operands):
        raise PlaceError(f"'{part}': {op.name} has {len(op.operands)} of these; they count from 0")
    return part.index


def _producer(use: Use, part: Part | None = None) -> Operation:
    """The operation that makes an operand."""
    value = use.operation.operands[use.index]
    if not isinstance(value.owner, Operation):
        where = f"'{part}' of {use.operation.name}" if part else "the result"
        name = f"%{value.name_hint}" if value.name_hint else "of a lambda or of the function"
        raise PlaceError(f"{where} is made by nothing: it is the argument {name}")
    return value.owner


def _nearest(use: Use, name: str) -> Use:
    """The nearest operand that an operation `name` makes: this one or an earlier one."""
    queue, seen = [use], {_producer(use)}
    for candidate in queue:
        op = candidate.operation.operands[candidate.index].owner
        if not isinstance(op, Operation):
            continue
        if op.name == name:
            return candidate
        for index, operand in enumerate(op.operands):
            if isinstance(operand.owner, Operation) and operand.owner not in seen:
                seen.add(operand.owner)
                queue.append(Use(op, index))
    makers = (use.operation.operands[use.index].owner for use in queue)
    have = ", ".join(dict.fromkeys(op.name for op in makers if isinstance(op, Operation)))
    have = have.replace("pattern.", "")
    raise PlaceError(f"no '{name.removeprefix('pattern.')}' from here on; there are: {have}")


def _traverse(top: Operation, part: Part) -> Iterator[Operation]:
    name = f"pattern.{part.pattern}"
    for op in list(_from_here_on(top)):
        if part.pattern is None:
            yield op
        elif op.name == name:
            if part.word == "outermost" and _is_within(op, top, name):
                continue
            if part.word == "innermost" and any(o.name == name for o in op.walk() if o is not op):
                continue
            yield op


def _is_within(op: Operation, top: Operation, name: str) -> bool:
    """Whether an operation `name` is around `op`, inside the block of `top`."""
    while op.parent is not top.parent:
        parent = op.parent_op()
        assert parent is not None
        if parent.name == name:
            return True
        op = parent
    return False


def _from_here_on(top: Operation) -> Iterator[Operation]:
    """`top`, then its lambdas, then the operations of its operands in the same block."""
    assert top.parent is not None
    needed = {top}
    for op in reversed(list(top.parent.ops)):
        if op not in needed:
            continue
        for inner in reversed(list(op.walk())):
            needed.update(v.owner for v in inner.operands if isinstance(v.owner, Operation))
        yield op
        for inner in reversed(list(op.walk())):
            if inner is not op:
                yield inner
