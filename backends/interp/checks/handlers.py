"""The handlers of a checked launch: the interpreter's own, wrapped or replaced."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith, func, scf, ub
from xdsl.ir import Operation

from polycl.backends.interp.checks import check_lanes as lanes
from polycl.backends.interp.checks import check_memory as memory
from polycl.backends.interp.checks import check_sync as sync
from polycl.backends.interp.checks import guards
from polycl.backends.interp.ops import HANDLERS
from polycl.backends.interp.translate import EndHandler, Handlers, OpHandler
from polycl.dialects import ocl, vec, wg

# Operations that compute nothing.
_UNCHANGED = (
    arith.ConstantOp,
    func.CallOp,
    scf.WhileOp,
    scf.ExecuteRegionOp,
    wg.SlotOp,
    wg.AnyOp,
    wg.ChooseOp,
    wg.ChosenOp,
)


_DECIDES = "a branch depends on an uninitialised value"


def _operations() -> Mapping[type[Operation], OpHandler]:
    table: dict[type[Operation], OpHandler] = {}
    for op, handler in HANDLERS.operations.items():
        if op in guards.CONTROL:
            use = _DECIDES
            if op.name == "ocl.printf":
                use = "an uninitialised value is printed"
            elif issubclass(op, ocl.Collective):
                use = "a collective function is given an uninitialised value"
            table[op] = guards.deciding(handler, guards.CONTROL[op], use)
        elif op in _UNCHANGED:
            table[op] = handler
        elif op in guards.DIVISIONS:
            table[op] = guards.division(handler)
        elif op in guards.SHIFTS:
            table[op] = guards.shift(handler)
        elif op in (arith.AndIOp, arith.OrIOp):
            table[op] = guards.bitwise(handler)
        elif op in (arith.SelectOp, vec.SelectOp):
            table[op] = guards.select(handler)
        else:
            table[op] = guards.strict(handler)
    replaced = {**memory.OPERATIONS, **lanes.OPERATIONS, **sync.OPERATIONS}
    return {**table, ub.PoisonOp: guards.poison, **replaced}


def _terminators() -> Mapping[type[Operation], EndHandler]:
    table = dict(HANDLERS.terminators)
    for op, operands in guards.ENDS.items():
        table[op] = guards.deciding(table[op], operands, _DECIDES)
    return table


CHECKED_HANDLERS = Handlers(_operations(), _terminators())
