"""Programs as assembly text: what is read and printed, and where errors are."""

from __future__ import annotations

import random
from dataclasses import replace
from io import StringIO

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer

from polycl.dialects.tta import (
    TTA,
    Block,
    Immediate,
    Instruction,
    Label,
    Machine,
    Move,
    Program,
    ProgramOp,
    Register,
    ShortImmediate,
    Source,
    UnitPort,
    from_ir,
    parse_tceasm,
    print_tceasm,
    problems,
    to_ir,
)
from polycl.dialects.tta.checks import instruction_problems
from polycl.dialects.tta.presets import minimal, paper
from polycl.errors import SourceError

MINIMAL = minimal()


def test_forms_of_moves():
    program = parse_tceasm(
        """
        # sums
        CODE 0 ;   # The address is 0 in any case.
        start:
        0x10 -> RF0.1, ? BOOL0.1 RF1.2 -> ALU0.in1t.add, !BOOL0.0 -01 -> ALU0.in2 ;
        ... ;
        ..., 0b101 -> ALU0.add.1, ALU0.out1.add -> RF0.2 ;
        start -> gcu.jump.1, ..., ... ; ... ; ... ; ... ;
        """,
        MINIMAL,
    )
    block, jump = program.blocks[0], program.blocks[0].instructions[3]
    assert [b.name for b in program.blocks] == ["start"]
    assert [str(move) for i in block.instructions[:3] for move in i.moves] == [
        "16 -> RF0.1",
        "?BOOL0.1 RF1.2 -> ALU0.in1t.add",
        "!BOOL0.0 4294967295 -> ALU0.in2",
        "5 -> ALU0.in1t.add",
        "ALU0.out1 -> RF0.2",
    ]
    assert jump.moves == (Move(0, Label("start"), UnitPort("gcu", "pc", "jump")),)


def test_a_block_ends_behind_the_delay_slots():
    text = "CODE ;\na: a -> gcu.pc.jump, ..., ... ; ... ; ... ; ... ; ... ;\nb: ... ;"
    program = parse_tceasm(text, MINIMAL)
    assert [(b.name, len(b.instructions)) for b in program.blocks] == [
        ("a", 4),
        (None, 1),
        ("b", 1),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: error: expected 'CODE', found 'the end of the file'"),
        ("CODE ;\n... ... ;", "2:5: error: expected ',', found '...'"),
        (
            "CODE ;\n1 -> RF0.0, ... ;",
            "2:1: error: expected a slot for each of the 3 buses, found 2",
        ),
        ("CODE ;\n1 -> 2, ..., ... ;", "2:6: error: expected a register or a port, found '2'"),
        ("CODE ;\n1 RF0.0, ..., ... ;", "2:3: error: expected '->', found 'RF0.0'"),
        (
            "CODE ;\n-> RF0.0, ..., ... ;",
            "2:1: error: expected a source or destination, found '->'",
        ),
        ("CODE ;\n?RF0 1 -> RF0.0, ... ;", "2:2: error: expected a guard such as BOOL0.3"),
        ("CODE ;\n0x100000000 -> RF0.0, ... ;", "2:1: error: expected a constant of 32 bits"),
        ("CODE ;\n1 -> ALU0.mulf.1, ..., ... ;", "2:6: error: the machine has no operation"),
        ("CODE ;\n1 -> ALU0.add.4, ..., ... ;", "2:6: error: 'add' has 3 operands"),
        ("CODE ;\n1 -> RF7.0, ..., ... ;", "2:1: error: '1 -> RF7.0': there is no register file"),
        ("CODE ;\n... ;\nlate: ", "3:7: error: expected an instruction after the label 'late'"),
        ("CODE ;\nx -> gcu.pc.jump, ..., ... ; ... ; ... ; ... ;", "2:1: error: there is no block"),
        ("CODE ;\n&", "2:1: error: unexpected '&'"),
        # What OpenASIP reads and we do not.
        ("CODE 16 ;", "1:6: error: programs that do not begin at 0 are not supported"),
        ("DATA data ;", "1:1: error: data sections are not supported"),
        ("CODE ;\n... ;\nDATA data ;", "3:1: error: further sections are not supported"),
        ("CODE ;\n[IU.0=5], ..., ... ;", "2:1: error: expected a source or destination, found '['"),
        ("CODE ;\na: b: ... ;", "2:4: error: two labels at one instruction are not supported"),
    ],
)
def test_errors_stand_where_they_are(text: str, message: str):
    with pytest.raises(SourceError) as caught:
        parse_tceasm(text, MINIMAL, "p.tceasm")
    assert f"p.tceasm:{message}" in str(caught.value)


