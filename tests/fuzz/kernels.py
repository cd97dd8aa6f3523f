"""Random OpenCL C kernels without undefined behaviour, for differential tests.

Every kernel has the signature

    kernel void k(global uint *out, global const uint *in, uint n, local uint *tile)

and runs on groups of `GROUP` work-items, or of the shape that is asked for. All arithmetic is
unsigned, shifts stay in range, divisors are odd, indices are masked: two executions of one kernel
agree in every bit.

Control flow is uniform, uniform but not provably so, or divergent; barriers stand only where
all work-items of a group come by.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from hypothesis import strategies as st

GROUP = 8
"""Work-items in a group."""
Shape = tuple[int, ...]
VARIABLES = ("a", "b", "c")
_INPUTS = 64

_HELPERS = """\
uint mix2(uint x, uint y) { if (x & 1u) return x * 3u + y; return (x ^ y) >> 1; }
void swap2(uint *x, uint *y) { uint t = *x; *x = *y; *y = t; }
kernel void k(global uint *out, global const uint *in, uint n, local uint *tile) {
"""
_IDS = "  uint gid = get_global_id(0), lid = get_local_id(0);\n"
_IDS_2D = """\
  uint lid = get_local_id(1) * get_local_size(0) + get_local_id(0);
  uint gid = get_group_id(0) * get_local_size(0) * get_local_size(1) + lid;
"""
_VARIABLES = f"""\
  uint a = in[gid % {_INPUTS}u], b = lid * 7u + 1u, c = n;
  uint4 v = (uint4)(a, b, c, gid);
  uint p[4] = {{1u, 2u, 3u, 4u}};
"""
_FOOTER = """\
  out[gid] = a + 31u * b + 1009u * c + v.x + 3u * v.y + 5u * v.z + 7u * v.w
           + p[0] + 11u * p[1] + 13u * p[2] + 17u * p[3];
}
"""


@dataclass
class _Writer:
    """Draws statements and keeps what a statement may refer to."""

    draw: st.DrawFn
    group: int
    """Work-items in a group."""
    lines: list[str] = field(default_factory=list[str])
    indent: int = 1
    budget: int = 25
    loops: int = 0
    counters: list[str] = field(default_factory=list[str])

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def add(self, line: str) -> None:
        self.lines.append("  " * self.indent + line)

    # Expressions

    def expression(self, depth: int = 2) -> str:
        if depth == 0 or self.number(0, 3) == 0:
            return self.leaf()
        kind = self.pick("binary", "binary", "shift", "divide", "ternary", "cast", "call", "vector")
        left = self.expression(depth - 1)
        match kind:
            case "binary":
                return f"({left} {self.pick(*'+-*&|^')} {self.expression(depth - 1)})"
            case "shift":
                return f"({left} {self.pick('<<', '>>')} {self.number(0, 31)}u)"
            case "divide":
                return f"({left} {self.pick('/', '%')} ({self.expression(depth - 1)} | 1u))"
            case "ternary":
                return f"({self.condition(depth - 1)} ? {left} : {self.expression(depth - 1)})"
            case "cast":
                return f"(uint)({self.pick('uchar', 'ushort', 'ulong', 'char', 'int')})({left})"
            case "call":
                return f"mix2({left}, {self.expression(depth - 1)})"
            case _:
                return f"(v.{self.pick('x', 'y', 'z', 'w')} + {left})"

    def leaf(self) -> str:
        options = [*VARIABLES, *VARIABLES, "lid", "gid", "n", *self.counters]
        options += [f"{self.number(0, 9)}u", f"{self.number(0, 2**32 - 1)}u"]
        options += [
            f"p[{self.pick(*VARIABLES, 'lid')} & 3u]",
            f"in[{self.pick('a', 'lid', '3u')} % 64u]",
        ]
        return self.pick(*options)

    def condition(self, depth: int = 1) -> str:
        left, right = self.expression(depth), self.expression(depth)
        text = f"{left} {self.pick('<', '<=', '>', '>=', '==', '!=')} {right}"
        if self.number(0, 3) == 0:
            text = f"({text}) {self.pick('&&', '||')} ({self.expression(depth)} & 1u)"
        return f"({text})"

    def uniform(self) -> str:
        """The same number for all work-items; the analysis can prove it for some of them only."""
        return self.pick(
            "n",
            "in[2]",
            "in[5] % 7u",
            "(uint)get_group_id(0)",
            "2u",
            "min(lid, 0u) + n",
            *self.counters,
        )

    def uniform_condition(self) -> str:
        return f"({self.uniform()} {self.pick('<', '>', '!=')} {self.number(0, 4)}u)"

    # Statements

    def block(self, *, barriers: bool, tail: str = "") -> None:
        self.indent += 1
        for _ in range(self.number(1, 3)):
            self.statement(barriers=barriers)
        if tail:
            self.add(tail)
        self.indent -= 1

    def statement(self, *, barriers: bool) -> None:
        self.budget -= 1
        kinds = ["assign", "assign", "vector", "array", "pointer"]
        if self.budget > 0 and self.indent < 5:
            kinds += ["if", "if", "for", "while", "do", "switch"]
        if barriers:
            kinds += ["exchange", "exchange", "exchange"]
        getattr(self, f"_{self.pick(*kinds)}")(barriers)

    def _assign(self, barriers: bool) -> None:
        operator = self.pick("=", "+=", "-=", "^=", "*=")
        self.add(f"{self.pick(*VARIABLES)} {operator} {self.expression()};")

    def _vector(self, barriers: bool) -> None:
        target = self.pick("v", "v.xy", "v.s3", "v.wzyx", "v.lo")
        width = {"v": 4, "v.xy": 2, "v.s3": 1, "v.wzyx": 4, "v.lo": 2}[target]
        value = f"(uint{width})" if width > 1 else ""
        self.add(f"{target} += {value}({self.expression(1)});")

    def _array(self, barriers: bool) -> None:
        self.add(f"p[{self.expression(1)} & 3u] = {self.expression(1)};")

    def _pointer(self, barriers: bool) -> None:
        self.add(f"swap2(&p[{self.expression(0)} & 3u], &p[{self.expression(0)} & 3u]);")

    def _exchange(self, barriers: bool) -> None:
        # Write, meet, read what another one wrote, meet again before the next write.
        self.add(f"tile[lid] = {self.expression(1)};")
        self.add("barrier(CLK_LOCAL_MEM_FENCE);")
        offset = self.pick("1u", "lid", *VARIABLES)
        self.add(f"{self.pick(*VARIABLES)} += tile[({offset}) % {self.group}u];")
        self.add("barrier(CLK_LOCAL_MEM_FENCE);")

    def _if(self, barriers: bool) -> None:
        uniform = barriers and self.number(0, 1) == 1
        self.add(f"if {self.uniform_condition() if uniform else self.condition()} {{")
        self.block(barriers=uniform)
        if self.number(0, 1):
            self.add("} else {")
            self.block(barriers=uniform)
        self.add("}")

    def _for(self, barriers: bool) -> None:
        uniform = barriers and self.number(0, 1) == 1
        counter = f"i{self.loops}"
        self.loops += 1
        bound = f"({self.uniform()}) % 4u" if uniform else f"{self.expression(1)} % 4u"
        start, step = self.number(0, 2), self.number(1, 2)
        self.add(f"for (uint {counter} = {start}u; {counter} < {bound}; {counter} += {step}u) {{")
        self.counters.append(counter)
        self.block(barriers=uniform, tail=self._leave(uniform))
        self.counters.remove(counter)
        self.add("}")

    def _leave(self, uniform: bool) -> str:
        if self.number(0, 2):
            return ""
        condition = self.uniform_condition() if uniform else self.condition()
        return f"if {condition} {self.pick('break', 'continue')};"

    def _while(self, barriers: bool) -> None:
        uniform = barriers and self.number(0, 1) == 1
        counter = f"i{self.loops}"
        self.loops += 1
        self.add(f"uint {counter} = {self.uniform() if uniform else self.expression(1)} % 4u;")
        self.add(f"while ({counter}-- > 0u) {{")
        self.block(barriers=uniform, tail=self._leave(uniform))
        self.add("}")

    def _do(self, barriers: bool) -> None:
        uniform = barriers and self.number(0, 1) == 1
        counter = f"i{self.loops}"
        self.loops += 1
        self.add(f"uint {counter} = {self.uniform() if uniform else self.expression(1)} % 3u;")
        self.add("do {")
        self.block(barriers=uniform)
        self.add(f"}} while ({counter}-- > 0u);")

    def _switch(self, barriers: bool) -> None:
        uniform = barriers and self.number(0, 1) == 1
        self.add(f"switch ({self.uniform() if uniform else self.expression(1)} % 4u) {{")
        self.add("case 0u:")
        self.block(barriers=uniform, tail=self.pick("break;", ""))
        self.add("case 2u: case 3u:")
        self.block(barriers=uniform, tail="break;")
        self.add("default:")
        self.block(barriers=uniform)
        self.add("}")


@st.composite
def kernels(draw: st.DrawFn, shape: Shape = (GROUP,)) -> str:
    """The text of one kernel for groups of `shape`: (x,) or (x, y)."""
    writer = _Writer(draw, math.prod(shape))
    for _ in range(writer.number(1, 6)):
        writer.statement(barriers=True)
    if writer.number(0, 3) == 0:
        writer.add(f"if {writer.condition()} return;")
        writer.statement(barriers=False)
    ids = _IDS if len(shape) == 1 else _IDS_2D
    return _HELPERS + ids + _VARIABLES + "\n".join(writer.lines) + "\n" + _FOOTER
