"""Kernels of Rodinia: which file, which kernel, launched with what."""

from __future__ import annotations

import numpy as np

from bench.case import EXACT, Arg, LocalBytes, Tolerance
from bench.suite_kernels import SuiteKernel, floats, integers, ints, structure, uniform, zeros

BLOCK = 16
"""BLOCK_SIZE of those that have one."""
_STEPS = 2
"""Of hotspot in one launch: its tiles overlap by as many cells on each side."""
_ROWS = 20
"""Of pathfinder in one launch, likewise."""
_FEATURES, _CLUSTERS = 34, 5
_HIDDEN = 16
_DIMENSIONS, _CENTERS = 32, 10
_IN_BOX = 100
_ORDER = 256

FLOAT3 = structure(x="f4", y="f4", z="f4")
POINT = structure(weight="f4", assign="i8", cost="f4")
FOUR_VECTOR = structure(v="f4", x="f4", y="f4", z="f4")
NEIGHBOUR = structure(x="i4", y="i4", z="i4", number="i4", offset="i8")
BOX = structure(x="i4", y="i4", z="i4", number="i4", offset="i8", nn="i4", nei=(NEIGHBOUR, 26))
DIMENSIONS = structure(
    cur_arg="i4",
    arch_arg="i4",
    cores_arg="i4",
    boxes1d_arg="i4",
    number_boxes="i8",
    box_mem="i8",
    space_elem="i8",
    space_mem="i8",
    space_mem2="i8",
)
NODE = structure(
    location="i4",
    indices=("i4", _ORDER + 1),
    keys=("i4", _ORDER + 1),
    is_leaf="i1",
    num_keys="i4",
)


