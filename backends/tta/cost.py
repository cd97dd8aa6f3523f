"""A model of what a machine costs, for comparisons only: its area in gate equivalents.

The numbers are round figures for a 32-bit datapath; only their ratios matter:

| part | cost |
|---|---|
| a register of b bits | 8 b for each, and b / 4 for each port |
| a unit | the most expensive of its operations, and 150 for each port |
| a bus | 32, and 1.5 b for each socket that connects to it (multiplexers and drivers) |
| a guard on a bus | 2 |
| the control unit | 1,000, and 200 for each delay slot; 40 for each bus (instruction decoding) |
"""

from __future__ import annotations

from polycl.dialects.tta import FunctionUnit, Machine

ADDER = 300
COSTS = {
    **dict.fromkeys(("mul", "mulhi", "mulhiu"), 5000),
    **dict.fromkeys(("shl", "shr", "shru"), 900),
    **dict.fromkeys(("addf", "subf"), 4500),
    "mulf": 6000,
    "divf": 9000,
    "sqrtf": 9000,
    **dict.fromkeys(("cif", "cifu", "cfi", "cfiu"), 2500),
    **dict.fromkeys("ld32 ld16 ldu16 ld8 ldu8 st32 st16 st8".split(), 1500),
}
"""The cost of the part of a unit that executes an operation; other operations cost an adder."""


def machine_cost(machine: Machine) -> float:
    """The cost of a machine by the table above."""
    registers = sum(
        file.size * file.width * (8 + (len(file.reads) + len(file.writes)) / 4)
        for file in machine.register_files
    )
    units = sum(map(_unit, machine.units))
    connections = sum(1.5 * 32 * len(socket.buses) for socket in machine.sockets)
    guards = sum(2 * len(bus.guards) for bus in machine.buses)
    control = 1000 + 200 * machine.control.delay_slots + 72 * len(machine.buses)
    return registers + units + connections + guards + control


def _unit(unit: FunctionUnit) -> float:
    most = max((COSTS.get(op.name, ADDER) for op in unit.operations), default=0)
    return most + 150 * len(unit.ports)
