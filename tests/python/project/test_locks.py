"""The locks of the environments; what is in them is checked by `make audit`, which needs a network."""

from __future__ import annotations

import re
import tomllib

from dippouch.settings import PROJECT
from support.audit import locked_names


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
