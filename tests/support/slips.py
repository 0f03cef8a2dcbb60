"""Slips of a hand in the seeds, and what the check before a refresh says of each: file, line, what was found and expected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Slip = Callable[[Path], object]
WDC = "world-dipcon-xxiii-2013"


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
# The slip, and what the message says behind the folder; three dots stand for any text. Files that cannot be read as seeds:
FILE_SLIPS: dict[str, tuple[Slip, str]] = {
    "a short row": (
        add("ref_nations", "XYZ,XY"),
        "reference/ref_nations.csv:252: found 2 cells; expected 4 cells as in the header",
    ),
    "an empty line": (add("ref_circuits", ""), "reference/ref_circuits.csv:3: found an empty line; expected 3 cells"),
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
# Rows that break a rule:
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
        "wdd/raw_results.csv:2: found published_score `98,08`; expected a number from 0 to 100 with a point",
    ),
    "letters in a rule": (
        put("ref_rating_systems", "this warehouse,40,15,", "this warehouse,forty,15,"),
        "reference/ref_rating_systems.csv:4: found initial_rating `forty`; expected a number from 0 to 100, with a point",
    ),
    "the published rules gone": (
        put("ref_rating_systems", "\ndptr,", "\ndptr-mine,"),
        "reference/ref_settings.csv:5: found rating_system `dptr`; expected a rating_system_id of ...ref_rating_systems.csv. The"
        " rating system `dptr` with the published rules is a row of the same seed of the project",
    ),
    "other published rules": (
        put("ref_rating_systems", "Matt Shields,40,", "Matt Shields,50,"),
        "reference/ref_rating_systems.csv:2: found initial_rating `50` in the published rules; expected `40`",
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
        "wdd/raw_tournaments.csv:2: found kind `WDCC` of world-dipcon-vi-1996; expected a kind of ...ref_tournament_kinds.csv; did you mean `WDC`",
    ),
    "a result of no tournament": (
        put("raw_results", "\nier-dimanche-ludik-de-champs-2006,1,", "\nier-dimanche-ludik-de-champs-2007,1,"),
        "wdd/raw_results.csv:2: found tournament_id `ier-dimanche-ludik-de-champs-2007`; expected a tournament_id of"
        " ...raw_tournaments.csv; did you mean `ier-dimanche-ludik-de-champs-2006`?",
    ),
    "an unknown listing": (
        put("raw_results", ",tournament\n", ",turnament\n"),
        "wdd/raw_results.csv:2: found listed_by `turnament`; expected one of tournament, player",
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
        "reference/ref_corrections.csv:2: found ended_on `3013-01-25`; expected a day as YYYY-MM-DD, from 1900-01-01 to 2100-12-31",
    ),
    "a correction to a day before the start": (
        add("ref_corrections", CORRECTION.format(player="", field="ended_on", value="2013-08-01")),
        "reference/ref_corrections.csv:2: found started_on `2013-08-23` and ended_on `2013-08-01`, as corrections leave world-dipcon-xxiii-2013; expected the",
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
        "reference/ref_corrections.csv:2: found reason `=1+1`; expected a name, not `=` at its beginning, which a spreadsheet runs as a formula",
    ),
    "a day of the year 1": (
        put("raw_tournaments", "2006-02-12,2006-02-12", "0001-02-12,0001-02-12"),
        "wdd/raw_tournaments.csv:3: found started_on `0001-02-12`; expected a day as YYYY-MM-DD, from 1900-01-01 to 2100-12-31",
    ),
    "a day of the year 9999": (
        put("raw_tournaments", "2006-02-12,2006-02-12", "2006-02-12,9999-02-12"),
        "wdd/raw_tournaments.csv:3: found ended_on `9999-02-12`; expected a day as YYYY-MM-DD, from 1900-01-01 to 2100-12-31",
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
        "reference/ref_players.csv:2: found the name `Adam SIGАL`; expected letters of one script in a word, not the character U+0410 (cyrillic capital letter a)",
    ),
    "a filler for a name": (
        put("ref_players", "adam-sigal,Adam,SIGAL,", "adam-sigal,\u3164,SIGAL,"),
        "reference/ref_players.csv:2: found the name `ㅤ SIGAL`; expected characters that can be seen, not the character U+3164 (hangul filler)",
    ),
    "a formula for a place": (
        put("raw_tournaments", ",Columbus,", ",-2+3+cmd|,"),
        "wdd/raw_tournaments.csv:2: found place `-2+3+cmd|`; expected a name, not `-` at its beginning, which a spreadsheet runs as a formula",
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
        "reference/ref_settings.csv:6: found setting `titel`; expected one of title, ...; did you mean `title`",
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
        "reference/ref_settings.csv: found no rating_system, so that `dptr` is the default, which the collection does not have;"
        " expected a rating_system_id of ...ref_rating_systems.csv",
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
        "reference/ref_settings.csv:6: found address `javascript:alert(1)/`; expected the http(s) address of a folder, which ends in `/`",
    ),
    "an address without its end": (
        add("ref_settings", "address,https://example.org/ratings"),
        "reference/ref_settings.csv:6: found address `https://example.org/ratings`; expected the http(s) address of a folder, which ends in `/`",
    ),
    "a title that nobody can read": (
        put("ref_settings", "Dip Pouch Ratings", "Dip\u200bPouch"),
        "reference/ref_settings.csv:2: found title `Dip\\u200bPouch`; expected characters that can be seen, not the character U+200B (zero width space)",
    ),
    "a title without end": (
        put("ref_settings", "Dip Pouch Ratings", "R" * 101),
        f"reference/ref_settings.csv:2: found title `{'R' * 60}...`; expected at most 100, not 101 characters",
    ),
    "a word that is a formula": (
        add("ref_settings", "player,=1+1"),
        "reference/ref_settings.csv:6: found player `=1+1`; expected a name, not `=` at its beginning, which a spreadsheet runs as a formula",
    ),
}
# What only Python can tell: rules of Unicode that SQL cannot say.
UNICODE = frozenset({"a name that passes for another"})
