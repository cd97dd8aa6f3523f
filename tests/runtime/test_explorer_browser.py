"""The explorer's page in Chromium: a script at its end clicks, and writes what it sees."""

from __future__ import annotations

import json
import re
import subprocess
import threading
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from explorer_scenes import (
    CHROMIUM,
    SCENES,
    STRIP,
    Scene,
    difference,
    picture_in_strip,
    screenshot,
)
from flask import Response
from PIL import Image
from werkzeug.serving import make_server

import polycl
from polycl.runtime.explorer.page import Page
from polycl.tools.explorer_server import explorer_app
from polycl.tools.explorer_session import Session
from polycl.tools.pattern.explorer_derivation import DerivationSession

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

SCRIPT = """
<script>
window.seen = {};
const see = (name, value) => { window.seen[name] = value; };
const all = selector => [...document.querySelectorAll(selector)];
const click = selector => document.querySelector(selector).click();
const level = name => all("#levels button").find(button => button.title === name).click();
const pause = time => new Promise(resolve => setTimeout(resolve, time));
const until = async test => { while (!test()) await pause(20); };
(async () => {
  try { await (async () => { ACTIONS })(); } catch (error) { see("error", String(error)); }
  document.body.append(Object.assign(document.createElement("pre"),
    { id: "seen", textContent: JSON.stringify(window.seen) }));
})();
</script>
"""


def seen_at(address: str, tmp_path: Path) -> dict[str, Any]:
    """What the script of the page at `address` has seen."""
    assert CHROMIUM is not None
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile"]
    command = [CHROMIUM, *flags, "--window-size=1400,900", "--virtual-time-budget=60000"]
    done = subprocess.run(
        [*command, "--dump-dom", address], capture_output=True, text=True, timeout=120, check=True
    )
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.S)
    assert found, done.stdout[-2000:] + done.stderr
    seen = json.loads(unescape(found[1]))
    assert "error" not in seen, seen["error"]
    return seen


def page_of(path: Path, **choices: Any) -> Page:
    device = polycl.device("cpu", threads=1)
    return Session(str(path), "cl", (), device, **choices).page(path.read_text())


def seen_on(page: Page, actions: str, tmp_path: Path, place: str = "") -> dict[str, Any]:
    """What `actions` see on a page without a server."""
    file = tmp_path / "page.html"
    file.write_text(page.html() + SCRIPT.replace("ACTIONS", actions), encoding="utf-8")
    return seen_at(f"file://{file}{place}", tmp_path)


def test_a_click_on_a_line_lights_what_became_of_it_and_back(tmp_path: Path):
    page = page_of(ROOT / "examples" / "blur.cl")
    actions = """
      see("source", all("#source .line .code").map(code => code.textContent));
      level("wg-vectorize");
      click("#source .line[data-line='11']");
      see("lit", all("#text .line.lit:not(.removed)").length);
      see("badge", document.querySelector("#levels .chosen .lit").textContent);
      see("added", all("#text .line.added").length);
      see("removed", all("#text .line.removed").length);
      const other = all("#text .line").find(line => line.dataset.source === "9");
      other.click();
      see("back", all("#source .line.lit").map(line => line.dataset.line));
      see("detail", document.querySelector("#detail").textContent);
      see("hash", location.hash);
      click("#gone");
      see("without", all("#text .line.removed").length);
      level("assembly");
      see("assembly", all("#text .line.lit").length);
      see("levels", all("#levels button").length);
      click("#unchanged");
      see("all", all("#levels button").length);
    """
    seen = seen_on(page, actions, tmp_path)
    names = [level.name for level in page.levels]
    (vectorized,) = [level for level in page.levels if level.name == "wg-vectorize"]
    assert [text or " " for text in page.source.split("\n")] == seen["source"]
    lit = sum(line.source == 11 for line in vectorized.lines)
    assert (seen["lit"], seen["badge"]) == (lit, str(lit))
    assert lit > 0
    assert (seen["added"], seen["removed"]) == (len(vectorized.added), len(vectorized.removed))
    assert seen["back"] == ["9"]
    assert "read of in: consecutive" in seen["detail"]
    assert seen["hash"] == f"#level={names.index('wg-vectorize')}&line=9"
    assert seen["without"] == 0
    assert seen["assembly"] == sum(line.source == 9 for line in page.levels[-1].lines) > 0
    assert seen["levels"] < seen["all"] == len(names)


def test_the_address_names_the_level_and_the_line(tmp_path: Path):
    page = page_of(ROOT / "examples" / "saxpy.cl")
    actions = """
      see("level", document.querySelector("#levels .chosen").title);
      see("lit", all("#source .line.lit").map(line => line.dataset.line));
      const press = { key: "ArrowLeft", bubbles: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", press));
      see("before", document.querySelector("#levels .chosen").title);
    """
    seen = seen_on(page, actions, tmp_path, "#level=wg-to-scf&line=6")
    assert (seen["level"], seen["lit"], seen["before"]) == ("wg-to-scf", ["6"], "wg-vectorize")


