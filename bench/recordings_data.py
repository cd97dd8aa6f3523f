"""Small data for the programs of `bench/recordings.py`, in the formats that they read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

OPTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "rodinia": {
        "b+tree": ("b+tree/b+tree.out", "file", "mil.txt", "command", "command.txt"),
        "backprop": ("backprop/backprop.out", "-n", "4096"),
        "bfs": ("bfs/bfs.out", "graph.txt"),
        "cfd": ("cfd/euler3d.out", "mesh.txt", "-p", "0", "-d", "0"),
        "dwt2d": ("dwt2d/dwt2d.out", "rgb.bmp", "-i", ".", "-D", "128x128", "-f", "-5", "-l", "2",
                  "-p", "0", "-d", "0"),
        "gaussian": ("gaussian/gaussian.out", "-s", "64", "-p", "0", "-d", "0"),
        "hotspot": ("hotspot/hotspot.out", "128", "2", "20", "temp.txt", "power.txt", "out.txt"),
        "hotspot3D": ("hotspot3D/hotspot3D.out", "-n", "64", "-l", "8", "-i", "20", "-f",
                      "power.txt", "temp.txt", "out.txt"),
        "hybridsort": ("hybridsort/hybridsort.out", "r", "-p", "0", "-d", "0"),
        "kmeans": ("kmeans/kmeans.out", "-o", "-i", "points.txt", "-p", "0", "-d", "0"),
        "lavaMD": ("lavaMD/lavaMD.out", "-boxes1d", "4", "-p", "0", "-d", "0"),
        "lud": ("lud/lud.out", "-s", "128", "-p", "0", "-d", "0"),
        "myocyte": ("myocyte/myocyte.out", "-time", "5", "-r", ".", "-p", "0", "-d", "0"),
        "nn": ("nn/nn.out", "list.txt", "-r", "5", "-lat", "30", "-lng", "90", "-f", ".", "-p",
               "0", "-d", "0"),
        "nw": ("nw/nw.out", "256", "10", "./nw.cl", "-p", "0", "-d", "0"),
        "particlefilter naive": ("particlefilter/OCL_particlefilter_naive.out", "-x", "32", "-y",
                                 "32", "-z", "4", "-np", "256"),
        "particlefilter single": ("particlefilter/OCL_particlefilter_single.out", "-x", "32", "-y",
                                  "32", "-z", "4", "-np", "256"),
        "particlefilter double": ("particlefilter/OCL_particlefilter_double.out", "-x", "32", "-y",
                                  "32", "-z", "4", "-np", "256"),
        "pathfinder": ("pathfinder/pathfinder.out", "-c", "1000", "-r", "40", "-h", "5"),
        "srad": ("srad/srad.out", "-n", "10", "-l", "1", "-s", "64", "48", "-p", "0", "-d", "0"),
        "streamcluster": ("streamcluster/streamcluster.out", "5", "8", "16", "512", "512", "100",
                          "none", "out.txt", "1", "-p", "0", "-d", "0"),
    },
    "parboil": {
        "parboil bfs": ("bfs/opencl_base", "-i", "graph.txt", "-o", "out.bin"),
        "parboil cutcp": ("cutcp/opencl_base", "-i", "atoms.pqr", "-o", "out.bin"),
        "parboil histo": ("histo/opencl_base", "-i", "image.bin", "-o", "out.bin", "--", "3", "4"),
        "parboil mri-q": ("mri-q/opencl", "-i", "scan.bin", "-o", "out.bin"),
        "parboil sad": ("sad/opencl_base", "-i", "reference.bin,frame.bin", "-o", "out.bin"),
        "parboil sgemm": ("sgemm/opencl_base", "-i", "a.txt,b.txt,bt.txt", "-o", "out.txt"),
        "parboil spmv": ("spmv/opencl_base", "-i", "matrix.mtx,vector.bin", "-o", "out.bin"),
        "parboil spmv tex": ("spmv/opencl_tex", "-i", "matrix.mtx,vector.bin", "-o", "out.bin"),
        "parboil stencil": ("stencil/opencl_base", "-i", "grid.bin", "-o", "out.bin", "--", "64",
                            "32", "16", "8"),
        "parboil tpacf": ("tpacf/opencl_base", "-i", "0.txt,1.txt,2.txt", "-o", "out.txt", "--",
                          "-n", "2", "-p", "487"),
    },
}  # fmt: skip
"""For each program: its folder and file (of Parboil: its version), then its arguments."""

LARGE: dict[str, tuple[str, ...]] = {
    "backprop": ("-n", "262144"),
    "dwt2d": ("rgb.bmp", "-i", ".", "-D", "1024x1024", "-f", "-5", "-l", "3", "-p", "0", "-d", "0"),
    "gaussian": ("-s", "768", "-p", "0", "-d", "0"),
    "hotspot": ("1024", "2", "100", "temp.txt", "power.txt", "out.txt"),
    "hotspot3D": ("-n", "512", "-l", "8", "-i", "40", "-f", "power.txt", "temp.txt", "out.txt"),
    "lavaMD": ("-boxes1d", "8", "-p", "0", "-d", "0"),
    "lud": ("-s", "1024", "-p", "0", "-d", "0"),
    "nw": ("2048", "10", "./nw.cl", "-p", "0", "-d", "0"),
    "particlefilter naive": ("-x", "128", "-y", "128", "-z", "8", "-np", "16384"),
    "particlefilter single": ("-x", "128", "-y", "128", "-z", "8", "-np", "16384"),
    "particlefilter double": ("-x", "128", "-y", "128", "-z", "8", "-np", "16384"),
    "pathfinder": ("-c", "100000", "-r", "100", "-h", "20"),
    "srad": ("-n", "40", "-l", "1", "-s", "1024", "1024", "-p", "0", "-d", "0"),
    "parboil histo": ("-i", "image.bin", "-o", "out.bin", "--", "20", "4"),
    "parboil stencil": ("-i", "grid.bin", "-o", "out.bin", "--", "256", "256", "32", "40"),
    "parboil tpacf": ("-i", "0.txt,1.txt,2.txt", "-o", "out.txt", "--", "-n", "2", "-p", "4870"),
}
"""Arguments for large data, in place of those for small ones."""


def _lines(file: Path, rows: object) -> None:
    file.write_text("".join(f"{row}\n" for row in rows))  # type: ignore


def _random() -> np.random.Generator:
    return np.random.default_rng(0)


def _btree(folder: Path, large: bool) -> None:
    keys = 500_000 if large else 10_000
    _lines(folder / "mil.txt", [keys, *range(keys)])
    (folder / "command.txt").write_text(
        "j 6000 3000\n\nk 10000\n" if large else "j 60 30\n\nk 100\n"
    )


def _graph(folder: Path, large: bool) -> None:
    random, nodes, degree = _random(), 200_000 if large else 2000, 4
    edges = random.integers(0, nodes, nodes * degree)
    rows = [nodes, *(f"{degree * i} {degree}" for i in range(nodes)), "", 0, "", len(edges)]
    _lines(folder / "graph.txt", [*rows, *(f"{edge} 1" for edge in edges)])


def _mesh(folder: Path, large: bool) -> None:
    random, count = _random(), 16384 if large else 256
    rows: list[object] = [count]
    for i in range(count):
        neighbours = (
            (i + step) % count + 1 if 0 < i < count - 1 else -1 for step in (-1, 1, -2, 2)
        )
        normals = random.uniform(-1e-3, 1e-3, (4, 3))
        faces = (f"{n} {a:.6f} {b:.6f} {c:.6f}"
                 for n, (a, b, c) in zip(neighbours, normals, strict=True))  # fmt: skip
        rows.append(f"{random.uniform(1, 2):.6f} {' '.join(faces)}")
    _lines(folder / "mesh.txt", rows)


def _picture(folder: Path, large: bool) -> None:
    size = 1024 if large else 128
    pixels = _random().integers(0, 256, (size, size, 3), np.uint8)
    head = (
        b"BM" + (54 + pixels.nbytes).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    )
    info = np.array([40, size, size, 1 | 24 << 16, 0, pixels.nbytes, 0, 0, 0, 0], "<u4").tobytes()
    (folder / "rgb.bmp").write_bytes(head + info + pixels.tobytes())


def _heat(layers: int, small_size: int, large_size: int) -> Callable[[Path, bool], None]:
    def make(folder: Path, large: bool) -> None:
        random, size = _random(), large_size if large else small_size
        _lines(
            folder / "temp.txt", (f"{t:.4f}" for t in random.uniform(320, 340, layers * size**2))
        )
        _lines(
            folder / "power.txt", (f"{p:.6f}" for p in random.uniform(0, 1e-2, layers * size**2))
        )

    return make


def _points(folder: Path, large: bool) -> None:
    points = _random().uniform(0, 1, (50_000, 16) if large else (1000, 8))
    _lines(
        folder / "points.txt",
        (f"{i} {' '.join(f'{x:.4f}' for x in row)}" for i, row in enumerate(points)),
    )


def _heart(folder: Path, _: bool) -> None:
    random = _random()
    _lines(folder / "y.txt", (f"{v:.5f}" for v in random.uniform(0.1, 1, 91)))
    _lines(folder / "params.txt", (f"{v:.5f}" for v in random.uniform(0.1, 1, 18)))


def _storms(folder: Path, large: bool) -> None:
    random = _random()
    places = random.uniform([7, 10], [60, 90], (200_000 if large else 4000, 2))
    rows = (f"1950  8 12  0  9 STORM      {lat:5.1f} {lng:5.1f}  90   0" for lat, lng in places)
    _lines(folder / "storms.db", (f"{row:<48}"[:48] for row in rows))
    _lines(folder / "list.txt", ["storms.db"])


def _grey(folder: Path, _: bool) -> None:
    (folder / "output").mkdir(exist_ok=True)
    file = folder / "../../data/srad/image.pgm"
    file.parent.mkdir(parents=True, exist_ok=True)
    values = _random().integers(1, 256, 502 * 458)
    file.write_text(f"P2\n458 502\n255\n{' '.join(map(str, values))}\n")


def _atoms(folder: Path, large: bool) -> None:
    count, width = (8000, 40) if large else (300, 12)
    places, charges = _random().uniform(0, width, (count, 3)), _random().uniform(-1, 1, count)
    atoms = np.column_stack([places, charges])
    _lines(
        folder / "atoms.pqr",
        (f"ATOM  {i} C ALA {i} {x:.3f} {y:.3f} {z:.3f} {q:.3f} 1.0"
         for i, (x, y, z, q) in enumerate(atoms, 1)),
    )  # fmt: skip


def _histogram(folder: Path, large: bool) -> None:
    # The program needs the width of the picture to be that of the histogram at least, and 262,144
    # pixels: 64 groups of 512 work-items sample an eighth of them. With fewer, work-items divide
    # 0 by 0, and the histogram's range, made of that, lies outside of its array.
    width, height = (1024, 1024) if large else (512, 512)
    head = np.array([width, height, 256, 4096], "<u4")
    values = np.clip(_random().normal(128 * 4096, 40000, width * height), 0, 256 * 4096 - 1)
    (folder / "image.bin").write_bytes(head.tobytes() + values.astype("<u4").tobytes())


def _scan(folder: Path, large: bool) -> None:
    k, x = (1024, 65536) if large else (256, 2048)
    values = _random().uniform(-1, 1, 5 * k + 3 * x).astype("<f4")
    (folder / "scan.bin").write_bytes(np.array([k, x], "<i4").tobytes() + values.tobytes())


def _matrices(folder: Path, large: bool) -> None:
    for name in ("a", "b", "bt"):
        size = 1024 if large else 128
        values = _random().uniform(0, 1, size * size)
        (folder / f"{name}.txt").write_text(
            f"{size} {size} {' '.join(f'{v:.4f}' for v in values)} \n"
        )


def _sparse(folder: Path, large: bool) -> None:
    random, size, count = _random(), 50_000 if large else 500, 800_000 if large else 4000
    places = sorted({(int(r), int(c)) for r, c in random.integers(1, size + 1, (count, 2))})
    rows = (f"{r} {c} {v:.4f}" for (r, c), v in zip(places, random.uniform(0, 1, len(places)),
                                                    strict=True))  # fmt: skip
    head = ["%%MatrixMarket matrix coordinate real general", f"{size} {size} {len(places)}"]
    _lines(folder / "matrix.mtx", [*head, *rows])
    random.uniform(0, 1, size).astype("<f4").tofile(folder / "vector.bin")


def _grid(folder: Path, large: bool) -> None:
    count = 256 * 256 * 32 if large else 64 * 32 * 16
    _random().uniform(0, 1, count).astype("<f4").tofile(folder / "grid.bin")


def _sky(folder: Path, large: bool) -> None:
    for number in range(3):
        stars = _random().uniform([0, -80], [359, 80], (4870 if large else 487, 2))
        _lines(folder / f"{number}.txt", (f"{a:.4f} {b:.4f}" for a, b in stars))


def _frames(folder: Path, large: bool) -> None:
    width, height = (352, 288) if large else (64, 48)
    random = _random()
    for name in ("reference", "frame"):
        pixels = random.integers(0, 256, width * height, np.int16)
        sizes = np.array([width, height], np.int16)
        (folder / f"{name}.bin").write_bytes(np.concatenate([sizes, pixels]).tobytes())


DATA: dict[str, Callable[[Path, bool], None]] = {
    "b+tree": _btree,
    "bfs": _graph,
    "cfd": _mesh,
    "dwt2d": _picture,
    "hotspot": _heat(1, 128, 1024),
    "hotspot3D": _heat(8, 64, 512),
    "kmeans": _points,
    "myocyte": _heart,
    "nn": _storms,
    "srad": _grey,
    "parboil bfs": _graph,
    "parboil cutcp": _atoms,
    "parboil histo": _histogram,
    "parboil mri-q": _scan,
    "parboil sad": _frames,
    "parboil sgemm": _matrices,
    "parboil spmv": _sparse,
    "parboil spmv tex": _sparse,
    "parboil stencil": _grid,
    "parboil tpacf": _sky,
}
"""What makes a program's data in its folder."""
