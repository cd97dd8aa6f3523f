"""Machines as architecture definitions: what is read, and what is refused with element and line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from polycl.dialects.tta import PRESETS, Machine, UnitOperation, from_adf, to_adf
from polycl.dialects.tta.presets import minimal, paper
from polycl.errors import SourceError

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
        # What OpenASIP has and we do not.
        ("<little-endian />", '<bridge name="b"/>', "element 'bridge' 'b': not supported in 'adf'"),
        (
            "<little-endian />",
            "<trigger-invalidates-old-results/>",
            "element 'trigger-invalidates-old-results': not supported in 'adf'",
        ),
        (
            BUS,
            '<immediate-unit name="IMM"/>' + BUS,
            "element 'immediate-unit' 'IMM': not supported in 'adf'",
        ),
        (
            '<segment name="seg1">',
            '<segment name="seg0"/><segment name="seg1">',
            "element 'segment' 'seg1': more than one in 'bus' is not supported",
        ),
        (
            "<simple-expr><bool>",
            "<and-expr/><simple-expr><bool>",
            "element 'and-expr': not supported in 'guard'",
        ),
        (
            "<bool><name>BOOL0</name><index>0</index></bool>",
            "<unit/>",
            "element 'unit': not supported in 'simple-expr'",
        ),
        (
            "<name>add</name>",
            "<name>frobnicate</name>",
            "element 'name': the operation 'frobnicate' is not supported",
        ),
        (
            '<pipeline><reads name="1">',
            '<pipeline><resource name="r"/><reads name="1">',
            "element 'resource' 'r': not supported in 'pipeline'",
        ),
        (
            '<reads name="2"><start-cycle>0',
            '<reads name="2"><start-cycle>1',
            "element 'reads' '2': operands read after the trigger are not supported",
        ),
        ("<type>normal<", "<type>volatile<", "of type 'volatile' are not supported"),
        ("<width>32</width>", "<width>64</width>", "buses of other widths than 32"),
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
        ("<triggers />", "", "expected 'triggers' and 'sets-opcode' on the same port"),
        ('<bind name="1">in1t<', '<bind name="1">in3<', "there is no port 'in3'"),
        ('<bind name="1">in1t<', '<bind name="1">out1<', "operand 1 of 'add' is an input"),
        ('<bind name="3">out1<', '<bind name="3">in2<', "operand 3 of 'add' is the output"),
        ('<bind name="2">in2<', '<bind name="2">in1t<', "a port of its own for each operand"),
        ("<address-space>data<", "<address-space>date<", "there is no address-space 'date'"),
        ("<address-space>data<", "<address-space><", "address space of the unit's loads"),
        ("<max-reads>1<", "<max-reads>0<", "fewer than the ports are not supported"),
    ],
)
def test_what_is_not_in_the_subset_is_refused(old: str, new: str, message: str):
    text = refusal(old, new)
    assert message in text
    line = TEXT[: TEXT.index(old)].count("\n") + 1
    assert text.startswith(f"my.adf:{line}:")


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("<little-endian />", "", "<adf ", "element 'adf': expected a child 'little-endian'"),
        (
            "<triggers /><sets-opcode />",
            "",
            '<function-unit name="ALU0">',
            "element 'function-unit' 'ALU0': expected one port that 'triggers'",
        ),
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
    assert text == f"my.adf:{TEXT.count(chr(10)) + 1}:1: error: no XML: no element found"


def test_the_line_is_that_of_the_element():
    text = refusal("<name>gtu</name>", "<name>gtx</name>")
    line = next(n for n, line in enumerate(TEXT.splitlines(), 1) if "<name>gtu<" in line)
    assert text == (
        f"my.adf:{line}:16: error: element 'name': the operation 'gtx' is not supported"
    )