def test_the_grid_of_a_clamped_read_is_scattered_at_the_border_only(tmp_path: Path):
    page = page_of(
        ROOT / "examples" / "blur.cl",
        global_size=(64, 8),
        local_size=(16, 8),
        arguments=["in=rand:f32:64x8", "out=like:in", "width=64", "height=8"],
    )
    actions = """
      click("#source .line[data-line='9']");
      const colours = grid => [...grid.children].map(cell => cell.className);
      see("grids", all("#detail .grid").map(colours));
      see("title", document.querySelector("#detail .grid i").title);
      click("#source .line[data-line='5']");
      see("branch", all("#detail .grid i").map(cell => cell.className));
    """
    seen = seen_on(page, actions, tmp_path)
    row = ["uniform", "uniform", *["consecutive"] * 14]
    assert seen["grids"] == [["consecutive"] * 128, row * 8, ["consecutive"] * 128]
    assert seen["title"] == "work-item (0, 0, 0): byte 0, element 0"
    assert len(set(seen["branch"])) == 1


def test_text_of_the_source_is_no_html(tmp_path: Path):
    file = tmp_path / "k.cl"
    file.write_text(
        "kernel void f(global int *x) { // <img src=x onerror=\"see('hit', 1)\"></script>\n"
        '  if (x[0] < 1) printf("<b>%d</b>\\n", x[1]);\n}\n'
    )
    actions = """
      level("ocl-to-wg");
      await pause(200);
      see("source", all("#source .line .code").map(code => code.textContent));
      see("elements", all("img, #text b, #source b").length);
    """
    seen = seen_on(page_of(file), actions, tmp_path)
    assert seen["source"] == [text or " " for text in file.read_text().split("\n")]
    assert seen["elements"] == 0
    assert "hit" not in seen


def test_both_places_of_a_race(tmp_path: Path):
    file = tmp_path / "k.cl"
    file.write_text(
        "kernel void f(global int *x, local int *t) {\n  int l = get_local_id(0);\n"
        "  t[l] = x[l];\n  x[l] = t[63 - l];\n}\n"
    )
    choices = {"global_size": (64,), "local_size": (64,), "check": True}
    page = page_of(file, arguments=["x=iota:i32:64", "t=local:256"], **choices)
    actions = """
      see("wavy", all("#source .line.error").map(line => line.dataset.line));
      see("badges", all("#source .badge").map(badge => badge.textContent));
      all("#detail a").find(link => link.textContent === "line 4").click();
      see("chosen", all("#source .line.lit").map(line => line.dataset.line));
      see("detail", document.querySelector("#detail").textContent);
    """
    seen = seen_on(page, actions, tmp_path)
    assert seen["wavy"] == ["3", "4"]
    assert seen["badges"] == ["race 1", "race 1, the other place"]
    assert seen["chosen"] == ["4"]
    assert "data race on local memory" in seen["detail"]


def test_the_page_of_the_server_compiles_what_is_typed(tmp_path: Path):
    source = "kernel void f(global int *x, int n) {\n  x[get_global_id(0)] *= n;\n}\n"
    session = Session("k.cl", "cl", (), polycl.device("cpu", threads=1))
    app = explorer_app(session, source, "token")
    actions = """
      const area = document.querySelector("textarea");
      const text = () => document.querySelector("#text").textContent;
      see("first", text());
      area.focus();
      area.setSelectionRange(45, 45);
      area.dispatchEvent(new KeyboardEvent("keyup"));
      see("line", all("#source .line.lit").map(line => line.dataset.line));
      const type = value => { area.value = value; area.dispatchEvent(new Event("input")); };
      type(area.value.replace("*=", "-="));
      await until(() => text().includes("arith.subi"));
      type(area.value.replace("n;", "m;"));
      await until(() => document.querySelector("#failure").textContent);
      see("failure", document.querySelector("#failure").textContent);
      see("wavy", all("#source .line.error").map(line => line.dataset.line));
      see("stale", document.body.classList.contains("stale") && text().includes("arith.subi"));
      type(area.value.replace("m;", "n;"));
      await until(() => !document.querySelector("#failure").textContent);
      const global = document.querySelector("#global");
      global.value = "512";
      document.querySelector("#local").value = "128";
      global.dispatchEvent(new Event("change"));
      level("ocl-set-local-size");
      await until(() => text().includes("128"));
      see("size", global.value);
    """

    @app.after_request
    def add_script(response: Response) -> Response:
        if response.mimetype == "text/html":
            response.set_data(response.get_data(as_text=True) + SCRIPT.replace("ACTIONS", actions))
        return response

    with make_server("127.0.0.1", 0, app, threaded=True) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            seen = seen_at(f"http://127.0.0.1:{server.server_port}/token/", tmp_path)
        finally:
            server.shutdown()
            thread.join()
    assert "arith.muli" in seen["first"]
    assert seen["line"] == ["2"]
    assert "k.cl:2:26: error: use of undeclared identifier 'm'" in seen["failure"]
    assert seen["wavy"] == ["2"]
    assert seen["stale"]
    assert seen["size"] == "512"


