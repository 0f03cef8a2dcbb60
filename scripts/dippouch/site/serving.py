"""Serve a site on this machine only, with byte ranges, and without a cache that could outlive a publication."""

import logging
import re
import socket
from pathlib import Path

from werkzeug.sansio.utils import host_is_trusted
from werkzeug.serving import BaseWSGIServer, make_server
from werkzeug.utils import send_file
from werkzeug.wrappers import Request, Response

from dippouch.disk import explained
from dippouch.messages import UserError
from dippouch.site.staged import own_files

HOST = "127.0.0.1"
# A page of another host cannot read the site by giving its own name this address.
_NAMES = [HOST, "localhost"]
# Names that contain a hash of the file's content.
_LASTING = re.compile(r"(assets/live/|data/live-).*[0-9A-Za-z]{8,}\.(js|bin)")
_A_YEAR = 365 * 24 * 60 * 60


def site_server(site: Path, port: int) -> BaseWSGIServer:
    """Return a server on 127.0.0.1 of the files that `dptr site` wrote, read at each request; port 0 takes a free port.

    Raises:
        UserError: when there is no site, or the port is taken.
    """

    @Request.application
    def answer(request: Request) -> Response:
        if not host_is_trusted(request.headers.get("Host"), _NAMES):
            return Response("This server answers to its own names only.\n", 400)
        name = request.path.removeprefix("/") or "index.html"
        path = site / name
        # No hidden files and no files of others; a link, also to a folder, could lead out of the site.
        is_own = not name.startswith(".") and name in own_files(site) and path.is_file()
        if not is_own or path.resolve() != site.resolve() / name:
            missing = (site / "404.html").read_bytes() if (site / "404.html").is_file() else b"Not found"
            # Its links begin with the folder of the site's address; here the site is at the root.
            folder = re.search(b'data-root="(.+?)"', missing)
            missing = missing.replace(b'="' + folder[1], b'="/') if folder else missing
            return Response(missing, 404, mimetype="text/html")
        # The time of the browser's copy means nothing: a site may be replaced by an older one.
        request.environ.pop("HTTP_IF_MODIFIED_SINCE", None)
        lasting = _LASTING.fullmatch(name) is not None
        sent = send_file(path, request.environ, max_age=_A_YEAR if lasting else 0)
        sent.cache_control.public, sent.cache_control.no_cache = True, None
        sent.cache_control.immutable = lasting
        return sent

    if not own_files(site):
        raise UserError(f"{site}: found no site; `dptr site` makes it")
    # With a port that is taken, werkzeug itself would end the program.
    with explained(f"{HOST}:{port}: could not be served; expected a free port; choose one with --port"):
        listening = socket.create_server((HOST, port))
    with listening:
        # Do not log requests.
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        return make_server(HOST, port, answer, threaded=True, fd=listening.fileno())
