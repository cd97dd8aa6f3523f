"""Random kernels of blocks and branches: any graph, reducible or not.

Block k hashes its number and its arguments; a later block may use what its dominators have
computed. An edge to the same or an earlier block is taken only while there is fuel left, so
that every kernel ends. Each work-item starts with its own values and leaves its hash in `out`.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from polycl.graphs import topological_order

_HEADER = """ocl.kernel @k(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %id = ocl.global_id 0 : index
  %seed = arith.index_cast %id : index to i32
  %fuel = arith.constant 12 : i32
"""


@dataclass
class _Block:
    """`ways` are the blocks that its edges lead to; none: the end."""

    ways: list[int]
    arguments: int
    switch: bool


def _dominators(blocks: list[_Block]) -> list[set[int]]:
    """For each block those others that control has passed when it is there."""
    found: list[set[int]] = [set() for _ in blocks]
    for node in range(len(blocks)):
        around = topological_order(
            [0], lambda n: [way for way in blocks[n].ways if node not in (n, way)]
        )
        for other in {*range(len(blocks))} - {*around, node}:
            found[other].add(node)
    reached = topological_order([0], lambda n: blocks[n].ways)
    return [found[node] & set(reached) if node in reached else set() for node in range(len(blocks))]


@st.composite
def graph_kernels(draw: st.DrawFn, most: int = 8) -> str:
    """The text of one kernel, with up to `most` blocks."""
    count = draw(st.integers(1, most))
    blocks: list[_Block] = []
    for number in range(count):
        ways: list[int] = []
        if number + 1 < count and draw(st.integers(0, 5)):
            # The last edge is the way out of every loop. Nothing leads to the first block.
            ways = draw(st.lists(st.integers(1, count - 1), max_size=3))
            ways.append(draw(st.integers(number + 1, count - 1)))
        blocks.append(_Block(ways, draw(st.integers(0, 2)), draw(st.booleans())))
    dominators = _dominators(blocks)
    text = [_HEADER]
    for number, block in enumerate(blocks):
        text += _block_text(draw, number, blocks, dominators[number])
    return "\n".join([*text, "}", ""])


def _block_text(
    draw: st.DrawFn, number: int, blocks: list[_Block], dominators: set[int]
) -> list[str]:
    block = blocks[number]
    lines: list[str] = []
    own = [f"%a{number}_{i}" for i in range(block.arguments)] if number else []
    if number:
        names = [f"%f{number}", f"%h{number}", *own]
        lines.append(f"^b{number}({', '.join(f'{name}: i32' for name in names)}):")
    fuel, old = (f"%f{number}", f"%h{number}") if number else ("%fuel", "%seed")
    known = [*own, *(f"%v{d}" for d in sorted(dominators))] or [old]
    other = draw(st.sampled_from(known))
    lines += [
        f"  %m{number} = arith.constant {draw(st.integers(3, 99)) * 2 + 1} : i32",
        f"  %x{number} = arith.xori {old}, {other} : i32",
        f"  %y{number} = arith.muli %x{number}, %m{number} : i32",
        f"  %v{number} = arith.addi %y{number}, %m{number} : i32",
    ]
    known.append(f"%v{number}")
    if not block.ways:
        return [
            *lines,
            f"  ocl.store %v{number}, %out[%id] : !ocl.ptr<i32, global>",
            "  ocl.return",
        ]
    lines += [
        f"  %one{number} = arith.constant 1 : i32",
        f"  %left{number} = arith.subi {fuel}, %one{number} : i32",
    ]
    targets = [
        _target(draw, way, blocks[way].arguments, f"%left{number}", f"%v{number}", known)
        for way in block.ways
    ]
    if len(targets) == 1:
        return [*lines, f"  cf.br {targets[0]}"]
    lines += [
        f"  %shift{number} = arith.constant {draw(st.integers(3, 12))} : i32",
        f"  %bits{number} = arith.shrui %v{number}, %shift{number} : i32",
        f"  %ways{number} = arith.constant {len(targets)} : i32",
        f"  %way{number} = arith.remui %bits{number}, %ways{number} : i32",
        f"  %zero{number} = arith.constant 0 : i32",
        f"  %go{number} = arith.cmpi sgt, %left{number}, %zero{number} : i32",
    ]
    if len(targets) == 2 and not block.switch:
        return [
            *lines,
            f"  %hit{number} = arith.cmpi eq, %way{number}, %zero{number} : i32",
            f"  %c{number} = arith.andi %go{number}, %hit{number} : i1",
            f"  cf.cond_br %c{number}, {targets[0]}, {targets[1]}",
        ]
    cases = ", ".join(f"{i}: {target}" for i, target in enumerate(targets[:-1]))
    return [
        *lines,
        f"  %case{number} = arith.select %go{number}, %way{number}, %ways{number} : i32",
        f"  cf.switch %case{number} : i32, [default: {targets[-1]}, {cases}]",
    ]


def _target(
    draw: st.DrawFn, way: int, arguments: int, fuel: str, value: str, known: list[str]
) -> str:
    handed = [fuel, value, *(draw(st.sampled_from(known)) for _ in range(arguments))]
    return f"^b{way}({', '.join(handed)} : {', '.join(['i32'] * len(handed))})"
