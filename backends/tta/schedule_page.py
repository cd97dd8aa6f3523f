"""A program as an HTML page: a grid for each block, with a row per cycle and a column per bus.

The page is one file that needs no network: schedule_page.html with the data in it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from polycl.dialects.tta import Move, Program, Register, UnitPort


@dataclass(frozen=True)
class BlockRun:
    """The executions of a block, its cycles and their lower bound."""

    name: str
    runs: int
    cycles: int
    limit: str
    """The resource that limits the block to `bound` cycles; empty if unknown."""
    bound: int

    def __str__(self) -> str:
        if not self.limit:
            return f"{self.name}: {self.cycles} cycles"
        return f"{self.name}: {self.limit} bound {self.bound}, achieved {self.cycles}"


def schedule_page(program: Program, blocks: list[BlockRun], title: str) -> str:
    """The text of the page; `blocks` are those of the program, in order."""
    data = {
        "title": title,
        "buses": [bus.name for bus in program.machine.buses],
        "cycles": sum(block.runs * block.cycles for block in blocks),
        "blocks": [
            {
                **vars(run),
                "text": str(run),
                "moves": [
                    [cycle, move.bus, str(move), part_of(move), move.note]
                    for cycle, instruction in enumerate(block.instructions)
                    for move in instruction.moves
                ],
            }
            for block, run in zip(program.blocks, blocks, strict=True)
        ],
    }
    # A script ends at the first "</".
    text = json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
    template = (
        files("polycl.backends.tta").joinpath("schedule_page.html").read_text(encoding="utf-8")
    )
    return template.replace("TITLE", escape(title), 1).replace("DATA", text, 1)


def part_of(move: Move) -> str:
    """The unit or register file of a move: the destination unit, else the source unit."""
    match move.source, move.destination:
        case _, UnitPort(unit):
            return unit
        case UnitPort(unit), Register():
            return unit
        case _, Register(file):
            return file
