"""Machines as architecture definitions: what is read, and what is refused with element and line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tta_functions import check
from xdsl.dialects.builtin import ModuleOp

import polycl
from polycl.backends.pipeline import make_context
from polycl.backends.tta.device import TtaDevice
from polycl.dialects.tta import (
    PRESETS,
    FunctionUnit,
    Machine,
    ShortImmediate,
    Socket,
    UnitOperation,
    from_adf,
    from_ir,
    parse_tceasm,
    print_tceasm,
    to_adf,
    to_ir,
)
from polycl.dialects.tta.presets import minimal, paper
from polycl.errors import PolyclError, SourceError
from polycl.frontends.mlir.mlir_text import parse_mlir

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "tta" / "minimal.adf"
TEXT = to_adf(minimal())


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_is_read_as_it_was_written(name: str):
    machine = PRESETS[name]()
    assert from_adf(to_adf(machine), name) == machine


def test_the_example_is_the_smallest_preset():
    assert EXAMPLE.read_text() == TEXT


def test_the_paper_machine_has_the_resources_of_the_paper():
    machine = paper()
    files = [(file.size, len(file.reads), len(file.writes)) for file in machine.register_files]
    assert files == [(32, 1, 1)] * 4 + [(16, 1, 1)] * 5
    units = {name: len(machine.units_with(name)) for name in ("add", "addf", "mulf", "ld32")}
    assert units == {"add": 4, "addf": 4, "mulf": 4, "ld32": 9}
    assert len(machine.buses) == 24


def with_everything() -> Machine:
    """A machine that uses each part of the subset: a call, late guards, few connections."""
    machine = minimal()
    file = machine.register_files[0]
    into, out = replace(file.writes[0], name="ra"), replace(file.reads[0], name="ra")
    call = UnitOperation("call", ("pc",), 0)
    control = replace(
        machine.control,
        operations=(*machine.control.operations, call),
        return_address=(into, out),
        delay_slots=2,
        guard_latency=2,
    )
    bus = machine.buses[0]
    narrow = replace(bus, guards=(), immediate=replace(bus.immediate, width=8, signed=True))
    sockets = (replace(machine.sockets[0], buses=(1,)), *machine.sockets[1:])
    files = (
        file,
        *machine.register_files[1:-1],
        replace(machine.register_files[-1], guard_latency=1),
    )
    return replace(
        machine,
        buses=(narrow, *machine.buses[1:]),
        sockets=sockets,
        control=control,
        register_files=files,
    )


def test_every_part_of_a_machine_survives():
    machine = with_everything()
    assert from_adf(to_adf(machine)) == machine


def refusal(old: str, new: str, text: str = TEXT) -> str:
    """The message about the minimal machine with the first `old` replaced."""
    assert old in text
    with pytest.raises(SourceError) as caught:
        from_adf(text.replace(old, new, 1), "my.adf")
    return str(caught.value)


BUS = '<bus name="B0">'
ADD = "<operation><name>add</name>"
PORT = '<port name="in1t">'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            BUS,
            '<immediate-unit name="IMM"/>' + BUS,
            "element 'immediate-unit' 'IMM': expected a child 'width'",
        ),
        (BUS, "<segment/>" + BUS, "element 'segment': not supported in 'adf'"),
        ("<type>normal<", "<type>odd<", "expected 'normal', 'reserved' or 'volatile', found 'odd'"),
        ("<guard-latency>1<", "<guard-latency>0<", "expected at least one cycle"),
        # What is wrong in ADF, too.
        ("<adf ", "<!DOCTYPE adf><adf ", "document types are not supported"),
        (BUS, "<bus>", "element 'bus': expected an attribute 'name'"),
        ('<bus name="B1">', BUS, "there is a bus 'B0' in line 4 already"),
        ("<bus>B0</bus>", "<bus>B9</bus>", "element 'bus': there is no bus 'B9'"),
        ("<segment>seg1<", "<segment>seg2<", "bus 'B0' has no segment 'seg2'"),
        ("<name>BOOL0<", "<name>B0<", "element 'name': there is no register-file 'B0'"),
        ("<index>1<", "<index>4<", "element 'bool': register-file 'BOOL0' ends at 3"),
        ("<index>1<", "<index>-1<", "element 'index': expected a natural number, found '-1'"),
        ("<extension>zero<", "<extension>one<", "expected 'zero' or 'sign', found 'one'"),
        ("<connects-to>ALU0_in1t<", "<connects-to>X<", "there is no socket 'X'"),
        ('<bind name="1">in1t<', '<bind name="1">in3<', "there is no port 'in3'"),
        ("<address-space>data<", "<address-space>date<", "there is no address-space 'date'"),
    ],
)
def test_what_contradicts_itself_is_refused(old: str, new: str, message: str):
    text = refusal(old, new)
    assert message in text
    line = TEXT[: TEXT.index(old)].count("\n") + 1
    assert text.startswith(f"my.adf:{line}:")


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        (
            'function-unit name="ALU0"',
            'function-unit name="RF0"',
            '<register-file name="RF0">',
            "element 'register-file' 'RF0': a function unit is called 'RF0', too",
        ),
    ],
)
def test_what_is_missing_or_doubled_is_said_where_it_matters(
    old: str, new: str, place: str, message: str
):
    line = TEXT[: TEXT.index(place)].count("\n") + 1
    text = refusal(old, new)
    assert message in text
    assert text.startswith(f"my.adf:{line}:")


def test_what_is_no_xml_is_refused():
    text = refusal("</adf>", "")
    assert text == f"my.adf:{TEXT.count(chr(10)) + 1}:1: error: not XML: no element found"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<little-endian />", ""),
        ("<little-endian />", "<trigger-invalidates-old-results/><little-endian />"),
        (
            BUS,
            '<bridge name="b"><reads-from>B0</reads-from><writes-to>B1</writes-to></bridge>' + BUS,
        ),
        (BUS, '<ota-format name="r"><ota-operation>add</ota-operation></ota-format>' + BUS),
        (BUS, '<immediate-slot name="slot"/>' + BUS),
        ('<segment name="seg1">', '<segment name="seg1"/><segment name="seg2">'),
        ("<always-true />", "<always-false />"),
        ("<bool><name>BOOL0</name><index>0</index></bool>", "<unit><name>ALU0</name></unit>"),
        ("<name>add</name>", "<name>frobnicate</name>"),
        (
            '<pipeline><reads name="1">',
            '<pipeline><resource name="r"><start-cycle>0</start-cycle><cycles>3</cycles></resource>'
            '<reads name="1">',
        ),
        ('<reads name="2"><start-cycle>0', '<reads name="2"><start-cycle>1'),
        ('<bind name="2">in2<', '<bind name="2">in1t<'),
        ("<triggers />", ""),
        ("<triggers /><sets-opcode />", ""),
        ("<type>normal<", "<type>volatile<"),
        ("<width>32</width>", "<width>64</width>"),
        ("<max-reads>1<", "<max-reads>2<"),
        ("<connects-to>ALU0_in2</connects-to>", ""),
        ("<width>8</width>", "<width>16</width>"),
        (
            "<max-writes>1</max-writes>",
            "<max-writes>1</max-writes><zero-register>1</zero-register>",
        ),
    ],
)
def test_what_is_not_scheduled_is_kept(old: str, new: str):
    assert old in TEXT
    machine = from_adf(TEXT.replace(old, new, 1))
    assert machine != minimal()
    assert from_adf(to_adf(machine)) == machine


def test_a_file_of_parts_is_read_and_runs_no_kernel():
    start = TEXT.index("  <global-control-unit")
    end = TEXT.index("</global-control-unit>") + len("</global-control-unit>")
    machine = from_adf(TEXT[:start] + TEXT[end:])
    assert from_adf(to_adf(machine)) == machine
    assert "global-control-unit" in (machine.lacks() or "")
    with pytest.raises(PolyclError, match="runs no kernel: there is no global-control-unit"):
        TtaDevice(machine)


@pytest.mark.parametrize(
    ("old", "reason"),
    [
        ("<name>jump</name>", "has no 'jump' that can be scheduled"),
        ("<name>st32</name>", "expected 'ld32' and 'st32', found "),
        ("<name>st32</name>", "'other' (cannot be scheduled)"),
    ],
)
def test_what_every_program_needs_is_named(old: str, reason: str):
    assert reason in (from_adf(TEXT.replace(old, "<name>other</name>")).lacks() or "")


SHIFTS = """
func.func @shifts(%a : i32, %b : i32) {
  %c0 = arith.constant 0 : i32
  %v = arith.shli %a, %b : i32
  tta.store "st32" %c0, %v : i32
  func.return
}"""

SELECTED = """
func.func @selected(%a : i32, %b : i32) {
  %c0 = arith.constant 0 : i32
  %large = arith.constant 1193046 : i32
  %larger = arith.constant 11930460 : i32
  %c = arith.cmpi slt, %a, %b : i32
  %x = arith.select %c, %large, %larger : i32
  tta.store "st32" %c0, %x : i32
  func.return
}"""


def saxpy(machine: Machine) -> TtaDevice:
    """The device after a launch of saxpy, whose results are compared."""
    device = TtaDevice(machine)
    x, y = np.arange(16, dtype=np.float32), np.ones(16, np.float32)
    polycl.load(EXAMPLE.parents[1] / "saxpy.cl").kernel("saxpy")(
        x, y, 1.5, global_size=16, local_size=4, device=device
    )
    assert (y == 1.5 * x + 1).all()
    return device


@pytest.mark.parametrize("tag", ["max-reads", "max-writes"])
def test_no_limit_of_reads_and_writes_is_that_of_the_ports(tag: str):
    text = TEXT.replace(f"<{tag}>1<", f"<{tag}>0<")
    assert text != TEXT
    assert from_adf(text) == minimal()


def test_operands_that_no_pipeline_lists_are_read_with_the_trigger():
    start = TEXT.index("<pipeline>", TEXT.index("<ctrl-operation>"))
    end = TEXT.index("</pipeline>", start) + len("</pipeline>")
    assert from_adf(TEXT[:start] + "<pipeline/>" + TEXT[end:]) == minimal()


def test_moves_leave_the_only_bus_of_constants_free():
    """Shifts whose number of bits is the operand that triggers, and one bus with constants."""
    machine = minimal()
    alu = machine.units_with("shru")[0]
    swapped = tuple(
        replace(op, ports=("in2", "in1t", "out1")) if op.name in ("shl", "shr", "shru") else op
        for op in alu.operations
    )
    units = [replace(u, operations=swapped) if u == alu else u for u in machine.units]
    buses = [replace(bus, immediate=ShortImmediate(0)) for bus in machine.buses[1:]]
    saxpy(replace(machine, buses=(machine.buses[0], *buses), units=tuple(units)))


def test_both_operands_of_one_register_file_when_the_last_one_triggers():
    """One read port: the operand that does not trigger is read in an earlier cycle."""
    machine = minimal()
    files = tuple(file for file in machine.register_files if file.name != "RF1")
    alu = machine.units_with("shru")[0]
    shifts = [
        replace(op, ports=("in2", "in1t", "out1"))
        for op in alu.operations
        if op.name in ("shl", "shr", "shru")
    ]
    names = {op.name for op in shifts}
    others = tuple(op for op in alu.operations if op.name not in names)
    units = [replace(u, operations=others) if u == alu else u for u in machine.units]
    shifter = replace(alu, name="SHIFTER", operations=tuple(shifts))
    machine = replace(machine, register_files=files, units=(*units, shifter))
    check(SHIFTS, machine, [5, 3])


def test_a_constant_that_guarded_buses_do_not_encode_is_a_long_immediate():
    machine = from_adf(with_long_immediates())
    first, *others = machine.buses
    buses = (first, *(replace(bus, guards=(), immediate=ShortImmediate()) for bus in others[:1]))
    machine = replace(machine, buses=(*buses, *(replace(b, guards=()) for b in others[1:])))
    scheduled, _ = check(SELECTED, machine, [5, 3])
    long = [i.immediate for b in scheduled.program.blocks for i in b.instructions if i.immediate]
    assert long


@pytest.mark.parametrize("latency", [2, 4])
def test_units_of_one_operation_may_have_different_latencies(latency: int):
    machine = paper()
    slow = {unit.name for name in ("add", "mulf", "addf") for unit in machine.units_with(name)[1:]}

    def slower(unit: FunctionUnit) -> FunctionUnit:
        ops = [replace(op, latency=op.latency + latency) for op in unit.operations if op.latency]
        return replace(unit, operations=tuple(ops)) if unit.name in slow else unit

    saxpy(replace(machine, units=tuple(map(slower, machine.units))))


def narrow(machine: Machine, operation: str, operand: int, width: int) -> Machine:
    """The first unit of an operation has fewer bits at the port of an operand."""
    unit = machine.units_with(operation)[0]
    found = unit.operation(operation)
    assert found is not None
    name = found.ports[operand]
    ports = [replace(p, width=width) if p.name == name else p for p in unit.ports]
    units = [replace(u, ports=tuple(ports)) if u == unit else u for u in machine.units]
    return replace(machine, units=tuple(units))


def test_ports_of_few_bits_are_no_operands():
    device = saxpy(narrow(paper(), "add", 1, 16))
    assert len(device.core.units_with("add")) == len(device.machine.units_with("add")) - 1


def test_addresses_of_few_bits_are_refused():
    with pytest.raises(PolyclError, match=r"addresses at the port '.*' have 12 bits; expected at"):
        TtaDevice(narrow(minimal(), "ld32", 0, 12))


def test_units_with_fewer_bits_of_addresses_than_others_access_no_memory():
    device = saxpy(narrow(paper(), "ld32", 0, 12))
    assert len(device.core.units_with("ld32")) == len(device.machine.units_with("ld32")) - 1


def test_registers_that_not_every_unit_reads_hold_no_words():
    machine = paper()
    adders = {f"{unit.name}_{end}" for unit in machine.units_with("add") for end in ("in1t", "in2")}
    apart = {f"{f.name}_rd" for f in machine.register_files[1:] if f.width == 32}

    def connected(socket: Socket) -> Socket:
        if socket.name in adders:
            return replace(socket, buses=socket.buses[:2])
        return replace(socket, buses=socket.buses[2:]) if socket.name in apart else socket

    device = saxpy(replace(machine, sockets=tuple(map(connected, machine.sockets))))
    words = [f.name for f in device.core.register_files if f.allocatable and f.width == 32]
    assert words == [machine.register_files[0].name]


SOCKET = "".join(f"<writes-to><bus>B{i}</bus><segment>seg1</segment></writes-to>" for i in range(3))
LONG = (
    '<immediate-unit name="IMM"><type>normal</type><size>2</size><width>32</width>'
    "<max-reads>1</max-reads><max-writes>1</max-writes><extension>zero</extension>"
    '<port name="rd"><connects-to>IMM_rd</connects-to></port><template name="none"/>'
    '<template name="long"><slot><name>B2</name><width>16</width></slot>'
    "<slot><name>extra</name><width>16</width></slot></template></immediate-unit>"
)


def with_long_immediates() -> str:
    """The minimal machine with constants of 6 bits on its buses, others by a template."""
    text = TEXT.replace(
        "<extension>zero</extension><width>32", "<extension>sign</extension><width>6"
    )
    assert text != TEXT
    parts = f'<socket name="IMM_rd">{SOCKET}</socket>{LONG}<immediate-slot name="extra"/>'
    return text.replace("</adf>", parts + "</adf>")


def test_long_immediates_are_scheduled_and_simulated():
    machine = from_adf(with_long_immediates())
    assert from_adf(to_adf(machine)) == machine
    x = np.arange(16, dtype=np.float32)
    results: list[int] = []
    for engine in ("compiled", "interpreter"):
        y = np.ones(16, np.float32)
        device = TtaDevice(machine, engine=engine)
        polycl.load(EXAMPLE.parents[1] / "saxpy.cl").kernel("saxpy")(
            x, y, 1.5, global_size=16, local_size=4, device=device
        )
        assert (y == 1.5 * x + 1).all()
        assert device.result is not None
        assert device.schedule is not None
        results.append(device.result.cycles)
        program = device.schedule.program
        long = [i.immediate for b in program.blocks for i in b.instructions if i.immediate]
        assert long
        assert parse_tceasm(print_tceasm(program), machine).blocks == program.blocks
        assert from_ir(to_ir(program)) == program
        text = str(ModuleOp([to_ir(program)]))
        assert "tta.immediate" in text
        assert str(parse_mlir(make_context(), text.encode(), "program.mlir")) == text
    assert results[0] == results[1]


@pytest.mark.parametrize(
    "lacks",
    [
        ("addf", "subf", "mulf"),
        ("shl", "shr", "shru", "ne", "lt", "ltu", "le", "leu", "ge", "geu", "min", "max", "sub"),
        ("xor", "minu", "maxu", "sxqw", "sxhw", "ldu8", "ldu16"),
        ("no shr", "no shru", "lt", "ltu"),
    ],
)
def test_operations_that_a_machine_lacks_are_emulated(lacks: tuple[str, ...]):
    text = TEXT
    for name in lacks:
        # A machine without a shifter may have shifts by one bit in its place.
        new = f"{name}1_32" if name in ("shl", "shr", "shru") else f"no_{name}"
        name = name.removeprefix("no ")
        text = text.replace(f"<name>{name}</name>", f"<name>{new}</name>")
        if new.endswith("_32"):
            text = one_operand(text, new)
    machine = from_adf(text)
    assert not any(machine.units_with(name.removeprefix("no ")) for name in lacks)
    source = """
    kernel void k(global const float *x, global float *y, global const int *a, global uint *b) {
      size_t i = get_global_id(0);
      y[i] = x[i] * 1.5f + y[i];
      b[i] = (uint)(a[i] << (a[i] & 3)) / 3 + max(a[i], -7) * (a[i] > -9) - (a[i] >> 2)
           + ((uint)a[i] >> (31 - 4 * i)) + (a[i] >> (4 * i));
    }"""
    x = np.linspace(-3, 1e-3, 8).astype(np.float32)
    a = np.array([-1000000, -9, -1, 0, 1, 7, 12345, 2**31 - 1], np.int32)
    found: list[np.ndarray] = []
    for device in (TtaDevice(machine), polycl.device("interp")):
        y, b = np.full(8, 0.1, np.float32), np.zeros(8, np.uint32)
        polycl.load(source).kernel("k")(x, y, a, b, global_size=8, local_size=4, device=device)
        found += [y.view(np.uint32), b]
    assert (found[0] == found[2]).all()
    assert (found[1] == found[3]).all()


def one_operand(text: str, name: str) -> str:
    """The operation of that name with one operand and its result."""
    at = text.index(f"<name>{name}</name>")
    end = text.index("</operation>", at)
    new = (
        f'<name>{name}</name><bind name="1">in1t</bind><bind name="2">out1</bind><pipeline>'
        '<reads name="1"><start-cycle>0</start-cycle><cycles>1</cycles></reads>'
        '<writes name="2"><start-cycle>0</start-cycle><cycles>1</cycles></writes></pipeline>'
    )
    return text[:at] + new + text[end:]


def test_an_operation_without_replacement_is_named_with_its_place():
    machine = from_adf(re.sub(r"<name>(add|sub)</name>", r"<name>no_\1</name>", TEXT))
    with pytest.raises(PolyclError, match=r"needs 'add'.*no unit of the machine does it"):
        polycl.load(EXAMPLE.parents[1] / "saxpy.cl").kernel("saxpy")(
            np.ones(4, np.float32),
            np.ones(4, np.float32),
            2.0,
            global_size=4,
            device=TtaDevice(machine),
        )


def test_guards_that_reach_jumps_only():
    """No bus with guards is connected to registers: words are selected by masks."""
    machine = minimal()
    guarded, *others = machine.buses
    words = {f"{file.name}_{end}" for file in machine.register_files for end in ("rd", "wr")}
    sockets = [replace(s, buses=s.buses[1:]) if s.name in words else s for s in machine.sockets]
    machine = replace(
        machine,
        sockets=tuple(sockets),
        buses=(guarded, *(replace(bus, guards=()) for bus in others)),
    )
    source = """
    kernel void k(global const float *x, global int *a) {
      size_t i = get_global_id(0);
      bool large = x[i] > 2.0f;
      a[i] = large != (a[i] < 0) ? max(a[i], -3) : (int)x[i];
      if (large ? a[i] & 1 : x[i] < -1.0f) a[i] += 5;
    }"""
    x = np.linspace(-5, 5, 16).astype(np.float32)
    found: list[np.ndarray] = []
    for device in (TtaDevice(machine), polycl.device("interp")):
        a = np.arange(-8, 8, dtype=np.int32)
        polycl.load(source).kernel("k")(x, a, global_size=16, local_size=4, device=device)
        found.append(a)
    assert (found[0] == found[1]).all()


def test_registers_that_reach_no_unit_are_the_reason():
    """The files of registers and the units are on different buses."""
    machine = paper()
    loads = {f"{unit.name}_{port.name}" for unit in machine.units for port in unit.ports}
    half = len(machine.buses) // 2
    sockets = [
        replace(s, buses=s.buses[:half] if s.name in loads else s.buses[half:])
        for s in machine.sockets
    ]
    with pytest.raises(PolyclError, match="connect no register-file of 32 bits with all operands"):
        TtaDevice(replace(machine, sockets=tuple(sockets)))


def test_a_machine_that_only_subtracts():
    machine = minimal()
    units = [
        replace(u, operations=tuple(op for op in u.operations if op.name != "add"))
        for u in machine.units
    ]
    saxpy(replace(machine, units=tuple(units)))
