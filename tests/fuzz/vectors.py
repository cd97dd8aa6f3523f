"""Random OpenCL C kernels that move vectors of every type and width through every address space.

Every kernel has the signature

    kernel void k(global E *out, global const E *in)

with an element type E, and runs on GROUPS groups of `Kernel.group` work-items. Work-items share
local memory between barriers only; floats are moved, never computed with: two executions of one
kernel agree in every bit.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

GROUPS = 2
INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
TYPES = (*INTEGERS, "half", "float", "double")
BITS = {"char": 8, "short": 16, "half": 16, "int": 32, "float": 32, "long": 64, "double": 64}
WIDTHS = (1, 2, 3, 4, 8, 16)


@dataclass(frozen=True)
class Kernel:
    text: str
    element: str
    """The type E."""
    group: int
    """Work-items in a group."""
    size: int
    """Elements of each array."""


def bits(element: str) -> int:
    """The bits of an element."""
    return BITS[element.removeprefix("u")]


class _Writer:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.element = self.random.choice(TYPES)
        self.width = self.random.choice(WIDTHS)
        self.group = self.random.choice((1, 2, 3, 4, 5, 8, 16, 32))
        self.private = self.random.randint(1, 6)
        self.lines: list[str] = []
        self.depth = 1

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def number(self, end: int) -> int:
        return self.random.randrange(end)

    def add(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def type(self, element: str | None = None, width: int | None = None) -> str:
        width = self.width if width is None else width
        return (element or self.element) + (str(width) if width > 1 else "")

    def private_index(self) -> str:
        return self.pick(str(self.number(self.private)), f"(l + {self.number(9)}) % {self.private}")

    def local_index(self) -> str:
        return self.pick(
            "l", f"(l + {self.number(9)}) % {self.group}", str(self.number(self.group))
        )

    def variable(self) -> str:
        return self.pick("a", "b", "c")

    def element_of(self, vector: str) -> str:
        return f"{vector}.s{self.number(self.width):x}" if self.width > 1 else vector

    def value(self, depth: int = 2, shared: bool = False) -> str:
        """A vector."""
        places = [self.variable(), f"p[{self.private_index()}]", "in_vector(g)"]
        if shared:
            places += [f"t[{self.local_index()}]"] * 3
        if depth == 0 or self.number(3) == 0:
            return self.pick(*places)
        one, two = self.value(depth - 1, shared), self.value(depth - 1, shared)
        options = [f"({self.type()})(g & {1 << self.number(3)} ? {one} : {two})"]
        if self.width > 1:
            order = ", ".join(self.element_of(self.variable()) for _ in range(self.width))
            options.append(f"({self.type()})({order})")
        if self.width in (4, 8, 16):
            half = self.type(width=self.width // 2)
            pick = self.variable()
            options.append(f"({self.type()})(({half}){pick}.odd, ({half}){self.variable()}.lo)")
        if self.width in (2, 4, 8, 16):
            unsigned = {8: "uchar", 16: "ushort", 32: "uint", 64: "ulong"}[bits(self.element)]
            mask = self.type(unsigned)
            options.append(f"shuffle({one}, ({mask})(({mask})l + ({mask}){self.number(5)}))")
        if self.element in INTEGERS:
            unsigned = "u" + self.element.removeprefix("u")
            cast = f"as_{self.type(unsigned)}"
            operator = self.pick("+", "-", "*", "^", "&", "|")
            word = f"({self.type(unsigned)})({cast}({one}) {operator} {cast}({two}))"
            options.append(f"as_{self.type()}({word})")
            options.append(f"{self.pick('min', 'max', 'rotate', 'add_sat')}({one}, {two})")
            other = self.pick(*INTEGERS)
            through = f"convert_{self.type(other)}_sat({one})"
            options.append(f"convert_{self.type()}_sat({through})")
        else:
            integer = {16: "short", 32: "int", 64: "long"}[bits(self.element)]
            cast = self.type(integer)
            flipped = f"({cast})(as_{cast}({one}) ^ ({cast}){self.number(9)})"
            options.append(f"as_{self.type()}({flipped})")
        return self.pick(*options)

    def statement(self) -> None:
        kind = self.number(10)
        if kind < 3:
            self.add(f"{self.variable()} = {self.value()};")
        elif kind < 5:
            self.add(f"p[{self.private_index()}] = {self.value()};")
        elif kind == 5 and self.width > 1:
            place = self.pick(self.variable(), f"p[{self.private_index()}]")
            self.add(f"{self.element_of(place)} = {self.element_of(self.variable())};")
        elif kind == 6 and self.width in (4, 8, 16):
            place = self.pick(self.variable(), f"p[{self.private_index()}]")
            self.add(f"{place}.{self.pick('even', 'hi')} = {self.variable()}.lo;")
        elif kind == 7 and self.width > 1:
            at = self.number(self.private)
            # A vector of 3 takes the room of 4.
            at = 0 if self.width == 3 else at
            self.add(f"vstore{self.width}({self.value(1)}, {at}, (E *)p);")
        elif kind == 8 and self.depth < 3:
            i = f"i{self.depth}"
            head = self.pick(
                f"if (g & {1 << self.number(4)}) {{",
                f"for (int {i} = 0; {i} < {self.number(5)}; {i}++) {{",
            )
            self.add(head)
            self.depth += 1
            for _ in range(1 + self.number(3)):
                self.statement()
            self.depth -= 1
            self.add("}")
        else:
            self.share()

    def share(self) -> None:
        """A phase that writes to local memory, and one that reads; barriers are uniform."""
        if self.depth > 1:
            return
        shift = self.number(self.group)
        self.add(f"t[(l + {shift}) % {self.group}] = {self.value()};")
        if self.width > 1 and self.number(2):
            place = self.element_of(f"t[(l + {shift}) % {self.group}]")
            self.add(f"{place} = {self.element_of('a')};")
        self.add("barrier(CLK_LOCAL_MEM_FENCE);")
        for _ in range(1 + self.number(2)):
            self.add(f"{self.variable()} = {self.value(shared=True)};")
        if self.number(3) == 0:
            self.add(f"p[{self.private_index()}] = {self.value(shared=True)};")
        self.add("barrier(CLK_LOCAL_MEM_FENCE);")


def vector_kernel(seed: int) -> Kernel:
    """The kernel of this number."""
    writer = _Writer(seed)
    for _ in range(2 + writer.number(6)):
        writer.statement()
    width, vector = writer.width, writer.type()
    load = (
        f"vload{width}((i) * 5 % {GROUPS * writer.group}, in)" if width > 1 else "in[(i) * 5 % {}]"
    )
    load = load.format(GROUPS * writer.group)
    store = [
        f"vstore{width}({value}, g * 3 + {k}, out);"
        if width > 1
        else f"out[g * 3 + {k}] = {value};"
        for k, value in enumerate(("a", "b", f"p[{writer.private - 1}]"))
    ]
    text = "\n".join(
        [
            "#pragma OPENCL EXTENSION cl_khr_fp16 : enable",
            f"typedef {writer.element} E;",
            f"#define in_vector(i) {load}",
            "kernel void k(global E *out, global const E *in) {",
            f"  local {vector} t[{writer.group}];",
            f"  {vector} p[{writer.private}];",
            "  size_t l = get_local_id(0), g = get_global_id(0);",
            f"  {vector} a = in_vector(g), b = in_vector(g + 1), c = in_vector(g + 2);",
            f"  for (int i = 0; i < {writer.private}; i++) p[i] = in_vector(g + i);",
            *writer.lines,
            *(f"  {line}" for line in store),
            "}",
        ]
    )
    size = 3 * GROUPS * writer.group * width
    return Kernel(f"{text}\n", writer.element, writer.group, size)
