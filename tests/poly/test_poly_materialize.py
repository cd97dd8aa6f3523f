"""`poly-materialize` and `poly-lower-codelet` run each work-item once, whatever the codelets are.

Kernels are split here at random: an interior is a union of half-planes cut out of the full tiles,
the rest of them another codelet, or two. Each work-item adds to a number of its own, its lane and
its codelet, so that none is lost, none runs twice, and each runs where it should.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import islpy as isl
import numpy as np
import pytest
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import polycl
from polycl.backends.device import Device
from polycl.backends.pipeline import make_context, parse_passes, run_passes
from polycl.dialects import poly, wg
from polycl.dialects.poly import SetAttr
from polycl.lowering.poly import poly_materialize
from polycl.lowering.poly.codegen import fold
from polycl.remarks import collect_remarks
from polycl.runtime.program import Program

INTERP = polycl.device("interp")
CPU = polycl.device("cpu", threads=1)
W = 4

HEAD = """
wg.func @count(%out: !ocl.ptr<i32, global> {{ocl.name = "out"}}, %n: i32 {{ocl.name = "n"}},
               %m: i32 {{ocl.name = "m"}}) {attributes} {{
  %L0 = {size_x}
  %L1 = {size_y}
  %gx = ocl.group_id 0 : index
  %G0 = arith.muli %gx, %L0 : index
  %gy = ocl.group_id 1 : index
  %G1 = arith.muli %gy, %L1 : index
  %width = ocl.global_size 0 : index
  %n0 = arith.index_cast %n : i32 to index
  %m0 = arith.index_cast %m : i32 to index
  poly.kernel @count(%L0, %L1, %G0, %G1, %n0, %m0) params ["L0", "L1", "G0", "G1", "n", "m"]
      work_items ["y", "x"] context #poly.set<"[G0, G1, n] -> {{ : G0 >= 0 and G1 >= 0 }}"> {{
  ^bb0(%y0: index, %x0: index):
"""

# The numbers of codelets are clamped in a way that all work-items agree about: to fold.
CODELET = """
      poly.codelet lanes {lanes} along {along} class #poly.class<tile = {tile}, mem = {mem},
          ctl = mixed> domain #poly.set<"{domain}"> {{
      ^bb1(%y: index, %x: index):
        %px = arith.addi %G0, %x : index
        %py = arith.addi %G1, %y : index
        %row = arith.muli %py, %width : index
        %at = arith.addi %row, %px : index
        %old = ocl.load %out[%at] : !ocl.ptr<i32, global>
        %c0 = arith.constant 0 : index
        %clamped = arith.maxsi %x, %c0 : index
        %left = arith.minsi %clamped, %n0 : index
        %low = arith.cmpi ult, %y, %L1 : index
        %sign = arith.cmpi slt, %px, %m0 : index
        %both = arith.andi %low, %sign : i1
        %one = arith.constant 1 : i32
        %big = arith.constant 1000 : i32
        %which = arith.select %both, %one, %big : i32
        %l = arith.index_cast %left : index to i32
        %s = arith.addi %old, %which : i32
        %new = arith.addi %s, %l : i32
        ocl.store %new, %out[%at] : !ocl.ptr<i32, global>
      }}
