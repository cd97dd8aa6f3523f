"""An OpenCL C kernel on a picture, on the CPU: reads landscape.jpg, writes demo.png.

    python examples/picture.py [PICTURE [RESULT]]

demo.png shows the picture before (left) and after (right).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import polycl
from polycl.runtime.pictures import load_picture, save_picture

HERE = Path(__file__).resolve().parent
GROUP = 16


def main(source: str = str(HERE / "landscape.jpg"), result: str = "demo.png") -> None:
    before = load_picture(source, np.dtype(np.uint8), channels=4)
    height, width, _ = before.shape
    smooth = np.zeros(before.shape, np.float32)
    after = np.zeros_like(before)

    program = polycl.load(HERE / "picture.cl")
    # Whole groups: the kernels do nothing where the picture has ended.
    size: dict[str, Any] = {
        "global_size": (-(-width // GROUP) * GROUP, -(-height // GROUP) * GROUP),
        "local_size": (GROUP, GROUP),
    }
    steps = [
        program.kernel("smooth").bind(before, smooth, width, height, 18.0, **size),
        program.kernel("ink").bind(smooth, after, width, height, 1.5, **size),
    ]
    start = time.perf_counter()
    for step in steps:
        step.launch()
    elapsed = time.perf_counter() - start

    with open(result, "wb") as file:
        save_picture(np.concatenate([before, after], axis=1), file)
    print(f"{result}: {width} x {height} pixels, 2 kernels on the CPU in {elapsed * 1e3:.0f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
