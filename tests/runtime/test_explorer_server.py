"""The server of the explorer, by its test client."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

import polycl
from polycl.errors import PolyclError
from polycl.tools.explorer_server import explorer_app, serve
from polycl.tools.explorer_session import Session
from polycl.tools.polycl import run

SCALE = "kernel void scale(global int *x, int n) {\n  x[get_global_id(0)] *= n;\n}\n"
RACE = """\
kernel void reverse(global const int *x, global int *y) {
  local int tile[64];
  int l = get_local_id(0);
  tile[l] = x[l];
  y[l] = tile[63 - l];
}
"""
TOKEN = "secret"


def app_of(source: str = SCALE, **choices: Any) -> Flask:
    session = Session("k.cl", "cl", (), polycl.device("cpu", threads=1), **choices)
    return explorer_app(session, source, TOKEN)


def compiled(app: Flask, **form: str) -> dict[str, Any]:
    reply = app.test_client().post(f"/{TOKEN}/compile", json=form)
    assert reply.status_code == 200
    assert reply.json is not None
    return reply.json


def test_the_page_needs_the_token():
    client = app_of().test_client()
    for path in ("/", "/wrong/", "/secre/", "/secret1/", "/%C3%A4/", "/static/x", "/wrong/compile"):
        assert client.get(path).status_code in (404, 405), path
    assert client.post("/wrong/compile", json={"source": SCALE}).status_code == 404
    assert client.post("/compile", json={"source": SCALE}).status_code == 404
    page = client.get("/secret/")
    assert page.status_code == 200
    assert f'<meta name="token" content="{TOKEN}">' in page.text
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]


def test_other_hosts_get_nothing():
    """A name that another server resolves to this machine is another origin in the browser."""
    client = app_of().test_client()
    assert client.get("/secret/", headers={"Host": "evil.example"}).status_code == 404
    assert client.get("/secret/", headers={"Host": "127.0.0.1:5000"}).status_code == 200


def test_an_edited_kernel_is_compiled():
    data = compiled(app_of(), source=SCALE.replace("*=", "+="), **{"global": "256", "local": "32"})
    assert data["error"] is None
    assert data["source"][1] == "  x[get_global_id(0)] += n;"
    assert data["launch"]["global"] == "256"
    texts = [data["lines"][number][0] for number in data["levels"][0]["lines"]]
    assert any("arith.addi" in text for text in texts)


@pytest.mark.parametrize(
    ("form", "text", "line"),
    [
        ({"source": SCALE.replace("n;", "m;")}, "k.cl:2:26: error: use of undeclared", 2),
        ({"source": SCALE, "global": "many"}, "global size: 'many' is not a size", 0),
        ({"source": SCALE, "global": "8", "local": "3"}, "3 does not divide", 0),
        ({"source": SCALE, "kernel": "shrink"}, "unknown kernel 'shrink'", 0),
        ({"source": SCALE, "args": "x"}, "expected --arg NAME=VALUE", 0),
        ({"source": SCALE, "args": "'"}, "arguments: No closing quotation", 0),
        ({"source": SCALE, "args": "m=1"}, "unknown parameter 'm'", 0),
        ({"source": ""}, "there is no kernel", 0),
        ({}, "there is no kernel", 0),
    ],
)
def test_what_is_wrong_is_the_located_error(form: dict[str, str], text: str, line: int):
    data = compiled(app_of(), **form)
    assert text in data["error"]["text"]
    assert data["error"]["line"] == line
    assert data["levels"] == []


def test_a_race_has_both_places():
    args = "x=iota:i32:64 y=zeros:i32:64"
    form = {"source": RACE, "global": "64", "local": "64", "args": args}
    assert compiled(app_of(), **form)["findings"] == []
    data = compiled(app_of(), check="True", **form)
    (finding,) = data["findings"]
    assert (finding["kind"], finding["severity"]) == ("race", "error")
    assert [place["line"] for place in finding["places"]] == [4, 5]
    fixed = RACE.replace("  y[l]", "  barrier(CLK_LOCAL_MEM_FENCE);\n  y[l]")
    assert compiled(app_of(), check="True", **{**form, "source": fixed})["findings"] == []


def test_a_launch_that_does_not_end_is_left(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("polycl.runtime.explorer.page.MOST_STEPS", 1000)
    text = "kernel void f(global int *x) { while (x[0] < 1 || x[0] > 0) x[1] += 1; }"
    data = compiled(app_of(), source=text, check="True")
    assert "more than 1000 operations" in data["error"]["text"]
    assert data["levels"]


def test_an_internal_error_is_an_answer(monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise ValueError("oops")

    monkeypatch.setattr("polycl.tools.explorer_session.explored", fail)
    assert "internal error: ValueError: oops" in compiled(app_of(), source=SCALE)["error"]["text"]


def test_a_port_that_is_taken_is_an_error():
    with make_server("127.0.0.1", 0, app_of()) as server:
        with pytest.raises(PolyclError, match=f"port {server.server_port}"):
            serve(app_of(), server.server_port, TOKEN, lambda address: None)


def test_the_command_prints_an_address_with_a_random_token():
    command = [sys.executable, "-m", "polycl.tools.polycl", "explorer", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline()
        process.terminate()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{22}/\n", address)


@pytest.mark.parametrize(
    ("words", "message"),
    [(["x.txt"], "cannot open 'x.txt'"), (["."], "cannot open"), (["--port", "x"], "invalid int")],
)
def test_wrong_command_lines(words: list[str], message: str):
    with pytest.raises(PolyclError, match=message):
        run(["explorer", *words])


def test_without_flask_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "flask", None)
    monkeypatch.delitem(sys.modules, "polycl.tools.explorer_server")
    with pytest.raises(PolyclError, match=r"pip install 'polycl\[explorer\]'; --export"):
        run(["explorer"])
