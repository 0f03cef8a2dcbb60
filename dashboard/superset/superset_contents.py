"""Superset's contents: its own tables, the user `admin`, and the dashboard of the published rankings."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import flask_migrate
import yaml
from flask import g
from superset.app import create_app

from dashboard_files import Files
from superset_secrets import write_secret


def prepare(files: Files, password: Path) -> None:
    """Update Superset's own tables, and import a dashboard from its files; may be repeated.

    Args:
        files: the dashboard.
        password: the file with the password of the user `admin`; created if missing.
    """
    application = create_app()
    with application.app_context():
        flask_migrate.upgrade()
        _sync_permissions()
        g.user = _admin(password)
        _import(files)


def _sync_permissions() -> None:
    # Superset's modules can be imported only inside its application, here and below.
    from superset import appbuilder, db, security_manager  # noqa: PLC0415

    appbuilder.add_permissions(update_perms=True)
    security_manager.sync_role_definitions()
    db.session.commit()


def _admin(password: Path) -> Any:
    """Return the user `admin`; set a new password if its file is missing."""
    from superset import security_manager  # noqa: PLC0415

    user = security_manager.find_user(username="admin")
    if user is not None and password.exists():
        return user
    word = password.read_text(encoding="utf-8") if password.exists() else secrets.token_urlsafe(16)
    if user is None:
        role = security_manager.find_role("Admin")
        user = security_manager.add_user("admin", "Rating", "Keeper", "admin@localhost", role, password=word)
    else:
        security_manager.reset_password(user.id, word)
    # Write the file last, so that it never has a password that is not set.
    write_secret(password, word)
    return user


def _import(files: Files) -> None:
    """Replace the database, the datasets, the charts and the dashboard of these files, and nothing else."""
    from superset.commands.importers.v1.assets import ImportAssetsCommand  # noqa: PLC0415

    contents = {path: yaml.safe_dump(content, allow_unicode=True) for path, content in files.items()}
    # The files have the type of a dashboard, for import by hand; only the type `assets` also replaces existing charts.
    contents["metadata.yaml"] = yaml.safe_dump(files["metadata.yaml"] | {"type": "assets"})
    ImportAssetsCommand(contents).run()
