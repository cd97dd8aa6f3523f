"""Types of the `wg` dialect."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser

from polycl.dialects.ocl.attributes import verify_storable
from polycl.dialects.vec import element_of

LANES = "wg.lanes"
"""The attribute of a parallel region that specifies which work-items form a vector: `(8, 1, 1)`
for eight along x, `(1, 1, 1)` for no vectors at all. Without it `wg-vectorize` chooses."""

SPREAD = "wg.spread"
"""The attribute of a parallel region that runs for other work-items than the group has: each does a
part of what one work-item of the kernel does, the group is a tile of several rows, or it runs for
several groups."""

RARE = "wg.rare"
"""The attribute of a parallel region that few groups run, as there is another version for most:
`wg-vectorize` makes it short."""

ROWS_END = "wg.rows_end"
"""The attribute of a parallel region that runs where the group is in several rows, as there are
other versions for a single one: `wg-split-rows` leaves it."""

LIKELY = "wg.likely"
"""The attribute of an `scf.if`, and of the branch that it becomes: most groups take the first side,
so that its values stay in registers."""

NEAR = "wg.near"
"""The attribute of a `wg.gather` whose lanes' elements are probably within one register of memory,
as neighbours' indices differ by little."""

TABLE = "wg.table"
"""The attribute of a `wg.gather` of bytes which are among so many that begin at its pointer. If
they are those of an array, it has `wg.mapped`, too; else the last of them may not be there."""

WITHIN = "wg.within"
"""The attribute of a `wg.choose` in the first form of another one, which is to know the time of
that form: it measures first."""

REFILLED = "wg.refilled"
"""The attribute of a loop that a work-item may leave before its condition says so, to enter it
again with what it carries: vectors leave it when half of their lanes have."""

IN_REACH = "wg.in_reach"
"""The attribute of a `wg.gather` whose elements are less than 2^32 bytes from its pointer: that is
the start of a buffer, none of which is larger."""

MAPPED = "wg.mapped"
"""The attribute of a `wg.load` whose elements are all in one page with one that is in the array:
those outside of the array may be anything, and nobody uses them."""

IN_ORDER = "wg.in_order"
"""The attribute of a `wg.load` without a mask that reads memory after those with it that are before
it: together they are one stream."""


@irdl_attr_definition
class ContextType(ParametrizedAttribute, TypeAttribute):
    """A context array: one slot of the element type for each work-item of the group.

    `!wg.context<f32>`: the context arrays of [pocl15], section 4.7. i1, vectors of i1 and index
    have a slot too, though they have no layout in OpenCL C.
    """

    name = "wg.context"
    element: Attribute

    def verify(self) -> None:
        if element_of(self.element) == i1 or self.element == IndexType():
            return
        verify_storable(self.element, "context slot")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (parser.parse_type(),)
