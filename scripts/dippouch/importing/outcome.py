"""Find what an import changed: facts that hold now and did not hold before, document by document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dippouch.collection.memory import Collection
from dippouch.collection.schema import PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS, Seed
from dippouch.importing.files import ImportedFile, Stated
from dippouch.messages import DocumentError
from dippouch.people.questions import Newcomer
from dippouch.reading.documents import PlayerDocument
from dippouch.settings import suggested_command
from dippouch.tournaments import hint_on_lacking

# Notes on what documents state; `denied` has results whose placement a table gives to somebody else. `{seeds}` stands for the option of
# a command.
_NOTES = """
    with stated as (
        select * from int_tournament_statements
        where document_id in (select unnest($run))
    ),

    tables as (
        select * from stated
        where about = 'tournament'
    ),

    named as (
        select
            tables.document_id,
            results.tournament_id,
            results.listed_name,
            results.listed_player_id,
            'lacks {} of the results of `{}`, which stay' as what,
            -- A document that replaces gives the placement to somebody else.
            tables.replaces and (tables.document_id, results.tournament_id, results.placement) in (
                select (document_id, tournament_id, placement) from stg_results
            ) as is_denied
        from tables
        inner join int_results as results using (tournament_id)
        inner join stg_documents as listing on results.document_id = listing.document_id
        where
            results.listed_by = 'tournament'
            and not results.is_result_withdrawn
            and (tables.document_id, results.tournament_id, results.listed_player_id) not in (
                select (document_id, tournament_id, listed_player_id) from stg_results
            )
            -- The lesser source may lack people.
            and not (tables.source_rank = 3 and listing.source_rank = 1)
        union all
        select
            listed.document_id,
            tournament_id,
            listed.listed_name,
            listed_player_id,
            '{} of the results of `{}` not counted: ' || if(listed.is_doubtful, 'the better source lists others there', 'withdrawn'),
            false
        from int_result_statements as listed
        left join int_results as results using (tournament_id, listed_player_id)
        where listed.document_id in (select unnest($run)) and (listed.is_doubtful or results.is_result_withdrawn)
    )

    select
        document_id,
        tournament_id,
        format(what, count(*), tournament_id)
            || ' (' || array_to_string(list(listed_name order by listed_name)[:3] || if(count(*) > 3, ['...'], []), ', ') || ')' as note,
        list(listed_player_id order by listed_player_id) filter (where is_denied) as denied
    from named
    group by document_id, tournament_id, what
    union all
    select
        min(stated.document_id),
        tournament_id,
        '`' || tournament_id || '` is withdrawn and does not count; `dptr restore ' || tournament_id || ' --reason ...{seeds}` brings it back',
        null
    from stated
    inner join int_tournaments using (tournament_id)
    where is_withdrawn
    group by tournament_id
    union all
    select
        document_id,
        tournament_id,
        '`' || tournament_name || '` took place ' || coalesce('in ' || stated_period, 'from ' || started_on || ' to ' || ended_on)
            || '; are the name and the days right?',
        null
    from tables
    where
        (stated_period is null and ended_on > started_on + 31)
        -- Years of the game's history in a title, such as 1901, are before the first tournaments.
        or list_min(list_transform(
            regexp_extract_all(tournament_name, '\\b(?:19[6-9]|20[0-9])[0-9]\\b'),
            lambda year: abs(cast(year as integer) - year(ended_on))
        )) >= 10
    union all
    select
        other_document_id,
        tournament_id,
        concat_ws(' ', tournament_id, listed_player_id) || ': ' || fact || ' is ' || other_value || ' in the document, and stays ' || value
            || if(reason = 'correction', ' by a correction', ' as in `' || source_document || '`')
            || '; `dptr history ' || tournament_id || '` shows it',
        null
    from source_contradictions
    where reason in ('correction', 'order') and other_document_id in (select unnest($changed))
    union all
    select
        min(document_id),
        tournament_id,
        '`' || tournament_id || '` has the days and a placement of `' || other_id || '`; if it is the same: `dptr withdraw '
            || tournament_id || ' --reason ...{seeds}`',
        null
    from stated
    inner join ({{ same_tournament_twice() }}) as twins using (tournament_id)
    where about = 'player' and tables = 0 and document_id in (select unnest($changed))
    group by tournament_id, other_id
    union all
    select
        tables.document_id,
        tables.tournament_id,
        '`' || tables.tournament_id || '` is new, from the same bytes as `' || min(others.tournament_id) || '`; if it is the same: `dptr undo`',
        null
    from tables
    inner join int_tournament_statements as others using (source_sha256)
    where
        tables.document_id in (select unnest($changed))
        and tables.document_id != others.document_id
        and tables.tournament_id != others.tournament_id
        and tables.tournament_id not in (select tournament_id from before_raw_tournaments)
    group by tables.document_id, tables.tournament_id
    union all
    select
        min(stated.document_id),
        tournament_id,
        '`' || tournament_id || '` is of the kind ' || min(kinds.kind) || ' on a page, but its tables state no kind; `dptr correct '
            || tournament_id || ' kind=' || min(kinds.kind) || ' --reason ...{seeds}` makes it one',
        null
    from stated
    inner join stg_tournament_kinds as kinds on coalesce(stated.kind, stated.proved_kind) = kinds.kind
    inner join int_tournaments as holding using (tournament_id)
    where
        stated.about = 'player'
        and stated.document_id in (select unnest($changed))
        and stated.tables > 0
        and kinds.is_world_championship
        and holding.kind is null
        and tournament_id not in (
            select tournament_id from int_tournament_statements where about = 'tournament' and kind is not null
            union all
            select tournament_id from stg_corrections where field = 'kind' and is_current
        )
    group by tournament_id
    order by all
