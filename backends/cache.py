"""A cache on disk that this and other processes share.

An entry is a file; its name is the key, a hash of everything that its content depends on. So an
entry is never out of date: a changed input gives another key. Entries are written under another
name and then renamed, so readers see a complete entry or none, even if several processes write. The
SHA-256 digest follows the content, so that a shared object can be loaded from the file as it is; a
damaged entry is ignored and replaced. When the folder is full, the least recently used entries are
removed.

The folder is `$POLYCL_CACHE_DIR` (empty: no cache), else `polycl` in `$XDG_CACHE_HOME`, else
`~/.cache/polycl`. It holds native code that is run, so only its owner may write to it.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from importlib.util import find_spec
from pathlib import Path

LIMIT = 256 << 20
"""The bytes of all entries of a folder, at most, but for what is written until room is made."""

_SUFFIX = ".entry"
_UNFINISHED = ".tmp"
_DIGEST_BYTES = 32
_ABANDONED_S = 3600.0
"""An unfinished file of this age is abandoned."""


class Cache:
    """The entries of one folder, which is created with the first entry. On an error of the file
    system there is no entry."""

    def __init__(self, folder: str | os.PathLike[str], limit: int = LIMIT):
        self.folder = Path(folder)
        self.limit = limit
        self._share = limit // 16
        """Room is made once for about so many bytes that are written."""

    def get(self, key: str) -> bytes | None:
        """The entry, or None if it is missing or damaged."""
        path = self.folder / f"{key}{_SUFFIX}"
        try:
            data = path.read_bytes()
            # Entries are removed in the order of these times.
            os.utime(path)
        except OSError:
            return None
        content, digest = data[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
        return content if hashlib.sha256(content).digest() == digest else None

    def put(self, key: str, content: bytes) -> Path | None:
        """Keep `content`. Returns its file, or None if it cannot be kept."""
        data = content + hashlib.sha256(content).digest()
        path = self.folder / f"{key}{_SUFFIX}"
        unfinished = self.folder / f"{key}-{os.getpid()}-{threading.get_ident()}{_UNFINISHED}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            unfinished.write_bytes(data)
            unfinished.replace(path)
        except OSError:
            with suppress(OSError):
                unfinished.unlink()
            return None
        # Each of many processes writes an entry or two, so that none knows how much was written:
        # the bytes of an entry, of those of a share, are the chance that room is made after it.
        chance = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4]) / 2**32
        if chance * self._share < len(data):
            self._make_room()
        return path

    def size(self) -> tuple[int, int]:
        """The number of entries, and their bytes."""
        entries = self._files()
        return len(entries), sum(size for _, size, _ in entries)

    def _make_room(self) -> None:
        entries = sorted(self._files())
        total = sum(size for _, size, _ in entries)
        for _, size, path in entries:
            if total <= self.limit - self._share:
                return
            with suppress(OSError):
                os.unlink(path)
            total -= size

    def _files(self) -> list[tuple[int, int, str]]:
        """Time of the last use, bytes and path of each entry. Abandoned files are removed."""
        found: list[tuple[int, int, str]] = []
        with suppress(OSError), os.scandir(self.folder) as files:
            for file in files:
                with suppress(OSError):
                    status = file.stat()
                    if file.name.endswith(_SUFFIX):
                        found.append((status.st_mtime_ns, status.st_size, file.path))
                    elif file.name.endswith(_UNFINISHED):
                        if status.st_mtime < time.time() - _ABANDONED_S:
                            os.unlink(file.path)
        return found


_chosen: ContextVar[Cache | None] = ContextVar("polycl_cache")


@contextmanager
def cache_in(folder: str | os.PathLike[str] | None) -> Generator[None]:
    """Inside the `with` block the cache is in `folder`; None: there is no cache."""
    token = _chosen.set(None if folder is None else Cache(folder))
    try:
        yield
    finally:
        _chosen.reset(token)


def current_cache() -> Cache | None:
    """The cache that the current context uses, if any."""
    try:
        return _chosen.get()
    except LookupError:
        folder = default_folder()
        return None if folder is None else _default(folder)


def default_folder() -> Path | None:
    """The default folder of the cache; None if the environment disables the cache."""
    chosen = os.environ.get("POLYCL_CACHE_DIR")
    if chosen is not None:
        return Path(chosen) if chosen else None
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG Base Directory Specification requires that relative paths are ignored.
    if not os.path.isabs(base):
        base = os.path.expanduser("~/.cache")
    return Path(base, "polycl") if os.path.isabs(base) else None


@cache
def _default(folder: Path) -> Cache:
    return Cache(folder)


def key_of(*parts: str | bytes) -> str:
    """The key of content that depends on `parts` and on this installation of polycl."""
    hasher = hashlib.sha256(INSTALLATION)
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        hasher.update(b"%d:" % len(data))
        hasher.update(data)
    return hasher.hexdigest()


_LAYERS = ("analysis", "backends", "dialects", "frontends", "lowering", "runtime", "tools")
_SOURCES = (".py", ".h", ".ll", ".cl", ".mlir", ".toml")

LEFT_OUT = "POLYCL_CPU_WITHOUT"
"""The variable that names features of the processor which code does not use."""


def source_state() -> bytes:
    """A digest of the state of polycl's own files, and of what LEFT_OUT says: code differs by both,
    and each state has a server of its own. The OpenCL driver computes the same.

    Files are identified by size and change time, which tools cannot set. To read all files would
    take longer than the rest of a start with a full cache.
    """
    root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    hasher = hashlib.sha256()
    for layer in _LAYERS:
        _add_folder(hasher, os.path.join(root, layer), True)
    for folder in (root, os.path.join(root, "src", "polycl")):
        _add_folder(hasher, folder, False)
    hasher.update(os.fsencode(os.environ.get(LEFT_OUT, "")))
    return hasher.digest()


def _add_folder(hasher: hashlib._Hash, folder: str, deep: bool) -> None:
    try:
        names = sorted(os.listdir(folder), key=os.fsencode)
    except OSError:
        return
    for name in names:
        if name[0] == "." or name == "__pycache__":
            continue
        if name.endswith(_SOURCES) or (deep and "." not in name):
            path = os.path.join(folder, name)
            status = os.stat(path)
            if stat.S_ISDIR(status.st_mode):
                if deep:
                    _add_folder(hasher, path, True)
            elif stat.S_ISREG(status.st_mode):
                seconds, rest = divmod(status.st_ctime_ns, 10**9)
                line = f"{path} {status.st_size} {seconds}.{rest:09}\n"
                hasher.update(os.fsencode(line))


def _installation() -> bytes:
    """The state of polycl's own files and of the packages that it compiles with."""
    seen: list[tuple[str, int, int]] = []
    for package in ("xdsl", "llvmlite", "clang"):
        spec = find_spec(package)
        if spec is not None and spec.origin is not None:
            status = os.stat(spec.origin)
            seen.append((spec.origin, status.st_size, status.st_ctime_ns))
    return hashlib.sha256(repr((sys.version, SOURCE_STATE, seen)).encode()).digest()


# These are computed before the files of the compiler are loaded: if a file changes after that, its
# results get a key that is never looked up.
SOURCE_STATE = source_state()
INSTALLATION = _installation()
"""A digest of this installation of polycl, its packages and Python."""
