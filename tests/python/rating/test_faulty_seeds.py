"""Faults put into the seeds by hand: dbt alone refuses everything that the check before a refresh refuses."""

from __future__ import annotations

from pathlib import Path

from support.compiled import CompiledProject, empty_build, failing
from support.golden import Case, each_case, edit_files
from support.seed_rows import read_collection


@each_case("seeds/rows.golden")
def test_dbt_refuses_what_the_check_before_a_refresh_refuses(
    compiled_project: CompiledProject, seeds: Path, case: Case
) -> None:
    edit_files(seeds, case.document)
    tests = [test for test in compiled_project.tests if test["name"] == "collection_is_valid"]
    with empty_build(compiled_project) as connection:
        compiled_project.load(connection, read_collection(seeds))
        assert failing(connection, tests)
