"""Writes machines as OpenASIP's architecture definition files (ADF), valid for its schema."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from polycl.dialects.tta.machine import Bus, ControlUnit, FunctionUnit, Machine, RegisterFile

VERSION = "1.10"


def to_adf(machine: Machine) -> str:
    """The architecture definition of a machine."""
    root = Element("adf", version=VERSION)
    SubElement(root, "little-endian")
    for bus in machine.buses:
        _write_bus(root, bus)
    for socket in machine.sockets:
        element = SubElement(root, "socket", name=socket.name)
        for index in socket.buses:
            end = SubElement(element, "reads-from" if socket.input else "writes-to")
            _leaf(end, "bus", machine.buses[index].name)
            _leaf(end, "segment", "seg1")
    for unit in machine.units:
        element = SubElement(root, "function-unit", name=unit.name)
        _write_unit(element, unit, "operation")
        _leaf(element, "address-space", unit.space)
    for file in machine.register_files:
        _write_file(root, file)
    for space in machine.spaces:
        element = SubElement(root, "address-space", name=space.name)
        _leaf(element, "width", 8)
        _leaf(element, "min-address", space.minimum)
        _leaf(element, "max-address", space.maximum)
        for number in space.ids:
            _leaf(element, "numerical-id", number)
    _write_control(root, machine.control)
    return _indented(root)


def _leaf(parent: Element, tag: str, text: str | int | None) -> None:
    SubElement(parent, tag).text = None if text is None else str(text)


def _write_bus(root: Element, bus: Bus) -> None:
    element = SubElement(root, "bus", name=bus.name)
    _leaf(element, "width", bus.width)
    SubElement(SubElement(element, "guard"), "always-true")
    for guard in bus.guards:
        term = "inverted-expr" if guard.inverted else "simple-expr"
        register = SubElement(SubElement(SubElement(element, "guard"), term), "bool")
        _leaf(register, "name", guard.register_file)
        _leaf(register, "index", guard.index)
    SubElement(SubElement(element, "segment", name="seg1"), "writes-to")
    immediate = SubElement(element, "short-immediate")
    _leaf(immediate, "extension", "sign" if bus.immediate.signed else "zero")
    _leaf(immediate, "width", bus.immediate.width)


def _write_unit(element: Element, unit: FunctionUnit, tag: str) -> None:
    for port in unit.ports:
        child = SubElement(element, "port", name=port.name)
        _leaf(child, "connects-to", port.socket)
        _leaf(child, "width", port.width)
        if port.triggers:
            SubElement(child, "triggers")
            SubElement(child, "sets-opcode")
    if tag == "operation":
        _write_operations(element, unit, tag)


def _write_operations(element: Element, unit: FunctionUnit, tag: str) -> None:
    for op in unit.operations:
        child = SubElement(element, tag)
        _leaf(child, "name", op.name)
        for number, port in enumerate(op.ports, 1):
            SubElement(child, "bind", name=str(number)).text = port
        pipeline = SubElement(child, "pipeline")
        for number in range(1, len(op.ports) + 1):
            is_read = number <= len(op.inputs)
            use = SubElement(pipeline, "reads" if is_read else "writes", name=str(number))
            _leaf(use, "start-cycle", 0 if is_read else op.latency - 1)
            _leaf(use, "cycles", 1)


def _write_file(root: Element, file: RegisterFile) -> None:
    element = SubElement(root, "register-file", name=file.name)
    _leaf(element, "type", "normal")
    _leaf(element, "size", file.size)
    _leaf(element, "width", file.width)
    _leaf(element, "max-reads", len(file.reads))
    _leaf(element, "max-writes", len(file.writes))
    if file.guard_latency:
        _leaf(element, "guard-latency", file.guard_latency)
    for port in (*file.writes, *file.reads):
        _leaf(SubElement(element, "port", name=port.name), "connects-to", port.socket)


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
        SubElement(element, "return-address")
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
        name = f' name="{part.get("name")}"'
        lines.append(f"  <{part.tag}{name}>")
        lines += [f"    {tostring(child, encoding='unicode')}" for child in part]
        lines.append(f"  </{part.tag}>")
    return "\n".join([*lines, "</adf>", ""])
