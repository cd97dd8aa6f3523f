"""Reads machines from a strict subset of OpenASIP's architecture definition files (ADF).

A file with a feature that `Machine` cannot represent is refused, with the element and its line:
bridges, buses of several segments, immediate units and instruction templates, guards on ports or
of two terms, operations that use pipeline resources or take operands after the trigger, bits
that change the timing (`trigger-invalidates-old-results`, ...). What `to_adf` (adf_writer.py)
writes, `from_adf` reads back as an equal machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from polycl.dialects.tta.adf_tree import Node, parse_xml
from polycl.dialects.tta.machine import (
    AddressSpace,
    Bus,
    ControlUnit,
    FunctionUnit,
    Guard,
    Machine,
    Port,
    RegisterFile,
    ShortImmediate,
    Socket,
    UnitOperation,
)
from polycl.dialects.tta.opset import OPSET, Kind


def from_adf(text: str, filename: str = "<adf>") -> Machine:
    """The machine of an architecture definition; `filename` is for messages.

    Raises SourceError, or UnsupportedError for ADF that is not in the subset.
    """
    return _Reader(parse_xml(text, filename)).machine()


class _Reader:
    def __init__(self, root: Node):
        if root.tag != "adf":
            raise root.error(f"expected the element 'adf', found '{root.tag}'")
        root.allow(
            "bus socket function-unit register-file address-space global-control-unit",
            "little-endian",
        )
        root.child("little-endian").allow()
        self.root = root
        self.bus_nodes = self._named("bus")
        for node in self.bus_nodes.values():
            node.allow("guard", "width segment short-immediate")
        self.bus_index = {name: i for i, name in enumerate(self.bus_nodes)}
        self.socket_nodes = self._named("socket")
        self.sockets = {name: self._socket(node) for name, node in self.socket_nodes.items()}
        self.file_nodes = self._named("register-file")
        self.spaces = tuple(self._space(n) for n in self._named("address-space").values())

    def _named(self, tag: str) -> dict[str, Node]:
        """The elements with a tag by their names, which are unique."""
        found: dict[str, Node] = {}
        for node in self.root.all(tag):
            if node.name in found:
                first = found[node.name].line
                raise node.error(f"there is a {tag} '{node.name}' in line {first} already")
            found[node.name] = node
        return found

    def machine(self) -> Machine:
        files = tuple(self._file(node) for node in self.file_nodes.values())
        by_name = {file.name: file for file in files}
        control = self._control(self.root.child("global-control-unit"))
        units = self._named("function-unit")
        if control.name in units:
            raise units[control.name].error(f"the control unit is called '{control.name}', too")
        for name in [*units, control.name]:
            if name in self.file_nodes:
                raise self.file_nodes[name].error(f"a function unit is called '{name}', too")
        return Machine(
            tuple(self._bus(node, by_name) for node in self.bus_nodes.values()),
            tuple(self.sockets.values()),
            tuple(self._unit(node) for node in units.values()),
            files,
            self.spaces,
            control,
        )

    def _bus(self, node: Node, files: dict[str, RegisterFile]) -> Bus:
        segment = node.child("segment")
        segment.allow("", "writes-to")
        immediate = node.child("short-immediate")
        immediate.allow("", "extension width")
        extension = immediate.child("extension")
        if extension.text not in ("zero", "sign"):
            raise extension.error(f"expected 'zero' or 'sign', found '{extension.text}'")
        guards = [g for guard in node.all("guard") for g in self._guard(guard, files)]
        return Bus(
            node.name,
            tuple(guards),
            ShortImmediate(immediate.number("width"), extension.text == "sign"),
            _width32(node),
        )

    def _guard(self, node: Node, files: dict[str, RegisterFile]) -> Iterator[Guard]:
        node.allow("", "always-true simple-expr inverted-expr")
        for term in node.children:
            if term.tag == "always-true":
                continue
            term.allow("", "bool")
            register = term.child("bool")
            register.allow("", "name index")
            name, index = register.child("name"), register.number("index")
            file = files.get(name.text)
            if file is None:
                raise name.error(f"there is no register-file '{name.text}'")
            if index >= file.size:
                raise register.error(f"register-file '{file.name}' ends at {file.size - 1}")
            yield Guard(file.name, index, term.tag == "inverted-expr")

    def _socket(self, node: Node) -> Socket:
        node.allow("reads-from writes-to")
        buses: list[int] = []
        tags = {end.tag for end in node.children}
        if len(tags) > 1:
            raise node.error("expected either 'reads-from' or 'writes-to', found both")
        for end in node.children:
            end.allow("", "bus segment")
            bus = end.child("bus")
            if bus.text not in self.bus_index:
                raise bus.error(f"there is no bus '{bus.text}'")
            segment, end_segment = self.bus_nodes[bus.text].child("segment"), end.child("segment")
            if end_segment.text != segment.name:
                raise end_segment.error(f"bus '{bus.text}' has no segment '{end_segment.text}'")
            buses.append(self.bus_index[bus.text])
        return Socket(node.name, tags == {"reads-from"}, tuple(sorted(set(buses))))

    def _port(self, node: Node, width: int | None = None) -> Port:
        """A port with one socket; `width` is that of a register file."""
        node.allow("", "connects-to" if width else "connects-to width triggers sets-opcode")
        triggers = [node.optional(tag) for tag in ("triggers", "sets-opcode")]
        if (triggers[0] is None) != (triggers[1] is None):
            raise node.error("expected 'triggers' and 'sets-opcode' on the same port")
        socket = self._socket_named(node.child("connects-to"))
        return Port(node.name, socket.name, width or node.number("width"), triggers[0] is not None)

    def _socket_named(self, node: Node) -> Socket:
        if node.text not in self.sockets:
            raise node.error(f"there is no socket '{node.text}'")
        return self.sockets[node.text]

    def _unit(self, node: Node, tag: str = "operation", extra: str = "") -> FunctionUnit:
        node.allow(f"port {tag} {extra}", "address-space delay-slots guard-latency return-address")
        ports = tuple(self._port(port) for port in node.all("port"))
        if sum(port.triggers for port in ports) != 1:
            raise node.error("expected one port that 'triggers'")
        operations = tuple(self._operation(op, ports) for op in node.all(tag))
        space = node.child("address-space")
        if space.text and space.text not in {s.name for s in self.spaces}:
            raise space.error(f"there is no address-space '{space.text}'")
        unit = FunctionUnit(node.name, ports, operations, space.text or None)
        memory = (Kind.LOAD, Kind.STORE)
        if not space.text and any(OPSET[op.name].kind in memory for op in operations):
            raise space.error("expected the address space of the unit's loads and stores")
        return unit

    def _operation(self, node: Node, ports: tuple[Port, ...]) -> UnitOperation:
        node.allow("bind", "name pipeline")
        name = node.child("name")
        if name.text not in OPSET:
            raise name.unsupported(f"the operation '{name.text}' is not supported")
        op = OPSET[name.text]
        by_name = {port.name: port for port in ports}
        bound: dict[int, str] = {}
        for bind in node.all("bind"):
            if bind.text not in by_name:
                raise bind.error(f"there is no port '{bind.text}'")
            takes = self.sockets[by_name[bind.text].socket].input
            if takes != (bind.integer_name <= op.inputs):
                way = "an input" if not takes else "the output"
                raise bind.error(f"operand {bind.integer_name} of '{op.name}' is {way}")
            bound[bind.integer_name] = bind.text
        operands = list(range(1, op.inputs + op.outputs + 1))
        if sorted(bound) != operands or len(set(bound.values())) != len(operands):
            raise node.error(
                f"expected a port of its own for each operand {operands} of '{op.name}'"
            )
        if not any(by_name[bound[i]].triggers for i in operands[: op.inputs]):
            raise node.error(f"no input of '{op.name}' is bound to the port that triggers")
        latency = self._latency(node.child("pipeline"), operands, op.inputs)
        return UnitOperation(op.name, tuple(bound[i] for i in operands), latency)

    def _latency(self, node: Node, operands: list[int], inputs: int) -> int:
        node.allow("reads writes")
        latency = 0
        for use in node.children:
            use.allow("", "start-cycle cycles")
            is_read = use.tag == "reads"
            if is_read != (use.integer_name <= inputs) or use.integer_name not in operands:
                raise use.error(f"the operation does not {use.tag[:-1]} operand {use.integer_name}")
            if use.number("cycles") != 1:
                raise use.unsupported("operands that take several cycles are not supported")
            start = use.number("start-cycle")
            if is_read and start != 0:
                raise use.unsupported("operands read after the trigger are not supported")
            if not is_read:
                latency = start + 1
        if sorted(use.integer_name for use in node.children) != operands:
            raise node.error(f"expected each of the operands {operands} once")
        return latency

    def _file(self, node: Node) -> RegisterFile:
        node.allow("port", "type size width max-reads max-writes guard-latency")
        kind = node.child("type")
        if kind.text != "normal":
            raise kind.unsupported(f"register files of type '{kind.text}' are not supported")
        width = node.number("width")
        ports = [(port, self._port(port, width)) for port in node.all("port")]
        reads = [p for p in ports if not self.sockets[p[1].socket].input]
        writes = [p for p in ports if self.sockets[p[1].socket].input]
        for limit, group in (("max-reads", reads), ("max-writes", writes)):
            if node.number(limit) < len(group):
                raise node.child(limit).unsupported("fewer than the ports are not supported")
            for port_node, port in group[1:]:
                if self.sockets[port.socket].buses != self.sockets[group[0][1].socket].buses:
                    raise port_node.unsupported(
                        "ports of one direction that reach different buses are not supported"
                    )
        delay = node.number("guard-latency") if node.optional("guard-latency") else 0
        return RegisterFile(
            node.name,
            node.number("size"),
            width,
            tuple(port for _, port in reads),
            tuple(port for _, port in writes),
            delay,
        )

    def _space(self, node: Node) -> AddressSpace:
        node.allow("numerical-id", "width min-address max-address shared-memory")
        if node.number("width") != 8:
            raise node.child("width").unsupported("expected bytes: a width of 8")
        ids = tuple(node.integer_of(child) for child in node.all("numerical-id"))
        return AddressSpace(node.name, node.number("min-address"), node.number("max-address"), ids)

    def _control(self, node: Node) -> ControlUnit:
        unit = self._unit(node, "ctrl-operation", "special-port")
        specials = {port.name: port for port in node.all("special-port")}
        returns = node.optional("return-address")
        address = None
        if returns is not None and returns.text:
            if returns.text not in specials:
                raise returns.error(f"there is no special-port '{returns.text}'")
            address = self._return_address(specials.pop(returns.text))
        for port in specials.values():
            raise port.unsupported("special ports but the return address are not supported")
        if address is None and unit.operation("call") is not None:
            raise node.error("'call' needs a 'return-address'")
        if node.number("guard-latency") == 0:
            raise node.child("guard-latency").unsupported("expected at least one cycle")
        return ControlUnit(
            unit.name,
            unit.ports,
            unit.operations,
            node.number("delay-slots"),
            node.number("guard-latency"),
            unit.space,
            address,
        )

    def _return_address(self, node: Node) -> tuple[Port, Port]:
        node.allow("connects-to", "width")
        sockets = [self._socket_named(end) for end in node.all("connects-to")]
        ends = {socket.input: socket.name for socket in sockets}
        if len(sockets) != 2 or len(ends) != 2:
            raise node.error("expected one socket that writes to the port and one that reads it")
        width = node.number("width")
        return Port(node.name, ends[True], width), Port(node.name, ends[False], width)


def _width32(node: Node) -> int:
    if node.number("width") != 32:
        raise node.child("width").unsupported("buses of other widths than 32 are not supported")
    return 32
