"""Serve a site on this machine only, with byte ranges, and without a cache that could outlive a publication."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from whitenoise import WhiteNoise  # type: ignore[import-untyped]

from dippouch.disk import refusal
from dippouch.errors import UserError

HOST = "127.0.0.1"
# Names that contain a hash of the file's content.
_LASTING = r"^/(assets/live/|data/live-).*-?[0-9A-Za-z]{8,}\.(js|bin)$"


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    def get_environ(self) -> dict[str, str]:
        """Ignore the time of the browser's copy: a site may be replaced by an older one."""
        environ = super().get_environ()
        environ.pop("HTTP_IF_MODIFIED_SINCE", None)
        return environ

    def log_message(self, *_: object) -> None:
        """Do not log requests."""


def site_server(site: Path, port: int) -> WSGIServer:
    """Return a server on 127.0.0.1 that reads the site's folder at each request; port 0 takes a free port.

    Raises:
        UserError: when there is no site, or the port is taken.
    """
    if not (site / "index.html").is_file():
        raise UserError(f"{site}: found no site; `make site` makes it")
    files = WhiteNoise(
        _not_found(site / "404.html"),
        root=site,
        # Look for the file at every request: a new site replaces the whole folder.
        autorefresh=True,
        index_file=True,
        max_age=0,
        immutable_file_test=_LASTING,
        allow_all_origins=False,
    )
    try:
        return make_server(HOST, port, files, server_class=_Server, handler_class=_Handler)
    except OSError as error:
        raise UserError(
            f"{HOST}:{port}: could not be served ({refusal(error)}); expected a free port; choose one with --port"
        ) from error


def _not_found(page: Path) -> Callable[[dict[str, Any], Any], Iterable[bytes]]:
    """Return the application for all other addresses."""

    def answer(_: dict[str, Any], start_response: Any) -> Iterable[bytes]:  # noqa: ANN401 (WSGI's types)
        start_response("404 Not Found", [("Content-Type", "text/html; charset=utf-8")])
        return [page.read_bytes() if page.is_file() else b"Not found"]

    return answer
