-- Grain: one row per document and tournament.
-- What each document states, and what its printed value proves. `preference` is the order in which statements hold.

with rules as (
    -- Documents print values of the default rating system only if it reproduces or continues a published ranking.
    select
        *,
        (
            select min(kinds.kind) from {{ ref('stg_tournament_kinds') }} as kinds
            where kinds.is_world_championship
        ) as championship
    from {{ ref('stg_rating_systems') }}
    where rating_system_id = {{ default_system() }} and coalesce(reproduced_ranking, opening_ranking) is not null
),

printed as (
    select
        stated.*,
        {% for rule, sign in {'one round': '=', 'several rounds': '!='}.items() -%}
            coalesce(stated.rounds {{ sign }} 1, true)
            and stated.ended_on >= coalesce(rules.first_counted_on, stated.ended_on)
            and {{ agrees_with_published(
                tournament_value("'" ~ rule ~ "'", 'rules'), 'stated.coefficient_1'
            ) }} as fits_{{ rule | replace(' ', '_') }},
        {% endfor -%}
        {{ agrees_with_published('rules.world_championship_value', 'stated.coefficient_1') }} as fits_championship,
        rules.championship,
        rules.maximum_value
    from {{ ref('stg_tournaments') }} as stated
    cross join rules
),

proofs as (
    -- A printed value proves a kind, or a single round, if nothing else has this value. Without a number of players, an
    -- ordinary tournament may have any value up to the maximum.
    select
        document_id,
        tournament_id,
        case
            when
                fits_championship
                and not (fits_one_round or fits_several_rounds)
                and (players is not null or coefficient_1 > maximum_value)
                then championship
        end as proved_kind,
        case when fits_one_round and not (fits_championship or fits_several_rounds) then 1 end as proved_rounds
    from printed
),

stated as (
    select
        *,  -- noqa: RF02
        {{ stated_period() }} as stated_period
    from {{ ref('stg_tournaments') }}
    inner join {{ ref('stg_documents') }} using (document_id)
    left join proofs using (document_id, tournament_id)
),

refined as (
    -- A year or a month of which another document states a month, or days that begin or end in it.
    select distinct
        rough.document_id,
        tournament_id
    from stated as rough
    inner join stated as fine using (tournament_id)
    where
        rough.stated_period is not null
        and rough.started_on <= fine.ended_on
        and rough.ended_on >= fine.started_on
        and rough.ended_on - rough.started_on > fine.ended_on - fine.started_on
)

select
    stated.*,
    refined.tournament_id is not null as is_refined,
    cast(row_number() over (partition by stated.tournament_id order by stated.precedence) as integer) as preference,
    count(case when stated.about = 'tournament' then 1 end) over (partition by stated.tournament_id) as tables
from stated
left join refined on stated.document_id = refined.document_id and stated.tournament_id = refined.tournament_id
