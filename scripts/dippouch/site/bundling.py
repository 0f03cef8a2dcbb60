"""Bundle the scripts of the live pages with Node; an installed package has them bundled.

The hook that builds the wheel runs this module, so it imports few packages.
"""

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from dippouch.disk import fingerprint, hashes
from dippouch.messages import UserError
from dippouch.settings import IS_INSTALLED, PROJECT

_SOURCES = PROJECT / "dashboard" / "live"
_KEPT = PROJECT / ".live"
_LOCKED = ("package.json", "package-lock.json")
# The oldest version that esbuild and its build script support.
_OLDEST_NODE = 20
# The packages need no install scripts. One retry, so that a machine without a network fails soon.
_QUIET = "--omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 --prefer-offline".split()
# Lines of an error of npm or esbuild to show.
_LINES = 4
# The Node in the environment that `make site` creates, else the machine's.
_PATH = os.pathsep.join((str(PROJECT / ".venv-node" / "bin"), os.environ.get("PATH", os.defpath)))


def bundled_scripts() -> Path:
    """Return the folder of the bundled scripts with their `manifest.json`; bundle them first if these sources are new.

    Raises:
        UserError: when they cannot be bundled: Node is missing, or its packages cannot be installed.
    """
    if IS_INSTALLED:
        return PROJECT / "live"
    sources = {**hashes(_SOURCES / "src"), **{path.name: path.read_text() for path in _SOURCES.glob("*.*")}}
    bundled = _KEPT / fingerprint(sources)[:16]
    if bundled.is_dir():
        return bundled
    _check_node()
    _KEPT.mkdir(exist_ok=True)
    with FileLock(_KEPT / ".lock"):
        if not bundled.is_dir():
            modules = _KEPT / f"packages-{fingerprint({name: sources[name] for name in _LOCKED})[:16]}"
            # Bundles of other sources, and what a stopped run left.
            for old in _KEPT.iterdir():
                if old.is_dir() and old != modules:
                    shutil.rmtree(old, ignore_errors=True)
            new = _KEPT / "new"
            new.mkdir()
            if not modules.is_dir():
                for name in _LOCKED:
                    shutil.copy2(_SOURCES / name, new)
                _run("npm", "ci", *_QUIET, f"--prefix={new}")
                new.rename(modules)
                new.mkdir()
            _run("node", str(_SOURCES / "build.mjs"), str(modules / "node_modules"), str(new))
            new.rename(bundled)
    return bundled


def _check_node() -> None:
    with suppress(OSError, UserError):
        version = _run("node", "--version").removeprefix("v")
        if shutil.which("npm", path=_PATH) and int(version.partition(".")[0]) >= _OLDEST_NODE:
            return
    raise UserError(
        f"found no Node {_OLDEST_NODE} or later with npm; `make .venv-node/node.lock` brings one from the package index"
    )


def _run(program: str, *arguments: str) -> str:
    """Run a program of Node to its end, and return its output."""
    with_node = os.environ | {"PATH": _PATH}
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, env=with_node)
    if done.returncode:
        said = "; ".join(line.removeprefix("npm error ").strip() for line in done.stderr.splitlines()[:_LINES])
        raise UserError(f"their scripts could not be bundled: {program} {Path(arguments[0]).name} failed ({said})")
    return done.stdout
