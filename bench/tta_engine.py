"""How many cycles a second the engines of the simulated processor execute: `bench/tta_engine.py`.

Two programs: a long block like that of a discrete cosine transform, in which every unit for floats
starts an operation in each cycle, executed for each of many groups; and a loop of few cycles.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from polycl.backends.tta.engine import Engine
from polycl.backends.tta.interpreter import Result, interpret
from polycl.dialects.tta import Machine, Program, parse_tceasm
from polycl.dialects.tta.presets import paper

MEMORY = 1 << 16
DCT_CYCLES = 590
"""Of a group of the transform, as a schedule by hand takes."""


@dataclass(frozen=True)
class Measurement:
    name: str
    cycles: int
    first_seconds: float
    seconds: float

    @property
    def speed(self) -> float:
        """Cycles a second."""
        return self.cycles / self.seconds


def straight(groups: int, machine: Machine) -> Program:
    """Loads from running addresses, products and sums of them, and stores, `groups` times."""
    lines = [_line(["0 -> RF0.1", f"{groups} -> RF1.1", "0 -> ALU1.in2"], machine)]
    lines += [_line([f"1 -> FMUL{i}.in2" for i in range(4)], machine)]
    lines += [_line([f"4 -> ALU{i}.in2", f"0 -> ALU{i}.in1t.add"], machine) for i in range(4)]
    lines += [_line([f"{64 * i} -> LSU{i}.in1t.ld32"], machine) for i in range(8)]
    lines += [_line([f"1 -> FMUL{i}.in1t.mulf", f"1 -> FADD{i}.in2"], machine) for i in range(4)]
    lines += [_line([f"1 -> FADD{i}.in1t.addf"], machine) for i in range(4)]
    lines += [_line([f"1 -> FADD{i}.in2"], machine) for i in range(4)]
    lines += [_line([], machine)] * 5
    addresses = [f"RF0.1 -> ALU{i}.in2" for i in range(3)]
    body = [_line([*addresses, *(f"0 -> ALU{i}.in1t.add" for i in range(3))], machine)]
    body += [_line(_dct_moves(cycle), machine) for cycle in range(DCT_CYCLES - 8)]
    # The next group begins a word further, and RF1.1 counts them.
    body += [
        _line(["1 -> ALU1.in2", "RF1.1 -> ALU1.in1t.sub", "4 -> ALU0.in2"], machine),
        _line(["ALU1.out1 -> RF1.1", "0 -> ALU1.in2", "ALU1.out1 -> ALU1.in1t.gt"], machine),
        _line(["ALU1.out1 -> BOOL0.0", "RF0.1 -> ALU0.in1t.add"], machine),
        _line(["?BOOL0.0 group -> gcu.pc.jump", "1020 -> ALU0.in2"], machine),
        _line(["ALU0.out1 -> ALU0.in1t.and"], machine),
        _line(["ALU0.out1 -> RF0.1"], machine),
        _line([], machine),
    ]
    return _parse([*lines, "group:", *body], machine)


def _dct_moves(cycle: int) -> list[str]:
    """Three addresses, four loads, four products and four sums; every eighth cycle a store."""
    base = (cycle * 36) % (MEMORY // 2)
    moves = [f"{base + 4 * i} -> ALU{i}.in1t.add" for i in range(3)]
    moves += [f"ALU{i}.out1 -> LSU{i}.in1t.ld32" for i in range(3)]
    moves += ["RF0.1 -> LSU3.in1t.ld32"]
    for i in range(4):
        moves += [f"LSU{i}.out1 -> FMUL{i}.in1t.mulf", f"FMUL{i}.out1 -> FADD{i}.in1t.addf"]
        # The accumulator stays in the port.
        moves += [f"FADD{i}.out1 -> FADD{i}.in2"]
    if cycle % 8 == 7:
        address = MEMORY // 2 + cycle // 8 * 4
        moves += [f"{address} -> LSU8.in1t.st32", f"FADD{cycle // 8 % 4}.out1 -> LSU8.in2"]
    return moves


def small_loop(times: int, machine: Machine) -> Program:
    """Running sums of 256 words, in place, again and again: seven cycles a word."""
    lines = [
        _line([f"{times} -> RF0.0", "0 -> RF1.0", "0 -> RF2.0"], machine),
        _line(["0 -> ALU0.in2", "0 -> ALU0.in1t.add"], machine),
        "loop:",
        _line(["1 -> ALU0.in2", "RF0.0 -> ALU0.in1t.sub", "RF1.0 -> LSU0.in1t.ld32"], machine),
        _line(
            [
                "ALU0.out1 -> RF0.0",
                "0 -> ALU0.in2",
                "ALU0.out1 -> ALU0.in1t.gt",
                "RF1.0 -> ALU1.in1t.add",
                "4 -> ALU1.in2",
                "RF1.0 -> RF3.0",
            ],
            machine,
        ),
        _line(["ALU0.out1 -> BOOL0.0", "ALU1.out1 -> ALU1.in1t.and", "1023 -> ALU1.in2"], machine),
        _line(
            [
                "?BOOL0.0 loop -> gcu.pc.jump",
                "ALU1.out1 -> RF1.0",
                "LSU0.out1 -> ALU2.in1t.add",
                "RF2.0 -> ALU2.in2",
            ],
            machine,
        ),
        _line(["ALU2.out1 -> RF2.0", "ALU2.out1 -> LSU1.in2", "RF3.0 -> LSU1.in1t.st32"], machine),
        _line([], machine),
        _line([], machine),
    ]
    return _parse(lines, machine)


def _line(moves: list[str], machine: Machine) -> str:
    return ", ".join(moves + ["..."] * (len(machine.buses) - len(moves))) + " ;"


def _parse(lines: list[str], machine: Machine) -> Program:
    return parse_tceasm("\n".join(["CODE ;", *lines]), machine)


def measure(name: str, run: Callable[[bytearray], Result]) -> Measurement:
    """The first execution compiles; the fastest of three others counts, in processor time."""
    begin = time.thread_time()
    result = run(bytearray(MEMORY))
    first = time.thread_time() - begin
    seconds: list[float] = []
    for _ in range(3):
        memory = bytearray(MEMORY)
        begin = time.thread_time()
        result = run(memory)
        seconds.append(time.thread_time() - begin)
    return Measurement(name, result.cycles, first, min(seconds))


def main() -> None:
    machine = paper(buses=24)
    programs: list[tuple[str, Callable[[int, Machine], Program], int, int]] = [
        ("straight, like a DCT", straight, 100_000, 50),
        ("small loop", small_loop, 10_000_000, 5000),
    ]
    print(f"{'program':24}{'engine':14}{'cycles':>12}{'first run s':>13}{'cycles/s':>12}")
    for name, make, many, few in programs:
        engine, slow = Engine(make(many, machine)), make(few, machine)
        for kind, run in [
            ("compiled", lambda memory: engine.run(memory, max_cycles=10**12)),
            ("interpreter", lambda memory: interpret(slow, memory)),
        ]:
            m = measure(kind, run)
            print(f"{name:24}{kind:14}{m.cycles:12}{m.first_seconds:13.2f}{m.speed:12.3g}")


if __name__ == "__main__":
    main()
