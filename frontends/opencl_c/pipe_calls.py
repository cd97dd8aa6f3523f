"""Calls of functions on pipes (OpenCL C 3.0, section 6.15.14), which clang knows by itself.

All are made of four: reserve_* and commit_* by a work-item, `PACKET` (the address of a reserved
packet), and the queries. libclang shows the type of packets only as that of the pointer.
"""

from __future__ import annotations

import re

from polycl.dialects.ocl import AddressSpace
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.block_expressions import BlockExpressions
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr
from polycl.frontends.opencl_c.types import INT, RESERVATION, UINT, ULONG, VOID, CType, pointer_to

PACKET = "__polycl_pipe_packet"
_NAME = re.compile(r"(work_group_|sub_group_)?(reserve_|commit_)?(read|write)_pipe")
_GLOBAL_FENCE = 2


def is_pipe_call(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def read_pipe_call(
    name: str, arguments: list[Expr], blocks: BlockExpressions, where: Location
) -> Expr:
    """The call of a function whose name `is_pipe_call`."""
    match = _NAME.fullmatch(name)
    assert match is not None
    group, action, access = match.groups()
    pipe, *others = arguments

    def reserve(count: Expr) -> Expr:
        return BuiltinCall(where, RESERVATION, f"reserve_{access}_pipe", [pipe, _as(UINT, count)])

    def commit(reservation: Expr) -> Expr:
        return BuiltinCall(where, VOID, f"commit_{access}_pipe", [pipe, reservation])

    def copy(reservation: Expr, index: Expr, pointer: Expr) -> Expr:
        """Between a reserved packet and what `pointer` points to; zero."""
        type = pointer.type.element
        arguments = [pipe, reservation, _as(UINT, index)]
        address = pointer_to(type, AddressSpace.GLOBAL)
        packet = tree.Index(where, type, BuiltinCall(where, address, PACKET, arguments))
        given = tree.Index(where, type, pointer)
        place, value = (given, packet) if access == "read" else (packet, given)
        assign = tree.Assign(where, type, place, tree.Load(where, type, value))
        return tree.Comma(where, INT, assign, Const(where, INT, 0))

    match action, group, others:
        case "reserve_", None, [count]:
            return reserve(count)
        case "reserve_", _, [count]:
            # The others' value is less than that of any reservation.
            none = Const(where, RESERVATION, -1)
            is_first = _is_first(group, where)
            one = tree.Conditional(where, RESERVATION, is_first, reserve(count), none)
            return BuiltinCall(where, RESERVATION, f"{group}reduce_max", [one])
        case "commit_", None, [reservation]:
            return commit(reservation)
        case "commit_", _, [reservation]:
            fence = Const(where, UINT, _GLOBAL_FENCE)
            barrier = BuiltinCall(where, VOID, f"{group}barrier", [fence])
            zero = Const(where, INT, 0)
            done = tree.Comma(where, INT, commit(reservation), zero)
            ended = tree.Conditional(where, INT, _is_first(group, where), done, zero)
            return tree.Comma(where, VOID, barrier, tree.Cast(where, VOID, ended))
        case _, _, [reservation, index, pointer]:
            return _if_valid(reservation, copy(reservation, index, pointer), where)
        case _:
            (pointer,) = others
            variable = blocks.temporary(RESERVATION, where)
            first = tree.assignment(variable, reserve(Const(where, UINT, 1)), where)
            reservation = tree.read(variable, where)
            copied = copy(reservation, Const(where, UINT, 0), pointer)
            ended = tree.Comma(where, INT, commit(reservation), Const(where, INT, 0))
            moved = tree.Comma(where, INT, copied, ended)
            return tree.Comma(where, INT, first, _if_valid(reservation, moved, where))


def _if_valid(reservation: Expr, moved: Expr, where: Location) -> Expr:
    """`moved`, or a negative number where there is no reservation."""
    is_valid = tree.Binary(where, INT, ">=", reservation, Const(where, RESERVATION, 0))
    return tree.Conditional(where, INT, is_valid, moved, Const(where, INT, -1))


def _is_first(group: str, where: Location) -> Expr:
    """Whether the work-item is the first one of its work-group or sub-group."""
    name = "get_local_linear_id" if group == "work_group_" else "get_sub_group_local_id"
    type = ULONG if group == "work_group_" else UINT
    return tree.Binary(where, INT, "==", BuiltinCall(where, type, name, []), Const(where, type, 0))


def _as(type: CType, value: Expr) -> Expr:
    return value if value.type.same_value(type) else tree.Cast(value.location, type, value)