"""


def half_plane(draw: random.Random) -> str:
    x, y = draw.randint(-2, 2), draw.randint(-1, 1)
    parameter = draw.choice(["n", "m", "n - G0", "G0 + m", "2n", "L0 - m", "3"])
    return f"{x}*i1 + {y}*i0 {draw.choice(['>=', '<='])} {parameter}"


def tiles(text: str, sizes: tuple[int | str, int | str], along: int) -> isl.Set:
    """The full tiles for which `text` holds, of dimensions i0 and i1."""
    count = [f"0 <= i1 < {sizes[0]}", f"0 <= i0 < {sizes[1]}"]
    count[along] = f"0 <= i{1 - along} and {W}*i{1 - along} + {W - 1} < {sizes[along]}"
    return isl.Set(f"[L0, L1, G0, G1, n, m] -> {{ [i0, i1] : {' and '.join(count)} and ({text}) }}")


def named(found: isl.Set, name: str, along: int, tiled: bool) -> str:
    names = ["y", "x"]
    if tiled:
        names[1 - along] = "t"
    for place, dimension in enumerate(names):
        found = found.set_dim_name(isl.dim_type.set, place, dimension)
    return SetAttr.of(found.set_tuple_name(name)).data


def subkernel(draw: random.Random, sizes: tuple[int | str, int | str], along: int) -> str:
    """The full tiles in two or three parts, and the work-items of the others."""
    left = tiles("1 = 1", sizes, along)
    codelets: list[str] = []
    for number in range(draw.randint(1, 2)):
        text = draw.choice([" and ", " or "]).join(half_plane(draw) for _ in range(2))
        part = left.intersect(tiles(text, sizes, along))
        left = left.subtract(part)
        domain = named(part, f"part{number}", along, True)
        codelets.append(
            CODELET.format(lanes=W, along=along, tile="full", mem="cons", domain=domain)
        )
    domain = named(left, "left", along, True)
    codelets.append(CODELET.format(lanes=W, along=along, tile="full", mem="div", domain=domain))
    item, size = ("x", "y")[along], sizes[along]
    rest = isl.Set(
        f"[L0, L1] -> {{ [y, x] : 0 <= y < {sizes[1]} and 0 <= x < {sizes[0]} "
        f"and {item} >= {W}*floor({size}/{W}) }}"
    )
    domain = named(rest, "partial", along, False)
    codelets.append(CODELET.format(lanes=1, along=along, tile="partial", mem="div", domain=domain))
    score = draw.choice(["4*[L0]", "2*[L1]*[min(L0, n)]", "5*[m]*[n - m]", "0"])
    score = "".join(
        part.replace("L0", str(sizes[0])).replace("L1", str(sizes[1])) for part in score
    )
    whole = f"R[y, x] : 0 <= y < {sizes[1]} and 0 <= x < {sizes[0]}"
    return (
        f'poly.subkernel @count_{item} along {along} width {W} score #poly.score<"{score}"> '
        f'domain #poly.set<"[L0, L1] -> {{ {whole} }}"> {{\n{"".join(codelets)}\n}}\n'
    )


def scalar(sizes: tuple[int | str, int | str]) -> str:
    items = f"y, x] : 0 <= y < {sizes[1]} and 0 <= x < {sizes[0]} }}"
    code = CODELET.format(
        lanes=1, along=0, tile="partial", mem="div", domain=f"[L0, L1] -> {{ scalar[{items}"
    )
    return (
        f'poly.subkernel @count_scalar along 0 width 1 domain #poly.set<"[L0, L1] -> {{ R[{items}">'
        f" {{\n{code}\n}}\n"
    )


def text_of(draw: random.Random, local_size: tuple[int, int] | None) -> str:
    """A kernel that was split at random, for one local size or for any."""
    sizes: tuple[int | str, int | str] = local_size or ("L0", "L1")
    constants = [
        f"arith.constant {size} : index" if local_size else f"ocl.local_size {d} : index"
        for d, size in enumerate(sizes)
    ]
    attributes = ""
    if local_size is not None:
        attributes = f"attributes {{local_size = array<i64: {sizes[0]}, {sizes[1]}, 1>}}"
    text = HEAD.format(attributes=attributes, size_x=constants[0], size_y=constants[1])
    kernels = [subkernel(draw, sizes, 0), subkernel(draw, sizes, 1), scalar(sizes)]
    if draw.random() < 0.5:
        kernels.append("poly.dispatch [@count_x, @count_y, @count_scalar]\n")
    return text + "".join(kernels) + "}\nwg.return\n}"


def module_of(text: str) -> ModuleOp:
    return Parser(make_context(), text).parse_module()


def lowered(module: ModuleOp, passes: str) -> ModuleOp:
    module = module.clone()
    run_passes(module, parse_passes(passes))
    return module


def run(
    module: ModuleOp,
    device: Device,
    groups: Sequence[int],
    local_size: tuple[int, int],
    n: int,
    m: int,
) -> np.ndarray:
    global_size = tuple(g * size for g, size in zip(groups, local_size, strict=True))
    out = np.zeros(global_size[::-1], np.int32)
    Program(module).kernel("count")(
        out.reshape(-1), n, m, global_size=global_size, local_size=local_size, device=device
    )
    return out


def expected(groups: Sequence[int], local_size: tuple[int, int], n: int, m: int) -> np.ndarray:
    width, height = (g * size for g, size in zip(groups, local_size, strict=True))
    px = np.arange(width)
    row = np.where(px < m, 1, 1000) + np.minimum(px % local_size[0], n)
    return np.tile(row.astype(np.int32), (height, 1))


OPTIONS = (
    "poly-materialize,poly-lower-codelet",
    "poly-materialize{fold=false},poly-lower-codelet,wg-vectorize",
    "poly-materialize{whole-groups=true},poly-lower-codelet,wg-vectorize",
    "poly-materialize{whole-groups=true},poly-lower-codelet{scalar-rest=true},wg-vectorize,wg-jam",
)


def some_launch(draw: random.Random) -> tuple[Sequence[int], int, int]:
    return (draw.randint(1, 3), draw.randint(1, 2)), draw.randint(-3, 20), draw.randint(-3, 20)


@pytest.mark.parametrize("seed", range(8))
def test_each_work_item_runs_once(seed: int):
    """The local size is not known: groups of any size run through one module."""
    draw = random.Random(seed)
    module = lowered(module_of(text_of(draw, None)), OPTIONS[seed % len(OPTIONS)])
    assert not any(isinstance(op, poly.CodeletOp) for op in module.walk())
    for _ in range(6):
        local_size = draw.randint(1, 18), draw.randint(1, 9)
        groups, n, m = some_launch(draw)
        found = run(module, INTERP, groups, local_size, n, m)
        np.testing.assert_array_equal(found, expected(groups, local_size, n, m))


@pytest.mark.parametrize("seed", range(4))
def test_native_code_runs_each_once(seed: int):
    draw = random.Random(100 + seed)
    local_size = draw.choice([(16, 8), (12, 5), (7, 9), (8, 1), (3, 3), (32, 4)])
    module = lowered(module_of(text_of(draw, local_size)), OPTIONS[seed % len(OPTIONS)])
    for _ in range(4):
        groups, n, m = some_launch(draw)
        for device in (INTERP, CPU):
            found = run(module, device, groups, local_size, n, m)
            np.testing.assert_array_equal(found, expected(groups, local_size, n, m))


def test_what_isl_may_not_finish_runs_unsplit(monkeypatch: pytest.MonkeyPatch):
    module = module_of(text_of(random.Random(1), None))
    monkeypatch.setattr(poly_materialize, "BUDGET", 10)
    monkeypatch.setattr(fold, "BUDGET", 10)
    with collect_remarks() as remarks:
        module = lowered(module, OPTIONS[0])
    assert [r.message for r in remarks][0].startswith("without subkernel 'count_x': isl needed")
    (region,) = [op for op in module.walk() if isinstance(op, wg.ParallelOp)]
    assert not any(isinstance(op, scf.ForOp) for op in module.walk())
    assert "wg.lanes" not in region.attributes
    found = run(module, INTERP, (2, 2), (9, 3), 5, 2)
    np.testing.assert_array_equal(found, expected((2, 2), (9, 3), 5, 2))
