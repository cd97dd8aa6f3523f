"""Rules keep the meaning of programs: the interpreter runs both sides on random integers.

Integers wrap, so that sums and products are associative and commutative exactly. The programs are
those of the rules' lit tests, in which each rule has its own file, and random ones.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker

from polycl.backends.pipeline import make_context
from polycl.errors import PolyclError
from polycl.frontends.mlir.mlir_text import parse_mlir
from polycl.lowering.pattern.rules import RULES, PatternRule
from polycl.lowering.pattern.rules.derivation import Derivation, find_function
from polycl.runtime.pattern.functions import Function
from polycl.runtime.pattern.pattern_program import leaf_shapes

FILES = Path(__file__).parents[2] / "test/lit/lowering/pattern/rules"
RUN = re.compile(r'// RUN: (not )?ocl-opt .*function="(\w+)" steps="([^"]*)"')


def parse(path: Path) -> ModuleOp:
    return parse_mlir(make_context(), path.read_bytes(), str(path))


def cases(*, refused: bool) -> list[Any]:
    """The rule's file, the function and the steps of each RUN line."""
    return [
        pytest.param(path, name, steps, id=f"{path.stem}-{name}-{steps}")
        for path in sorted(FILES.glob("*.mlir"))
        for refusal, name, steps in RUN.findall(path.read_text())
        if bool(refusal) == refused
    ]


def random_value(type: Attribute, sizes: dict[str, int], rng: np.random.Generator) -> Any:
    """An argument of type `type`: 32-bit integers, or floats of which sums are exact."""
    ((dtype, shape),) = leaf_shapes(type, sizes)
    if dtype.kind == "f":
        return rng.integers(-8, 8, size=shape).astype(dtype)
    if not shape:
        return int(rng.integers(-100, 100))
    return rng.integers(-(2**31), 2**31, size=shape, dtype=np.int32)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return np.array_equal(a, b)


def variables(function: func.FuncOp) -> list[str]:
    texts = [str(type) for type in function.function_type.inputs]
    return sorted({name for text in texts for name in re.findall(r"\b[A-Z]\w*", text)})


