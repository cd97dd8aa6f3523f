"""What this project adds to every xDSL tool of its environment."""

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe


def _dialect() -> Dialect:
    from tiny.dialect import TINY

    return TINY


def _pass() -> type[ModulePass]:
    from tiny.lowering import TinyToOclPass

    return TinyToOclPass


UNIVERSE = Universe(all_dialects={"tiny": _dialect}, all_passes={"tiny-to-ocl": _pass})
