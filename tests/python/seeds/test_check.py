"""Slips of a hand in the seeds: each is answered with file, line, what was found, what was expected and a way out."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from dippouch.errors import UserError
from dippouch.seeds import parquet
from dippouch.seeds.checks.check import SeedFaultsError, check_seeds
from dippouch.seeds.checks.check_decisions import published_rules
from dippouch.seeds.checks.declared import declared_seeds
from dippouch.seeds.checks.findings import SHOWN
from dippouch.seeds.files import fault_of_key, read_rows
from dippouch.seeds.folder import locked
from dippouch.seeds.schema import RESULTS, TOURNAMENTS
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT
from support.programs import run_program

Slip = Callable[[Path], object]
WDC = "world-dipcon-xxiii-2013"


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    shutil.copytree(PROJECT / "seeds", tmp_path / "it's here")
    return tmp_path / "it's here"


def put(name: str, old: str, new: str) -> Slip:
    """Replace the one occurrence of a text in a seed."""

    def slip(folder: Path) -> None:
        (path,) = folder.rglob(f"{name}.csv")
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return slip


def add(name: str, *rows: str) -> Slip:
    """Add rows to a seed."""

    def slip(folder: Path) -> None:
        (path,) = folder.rglob(f"{name}.csv")
        with path.open("a", encoding="utf-8") as file:
            file.writelines(f"{row}\n" for row in rows)

    return slip


def recode(name: str, encoding: str) -> Slip:
    def slip(folder: Path) -> None:
        (path,) = folder.rglob(f"{name}.csv")
        path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))

    return slip


def take_away(name: str) -> Slip:
    return lambda folder: next(folder.rglob(f"{name}.csv")).unlink()


CORRECTION = f"1,{WDC},{{player}},{{field}},{{value}},because,2026-01-02"
# The slip, and what the message says behind the folder; a dot stands for any text.
SLIPS: dict[str, tuple[Slip, str]] = {
    "an unknown nation": (
        put("ref_players", "adam-sigal,Adam,SIGAL,USA", "adam-sigal,Adam,SIGAL,FRX"),
        "reference/ref_players.csv:2: found nation_code `FRX`; expected a nation_code of ...ref_nations.csv; did you mean `FR",
    ),
    "letters in a number": (
        put("raw_tournaments", ",Columbus,,88,", ",Columbus,,abc,"),
        "wdd/raw_tournaments.csv:2: found players `abc`; expected a whole number",
    ),
    "a fraction in an integer": (
        put("raw_tournaments", ",Columbus,,88,3,", ",Columbus,,88,5.9,"),
        "wdd/raw_tournaments.csv:2: found rounds `5.9`; expected a whole number",
    ),
    "a decimal comma": (
        put("raw_results", ",98.08,", ',"98,08",'),
        "wdd/raw_results.csv:2: found published_score `98,08`; expected a number with a point",
    ),
    "letters in a rule": (
        put("ref_rating_systems", "this warehouse,40,15,", "this warehouse,forty,15,"),
        "reference/ref_rating_systems.csv:4: found initial_rating `forty`; expected a number with a point",
    ),
    "a short row": (
        add("ref_nations", "XYZ,XY"),
        "reference/ref_nations.csv:252: found 2 cells; expected 4 cells as in the header",
    ),
    "an empty line": (add("ref_circuits", ""), "reference/ref_circuits.csv:3: found an empty line; expected 3 cells"),
    "the published rules gone": (
        put("ref_rating_systems", "\ndptr,", "\ndptr-mine,"),
        "reference/ref_rating_systems.csv: found no row `dptr`; expected the row of the published rules: dptr,Dip Pouch",
    ),
    "other published rules": (
        put("ref_rating_systems", "Matt Shields,40,", "Matt Shields,50,"),
        "reference/ref_rating_systems.csv:2: found initial_rating `50` in the published rules; expected `40`",
    ),
    "a misspelt heading": (
        put("ref_nations", "nation_code,iso_alpha2", "nation,iso_alpha2"),
        "reference/ref_nations.csv:1: found the column `nation` and no `nation_code`; expected the header nation_code,iso",
    ),
    "another encoding": (
        recode("ref_players", "cp1252"),
        "reference/ref_players.csv:5: found the byte 0xE9 (`é` in Windows-1252); expected UTF-8",
    ),
    "a byte order mark": (
        recode("ref_players", "utf-8-sig"),
        "reference/ref_players.csv:1: found a byte order mark (U+FEFF) at the beginning; expected UTF-8 without one",
    ),
    "an open quote": (
        add("ref_circuits", '"circuit,2006'),
        "reference/ref_circuits.csv:3: found unexpected end of data; expected a CSV file",
    ),
    "a day without noughts": (
        put("raw_tournaments", "2006-02-12,2006-02-12", "2006-2-12,2006-02-12"),
        "wdd/raw_tournaments.csv:3: found started_on `2006-2-12`; expected a day as YYYY-MM-DD",
    ),
    "a day of a spreadsheet": (
        put("raw_tournaments", "2006-02-12,2006-02-12", "2006-02-12,03/04/2005"),
        "wdd/raw_tournaments.csv:3: found ended_on `03/04/2005`; expected a day as YYYY-MM-DD",
    ),
    "a day that is none": (
        put("ref_rating_systems", "1997-01-01", "1997-02-30"),
        "reference/ref_rating_systems.csv:3: found first_counted_on `1997-02-30`; expected a day",
    ),
    "yes": (
        put("ref_tournament_kinds", "World Championship,true", "World Championship,yes"),
        "reference/ref_tournament_kinds.csv:12: found is_world_championship `yes`; expected `true` or `false`",
    ),
    "maybe": (
        put("ref_tournament_kinds", "World Championship,true", "World Championship,maybe"),
        "found is_world_championship `maybe`; expected `true` or `false`",
    ),
    "an empty cell": (
        put("ref_tournament_kinds", "World Championship,true", "World Championship,"),
        "reference/ref_tournament_kinds.csv:12: found no is_world_championship; expected one in every row",
    ),
    "a key twice": (
        add("ref_tournament_kinds", "wdc,World Championship again,true"),
        "reference/ref_tournament_kinds.csv:13: found kind `WDC` again, as in line 12; expected kind to be unique",
    ),
    "a result twice": (
        add("raw_results", f"{WDC},1,cyrille-sevin,,Cyrille SEVIN,Cyrille,SEVIN,,,,tournament"),
        f"wdd/raw_results.csv:226: found tournament_id, player_id `{WDC}, cyrille-sevin` again, as in line ",
    ),
    "an unknown kind": (
        put("raw_tournaments", ",WDC,1996", ",WDCC,1996"),
        "wdd/raw_tournaments.csv:2: found kind `WDCC` of world-dipcon-vi-1996; expected one of APAC, ...; did you mean `WDC`",
    ),
    "a result of no tournament": (
        put("raw_results", "\nier-dimanche-ludik-de-champs-2006,1,", "\nier-dimanche-ludik-de-champs-2007,1,"),
        "wdd/raw_results.csv:2: found tournament_id `ier-dimanche-ludik-de-champs-2007`; expected a tournament_id of"
        " ...raw_tournaments.csv; did you mean `ier-dimanche-ludik-de-champs-2006`?",
    ),
    "an unknown listing": (
        put("raw_results", ",tournament\n", ",turnament\n"),
        "wdd/raw_results.csv:2: found listed_by `turnament`; expected one of player, tournament",
    ),
    "an alias of nobody": (
        add("ref_player_aliases", "edi-birsann,,edi-birsan,typo"),
        "reference/ref_player_aliases.csv:2: found listed_player_id `edi-birsann`; expected an id that a result or a published"
        " ranking lists; did you mean `edi-birsan`?",
    ),
    "an alias in a tournament that does not list it": (
        add("ref_player_aliases", f"arnaud-boirel,{WDC},edi-birsan,typo"),
        f"found listed_player_id `arnaud-boirel`; expected an id that {WDC} lists",
    ),
    "a chain of aliases": (
        add("ref_player_aliases", "steve-smith,,steve-cox,x", "steve-cox,,al-rae,x"),
        "reference/ref_player_aliases.csv:2: found player_id `steve-cox`, which is itself an alias of `al-rae`; expected `al-rae`",
    ),
    "a correction of an unknown field": (
        add("ref_corrections", CORRECTION.format(player="", field="player", value="7")),
        "reference/ref_corrections.csv:2: found field `player`; expected one of name, ...; did you mean `players`",
    ),
    "a correction of an unknown tournament": (
        add("ref_corrections", CORRECTION.replace(WDC, WDC.upper()).format(player="", field="players", value="70")),
        f"found tournament_id `{WDC.upper()}`; expected a tournament_id of ...; did you mean `{WDC}`",
    ),
    "a correction of an unknown player": (
        add("ref_corrections", CORRECTION.format(player="toby-haris", field="placement", value="7")),
        f"found player_id `toby-haris`; expected a listed player of {WDC}; did you mean `toby-harris`?",
    ),
    "TRUE": (
        add("ref_corrections", CORRECTION.format(player="", field="withdrawn", value="TRUE")),
        "found withdrawn `TRUE`; expected `true` or `false`",
    ),
    "a correction to what cannot be": (
        add("ref_corrections", CORRECTION.format(player="", field="ended_on", value="20130804")),
        "found ended_on `20130804`; expected a day as YYYY-MM-DD",
    ),
    "a step of no circuit": (
        put("ref_circuit_tournaments", "\ncampionato-", "\ncampionat-"),
        "reference/ref_circuit_tournaments.csv:2: found circuit_id `campionat-italo-san-marinese-2006`; expected a circuit_id",
    ),
    "a missing seed": (
        take_away("ref_nations"),
        "reference/ref_nations.csv: no such file; expected a seed of the coll",
    ),
    "a missing seed of an older version": (
        take_away("ref_not_people"),
        "reference/ref_not_people.csv: no such file; expected a seed of the collection. The project's makes it by: cp ",
    ),
    "a missing table of source ids": (
        take_away("raw_source_ids"),
        "wdd/raw_source_ids.csv: no such file; expected a seed of the collection. An empty one is made by: head -n 1 ",
    ),
}


def faults(folder: Path) -> list[str]:
    with pytest.raises(SeedFaultsError) as error:
        check_seeds(folder)
    return [fault.removeprefix(f"{folder}/") for fault in error.value.faults]


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_with_file_and_line(seeds: Path, slip: str) -> None:
    make, message = SLIPS[slip]
    make(seeds)
    expected = ".*".join(map(re.escape, message.split("...")))
    found = faults(seeds)
    assert any(re.search(f"^.*{expected}", fault) for fault in found), found
    # One slip has one message, or one more where it makes something else wrong, too.
    assert len(found) <= 2, found


def test_what_is_right_is_let_through(seeds: Path) -> None:
    for slip in (
        put("ref_players", "adam-sigal,Adam,SIGAL,USA", "adam-sigal,Adam,SIGAL, usa "),
        put("raw_tournaments", ",WDC,1996", ",Wdc,1996"),
        put("raw_tournaments", "\nwac-6-2009,,WAC 6 2009,,,", "\nwac-6-2009,,WAC 6 2009,,LEAGUE,"),
        add(
            "ref_corrections", "1,wac-6-2009,,kind,cup,a cup,2026-01-02", "2,wac-6-2009,,players,,as stated,2026-01-02"
        ),
        add("ref_corrections", "3,wac-6-2009,edi-birsan,nation_code,USA,home,2026-01-02"),
        add("ref_player_aliases", "dan-lester,,toby-harris,a test"),
    ):
        slip(seeds)
    check_seeds(seeds)


def test_a_kind_that_was_reverted_is_checked_again(seeds: Path) -> None:
    put("raw_tournaments", "\nwac-6-2009,,WAC 6 2009,,,", "\nwac-6-2009,,WAC 6 2009,,LEAGUE,")(seeds)
    add("ref_corrections", "2,wac-6-2009,,kind,,x,2026-01-02", "1,wac-6-2009,,kind,CUP,x,2026-01-02")(seeds)
    (fault,) = faults(seeds)
    assert "found kind `LEAGUE` of wac-6-2009" in fault
    assert (
        f"scripts/edit_tournament.py correct wac-6-2009 kind=KIND --reason ... --seeds '{seeds}'".replace(
            "it's", "it'\"'\"'s"
        )
        in fault
    )


def test_all_faults_are_told_at_once(seeds: Path) -> None:
    for slip in (
        "an unknown nation",
        "letters in a number",
        "yes",
        "a chain of aliases",
        "TRUE",
        "a missing table of source ids",
    ):
        SLIPS[slip][0](seeds)
    found = faults(seeds)
    assert len(found) == 6
    assert found == sorted(found)


def test_of_many_faults_the_first_are_shown_and_all_are_counted(seeds: Path) -> None:
    (path,) = seeds.rglob("raw_results.csv")
    path.write_text(path.read_text(encoding="utf-8").replace(",tournament\n", ",turnament\n"), encoding="utf-8")
    with pytest.raises(SeedFaultsError, match=f"found 224 faults in the seeds, of which {SHOWN} follow") as error:
        check_seeds(seeds)
    assert len(str(error.value).splitlines()) == SHOWN + 1


@pytest.mark.parametrize("slip", ["a byte order mark", "a missing seed", "a missing table of source ids"])
def test_a_command_that_a_message_gives_mends_the_seed(seeds: Path, slip: str) -> None:
    SLIPS[slip][0](seeds)
    (fault,) = faults(seeds)
    command = fault.rpartition(" by: ")[2]
    subprocess.run(["/bin/sh", "-ec", command], check=True)
    check_seeds(seeds)


def test_rows_as_parquet_serve_the_checks_of_the_others(seeds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "LARGEST_SEED", 3)
    with locked(seeds), Collection.opened(seeds) as collection:
        for table in (RESULTS, TOURNAMENTS):
            collection.upsert(table, next(collection.all(table)))
        collection.write()
    assert read_rows(seeds / RESULTS.path) == []
    check_seeds(seeds)
    for slip in ("a correction of an unknown player", "an alias of nobody"):
        SLIPS[slip][0](seeds)
    add("ref_corrections", "2,wac-7-2009,,players,7,x,2026-01-02")(seeds)
    assert [re.sub(r"; expected.*; did", "; did", fault) for fault in faults(seeds)] == [
        "reference/ref_corrections.csv:2: found player_id `toby-haris`; did you mean `toby-harris`?",
        "reference/ref_corrections.csv:3: found tournament_id `wac-7-2009`; did you mean `wac-6-2009`?",
        "reference/ref_player_aliases.csv:2: found listed_player_id `edi-birsann`; did you mean `edi-birsan`?",
    ]


def test_a_refresh_tells_the_faults_and_builds_nothing(seeds: Path, tmp_path: Path) -> None:
    for slip in ("an unknown nation", "yes"):
        SLIPS[slip][0](seeds)
    done = run_program("refresh_rankings.py", DPTR_SEEDS=seeds, DPTR_WAREHOUSE=tmp_path / "warehouse")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0] == f"error: {seeds}: found 2 faults in the seeds"
    assert [line.partition(": ")[0] for line in lines[1:3]] == [
        f"{seeds}/reference/ref_players.csv:2",
        f"{seeds}/reference/ref_tournament_kinds.csv:12",
    ]
    assert lines[3:] == ["Nothing was built; the last publication is untouched"]
    assert not (tmp_path / "warehouse" / "failed_build.duckdb").exists()


def test_the_declarations_are_those_of_dbt() -> None:
    seeds = declared_seeds()
    assert {seed.path for seed in seeds.values()} == {
        path.relative_to(PROJECT / "seeds").as_posix() for path in (PROJECT / "seeds").rglob("*.csv")
    }
    references = {(seed.name, one.column, one.seed, one.field) for seed in seeds.values() for one in seed.references}
    assert ("raw_results", "tournament_id", "raw_tournaments", "tournament_id") in references
    assert ("raw_results", "location_code", "ref_nations", "nation_code") in references
    assert ("ref_nation_names", "nation_code", "ref_nations", "nation_code") in references
    # Every relation that YAML declares between what seeds hold, and no other.
    declared = "".join(
        path.read_text() for folder in ("seeds", "staging") for path in (PROJECT / "models" / folder).rglob("*.yml")
    )
    assert len(references) == declared.count("- relationships:")
    assert seeds["raw_results"].keys == [("tournament_id", "player_id")]
    assert "value" not in seeds["ref_corrections"].required


def test_the_published_rules_are_read_from_their_data_test() -> None:
    assert published_rules() == {
        "initial_rating": "40",
        "world_championship_value": "20",
        "one_round_divisor": "7",
        "several_rounds_divisor": "3.5",
        "base_value": "2",
        "maximum_value": "15",
        "first_counted_on": "2001-01-01",
        "counted_years": "",
    }
    sql = (PROJECT / "tests" / "dbt" / "dptr_holds_the_published_rules.sql").read_text()
    assert len(published_rules()) == len(re.findall(r"\n        and ", sql))


@pytest.mark.parametrize("slip", ["a short row", "another encoding", "a byte order mark", "a misspelt heading"])
def test_a_program_that_reads_a_seed_says_the_same(seeds: Path, slip: str) -> None:
    make, message = SLIPS[slip]
    make(seeds)
    path = seeds / message.partition(":")[0]
    with pytest.raises(UserError, match=re.escape(f"{seeds}/{message}")):
        read_rows(path)


def test_a_key_twice_is_found_with_its_line(seeds: Path) -> None:
    assert fault_of_key(seeds / RESULTS.path, RESULTS.key) == ""
    SLIPS["a result twice"][0](seeds)
    assert f"{seeds}/wdd/raw_results.csv:226: found tournament_id, player_id" in fault_of_key(
        seeds / RESULTS.path, RESULTS.key
    )