def test_a_jump_over_a_label_is_refused_at_its_line():
    text = "CODE ;\nstart -> gcu.pc.jump, ..., ... ;\n... ;\nstart: ... ;"
    with pytest.raises(SourceError, match="p:2:1: error: a jump has 3 delay slots, .* 1 instr"):
        parse_tceasm(text, MINIMAL, "p")


@pytest.mark.parametrize(
    ("signed", "value", "fits"),
    [(False, 255, True), (False, 256, False), (False, -1, False)]
    + [(True, 127, True), (True, 128, False), (True, -128, True), (True, 0xFFFFFF7F, False)],
)
def test_constants_fit_the_immediates_of_their_bus(signed: bool, value: int, fits: bool):
    narrow = replace(MINIMAL.buses[0], immediate=ShortImmediate(8, signed))
    machine = replace(MINIMAL, buses=(narrow, *MINIMAL.buses[1:]))
    instruction = Instruction((Move(0, Immediate(value & 0xFFFFFFFF), Register("RF0", 0)),))
    assert (list(instruction_problems(machine, instruction)) == []) == fits


def test_a_bus_that_does_not_reach_a_port():
    socket = MINIMAL.unit("ALU0").port("in2").socket  # pyright: ignore[reportOptionalMemberAccess]
    sockets = tuple(replace(s, buses=(1,)) if s.name == socket else s for s in MINIMAL.sockets)
    machine = replace(MINIMAL, sockets=sockets)
    for bus, message in (
        (0, ["'1 -> ALU0.in2': bus 'B0' does not connect to 'ALU0.in2'"]),
        (1, []),
    ):
        move = Move(bus, Immediate(1), UnitPort("ALU0", "in2"))
        assert list(instruction_problems(machine, Instruction((move,)))) == message


def random_program(machine: Machine, rng: random.Random) -> Program:
    """Random moves, of which those are left out that break a rule."""
    registers = [Register(f.name, i) for f in machine.register_files for i in range(f.size)]
    inputs = [UnitPort(u.name, p.name) for u in machine.units for p in u.ports if machine.takes(p)]
    triggers = [
        UnitPort(u.name, u.trigger.name, op.name) for u in machine.units for op in u.operations
    ]
    outputs = [
        UnitPort(u.name, p.name) for u in machine.units for p in u.ports if not machine.takes(p)
    ]
    names = [None, "a", "b", "_c3"]
    blocks: list[Block] = []
    for name in names:
        instructions: list[Instruction] = []
        for _ in range(rng.randrange(1, 6)):
            moves: tuple[Move, ...] = ()
            for bus in range(len(machine.buses)):
                sources: list[Source] = [
                    Immediate(rng.randrange(1 << 32)),
                    rng.choice(registers),
                    rng.choice(outputs),
                    Label(rng.choice(["a", "b", "_c3"])),
                ]
                destination = rng.choice([rng.choice(g) for g in (registers, inputs, triggers)])
                guard = rng.choice([None, rng.choice(machine.buses[bus].guards)])
                move = Move(bus, rng.choice(sources), destination, guard)
                if not list(instruction_problems(machine, Instruction((*moves, move)))):
                    moves = (*moves, move)
            instructions.append(Instruction(moves))
        if rng.random() < 0.5:
            jump = Move(0, Label("b"), UnitPort("gcu", "pc", "jump"), note="back")
            instructions.append(Instruction((jump,)))
            instructions += [Instruction()] * machine.control.delay_slots
        blocks.append(Block(name, tuple(instructions)))
    return Program(machine, tuple(blocks), "random")


@pytest.mark.parametrize("seed", range(20))
def test_programs_survive_as_text_and_as_operations(seed: int):
    machine = [MINIMAL, paper(buses=7)][seed % 2]
    program = random_program(machine, random.Random(seed))
    assert list(problems(program)) == []
    text = print_tceasm(program)
    assert parse_tceasm(text, machine) == program
    assert from_ir(to_ir(program)) == program


@pytest.mark.parametrize("generic", [False, True])
def test_operations_carry_a_machine_that_has_no_name(generic: bool):
    machine = replace(MINIMAL, buses=(replace(MINIMAL.buses[0], name="north"), *MINIMAL.buses[1:]))
    module = ModuleOp([to_ir(random_program(machine, random.Random(1)))])
    output = StringIO()
    Printer(stream=output, print_generic_format=generic).print_op(module)
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(TTA)
    parsed = Parser(context, output.getvalue()).parse_module()
    parsed.verify()
    assert parsed.is_structurally_equivalent(module)
    (op,) = parsed.ops
    assert isinstance(op, ProgramOp)
    assert op.machine == machine
