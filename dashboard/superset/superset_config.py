"""Superset's settings: it serves only this machine, connects to no other machine, and shows each publication at once.

Superset reads the names in capitals. `start_superset.py` passes the path of this file, and makes the secret first.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
from duckdb_engine import ConnectionWrapper
from flask import g

from dippouch.db import attach

# `start_superset.py` sets it.
_FOLDER = Path(os.environ["DPTR_SUPERSET"])
_SECRET = (_FOLDER / "secret_key").read_text(encoding="utf-8")
# The same limit as for queries of the project's own programs.
_MEMORY = "2GB"
# The name under which a request keeps its open files.
_OPENED = "opened_publications"

APP_NAME = "Ratings"
SECRET_KEY = _SECRET
GUEST_TOKEN_JWT_SECRET = _SECRET
# Superset's own tables: users, dashboards, charts.
SQLALCHEMY_DATABASE_URI = f"sqlite:///{_FOLDER / 'superset.db'}"
# Every click writes to Superset's log, and SQLite allows one writer at a time.
SQLALCHEMY_ENGINE_OPTIONS = {"connect_args": {"timeout": 30}}
# Superset refuses databases that could read files of this machine; `_open_afresh` keeps DuckDB from reading them.
PREVENT_UNSAFE_DB_CONNECTIONS = True
ENABLE_CORS = False
LOG_LEVEL = "WARNING"
RATELIMIT_STORAGE_URI = "memory://"

# Cache no answers. By default Superset shows charts up to a day old.
CACHE_CONFIG = {"CACHE_TYPE": "NullCache"}
DATA_CACHE_CONFIG = {"CACHE_TYPE": "NullCache"}
CACHE_DEFAULT_TIMEOUT = -1

# Pages of Superset connect to no other server: no map tiles, no tracking pixels.
TALISMAN_CONFIG = {
    "content_security_policy": {
        "base-uri": ["'self'"],
        "default-src": ["'self'"],
        "img-src": ["'self'", "blob:", "data:"],
        "worker-src": ["'self'", "blob:"],
        "connect-src": ["'self'"],
        "object-src": "'none'",
        "style-src": ["'self'", "'unsafe-inline'"],
        "font-src": ["'self'"],
        "script-src": ["'self'", "'strict-dynamic'"],
    },
    "content_security_policy_nonce_in": ["script-src"],
    "force_https": False,
    "session_cookie_secure": False,
}


def _open(database: str) -> ConnectionWrapper:
    """Return a connection for a query, which reads the publication that the first query of this request read.

    So a chart with two queries shows one publication, and the next request shows the current one. A process that opens a DuckDB file by
    name gets its open copy, even if another file has replaced it: under constant use an old publication would stay forever.
    """
    opened = g.setdefault(_OPENED, {})
    if database not in opened:
        opened[database] = _open_afresh(Path(database))
    cursor = opened[database].cursor()
    cursor.execute("use rankings")
    return ConnectionWrapper(cursor)


def _open_afresh(database: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("set enable_progress_bar = false")
    connection.execute(f"set memory_limit = '{_MEMORY}'")
    attach(connection, database, "rankings")
    # SQL in Superset may read only the publication, no other file on this machine.
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection


def _close(_error: BaseException | None) -> None:
    for connection in g.pop(_OPENED, {}).values():
        connection.close()


def FLASK_APP_MUTATOR(app: Any) -> None:  # noqa: N802 (Superset's name)
    """Close the connections of each request at its end; Superset calls this with its application."""
    app.teardown_appcontext(_close)


def DB_CONNECTION_MUTATOR(  # noqa: N802 (Superset's name)
    uri: Any, params: dict[str, Any], *_who_asks: object
) -> tuple[Any, dict[str, Any]]:
    """Open DuckDB files as above, read-only; Superset calls this before it opens any database."""
    if uri.drivername.startswith("duckdb"):
        params["creator"] = partial(_open, uri.database)
    return uri, params
