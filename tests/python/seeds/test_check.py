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
from dippouch.seeds.checks.declared import declared_seeds
from dippouch.seeds.checks.findings import SHOWN
from dippouch.seeds.corrected_values import FIRST_YEAR, LARGEST_NUMBER, LAST_YEAR
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


def both(one: Slip, other: Slip) -> Slip:
    return lambda folder: (one(folder), other(folder))


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
        "reference/ref_settings.csv:5: found rating_system `dptr`; expected a rating_system_id of ...ref_rating_systems.csv, or"
        " there the row of the published rules: dptr,Dip Pouch",
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
    "an id in capitals": (
        add("raw_results", f"{WDC},11,Inda,,Inda,,INDA,,,,tournament"),
        "wdd/raw_results.csv:226: found player_id `Inda`; expected an id of small letters and digits, with hyphens",
    ),
    "an id that is the name of a list": (
        add("raw_results", f"{WDC},11,index,,Index,,INDEX,,,,tournament"),
        "wdd/raw_results.csv:226: found player_id `index`; expected another id, because `index` is the name of a file",
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
    "a withdrawal in another word": (
        add("ref_corrections", CORRECTION.format(player="", field="withdrawn", value="yes")),
        "reference/ref_corrections.csv:2: found withdrawn `yes`; expected `true` or `false`",
    ),
    "a correction of a player in capitals": (
        add("ref_corrections", CORRECTION.format(player="Toby-Harris", field="placement", value="7")),
        f"reference/ref_corrections.csv:2: found player_id `Toby-Harris`; expected a listed player of {WDC}; did you mean `toby-h",
    ),
    "a correction of a field in capitals": (
        add("ref_corrections", CORRECTION.format(player="", field="Players", value="70")),
        "reference/ref_corrections.csv:2: found field `Players`; expected one of name, ...; did you mean `players`",
    ),
    "a correction to no rounds": (
        add("ref_corrections", CORRECTION.format(player="", field="rounds", value="0")),
        "reference/ref_corrections.csv:2: found rounds `0`; expected a whole number from 1 to 1000000",
    ),
    "a correction to the next millennium": (
        add("ref_corrections", CORRECTION.format(player="", field="ended_on", value="3013-01-25")),
        "reference/ref_corrections.csv:2: found ended_on `3013-01-25`; expected a day as YYYY-MM-DD, from 1900 to 2100",
    ),
    "a correction to a day before the start": (
        add("ref_corrections", CORRECTION.format(player="", field="ended_on", value="2013-08-01")),
        "reference/ref_corrections.csv:2: found started_on `2013-08-23` and ended_on `2013-08-01`; expected the days in order, as",
    ),
    "a correction to the name of nobody": (
        add(
            "ref_corrections",
            CORRECTION.format(player="toby-harris", field="first_name", value="Grand"),
            CORRECTION.format(player="toby-harris", field="last_name", value="TOTAL").replace("1,", "2,", 1),
        ),
        "reference/ref_corrections.csv:2: found the name `Grand TOTAL`; expected somebody's first and last name, not a word",
    ),
    "a correction to a name with a role": (
        add("ref_corrections", CORRECTION.format(player="toby-harris", field="last_name", value="HARRIS (GM)")),
        "reference/ref_corrections.csv:2: found the name `Toby HARRIS (GM)` with `GM` in it, which is no part of a name",
    ),
    "a correction twice": (
        add(
            "ref_corrections",
            CORRECTION.format(player="", field="kind", value="CUP"),
            CORRECTION.format(player="", field="kind", value="cup").replace("1,", "2,", 1),
        ),
        "reference/ref_corrections.csv:3: found kind `CUP` again, as in line 2; expected a decision that changes something",
    ),
    "a revert of nothing": (
        add("ref_corrections", CORRECTION.format(player="", field="players", value="")),
        "reference/ref_corrections.csv:2: found no value of players, which no correction before changes; expected a decision",
    ),
    "a restored tournament that was not withdrawn": (
        add("ref_corrections", CORRECTION.format(player="", field="withdrawn", value="false")),
        "reference/ref_corrections.csv:2: found withdrawn `false` of what was not withdrawn before; expected a decision",
    ),
    "a formula as a reason": (
        add("ref_corrections", CORRECTION.format(player="", field="players", value="76").replace("because", "=1+1")),
        "reference/ref_corrections.csv:2: found reason `=1+1` with `=` at its beginning, which a spreadsheet runs as a formula",
    ),
    "a day of the year 1": (
        put("raw_tournaments", "2006-02-12,2006-02-12", "0001-02-12,0001-02-12"),
        "wdd/raw_tournaments.csv:3: found started_on `0001-02-12`; expected a day from 1900-01-01 to 2100-12-31",
    ),
    "a day of the year 9999": (
        put("raw_tournaments", "2006-02-12,2006-02-12", "2006-02-12,9999-02-12"),
        "wdd/raw_tournaments.csv:3: found ended_on `9999-02-12`; expected a day from 1900-01-01 to 2100-12-31",
    ),
    "an end before the start": (
        put("raw_tournaments", "2006-02-12,2006-02-12", "2006-02-12,2006-02-11"),
        "wdd/raw_tournaments.csv:3: found started_on `2006-02-12` and ended_on `2006-02-11`; expected the days in order",
    ),
    "no rounds": (
        put("raw_tournaments", ",Columbus,,88,3,", ",Columbus,,88,0,"),
        "wdd/raw_tournaments.csv:2: found rounds `0`; expected a whole number from 1 to 1000000",
    ),
    "fewer players than none": (
        put("raw_tournaments", ",Columbus,,88,3,", ",Columbus,,-88,3,"),
        "wdd/raw_tournaments.csv:2: found players `-88`; expected a whole number from 1 to 1000000",
    ),
    "fewer players than placements": (
        put("raw_tournaments", ",Columbus,,88,3,", ",Columbus,,8,3,"),
        "wdd/raw_tournaments.csv:2: found players `8` of world-dipcon-vi-1996; expected at least the 85 that are listed with",
    ),
    "a placement beyond the players": (
        put("raw_results", "\nier-dimanche-ludik-de-champs-2006,1,", "\nier-dimanche-ludik-de-champs-2006,27,"),
        "wdd/raw_results.csv:2: found placement `27` in ier-dimanche-ludik-de-champs-2006; expected one from 1 to 26, the",
    ),
    "a negative placement": (
        put("raw_results", "\nier-dimanche-ludik-de-champs-2006,1,", "\nier-dimanche-ludik-de-champs-2006,-3,"),
        "wdd/raw_results.csv:2: found placement `-3`; expected a whole number from 1 to 1000000",
    ),
    "a negative score": (
        put("raw_results", ",98.08,", ",-98.08,"),
        "wdd/raw_results.csv:2: found published_score `-98.08`; expected a number from 0 to 100",
    ),
    "a negative coefficient": (
        put("raw_tournaments", ",20.00,", ",-20.00,"),
        "wdd/raw_tournaments.csv:2: found coefficient_1 `-20.00`; expected a number from 0 to 9999.99",
    ),
    "a rating beyond the scale": (
        put("raw_published_rankings", ",85.29,", ",185.29,"),
        "wdd/raw_published_rankings.csv:2: found published_rating `185.29`; expected a number from 0 to 100",
    ),
    "an initial rating beyond the scale": (
        put("ref_rating_systems", "this warehouse,40,15,", "this warehouse,400,15,"),
        "reference/ref_rating_systems.csv:4: found initial_rating `400`; expected a number from 0 to 100",
    ),
    "a divisor of nothing": (
        put("ref_rating_systems", "40,20,7,3.5,2,15,1997", "40,20,0,3.5,2,15,1997"),
        "reference/ref_rating_systems.csv:3: found one_round_divisor `0`; expected a number from 0.01 to 1000",
    ),
    "a circuit of the year 20": (
        put("ref_circuits", ",2006\n", ",20\n"),
        "reference/ref_circuits.csv:2: found year `20`; expected a whole number from 1900 to 2100",
    ),
    "a person without a name": (
        put("raw_results", ",Arnaud,BOIREL,", ",,,"),
        "wdd/raw_results.csv:2: found no last_name; expected one in every row",
    ),
    "a name that passes for another": (
        put("ref_players", "adam-sigal,Adam,SIGAL,", "adam-sigal,Adam,SIG\u0410L,"),
        "reference/ref_players.csv:2: found the name `Adam SIGАL` with the character U+0410 (cyrillic capital letter a), which",
    ),
    "a filler for a name": (
        put("ref_players", "adam-sigal,Adam,SIGAL,", "adam-sigal,\u3164,SIGAL,"),
        "reference/ref_players.csv:2: found the name `ㅤ SIGAL` with the character U+3164 (hangul filler); expected characters",
    ),
    "a formula for a place": (
        put("raw_tournaments", ",Columbus,", ",-2+3+cmd|,"),
        "wdd/raw_tournaments.csv:2: found place `-2+3+cmd|` with `-` at its beginning, which a spreadsheet runs as a formula",
    ),
    "a hash that is none": (
        put("raw_tournaments", "fea7838551d93127", "FEA7838551D93127"),
        "wdd/raw_tournaments.csv:2: found source_sha256 `FEA7838551D93127",
    ),
    "two who are one": (
        add("ref_player_distinctions", "toby-harris,edi-birsan,two people"),
        "reference/ref_player_distinctions.csv:2: found player_id `toby-harris` before `edi-birsan`; expected the pair in order",
    ),
    "an unknown setting": (
        add("ref_settings", "titel,Ratings"),
        "reference/ref_settings.csv:6: found setting `titel`; expected one of active_years, address, championship, description",
    ),
    "a setting twice": (
        add("ref_settings", "game,Chess"),
        "reference/ref_settings.csv:6: found setting `game` again, as in line 4; expected setting to be unique",
    ),
    "a rating system that is not there": (
        put("ref_settings", "rating_system,dptr", "rating_system,dptr-falt"),
        "reference/ref_settings.csv:5: found rating_system `dptr-falt`; expected a rating_system_id of"
        " ...ref_rating_systems.csv; did you mean `dptr-flat`",
    ),
    "no rating system that is shown": (
        both(
            put("ref_settings", "rating_system,dptr", "rating_system,"), put("ref_rating_systems", "\ndptr,", "\nmine,")
        ),
        "reference/ref_settings.csv: found no rating_system, so that `dptr` is shown first, which the collection does not have;"
        " expected a rating_system_id of ...ref_rating_systems.csv, such as the row `rating_system,mine`, or there the row of",
    ),
    "years that are no number": (
        add("ref_settings", "active_years,five"),
        "reference/ref_settings.csv:6: found active_years `five`; expected a whole number from 1 to 100",
    ),
    "more years than anybody lives": (
        add("ref_settings", "active_years,101"),
        "reference/ref_settings.csv:6: found active_years `101`; expected a whole number from 1 to 100",
    ),
    "an address that is none": (
        add("ref_settings", "address,javascript:alert(1)/"),
        "reference/ref_settings.csv:6: found address `javascript:alert(1)/`; expected the http(s) address of a folder, such as",
    ),
    "an address without its end": (
        add("ref_settings", "address,https://example.org/ratings"),
        "reference/ref_settings.csv:6: found address `https://example.org/ratings`, which does not end in `/`; expected the",
    ),
    "a title that nobody can read": (
        put("ref_settings", "Dip Pouch Ratings", "Dip\u200bPouch"),
        "reference/ref_settings.csv:2: found title `Dip\\u200bPouch` with the character U+200B (zero width space); expected char",
    ),
    "a title without end": (
        put("ref_settings", "Dip Pouch Ratings", "R" * 101),
        f"reference/ref_settings.csv:2: found title `{'R' * 60}...` with 101 characters; expected at most 100",
    ),
    "a word that is a formula": (
        add("ref_settings", "player,=1+1"),
        "reference/ref_settings.csv:6: found player `=1+1` with `=` at its beginning, which a spreadsheet runs as a formula",
    ),
    "missing settings": (
        take_away("ref_settings"),
        "reference/ref_settings.csv: no such file; expected a seed of the collection. An empty one is made by: head -n 1 ",
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
            "ref_corrections",
            "1,wac-6-2009,,kind,cup,a cup,2026-01-02",
            "2,wac-6-2009,,players,46,a list,2026-01-02",
            "3,wac-6-2009,,players,,as stated,2026-01-02",
            "4,wac-6-2009,edi-birsan,nation_code,USA,home,2026-01-02",
            "5,wac-6-2009,,withdrawn,true,a league,2026-01-02",
            "6,wac-6-2009,,withdrawn,false,an event,2026-01-02",
            # What the document states, too: it may have been imported again since.
            "7,wac-6-2009,,rounds,4,a list,2026-01-02",
            "8,wac-6-2009,edi-birsan,last_name,GUEST,his name,2026-01-02",
        ),
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


def test_rows_as_parquet_are_held_to_the_same(seeds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "LARGEST_SEED", 3)
    wrong = {
        TOURNAMENTS: {"rounds": "0", "ended_on": "9999-01-01", "place": "=1+1"},
        RESULTS: {"placement": "-3", "first_name": "\u3164"},
    }
    with locked(seeds), Collection.opened(seeds) as collection:
        for table, cells in wrong.items():
            collection.upsert(table, next(collection.all(table)) | cells)
        collection.write()
    assert sorted(fault.partition(": ")[2].partition(";")[0] for fault in faults(seeds)) == [
        "found ended_on `9999-01-01`",
        "found place `=1+1` with `=` at its beginning, which a spreadsheet runs as a formula",
        "found placement `-3`",
        "found rounds `0`",
        "found started_on `1996-06-01` and ended_on `9999-01-01`",
        "found the name `ㅤ BOIREL` with the character U+3164 (hangul filler)",
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


def test_the_ranges_of_documents_and_corrections_are_those_that_are_declared() -> None:
    declared = declared_seeds()
    seeds = {name: seed.ranges for name, seed in declared.items()}
    days = {
        range_
        for name, ranges in seeds.items()
        for column, range_ in ranges.items()
        if declared[name].types[column] == "date"
    }
    assert days == {(f"{FIRST_YEAR}-01-01", f"{LAST_YEAR}-12-31")}
    counts = {seeds["raw_tournaments"][column] for column in ("players", "rounds", "boards")}
    assert counts | {seeds["raw_results"]["placement"]} == {("1", f"{LARGEST_NUMBER}")}
    assert seeds["ref_circuits"]["year"] == (str(FIRST_YEAR), str(LAST_YEAR))
    # Every number and every day of every seed has a range.
    unbounded = {
        (seed.name, column)
        for seed in declared.values()
        for column, type_ in seed.types.items()
        if type_ not in {"string", "boolean"} and column not in seed.ranges
    }
    assert unbounded == set()


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
