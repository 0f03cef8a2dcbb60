"""The headings of tables: what columns are called, in many languages, and which row is the head of a table of results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice, product

from rapidfuzz import fuzz, process

from dippouch.ids import readable_id_or_empty
from dippouch.importing.formats.cells import Record, listed
from dippouch.names import shortened

# The columns of a table of results, and what else they are called.
RESULT_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "placement": tuple(
        "rank position pos ranking place # no nr num final_rank final_ranking final_place final_position final_placement"
        " final_standing final_standings standing standings finish finishing_position overall_rank overall_place platz"
        " platzierung rang classement plaats posizione posicion posicao posto puesto lugar miejsce poradi placering"
        " plassering sija mesto".split()
    ),
    "first_name": tuple(
        "firstname first fname forename forenames given given_name given_names givenname christian_name vorname vornamen"
        " prenom prenoms prenome voornaam imie jmeno fornamn fornavn etunimi".split()
    ),
    "last_name": tuple(
        "lastname last lname surname surnames family family_name familyname nachname familienname nom_de_famille cognome"
        " apellido apellidos sobrenome achternaam nazwisko prijmeni efternamn efternavn etternavn sukunimi".split()
    ),
    "name": tuple(
        "full_name fullname player player_name player_full_name players_name participant competitor nom nome nombre"
        " nom_complet nome_completo nombre_completo naam joueur spieler giocatore jugador jogador speler spelare spiller"
        " gracz hrac igrac pelaaja teilnehmer".split()
    ),
    "nation_code": tuple(
        "nation nationality country nat naz country_code nation_of_player nationality_code land pays paese pais kraj staat"
        " nationalite nazione nazionalita nacionalidad nacionalidade nationalitat nationaliteit nationalitet nac"
        " narodowosc zeme".split()
    ),
    "location_code": ("location", "loc"),
    "wdd_id": ("wdd_player_id", "id_player"),
    "published_score": ("percentile", "percentile_score"),
}

# Headings of whole names in two words: `Vorname Nachname`, and `Cognome e nome`, which puts the last name first.
_FIRST_WORDS = (*RESULT_COLUMNS["first_name"], "first_name", "nome", "nombre", "name", "imie")
_LAST_WORDS = (*RESULT_COLUMNS["last_name"], "last_name", "nom", "name")
_BETWEEN = ("_", "_and_", "_und_", "_et_", "_e_", "_y_", "_i_", "_a_", "_en_", "_och_", "_og_")
_IN_TWO_WORDS = frozenset(f + b + n for f, b, n in product(_FIRST_WORDS, _BETWEEN, _LAST_WORDS))
LAST_NAME_FIRST = frozenset(n + b + f for f, b, n in product(_FIRST_WORDS, _BETWEEN, _LAST_WORDS))

_WHOLE_NAMES = _IN_TWO_WORDS | LAST_NAME_FIRST

# Headings of a running number as often as of the placement: taken for it where no other heading is.
NUMBERS = frozenset({"#", "no", "nr", "num"})
PEOPLE = frozenset({"first_name", "last_name", "name"})
POINTS = frozenset({"score", "scores", "points", "pts", "total", "total_score", "total_points", "punkte"})

# How alike a strange heading must be to one that is missing, of 100, to be taken for a slip of the pen, and to be asked about.
SLIP, ALIKE = 85, 75
# Short words are alike by chance.
_SHORTEST_COMPARED, _LONGEST_HEADING = 5, 60
# What a table needs stands among its first columns.
_MOST_HEADINGS = 100


def heading(text: str) -> str:
    """A heading without what varies: `First Name` is `first_name`, `Prénom` is `prenom`, `N°` is `no`."""
    if len(text) > _LONGEST_HEADING:
        return ""
    text = text.replace("(s)", "s")
    if text.isascii():
        plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    else:
        plain = readable_id_or_empty(text.replace("°", "o")).replace("-", "_")
    # `Player #` is a number and no player.
    return f"{plain}_#".strip("_") if "#" in text else plain


def column_of(text: str, known: Mapping[str, tuple[str, ...]]) -> str | None:
    """The known name of a heading, or None."""
    name = heading(text)
    if name in known:
        return name
    found = next((column for column, others in known.items() if name in others), None)
    if found is None and "placement" in known and name in _WHOLE_NAMES:
        return "name"
    return found


def column_like(text: str, known: Mapping[str, tuple[str, ...]], likeness: float = ALIKE) -> str | None:
    """The column whose name, or what else it is called, is most like a strange heading; None when none is.

    Args:
        text: the heading.
        known: the columns that may be meant, with what else they are called.
        likeness: how alike they must be, of 100.
    """
    names = {name: column for column in known for name in known[column] if len(name) >= _SHORTEST_COMPARED}
    names |= {column: column for column in known}
    alike = process.extractOne(heading(text), names.keys(), scorer=fuzz.ratio, score_cutoff=likeness)
    return names[alike[0]] if alike else None


def is_result_head(texts: Iterable[str], *, strictly: bool = False) -> bool:
    """Whether the cells of a row are the head of a table of results: they name placements and people.

    Args:
        texts: the cells.
        strictly: whether a running number (`#`, `No`) does not count as a placement.
    """
    texts = list(islice(texts, _MOST_HEADINGS))
    first = next((text for text in texts if text), "")
    if first.startswith("#") and len(first) > 1:
        return False
    found = {column_of(text, RESULT_COLUMNS) for text in texts if not strictly or heading(text) not in NUMBERS}
    return "placement" in found and bool(found & PEOPLE)


def near_head(records: Iterable[Record]) -> tuple[Record, str] | None:
    """The row that looks most like the head of a table of results, and what is wrong with it; None when none does."""
    found = []
    for record in records:
        texts = [cell.text for cell in record.filled if not cell.text.startswith("#")]
        meant = {text: column_of(text, RESULT_COLUMNS) or column_like(text, RESULT_COLUMNS) for text in texts}
        known = {text: column for text, column in meant.items() if column}
        columns = set(known.values())
        # A fact and its value are no headings: `name` and `WAC 6 2009`.
        if columns & {"placement", *PEOPLE} and (len(texts) > 2 or len(columns) > 1):
            found.append((len(columns), record, known))
    best = max(found, key=lambda near: near[0], default=None)
    return (best[1], _described(best[2])) if best else None


def _described(meant: Mapping[str, str]) -> str:
    """What is wrong with the headings of a table, by what each seems to mean."""
    slips = [
        f"`{column}` by `{shortened(text)}`" for text, column in meant.items() if not column_of(text, RESULT_COLUMNS)
    ]
    missing = [] if "placement" in meant.values() else ["`placement`"]
    missing += [] if PEOPLE & set(meant.values()) else ["`name` or `last_name`"]
    said = f"the headings {listed([f'`{shortened(text)}`' for text in meant], 20)}"
    said += f"; did you mean {' and '.join(slips)}?" if slips else ""
    return said + (f"; there is no heading {' and no '.join(missing)}" if missing else "")
