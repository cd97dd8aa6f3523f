"""Syntax trees of isl and their sets have the same points."""

from __future__ import annotations

import islpy as isl

from polycl.lowering.poly.codegen.isl_ast import condition_of, loops_of


def test_a_context_with_fewer_parameters():
    """isl left h out: `(G + 3) % 4 <= 2`."""
    domain = isl.Set("[G, h] -> { [t] : h - G - 3 <= 4t < h - G }")
    context = isl.Set("[G] -> { : G >= 0 }")
    loops = loops_of(domain, context, isl.Set("[G, h] -> { [t] }"))
    assert loops.node.to_C_str().startswith("if (h >= G + 4 * floord(-G + h, 4) + 1)\n")
    assert condition_of(domain.params(), context).to_C_str() == "h >= G + 4 * floord(-G + h, 4) + 1"
