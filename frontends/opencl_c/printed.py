"""Facts that libclang's cursors lack, read from the function as clang prints it.

Swizzle names (`v.xyz`) and the empty slots of `for (;;)` are not in libclang's interface, and not
in the source text where they come from a macro. clang prints a function from its tree, without
macros and in source order. A reader that visits the tree in source order therefore advances in the
printed tokens, too, and asks for the next name after a dot, or for the next loop's slots.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

_TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"'
    r"|'(?:\\.|[^'\\])*'"
    r"|\.?\d(?:[eEpP][+-]|[\w.])*"
    r"|\.\.\.|->|[A-Za-z_]\w*|\S"
)
_CONSTRUCT = re.compile(r"\b__(?:builtin|opencl_atomic|c11_atomic|atomic|scoped_atomic)_\w+")
_OPENING, _CLOSING = "([{", ")]}"


class OutOfStep(Exception):
    """The printed text differs from the tree."""


class GenericSelection(NamedTuple):
    """The associations of a `_Generic` selection: types, and where expressions begin and end."""

    types: list[str]
    starts: list[int]
    end: int


class PrintedTokens:
    """A cursor over the tokens of a printed function's body."""

    def __init__(self, body: str):
        self._body = body
        self._next = 0
        self._passed: list[tuple[Callable[[str], None], str]] = []
        """What is still to pass, and how. Most functions ask for nothing else, so that their text
        is never split into tokens."""
        self._ends: list[int | None] = []
        """Where the literals end that are being read."""

    @cached_property
    def _tokens(self) -> list[str]:
        return _TOKEN.findall(self._body)

    def name(self, name: str) -> None:
        """Pass the next use of an identifier that is not a member."""
        self._passed.append((self._step_over, name))

    def member(self, name: str) -> None:
        """Pass the next use of a member, which must have this name."""
        self._passed.append((self._step_over_member, name))

    def begin_literal(self, type: str) -> None:
        """Pass the next `(type){` or `(type)(a, `, to the operands of a literal."""
        self._passed.append((self._step_into_literal, type))

    def end_literal(self) -> None:
        """Pass the end of the literal begun last."""
        self._passed.append((self._step_out_of_literal, ""))

    def _step_into_literal(self, type: str) -> None:
        head = ["(", *_TOKEN.findall(type), ")"]
        for place in range(self._next, len(self._tokens) - len(head)):
            first = place + len(head)
            if self._tokens[place:first] == head and self._tokens[first] in ("{", "("):
                end, has_comma = self._closing(first)
                if has_comma or self._tokens[first] == "{":
                    self._next = first + 1
                    self._ends.append(end)
                    return
        self._ends.append(None)

    def _step_out_of_literal(self, _: str) -> None:
        end = self._ends.pop()
        if end is not None:
            self._next = max(self._next, end + 1)

    def _closing(self, opening: int) -> tuple[int, bool]:
        """Where the bracket is that closes one, and whether a comma parts operands between them."""
        depth, has_comma = 0, False
        for place in range(opening, len(self._tokens)):
            token = self._tokens[place]
            depth += (token in _OPENING) - (token in _CLOSING)
            has_comma |= token == "," and depth == 1
            if depth == 0:
                return place, has_comma
        raise OutOfStep("a closing bracket")

    def _catch_up(self) -> None:
        for step, name in self._passed:
            step(name)
        self._passed.clear()

    def _step_over_member(self, name: str) -> None:
        found = self._next_suffix()
        if found != name:
            raise OutOfStep(f"{name}, found {found}")

    def _step_over(self, name: str) -> None:
        for place in range(self._next, len(self._tokens)):
            if self._tokens[place] == name and not self._is_suffix(place):
                self._next = place + 1
                return
        raise OutOfStep(name)

    def construct(self) -> str:
        """The next keyword with operands in parentheses, such as `__builtin_convertvector`."""
        names = self._constructs
        if names == ["__builtin_astype"]:
            self.name(names[0])
            return names[0]
        self._catch_up()
        for place in range(self._next, len(self._tokens)):
            if _CONSTRUCT.fullmatch(self._tokens[place]):
                self._next = place + 1
                return self._tokens[place]
        raise OutOfStep("a construct")

    @cached_property
    def _constructs(self) -> list[str]:
        return sorted(set(_CONSTRUCT.findall(self._body)))

    def skip_operands(self) -> None:
        """Pass the parentheses, and what is in them, that follow the name just passed."""
        self._catch_up()
        depth = 0
        for place in range(self._next, len(self._tokens)):
            token = self._tokens[place]
            depth += (token in _OPENING) - (token in _CLOSING)
            if depth == 0:
                self._next = place + 1 if token in _CLOSING else self._next
                return

    def generic(self) -> GenericSelection:
        """The next `_Generic` selection. Its parts are to be passed with `go_to`."""
        self.name("_Generic")
        self._catch_up()
        depth = 0
        types: list[str] = []
        starts: list[int] = []
        first = 0
        """Where the text of a type begins; 0 in an operand."""
        for place in range(self._next, len(self._tokens)):
            token = self._tokens[place]
            depth += (token in _OPENING) - (token in _CLOSING)
            if depth == 0:
                return GenericSelection(types, starts, place)
            if depth == 1 and token == ",":
                first = place + 1
            elif depth == 1 and token == ":" and first:
                types.append(" ".join(self._tokens[first:place]))
                starts.append(place + 1)
                first = 0
        raise OutOfStep("the end of _Generic")

    def go_to(self, place: int) -> None:
        """Pass the tokens before a place that `generic` has returned."""
        self._catch_up()
        self._next = place

    def suffix(self) -> str:
        """The next name after a `.` or `->`."""
        self._catch_up()
        return self._next_suffix()

    def _next_suffix(self) -> str:
        for place in range(self._next, len(self._tokens)):
            if self._is_suffix(place):
                found = self._tokens[place]
                self._next = place + 1
                return found
        raise OutOfStep("a member or swizzle")

    def has_suffix(self, brackets: int) -> bool:
        """Whether so many closing brackets and the name of a member or swizzle come next."""
        self._catch_up()
        place = self._next + brackets
        return self._tokens[self._next : place] == [")"] * brackets and self._is_suffix(place + 1)

    def for_slots(self, count: int) -> tuple[bool, bool, bool]:
        """Whether the next `for`, of `count` parts, has initialiser, condition and step."""
        self.name("for")
        if count == 3:
            return True, True, True
        self._catch_up()
        depth = 0
        slots = [False]
        for place in range(self._next, len(self._tokens)):
            token = self._tokens[place]
            depth += (token in _OPENING) - (token in _CLOSING)
            if depth == 0:
                break
            if token == ";" and depth == 1:
                slots.append(False)
            elif place > self._next:
                slots[-1] = True
        if len(slots) != 3:
            raise OutOfStep("for")
        return slots[0], slots[1], slots[2]

    def skip_lambda(self) -> None:
        """Pass the next lambda of C++, with its body."""
        self._catch_up()
        for place in range(self._next, len(self._tokens)):
            # A bracket after a value is a subscript.
            before = self._tokens[place - 1]
            if self._tokens[place] == "[" and before in ("=", "(", ",", "{", "return"):
                break
        else:
            raise OutOfStep("a lambda")
        depth = 0
        for place in range(self._tokens.index("{", place), len(self._tokens)):
            depth += (self._tokens[place] == "{") - (self._tokens[place] == "}")
            if depth == 0:
                self._next = place + 1
                return
        raise OutOfStep("a lambda")

    def _is_suffix(self, place: int) -> bool:
        return 0 < place < len(self._tokens) and self._tokens[place - 1] in (".", "->")


def lanes_of(name: str, count: int) -> tuple[int, ...] | None:
    """The element numbers of a swizzle of a `count`-element vector (OpenCL 1.2, section 6.1.7).

    None where `name` is not a swizzle of such a vector.
    """
    # A 3-element vector has the halves of a 4-element one.
    even_count = 4 if count == 3 else count
    match name:
        case "lo":
            lanes = range(even_count // 2)
        case "hi":
            lanes = range(even_count // 2, even_count)
        case "even":
            lanes = range(0, even_count, 2)
        case "odd":
            lanes = range(1, even_count, 2)
        case _ if re.fullmatch(r"[sS][0-9a-fA-F]+", name):
            lanes = [int(digit, 16) for digit in name[1:]]
        case _ if re.fullmatch(r"[xyzw]+|[rgba]+", name):
            lanes = ["xyzwrgba".index(letter) % 4 for letter in name]
        case _:
            return None
    return tuple(lanes) if all(lane < count or count == 3 for lane in lanes) else None
