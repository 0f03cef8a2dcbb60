"""Add the bundled scripts of the live pages to the wheel, so that an installed `dptr` needs no Node."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LivePages(BuildHookInterface[Any]):
    """A step of every build of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Bundle the scripts and add their folder; a checkout, which is installed as editable, bundles them for its first site.

        Raises:
            UserError: when they cannot be bundled.
        """
        if version != "editable":
            sys.path.insert(0, str(Path(self.root, "scripts")))
            from dippouch.site.bundling import bundled_scripts  # noqa: PLC0415 (the path comes first)

            build_data["force_include"][str(bundled_scripts())] = "dippouch_project/live"
