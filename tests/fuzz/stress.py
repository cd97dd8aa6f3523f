"""Random kernels and damaged LLVM IR through the whole pipeline.

No abort of LLVM reaches this process.

    python tests/fuzz/stress.py COUNT [FIRST]

runs the kernels FIRST to FIRST + COUNT - 1 of `vectors.py` on the device cpu, and prints how many
gave a result, were refused, or made LLVM abort. Every `JUDGED`th result is compared with the
interpreter's. The LLVM IR of every `DAMAGED`th kernel is damaged at random and compiled again.
"""

from __future__ import annotations

import os
import random
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    # The kernels are compiled here, and each is new.
    os.environ |= {"POLYCL_SERVER": "0", "POLYCL_CACHE_DIR": ""}

import polycl
from fuzz.vectors import GROUPS, Kernel, vector_kernel
from polycl.backends.cpu import compile as compile_module
from polycl.backends.cpu.jit import compile_object
from polycl.backends.cpu.llvm_process import LlvmAborted

JUDGED = 16
DAMAGED = 4
DTYPES = {"half": "float16", "float": "float32", "double": "float64"} | {
    f"{'u' if sign else ''}{name}": f"{'u' if sign else ''}int{size}"
    for sign in (False, True)
    for name, size in (("char", 8), ("short", 16), ("int", 32), ("long", 64))
}
_NUMBERS = (0, 1, 2, 3, 5, 8, 15, 16, 17, 63, 127)
_NUMBER = re.compile(r"(?<=i64 )\d+|(?<=i32 )\d+|(?<=i16 )\d+|(?<=i8 )\d+")
_ALIGN = re.compile(r"(?<=align )\d+")


def run(kernel: Kernel, device: polycl.Device) -> np.ndarray:
    """The bits of what the kernel writes."""
    dtype = np.dtype(DTYPES[kernel.element])
    data = np.random.default_rng(1).integers(0, 256, kernel.size * dtype.itemsize, np.uint8)
    if dtype.kind == "f":
        # No NaN: of one that signals, the interpreter makes one that does not.
        exponent = 1 << np.finfo(dtype).nmant
        words = data.view(f"u{dtype.itemsize}")
        words &= ~words.dtype.type(exponent)
    out = np.zeros(kernel.size, dtype)
    polycl.load(kernel.text).kernel("k")(
        out,
        data.view(dtype),
        global_size=GROUPS * kernel.group,
        local_size=kernel.group,
        device=device,
    )
    return out.view(f"u{dtype.itemsize}")


def damaged(text: str, seed: int) -> str:
    """LLVM IR that was changed at random: most of it is invalid, the rest is strange."""
    source = random.Random(seed)
    lines = text.splitlines()
    for _ in range(1 + source.randrange(8)):
        at = source.randrange(len(lines))
        match source.randrange(8):
            case 0 | 1 | 2 | 3 | 4:
                lines[at] = _NUMBER.sub(lambda _: str(source.choice(_NUMBERS)), lines[at])
            case 5 | 6:
                lines[at] = _ALIGN.sub(lambda _: str(2 ** source.randrange(8)), lines[at])
            case _ if "=" not in lines[at] and "store" in lines[at]:
                # Another order of stores.
                lines.insert(source.randrange(at, min(at + 9, len(lines))), lines.pop(at))
            case _:
                lines.insert(at, lines[source.randrange(len(lines))])
    return "\n".join(lines)


def stress(first: int, count: int) -> Counter[str]:
    """How the kernels ended. Raises AssertionError if a result differs from the interpreter's."""
    ends: Counter[str] = Counter()
    cpu = polycl.device("cpu", threads=1, contract=False)
    interp = polycl.device("interp")
    texts: list[str] = []
    compile_text = compile_module.compile_object

    def keep(text: str, level: int) -> bytes:
        texts.append(text)
        return compile_text(text, level)

    compile_module.compile_object = keep
    try:
        for seed in range(first, first + count):
            kernel = vector_kernel(seed)
            texts.clear()
            try:
                found = run(kernel, cpu)
                ends["kernels with a result"] += 1
                if seed % JUDGED == 0:
                    np.testing.assert_array_equal(found, run(kernel, interp), f"kernel {seed}")
                    ends["compared with the interpreter"] += 1
            except polycl.PolyclError as error:
                kind = "LLVM aborted" if "LLVM ended" in str(error) else "refused"
                ends[f"kernels: {kind}"] += 1
                print(f"kernel {seed}: {kind}: {str(error)[:300]}", flush=True)
            for text in texts[:1] if seed % DAMAGED == 0 else ():
                try:
                    compile_object(damaged(text, seed))
                    ends["damaged: compiled"] += 1
                except LlvmAborted:
                    ends["damaged: LLVM aborted"] += 1
                except polycl.LaunchError:
                    ends["damaged: refused"] += 1
    finally:
        compile_module.compile_object = compile_text
    return ends


def main() -> None:
    count, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    total: Counter[str] = Counter()
    for begin in range(first, first + count, 200):
        total += stress(begin, min(200, first + count - begin))
        print(f"{begin - first + 200}: {dict(total)}", flush=True)


if __name__ == "__main__":
    main()
