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

# The environments in which people run the project, and what each is made from.
_ENVIRONMENTS = {
    ".venv": ("requirements.lock", "dashboard.lock"),
    ".venv-superset": ("superset.lock",),
    ".venv-benchmark": ("benchmark.lock",),
    ".venv-spark": ("spark.lock",),
}
_TOOLS = PROJECT / ".venv-audit" / "bin"

# What packages may be under that a project under MIT needs: free to use and to pass on, at most with duties for their own files.
COMPATIBLE = frozenset(
    text.casefold()
    for text in (
        *("MIT", "MIT License", "BSD License", "BSD-2-Clause", "BSD-3-Clause", "3-Clause BSD License", "0BSD"),
        *("ISC", "ISC License (ISCL)", "PSF-2.0", "Python Software Foundation License", "CNRI-Python", "Unlicense"),
        *("Apache-2.0", "Apache Software License", "MPL-2.0", "Mozilla Public License 2.0 (MPL 2.0)", "Zlib"),
        *(
            "LGPL-2.1",
            "LGPL-2.1-or-later",
            "LGPL-3.0-or-later",
            "GNU Lesser General Public License v3 or later (LGPLv3+)",
        ),
        *("BSD", "Simplified BSD", "MIT-0", "MIT-CMU", "CC0-1.0", "The Unlicense (Unlicense)", "any-OSI"),
        *("Apache License", "Apache License 2.0", "Apache-2.0 WITH LLVM-exception"),
    )
)

# Words that no other licence has.
_WORDS_OF = {
    "Permission is hereby granted, free of charge, to any person": "MIT",
    "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION": "Apache-2.0",
}

# Each with the licence that was looked at, and why it is no matter.
LOOKED_AT: Mapping[str, tuple[str, str]] = {
    "pylint": ("GPL-2.0-or-later", "a tool that `make lint` starts; nothing of it is part of the project"),
    "text-unidecode": (
        "Artistic License; GNU General Public License (GPL); GNU General Public License v2 or later (GPLv2+)",
        "one may choose, and the Artistic License lets anybody use and pass it on",
    ),
    "odfpy": (
        "Apache Software License; GNU General Public License (GPL); GNU Library or Lesser General Public License (LGPL)",
        "its files are under the LGPL from version 2.1 on; only Superset brings it",
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
        if not _is_compatible(_by_name(package["License"]))
        and LOOKED_AT.get(package["Name"].lower(), ("", ""))[0] != package["License"]
    ]


def _by_name(licence: str) -> str:
    """The name of a licence; some packages give its whole text in the place of it."""
    return next((name for words, name in _WORDS_OF.items() if words in licence), licence)


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
    return set(re.findall(r"^([a-z0-9][a-z0-9._-]*)(?:\[[^\]]*\])?==", lock, re.MULTILINE))


def _is_compatible(licence: str) -> bool:
    """Whether every licence of an expression is compatible, or one of those that it offers."""
    offered = re.split(r"\s+OR\s+", licence)
    return any(all(_is_named(part) for part in re.split(r"\s+AND\s+|;", one)) for one in offered)


def _is_named(part: str) -> bool:
    """Whether a licence of an expression is among the compatible ones, with or without the brackets of the expression."""
    return {part.strip().casefold(), part.strip("() ").casefold()} & COMPATIBLE != set()


def _check_licences(environment: str) -> bool:
    python = PROJECT / environment / "bin" / "python"
    if not python.exists():
        print(
            f"Licences of {environment}: NOT CHECKED, because it is not installed here; `make {environment}/{_ENVIRONMENTS[environment][0]}` installs it"
        )
        return True
    done = _run("pip-licenses", f"--python={python}", "--format=json", "--from=mixed")
    packages = sorted(json.loads(done.stdout), key=lambda package: package["Name"].lower())
    for package in packages:
        print(f"  {package['Name']:<28}{package['Version']:<16}{_by_name(package['License'])}")
    named = {re.sub(r"[-_.]+", "-", package["Name"].lower()) for package in packages}
    for name, (_, why) in LOOKED_AT.items():
        if name in named:
            print(f"  {name}: {why}")
    locked = {name for lock in _ENVIRONMENTS[environment] for name in locked_names(_text(lock))}
    if elsewhere := sorted(locked - named):
        print(f"Licences not read, because this machine does not need the packages: {', '.join(elsewhere)}")
    refused = refused_licences(packages)
    for line in refused:
        print(f"Licence not known to be compatible: {line}")
    if not refused:
        print(f"Licences of {environment}: {len(packages)} packages, all compatible.")
    return not refused


def _check_vulnerabilities(lock: str) -> bool:
    done = _run("pip-audit", f"--requirement={PROJECT / lock}", "--require-hashes", "--disable-pip", "--format=json")
    try:
        dependencies = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        said = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        print(f"Vulnerabilities in {lock}: NOT CHECKED. No database could be reached: {said}")
        return True
    known, unchecked = vulnerabilities(dependencies)
    for line in known:
        print(f"Vulnerability: {line}")
    if len(unchecked) == len(dependencies):
        print(
            f"Vulnerabilities in {lock}: NOT CHECKED. The package index that answers has none (pypi.org itself has); try another network."
        )
    elif unchecked:
        print(f"Vulnerabilities in {lock}: NOT CHECKED in {', '.join(unchecked)}.")
    if len(unchecked) < len(dependencies):
        print(f"Vulnerabilities in {lock}: {len(known)} known in {len(dependencies) - len(unchecked)} packages.")
    return not known


def _text(lock: str) -> str:
    return (PROJECT / lock).read_text(encoding="utf-8")


def _run(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([_TOOLS / tool, *arguments], capture_output=True, text=True, check=False)


def main() -> None:
    """Check both, and exit with 1 when either finds something."""
    checked = [_check_licences(environment) for environment in _ENVIRONMENTS]
    checked += [_check_vulnerabilities(lock) for locks in _ENVIRONMENTS.values() for lock in locks]
    sys.exit(not all(checked))


if __name__ == "__main__":
    main()
