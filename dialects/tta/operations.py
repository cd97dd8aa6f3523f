"""Operations of the `tta` dialect: a program, move by move."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr, SymbolNameConstraint, i32
from xdsl.ir import Attribute, Operation, Region
from xdsl.ir import Block as IRBlock
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.tta.attributes import EndAttr, GuardAttr
from polycl.dialects.tta.checks import block_problems, instruction_problems
from polycl.dialects.tta.machine import Guard, Machine
from polycl.dialects.tta.presets import describe, parse_machine
from polycl.dialects.tta.program import (
    Block,
    Immediate,
    Instruction,
    Label,
    LongImmediate,
    Move,
    Program,
    Register,
    parse_end,
    parse_guard,
)
from polycl.errors import SourceError


@irdl_op_definition
class ProgramOp(IRDLOperation):
    """A program for one machine.

    ```
    tta.program @answer on "minimal" {
      tta.block @entry {
        tta.instruction {
          tta.move 40 -> ALU0.in2 bus 0
          tta.move 2 -> ALU0.in1t.add bus 1
        }
        tta.instruction {
          tta.move ALU0.out1 -> RF0.0 bus 0
        }
      }
    }
    ```

    The machine is a preset with its options, `paper buses=12`, or the text of its ADF. Execution
    begins with the first block and ends after the last one.
    """

    name = "tta.program"

    sym_name = prop_def(SymbolNameConstraint())
    machine_text = prop_def(StringAttr, prop_name="machine")
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    assembly_format = "$sym_name `on` $machine attr-dict-with-keyword $body"

    def __init__(self, name: str, machine: Machine, blocks: Region):
        super().__init__(
            properties={"sym_name": StringAttr(name), "machine": StringAttr(describe(machine))},
            regions=[blocks],
        )

    @property
    def machine(self) -> Machine:
        """Raises SourceError or ValueError if the text does not describe a machine."""
        return parse_machine(self.machine_text.data)

    def verify_(self) -> None:
        try:
            _ = self.machine
        except (SourceError, ValueError) as error:
            raise VerifyException(f"the machine: {error}") from None
        for op in self.body.block.ops:
            if not isinstance(op, BlockOp):
                raise VerifyException(f"expected 'tta.block' only, found '{op.name}'")
        program = from_ir(self)
        for block in program.blocks:
            for at, message in block_problems(program, block):
                place = f"block '{block.name}'" if block.name else "block without a name"
                where = place if at is None else f"{place}, instruction {at}"
                raise VerifyException(f"{where}: {message}")


@irdl_op_definition
class BlockOp(IRDLOperation):
    """Consecutive instructions; `tta.block @loop { ... }`.

    Jumps go to the first instruction, and take effect after the last one: the delay slots of a jump
    end its block. If a jump is not taken, the next block follows.
    """

    name = "tta.block"

    label = opt_prop_def(StringAttr)
    body = region_def("single_block")

    traits = traits_def(HasParent(ProgramOp), NoTerminator())

    def __init__(self, label: str | None, body: Region):
        name = None if label is None else StringAttr(label)
        super().__init__(properties={"label": name}, regions=[body])

    def verify_(self) -> None:
        for op in self.body.block.ops:
            if not isinstance(op, InstructionOp):
                raise VerifyException(f"expected 'tta.instruction' only, found '{op.name}'")

    @classmethod
    def parse(cls, parser: Parser) -> BlockOp:
        label = parser.parse_optional_symbol_name()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(None if label is None else label.data, _region(parser))
        op.attributes.update({} if attributes is None else attributes.data)
        return op

    def print(self, printer: Printer) -> None:
        if self.label is not None:
            printer.print_string(" ")
            printer.print_symbol_name(self.label.data)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


@irdl_op_definition
class InstructionOp(IRDLOperation):
    """The moves of one cycle, which all happen at once; `tta.instruction {}` does nothing."""

    name = "tta.instruction"

    body = region_def("single_block")

    traits = traits_def(HasParent(BlockOp), NoTerminator())

    def __init__(self, moves: Region):
        super().__init__(regions=[moves])

    def verify_(self) -> None:
        for op in self.body.block.ops:
            if not isinstance(op, MoveOp | ImmediateOp):
                raise VerifyException(
                    f"expected 'tta.move' and 'tta.immediate' only, found '{op.name}'"
                )
        immediates = [op for op in self.body.block.ops if isinstance(op, ImmediateOp)]
        if len(immediates) > 1:
            raise VerifyException("expected one 'tta.immediate' at most: there is one template")
        program = self._program()
        if program is None:
            return
        try:
            machine = program.machine
        except (SourceError, ValueError):
            return  # The verifier of the program reports it.
        for message in instruction_problems(machine, instruction_from_ir(self)):
            raise VerifyException(message)

    def _program(self) -> ProgramOp | None:
        block = self.parent_op()
        program = None if block is None else block.parent_op()
        if isinstance(program, ProgramOp):
            # A program is verified after its contents.
            if isinstance(program.properties.get("machine"), StringAttr):
                return program
        return None

    @classmethod
    def parse(cls, parser: Parser) -> InstructionOp:
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(_region(parser))
        op.attributes.update({} if attributes is None else attributes.data)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


@irdl_op_definition
class MoveOp(IRDLOperation):
    """A transport from a source to a destination on a bus, with an optional guard.

    ```
    tta.move RF0.3 -> ALU0.in1t.add bus 2
    tta.move loop -> gcu.pc.jump bus 0 if !BOOL0.1
    tta.move 42 -> ALU0.in2 bus 1 note "wi=3"
    ```

    Sources and destinations are written as in OpenASIP's assembly; `loop` is the address of
    `tta.block @loop`. A note describes the origin of the move.
    """

    name = "tta.move"

    source = prop_def(EndAttr)
    destination = prop_def(EndAttr)
    bus = prop_def(IntegerAttr)
    guard = opt_prop_def(GuardAttr)
    note = opt_prop_def(StringAttr)

    traits = lazy_traits_def(lambda: (HasParent(InstructionOp),))

    def __init__(self, move: Move):
        super().__init__(
            properties={
                "source": EndAttr(move.source),
                "destination": EndAttr(move.destination),
                "bus": IntegerAttr(move.bus, i32),
                "guard": None if move.guard is None else GuardAttr(move.guard),
                "note": StringAttr(move.note) if move.note else None,
            }
        )

    @property
    def move(self) -> Move:
        """The move as data."""
        destination = self.destination.data
        if isinstance(destination, Immediate | Label):
            raise VerifyException(f"expected a register or a port to move to, got '{destination}'")
        return Move(
            self.bus.value.data,
            self.source.data,
            destination,
            None if self.guard is None else self.guard.data,
            "" if self.note is None else self.note.data,
        )

    def verify_(self) -> None:
        _ = self.move

    @classmethod
    def parse(cls, parser: Parser) -> MoveOp:
        source = _parse_end(parser)
        parser.parse_punctuation("->")
        destination = _parse_end(parser)
        parser.parse_keyword("bus")
        properties: dict[str, Attribute] = {
            "source": source,
            "destination": destination,
            "bus": IntegerAttr(parser.parse_integer(allow_boolean=False), i32),
        }
        if parser.parse_optional_keyword("if"):
            properties["guard"] = GuardAttr(_parse_guard(parser))
        if parser.parse_optional_keyword("note"):
            properties["note"] = StringAttr(parser.parse_str_literal())
        attributes = parser.parse_optional_attr_dict()
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        bus = self.bus.value.data
        printer.print_string(f" {self.source.data} -> {self.destination.data} bus {bus}")
        if self.guard is not None:
            printer.print_string(f" if {str(self.guard.data).replace('!', 'not ')}")
        if self.note is not None:
            printer.print_string(" note ")
            printer.print_string_literal(self.note.data)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class ImmediateOp(IRDLOperation):
    """A long immediate: a constant that the bits of an instruction's template encode.

    ```
    tta.immediate 305419896 -> IU.0 template "limm"
    ```

    It can be read from the register of the immediate unit from the next instruction on. The buses
    that are slots of the template move nothing in this instruction.
    """

    name = "tta.immediate"

    value = prop_def(EndAttr)
    register = prop_def(EndAttr)
    template = prop_def(StringAttr)

    traits = lazy_traits_def(lambda: (HasParent(InstructionOp),))

    def __init__(self, immediate: LongImmediate):
        super().__init__(
            properties={
                "value": EndAttr(immediate.value),
                "register": EndAttr(immediate.register),
                "template": StringAttr(immediate.template),
            }
        )

    @property
    def immediate(self) -> LongImmediate:
        """The immediate as data."""
        value, register = self.value.data, self.register.data
        if not isinstance(value, Immediate | Label) or not isinstance(register, Register):
            raise VerifyException(
                f"expected a constant and a register, got '{value} -> {register}'"
            )
        return LongImmediate(register, value, self.template.data)

    def verify_(self) -> None:
        _ = self.immediate

    @classmethod
    def parse(cls, parser: Parser) -> ImmediateOp:
        value = _parse_end(parser)
        parser.parse_punctuation("->")
        register = _parse_end(parser)
        parser.parse_keyword("template")
        template = StringAttr(parser.parse_str_literal())
        properties = {"value": value, "register": register, "template": template}
        return cls.create(properties=properties, attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.value.data} -> {self.register.data} template ")
        printer.print_string_literal(self.template.data)
        printer.print_op_attributes(self.attributes)


def _parse_end(parser: Parser) -> EndAttr:
    at = parser.pos
    value = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    text = str(value) if value is not None else parser.parse_identifier()
    try:
        return EndAttr(parse_end(text))
    except ValueError as error:
        parser.raise_error(str(error), at)


def _parse_guard(parser: Parser) -> Guard:
    at = parser.pos
    inverted = "!" if parser.parse_optional_keyword("not") else ""
    try:
        return parse_guard(inverted + parser.parse_identifier())
    except ValueError as error:
        parser.raise_error(str(error), at)


def _region(parser: Parser) -> Region:
    region = parser.parse_region()
    if not region.blocks:
        region.add_block(IRBlock())
    return region


def _region_of(ops: list[Operation]) -> Region:
    return Region(IRBlock(ops))


def to_ir(program: Program) -> ProgramOp:
    """The operations of a program."""
    blocks: list[Operation] = []
    for block in program.blocks:
        instructions: list[Operation] = [
            InstructionOp(_region_of(_contents(instruction))) for instruction in block.instructions
        ]
        blocks.append(BlockOp(block.name, _region_of(instructions)))
    return ProgramOp(program.name, program.machine, _region_of(blocks))


def _contents(instruction: Instruction) -> list[Operation]:
    immediate = instruction.immediate
    found: list[Operation] = [] if immediate is None else [ImmediateOp(immediate)]
    return found + [MoveOp(move) for move in instruction.moves]


def instruction_from_ir(op: InstructionOp) -> Instruction:
    ops = list(op.body.block.ops)
    moves = (move.move for move in ops if isinstance(move, MoveOp))
    immediates = (found.immediate for found in ops if isinstance(found, ImmediateOp))
    return Instruction(tuple(sorted(moves, key=lambda move: move.bus)), next(immediates, None))


def from_ir(op: ProgramOp) -> Program:
    """The program of verified operations."""
    blocks = tuple(
        Block(
            None if block.label is None else block.label.data,
            tuple(instruction_from_ir(cast(InstructionOp, i)) for i in block.body.block.ops),
        )
        for block in (cast(BlockOp, block) for block in op.body.block.ops)
    )
    return Program(op.machine, blocks, op.sym_name.data)
