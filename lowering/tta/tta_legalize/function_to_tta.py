"""The state of a function that is being legalised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.errors import error_at
from polycl.lowering.tta.tta_legalize.integers_to_tta import Value
from polycl.lowering.tta.tta_legalize.types_to_tta import words_of
from polycl.lowering.tta.word_builder import WordBuilder


class FunctionLowering(WordBuilder):
    """A builder of words, with the words of each value and the new block of each block.

    `constants` are the addresses of program-scope data, `operations` the optional operations that
    the processor has (`TtaLegalizePass`).
    """

    def __init__(
        self,
        entry: Block,
        anchor: Operation,
        constants: dict[str, int],
        operations: Sequence[str] = (),
    ):
        super().__init__(entry, anchor)
        self.operations = frozenset(operations)
        self.multiplies = {"mul", "mulhiu"} <= self.operations
        self.values: dict[SSAValue, Value] = {}
        self.blocks: dict[Block, Block] = {}
        self.constants = constants

    def append_block(self, block: Block) -> None:
        """Continue in `block`, which is inserted after the current block."""
        region = self.block.parent_region()
        assert region is not None
        region.insert_block_after(block, self.block)
        self.block = block

    def need(self, operation: str) -> None:
        """Raises a located error if the processor does not have `operation`."""
        if operation not in self.operations:
            raise error_at(
                self.anchor,
                f"the processor has no '{operation}', which '{self.anchor.name}' needs: run "
                "tta-expand-arith before",
            )

    def types(self, type: Attribute) -> list[Attribute]:
        """The types of a value's words. Raises a located error for an unsupported type."""
        try:
            return words_of(type)
        except TypeError as error:
            raise error_at(self.anchor, str(error)) from error

    def word(self, value: SSAValue) -> SSAValue:
        """The word of a value that has one word."""
        (word,) = self.values[value]
        return word

    def elements(self, value: SSAValue) -> list[Value]:
        """The words of each element of a vector; a scalar is one element."""
        words = self.values[value]
        count = value.type.element_count() if isinstance(value.type, VectorType) else 1
        size = len(words) // count
        return [words[i * size : (i + 1) * size] for i in range(count)]

    def flat(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """The words of several values in order."""
        return [word for value in values for word in self.values[value]]


Converter: TypeAlias = Callable[[Operation, FunctionLowering], "Sequence[Value] | None"]
"""Legalises an operation; returns the words of each result, or None if there is no result."""
