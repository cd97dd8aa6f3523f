"""The server of `polycl explorer`: it compiles what is edited on the page.

It listens on this machine only, and answers only requests whose address begins with a random token,
so that no other page and no other user can make it read files.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from flask import Flask, Response, abort, request
from werkzeug.serving import WSGIRequestHandler, make_server

from polycl.backends.cache import cache_in
from polycl.errors import PolyclError
from polycl.runtime.explorer.page import Page
from polycl.tools.driver import InternalError, describe, exception_text
from polycl.tools.explorer_session import Shown

MOST_BYTES = 1 << 20
"""Of a request."""

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; connect-src 'self'; frame-src 'self'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def explorer_app(session: Shown, source: str, token: str) -> Flask:
    """The pages of a session whose first text is `source`, at addresses that begin with `token`."""
    app = Flask("polycl.explorer", static_folder=None)
    app.config["TRUSTED_HOSTS"] = ["127.0.0.1", "localhost"]
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    lock = Lock()

    def page(source: str, form: Mapping[str, str] | None = None) -> Page:
        # One after the other, and without a trace of each edit in the cache.
        with lock, cache_in(None):
            return page_or_error(session, source, form)

    @app.before_request
    def check_token() -> None:
        given = (request.view_args or {}).get("token", "")
        if not secrets.compare_digest(given.encode(), token.encode()):
            abort(404)

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(_HEADERS)
        return response

    @app.get("/<token>/")
    def show(token: str) -> str:
        return page(source).html(token)

    @app.post("/<token>/compile")
    def compile(token: str) -> dict[str, Any]:
        form = {name: str(value) for name, value in request.get_json().items()}
        return page(form.get("source", ""), form).data()

    return app


def page_or_error(session: Shown, source: str, form: Mapping[str, str] | None = None) -> Page:
    """The page of `source`, with the launch of a `form` of the page; or of what is wrong in it."""
    try:
        return (session if form is None else session.with_form(form)).page(source)
    except PolyclError as error:
        found = error
    except Exception as error:
        found = PolyclError(describe("polycl", InternalError(exception_text(error))))
    return Page(session.file, source, error=("error", found))


def serve(app: Flask, port: int, token: str, ready: Callable[[str], None]) -> None:
    """Answer requests on this machine until the process is interrupted; `ready` gets the address.

    Raises:
        PolyclError: the port is taken.
    """
    try:
        server = make_server("127.0.0.1", port, app, threaded=True, request_handler=_Quiet)
    except (OSError, SystemExit) as error:
        raise PolyclError(f"port {port} of this machine cannot be used") from error
    ready(f"http://127.0.0.1:{server.server_port}/{token}/")
    with server:
        server.serve_forever()


class _Quiet(WSGIRequestHandler):
    """Writes no line for each request."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass
