"""Programs in the grammar of OpenASIP's assembler (its manual, section 5.3).

One instruction ends with `;` and has a slot for each bus, separated by commas; `...` is an empty
slot, and alone an empty instruction. A guard comes before its move, `?` or `!` with a boolean
register. A label names the next instruction, which begins a block. `#` begins a comment: printed
text has the number of the cycle in the block and the notes of the moves there.

A long immediate comes last: `[IU.0=70000]`; its template is the first one that fits.

Not read: data sections, expressions with labels, buses by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from polycl.dialects.tta.checks import Problem, problems
from polycl.dialects.tta.machine import Guard, Machine
from polycl.dialects.tta.program import (
    Block,
    Destination,
    Immediate,
    Instruction,
    Label,
    LongImmediate,
    Move,
    Program,
    Register,
    Source,
    UnitPort,
    parse_end,
    parse_guard,
)
from polycl.errors import SourceError, UnsupportedError


def print_tceasm(program: Program) -> str:
    """The text of a program; `parse_tceasm` reads it back as an equal one."""
    lines = [f"# {program.name}", "CODE ;"]
    buses = len(program.machine.buses)
    for block in program.blocks:
        lines.append("" if block.name is None else f"\n{block.name}:")
        for cycle, instruction in enumerate(block.instructions):
            notes = [f"{m.bus}: {m.note}" for m in instruction.moves if m.note]
            comment = "; ".join([f"cycle {cycle}", *notes])
            lines.append(f"{_slots(instruction, buses)} ; # {comment}")
    return "\n".join([*lines, ""])


def _slots(instruction: Instruction, buses: int) -> str:
    if not instruction.moves and instruction.immediate is None:
        return "..."
    by_bus = {move.bus: str(move) for move in instruction.moves}
    slots = ", ".join(by_bus.get(bus, "...") for bus in range(buses))
    return slots if instruction.immediate is None else f"{slots} {instruction.immediate}"


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    line: int
    col: int


_TOKENS = re.compile(
    r"""(?P<space>[ \t\r\n]+|\#[^\n]*)
    | (?P<end>[A-Za-z_][A-Za-z0-9_.]*)
    | (?P<number>0x[0-9a-fA-F]+|0b[01]+|-?[0-9]+)
    | (?P<sign>->|\.\.\.|[;,:?!=\[\]])""",
    re.VERBOSE,
)


def parse_tceasm(text: str, machine: Machine, filename: str = "<tceasm>") -> Program:
    """The program of an assembly text for a machine.

    Raises SourceError if the text is not assembly or breaks a rule of the machine (checks.py), and
    UnsupportedError for assembly that is not supported here.
    """
    return _Parser(text, machine, filename).program()


def _number(text: str) -> int:
    """A decimal number, also with leading zeros, or one with the prefix `0x` or `0b`."""
    return int(text, {"0x": 16, "0b": 2}.get(text[:2], 10))


class _Parser:
    def __init__(self, text: str, machine: Machine, filename: str):
        self.machine = machine
        self.filename = filename
        self.source_lines = text.splitlines()
        self.name = "main"
        first = re.match(r"# ([A-Za-z_][A-Za-z0-9_]*)\n", text)
        if first is not None:
            self.name = first[1]
        self.tokens = list(self._tokens(text))
        self.at = 0

    def _tokens(self, text: str) -> Iterator[_Token]:
        at, line, line_start = 0, 1, 0
        while at < len(text):
            match = _TOKENS.match(text, at)
            col = at - line_start + 1
            if match is None:
                token = _Token("", text[at], line, col)
                if text[at] in "{+\"'":
                    raise self._unsupported(token, "buses by name and expressions")
                raise self._error(token, f"unexpected '{text[at]}'")
            if match.lastgroup != "space":
                yield _Token(match.lastgroup or "", match[0], line, col)
            newlines = match[0].count("\n")
            if newlines:
                line += newlines
                line_start = at + match[0].rindex("\n") + 1
            at = match.end()
        yield _Token("eof", "the end of the file", line, at - line_start + 1)

    def _error(self, token: _Token, message: str) -> SourceError:
        source = self.source_lines[token.line - 1 : token.line]
        line = source[0] if source else None
        return SourceError(message, self.filename, token.line, token.col, source_line=line)

    def _unsupported(self, token: _Token, what: str) -> UnsupportedError:
        return UnsupportedError(f"{what} are not supported", self.filename, token.line, token.col)

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def _next(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def _optional(self, sign: str) -> bool:
        if self.token.kind == "sign" and self.token.text == sign:
            self.at += 1
            return True
        return False

    def _expect(self, sign: str) -> None:
        if not self._optional(sign):
            raise self._error(self.token, f"expected '{sign}', found '{self.token.text}'")

    def program(self) -> Program:
        self._header()
        control = self.machine.control
        blocks: list[Block] = []
        places: list[list[_Token]] = []
        name: str | None = None
        body: list[Instruction] = []
        starts: list[_Token] = []
        left = -1  # Instructions until the block ends, after a jump.

        def finish() -> None:
            nonlocal name, body, starts, left
            if body:
                blocks.append(Block(name, tuple(body)))
                places.append(starts)
            name, body, starts, left = None, [], [], -1

        while self.token.kind != "eof":
            if self.token.text in ("CODE", "DATA"):
                raise self._unsupported(self.token, "further sections")
            if self.token.kind == "end" and self.tokens[self.at + 1].text == ":":
                if name is not None and not body:
                    raise self._unsupported(self.token, "two labels at one instruction")
                finish()
                name = self._next().text
                self._next()
                continue
            starts.append(self.token)
            body.append(self._instruction())
            left -= 1
            if left < 0 and any(
                isinstance(m.destination, UnitPort)
                and m.destination.unit == control.name
                and m.destination.operation is not None
                for m in body[-1].moves
            ):
                left = control.delay_slots
            if left == 0:
                finish()
        if name is not None and not body:
            raise self._error(self.token, f"expected an instruction after the label '{name}'")
        finish()
        program = Program(self.machine, tuple(blocks), self.name)
        for problem in problems(program):
            raise self._problem(problem, places)
        return program

    def _problem(self, problem: Problem, places: list[list[_Token]]) -> SourceError:
        return self._error(places[problem.block][problem.instruction or 0], problem.message)

    def _header(self) -> None:
        """`CODE ;`, which may give an address."""
        if self.token.text == "DATA":
            raise self._unsupported(self.token, "data sections")
        if self.token.text != "CODE":
            raise self._error(self.token, f"expected 'CODE', found '{self.token.text}'")
        self._next()
        if self.token.kind == "number" and _number(self.token.text) != 0:
            raise self._unsupported(self.token, "programs that do not begin at 0")
        if self.token.kind == "number":
            self._next()
        self._expect(";")

    def _instruction(self) -> Instruction:
        first = self.token
        moves: list[Move] = []
        slots = 0
        immediate: LongImmediate | None = None
        while True:
            if not self._optional("..."):
                moves.append(self._move(slots))
            slots += 1
            if self.token.text == "[":
                immediate = self._immediate({move.bus for move in moves})
                self._expect(";")
                break
            if self._optional(";"):
                break
            self._expect(",")
        if slots != len(self.machine.buses) and (moves or slots > 1):
            expected = f"expected a slot for each of the {len(self.machine.buses)} buses"
            raise self._error(first, f"{expected}, found {slots}")
        return Instruction(tuple(moves), immediate)

    def _immediate(self, buses: set[int]) -> LongImmediate:
        """`[IU.0=5]`, with the first template that is wide enough and has no slot in `buses`."""
        self._expect("[")
        at = self.token
        register = self._end()
        self._expect("=")
        value = self._end()
        self._expect("]")
        if not isinstance(register, Register) or not isinstance(value, Immediate | Label):
            raise self._error(at, "expected a register and a constant or label, as in [IU.0=5]")
        # The addresses of labels are not known yet: the widest template is chosen.
        wide = [e.immediate for e in self.machine.encodings if e.unit == register.file]
        most = max((immediate.width for immediate in wide), default=0)
        for encoding in self.machine.encodings:
            fits = (
                encoding.immediate.holds(value.value)
                if isinstance(value, Immediate)
                else encoding.immediate.width == most
            )
            if encoding.unit == register.file and fits and not encoding.buses & buses:
                return LongImmediate(register, value, encoding.template)
        raise self._error(at, f"no template of the machine encodes '[{register}={value}]' here")

    def _move(self, bus: int) -> Move:
        guard: Guard | None = None
        if self.token.text in ("?", "!"):
            inverted = self._next().text == "!"
            token = self._next()
            try:
                guard = parse_guard(f"{'!' if inverted else ''}{token.text}")
            except ValueError as error:
                raise self._error(token, str(error)) from None
        source = self._end()
        self._expect("->")
        at = self.token
        destination = self._end()
        if isinstance(destination, Immediate | Label):
            raise self._error(at, f"expected a register or a port, found '{at.text}'")
        if isinstance(source, UnitPort) and source.operation is not None:
            source = UnitPort(source.unit, source.port)
        return Move(bus, source, destination, guard)

    def _end(self) -> Source | Destination:
        token = self._next()
        if token.kind == "number":
            value = _number(token.text)
            if not -(1 << 31) <= value < 1 << 32:
                raise self._error(token, f"expected a constant of 32 bits, found {token.text}")
            return Immediate(value & 0xFFFFFFFF)
        if token.kind != "end":
            raise self._error(token, f"expected a source or destination, found '{token.text}'")
        operand = self._operand(token)
        if operand is not None:
            return operand
        try:
            return parse_end(token.text)
        except ValueError as error:
            raise self._error(token, str(error)) from None

    def _operand(self, token: _Token) -> UnitPort | None:
        """`ALU0.add.1`: the port of the first operand of the unit's operation."""
        unit_name, _, rest = token.text.partition(".")
        name, _, number = rest.partition(".")
        if not number.isdecimal():
            return None
        unit = self.machine.unit(unit_name)
        operation = unit.operation(name) if unit is not None else None
        if unit is None or operation is None:
            raise self._error(token, f"the machine has no operation '{unit_name}.{name}'")
        if not 1 <= int(number) <= len(operation.ports):
            raise self._error(token, f"'{name}' has {len(operation.ports)} operands")
        port = operation.ports[int(number) - 1]
        return UnitPort(unit_name, port, name if port == unit.trigger.name else None)
