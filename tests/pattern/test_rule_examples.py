"""docs/pattern/rule-examples.md is what the rules and their tests say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from polycl.lowering.pattern.rules import RULES

DOCS = Path(__file__).parents[2] / "docs"


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rule_examples", DOCS / "rule_examples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_rules_make_of_their_tests():
    """Else: python docs/rule_examples.py"""
    assert (DOCS / "pattern/rule-examples.md").read_text(encoding="utf-8") == generator().page()


def test_each_rule_changes_its_example():
    examples = generator()
    for name in RULES:
        before, steps, after = examples.example(name)
        assert name in steps
        assert before != after, name
