-- Grain: one row per collection (exactly one row).

select
    settings.title,
    nullif(settings.description, '') as description,
    nullif(settings.game, '') as game,
    settings.rating_system as rating_system_id,
    settings.player as player_word,
    settings.players as players_word,
    settings.tournament as tournament_word,
    settings.tournaments as tournaments_word,
    settings.championship as championship_word,
    settings.active_years,
    last_updates.active_from,
    nullif(settings.address, '') as address,
    nullif(settings.keeper, '') as keeper,
    nullif(settings.contact, '') as contact,
    nullif(settings.note, '') as note
from {{ ref('stg_settings') }} as settings
left join {{ ref('int_ranking_days') }} as last_updates on settings.rating_system = last_updates.rating_system_id
