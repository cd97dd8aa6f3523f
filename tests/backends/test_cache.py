"""The folder that keeps what took long to make."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from polycl.backends import cache as module
from polycl.backends.cache import Cache, cache_in, current_cache, default_folder, key_of


def entries(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_an_entry_is_found_by_another_cache_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert Cache(folder).get("k") is None
    path = Cache(folder).put("k", b"content")
    assert path is not None
    assert path == folder / "k.entry"
    assert path.read_bytes().startswith(b"content"), "a shared object is loaded from there"
    assert Cache(folder).get("k") == b"content"
    assert Cache(folder).size() == (1, 32 + len(b"content"))
    assert entries(folder) == ["k.entry"]
    assert folder.stat().st_mode & 0o077 == 0, "native code that others can write is run"


@pytest.mark.parametrize("spoil", [
    lambda data: b"",
    lambda data: data[:20],
    lambda data: data[:-1],
    lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:],
])  # fmt: skip
def test_a_damaged_entry_is_none_and_is_replaced(tmp_path: Path, spoil) -> None:
    cache = Cache(tmp_path)
    cache.put("k", b"some content")
    (path,) = tmp_path.iterdir()
    path.write_bytes(spoil(path.read_bytes()))
    assert cache.get("k") is None
    cache.put("k", b"some content")
    assert cache.get("k") == b"some content"


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=10_000)
    for i in range(9):
        cache.put(f"k{i}", bytes(968))
        os.utime(tmp_path / f"k{i}.entry", (1000 + i, 1000 + i))
    assert cache.get("k0") is not None
    cache.put("big", bytes(3000))
    left = entries(tmp_path)
    assert sum((tmp_path / name).stat().st_size for name in left) <= cache.limit
    # 9000 bytes and 3032 are 2032 too many: three entries, the oldest but k0, which was used.
    assert left == sorted(["big.entry", "k0.entry", *(f"k{i}.entry" for i in range(4, 9))])


def test_a_folder_stays_bounded(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=100_000)
    for i in range(400):
        cache.put(f"k{i}", bytes(1000))
        assert cache.size()[1] <= cache.limit * 5 // 4


def test_room_is_made_once_for_many_entries_of_many_processes(tmp_path: Path, monkeypatch) -> None:
    made: list[None] = []
    monkeypatch.setattr(Cache, "_make_room", lambda self: made.append(None))
    for i in range(400):
        Cache(tmp_path, limit=1_000_000).put(f"k{i}", bytes(1000))
    # 412,800 bytes are 6.6 sixteenths.
    assert 3 <= len(made) <= 12


def test_what_was_abandoned_is_removed(tmp_path: Path) -> None:
    old, new = tmp_path / "k-1-1.tmp", tmp_path / "k-2-2.tmp"
    old.write_bytes(b"half")
    os.utime(old, (1000, 1000))
    new.write_bytes(b"ha")
    Cache(tmp_path, limit=100).put("k", b"whole")
    assert entries(tmp_path) == ["k-2-2.tmp", "k.entry"]


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "folder")
    assert cache.put("k", b"content") is None
    assert cache.get("k") is None
    assert cache.size() == (0, 0)


def _write_and_read(folder: Path, limit: int, seed: int) -> int:
    """How many entries were found; an entry with anything but its content is an error."""
    cache = Cache(folder, limit)
    found = 0
    for i in range(300):
        key = f"k{(i * 7 + seed) % 23}"
        content = cache.get(key)
        if content is not None:
            assert content == key.encode() * 500
            found += 1
        cache.put(key, key.encode() * 500)
    return found


@pytest.mark.parametrize("limit", [1 << 20, 8_000])
def test_several_processes_write_the_same_entries(tmp_path: Path, limit: int) -> None:
    """With little room they also take each other's entries away."""
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = pool.starmap(_write_and_read, [(tmp_path, limit, seed) for seed in range(4)])
    assert sum(found) > 0
    assert not [name for name in entries(tmp_path) if not name.endswith(".entry")]
    for name in entries(tmp_path):
        key = name.removesuffix(".entry")
        assert Cache(tmp_path).get(key) == key.encode() * 500


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.delenv("POLYCL_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert default_folder() == Path("/home/me/.cache/polycl")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert default_folder() == Path("/home/me/.cache/polycl")
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert default_folder() == Path("/elsewhere/polycl")
    monkeypatch.setenv("POLYCL_CACHE_DIR", str(tmp_path))
    found = current_cache()
    assert found is not None
    assert found.folder == tmp_path
    with cache_in(tmp_path / "inner"):
        inner = current_cache()
        assert inner is not None
        assert inner.folder == tmp_path / "inner"
    with cache_in(None):
        assert current_cache() is None
    assert current_cache() is found
    monkeypatch.setenv("POLYCL_CACHE_DIR", "")
    assert current_cache() is None


def test_a_key_tells_its_parts_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [key_of("ab", "c"), key_of("a", "bc"), key_of("abc"), key_of("ab", "c", "")]
    assert len(set(keys)) == 4
    assert key_of("ab", b"c") == keys[0]
    monkeypatch.setattr(module, "INSTALLATION", b"another version")
    assert key_of("ab", "c") != keys[0]
