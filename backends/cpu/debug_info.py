"""Source lines in LLVM IR: what gdb, valgrind and `.loc` in assembly read."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from xdsl.dialects import llvm
from xdsl.ir import Operation

from polycl.errors import location_of


class DebugInfo:
    """The debug metadata of one module of LLVM IR, made from the locations of operations.

    It has files, functions and lines, but no variables: after inlining and vectorisation few
    variables have one location.
    """

    def __init__(self, target: ir.Module):
        self._target = target
        self._unit: Any = None

    def subprogram(self, op: llvm.FuncOp) -> Any:
        """The function `op` as a scope of lines; None if its location is unknown."""
        location = location_of(op)
        if location is None:
            return None
        file = self._file(location[0])
        return self._target.add_debug_info(
            "DISubprogram",
            {
                "name": op.sym_name.data,
                "scope": file,
                "file": file,
                "line": location[1],
                "scopeLine": location[1],
                "type": self._target.add_debug_info(
                    "DISubroutineType", {"types": self._target.add_metadata([None])}
                ),
                "spFlags": ir.DIToken("DISPFlagDefinition | DISPFlagOptimized"),
                "unit": self._compile_unit(file),
            },
            is_distinct=True,
        )

    def line(self, op: Operation, subprogram: Any, filename: str) -> Any:
        """The location of `op` in `subprogram`, a function of file `filename`.

        Operations that were inlined from another file keep their lines. Operations without a
        location are at line 0, which means that the compiler made them.
        """
        file, line, col = location_of(op) or (filename, 0, 0)
        scope = subprogram
        if file != filename:
            scope = self._target.add_debug_info(
                "DILexicalBlockFile",
                {"scope": subprogram, "file": self._file(file), "discriminator": 0},
            )
        return self._target.add_debug_info(
            "DILocation", {"line": line, "column": col, "scope": scope}
        )

    def _file(self, name: str) -> Any:
        return self._target.add_debug_info("DIFile", {"filename": name, "directory": ""})

    def _compile_unit(self, file: Any) -> Any:
        if self._unit is None:
            self._unit = self._target.add_debug_info(
                "DICompileUnit",
                {
                    "language": ir.DIToken("DW_LANG_OpenCL"),
                    "file": file,
                    "producer": "polycl",
                    "isOptimized": True,
                    "emissionKind": ir.DIToken("FullDebug"),
                },
                is_distinct=True,
            )
            self._target.add_named_metadata("llvm.dbg.cu", self._unit)
            for flag, version in (("Debug Info Version", 3), ("Dwarf Version", 4)):
                number = ir.IntType(32)
                self._target.add_named_metadata(
                    "llvm.module.flags", [number(2), flag, number(version)]
                )
        return self._unit
