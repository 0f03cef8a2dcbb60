"""The manifest of the files for machines: what they were made from, and the hash of each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from dippouch.disk import hashes
from dippouch.files.json_documents import Documents
from dippouch.files.published import Publication
from dippouch.files.tables import DATABASE

NAME = "manifest.json"
FOLDERS = ("data", "api", "schemas")
# DuckDB gives every file an identity made by chance, and leaves unused bytes as they come: two files of the same tables differ.
UNHASHED = f"data/{DATABASE}"


def write_manifest(site: Path, publication: Publication, counts: Mapping[str, int]) -> None:
    """Write the manifest, once all other files are there.

    Args:
        site: the folder that is made.
        publication: what it shows.
        counts: how many rows each table has.
    """
    found = {f"{folder}/{path}": digest for folder in FOLDERS for path, digest in hashes(site / folder).items()}
    files = (
        json.dumps({"path": path, "bytes": (site / path).stat().st_size, "sha256": digest}, ensure_ascii=False)
        for path, digest in sorted(found.items())
        if path != UNHASHED
    )
    facts = publication.as_facts() | {"rows": dict(counts), "not_hashed": [UNHASHED]}
    Documents(site, "").write(NAME, "manifest", facts, files=files)
