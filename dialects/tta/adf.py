"""Reads machines from OpenASIP's architecture definition files (ADF).

All elements of the format are read. What cannot be scheduled is kept in the machine, unused, and
written back by `to_adf` (adf_writer.py), which `from_adf` reads back as an equal machine: bridges
and all segments of a bus but the first, guards on ports or of two terms, special ports, and
operations that are not in opset.py, that take operands after the trigger or for several cycles, or
that reserve resources of their unit.

A file that contradicts itself is refused, with the element and its line.
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
    ImmediateUnit,
    Kept,
    Machine,
    Port,
    RegisterFile,
    ShortImmediate,
    Socket,
    Template,
    UnitOperation,
)
from polycl.dialects.tta.opset import BIG_ENDIAN, OPSET


def from_adf(text: str, filename: str = "<adf>") -> Machine:
    """The machine of an architecture definition; `filename` is for messages.

    Raises SourceError if the text is no ADF, or contradicts itself.
    """
    return _Reader(parse_xml(text, filename)).machine()


_KEPT = (
    "trigger-invalidates-old-results always-write-back-results fu-ordered bitness64 "
    "bridge template immediate-slot ota-format"
).split()
"""Elements of a machine that nothing here uses."""


class _Reader:
    def __init__(self, root: Node):
        if root.tag != "adf":
            raise root.error(f"expected the element 'adf', found '{root.tag}'")
        root.allow(
            "bus socket function-unit register-file address-space immediate-unit "
            + " ".join(_KEPT),
            "little-endian global-control-unit",
        )
        self.little_endian = root.optional("little-endian") is not None
        self.root = root
        self.bus_nodes = self._named("bus")
        for node in self.bus_nodes.values():
            node.allow("guard segment", "width short-immediate")
        self.bus_index = {name: i for i, name in enumerate(self.bus_nodes)}
        self.segments = {name: self._segments(node) for name, node in self.bus_nodes.items()}
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
        buses = tuple(self._bus(node, by_name) for node in self.bus_nodes.values())
        control_node = self.root.optional("global-control-unit")
        control = ControlUnit("", (), ())
        if control_node is not None:
            guards = [by_name[guard.register_file] for bus in buses for guard in bus.guards]
            least = min((file.guard_latency for file in guards), default=1)
            control = self._control(control_node, least)
        units = self._named("function-unit")
        if control.name in units:
            raise units[control.name].error(f"the control unit is called '{control.name}', too")
        for name in [*units, control.name]:
            if name in self.file_nodes:
                raise self.file_nodes[name].error(f"a function unit is called '{name}', too")
        immediates = self._named("immediate-unit")
        for name, node in immediates.items():
            if name in units or name in by_name:
                raise node.error(f"another unit is called '{name}', too")
        return Machine(
            buses,
            tuple(self.sockets.values()),
            tuple(self._unit(node) for node in units.values()),
            files,
            self.spaces,
            control,
            tuple(self._immediates(node) for node in immediates.values()),
            self.little_endian,
            tuple(_kept(node) for node in self.root.children if node.tag in _KEPT),
        )

    def _segments(self, node: Node) -> list[Node]:
        segments = node.all("segment")
        if not segments:
            raise node.error("expected a child 'segment'")
        for segment in segments:
            segment.allow("", "writes-to")
        return segments

    def _bus(self, node: Node, files: dict[str, RegisterFile]) -> Bus:
        segments = self.segments[node.name]
        immediate = node.child("short-immediate")
        immediate.allow("", "extension width")
        guards: list[Guard] = []
        kept: list[Kept] = []
        for guard in node.all("guard"):
            guard.allow("", "always-true always-false simple-expr inverted-expr and-expr or-expr")
            if all(term.tag in ("simple-expr", "inverted-expr") for term in guard.children):
                if all(term.optional("bool") is not None for term in guard.children):
                    guards += self._guard(guard, files)
                    continue
            if [term.tag for term in guard.children] != ["always-true"]:
                kept.append(_kept(guard))
        return Bus(
            node.name,
            tuple(guards),
            ShortImmediate(immediate.number("width"), _signed(immediate)),
            node.number("width"),
            tuple(map(_kept, segments)) if len(segments) > 1 or segments[0].name != "seg1" else (),
            tuple(kept),
        )

    def _guard(self, node: Node, files: dict[str, RegisterFile]) -> Iterator[Guard]:
        for term in node.children:
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
        kept: list[Kept] = []
        tags = {end.tag for end in node.children}
        if len(tags) > 1:
            raise node.error("expected either 'reads-from' or 'writes-to', found both")
        for end in node.children:
            end.allow("", "bus segment")
            bus = end.child("bus")
            if bus.text not in self.bus_index:
                raise bus.error(f"there is no bus '{bus.text}'")
            segments = [segment.name for segment in self.segments[bus.text]]
            end_segment = end.child("segment")
            if end_segment.text not in segments:
                raise end_segment.error(f"bus '{bus.text}' has no segment '{end_segment.text}'")
            if end_segment.text == segments[0]:
                buses.append(self.bus_index[bus.text])
            else:
                kept.append(_kept(end))
        return Socket(node.name, tags == {"reads-from"}, tuple(sorted(set(buses))), tuple(kept))

    def _port(self, node: Node, width: int | None = None) -> Port:
        """A port; `width` is that of a register file. The first of several sockets is used."""
        node.allow("connects-to", "" if width else "width triggers sets-opcode no-register")
        ends = node.all("connects-to")
        sockets = [self._socket_named(end).name for end in ends]
        kept = [_kept(end) for end in ends[1:]]
        kept += [_kept(flag) for flag in node.all("no-register")]
        flags = node.all("triggers") + node.all("sets-opcode")
        if len(flags) == 1:
            kept += map(_kept, flags)
        return Port(
            node.name,
            sockets[0] if sockets else "",
            width or node.number("width"),
            node.optional("triggers") is not None,
            tuple(kept),
        )

    def _socket_named(self, node: Node) -> Socket:
        if node.text not in self.sockets:
            raise node.error(f"there is no socket '{node.text}'")
        return self.sockets[node.text]

    def _unit(self, node: Node, tag: str = "operation", extra: str = "") -> FunctionUnit:
        node.allow(f"port {tag} {extra}", "address-space delay-slots guard-latency return-address")
        ports = tuple(self._port(port) for port in node.all("port"))
        operations: dict[str, UnitOperation] = {}
        kept: list[Kept] = []
        for op in node.all(tag):
            found = self._operation(op, ports)
            if found is None or found.name in operations:
                kept.append(_kept(op))
            else:
                operations[found.name] = found
        space = node.child("address-space")
        if space.text and space.text not in {s.name for s in self.spaces}:
            raise space.error(f"there is no address-space '{space.text}'")
        return FunctionUnit(
            node.name, ports, tuple(operations.values()), space.text or None, tuple(kept)
        )

    def _operation(self, node: Node, ports: tuple[Port, ...]) -> UnitOperation | None:
        """The operation, or None if it cannot be scheduled."""
        node.allow("bind", "name pipeline")
        by_name = {port.name: port for port in ports}
        bound: dict[int, str] = {}
        for bind in node.all("bind"):
            if bind.text not in by_name:
                raise bind.error(f"there is no port '{bind.text}'")
            bound[bind.integer_name] = bind.text
        latency = self._latency(node.child("pipeline"), set(bound))
        spelling = node.child("name").text.lower()
        name = spelling if self.little_endian else BIG_ENDIAN.get(spelling, spelling)
        if not self.little_endian and spelling in BIG_ENDIAN.values():
            return None
        op = OPSET.get(name)
        if op is None or latency is None:
            return None
        operands = list(range(1, op.inputs + op.outputs + 1))
        used = [by_name[bound[i]] for i in sorted(bound)]
        if sorted(bound) != operands or len({port.name for port in used}) != len(operands):
            return None
        for number, port in enumerate(used, 1):
            if not port.socket or self.sockets[port.socket].input != (number <= op.inputs):
                return None
            if port.kept:
                return None
        # The unit has one trigger, to which one of the inputs is bound.
        if [p.triggers for p in ports].count(True) != 1:
            return None
        if not any(port.triggers for port in used[: op.inputs]):
            return None
        if bool(op.outputs) != (latency > 0):
            return None
        spelled = "" if spelling == name else spelling
        return UnitOperation(name, tuple(bound[i] for i in operands), latency, spelled)

    def _latency(self, node: Node, operands: set[int]) -> int | None:
        """Cycles until the result can be read; None if a unit does not begin one operation per
        cycle, or if an operand is needed at other times than with the trigger, as it is where
        the pipeline does not say when."""
        node.allow("resource reads writes")
        latency = 0
        seen: list[int] = []
        for use in node.children:
            use.allow("", "start-cycle cycles")
            start, cycles = use.number("start-cycle"), use.number("cycles")
            if use.tag == "resource":
                if start or cycles > 1:
                    return None
                continue
            if use.integer_name not in operands:
                raise use.error(f"the operation has no operand {use.integer_name}")
            seen.append(use.integer_name)
            if cycles != 1 or (use.tag == "reads" and start):
                return None
            if use.tag == "writes":
                latency = start + 1
        return latency if len(set(seen)) == len(seen) else None

    def _file(self, node: Node) -> RegisterFile:
        node.allow("port", "type size width max-reads max-writes guard-latency zero-register")
        kind = _kind(node)
        width = node.number("width")
        ports = [self._port(port, width) for port in node.all("port")]
        reads, writes = (
            [p for p in ports if p.socket and self.sockets[p.socket].input == takes]
            for takes in (False, True)
        )
        limits = _most(node, "max-reads", reads), _most(node, "max-writes", writes)
        delay = node.number("guard-latency") if node.optional("guard-latency") else 0
        zero = node.optional("zero-register")
        if zero is not None and zero.text not in ("0", "1", "false", "true"):
            raise zero.error(f"expected 'true' or 'false', found '{zero.text}'")
        return RegisterFile(
            node.name,
            node.number("size"),
            width,
            tuple(reads),
            tuple(writes),
            delay,
            zero is not None and zero.text in ("1", "true"),
            kind,
            None if limits == (len(reads), len(writes)) else limits,
            tuple(port for port in ports if port not in reads and port not in writes),
        )

    def _immediates(self, node: Node) -> ImmediateUnit:
        node.allow(
            "port template",
            "type size width max-reads max-writes guard-latency latency extension",
        )
        width = node.number("width")
        reads = tuple(self._port(port, width) for port in node.all("port"))
        slots = {n.name for n in self.root.all("immediate-slot")} | set(self.bus_index)
        templates: list[Template] = []
        for template in node.all("template"):
            template.allow("slot")
            used: list[tuple[str, int]] = []
            for slot in template.children:
                slot.allow("", "name width")
                name = slot.child("name")
                if name.text not in slots:
                    raise name.error(f"there is no bus and no immediate-slot '{name.text}'")
                used.append((name.text, slot.number("width")))
            templates.append(Template(template.name, tuple(used)))
        limits = node.number("max-reads"), node.number("max-writes")
        return ImmediateUnit(
            node.name,
            node.number("size"),
            width,
            reads,
            tuple(templates),
            _signed(node),
            node.number("latency") if node.optional("latency") else 1,
            _kind(node),
            None if limits == (len(reads), 1) else limits,
            node.number("guard-latency") if node.optional("guard-latency") else 0,
        )

    def _space(self, node: Node) -> AddressSpace:
        node.allow("numerical-id", "width min-address max-address shared-memory")
        ids = tuple(node.integer_of(child) for child in node.all("numerical-id"))
        shared = tuple(map(_kept, node.all("shared-memory")))
        first, last = node.number("min-address"), node.number("max-address")
        if first > last:
            raise node.child("max-address").error(f"expected {first} or more, found {last}")
        return AddressSpace(node.name, first, last, ids, node.number("width"), shared)

    def _control(self, node: Node, least: int) -> ControlUnit:
        unit = self._unit(node, "ctrl-operation", "special-port")
        specials = {port.name: port for port in node.all("special-port")}
        returns = node.optional("return-address")
        address = None
        kept: list[Kept] = list(unit.kept)
        if returns is not None and returns.text:
            if returns.text not in specials:
                raise returns.error(f"there is no special-port '{returns.text}'")
            address = self._return_address(specials[returns.text])
            if address is None:
                kept.append(_kept(returns))
            else:
                del specials[returns.text]
        kept += map(_kept, specials.values())
        operations = unit.operations
        if address is None:
            kept += [_kept(op) for op in node.all("ctrl-operation") if _name_of(op) == "call"]
            operations = tuple(op for op in operations if op.name != "call")
        if node.number("guard-latency") + least == 0:
            raise node.child("guard-latency").unsupported(
                "expected at least one cycle, here or as that of the registers that guard"
            )
        return ControlUnit(
            unit.name,
            unit.ports,
            operations,
            node.number("delay-slots"),
            node.number("guard-latency"),
            unit.space,
            address,
            tuple(kept),
        )

    def _return_address(self, node: Node) -> tuple[Port, Port] | None:
        """The ports of the return address; None if moves cannot both write and read it."""
        node.allow("connects-to", "width")
        sockets = [self._socket_named(end) for end in node.all("connects-to")]
        ends = {socket.input: socket.name for socket in sockets}
        if len(sockets) > 1 and len(ends) < 2:
            raise node.error("expected one socket that writes to the port and one that reads it")
        if len(ends) != 2:
            return None
        width = node.number("width")
        return Port(node.name, ends[True], width), Port(node.name, ends[False], width)


def _kept(node: Node) -> Kept:
    children = tuple(map(_kept, node.children))
    return Kept(node.tag, tuple(node.attributes.items()), "" if children else node.text, children)


def _most(node: Node, tag: str, ports: list[Port]) -> int:
    """The registers that are read or written in a cycle; 0 means as many as there are ports."""
    return node.number(tag) or len(ports)


def _name_of(operation: Node) -> str:
    return operation.child("name").text.lower()


def _signed(node: Node) -> bool:
    extension = node.child("extension")
    if extension.text not in ("zero", "sign"):
        raise extension.error(f"expected 'zero' or 'sign', found '{extension.text}'")
    return extension.text == "sign"


def _kind(node: Node) -> str:
    kind = node.child("type")
    if kind.text not in ("normal", "reserved", "volatile"):
        raise kind.error(f"expected 'normal', 'reserved' or 'volatile', found '{kind.text}'")
    return kind.text
