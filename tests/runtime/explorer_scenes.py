"""Twelve scenes of the explorer, into which test_explorer_browser.py looks.

`python tests/runtime/explorer_scenes.py docs/pictures/explorer-strip.jpg` draws the film strip of
docs/explorer.md; it needs Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw, ImageFont

from polycl.tools.polycl import run

ROOT = Path(__file__).resolve().parents[2]

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)

_BLUR = (
    "--global 64x8 --local 16x8 --arg in=rand:f32:64x8 --arg out=like:in --arg width=64 "
    "--arg height=8"
)
_REDUCE = (
    "--global 1024 --local 256 --arg in=rand:f32:1024 --arg out=zeros:f32:4 --arg tile=local:1024"
)
_SPLIT = (
    "inline-functions,promote-private-memory,ocl-set-local-size{size=16,8,1},ocl-to-wg,"
    "poly-normalize,poly-extract,poly-split,poly-score,poly-materialize,poly-lower-codelet,"
    "wg-vectorize{width=8},share-values,wg-to-scf"
)


@dataclass(frozen=True)
class Scene:
    """A page, and what is chosen on it."""

    name: str
    arguments: str
    """Those of `polycl explorer`, from the root of the checkout."""
    level: str
    line: int
    """0: none."""

    @property
    def place(self) -> str:
        """The end of the address."""
        return f"#level={self.level}&line={self.line}"

    def export(self, file: Path) -> None:
        """Write the page."""
        words = self.arguments.replace("ROOT", str(ROOT)).split()
        run(["explorer", *words, "--export", str(file)])


SCENES = (
    Scene("a reduction as it was imported", f"ROOT/examples/reduce.cl {_REDUCE}", "import", 12),
    Scene("its regions between barriers", f"ROOT/examples/reduce.cl {_REDUCE}", "ocl-to-wg", 12),
    Scene("its vectors", f"ROOT/examples/reduce.cl {_REDUCE}", "wg-vectorize", 12),
    Scene("its machine code", f"ROOT/examples/reduce.cl {_REDUCE}", "assembly", 12),
    Scene("a clamped read, item by item", f"ROOT/examples/blur.cl {_BLUR}", "wg-split-borders", 9),
    Scene(
        "a divergent loop",
        "ROOT/examples/mandelbrot.cl --global 32x24 --local 16x8 --group 0x1 "
        "--arg grey=zeros:u8:24x32 --arg x0=-2.2 --arg y0=-1.2 --arg size=2.4 --arg most=64",
        "wg-vectorize",
        12,
    ),
    Scene("the blur in codelets", f"ROOT/examples/blur.cl {_BLUR} -p {_SPLIT}", "poly-split", 9),
    Scene("which item is in which", f"ROOT/examples/blur.cl {_BLUR} -p {_SPLIT}", "codelets", 9),
    Scene(
        "a race, with both places",
        "ROOT/tests/oracle/race_local_reduction.cl --kernel bug --global 16 --local 8 "
        "--arg x=rand:i32:16:1:9 --arg y=zeros:i32:16 --check",
        "ocl-to-wg",
        12,
    ),
    Scene(
        "the schedule of a TTA",
        "ROOT/examples/saxpy.cl --device tta --wg-method replicate --global 32 --local 8 "
        "--arg x=iota:f32:32 --arg y=iota:f32:32 --arg a=2",
        "schedule",
        6,
    ),
    Scene(
        "a step of a derivation",
        "ROOT/examples/pattern/gemv.mlir --derive ROOT/examples/pattern/gemv.gpu.deriv",
        "x.part-red-vect n=4 @in",
        28,
    ),
    Scene(
        "the kernel that was derived",
        "ROOT/examples/pattern/gemv.mlir --derive ROOT/examples/pattern/gemv.gpu.deriv",
        "OpenCL C",
        0,
    ),
)


def film_strip(file: Path, size: tuple[int, int] = (1360, 800), columns: int = 3) -> None:
    """Write a picture of all scenes; `size` is that of the browser's window."""
    assert CHROMIUM is not None, "Chromium is not installed"
    width, height = size[0] // 2, size[1] // 2
    rows = -(-len(SCENES) // columns)
    strip = Image.new("RGB", (columns * (width + 8) + 8, rows * (height + 30) + 8), "white")
    pen, font = ImageDraw.Draw(strip), ImageFont.load_default(15)
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    with TemporaryDirectory() as folder:
        for number, scene in enumerate(SCENES):
            page, shot = Path(folder, "page.html"), Path(folder, f"{number + 1:02}.png")
            scene.export(page)
            subprocess.run(
                [
                    CHROMIUM,
                    *flags,
                    f"--window-size={size[0]},{size[1]}",
                    f"--screenshot={shot}",
                    f"file://{page}{scene.place}",
                ],
                check=True,
                capture_output=True,
                timeout=120,
            )
            x, y = 8 + number % columns * (width + 8), 8 + number // columns * (height + 30)
            pen.text((x, y), f"{number + 1}. {scene.name}", "black", font)
            picture = Image.open(shot).resize((width, height), Image.Resampling.LANCZOS)
            strip.paste(picture, (x, y + 22))
            pen.rectangle((x, y + 22, x + width, y + 22 + height), outline="#999")
    strip.save(file, quality=70)


if __name__ == "__main__":
    film_strip(Path(sys.argv[1]))
