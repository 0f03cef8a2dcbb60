"""Questions to the published database: what a user names, and answers on the terminal from columns of its views and functions."""

from collections import Counter
from pathlib import Path

from dippouch.console import out, print_line, table_of
from dippouch.db import DatabaseRow, query
from dippouch.messages import UserError, counted, in_own_words, visible_line
from dippouch.names import readable_id_or_empty
from dippouch.people.decisions import likeliest

# The lines of a player's card: labels in the words of the collection, and texts. A text with a missing value is null, and left out.
_CARD = """
select
    player_name as "{player}",
    player_id as id,
    array_to_string(aliases, ', ') as "listed as",
    coalesce(nation_name, 'not stated') as nation,
    format('{:,} of {:,}', international_rank, ranked_players) as rank,
    format('{:,} of {:,}', national_rank, national_players) as "national rank",
    format('{:.4f}, rating system `{}`', rating, rating_system_id) as rating,
    format('{:.4f} on {}', peak_rating, peak_on) as peak,
    format('{}, with rank {:,} at its end', best_year, best_year_end_rank) as "best year",
    format('{:,} gold, {:,} silver, {:,} bronze', gold_medals, silver_medals, bronze_medals) as medals,
    format('{:,} of {:,}, {}', best_placement, best_players, best_tournament_name) as "best place",
    format('{:,}, of which {:,} counted', tournaments_played, tournaments_counted)
    || format(', from {} to {}', first_played_on, last_played_on) as "{tournaments}"
"""


def find_player(database: Path, system: str, text: str) -> DatabaseRow:
    """Return the person that a text matches best, by `marts.find_player`; raise a UserError as `likeliest` does."""
    found = query(database, "from marts.find_player(?, ?)", [text, system])
    return likeliest(found, text, "player", ("similar words",))


def find_system(database: Path, asked: str | None) -> DatabaseRow:
    """Return the row of a rating system in `marts.rating_systems`; of the default one if none is given.

    Raises:
        UserError: when there is no such system.
    """
    (settings,) = query(database, "from marts.settings")
    system = settings["rating_system_id"] if asked is None else asked
    return find_row(database, "rating system", "rating_systems", ("rating_system_id",), system)


def find_row(database: Path, what: str, mart: str, names: tuple[str, ...], asked: str) -> DatabaseRow:
    """Return the row of a mart with a given value in one of the columns `names`, ignoring case and accents.

    Raises:
        UserError: when there is none; lists the values of the first column.
    """
    rows = query(database, f"from marts.{mart} order by {names[0]}")
    wanted = readable_id_or_empty(asked)
    for row in rows:
        if wanted and wanted in {readable_id_or_empty(row[name]) for name in names}:
            return row
    expected = f"one of {', '.join(row[names[0]] for row in rows)}" if rows else "none, as in the collection"
    raise UserError(f"found no {what} `{asked}`; expected {expected}")


def words_of(database: Path) -> dict[str, str]:
    """Return the words of a published collection, as `words_in` does."""
    (facts,) = query(database, "from presentation.collection_card")
    return words_in(facts)


def words_in(facts: DatabaseRow) -> dict[str, str]:
    """Return a collection's words by `player`, `players`, `tournament` and so on, from the row of `presentation.collection_card`."""
    return {name.removesuffix("_word"): visible_line(word) for name, word in facts.items() if name.endswith("_word")}


