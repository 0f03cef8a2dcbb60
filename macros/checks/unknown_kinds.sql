{# Tournaments of a kind that the collection does not have, unless a correction replaces it. #}
{% macro unknown_kinds(rows, declared) -%}
    select
    {{ fault(
        'raw_tournaments', 'tournament_id', 'kind', "'kind `' || kind || '` of ' || tournament_id", "'a kind of ref_tournament_kinds'",
        "'A further kind is a row of ref_tournament_kinds; another kind of this tournament: `dptr correct ' || tournament_id
        || ' kind=KIND --reason ...`'",
        "'ref_tournament_kinds.kind'"
    ) }}
    from (
        select
            trim(tournaments.tournament_id) as tournament_id,
            trim(tournaments.kind) as kind,
            tournaments.line
        from {{ rows.raw_tournaments }} as tournaments
        left join {{ corrected_field(rows, 'kind') }} as decided
            on trim(tournaments.tournament_id) = decided.tournament_id and decided.player_id = ''
        where decided.value is null and trim(tournaments.kind) != ''
    ) as stated
    where not exists (select 1 from {{ rows.ref_tournament_kinds }} as known where upper(trim(known.kind)) = upper(stated.kind))
{%- endmacro %}
