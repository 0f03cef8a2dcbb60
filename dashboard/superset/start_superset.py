"""Start Apache Superset on this machine with the dashboard of the published rankings: `make superset`."""

from __future__ import annotations

import os
import secrets
import socket
import stat
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click
import duckdb
import yaml
from rich.markup import escape

from dashboard_files import files_for
from dippouch.command_line import Command, database_option
from dippouch.console import err, out
from dippouch.db import reading
from dippouch.disk import refusal
from dippouch.messages import UserError
from dippouch.settings import PROJECT, warehouse_folder
from superset_secrets import write_secret

HERE = Path(__file__).resolve().parent
# The dashboard, as Superset exports it.
DASHBOARD = HERE / "rankings"
# Not reachable from the network, because nothing is encrypted and the data may be private.
ADDRESS = "127.0.0.1"
# Number of simultaneous requests; a dashboard sends one per chart.
_THREADS = 8
_SLOWEST_SECONDS = 120


@click.command(cls=Command)
@database_option()
@click.option("--port", default=8088, show_default=True, type=click.IntRange(1, 65535), help="The port.")
def main(database: Path, port: int) -> None:
    """Start Superset on 127.0.0.1 with the dashboard of the published rankings, until Ctrl-C.

    Superset's own files are in the folder `superset` of the warehouse, or in DPTR_SUPERSET. The first start makes the user `admin`, with a
    random password in the file `admin_password` there. If that file is missing, a start makes a new password.
    """
    folder = PROJECT / os.environ.get("DPTR_SUPERSET", warehouse_folder() / "superset")
    check_answers(database)
    files = files_for(DASHBOARD, database.resolve())
    check_free(port)
    _prepare_folder(folder)
    os.environ |= {"DPTR_SUPERSET": str(folder), "SUPERSET_CONFIG_PATH": str(HERE / "superset_config.py")}
    log = folder / "superset.log"
    err.print("Preparing Superset, which takes a minute or two the first time ...")
    with _said_into(log):
        # Superset reads its configuration when it is imported.
        from superset_contents import prepare  # noqa: PLC0415

        prepare(files, folder / "admin_password")
    out.print(f"The dashboard: http://{ADDRESS}:{port}/superset/dashboard/rankings/", soft_wrap=True)
    out.print(f"Sign in as admin; the password is in {escape(str(folder / 'admin_password'))}", soft_wrap=True)
    out.print("Ctrl-C ends it.")
    sys.stdout.flush()
    _serve(port, log)


def check_answers(database: Path) -> None:
    """Run every query of the dashboard on a published database.

    Raises:
        UserError: when it is missing or not a database, or a query fails because another version published it.
    """
    with reading(database) as connection:
        connection.execute("use published")
        for path in sorted((DASHBOARD / "datasets").rglob("*.yaml")):
            question = yaml.safe_load(path.read_text(encoding="utf-8"))["sql"]
            try:
                connection.execute(f"select * from ({question}) limit 1")
            except duckdb.Error as error:
                raise UserError(
                    f"{database}: found no answer to `{path.stem}` of the dashboard ({str(error).splitlines()[0]});"
                    " expected rankings published by this version. `make rankings` publishes them"
                ) from None


def check_free(port: int) -> None:
    """Refuse a port that is not available.

    Raises:
        UserError: when another program uses it, or the system forbids it.
    """
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((ADDRESS, port))
        except OSError as error:
            raise UserError(
                f"{ADDRESS}:{port}: is not available ({error.strerror}); expected a free port."
                " Name another: make superset PORT=8090"
            ) from None


def _prepare_folder(folder: Path) -> None:
    """Make the folder of Superset, readable by its owner only, with the key that signs sessions."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(stat.S_IRWXU)
        if not (folder / "secret_key").exists():
            write_secret(folder / "secret_key", secrets.token_urlsafe(42))
    except OSError as error:
        raise UserError(f"{refusal(error)}; expected a folder for Superset. DPTR_SUPERSET names another") from None


@contextmanager
def _said_into(log: Path) -> Iterator[None]:
    """Write Superset's output, hundreds of lines, to a log instead of the terminal.

    Raises:
        UserError: when Superset fails; the message names the log.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    with log.open("w", encoding="utf-8") as file:
        for stream in kept:
            os.dup2(file.fileno(), stream)
        try:
            yield
        except Exception as error:
            traceback.print_exc()
            raise UserError(
                f"Superset could not be prepared ({type(error).__name__}); its output is in {log}"
            ) from error
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for stream, terminal in kept.items():
                os.dup2(terminal, stream)
                os.close(terminal)


def _serve(port: int, log: Path) -> NoReturn:
    """Replace this process with the web server."""
    server = Path(sys.executable).with_name("gunicorn")
    options = (
        *(
            f"--bind={ADDRESS}:{port}",
            "--worker-class=gthread",
            f"--threads={_THREADS}",
            f"--timeout={_SLOWEST_SECONDS}",
        ),
        *("--log-level=warning", f"--error-logfile={log}", "--capture-output"),
    )
    os.execv(server, [str(server), *options, "superset.app:create_app()"])  # noqa: S606 (the environment's own)


if __name__ == "__main__":
    main()
