"""The package as users get it: its files, its tools, its entry point."""

from __future__ import annotations

import ast
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from polycl import columns
from polycl.universe import DIALECTS, PASSES, TARGETS, UNIVERSE

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("analysis", "backends", "dialects", "frontends", "lowering", "runtime", "tools")


@pytest.mark.parametrize("part", PARTS)
def test_package_part_is_the_top_level_folder(part: str):
    link = ROOT / "src" / "polycl" / part
    assert link.is_symlink(), f"{link} is no symbolic link: see setup.py"
    assert link.resolve() == ROOT / part


@pytest.mark.parametrize("part", PARTS)
def test_every_folder_with_python_is_a_package(part: str):
    folders = {path.parent for path in (ROOT / part).rglob("*.py")}
    missing = [str(f) for f in sorted(folders) if not (f / "__init__.py").exists()]
    assert missing == []


def sources() -> list[str]:
    """The Python files and data files of the top-level folders, relative to the checkout."""
    kinds = (".py", ".h", ".cl", ".c", ".toml")
    files = [path for part in PARTS for path in (ROOT / part).rglob("*") if path.suffix in kinds]
    return sorted(str(path.relative_to(ROOT)) for path in files)


def build(kind: str, source: Path, target: Path) -> Path:
    """Builds a wheel or an sdist of `source` with setuptools, without the network."""
    target.mkdir(exist_ok=True)
    code = f"from setuptools import build_meta as b; b.build_{kind}({str(target)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=source, check=True, capture_output=True)
    (built,) = target.iterdir()
    return built


def test_the_sdist_and_the_wheel_made_of_it_hold_every_file(checkout: Path, tmp_path: Path):
    sdist = build("sdist", checkout, tmp_path / "sdist")
    subprocess.run(["tar", "-C", str(tmp_path), "-xf", str(sdist)], check=True)
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    with zipfile.ZipFile(build("wheel", unpacked, tmp_path / "wheel")) as wheel:
        names = set(wheel.namelist())
    assert {name.split("/")[0].split("-")[0] for name in names} == {"polycl"}
    assert [path for path in sources() if f"polycl/{path}" not in names] == []
    assert "polycl/py.typed" in names


def test_a_checkout_without_links_does_not_build(checkout: Path, tmp_path: Path):
    link = checkout / "src" / "polycl" / "dialects"
    text = str(link.readlink())
    link.unlink()
    link.write_text(text)
    code = f"from setuptools import build_meta as b; b.build_wheel({str(tmp_path)!r})"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    assert done.returncode != 0
    assert "src/polycl/dialects must be a symbolic link" in done.stderr


def test_every_registered_name_loads_and_is_its_own():
    for name, dialect in UNIVERSE.all_dialects.items():
        assert dialect().name == name
    for name, make in [*UNIVERSE.all_passes.items(), *UNIVERSE.all_targets.items()]:
        assert make().name == name


def test_the_registry_is_sorted_by_name():
    for table in (DIALECTS, PASSES, TARGETS):
        assert list(table) == sorted(table)


def test_no_name_clashes_with_xdsl():
    from xdsl.universe import XDSL_UNIVERSE

    assert not UNIVERSE.all_dialects.keys() & XDSL_UNIVERSE.all_dialects.keys()
    assert not UNIVERSE.all_passes.keys() & XDSL_UNIVERSE.all_passes.keys()
    assert not UNIVERSE.all_targets.keys() & XDSL_UNIVERSE.all_targets.keys()


def test_xdsl_opt_lists_the_passes(run_installed):
    done = run_installed("-m", "xdsl.tools.xdsl_opt", "--help")
    text = "".join(done.stdout.split())
    assert [name for name in UNIVERSE.all_passes if name not in text] == []


@pytest.mark.parametrize("tool", ["ocl_opt", "ocl_run", "polycl"])
def test_the_tools_start_from_any_folder(tool: str, run_installed):
    done = run_installed("-m", f"polycl.tools.{tool}", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"usage: {tool.replace('_', '-')}")


def test_help_does_not_load_the_heavy_libraries(run_installed):
    code = (
        "import sys, runpy\n"
        "sys.argv = ['ocl-opt', '--help']\n"
        "try: runpy.run_module('polycl.tools.ocl_opt', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print([m for m in ('islpy', 'clang', 'llvmlite', 'numpy') if m in sys.modules])"
    )
    assert run_installed("-c", code).stdout.splitlines()[-1] == "[]"


LAYERS: dict[str, tuple[str, ...]] = {
    "dialects": (),
    "analysis": ("dialects",),
    "frontends": ("dialects",),
    "lowering": ("dialects", "analysis"),
    "backends": ("dialects", "analysis", "lowering"),
    "runtime": ("dialects", "analysis", "frontends", "lowering", "backends"),
    "tools": PARTS,
}
"""What each folder may import besides itself and the shared modules of `src/polycl`."""


COLUMNS = ("poly", "pattern", "tta", "host")
"""The folders of these names, on every layer; what is in no such folder is the core."""


def imports_of(path: Path) -> list[list[str]]:
    """The modules of polycl that a file imports when it runs, as lists of names; imports for
    annotations alone (`if TYPE_CHECKING`) are left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    modules: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            modules += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
    names = [module.split(".") for module in modules]
    return [n for n in names if n[0] == "polycl" and len(n) > 1 and n[1] in PARTS]


@pytest.mark.parametrize("part", PARTS)
def test_imports_point_down(part: str):
    allowed = {part, *LAYERS[part]}
    wrong = [
        f"{path.relative_to(ROOT)}: {'.'.join(names)}"
        for path in sorted((ROOT / part).rglob("*.py"))
        for names in imports_of(path)
        if names[1] not in allowed
    ]
    assert wrong == []


def column_of(names: Sequence[str]) -> str:
    """The column of a file or module, given by the names from its layer on."""
    return names[1] if len(names) > 1 and names[1] in COLUMNS else "core"


@pytest.mark.parametrize("part", PARTS)
def test_a_column_imports_itself_and_the_core_and_the_core_no_column(part: str):
    wrong = [
        f"{path.relative_to(ROOT)}: {'.'.join(names)}"
        for path in sorted((ROOT / part).rglob("*.py"))
        for names in imports_of(path)
        if column_of(names[1:]) not in ("core", column_of(path.relative_to(ROOT).parts))
    ]
    assert wrong == []


def test_every_name_in_the_tables_of_the_columns_exists():
    tables = (columns.READERS, columns.CALLABLES, columns.RUN_MODES, columns.RUN_TABLES)
    pages = (columns.EXPLORER_LEVELS, columns.EXPLORER_SESSIONS)
    for table in (*tables, *pages, columns.RUN_TOOLS, columns.COMMANDS):
        for name, entry in table.items():
            assert callable(entry()), name