"""

# The value of some tournaments under the default rating system: their kind, the value in percent, and the rule that gives it.
_VALUES = """
    select tournament_id, coalesce(tournaments.kind, ''), tournament_value, value_rule
    from int_tournaments as tournaments
    inner join int_tournament_values using (tournament_id)
    where rating_system_id = {{ default_system() }} and tournament_id in (select unnest($1))
"""

# The number of people whom some documents list.
_PEOPLE = """
    with listed as (
        select player_id from int_result_statements where document_id in (select unnest($run))
        union all
        select coalesce(aliases.player_id, published.listed_player_id)
        from stg_published_rankings as published
        left join int_player_aliases as aliases
            on published.listed_player_id = aliases.listed_player_id and aliases.tournament_id is null
        where document_id in (select unnest($run))
    )
    select count(distinct player_id) from listed
"""

# The facts that hold, by the seed that states them, with the names of its columns.
_FACTS = {
    TOURNAMENTS: "select * rename (tournament_name as name) from int_tournaments",
    RESULTS: "select * exclude (player_id) rename (listed_player_id as player_id, source_player_id as source_player_ids) from int_results",
    PUBLISHED_RANKINGS: "select * exclude (player_id) rename (listed_player_id as player_id) from int_published_ratings",
}
# What states something about a tournament or a ranking, by the document and the owner; empty for any.
Stating = Mapping[tuple[str, str], Stated]


@dataclass
class Outcome:
    """The result of an import.

    Attributes:
        stated: what the imported documents state.
        people: the number of all listed people, after aliases.
        newcomers: the new people, with likely duplicates.
        suspicious: each reason for suspicious names of new people, with these names.
        changed_rows: the number of seed rows added or changed.
        rejections: the faults of rejected files, one or more per file.
        skipped: the remarks on files without anything to import, such as leagues.
        rejected_files: the number of rejected files.
        written: whether the collection was changed.
    """

    stated: list[Stated] = field(default_factory=list)
    people: int = 0
    newcomers: list[Newcomer] = field(default_factory=list)
    suspicious: list[tuple[str, list[str]]] = field(default_factory=list)
    changed_rows: int = 0
    rejections: list[DocumentError] = field(default_factory=list)
    skipped: list[DocumentError] = field(default_factory=list)
    rejected_files: int = 0
    written: bool = False


def remember_facts(collection: Collection) -> None:
    """Store the facts that hold before an import, for `describe_files`."""
    for seed in _FACTS:
        collection.query(f"create table before_{seed.name} as {_facts_of(seed)}")


def _facts_of(seed: Seed) -> str:
    """Return a query of the facts that hold, as text."""
    return f"select cast(columns(lambda name: name in {list(seed.columns)}) as varchar) from ({_FACTS[seed]})"


def describe_files(collection: Collection, files: Sequence[ImportedFile], outcome: Outcome) -> None:
    """Describe what accepted files changed, document by document, and add them and their people to an outcome."""
    outcome.stated = [stated for file in files for stated in file.stated]
    known = {one for (one,) in collection.query(f"select tournament_id from before_{TOURNAMENTS.name}")}
    values = collection.query(_VALUES, [[stated.tournament_id for stated in outcome.stated]])
    value_of = {tournament_id: (kind, value, rule) for tournament_id, kind, value, rule in values}
    for stated in outcome.stated:
        stated.status = "unchanged" if stated.is_known else "new"
        is_page = stated.is_known and isinstance(stated.document, PlayerDocument)
        if is_page and not {row["tournament_id"] for row in stated.rows(TOURNAMENTS)} <= known:
            # The page added a tournament.
            stated.status = "changed"
        stated.value = value_of.get(stated.tournament_id)
    stating = {
        place: stated
        for file in files
        for owner, stated in file.owners()
        for place in ((file.document_id, owner), (file.document_id, ""), ("", owner))
    }
    _add_changes(collection, stating)
    _add_notes(collection, files, stating)
    outcome.newcomers = [newcomer for file in files for newcomer in file.newcomers]
    ((outcome.people,),) = collection.query(_PEOPLE, {"run": [file.document_id for file in files]})
    outcome.suspicious = _suspicious_names(collection, outcome.newcomers)


def _add_changes(collection: Collection, stating: Stating) -> None:
    """Add the rows whose facts are new, differ or are gone to the documents that state them, of tournaments and rankings known before."""
    for seed in _FACTS:
        _, *key = seed.key
        # The columns of what a document is about.
        about = ", ".join(column for column in key if column != "player_id")
        stored = {name for name, *_ in collection.query(f"describe before_{seed.name}")} - {"document_id"}
        names = [name for name in seed.columns if name in stored]
        cells = ", ".join(f"{{name: '{name}', old: before.{name}, new: after.{name}}}" for name in names)
        changes = collection.query(
            f"""
            with now as ({_facts_of(seed)}),
            changes as (
                select
                    concat_ws(' ', {about}) as owner,
                    concat_ws(' ', {", ".join(key)}) as row_key,
                    coalesce(after.document_id, before.document_id) as document_id,
                    case when before.{key[0]} is null then '+' when after.{key[0]} is null then '-' else '~' end as mark,
                    list_filter([{cells}], lambda cell: cell.old is distinct from cell.new) as cells
                from now as after
                full join before_{seed.name} as before using ({", ".join(key)})
                where before is distinct from after and ({about}) in (select ({about}) from before_{seed.name})
            )
            select
                owner,
                document_id,
                mark,
                if(mark = '~', row_key || ': ', '') || array_to_string(list_transform(cells, lambda cell: case
                    when mark = '~' then cell.name || ': ' || coalesce(cell.old, '(empty)') || ' -> ' || coalesce(cell.new, '(empty)')
                    else cell.name || '=' || coalesce(cell.new, cell.old)
                end), ', '),
                len(list_filter(cells, lambda cell: cell.old is not null)) > 0
            from changes
            where len(cells) > 0
            order by owner, mark = '+', row_key
            """
        )
        for owner, document_id, *row in changes:
            # A changed page may lack the tournament. A document outside the run may hold now, because the run dropped the one before it.
            places = ((document_id, owner), (document_id, ""), ("", owner))
            if stated := next((stating[place] for place in places if place in stating), None):
                stated.status = "changed"
                stated.changes.append((seed, *row))


def _add_notes(collection: Collection, files: Sequence[ImportedFile], stating: Stating) -> None:
    """Add notes to the documents about known tournaments."""
    run = [file.document_id for file in files]
    changed = [file.document_id for file in files if not file.is_unchanged]
    seeds = suggested_command(seeds=collection.folder).removeprefix("dptr")
    for document_id, tournament_id, note, denied in collection.query(_NOTES, {"run": run, "changed": changed}):
        notes = stating[document_id, tournament_id].notes
        notes.append(note.replace("{seeds}", seeds))
        if denied:
            notes.append(hint_on_lacking(collection, tournament_id, denied))


def _suspicious_names(collection: Collection, newcomers: Sequence[Newcomer]) -> list[tuple[str, list[str]]]:
    """Return each reason for suspicious names of new people, with these whole names, by the rule of the mart."""
    if not newcomers:
        return []
    names = [[one.person.first_name for one in newcomers], [one.person.last_name for one in newcomers]]
    return collection.query(
        """
        with listings as (select unnest($1::varchar[]) as first_name, unnest($2::varchar[]) as last_name),
        nations as (
            select unnest([name, nation_code]) as name from ref_nations
            union all
            select name from ref_nation_names
        ),
        suspicious as ({{ suspicious_names('listings', 'ref_not_people', 'nations') }})
        select reason, list_sort(list_distinct(list(name))) from suspicious group by reason order by reason
        """,
        names,
    )
