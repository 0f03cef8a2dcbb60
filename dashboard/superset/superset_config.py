"""How Superset runs here: for the people of this machine, asking no other machine, and showing every publication at once.

Superset reads the names in capitals. `start_superset.py` says where this file is, and makes the secret before.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import duckdb
from duckdb_engine import ConnectionWrapper
from flask import g

from dippouch.db import attach
from dippouch.settings import superset_folder

_FOLDER = superset_folder()
_SECRET = (_FOLDER / "secret_key").read_text(encoding="utf-8")
# As much as a query of the project's own programs may take.
_MEMORY = "2GB"
# Under this name a request keeps the files that it has open.
_OPENED = "opened_publications"

APP_NAME = "Ratings"
SECRET_KEY = _SECRET
GUEST_TOKEN_JWT_SECRET = _SECRET
# What Superset keeps for itself: users, dashboards, charts.
SQLALCHEMY_DATABASE_URI = f"sqlite:///{_FOLDER / 'superset.db'}"
# Its log is written with every click, and SQLite lets one write at a time.
SQLALCHEMY_ENGINE_OPTIONS = {"connect_args": {"timeout": 30}}
# Databases that reach the files of this machine stay refused; DuckDB is kept from them below.
PREVENT_UNSAFE_DB_CONNECTIONS = True
ENABLE_CORS = False
LOG_LEVEL = "WARNING"
RATELIMIT_STORAGE_URI = "memory://"

# Nothing is remembered of the published file. Without this charts are a day old.
CACHE_CONFIG = {"CACHE_TYPE": "NullCache"}
DATA_CACHE_CONFIG = {"CACHE_TYPE": "NullCache"}
CACHE_DEFAULT_TIMEOUT = -1

# A browser that shows Superset talks to it and to nobody else: no map tiles, no pictures that count visitors.
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
    """A connection for a query, which reads the file that was published when the request asked for the first time.

    So a chart that asks twice shows one publication, and the next request the one that is there then. A process that opens a DuckDB
    file by name gets the one that it has open already, even when another has taken its place: with charts asking all the time, an
    old publication would stay for ever.
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
    # Whoever writes SQL in Superset reads the publication, and nothing else on this machine.
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection


def _close(_error: BaseException | None) -> None:
    for connection in g.pop(_OPENED, {}).values():
        connection.close()


def FLASK_APP_MUTATOR(app: Any) -> None:  # noqa: N802 (Superset's name)
    """Superset calls this with its application: what a request opened is closed when it ends."""
    app.teardown_appcontext(_close)


def DB_CONNECTION_MUTATOR(  # noqa: N802 (Superset's name)
    uri: Any, params: dict[str, Any], *_who_asks: object
) -> tuple[Any, dict[str, Any]]:
    """Superset asks this before it opens any database: DuckDB files are opened as above, for reading only."""
    if uri.drivername.startswith("duckdb"):
        params["creator"] = partial(_open, uri.database)
    return uri, params
