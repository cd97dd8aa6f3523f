"""Writes docs/pattern/rule-examples.md: `python docs/rule_examples.py`.

Each rule with its equation, and the programs before and after it of its lit test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from polycl.dialects.pattern.paper import paper_expression
from polycl.lowering.pattern.rules import RULES
from polycl.lowering.pattern.rules.derivation import Derivation, find_function
from polycl.runtime.program import load

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/pattern/rule-examples.md"
TESTS = ROOT / "test/lit/lowering/pattern/rules"
HEAD = """\
# Each rule by an example

For each rule: its equation, which is read from left to right, and its side conditions; the program
of its test before and after it; the message for a program of the test to which it does not apply.
The notation is that of [rules and derivations](rules.md#the-rules); where it does not show what
changed, the programs are as MLIR.

This page is made of the rules and their tests: `python docs/rule_examples.py`.
"""
_RUN = re.compile(r"RUN: ocl-opt %s -p '[^']*pattern-(?:derive|apply)\{([^}]*)\}")
_STEPS = re.compile(r'steps="([^"]*)"')
_FUNCTION = re.compile(r'function="?(\w+)"?')


def page() -> str:
    return "\n".join([HEAD, *(line for name in RULES for line in _section(name))])


def _section(name: str) -> Iterator[str]:
    rule = RULES[name]
    path = TESTS / f"{name}.mlir"
    text = path.read_text(encoding="utf-8")
    yield f"## {name}\n"
    yield "```text"
    yield rule.equation
    yield "```\n"
    if rule.conditions:
        yield f"{rule.conditions}\n"
    before, steps, after = example(name)
    yield "```text"
    yield f"{before}\n"
    yield f"  {steps}\n"
    yield after
    yield "```\n"
    refused = re.search(r"^// REFUSED[\w-]*: .*?error: (.*)$", text, re.M)
    if refused:
        yield f"```text\n{refused[1]}\n```\n"
    yield f"[{path.name}](../../{path.relative_to(ROOT)})\n"


def example(name: str) -> tuple[str, str, str]:
    """The program of a rule's test, the steps that are applied, and what they make of it."""
    text = (TESTS / f"{name}.mlir").read_text(encoding="utf-8")
    for run in _RUN.finditer(text):
        steps, function = _STEPS.search(run[1]), _FUNCTION.search(run[1])
        if steps is None or function is None or function[1] == "refuses":
            continue
        module = load(text, language="mlir").module
        before = find_function(module, function[1])
        after = find_function(Derivation.parse(steps[1]).replay(module, function[1]), function[1])
        short = paper_expression(before), steps[1], paper_expression(after)
        return short if short[0] != short[2] else (str(before), steps[1], str(after))
    raise ValueError(f"{name}: no RUN line with steps")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
