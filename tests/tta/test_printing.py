"""`printf` on the device tta: the text is the interpreter's, in the order of the work-items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tta_words import WordsDevice
from xdsl.dialects.builtin import i64

import polycl
from launches import launches_of
from polycl.backends.cpu.printf import PrintfBuffer, PrintfFormat
from polycl.backends.device import Device, NDRange
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.launch import TtaExecutable
from polycl.backends.tta.pipeline import METHODS, WgMethod

KERNELS = Path(__file__).parents[1] / "kernels"

SOURCE = """
kernel void k(global const double *x, global char *c) {
  int i = get_global_id(0);
  global const double *p = i == 2 ? 0 : x + i;
  constant char *text = i % 2 ? "odd" : "even";
  printf("%d %s %e\\n", i, text, p ? *p : 0.5);
  if (!p) printf("%p\\n", p);
  for (int n = 0; n < i; n++) printf("%d %c%hhd\\n", i, 'a' + n, (char)(c[i] - n));
  printf("%v4d %ld %.3f %#x\\n", (int4)(i, -i, 3, 4), (long)i << 40, (half)*x, (ushort)-i);
}
"""


def printed(device: Device, capsys: pytest.CaptureFixture[str]) -> str:
    arguments: tuple[Any, ...] = (np.arange(8) / 3, np.arange(8, dtype=np.int8))
    kernel = polycl.load(SOURCE, language="cl").kernel("k")
    kernel(*arguments, global_size=8, local_size=4, device=device)
    return capsys.readouterr().out


def test_text_is_that_of_the_interpreter(capsys: pytest.CaptureFixture[str]):
    expected = printed(polycl.device("interp"), capsys)
    assert expected.count("\n") == 8 + 1 + 28 + 8
    # The second launch of one device begins with an empty buffer.
    device = TtaDevice()
    assert printed(device, capsys) == expected
    assert printed(device, capsys) == expected


@pytest.mark.parametrize("method", METHODS)
def test_methods(method: WgMethod, capsys: pytest.CaptureFixture[str]):
    """The order of the work-items is free."""
    expected = printed(polycl.device("interp"), capsys)
    found = printed(WordsDevice(wg_method=method), capsys)
    assert sorted(found.splitlines()) == sorted(expected.splitlines())


@pytest.mark.parametrize("name", ["printing", "strings"])
def test_kernels(name: str, capsys: pytest.CaptureFixture[str]):
    launch = launches_of(KERNELS / f"{name}.cl")[0]
    texts: list[str] = []
    for device in (TtaDevice("minimal"), polycl.device("interp")):
        kernel = polycl.load(launch.path).kernel(launch.kernel)
        kernel(
            **launch.values(),
            global_size=launch.global_size,
            local_size=launch.local_size,
            device=device,
        )
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != ""


def test_lost_records(capsys: pytest.CaptureFixture[str]):
    program = polycl.load('kernel void k() { printf("%lu\\n", get_global_id(0)); }', language="cl")
    ndrange = NDRange((8, 1, 1), (4, 1, 1))
    executable = WordsDevice().compile(program.module, "k", ndrange)
    assert isinstance(executable, TtaExecutable)
    assert executable.printf is not None
    executable.printf = PrintfBuffer([PrintfFormat("%lu\n", (i64,))], capacity=56)
    executable.run((), ndrange)
    lost = "\nprintf: 80 bytes of arguments were lost: one launch can print 56 bytes\n"
    assert capsys.readouterr().out == "0\n1\n2\n" + lost
