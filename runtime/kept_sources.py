"""The disk cache of imported sources.

The same text, options and included files give the same module. So when the object code of a kernel
is also in the cache, its source is not parsed.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from polycl.backends.cache import current_cache, key_of
from polycl.backends.limits import max_ops_now
from polycl.backends.phases import add_phases
from polycl.errors import PolyclError
from polycl.remarks import remarks_wanted
from polycl.runtime.compiler_server import import_source
from polycl.runtime.modules import LateModule, Signature, signatures_of

_VOLATILE = re.compile(rb"__DATE__|__TIME__|__TIMESTAMP__|__has_include")
"""With these a module depends on more than the text of the files that were read."""

_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH")
"""Variables in which clang looks for folders of headers."""

Import = Callable[[list[str], bool], ModuleOp]
"""Imports the source, for wide ids or not; adds the paths of its included files to the list."""


@dataclass(frozen=True)
class _Entry:
    signatures: tuple[Signature, ...]
    files: dict[str, bytes | None]
    """Included files, and the places where clang looked for them: a digest, or None for no file."""

    folder: str
    """The current folder, where relative paths start."""

    def holds(self) -> bool:
        """Whether all files that were read are unchanged."""
        if not self.files:
            return True
        return self.folder == os.getcwd() and all(
            _digest(path) == digest for path, digest in self.files.items()
        )


def imported(data: bytes, name: str, options: Sequence[str], import_it: Import) -> LateModule:
    """The module of the source `data`, called `name`, which `import_it` makes now or later."""
    cache = current_cache()
    environment = [os.environ.get(variable, "") for variable in _ENVIRONMENT]
    if any(word.startswith("-g") for option in options for word in option.split()):
        # Debug information names the files' folder.
        environment.append(os.getcwd())
    key = key_of("source", data, name, *environment, *options)
    kept = None if cache is None else cache.get(key)
    if kept is not None:
        entry: _Entry = pickle.loads(kept)
        if entry.holds():
            return LateModule(
                lambda: _import_again(name, entry, import_it, False),
                entry.signatures,
                _content(key, entry.files),
                lambda: _import_again(name, entry, import_it, True),
            )
    remote = None if remarks_wanted() else import_source(data, name, options, max_ops_now())
    if remote is None:
        server = None
        module, entry, volatile = import_now(data, name, options, import_it)
    else:
        module = None
        (entry, volatile), seconds, server = remote
        add_phases(seconds)
    content = ""
    if not volatile:
        content = _content(key, entry.files)
        if cache is not None:
            cache.put(key, pickle.dumps(entry, pickle.HIGHEST_PROTOCOL))

    def get() -> ModuleOp:
        return _import_again(name, entry, import_it, False) if module is None else module

    def get_wide() -> ModuleOp:
        return _import_again(name, entry, import_it, True)

    return LateModule(get, entry.signatures, content, get_wide, server)


def import_now(
    data: bytes, name: str, options: Sequence[str], import_it: Import
) -> tuple[ModuleOp, _Entry, bool]:
    """The module, what the cache has of it, and whether it depends on more than that."""
    included: list[str] = []
    module = import_it(included, False)
    entry = _Entry(signatures_of(module), _files(name, options, included), os.getcwd())
    return module, entry, _is_volatile(data, options, included)


def _content(key: str, files: dict[str, bytes | None]) -> str:
    return key_of(key, repr(sorted(files.items())))


def _import_again(name: str, entry: _Entry, import_it: Import, wide_ids: bool) -> ModuleOp:
    if not entry.holds():
        raise PolyclError(
            f"{name}: files that it includes have changed since the program was loaded; "
            "load it again"
        )
    return import_it([], wide_ids)


def _is_volatile(data: bytes, options: Sequence[str], included: Iterable[str]) -> bool:
    texts = [data, *(option.encode("utf-8", "surrogateescape") for option in options)]
    texts += [_read(path) or b"" for path in included]
    return is_volatile(texts)


def is_volatile(texts: Iterable[bytes]) -> bool:
    """Whether a module depends on more than these texts, which are all that was read for it."""
    return any(_VOLATILE.search(text) for text in texts)


def _files(name: str, options: Sequence[str], included: Sequence[str]) -> dict[str, bytes | None]:
    from polycl.frontends.opencl_c.options import parse_options

    return files_of(os.path.dirname(name), parse_options(options).clang, included)


def files_of(
    folder: str, options: Iterable[str], included: Iterable[str]
) -> dict[str, bytes | None]:
    """The digests of included files, and of each place where such a file would be found instead.

    `folder` is that of the source; `options` are clang's. None: there is no such file.
    """
    paths = [os.path.abspath(path) for path in included]
    folders = [folder, *(option[2:] for option in options if option[:2] == "-I")]
    folders = [os.path.abspath(folder or ".") for folder in folders]
    folders += [os.path.dirname(path) for path in paths]
    places = set(paths)
    for path in paths:
        for folder in dict.fromkeys(folders):
            if path.startswith(os.path.join(folder, "")):
                below = os.path.relpath(path, folder)
                places.update(os.path.join(other, below) for other in folders)
    return {place: _digest(place) for place in sorted(places)}


def _digest(path: str) -> bytes | None:
    data = _read(path)
    return None if data is None else hashlib.sha256(data).digest()


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