def tiles(n: int, useful: int) -> int:
    return -(-n // useful)


def hotspot(n: int) -> list[Arg]:
    power, before = uniform(n, n, high=1e-3), uniform(n, n, low=320, high=340)
    cell = 0.016 / n
    capacity = 0.5 * 1.75e6 * 0.0005 * cell**2
    side, up = 1 / (2 * 100 * 0.0005), 0.0005 / (100 * cell**2)
    step = 0.001 / (3e6 / (0.5 * 0.0005 * 1.75e6))
    constants = floats(capacity, side, side, up, step)
    return [*ints(_STEPS), power, before, zeros(n, n), *ints(n, n, _STEPS, _STEPS), *constants]


def hotspot3d(n: int) -> list[Arg]:
    weights = floats(0.1, 0.1, 0.1, 0.1, 0.05, 0.05, 0.5)
    power, before = uniform(8, n, n), uniform(8, n, n, low=320, high=340)
    return [power, before, zeros(8, n, n), *floats(0.01), *ints(n, n, 8), *weights]


def pathfinder(n: int) -> list[Arg]:
    wall, source = integers(_ROWS, n, most=9), integers(n, most=9, seed=2)
    result, tile = np.zeros(n, np.int32), LocalBytes(4 * 256)
    sizes = ints(n, _ROWS, 0, _ROWS, 1)
    return [*ints(_ROWS), wall, source, result, *sizes, tile, tile, np.zeros(16, np.int32)]


def needleman_wunsch(n: int) -> list[Arg]:
    """The longest diagonal of blocks."""
    reference = integers(n + 1, n + 1, most=20) - 10
    scores = integers(n + 1, n + 1, most=20, seed=2) - 10
    tile = [LocalBytes(4 * (BLOCK + 1) ** 2), LocalBytes(4 * BLOCK**2)]
    sizes = ints(n + 1, 10, n // BLOCK, n // BLOCK, n, 0, 0)
    return [reference, scores, np.zeros(1, np.int32), *tile, *sizes]


def lud(n: int) -> list[Arg]:
    tile = LocalBytes(4 * BLOCK**2)
    return [uniform(n, n), tile, tile, *ints(n, 0)]


def backprop_forward(n: int) -> list[Arg]:
    # With 0.5 the weights neither vanish nor become denormal, however often it is launched.
    inputs, weights = np.full(n + 1, 0.5, np.float32), uniform(n + 1, _HIDDEN + 1)
    tiles = [LocalBytes(4 * BLOCK), LocalBytes(4 * BLOCK**2)]
    return [inputs, zeros(1), weights, zeros(n), *tiles, *ints(n, _HIDDEN)]


def backprop_adjust(n: int) -> list[Arg]:
    weights = [uniform(n + 1, _HIDDEN + 1, seed=seed) for seed in (3, 4)]
    layer = uniform(n + 1, seed=2)
    return [uniform(_HIDDEN + 1), *ints(_HIDDEN), layer, *ints(n), *weights]


def kmeans(n: int) -> list[Arg]:
    features, clusters = uniform(_FEATURES, n), uniform(_CLUSTERS, _FEATURES, seed=2)
    return [features, clusters, np.zeros(n, np.int32), *ints(n, _CLUSTERS, _FEATURES, 0, 0)]


def nearest_neighbour(n: int) -> list[Arg]:
    places = uniform(2 * n, low=0, high=60).view(structure(lat="f4", lng="f4"))
    return [places, zeros(n), *ints(n), *floats(30, 30)]


def gaussian(n: int) -> list[Arg]:
    """The first step of the elimination."""
    return [uniform(n, n), uniform(n, n, seed=2), uniform(n, seed=3), *ints(n, 0)]


def breadth_first(n: int) -> list[Arg]:
    """One level: half of the nodes are new, each with 0 to 12 edges to anywhere."""
    degrees = integers(n, most=12)
    nodes = np.zeros(n, structure(starting="i4", no_of_edges="i4"))
    nodes["starting"], nodes["no_of_edges"] = np.cumsum(degrees) - degrees, degrees
    edges = integers(int(degrees.sum()), most=n - 1, seed=2)
    active = integers(n, most=1, seed=3).astype(np.int8)
    visited = active | (integers(n, most=3, seed=4) == 0)
    costs = np.where(active, 3, -1).astype(np.int32)
    return [nodes, edges, active, np.zeros(n, np.int8), visited.astype(np.int8), costs, *ints(n)]


def srad(n: int) -> list[Arg]:
    results = [zeros(n, n) for _ in range(4)]
    image = uniform(n, n, low=1, high=2)
    return [*srad_sizes(n), *results, *floats(0.05), zeros(n, n), image]


def srad2(n: int) -> list[Arg]:
    slopes = [uniform(n, n, low=-1, seed=seed) for seed in range(2, 6)]
    return [*srad_sizes(n), *slopes, uniform(n, n), uniform(n, n, low=1, high=2, seed=7)]


def srad_sizes(n: int) -> list[Arg]:
    ids = np.arange(n, dtype=np.int32)
    before, after = np.maximum(ids - 1, 0), np.minimum(ids + 1, n - 1)
    return [*floats(0.5), *ints(n, n), np.int64(n * n), before, after, after, before]


def streamcluster(n: int) -> list[Arg]:
    points = np.zeros(n, POINT)
    points["weight"], points["cost"] = 1, uniform(n, high=10)
    points["assign"] = integers(n, most=n - 1)
    work, table = zeros(n, _CENTERS + 1), integers(n, most=_CENTERS - 1, seed=2)
    buffers = [points, uniform(_DIMENSIONS, n), work, table, np.zeros(n, np.int8)]
    sizes = [*ints(n, _DIMENSIONS), np.int64(0), *ints(_CENTERS)]
    return [*buffers, LocalBytes(4 * _DIMENSIONS), *sizes]


def euler_flux(n: int) -> list[Arg]:
    """Neighbours are near; one in 20 is a wall (-1), one in 20 the far field (-2)."""
    near = np.clip(np.arange(n) + integers(4, n, most=200) - 100, 0, n - 1)
    kind = integers(4, n, most=19, seed=2)
    neighbours = np.where(kind < 2, -1 - kind, near).astype(np.int32)
    variables = uniform(5, n, low=-0.3, high=0.3, seed=3)
    variables[0] += 1.5
    variables[4] += 2.5
    far = [uniform(3, seed=seed).view(FLOAT3) for seed in range(4, 8)]
    normals = uniform(12, n, low=-1, seed=8)
    return [neighbours, normals, variables, uniform(5, low=1, high=2), zeros(5, n), *far, *ints(n)]


def molecules(n: int) -> list[Arg]:
    """A cube of n boxes a side, each with 100 particles, and their neighbours."""
    boxes = np.zeros(n**3, BOX)
    sides = [(x, y, z) for z in (-1, 0, 1) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    for number, box in enumerate(boxes):
        x, y, z = number % n, number // n % n, number // n**2
        box["number"], box["offset"] = number, number * _IN_BOX
        for dx, dy, dz in sides:
            at = x + dx, y + dy, z + dz
            if (dx, dy, dz) != (0, 0, 0) and all(0 <= place < n for place in at):
                neighbour = at[0] + n * (at[1] + n * at[2])
                box["nei"][box["nn"]]["number"] = neighbour
                box["nn"] += 1
    count = n**3 * _IN_BOX
    positions = uniform(4 * count, low=0.1).view(FOUR_VECTOR)
    sizes = np.zeros(1, DIMENSIONS)
    sizes["number_boxes"] = n**3
    alpha = np.array([(0.5,)], structure(alpha="f4"))
    charges = uniform(count, low=0.1, seed=2)
    return [alpha[0], sizes[0], boxes, positions, charges, np.zeros(count, FOUR_VECTOR)]


def particle_filter(n: int) -> list[Arg]:
    places = [uniform(n, seed=seed).astype(np.float64) for seed in (1, 2)]
    weights = uniform(n, seed=3).astype(np.float64)
    wanted = (np.arange(n) + 0.5) / n
    sums = np.cumsum(weights) / weights.sum()
    return [*places, sums, wanted, np.zeros(n), np.zeros(n), *ints(n)]


def tree_search(n: int) -> list[Arg]:
    """n keys in a tree of two levels, each node with 256 keys."""
    nodes = np.zeros(_ORDER + 1, NODE)
    ids = np.arange(_ORDER + 1)
    nodes["keys"] = _ORDER * np.maximum(ids - 1, 0)[:, None] + ids
    nodes["keys"][0] = _ORDER * ids
    nodes["indices"] = nodes["keys"]
    nodes["indices"][0] = ids + 1
    values = integers(_ORDER**2, most=10**6).view(structure(value="i4"))
    wanted = integers(n, most=_ORDER**2 - 1, seed=2)
    found = np.zeros(n, structure(value="i4"))
    places = [np.zeros(n, np.int64) for _ in range(2)]
    return [np.int64(1), nodes, np.int64(_ORDER + 1), values, *places, wanted, found]


LINES = ((64,), (256,))
BLOCK_OPTION = (f"-DBLOCK_SIZE={BLOCK}",)

RODINIA = {
    "rodinia-hotspot": SuiteKernel(
        "opencl/hotspot/hotspot_kernel.cl",
        "hotspot",
        size=1024,
        small=24,
        args=hotspot,
        global_size=lambda n: (tiles(n, BLOCK - 2 * _STEPS) * BLOCK,) * 2,
        local_sizes=((BLOCK, BLOCK),),
        options=BLOCK_OPTION,
        flops=lambda n: 15 * _STEPS * n * n,
        bytes=lambda n: 16 * n * n,
    ),
    "rodinia-hotspot3D": SuiteKernel(
        "opencl/hotspot3D/hotspotKernel.cl",
        "hotspotOpt1",
        size=512,
        small=64,
        args=hotspot3d,
        global_size=lambda n: (n, n),
        local_sizes=((64, 4), (16, 16)),
        flops=lambda n: 8 * 17 * n * n,
        bytes=lambda n: 8 * 16 * n * n,
    ),
    "rodinia-pathfinder": SuiteKernel(
        "opencl/pathfinder/kernels.cl",
        "dynproc_kernel",
        size=216 * 1024,
        small=400,
        args=pathfinder,
        global_size=lambda n: (tiles(n, 256 - 2 * _ROWS) * 256,),
        local_sizes=((256,),),
        tolerance=EXACT,
        bytes=lambda n: 4 * (_ROWS + 3) * n,
    ),
    "rodinia-nw": SuiteKernel(
        "opencl/nw/nw.cl",
        "nw_kernel1",
        size=2048,
        small=64,
        args=needleman_wunsch,
        global_size=lambda n: (n,),
        local_sizes=((BLOCK,),),
        options=BLOCK_OPTION,
        tolerance=EXACT,
    ),
    "rodinia-lud": SuiteKernel(
        "opencl/lud/lud_kernel.cl",
        "lud_internal",
        size=1024,
        small=48,
        args=lud,
        global_size=lambda n: (n - BLOCK, n - BLOCK),
        local_sizes=((BLOCK, BLOCK),),
        options=BLOCK_OPTION,
        flops=lambda n: 2 * BLOCK * n * n,
        bytes=lambda n: 8 * n * n,
    ),
    "rodinia-backprop-forward": SuiteKernel(
        "opencl/backprop/backprop_kernel.cl",
        "bpnn_layerforward_ocl",
        size=65536,
        small=64,
        args=backprop_forward,
        global_size=lambda n: (_HIDDEN, n),
        local_sizes=((BLOCK, BLOCK),),
        bytes=lambda n: 8 * (_HIDDEN + 1) * n,
    ),
    "rodinia-backprop-adjust": SuiteKernel(
        "opencl/backprop/backprop_kernel.cl",
        "bpnn_adjust_weights_ocl",
        size=65536,
        small=64,
        args=backprop_adjust,
        global_size=lambda n: (_HIDDEN, n),
        local_sizes=((BLOCK, BLOCK),),
        bytes=lambda n: 16 * (_HIDDEN + 1) * n,
    ),
    "rodinia-kmeans": SuiteKernel(
        "opencl/kmeans/kmeans.cl",
        "kmeans_kernel_c",
        size=65536,
        small=256,
        args=kmeans,
        global_size=lambda n: (n,),
        local_sizes=LINES,
        # Two centres may be as near.
        tolerance=Tolerance(relative=0, strays=1e-3),
        flops=lambda n: 3 * _FEATURES * _CLUSTERS * n,
        bytes=lambda n: 4 * (_FEATURES + 2) * n,
    ),
    "rodinia-nn": SuiteKernel(
        "opencl/nn/nearestNeighbor_kernel.cl",
        "NearestNeighbor",
        size=1 << 20,
        small=512,
        args=nearest_neighbour,
        global_size=lambda n: (n,),
        local_sizes=LINES,
        flops=lambda n: 6 * n,
        bytes=lambda n: 16 * n,
    ),
    "rodinia-gaussian": SuiteKernel(
        "opencl/gaussian/gaussianElim_kernels.cl",
        "Fan2",
        size=1024,
        small=64,
        args=gaussian,
        global_size=lambda n: (n, n),
        local_sizes=((64, 4), (16, 16), (4, 4)),
        flops=lambda n: 2 * n * n,
        bytes=lambda n: 8 * n * n,
    ),
    "rodinia-bfs": SuiteKernel(
        "opencl/bfs/Kernels.cl",
        "BFS_1",
        size=1 << 18,
        small=512,
        args=breadth_first,
        global_size=lambda n: (n,),
        local_sizes=LINES,
        tolerance=EXACT,
        restore=True,
    ),
    "rodinia-srad": SuiteKernel(
        "opencl/srad/kernel/kernel_gpu_opencl.cl",
        "srad_kernel",
        size=1024,
        small=32,
        args=srad,
        global_size=lambda n: (n * n,),
        local_sizes=((256,),),
        flops=lambda n: 28 * n * n,
        bytes=lambda n: 44 * n * n,
    ),
    "rodinia-srad2": SuiteKernel(
        "opencl/srad/kernel/kernel_gpu_opencl.cl",
        "srad2_kernel",
        size=1024,
        small=32,
        args=srad2,
        global_size=lambda n: (n * n,),
        local_sizes=((256,),),
        flops=lambda n: 10 * n * n,
        bytes=lambda n: 28 * n * n,
    ),
    "rodinia-streamcluster": SuiteKernel(
        "opencl/streamcluster/Kernels.cl",
        "pgain_kernel",
        size=65536,
        small=512,
        args=streamcluster,
        global_size=lambda n: (n,),
        local_sizes=((256,),),
        # A point as far from both centres may go to either.
        tolerance=Tolerance(relative=1e-5, strays=1e-3),
        flops=lambda n: 3 * _DIMENSIONS * n,
        bytes=lambda n: 4 * _DIMENSIONS * n,
    ),
    "rodinia-cfd": SuiteKernel(
        "opencl/cfd/Kernels.cl",
        "compute_flux",
        size=96 * 1024,
        small=384,
        args=euler_flux,
        global_size=lambda n: (n,),
        local_sizes=((64,), (192,)),
        bytes=lambda n: 4 * (4 + 12 + 5 + 10) * n,
    ),
    "rodinia-lavaMD": SuiteKernel(
        "opencl/lavaMD/kernel/kernel_gpu_opencl.cl",
        "kernel_gpu_opencl",
        size=4,
        small=1,
        args=molecules,
        global_size=lambda n: (128 * n**3,),
        local_sizes=((128,),),
        tolerance=Tolerance(relative=1e-4),
        # A row of n boxes has 3n - 2 pairs of neighbours, itself included.
        flops=lambda n: 26 * (3 * n - 2) ** 3 * _IN_BOX**2,
        bytes=lambda n: 52 * n**3 * _IN_BOX,
    ),
    "rodinia-particlefilter": SuiteKernel(
        "opencl/particlefilter/particle_naive.cl",
        "particle_kernel",
        size=4096,
        small=256,
        args=particle_filter,
        global_size=lambda n: (n,),
        local_sizes=LINES,
        tolerance=EXACT,
    ),
    "rodinia-b+tree": SuiteKernel(
        "opencl/b+tree/kernel/kernel_gpu_opencl.cl",
        "findK",
        size=4096,
        small=2,
        args=tree_search,
        global_size=lambda n: (_ORDER * n,),
        local_sizes=((_ORDER,),),
        options=(f"-DDEFAULT_ORDER={_ORDER}",),
        tolerance=EXACT,
        restore=True,
    ),
}
