"""What `make audit` makes of the answers of its tools; the tools themselves need an environment and a network of their own."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from dippouch.settings import PROJECT
from support.audit import LOOKED_AT, locked_names, refused_licences, vulnerabilities


@pytest.mark.parametrize(
    ("name", "licence", "is_refused"),
    [
        ("a", "MPL-2.0 AND MIT", False),
        ("a", "(Apache-2.0 AND MIT) OR GPL-3.0-only", False),
        ("a", "BSD-2-Clause AND Apache-2.0 WITH Another-exception", True),
        ("a", "Copyright (c) Ann\n\nPermission is hereby granted, free of charge, to any person", False),
        ("a", "MIT License; GNU Affero General Public License v3", True),
        ("a", "UNKNOWN", True),
        ("pylint", LOOKED_AT["pylint"][0], False),
        ("Pylint", "GPL-3.0-only", True),
    ],
)
def test_a_licence_that_nobody_looked_at_is_refused(name: str, licence: str, is_refused: bool) -> None:
    assert refused_licences([{"Name": name, "License": licence}]) == ([f"{name}: {licence}"] if is_refused else [])


def test_a_package_that_nobody_could_check_is_not_counted_as_safe() -> None:
    answers: list[dict[str, Any]] = [
        {"name": "safe", "version": "1", "vulns": []},
        {"name": "old", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2", "3"]}]},
        {"name": "unknown", "skip_reason": "Dependency not found on PyPI"},
    ]
    assert vulnerabilities(answers) == (["old 1: PYSEC-1, mended in 2, 3"], ["unknown"])


def test_every_lock_pins_by_hash_what_the_project_names() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = {
        name: project["dependency-groups"][name] for name in ("audit", "superset", "dashboard", "benchmark", "spark")
    }
    for name, wanted in (groups | {"requirements": project["project"]["dependencies"]}).items():
        content = (PROJECT / f"{name}.lock").read_text(encoding="utf-8")
        names = locked_names(content)
        assert {re.split(r"[\[>=]", word)[0] for word in wanted} <= names
        assert content.count("==") <= content.count("--hash=sha256:")
        assert len(names) > len(wanted)
