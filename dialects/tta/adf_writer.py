"""Writes machines as OpenASIP's architecture definition files (ADF), valid for its schema."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from polycl.dialects.tta.machine import (
    Bus,
    ControlUnit,
    FunctionUnit,
    ImmediateUnit,
    Kept,
    Machine,
    Port,
    RegisterFile,
)

VERSION = "1.10"

_ORDER = (
    "trigger-invalidates-old-results always-write-back-results fu-ordered little-endian bitness64 "
    "bus socket bridge function-unit register-file address-space global-control-unit "
    "immediate-unit template immediate-slot ota-format"
).split()
"""The order of elements in the schema."""


def to_adf(machine: Machine) -> str:
    """The architecture definition of a machine."""
    root = Element("adf", version=VERSION)
    if machine.little_endian:
        SubElement(root, "little-endian")
    for bus in machine.buses:
        _write_bus(root, bus)
    for socket in machine.sockets:
        element = SubElement(root, "socket", name=socket.name)
        for index in socket.buses:
            end = SubElement(element, "reads-from" if socket.input else "writes-to")
            _leaf(end, "bus", machine.buses[index].name)
            _leaf(end, "segment", machine.buses[index].segment)
        _keep(element, socket.kept)
    for unit in machine.units:
        element = SubElement(root, "function-unit", name=unit.name)
        _write_unit(element, unit, "operation")
        _leaf(element, "address-space", unit.space)
    for file in machine.register_files:
        _write_file(root, file)
    for space in machine.spaces:
        element = SubElement(root, "address-space", name=space.name)
        _leaf(element, "width", space.width)
        _leaf(element, "min-address", space.minimum)
        _leaf(element, "max-address", space.maximum)
        _keep(element, space.kept)
        for number in space.ids:
            _leaf(element, "numerical-id", number)
    if machine.control.name:
        _write_control(root, machine.control)
    for immediate in machine.immediate_units:
        _write_immediates(root, immediate)
    _keep(root, machine.kept)
    root[:] = sorted(root, key=lambda part: _ORDER.index(part.tag))
    return _indented(root)


def _leaf(parent: Element, tag: str, text: str | int | None) -> None:
    SubElement(parent, tag).text = None if text is None else str(text)


def _keep(parent: Element, elements: tuple[Kept, ...]) -> None:
    for kept in elements:
        element = SubElement(parent, kept.tag, dict(kept.attributes))
        element.text = kept.text or None
        _keep(element, kept.children)


def _write_bus(root: Element, bus: Bus) -> None:
    element = SubElement(root, "bus", name=bus.name)
    _leaf(element, "width", bus.width)
    SubElement(SubElement(element, "guard"), "always-true")
    for guard in bus.guards:
        term = "inverted-expr" if guard.inverted else "simple-expr"
        register = SubElement(SubElement(SubElement(element, "guard"), term), "bool")
        _leaf(register, "name", guard.register_file)
        _leaf(register, "index", guard.index)
    _keep(element, bus.kept)
    if bus.segments:
        _keep(element, bus.segments)
    else:
        SubElement(SubElement(element, "segment", name="seg1"), "writes-to")
    immediate = SubElement(element, "short-immediate")
    _leaf(immediate, "extension", "sign" if bus.immediate.signed else "zero")
    _leaf(immediate, "width", bus.immediate.width)


def _write_unit(element: Element, unit: FunctionUnit, tag: str) -> None:
    for port in unit.ports:
        child = _write_port(element, port)
        _leaf(child, "width", port.width)
        flags = {kept.tag for kept in port.kept}
        if port.triggers and not flags & {"triggers", "sets-opcode"}:
            SubElement(child, "triggers")
            SubElement(child, "sets-opcode")
        _keep(child, tuple(kept for kept in port.kept if kept.tag != "connects-to"))
    if tag == "operation":
        _write_operations(element, unit, tag)


def _write_port(element: Element, port: Port) -> Element:
    child = SubElement(element, "port", name=port.name)
    if port.socket:
        _leaf(child, "connects-to", port.socket)
    _keep(child, tuple(kept for kept in port.kept if kept.tag == "connects-to"))
    return child


def _write_operations(element: Element, unit: FunctionUnit, tag: str) -> None:
    for op in unit.operations:
        child = SubElement(element, tag)
        _leaf(child, "name", op.spelling or op.name)
        for number, port in enumerate(op.ports, 1):
            SubElement(child, "bind", name=str(number)).text = port
        pipeline = SubElement(child, "pipeline")
        for number in range(1, len(op.ports) + 1):
            is_read = number <= len(op.inputs)
            use = SubElement(pipeline, "reads" if is_read else "writes", name=str(number))
            _leaf(use, "start-cycle", 0 if is_read else op.latency - 1)
            _leaf(use, "cycles", 1)
    _keep(element, tuple(kept for kept in unit.kept if kept.tag == tag))


def _write_file(root: Element, file: RegisterFile) -> None:
    element = SubElement(root, "register-file", name=file.name)
    _leaf(element, "type", file.kind)
    _leaf(element, "size", file.size)
    _leaf(element, "width", file.width)
    reads, writes = file.limits or (len(file.reads), len(file.writes))
    _leaf(element, "max-reads", reads)
    _leaf(element, "max-writes", writes)
    if file.guard_latency:
        _leaf(element, "guard-latency", file.guard_latency)
    for port in (*file.writes, *file.reads, *file.unused):
        _write_port(element, port)
    if file.zero:
        _leaf(element, "zero-register", "true")


def _write_immediates(root: Element, unit: ImmediateUnit) -> None:
    element = SubElement(root, "immediate-unit", name=unit.name)
    _leaf(element, "type", unit.kind)
    _leaf(element, "size", unit.size)
    _leaf(element, "width", unit.width)
    reads, writes = unit.limits or (len(unit.reads), 1)
    _leaf(element, "max-reads", reads)
    _leaf(element, "max-writes", writes)
    if unit.guard_latency:
        _leaf(element, "guard-latency", unit.guard_latency)
    _leaf(element, "latency", unit.latency)
    _leaf(element, "extension", "sign" if unit.signed else "zero")
    for port in unit.reads:
        _write_port(element, port)
    for template in unit.templates:
        child = SubElement(element, "template", name=template.name)
        for name, width in template.slots:
            slot = SubElement(child, "slot")
            _leaf(slot, "name", name)
            _leaf(slot, "width", width)


def _write_control(root: Element, control: ControlUnit) -> None:
    element = SubElement(root, "global-control-unit", name=control.name)
    _write_unit(element, control.unit, "ctrl-operation")
    if control.return_address is not None:
        child = SubElement(element, "special-port", name=control.return_address[0].name)
        for port in control.return_address:
            _leaf(child, "connects-to", port.socket)
        _leaf(child, "width", control.return_address[0].width)
        _leaf(element, "return-address", control.return_address[0].name)
    else:
        _keep(element, tuple(k for k in control.kept if k.tag == "special-port"))
        returns = [k for k in control.kept if k.tag == "return-address"]
        _leaf(element, "return-address", returns[0].text if returns else None)
    _write_operations(element, control.unit, "ctrl-operation")
    _leaf(element, "address-space", control.space)
    _leaf(element, "delay-slots", control.delay_slots)
    _leaf(element, "guard-latency", control.guard_latency)


def _indented(root: Element) -> str:
    """The text with one line for each element of the second level."""
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="no" ?>']
    lines.append(f'<adf version="{VERSION}">')
    for part in root:
        if not len(part):
            lines.append(f"  {tostring(part, encoding='unicode')}")
            continue
        opening = tostring(Element(part.tag, part.attrib), encoding="unicode").replace(" />", ">")
        lines.append(f"  {opening}")
        lines += [f"    {tostring(child, encoding='unicode')}" for child in part]
        lines.append(f"  </{part.tag}>")
    return "\n".join([*lines, "</adf>", ""])
