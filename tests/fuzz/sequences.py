"""Random loops on memory of each work-item's own, whose order of reads and writes is defined.

Every kernel has the signature

    kernel void k(global E *a, global E *b, global E *last, int n, int c)

with an element type E. A work-item reads and writes `Kernel.part` elements of `a` and `b`, which
may be one array, side by side or as far apart as there are work-items. Elements are moved,
compared, added and subtracted: two executions of one kernel agree in every bit.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

TYPES = ("uchar", "ushort", "uint", "int", "ulong", "float", "double")
MARGIN = 8
"""Elements before those that loops count through, and after them."""


@dataclass(frozen=True)
class Kernel:
    text: str
    element: str
    """The type E."""
    items: int
    group: int
    length: int
    """The argument `n`: how far loops count at most."""
    part: int
    """Elements of one work-item."""
    is_one_array: bool
    """Whether `b` is the array `a`."""


class _Writer:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.element = self.pick(*TYPES)
        self.items = self.random.choice((1, 1, 16, 33, 48))
        self.group = self.random.choice([n for n in (1, 11, 16, 48) if self.items % n == 0])
        self.length = self.random.choice((4, 8, 9, 16, 17, 32, 40))
        self.part = 2 * self.length + 2 * MARGIN
        self.is_by_column = self.chance(0.35)
        self.counter_type = self.pick("int", "int", "long", "uint", "size_t")

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def place(self, i: str) -> str:
        """The address of element `i` of the work-item, which is from -MARGIN on."""
        if self.is_by_column:
            return f"({i} + {MARGIN}) * {self.items} + g"
        return f"g * {self.part} + {MARGIN} + {i}"

    def access(self, counter: str) -> str:
        i = self.pick(counter, counter, counter, f"{self.length - 1} - {counter}", f"2 * {counter}")
        if self.chance(0.2):
            i = self.pick(f"{counter} / 2", f"({counter} & 3)", f"({counter} ^ 1)", "0")
        distance = self.random.choice((0, 0, 0, 1, -1, 2, -3, 4))
        return f"{self.pick('a', 'b')}[{self.place(f'(int)({i}) + {distance}')}]"

    def value(self, counter: str) -> str:
        if self.chance(0.6):
            return self.access(counter)
        # Sums of int wrap as those of uint do.
        cast = "(uint)" if self.element == "int" else ""
        operator = self.pick("+", "-")
        return f"(E)({cast}{self.access(counter)} {operator} {cast}{self.access(counter)})"

    def extreme(self) -> str:
        """Of floats the one that NaN does not matter to."""
        prefix = "f" if self.element in ("float", "double") else ""
        return prefix + self.pick("min", "max")

    def statement(self, counter: str, depth: int = 0) -> str:
        target, value = self.access(counter), self.value(counter)
        comparison = f"{self.access(counter)} {self.pick('<', '>', '==', '>=')} (E)c"
        kept = f"a[{self.place('kept')}]"
        options = [
            f"{target} = {value};",
            f"{target} = {value};",
            f"{{ E t = {target}; {target} = {value}; {self.access(counter)} = t; }}",
            f"{target} = {self.extreme()}({self.access(counter)}, (E)({value}));",
            f"sum = (E)({value});",
            f"if ({self.access(counter)} > {kept}) kept = {counter};",
            f"{kept} = {value}; if ({comparison} && kept < {self.length - 1}) kept++;",
            f"if ({comparison}) {self.pick('break', 'continue')};",
        ]
        if depth < 2:
            options.append(f"if ({comparison}) {{ {self.statement(counter, depth + 1)} }}")
        return self.pick(*options)

    def loop(self, counter: str, inner: str) -> str:
        type, n = self.counter_type, self.length
        heads = [
            f"for ({type} {counter} = {self.pick('0', '1')}; {counter} < n; {counter}++)",
            f"for ({type} {counter} = 0; {counter} < {n}; {counter} += {self.pick('1', '2')})",
            f"for ({type} {counter} = {n}; {counter}-- > {self.pick('0', '1')};)",
            f"for ({type} {counter} = 1; {counter} + 1 < {n}; {counter}++)",
            f"for ({type} {counter} = 0; {counter} != {n}; {counter}++)",
            f"for (int {counter} = n - 1; {counter} >= 0; {counter}--)",
        ]
        return f"{self.pick(*heads)} {{ {inner} }}"

    def nest(self) -> str:
        inner = " ".join(self.statement("i") for _ in range(self.random.choice((1, 1, 2))))
        match self.pick("loop", "loop", "nest", "triangle"):
            case "loop":
                text = self.loop("i", inner)
            case "nest":
                text = self.loop("j", f"{self.loop('i', inner)} {self.statement('j')}")
            case _:
                head = f"for ({self.counter_type} i = {self.pick('j', 'j + 1')}; i < n; i++)"
                text = self.loop("j", f"{head} {{ {inner} }}")
        guard = f"if (g {self.pick('% 3 != 1', '> 2', '< 20')}) " if self.chance(0.15) else ""
        return f"  {guard}{text}"


def sequence_kernel(seed: int) -> Kernel:
    """The kernel of this number."""
    writer = _Writer(seed)
    id_type = writer.pick("int", "uint", "size_t")
    lines = [
        f"typedef {writer.element} E;",
        "kernel void k(global E *a, global E *b, global E *last, int n, int c) {",
        f"  {id_type} g = get_global_id(0);",
        "  E sum = 0;",
        "  int kept = 0;",
        *(writer.nest() for _ in range(writer.random.choice((1, 1, 2, 3)))),
        "  last[g] = sum + (E)kept;",
        "}",
    ]
    return Kernel(
        "\n".join(lines) + "\n",
        writer.element,
        writer.items,
        writer.group,
        writer.length,
        writer.part,
        writer.chance(0.3),
    )
