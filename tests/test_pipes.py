"""Pipes, on the interpreter and the CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from polycl.errors import ArgumentError
from polycl.frontends.opencl_c import import_source
from polycl.lowering.ocl import ocl_expand_pipes

DEVICES = ("interp", "cpu")
STRUCT = "typedef struct { char tag; short n[3]; float f; } packet_t;\n"
PACKET = np.dtype(
    {
        "names": ["tag", "n", "f"],
        "formats": [np.int8, (np.int16, 3), np.float32],
        "offsets": [0, 2, 8],
        "itemsize": 12,
    }
)
TYPES: dict[str, np.dtype] = {
    "char": np.dtype(np.int8),
    "int": np.dtype(np.int32),
    "ulong": np.dtype(np.uint64),
    "half": np.dtype(np.float16),
    "float2": np.dtype((np.float32, 2)),
    "short3": np.dtype((np.int16, 4)),
    "double16": np.dtype((np.float64, 16)),
    "packet_t": PACKET,
}
SINGLE = """
kernel void produce(write_only pipe TYPE p, global const TYPE *in, global int *status) {
  int i = get_global_id(0);
  TYPE v = in[i];
  status[i] = write_pipe(p, &v);
}
int take(read_only pipe TYPE p, global TYPE *to) { return read_pipe(p, to); }
kernel void consume(read_only pipe TYPE p, global TYPE *out, global int *status) {
  int i = get_global_id(0);
  status[i] = take(p, &out[i]);
}
"""


def load(source: str, type: str = "int", std: str = "CL2.0") -> polycl.Program:
    return polycl.load(STRUCT + source.replace("TYPE", type), options=[f"-cl-std={std}"])


def numbered(dtype: np.dtype, count: int) -> np.ndarray:
    """Packets with the bytes of their numbers, all different."""
    packets = np.zeros(count, dtype)
    if dtype == PACKET:
        packets["tag"], packets["f"] = np.arange(count), np.arange(count) + 0.5
        packets["n"] = np.arange(3 * count).reshape(count, 3)
    else:
        width = packets[0].size
        packets[...] = np.arange(count * width).reshape(packets.shape) + 1
    return packets


def contents(packets: np.ndarray) -> list[str]:
    """The packets in an order of their own; of vectors of three elements, without the fourth."""
    return sorted(
        str((packet[:3] if packet.shape == (4,) else packet).tolist()) for packet in packets
    )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("type", TYPES)
def test_packets_of_all_types(type: str, device: str) -> None:
    program = load(SINGLE, type, "CL3.0" if type == "int" else "CL2.0")
    dtype = TYPES[type]
    pipe = polycl.Pipe(dtype, 10)
    given = numbered(dtype, 32)
    for step in range(3):  # 10 fit; the places are used again
        status, out = np.zeros(16, np.int32), np.zeros(8, dtype)
        before = pipe.array
        ins = given[step * 8 : step * 8 + 16]
        program.kernel("produce")(pipe, ins, status, global_size=16, local_size=8, device=device)
        written = status == 0
        assert (status[~written] < 0).all()
        assert written.sum() == 10 - len(before)
        expected = sorted(contents(before) + contents(ins[written]))
        assert contents(pipe.array) == expected
        first = pipe.array[:8]
        program.kernel("consume")(pipe, out, status[:8], global_size=8, device=device)
        assert (status[:8] == 0).all()
        assert contents(out) == contents(first)
        assert len(pipe.array) == 2


GROUPS = """
kernel void produce(write_only pipe int p, global const int *in, global int *valid) {
  int l = LOCAL, n = SIZE, first = get_global_linear_id() - l;
  reserve_id_t r = GROUP_reserve_write_pipe(p, n);
  if (is_valid_reserve_id(r)) {
    int v = in[first + l];
    write_pipe(p, r, n - 1 - l, &v);
    GROUP_commit_write_pipe(p, r);
  }
  valid[first + l] = is_valid_reserve_id(r);
}
kernel void consume(read_only pipe int p, global int *out) {
  int l = LOCAL, n = SIZE;
  reserve_id_t r = GROUP_reserve_read_pipe(p, n);
  if (is_valid_reserve_id(r)) {
    read_pipe(p, r, l, &out[get_global_linear_id()]);
    GROUP_commit_read_pipe(p, r);
  }
}
"""


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("capacity", [96, 40])
def test_reservations_of_work_groups(capacity: int, device: str) -> None:
    source = GROUPS.replace("GROUP", "work_group").replace("LOCAL", "get_local_linear_id()")
    program = load(source.replace("SIZE", "get_local_size(0) * get_local_size(1)"))
    pipe = polycl.Pipe(np.int32, capacity)
    given, valid = np.arange(96, dtype=np.int32) + 1, np.zeros(96, np.int32)
    sizes = {"global_size": (4, 24), "local_size": (4, 3), "device": device}
    program.kernel("produce")(pipe, given, valid, **sizes)
    groups = valid.reshape(-1, 12)
    assert (groups == groups[:, :1]).all()
    assert groups[:, 0].sum() == capacity // 12
    # Each group of 12 consecutive work-items wrote backwards.
    rows = {tuple(row[::-1]) for row in given.reshape(-1, 12)[groups[:, 0] == 1].tolist()}
    assert {tuple(row) for row in pipe.array.reshape(-1, 12).tolist()} == rows
    out = np.zeros(96, np.int32)
    program.kernel("consume")(pipe, out, **sizes)
    assert {tuple(row) for row in out.reshape(-1, 12).tolist()} - {(0,) * 12} == rows
    assert len(pipe.array) == 0


@pytest.mark.parametrize("device", DEVICES)
def test_reservations_of_sub_groups(device: str) -> None:
    source = GROUPS.replace("GROUP", "sub_group").replace("LOCAL", "get_sub_group_local_id()")
    program = load(source.replace("SIZE", "get_sub_group_size()"))
    pipe = polycl.Pipe(np.int32, 100)
    given, valid = np.arange(80, dtype=np.int32) + 1, np.zeros(80, np.int32)
    program.kernel("produce")(pipe, given, valid, global_size=80, local_size=40, device=device)
    assert valid.all()
    assert sorted(pipe.array.tolist()) == given.tolist()
    out = np.zeros(80, np.int32)
    program.kernel("consume")(pipe, out, global_size=80, local_size=40, device=device)
    assert sorted(out.tolist()) == given.tolist()


@pytest.mark.parametrize("device", DEVICES)
def test_commits_in_any_order(device: str) -> None:
    source = """
    kernel void k(write_only pipe int p, global int *o) {
      reserve_id_t none = CLK_NULL_RESERVE_ID, ids[3];
      for (int i = 0; i < 3; i++)
        ids[i] = reserve_write_pipe(p, i + 1);
      o[0] = get_pipe_num_packets(p);
      o[1] = get_pipe_max_packets(p);
      for (int i = 0; i < 6; i++) {
        int n = i < 1 ? 0 : i < 3 ? 1 : 2, v = 10 * i;
        write_pipe(p, ids[n], i - n * (n + 1) / 2, &v);
      }
      commit_write_pipe(p, ids[1]);
      o[2] = get_pipe_num_packets(p);
      commit_write_pipe(p, ids[0]);
      o[3] = get_pipe_num_packets(p);
      commit_write_pipe(p, ids[2]);
      o[4] = get_pipe_num_packets(p);
      o[5] = is_valid_reserve_id(none) + 2 * is_valid_reserve_id(reserve_write_pipe(p, 0)) +
             4 * is_valid_reserve_id(reserve_write_pipe(p, 2)) + 8 * is_valid_reserve_id(ids[2]);
      int v = 99;
      o[6] = write_pipe(p, none, 0, &v) < 0;
    }
    kernel void read(read_only pipe int p, global int *o) {
      reserve_id_t a = reserve_read_pipe(p, 2), b = reserve_read_pipe(p, 3);
      o[0] = get_pipe_num_packets(p);
      o[1] = read_pipe(p, a, 1, &o[2]) + read_pipe(p, b, 2, &o[3]);
      commit_read_pipe(p, b);
      commit_read_pipe(p, a);
      o[4] = is_valid_reserve_id(reserve_read_pipe(p, 2));
    }
    """
    program = load(source)
    out = np.zeros(8, np.int32)
    pipe = polycl.Pipe(np.int32, 7)
    program.kernel("k")(pipe, out, global_size=1, device=device)
    assert out.tolist() == [0, 7, 0, 3, 6, 8, 1, 0]
    assert pipe.array.tolist() == [0, 10, 20, 30, 40, 50]
    program.kernel("read")(pipe, out, global_size=1, device=device)
    assert out[:5].tolist() == [1, 0, 10, 40, 0]
    assert pipe.array.tolist() == [50]


@pytest.mark.parametrize("device", DEVICES)
def test_from_one_pipe_to_another(device: str) -> None:
    """Work-items of many groups and threads, in branches."""
    source = """
    kernel void k(read_only pipe int p, write_only pipe int q, global int *o) {
      int i = get_global_id(0), v = 0;
      o[i] = 0;
      if (i % 3) {
        while (read_pipe(p, &v) == 0)
          if (v % 2 == 0) {
            write_pipe(q, &v);
            break;
          } else
            o[i] += v;
      }
    }
    """
    count = 4000 if device == "cpu" else 300
    given = np.random.default_rng(3).permutation(count).astype(np.int32)
    p, q = polycl.Pipe(np.int32, count, given), polycl.Pipe(np.int32, count)
    out = np.zeros(count, np.int32)
    load(source).kernel("k")(p, q, out, global_size=count, local_size=20, device=device)
    even = sorted(q.array.tolist())
    assert even == list(range(0, count, 2))
    assert out.sum() == given[given % 2 == 1].sum()
    assert len(p.array) == 0


def test_what_is_refused() -> None:
    out, consume = np.zeros(4, np.int32), load(SINGLE).kernel("consume")
    with pytest.raises(ArgumentError, match="expected a polycl.Pipe, got an array"):
        consume(out, out, out, global_size=4)
    with pytest.raises(ArgumentError, match="a pipe has at least one packet"):
        polycl.Pipe(np.int32, 0)
    with pytest.raises(ArgumentError, match="a pipe of 2 packets cannot hold 3"):
        polycl.Pipe(np.int32, 2, np.zeros(3, np.int32))


def test_pipe_functions_are_those_of_the_source() -> None:
    folder = Path(ocl_expand_pipes.__file__).parent
    module = import_source((folder / "pipe_functions.cl").read_bytes(), "pipe_functions.cl")
    text = (folder / "pipe_functions.mlir").read_text(encoding="utf-8")
    assert str(module).strip() == text.strip(), (
        "write it again: ocl-opt pipe_functions.cl > pipe_functions.mlir"
    )