def check_same_results(before: func.FuncOp, after: func.FuncOp, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(3):
        sizes = {name: int(rng.integers(1, 7)) for name in variables(before)}
        args = [random_value(type, sizes, rng) for type in before.function_type.inputs]
        assert same(Function(before)(*args), Function(after)(*args)), f"for {sizes}"


def test_each_rule_has_tests_that_match_and_tests_that_refuse():
    files = {path.stem: path.read_text() for path in FILES.glob("*.mlir")}
    assert sorted(files) == sorted(RULES)
    for name, text in files.items():
        runs = RUN.findall(text)
        assert any(not refused and name in steps for refused, _, steps in runs), name
        assert any(refused for refused, _, _ in runs), name


@pytest.mark.parametrize(("path", "name", "steps"), cases(refused=False))
def test_both_sides_are_equal(path: Path, name: str, steps: str):
    module = parse(path)
    after = Derivation.parse(steps.replace(";", "\n")).replay(module, name)
    assert str(after) != str(module)
    check_same_results(find_function(module, name), find_function(after, name), seed=1)


@pytest.mark.parametrize(("path", "name", "steps"), cases(refused=True))
def test_refusing_changes_nothing(path: Path, name: str, steps: str):
    module = parse(path)
    before = str(module)
    with pytest.raises(PolyclError):
        Derivation.parse(steps.replace(";", "\n")).replay(module, name)
    assert str(module) == before


@pytest.mark.parametrize(("path", "name", "steps"), cases(refused=False))
def test_bindings_apply_and_looking_changes_nothing(path: Path, name: str, steps: str):
    """What `bindings` offers anywhere in a program can be applied."""
    module = parse(path)
    before = str(module)
    rule = RULES[path.stem]
    found = [
        (number, binding)
        for number, op in enumerate(find_function(module, name).walk())
        for binding in rule.bindings(op)
    ]
    assert str(module) == before
    for number, binding in found:
        copy = module.clone()
        op = list(find_function(copy, name).walk())[number]
        rule.apply(op, PatternRewriter(op), **binding)
        copy.verify()
        check_uses(copy)


def check_uses(module: ModuleOp) -> None:
    """No operation that was removed still uses a value."""
    ops = set(module.walk())
    for op in ops:
        for result in op.results:
            assert all(use.operation in ops for use in result.uses), op


def test_a_rule_is_a_pattern_for_a_greedy_driver():
    """The simplifications make programs smaller, so that the driver ends."""
    module = parse(FILES / "3e.mlir")
    PatternRewriteWalker(RULES["3e"].pattern()).rewrite_module(module)
    assert not re.search(r"pattern\.(split|as_vector)", str(module))
    check_uses(module)


# ---- random programs ----


def random_program(rng: random.Random) -> str:
    """A well-typed function of 48*N integers, or rows of them, that ends in a sum."""
    lines: list[str] = []
    value, sizes = "%x", ["48*N"]
    for number in range(rng.randint(1, 5)):
        new = f"%v{number}"
        kind = rng.choice(["map", "split", "join", "transpose", "zip"])
        flat = len(sizes) == 1
        if kind == "split" and len(sizes) < 3:
            n = rng.choice([2, 4])
            outer = {"48*N": {2: "24*N", 4: "12*N"}, "24*N": {2: "12*N", 4: "6*N"}}.get(sizes[0])
            if outer is not None:
                sizes = [outer[n], str(n), *sizes[1:]]
                lines.append(f"{new} = pattern.split {value} by {n} : {array(sizes)}")
                value = new
        elif kind == "join" and not flat:
            lines.append(f"{new} = pattern.join {value} : {array(joined(sizes))}")
            sizes, value = joined(sizes), new
        elif kind == "transpose" and not flat:
            sizes = [sizes[1], sizes[0], *sizes[2:]]
            lines.append(f"{new} = pattern.transpose {value} : {array(sizes)}")
            value = new
        elif kind == "zip" and flat and sizes == ["48*N"]:
            pair = "!pattern.array<48*N, tuple<i32, i32>>"
            lines.append(f"{new}z = pattern.zip {value}, %y : {pair}")
            lines.append(
                f"{new} = pattern.map {new}z as (%a : i32, %b : i32) {{\n"
                f"  %s = arith.{rng.choice(['addi', 'muli', 'subi'])} %a, %b : i32\n"
                f"  pattern.yield %s : i32\n}} : {array(sizes)}"
            )
            value = new
        elif kind == "map":
            lines.append(f"{new} = {nested_map(rng, value, sizes)}")
            value = new
    while len(sizes) > 1:
        sizes = joined(sizes)
        lines.append(f"%j{len(sizes)} = pattern.join {value} : {array(sizes)}")
        value = f"%j{len(sizes)}"
    body = "\n".join(lines)
    return f"""func.func @f(%x : {array(["48*N"])}, %y : {array(["48*N"])}) -> {array(["1"])} {{
%zero = arith.constant 0 : i32
%three = arith.constant 3 : i32
{body}
%sum = pattern.reduce {value} init %zero as %a : i32, %b : i32 assoc comm {{
  %s = arith.addi %a, %b : i32
  pattern.yield %s : i32
}} : {array(["1"])}
func.return %sum : {array(["1"])}
}}"""


def nested_map(rng: random.Random, value: str, sizes: list[str]) -> str:
    """A map over all dimensions, with one operation in the innermost function."""
    e = f"%e{len(sizes)}"
    if len(sizes) == 1:
        op = rng.choice(
            [f"addi {e}, %three", f"muli {e}, {e}", f"subi %three, {e}", "addi %three, %three"]
        )
        inner, element, result = f"  %s = arith.{op} : i32\n", "i32", "%s : i32"
    else:
        m = f"%m{len(sizes)}"
        inner = f"  {m} = {nested_map(rng, e, sizes[1:])}\n"
        element, result = array(sizes[1:]), f"{m} : {array(sizes[1:])}"
    return (
        f"pattern.map {value} as {e} : {element} {{\n{inner}  pattern.yield {result}\n}}"
        f" : {array(sizes)}"
    )


def array(sizes: list[str]) -> str:
    return f"!pattern.array<{', '.join(sizes)}, i32>"


def joined(sizes: list[str]) -> list[str]:
    outer, inner, *rest = sizes
    if "N" not in outer and "N" not in inner:
        return [str(int(outer) * int(inner)), *rest]
    symbolic, constant = (outer, inner) if "N" in outer else (inner, outer)
    return [f"{int(symbolic.removesuffix('*N')) * int(constant)}*N", *rest]


def applicable(function: func.FuncOp) -> list[tuple[Operation, PatternRule, dict[str, Any]]]:
    """All rules at all places, with all parameters but those with symbols."""
    return [
        (op, rule, binding)
        for op in function.walk()
        for rule in RULES.values()
        for binding in rule.bindings(op)
    ]


@pytest.mark.parametrize("seed", range(12))
def test_random_steps_keep_the_meaning_of_random_programs(seed: int):
    """Ten random steps on a random program; after each, its results are those of the first."""
    rng = random.Random(seed)
    text = random_program(rng)
    module = parse_mlir(make_context(), text.encode(), f"random_{seed}.mlir")
    module.verify()
    original = find_function(module.clone(), "f")
    function = find_function(module, "f")
    taken: list[str] = []
    for _ in range(10):
        choices = applicable(function)
        kinds = sorted({rule.name for _, rule, _ in choices} - {"x.id", "3a"})
        if not kinds:
            break
        chosen = rng.choice(kinds)
        op, rule, binding = rng.choice([c for c in choices if c[1].name == chosen])
        taken.append(f"{rule.name} {binding} at {op.name}")
        rule.apply(op, PatternRewriter(op), **binding)
        module.verify()
        check_uses(module)
        args = [np.random.default_rng(seed).integers(-99, 99, 96, dtype=np.int32) for _ in "xy"]
        assert same(Function(original)(*args), Function(function)(*args)), taken