def print_ranking(database: Path, system: str, top: int, nation: DatabaseRow | None, year: int | None) -> None:
    """Print the first rows of a ranking, today's or the one at the end of a year, and the number of all rows.

    Raises:
        UserError: when there is no ranking at the end of the year.
    """
    words = words_of(database)
    nation_code = nation["nation_code"] if nation else None
    stated = {"rating_system_id": system, "nation_code": nation_code, "year": year}
    asked = {column: value for column, value in stated.items() if value}
    conditions = " and ".join(f"{column} = ${column}" for column in asked)
    ranking = f"from {'marts.yearly_ranking' if year else 'presentation.ranking_list'} where {conditions}"
    rows = query(database, f"{ranking} order by rank, player_id limit {top}", asked)
    if year and not rows:
        others = ranking.replace("year = $year", "year != $year")
        (years,) = query(database, f"select min(year) as first, max(year) as last {others}", asked)
        if years["first"]:
            raise UserError(f"option --year: found {year}; expected one from {years['first']} to {years['last']}")
    columns = {">rank": "national_rank" if nation else "rank", words["player"]: "player_name"}
    columns |= ({">overall": "rank"} if nation else {"nation": "nation_code"}) | {">rating": "rating:.4f"}
    if not year:
        columns |= {f">{words['tournaments']}": "tournaments_counted", "last played": "last_played_on"}
    out.print(table_of(rows, columns))
    counts = f"(select count(*) {ranking}) as ranked, tournaments_counted as tournaments"
    card = "presentation.rating_system_card where rating_system_id = $rating_system_id"
    (of_system,) = query(database, f"select {counts} from {card}", asked)
    ranked = counted(of_system["ranked"], words["player"], words["players"])
    whose = f" from {nation['nation_name']}" if nation else ""
    counting = counted(of_system["tournaments"], f"counted {words['tournament']}", f"counted {words['tournaments']}")
    when = f"at the end of {year}" if year else f"by {counting}"
    print_line(f"{ranked}{whose} ranked {when}, rating system `{system}`")


def print_player(database: Path, system: str, player_id: str) -> None:
    """Print a player's card, every tournament with its effect, and the parts of the rating, in the words of the collection."""

    def rows(view: str, order: str) -> list[DatabaseRow]:
        of_player = "where rating_system_id = ? and player_id = ?"
        return query(database, f"from presentation.{view} {of_player} order by {order}", [system, player_id])

    words = words_of(database)
    (card,) = rows(f"player_card {_CARD}", "player_id")
    card["rank"] = card["rank"] or f"none: no {words['tournament']} counted"
    facts = {label.format(**words): text for label, text in card.items() if text}
    width = max(map(len, facts)) + 1
    for label, text in facts.items():
        print_line(f"{label:{width}}{text}")
    dated = "result_list select *, coalesce(stated_period, cast(ended_on as varchar)) as stated_end"
    if history := rows(dated, "ended_on, started_on, tournament_id"):
        columns = {
            "ended on": "stated_end", words["tournament"]: "tournament_name", ">place": "placement", ">of": "players",
            ">score": "percentile_score:.2f", ">value": "tournament_value:.2f", ">before": "rating_before:.2f",
            ">change": "rating_change:+.2f", ">after": "rating_after:.2f",
        }  # fmt: skip
        out.print()
        out.print(table_of(history, columns))
        for reason, times in Counter(row["not_counted_because"] for row in history).items():
            if reason:
                print_line(f"not counted: {times:,}, {in_own_words(reason, words)}")
    sql = "select *, if(events > 1, format('{:,} {}', events, part_kind), coalesce(tournament_name, part_kind)) as part"
    parts = rows(f"rating_part_list {sql}", "number")
    columns = {"made of": "part", ">weight": "weight:.4f", ">score": "score:.2f", ">points": "contribution:.4f"}
    out.print()
    out.print(table_of(parts, columns))


def print_outcomes(database: Path, system: str, player: DatabaseRow, event: DatabaseRow) -> None:
    """Print a player's rating and rank after each placement, if all other ratings stay as they are.

    `player` is the row of `marts.find_player`; `event` has `players`, `rounds`, `is_world_championship` and `on`, the last day (none: after all others).
    """
    found = query(
        database,
        "from marts.what_if(?, ?, ?, ?, ?, ?) order by placement",
        [player["player_id"], *(event[name] for name in ("players", "rounds", "is_world_championship", "on")), system],
    )
    words, now = words_of(database), found[0]
    rank = f"rank {now['rank_before']:,}" if now["rank_before"] else "not ranked"
    print_line(f"{player['player_name']}: rating {now['rating_before']:.4f}, {rank}")
    when = f" on {event['on']:%Y-%m-%d}" if event["on"] else ""
    print_line(
        f"next {words['tournament']}: {counted(event['players'], words['player'], words['players'])}{when}, value"
        f" {now['tournament_value']:.4f} ({in_own_words(now['value_rule'], words)}, rating system `{system}`)"
    )
    out.print()
    columns = {
        ">placement": "placement", ">percentile": "percentile_score:.2f", ">rating": "rating_after:.4f",
        ">change": "rating_change:+.4f", ">rank": "rank_after",
    }  # fmt: skip
    out.print(table_of(found, columns))
