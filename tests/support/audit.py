"""Check the licences and known vulnerabilities of the pinned packages: `make audit`.

Licences come from the installed packages, vulnerabilities from the package index, which not every mirror provides.
Unchecked packages are reported, and never counted as safe.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping

from dippouch.settings import PROJECT

# The environments in which people run the project, each with its lock file.
_ENVIRONMENTS = {
    ".venv": ("run.lock", "tools.lock"),
    ".venv-uv": ("installer.lock",),
    ".venv-superset": ("superset.lock",),
    ".venv-benchmark": ("benchmark.lock",),
    ".venv-spark": ("spark.lock",),
    ".venv-node": ("node.lock",),
}
_TOOLS = PROJECT / ".venv-audit" / "bin"

# Licences compatible with a project under MIT: free to use and distribute, with duties for their own files at most.
COMPATIBLE = frozenset(
    """
    0bsd | 3-clause bsd license | any-osi | apache license | apache license 2.0 | apache software license | apache-2.0
    apache-2.0 with llvm-exception | bsd | bsd license | bsd-2-clause | bsd-3-clause | cc0-1.0 | cnri-python
    gnu lesser general public license v3 or later (lgplv3+) | isc | isc license (iscl) | lgpl-2.1 | lgpl-2.1-or-later
    lgpl-3.0-or-later | mit | mit license | mit-0 | mit-cmu | mozilla public license 2.0 (mpl 2.0) | mpl-2.0 | psf-2.0
    python software foundation license | simplified bsd | the unlicense (unlicense) | unlicense | zlib
    """.strip()
    .replace("\n    ", " | ")
    .split(" | ")
)

# Words that identify a licence.
_WORDS_OF = {
    "Permission is hereby granted, free of charge, to any person": "MIT",
    "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION": "Apache-2.0",
}

# Each with the reviewed licence, and the reason why it is acceptable.
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


def _by_name(licence: str) -> str:
    """Return the name of a licence; some packages give its full text instead."""
    return next((name for words, name in _WORDS_OF.items() if words in licence), licence)


def locked_names(lock: str) -> set[str]:
    """Return the packages that a lock file names."""
    return set(re.findall(r"^([a-z0-9][a-z0-9._-]*)(?:\[[^\]]*\])?==", lock, re.MULTILINE))


def _is_compatible(licence: str) -> bool:
    """Return whether a licence expression, with or without brackets, is compatible: every part of it, or one of its alternatives."""
    offered = (re.split(r"\s+AND\s+|;", one) for one in re.split(r"\s+OR\s+", licence))
    return any(
        all({part.strip().casefold(), part.strip("() ").casefold()} & COMPATIBLE for part in parts) for parts in offered
    )


def _check_licences(environment: str) -> bool:
    python = PROJECT / environment / "bin" / "python"
    if not python.exists():
        print(f"Licences of {environment}: NOT CHECKED, because it is not installed here")
        return True
    done = _run("pip-licenses", f"--python={python}", "--format=json", "--from=mixed")
    licences = {re.sub(r"[-_.]+", "-", one["Name"].lower()): one["License"] for one in json.loads(done.stdout)}
    for name, licence in sorted(licences.items()):
        print(f"  {name:<28}{_by_name(licence)}")
    locked = {name for lock in _ENVIRONMENTS[environment] for name in locked_names(_text(lock))}
    if elsewhere := sorted(locked - licences.keys()):
        print(f"Licences not read, because this machine does not need the packages: {', '.join(elsewhere)}")
    refused = [
        name
        for name, licence in licences.items()
        if not _is_compatible(_by_name(licence)) and LOOKED_AT.get(name, ("", ""))[0] != licence
    ]
    print(
        f"Licences of {environment}: {len(licences)} packages; not known to be compatible: {', '.join(refused) or 'none'}"
    )
    return not refused


def _check_vulnerabilities(lock: str) -> bool:
    done = _run("pip-audit", f"--requirement={PROJECT / "requirements" / lock}", "--require-hashes", "--disable-pip", "--format=json")
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        said = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        print(f"Vulnerabilities in {lock}: NOT CHECKED. No database could be reached: {said}")
        return True
    known = [
        f"{package['name']} {package['version']}: {found['id']}, mended in {', '.join(found['fix_versions']) or 'none'}"
        for package in packages
        for found in package.get("vulns", ())
    ]
    for line in known:
        print(f"Vulnerability: {line}")
    unchecked = [package["name"] for package in packages if "skip_reason" in package]
    if unchecked:
        # Most mirrors of pypi.org have no vulnerability data.
        print(
            f"Vulnerabilities in {lock}: NOT CHECKED in {len(unchecked)} of {len(packages)} packages; try another network"
        )
    print(
        f"Vulnerabilities in {lock}: {len(known)} known in {len(packages) - len(unchecked)} packages that were checked"
    )
    return not known


def _text(lock: str) -> str:
    return (PROJECT / "requirements" / lock).read_text(encoding="utf-8")


def _run(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([_TOOLS / tool, *arguments], capture_output=True, text=True, check=False)


def main() -> None:
    """Check both, and exit with 1 if either finds a fault."""
    checked = [_check_licences(environment) for environment in _ENVIRONMENTS]
    checked += [_check_vulnerabilities(lock) for locks in _ENVIRONMENTS.values() for lock in locks]
    sys.exit(not all(checked))


if __name__ == "__main__":
    main()
