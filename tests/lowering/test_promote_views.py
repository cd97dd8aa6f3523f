"""Private memory that is accessed as values of several types keeps its values in registers."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import polycl
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import ocl
from polycl.frontends.opencl_c import import_source

FEW = int(os.environ.get("POLYCL_FUZZ_EXAMPLES", "40"))
SETTINGS = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}
BEFORE = "inline-functions,forward-spaces,split-structs,promote-private-memory"
PROMOTE = f"{BEFORE},promote-private-arrays"

SIZES = {"uchar": 1, "char": 1, "ushort": 2, "uint": 4, "float": 4, "ulong": 8, "double": 8}
"""Types by which memory is accessed, and their bytes."""

BYTES = 16
DECLARED = {
    "uchar m[16]": "(uchar *)m",
    "uint m[4]": "(uchar *)m",
    "ulong m[2]": "(uchar *)m",
    "uint4 m": "(uchar *)&m",
    "union { uint w[4]; uchar b[16]; float f; } m": "m.b",
    "struct { uint a; uchar b[5]; ushort c; uint d; } m[1]": "(uchar *)m",
}


def allocas_after(body: str) -> int:
    return allocas_in(f"kernel void k(global uint *x, int n) {{ {body} }}")


def allocas_in(text: str) -> int:
    module = import_source(text.encode(), "k.cl")
    run_pipeline(module, PROMOTE)
    return sum(isinstance(op, ocl.AllocaOp) for op in module.walk())


FILL = "for (int i = 0; i < 16; i++) b[i] = x[i];"


@pytest.mark.parametrize(
    "body",
    [
        f"uchar b[16]; {FILL} uint *w = (uint *)b; for (int i = 0; i < 4; i++) x[i] = w[i];",
        f"uchar b[16]; {FILL} x[0] = *(uint *)(b + 3);",
        f"uchar b[16]; {FILL} uint4 v = vload4(0, (uint *)b); x[0] = v.x + v.w;",
        "uint m[4]; vstore16((uchar16)x[0], 0, (uchar *)m); x[0] = m[1];",
        "union { float f; uint u; } m; m.f = n; x[0] = m.u;",
        "float4 m = (float4)n; for (int i = 0; i < 4; i++) x[i] = ((float *)&m)[i];",
        "struct { char c; float f; } m[2]; m[1].f = n; x[0] = ((uint *)m)[3];",
    ],
)
def test_views_leave_no_memory(body: str) -> None:
    assert allocas_after(body) == 0


@pytest.mark.parametrize(
    "body",
    [
        f"uchar b[16]; {FILL} x[0] = *(uint *)(b + n);",
        f"uchar b[16]; {FILL} for (int i = 0; i < n; i++) x[i] = ((uint *)b)[i];",
        f"uchar b[16]; {FILL} x[0] = ((volatile uint *)b)[1];",
        f"uchar b[16]; {FILL} x[0] = (size_t)b + *(uint *)b;",
        # Out of the memory.
        f"uchar b[16]; {FILL} x[0] = *(uint *)(b + 13);",
        # More values than registers.
        "uchar b[128]; for (int i = 0; i < 128; i++) b[i] = n; x[0] = *(uint *)b;",
        "global uint *p[2]; p[0] = x; x[0] = *(ulong *)p;",
    ],
)
def test_places_that_are_not_known_leave_memory(body: str) -> None:
    assert allocas_after(body) == 1


def test_words_of_a_loop_stay_whole() -> None:
    """Bytes that code outside of a loop reads do not cut the words that it updates."""
    text = f"""
    kernel void k(global uint *x, int n) {{
      uchar b[16]; {FILL}
      for (int i = 0; i < n; i++) ((uint *)b)[0] = ((uint *)b)[0] * 5 + ((uint *)b)[1];
      x[0] = b[0] + b[7];
    }}"""
    module = import_source(text.encode(), "k.cl")
    run_pipeline(module, PROMOTE)
    loops = [op for op in module.walk() if op.name == "scf.for"]
    assert [[str(value.type) for value in loop.results] for loop in loops] == [["i32"]]


class _Kernel:
    """A kernel that accesses 16 bytes of private memory at random, as values of random types."""

    def __init__(self, draw: st.DrawFn):
        self._draw = draw
        self._declared = draw(st.sampled_from(list(DECLARED)))
        self._values = 0

    def text(self) -> str:
        lines = "\n".join(self._statements(self._draw(st.integers(3, 9)), ""))
        packed = "\n".join(
            f"typedef struct __attribute__((packed)) {{ {type} v; }} at_any_{type};"
            for type in SIZES
        )
        return f"""{packed}
        kernel void k(global uint *x, global uchar *out, int n) {{
          {self._declared};
          uchar *b = {DECLARED[self._declared]};
          uint s = x[get_global_id(0)];
          for (int i = 0; i < 16; i++) b[i] = s * (2 * i + 1) >> 7;
          {lines}
          x[get_global_id(0)] = s;
          for (int i = 0; i < 16; i++) out[16 * get_global_id(0) + i] = b[i];
        }}"""

    def _statements(self, count: int, counter: str) -> list[str]:
        return [self._statement(counter) for _ in range(count)]

    def _statement(self, counter: str) -> str:
        kind = self._draw(st.sampled_from(["load", "store", "update", "vector", "if", "for"]))
        if kind in ("if", "for") and not counter:
            lines = "\n".join(self._statements(self._draw(st.integers(1, 3)), "i"))
            head = "if (s & 4)" if kind == "if" else "for (int i = 0; i < 2; i++)"
            # Some stay loops.
            if kind == "for" and self._draw(st.booleans()):
                head, lines = "for (int j = 0; j < n; j++)", lines.replace(" + 2 * i", "")
            if kind == "if":
                lines = lines.replace(" + 2 * i", "")
            return f"{head} {{ {lines} }}"
        type = self._draw(st.sampled_from(list(SIZES)))
        if kind == "vector":
            return self._vector()
        last = BYTES - SIZES[type] - (2 if counter else 0)
        offset = self._draw(st.integers(0, last))
        place = f"((at_any_{type} *)(b + {offset}{' + 2 * i' if counter else ''}))->v"
        if not counter and offset % SIZES[type] == 0:
            place = f"*({type} *)(b + {offset})"
        if kind == "store":
            return f"{place} = {self._value(type)};"
        if kind == "update" and type not in ("float", "double"):
            op = self._draw(st.sampled_from(["^=", "+=", "|=", "&=", "^= s <<", "^= s >>"]))
            shift = self._draw(st.sampled_from([4, 8, 16]))
            return f"{place} {op} {shift if op.endswith(('<', '>')) else self._value(type)};"
        # The bits of floats: many are NaN.
        whole = {"float": "uint", "double": "ulong"}.get(type, type)
        read = f"as_{whole}({place})" if whole != type else place
        return f"s = s * 31 + (uint)({read}) + (uint)((ulong)({read}) >> 32);"

    def _vector(self) -> str:
        type = self._draw(st.sampled_from(["uchar", "ushort", "uint"]))
        count = self._draw(st.sampled_from([2, 3, 4]))
        offset = SIZES[type] * self._draw(st.integers(0, BYTES // SIZES[type] - count))
        pointer = f"({type} *)(b + {offset})"
        if self._draw(st.booleans()):
            return f"vstore{count}(({type}{count})(({type})s) + ({type})7, 0, {pointer});"
        return f"s += vload{count}(0, {pointer}).y * 17;"

    def _value(self, type: str) -> str:
        value = self._draw(st.sampled_from(["s", "0x1234567", "s ^ 0xff00ff", "s >> 3"]))
        if type in ("float", "double"):
            return f"as_{type}(({'uint' if type == 'float' else 'ulong'})({value}))"
        return f"({type})({value})"


@st.composite
def kernels(draw: st.DrawFn) -> str:
    return _Kernel(draw).text()


@settings(max_examples=FEW, **SETTINGS)
@given(kernels())
def test_random_accesses_read_what_was_written(text: str) -> None:
    kernel = polycl.Program(import_source(text.encode(), "k.cl")).kernel("k")
    results: list[tuple[np.ndarray, np.ndarray]] = []
    for pipeline in (BEFORE, PROMOTE):
        x = np.arange(3, dtype=np.uint32) * np.uint32(0x9E3779B1)
        out = np.zeros(48, np.uint8)
        kernel(x, out, 2, global_size=3, device=polycl.device("interp"), pipeline=pipeline)
        results.append((x, out))
    assert allocas_in(text) == 0
    for before, after in zip(*results, strict=True):
        np.testing.assert_array_equal(after, before)
