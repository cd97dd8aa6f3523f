"""Remarks: collected in order, by the innermost collector, with the operation's location."""

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr

from polycl.remarks import Remark, collect_remarks, emit_remark, remarks_wanted


def module_at(line: int) -> ModuleOp:
    module = ModuleOp([])
    module.location = FileLineColLoc(StringAttr("k.cl"), IntAttr(line), IntAttr(7))
    return module


def test_nothing_happens_while_nobody_collects():
    assert not remarks_wanted()
    emit_remark(module_at(1), "some-pass", "lost")
    with collect_remarks() as remarks:
        assert remarks_wanted()
    assert remarks == []


def test_remarks_keep_their_order_and_place():
    with collect_remarks() as remarks:
        emit_remark(module_at(3), "some-pass", "first")
        emit_remark(ModuleOp([]), "other-pass", "second")
    assert remarks[0] == Remark(("k.cl", 3, 7), "some-pass", "first")
    assert [str(remark) for remark in remarks] == [
        "k.cl:3:7: remark: first [some-pass]",
        "<unknown>: remark: second [other-pass]",
    ]


def test_the_innermost_collector_gets_the_remark():
    with collect_remarks() as outer:
        with collect_remarks() as inner:
            emit_remark(module_at(1), "p", "inner")
        emit_remark(module_at(1), "p", "outer")
    assert [r.message for r in inner] == ["inner"]
    assert [r.message for r in outer] == ["outer"]
