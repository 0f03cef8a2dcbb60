-- A chain of aliases would leave a person under an id that was merged away.
select
    aliases.listed_player_id,
    aliases.player_id,
    further.player_id as leads_to
from {{ ref('stg_player_aliases') }} as aliases
inner join {{ ref('stg_player_aliases') }} as further
    on
        aliases.player_id = further.listed_player_id
        and further.tournament_id is null
