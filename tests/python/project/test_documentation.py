"""The documentation is true: its queries and commands give the printed answers, and its examples can be imported."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from dippouch.importing.formats.facts import FACTS
from dippouch.importing.formats.headings import RESULT_COLUMNS
from dippouch.importing.reader import FORMATS
from dippouch.settings import PROJECT
from support.keeper import Keeper, done
from support.page_answers import PAGES, with_answers
from support.programs import run_here

FORMATS_PAGE = (PROJECT / "docs" / "import_formats.md").read_text(encoding="utf-8")
# A command in a block of its own, and the block with its output.
COMMANDS = re.compile(r"```sh\n(dptr (?:player|ranking)[^\n]*)\n```\n\n```text\n(.*?)\n```", re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_answers_are_what_the_queries_give(page: Path, published: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert with_answers(text, published) == text, "`make rankings answers` writes the answers again"


def test_commands_print_what_the_pages_show(published: Path) -> None:
    shown = [found.groups() for page in PAGES for found in COMMANDS.finditer(page.read_text(encoding="utf-8"))]
    assert {command.split()[1] for command, _ in shown} == {"player", "ranking"}
    # The first block of the README is the top of the ranking, as printed by `make rankings`.
    (first,) = re.findall(r"\A.*?```text\n(.*?)\n```", PAGES[0].read_text(encoding="utf-8"), re.DOTALL)
    printed = lines(run_here("ranking", "--top", "5", "--database", published).stdout)
    assert lines(first) == printed[:-1]
    for command, text in shown:
        assert lines(run_here(*shlex.split(command)[1:], "--database", published).stdout) == lines(text), command


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def test_every_format_fact_and_column_is_described() -> None:
    described = set(re.findall(r"`([^`\n]+)`", FORMATS_PAGE))
    # The second and third coefficients are described with the first.
    assert {*FORMATS, *FACTS.values(), *RESULT_COLUMNS.values()} - described <= {"coefficient_2", "coefficient_3"}


def test_the_examples_of_the_formats_can_be_imported(tmp_path: Path) -> None:
    standings, tournaments, results = re.findall(r"```csv\n(.*?)```", FORMATS_PAGE, re.DOTALL)
    keeper = Keeper(tmp_path)
    done(keeper.imports(standings))
    assert [(row["placement"], row["last_name"]) for row in keeper.rows("wdd/raw_results.csv")] == [
        ("1", "SIGAL"),
        ("2", "MALETSKY"),
        ("", "BIRSAN"),
    ]
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "results.csv").write_text(results, encoding="utf-8")
    keeper = Keeper(tmp_path / "two")
    done(keeper.imports(tournaments, name="tournaments.csv"))
    assert keeper.people() == {"adam-sigal"}
