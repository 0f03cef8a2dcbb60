"""What the pinned packages are under, and whether vulnerabilities of them are known: `make audit`.

The licences are read off the installed packages, the vulnerabilities from the package index, which not every mirror answers:
packages that nobody could check are told, and never counted as safe.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from dippouch.settings import PROJECT

_LOCK = PROJECT / "requirements.lock"
_TOOLS = PROJECT / ".venv-audit" / "bin"

# What packages may be under that a project under MIT needs: free to use and to pass on, at most with duties for their own files.
COMPATIBLE = frozenset(
    text.casefold()
    for text in (
        *("MIT", "MIT License", "BSD License", "BSD-2-Clause", "BSD-3-Clause", "3-Clause BSD License", "0BSD"),
        *("ISC", "ISC License (ISCL)", "PSF-2.0", "Python Software Foundation License", "CNRI-Python", "Unlicense"),
        *("Apache-2.0", "Apache Software License", "MPL-2.0", "Mozilla Public License 2.0 (MPL 2.0)", "Zlib"),
        *("LGPL-2.1-or-later", "LGPL-3.0-or-later"),
    )
)

# Each with the licence that was looked at, and why it is no matter.
LOOKED_AT: Mapping[str, tuple[str, str]] = {
    "pylint": ("GPL-2.0-or-later", "a tool that `make lint` starts; nothing of it is part of the project"),
    "text-unidecode": (
        "Artistic License; GNU General Public License (GPL); GNU General Public License v2 or later (GPLv2+)",
        "one may choose, and the Artistic License lets anybody use and pass it on",
    ),
    "axe-playwright-python": (
        "UNKNOWN",
        "names none, and brings the text of the MIT licence; its axe-core is MPL-2.0, and only tests start it",
    ),
}


def refused_licences(packages: Sequence[Mapping[str, str]]) -> list[str]:
    """The packages whose licence nobody found compatible, each with its licence.

    Args:
        packages: what pip-licenses tells: `Name` and `License` of each.
    """
    return [
        f"{package['Name']}: {package['License']}"
        for package in packages
        if not _is_compatible(package["License"])
        and LOOKED_AT.get(package["Name"].lower(), ("", ""))[0] != package["License"]
    ]


def vulnerabilities(dependencies: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """The vulnerabilities that are known, and the packages that nobody could check.

    Args:
        dependencies: what pip-audit tells: `name`, and `vulns` or `skip_reason` of each.
    """
    known = [
        f"{package['name']} {package['version']}: {found['id']}, mended in {', '.join(found['fix_versions']) or 'none'}"
        for package in dependencies
        for found in package.get("vulns", ())
    ]
    return known, [package["name"] for package in dependencies if "skip_reason" in package]


def locked_names(lock: str) -> set[str]:
    """The packages that a lock file names."""
    return set(re.findall(r"^([a-z0-9][a-z0-9._-]*)==", lock, re.MULTILINE))


def _is_compatible(licence: str) -> bool:
    """Whether every licence of an expression is compatible, or one of those that it offers."""
    offered = re.split(r"\s+OR\s+", licence)
    return any(all(_is_named(part) for part in re.split(r"\s+AND\s+|;", one)) for one in offered)


def _is_named(part: str) -> bool:
    """Whether a licence of an expression is among the compatible ones, with or without the brackets of the expression."""
    return {part.strip().casefold(), part.strip("() ").casefold()} & COMPATIBLE != set()


def _check_licences() -> bool:
    done = _run("pip-licenses", f"--python={sys.executable}", "--format=json", "--from=mixed")
    packages = sorted(json.loads(done.stdout), key=lambda package: package["Name"].lower())
    for package in packages:
        print(f"  {package['Name']:<28}{package['Version']:<16}{package['License']}")
    for name, (_, why) in LOOKED_AT.items():
        print(f"  {name}: {why}")
    named = {re.sub(r"[-_.]+", "-", package["Name"].lower()) for package in packages}
    if elsewhere := sorted(locked_names(_LOCK.read_text(encoding="utf-8")) - named):
        print(f"Licences not read, because this machine does not need the packages: {', '.join(elsewhere)}")
    refused = refused_licences(packages)
    for line in refused:
        print(f"Licence not known to be compatible: {line}")
    if not refused:
        print(f"Licences: {len(packages)} packages, all compatible.")
    return not refused


def _check_vulnerabilities() -> bool:
    done = _run("pip-audit", f"--requirement={_LOCK}", "--require-hashes", "--disable-pip", "--format=json")
    try:
        dependencies = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        said = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        print(f"Vulnerabilities: NOT CHECKED. No database could be reached: {said}")
        return True
    known, unchecked = vulnerabilities(dependencies)
    for line in known:
        print(f"Vulnerability: {line}")
    if len(unchecked) == len(dependencies):
        print(
            "Vulnerabilities: NOT CHECKED. The package index that answers has none (pypi.org itself has); try another network."
        )
    elif unchecked:
        print(f"Vulnerabilities: NOT CHECKED in {', '.join(unchecked)}.")
    if len(unchecked) < len(dependencies):
        print(f"Vulnerabilities: {len(known)} known in {len(dependencies) - len(unchecked)} packages.")
    return not known


def _run(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([_TOOLS / tool, *arguments], capture_output=True, text=True, check=False)


def main() -> None:
    """Check both, and exit with 1 when either finds something."""
    checked = [_check_licences(), _check_vulnerabilities()]
    sys.exit(not all(checked))


if __name__ == "__main__":
    main()
