"""Kernels and functions of several programs in one module: names that differ."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolOpInterface


def rename_apart(module: ModuleOp, known: dict[str, Operation]) -> None:
    """Rename the symbols of `module` that have the name of another operation in `known`, which
    gets the symbols of `module`. Equal operations share a name."""
    symbols = {name: op for op in module.ops if (name := _name(op)) is not None}
    differs = [
        name
        for name, op in symbols.items()
        if name in known and not known[name].is_structurally_equivalent(op)
    ]
    new_names: dict[str, str] = {}
    for name in differs:
        number = 2
        while (new := f"{name}_{letters(number)}") in known or new in symbols:
            number += 1
        new_names[name] = new
    if new_names:
        for op in module.walk():
            _rename(op, new_names)
    for name, op in symbols.items():
        known[new_names.get(name, name)] = op


def letters(number: int) -> str:
    """1 -> a, 27 -> aa."""
    text = ""
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("a") + digit) + text
    return text


def _name(op: Operation) -> str | None:
    trait = op.get_trait(SymbolOpInterface)
    symbol = None if trait is None else trait.get_sym_attr_name(op)
    return None if symbol is None else symbol.data


def _rename(op: Operation, new_names: dict[str, str]) -> None:
    if (name := _name(op)) in new_names:
        op.properties["sym_name"] = StringAttr(new_names[name])
    for attributes in (op.properties, op.attributes):
        for key, value in attributes.items():
            if isinstance(value, SymbolRefAttr) and value.root_reference.data in new_names:
                new = new_names[value.root_reference.data]
                attributes[key] = SymbolRefAttr(new, value.nested_references)
