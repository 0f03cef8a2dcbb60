"""The documentation is true: its queries and commands give the printed answers, and its examples can be imported."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from dippouch.commands.main import SECTIONS
from dippouch.db import query
from dippouch.settings import PROJECT
from support.page_answers import PAGES, with_answers
from support.programs import done, run_here
from support.seed_rows import read_collection

DOCS = PROJECT / "docs"
FORMATS_PAGE = (DOCS / "import_formats.md").read_text(encoding="utf-8")
LINKING_PAGES = [*PAGES, *PROJECT.glob("*.md"), *PROJECT.glob("examples/*/*.md"), *PROJECT.glob(".github/*.md")]
CODE = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
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
    assert lines(first) == printed
    for command, text in shown:
        assert lines(run_here(*shlex.split(command)[1:], "--database", published).stdout) == lines(text), command


@pytest.mark.parametrize("name", [name for section in SECTIONS.values() for name, *_ in section])
def test_help_has_an_example_and_only_ascii_characters(name: str) -> None:
    """Terminals of any encoding can show it."""
    shown = run_here(name, "--help").stdout
    assert f"\n  dptr {name}" in shown
    assert shown.isascii()


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def test_the_examples_of_the_formats_can_be_imported(tmp_path: Path) -> None:
    standings, ranking, tournaments, results = re.findall(r"```csv\n(.*?)```", FORMATS_PAGE, re.DOTALL)
    (tmp_path / "two").mkdir()
    texts = {"standings": standings, "elo": ranking, "two/tournaments": tournaments, "two/results": results}
    for name, text in texts.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    as_ranking = ("--ranking", "Club Elo", "--date", "2025-12-31")
    for seeds, name, options in (("a", "standings.csv", ()), ("a", "elo.csv", as_ranking), ("b", "two", ())):
        done(run_here("import", "--seeds", tmp_path / seeds, tmp_path / name, *options))
    rows = read_collection(tmp_path / "a")
    assert [(row["placement"], row["last_name"]) for row in rows["raw_results"]] == [
        ("1", "SIGAL"),
        ("2", "MALETSKY"),
        ("", "BIRSAN"),
    ]
    assert [row["published_rating"] for row in rows["raw_published_rankings"]] == ["71.50", "60.25"]
    assert {row["player_id"] for row in read_collection(tmp_path / "b")["raw_results"]} == {"adam-sigal"}


@pytest.mark.parametrize("page", dict.fromkeys(LINKING_PAGES), ids=lambda page: str(page.relative_to(PROJECT)))
def test_links_lead_to_files_and_headings(page: Path) -> None:
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    links = re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", text)
    broken = []
    for link in (markdown or html for markdown, html in links):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not link.startswith("https://") and not (target.exists() and (not anchor or anchor in anchors(target))):
            broken.append(link)
    assert broken == []


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_benchmark_of_the_page_starts(tmp_path: Path) -> None:
    """Without the environment, its packages would be missing."""
    (command,) = re.findall(r"^\S*python benchmarks/.* --json$", page("benchmarks"), re.MULTILINE)
    program, script, *words = shlex.split(command)
    asked = [str(PROJECT / program), str(PROJECT / script), *words, "--help"]
    assert b"--json" in subprocess.check_output(asked, cwd=tmp_path)


def test_pages_name_functions_and_keys_as_they_are(published: Path) -> None:
    comments = query(published, "select comment from duckdb_functions() where schema_name = 'marts'")
    signatures = {" ".join(re.findall(r"`marts\.(.*?)`", row["comment"], re.DOTALL)[0].split()) for row in comments}
    shown = re.findall(r"^### \w+\n\n```text\n(.*?)\n```", page("functions"), re.DOTALL | re.MULTILINE)
    assert {" ".join(signature.split()) for signature in shown} == signatures

    of_marts = "select table_name, column_name, lower(data_type) from duckdb_columns() where schema_name = 'marts'"
    entities = re.findall(r"^    (\w+) \{\n(.*?)\n    \}", page("analysts"), re.DOTALL | re.MULTILINE)
    drawn = {(table, *line.split()[1::-1]) for table, lines in entities for line in lines.splitlines()}
    assert drawn
    assert drawn <= {tuple(row.values()) for row in query(published, of_marts)}


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")