def test_a_line_is_lit_in_the_schedule_of_a_tta_and_back(tmp_path: Path):
    path = ROOT / "examples" / "saxpy.cl"
    arguments = ["x=iota:f32:32", "y=iota:f32:32", "a=2"]
    device = polycl.device("tta", wg_method="replicate")
    session = Session(
        str(path), "cl", (), device, global_size=(32,), local_size=(8,), arguments=arguments
    )
    actions = """
      level("schedule");
      await pause(500);
      const frame = document.querySelector("#right iframe").contentWindow;
      click("#source .line[data-line='6']");
      await until(() => frame.eval("lit") === 6);
      see("lines", frame.eval("block.moves.map(lineOf)"));
      frame.eval("parent.postMessage({ line: 5 }, '*')");
      await until(() => document.querySelector("#source .lit").dataset.line === "5");
    """
    seen = seen_on(session.page(path.read_text()), actions, tmp_path)
    assert 6 in seen["lines"]


def test_a_step_of_a_derivation_and_what_it_made(tmp_path: Path):
    program = polycl.load(ROOT / "examples" / "pattern" / "asum.mlir").module
    script = "size N divisible_by 64\n3c n=64 @map // a comment\n4a.global @map\n"
    session = DerivationSession("asum.deriv", program, None)
    actions = """
      level("3c n=64 @map");
      see("line", all("#source .lit").map(line => line.dataset.line));
      see("lit", all("#text .lit:not(.removed) .code").map(code => code.textContent.trim()));
      see("note", document.querySelector("#said .note").textContent);
      see("form", document.querySelector("#launch").checkVisibility());
    """
    seen = seen_on(session.page(script), actions, tmp_path)
    assert seen["line"] == ["2"]
    assert any(text.startswith("%0 = pattern.split %x by 64") for text in seen["lit"])
    assert seen["note"] == "reduce(+,0) o join o map(map(abs)) o split-64"
    assert not seen["form"]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name.replace(" ", "-"))
def test_scenes(scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Each scene of the film strip has what its name says, and nothing is out of its place."""
    file = tmp_path / "page.html"
    scene.export(file)
    actions = """
      await pause(300);
      const box = selector => document.querySelector(selector).getBoundingClientRect();
      see("failure", document.querySelector("#failure").textContent);
      see("level", document.querySelector("#levels .chosen").title);
      see("source", all("#source .lit").map(line => Number(line.dataset.line)));
      see("lit", all("#text .lit").length);
      see("frames", all("iframe").length);
      const seen = each => each.getBoundingClientRect();
      const text = box("#right");
      see("in view", all("#text .lit").filter(each => seen(each).top >= text.top
        && seen(each).bottom <= text.bottom).length);
      see("panes", ["#left", "#levels", "#right"].map(box).map(each => [each.left, each.right]));
      see("width", innerWidth);
      see("overflow", document.documentElement.scrollWidth > innerWidth);
      see("cut", all("#detail .grid").filter(each => seen(each).right > box("#left").right).length);
    """
    text = file.read_text() + SCRIPT.replace("ACTIONS", actions)
    file.write_text(text)
    seen = seen_at(f"file://{file}{scene.place}", tmp_path)
    assert seen["failure"] == ""
    assert seen["level"] == scene.level
    assert seen["source"] == [scene.line] * bool(scene.line)
    if scene.level in ("schedule", "codelets"):
        assert seen["frames"] == 1
    elif scene.line:
        assert seen["in view"] > 0
    (left, levels, right), width = seen["panes"], seen["width"]
    assert left[0] == 0
    assert left[1] == levels[0] < levels[1] == right[0] < right[1] == width
    assert not seen["overflow"]
    assert seen["cut"] == 0


PICTURES = [
    pytest.param(number, marks=() if number in (0, 8, 9) else pytest.mark.slow, id=scene.name)
    for number, scene in enumerate(SCENES)
]


@pytest.mark.parametrize("number", PICTURES)
def test_pictures(number: int, tmp_path: Path):
    """A scene looks as in the film strip of docs/explorer.md, but for fonts and for the numbers
    that depend on the machine. A blank page differs by 10 to 20, grids of items that are cut off by
    7."""
    strip = Image.open(STRIP)
    assert difference(screenshot(SCENES[number], tmp_path), picture_in_strip(number, strip)) < 6
    other = picture_in_strip((number + 6) % len(SCENES), strip)
    assert difference(other, picture_in_strip(number, strip)) > 6
