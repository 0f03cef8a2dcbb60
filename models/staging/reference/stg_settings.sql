-- Grain: one row per collection, of which there is one.
-- The settings of the collection. The defaults of those that its seed does not state stand here, and nowhere else.

{%- set defaults = {
    'title': 'Ratings',
    'description': '',
    'game': '',
    'rating_system': 'dptr',
    'player': 'player',
    'players': 'players',
    'tournament': 'tournament',
    'tournaments': 'tournaments',
    'championship': 'World Championship',
    'active_years': '5',
    'address': '',
    'keeper': '',
} %}

with stated as (
    select
        trim(setting) as setting,
        nullif(trim(value), '') as value
    from {{ ref('ref_settings') }}
),

settings as (
    select
        {% for setting, default in defaults.items() -%}
            coalesce(
                max(value) filter (where setting = '{{ setting }}'), '{{ default }}'
            ) as {{ setting }}
            {%- if not loop.last %},{% endif %}
        {% endfor %}
    from stated
)

select
    title,
    description,
    game,
    rating_system,
    player,
    players,
    tournament,
    tournaments,
    championship,
    cast(active_years as integer) as active_years,
    address,
    keeper
from settings
