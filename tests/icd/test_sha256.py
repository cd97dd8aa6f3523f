"""The driver's digests are SHA-256."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path
from shutil import which

import pytest

import polycl.runtime.icd

DRIVER = Path(polycl.runtime.icd.__file__).parent

# Prints the digest of each beginning of what it reads, which is added in two parts.
MAIN = """
#include "driver.h"
#include <stdio.h>

int main(void) {
  static char data[1000];
  size_t size = fread(data, 1, sizeof data, stdin);
  for (size_t n = 0; n <= size; ++n) {
    struct sha256 hash;
    unsigned char digest[32];
    sha256_start(&hash);
    sha256_add(&hash, data, n / 3);
    sha256_add(&hash, data + n / 3, n - n / 3);
    sha256_end(&hash, digest);
    for (int i = 0; i < 32; ++i) printf("%02x", digest[i]);
    printf("\\n");
  }
}
"""


def test_digests(tmp_path: Path) -> None:
    compiler = which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler: install gcc or clang")
    (tmp_path / "main.c").write_text(MAIN)
    program = tmp_path / "main"
    files = [tmp_path / "main.c", DRIVER / "sha256.c"]
    subprocess.run(
        [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{DRIVER}", "-o", program, *files],
        check=True,
    )
    data = bytes(n * n % 251 for n in range(400))
    result = subprocess.run([program], input=data, capture_output=True, check=True)
    expected = [hashlib.sha256(data[:n]).hexdigest() for n in range(len(data) + 1)]
    assert result.stdout.decode().split() == expected
