"""polycl is a guest: importing all of it changes nothing in xDSL."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache

SCAN = """
import sys
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

if sys.argv[1] != "nothing":
    import polycl

    for module in walk_packages(polycl.__path__, "polycl."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
exec(sys.argv[2])

from xdsl.context import Context
from xdsl.irdl import IRDLOperation
from xdsl.universe import XDSL_UNIVERSE


def member(kind, name):
    owner = next(base for base in kind.__mro__ if name in vars(base))
    value = vars(owner)[name]
    value = getattr(value, "__func__", value)
    code = getattr(value, "__code__", None)
    return owner.__qualname__, code and (code.co_filename, code.co_firstlineno)


for name, load in sorted(XDSL_UNIVERSE.all_dialects.items()):
    dialect = load()
    print(name, sorted(a.name for a in dialect.attributes))
    for op in sorted(dialect.operations, key=lambda op: op.name):
        members = [m for m in dir(op) if callable(getattr(op, m, None))]
        print(op.name, [(m, member(op, m)) for m in members if m != "__class__"])
        print(op.name, sorted(repr(trait) for trait in op.traits))
        if issubclass(op, IRDLOperation):
            print(op.name, op.get_irdl_definition())
"""


@cache
def scan(what: str, then: str = "") -> list[str]:
    """What xDSL's operations are in a process that imports `what` of polycl and runs `then`."""
    command = [sys.executable, "-c", SCAN, what, then]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return re.sub(r" at 0x[0-9a-f]+", "", done.stdout).splitlines()


def differences(then: str) -> list[str]:
    return [line.split()[0] for line in set(scan("nothing", then)) ^ set(scan("nothing"))]


def test_importing_polycl_changes_nothing_in_xdsl():
    assert set(scan("everything")) ^ set(scan("nothing")) == set()


def test_a_change_would_be_seen():
    then = """
from xdsl.dialects import arith, gpu, memref
from xdsl.irdl import AnyAttr, OptPropertyDef
from xdsl.traits import Pure
arith.CmpiOp.verify_ = lambda self: None
arith.ExtSIOp.traits.add_trait(Pure())
gpu.FuncOp.get_irdl_definition().properties["arg_attrs"] = OptPropertyDef(AnyAttr())
gpu.GPU._attributes.append(gpu.DimensionAttr)
memref.CastOp.parse = classmethod(lambda cls, parser: None)
arith.SelectOp.get_irdl_definition().operands[0][1].constr = AnyAttr()
"""
    expected = {"arith.cmpi", "arith.extsi", "gpu.func", "gpu", "memref.cast", "arith.select"}
    assert set(differences(then)) == expected
