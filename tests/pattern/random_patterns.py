"""Random low-level pattern programs: layouts, maps at every level, reductions, local memory.

All arithmetic is exact in f32 for arguments that are small multiples of 1/8.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import contextmanager
from typing import TypeAlias

Value: TypeAlias = tuple[str, tuple[int, ...]]
"""A name and the array's sizes."""


def random_program(seed: int) -> str:
    """A function @f from one array to one array."""
    return _Builder(random.Random(seed)).program()


def type_text(shape: tuple[int | str, ...], element: str = "f32") -> str:
    """The type of an array."""
    return f"!pattern.array<{', '.join(map(str, shape))}, {element}>" if shape else element


class _Builder:
    def __init__(self, rng: random.Random):
        self.rng = rng
        self.lines: list[str] = []
        self.count = 0
        self.depth = 1

    def program(self) -> str:
        shape = (self.rng.choice([4, 6, 8, 12]), self.rng.choice([8, 12, 16, 24]))
        if self.rng.random() < 0.3:
            shape = (*shape, self.rng.choice([2, 4]))
        self.emit("%z = arith.constant 0.0 : f32")
        value: Value = ("%x", shape)
        for _ in range(self.rng.choice([1, 1, 2])):
            value = self.layouts(value, self.rng.randint(0, 2))
            level = self.by_groups if self.rng.random() < 0.6 else self.by_items
            value = level(self.at_least_two(value))
            value = self.layouts(value, self.rng.randint(0, 1), invertible=True)
        self.emit(f"func.return {value[0]} : {type_text(value[1])}")
        head = f"func.func @f(%x : {type_text(shape)}) -> {type_text(value[1])} {{"
        return "\n".join([head, *self.lines, "}"])

    # Parts

    def at_least_two(self, value: Value) -> Value:
        """With two dimensions or more."""
        return value if len(value[1]) > 1 else self.split(value)

    def by_items(self, value: Value) -> Value:
        if len(value[1]) > 2 and self.rng.random() < 0.5:
            return self.map(
                "map_global",
                value,
                lambda row: self.map("map_global", row, self.sequential),
                " dim 1",
            )
        return self.map("map_global", value, self.sequential)

    def by_groups(self, value: Value) -> Value:
        return self.map("map_workgroup", value, self.group)

    def group(self, value: Value) -> Value:
        """Steps of a group's work-items; what one leaves in local memory the next one reads."""
        steps = self.rng.randint(1, 3)
        for step in range(steps):
            value = self.layouts(value, self.rng.randint(0, 1))
            if len(value[1]) > 1 and self.rng.random() < 0.3:
                value = self.map(
                    "map_local",
                    value,
                    lambda row: self.map("map_local", row, self.element),
                    " dim 1",
                )
            elif len(value[1]) > 1 and self.rng.random() < 0.3:
                value = self.map("map_seq", value, self.local_steps)
            else:
                value = self.map("map_local", value, self.element)
            if step < steps - 1 and self.rng.random() < 0.8:
                space = self.rng.choice(["to_local", "to_local", "to_global"])
                value = self.op(f"pattern.{space} {value[0]}", value[1])
        return value

    def row(self, value: Value) -> Value:
        return self.map("map_local", value, self.element)

    def halved_twice(self, value: Value) -> Value:
        """Two steps of a tree."""
        name, (size,) = value
        argument, result = self.fresh(), self.fresh()
        self.emit(
            f"{result} = pattern.iterate 2 {name} size S as {argument} : {type_text(('2*S',))} {{"
        )
        with self.nested():
            pairs, sums, joined = self.fresh(), self.fresh(), self.fresh()
            self.emit(f"{pairs} = pattern.split {argument} by 2 : {type_text(('S', 2))}")
            pair = self.fresh()
            self.emit(f"{sums} = pattern.map_local {pairs} as {pair} : {type_text((2,))} {{")
            with self.nested():
                total = self.reduce((pair, (2,)))
                self.emit(f"pattern.yield {total[0]} : {type_text((1,))}")
            self.emit(f"}} : {type_text(('S', 1))}")
            self.emit(f"{joined} = pattern.join {sums} : {type_text(('S',))}")
            self.emit(f"pattern.yield {joined} : {type_text(('S',))}")
        shape = (size // 4,)
        self.emit(f"}} : {type_text(shape)}")
        return result, shape

    def local_steps(self, value: Value) -> Value:
        """In a loop of the group: a tile that is written and read again in each iteration."""
        value = self.map("map_local", value, self.element)
        value = self.op(f"pattern.to_local {value[0]}", value[1])
        value = self.layouts(value, 1)
        return self.map("map_local", value, self.element)

    def element(self, value: Value) -> Value:
        return self.scalar(value) if not value[1] else self.sequential(value)

    def sequential(self, value: Value) -> Value:
        """One work-item's work on an array, or on a scalar."""
        if not value[1]:
            return self.scalar(value)
        value = self.layouts(value, self.rng.randint(0, 1))
        if len(value[1]) == 1 and self.rng.random() < 0.5:
            return self.reduce(value)
        if len(value[1]) == 1 and self.rng.random() < 0.3:
            return self.scan(value)
        if len(value[1]) == 1 and value[1][0] % 4 == 0 and self.rng.random() < 0.4:
            return self.by_vectors(value)
        if len(value[1]) == 1 and self.rng.random() < 0.3:
            return self.with_neighbours(value)
        unroll = " unroll" if value[1][0] <= 8 and self.rng.random() < 0.3 else ""
        return self.map("map_seq", value, self.sequential, unroll)

    def by_vectors(self, value: Value) -> Value:
        """Four elements at a time."""
        name, (size,) = value
        vectors, result, argument, made, scalars = (self.fresh() for _ in range(5))
        wide = type_text((size // 4,), "vector<4xf32>")
        self.emit(f"{vectors} = pattern.as_vector {name} by 4 : {wide}")
        self.emit(f"{result} = pattern.map_seq {vectors} as {argument} : vector<4xf32> {{")
        self.emit(f"  {made} = arith.addf {argument}, {argument} : vector<4xf32>")
        self.emit(f"  pattern.yield {made} : vector<4xf32>")
        self.emit(f"}} : {wide}")
        self.emit(f"{scalars} = pattern.as_scalar {result} : {type_text((size,))}")
        return scalars, (size,)

    def with_neighbours(self, value: Value) -> Value:
        """Each element with another one: pairs, which a function takes apart."""
        name, (size,) = value
        other, _ = self.op(f"pattern.reorder_stride {name} by {self.divisor(size)}", (size,))
        pairs, a, b, result, total = (self.fresh() for _ in range(5))
        self.emit(
            f"{pairs} = pattern.zip {name}, {other} : {type_text((size,), 'tuple<f32, f32>')}"
        )
        self.emit(f"{result} = pattern.map_seq {pairs} as ({a} : f32, {b} : f32) {{")
        self.emit(f"  {total} = arith.subf {a}, {b} : f32")
        self.emit(f"  pattern.yield {total} : f32")
        self.emit(f"}} : {type_text((size,))}")
        return result, (size,)

    def scalar(self, value: Value) -> Value:
        name = value[0]
        kind = self.rng.choice(["addf", "subf", "maximumf", "minimumf"])
        other = self.rng.choice([name, "%z"]) if kind != "subf" else "%z"
        return self.op(f"arith.{kind} {name}, {other}", ())

    def reduce(self, value: Value) -> Value:
        acc, element = self.fresh(), self.fresh()
        result = self.fresh()
        unroll = " unroll" if value[1][0] <= 8 and self.rng.random() < 0.3 else ""
        kind = self.rng.choice(["addf", "maximumf"])
        self.emit(
            f"{result} = pattern.reduce_seq {value[0]} init %z as {acc} : f32, "
            f"{element} : f32{unroll} {{"
        )
        with self.nested():
            total = self.op(f"arith.{kind} {acc}, {element}", ())
            self.emit(f"pattern.yield {total[0]} : f32")
        self.emit(f"}} : {type_text((1,))}")
        return result, (1,)

    def scan(self, value: Value) -> Value:
        acc, element, result = self.fresh(), self.fresh(), self.fresh()
        kind = self.rng.choice(["addf", "maximumf"])
        exclusive = self.rng.choice([" exclusive", ""])
        self.emit(
            f"{result} = pattern.scan {value[0]} init %z as {acc} : f32, {element} : f32"
            f"{exclusive} {{"
        )
        with self.nested():
            total = self.op(f"arith.{kind} {acc}, {element}", ())
            self.emit(f"pattern.yield {total[0]} : f32")
        self.emit(f"}} : {type_text(value[1])}")
        return result, value[1]

    def map(
        self, name: str, value: Value, body: Callable[[Value], Value], modifier: str = ""
    ) -> Value:
        (size, *inner), argument, result = value[1], self.fresh(), self.fresh()
        element = tuple(inner)
        head = f"pattern.{name} {value[0]} as {argument} : {type_text(element)}"
        self.emit(f"{result} = {head}{modifier} {{")
        with self.nested():
            made = body((argument, element))
            self.emit(f"pattern.yield {made[0]} : {type_text(made[1])}")
        shape = (size, *made[1])
        self.emit(f"}} : {type_text(shape)}")
        return result, shape

    def layouts(self, value: Value, count: int, *, invertible: bool = False) -> Value:
        for _ in range(count):
            value = self.layout(value, invertible)
        return value

    def layout(self, value: Value, invertible: bool) -> Value:
        name, shape = value
        size, *rest = shape
        kinds = ["split", "stride"]
        if len(shape) > 1:
            kinds += ["join", "transpose"]
        if not invertible and size <= 32:
            kinds += ["pad", "slide"]
        match self.rng.choice(kinds):
            case "split":
                return self.split(value)
            case "stride":
                by = self.divisor(size)
                return self.op(f"pattern.reorder_stride {name} by {by}", shape)
            case "join":
                return self.op(f"pattern.join {name}", (size * rest[0], *rest[1:]))
            case "transpose":
                return self.op(f"pattern.transpose {name}", (rest[0], size, *rest[1:]))
            case "pad":
                mode = self.rng.choice(["clamp", "mirror", "wrap"])
                left, right = self.rng.randint(0, 3), self.rng.randint(0, 3)
                text = f"pattern.pad {name} left {left} right {right} {mode}"
                return self.op(text, (size + left + right, *rest))
            case _:
                width = self.rng.randint(1, min(3, size))
                text = f"pattern.slide {name} size {width} step 1"
                return self.op(text, (size - width + 1, width, *rest))

    def split(self, value: Value) -> Value:
        name, (size, *rest) = value
        by = self.divisor(size)
        return self.op(f"pattern.split {name} by {by}", (size // by, by, *rest))

    def divisor(self, size: int) -> int:
        return self.rng.choice([d for d in range(1, size + 1) if size % d == 0])

    # Text

    def op(self, text: str, shape: tuple[int, ...]) -> Value:
        result = self.fresh()
        self.emit(f"{result} = {text} : {type_text(shape)}")
        return result, shape

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def emit(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    @contextmanager
    def nested(self):
        self.depth += 1
        yield
        self.depth -= 1
