#!/usr/bin/env bash
# Refresh and run some tests with each Python that the project supports, as far as it is installed: each in a new environment, below
# a temporary folder. PYTHONS names others than those on the PATH: PYTHONS="/opt/python3.12/bin/python3" make pythons.
set -euo pipefail
cd "$(dirname "$0")/.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
tried=0
for python in ${PYTHONS:-python3.11 python3.12 python3.13}; do
    # A name on the PATH may be of a version manager that has no such Python.
    if ! version=$("$python" -c 'import platform; print(platform.python_version())' 2>/dev/null); then
        echo "$python is not installed: not tried"
        continue
    fi
    echo "Python $version: installing the pinned packages ..."
    "$python" -m venv "$made/$version"
    "$made/$version/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
        --requirement requirements/run.lock --requirement requirements/tools.lock
    # A project of its own, so that neither its programs nor dbt meet the environment or the products of this one.
    mkdir "$made/project-$version"
    git ls-files -z --cached --others --exclude-standard | xargs --null cp --parents --target-directory "$made/project-$version"
    ln -s "$made/$version" "$made/project-$version/.venv"
    (
        cd "$made/project-$version"
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
        .venv/bin/dptr refresh >/dev/null
        .venv/bin/pytest -n0 tests/python/models/test_ledger_against_oracle.py tests/python/importing/test_golden.py \
            tests/python/importing/test_formats_agree.py tests/python/importing/test_commands.py
    )
    echo "Python $version: works"
    tried=$((tried + 1))
done
if [ "$tried" -eq 0 ]; then
    echo "No Python from 3.11 to 3.13 was found; PYTHONS names them"
    exit 1
fi
