"""The server's processes, each of which has one connection at a time.

A forked process is slow at first: it copies every page of memory that it changes. So a process
whose connection has ended takes the next one, and one process is always made ready in advance.
"""

from __future__ import annotations

import os
import resource
import select
import socket
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress

MOST_IDLE = 4
"""The number of processes that are kept for later."""
_MOST_CONNECTIONS = 200
_MOST_BYTES = 1 << 30
"""A process that has had so many connections, or so much memory, ends."""


class Workers:
    """`work` has the conversation of one connection; `prepare` makes a new process ready.

    Both are called in the processes, which do not keep the `listener` and its `lock`.
    """

    def __init__(
        self,
        listener: socket.socket,
        lock: int,
        work: Callable[[socket.socket], None],
        prepare: Callable[[], None],
    ):
        self._listener = listener
        self._lock = lock
        self._work = work
        self._prepare = prepare
        self._most = min(MOST_IDLE, len(os.sched_getaffinity(0)))
        self._channels: dict[int, socket.socket] = {}
        """A process that is idle says so, and gets a connection as a reply."""
        self._idle: list[socket.socket] = []
        self._new: set[socket.socket] = set()
        """Those that are being made ready."""
        # Each process is an open file.
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    def wait(self, seconds: float) -> bool:
        """Returns whether there is a connection to accept, at the latest after `seconds`."""
        end = time.monotonic() + seconds
        while True:
            poll = select.poll()
            for file in (self._listener, *self._channels.values()):
                poll.register(file, select.POLLIN)
            ready = [file for file, _ in poll.poll(max(0.0, end - time.monotonic()) * 1e3)]
            for file in ready:
                if file != self._listener.fileno():
                    self._hear(self._channels[file])
            if self._listener.fileno() in ready:
                return True
            if time.monotonic() >= end:
                return False

    def give(self, connection: socket.socket) -> None:
        """Let a process have `connection`."""
        while self._idle:
            channel = self._idle.pop()
            with suppress(OSError):
                socket.send_fds(channel, [b"connection"], [connection.fileno()])
                break
        else:
            self._fork(connection)
        connection.close()
        self.keep_ready()

    def keep_ready(self) -> None:
        """Make a process for the next connection, if none is idle."""
        if not self._idle and not self._new:
            self._new.add(self._fork(None))

    def _hear(self, channel: socket.socket) -> None:
        try:
            word = channel.recv(1)
        except OSError:
            word = b""
        self._new.discard(channel)
        if word and len(self._idle) < self._most:
            self._idle.append(channel)
            return
        # It has ended, or ends when it sees this.
        del self._channels[channel.fileno()]
        if channel in self._idle:
            self._idle.remove(channel)
        channel.close()

    def _fork(self, connection: socket.socket | None) -> socket.socket:
        """Make a process, which has `connection` or gets one later. Returns its channel."""
        here, there = socket.socketpair()
        if os.fork():
            there.close()
            self._channels[here.fileno()] = here
            return here
        status = 1
        try:
            self._listener.close()
            os.close(self._lock)
            for channel in (here, *self._channels.values()):
                channel.close()
            self._live(there, connection)
            status = 0
        except Exception:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)

    def _live(self, channel: socket.socket, connection: socket.socket | None) -> None:
        if connection is None:
            self._prepare()
        for _ in range(_MOST_CONNECTIONS):
            if connection is not None:
                with connection:
                    self._work(connection)
                if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10 > _MOST_BYTES:
                    return
            try:
                channel.send(b"i")
                _, files, _, _ = socket.recv_fds(channel, 16, 1)
            except OSError:
                return
            if not files:
                return
            connection = socket.socket(fileno=files[0])
