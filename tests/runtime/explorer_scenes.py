"""Twelve scenes of the explorer, into which test_explorer_browser.py looks.

`python tests/runtime/explorer_scenes.py` draws the film strip of docs/explorer.md, with which the
test compares pictures; it needs Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageStat

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


SIZE = (1360, 800)
"""Of the browser's window."""
COLUMNS = 3
GAP, TITLE = 8, 22
STRIP = ROOT / "docs" / "pictures" / "explorer-strip.jpg"


def screenshot(scene: Scene, folder: Path) -> Image.Image:
    """The page of a scene, at half its size."""
    page, shot = folder / "page.html", folder / "shot.png"
    scene.export(page)
    take_picture(f"file://{page}{scene.place}", shot, folder)
    return Image.open(shot).convert("RGB").resize(_half(), Image.Resampling.LANCZOS)


def take_picture(address: str, shot: Path, folder: Path) -> None:
    """Has Chromium write a picture of a page; its profile is in the folder."""
    assert CHROMIUM is not None, "Chromium is not installed"
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    flags += [f"--user-data-dir={folder}/profile", f"--window-size={SIZE[0]},{SIZE[1]}"]
    subprocess.run(
        [CHROMIUM, *flags, f"--screenshot={shot}", address],
        check=True,
        capture_output=True,
        timeout=120,
    )


def picture_in_strip(number: int, strip: Image.Image) -> Image.Image:
    """The picture of scene `number` (from 0) in a film strip."""
    (x, y), (width, height) = _place(number), _half()
    return strip.crop((x, y, x + width, y + height))


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean distance of two pictures' brightness, of 255, in blocks of 8 x 8 pixels: letters of
    another font are level in them, and panes that are missing or moved are not."""
    small = [image.convert("L").reduce(8) for image in (one, other)]
    return ImageStat.Stat(ImageChops.difference(*small)).mean[0]


def film_strip(file: Path) -> None:
    """Write a picture of all scenes."""
    width, height = _half()
    rows = -(-len(SCENES) // COLUMNS)
    size = (COLUMNS * (width + GAP) + GAP, rows * (height + GAP + TITLE) + GAP)
    strip = Image.new("RGB", size, "white")
    pen, font = ImageDraw.Draw(strip), ImageFont.load_default(15)
    with TemporaryDirectory() as folder:
        for number, scene in enumerate(SCENES):
            x, y = _place(number)
            pen.text((x, y - TITLE), f"{number + 1}. {scene.name}", "black", font)
            strip.paste(screenshot(scene, Path(folder)), (x, y))
            pen.rectangle((x, y, x + width, y + height), outline="#999")
    strip.save(file, quality=70)


def _half() -> tuple[int, int]:
    return SIZE[0] // 2, SIZE[1] // 2


def _place(number: int) -> tuple[int, int]:
    """The place of a picture in the strip."""
    width, height = _half()
    row, column = divmod(number, COLUMNS)
    return GAP + column * (width + GAP), GAP + row * (height + GAP + TITLE) + TITLE


if __name__ == "__main__":
    film_strip(Path(sys.argv[1]) if len(sys.argv) > 1 else STRIP)
