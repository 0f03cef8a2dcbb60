-- Rules across seeds: references, tournaments, decisions, settings. Each row is a fault, with the expected value.
{%- set rows = collection_rows() %}
{%- set declared = declared_seeds() %}
{%- if execute %}
    {%- do rows.update({'tidy_corrections': 'tidy_corrections', 'corrected_names': 'corrected_names', 'tidy_aliases': 'tidy_aliases'}) %}
with tidy_corrections as (
    {{ tidy_corrections(rows) }}
),

corrected_names as (
    {{ corrected_names(rows) }}
),

tidy_aliases as (
    {{ tidy_aliases(rows) }}
)

    {% for rule in (
        unknown_references, unknown_kinds, impossible_days, crowded_placements, people_listed_twice, disordered_rankings, listed_nobodies,
        faulty_corrections, faulty_aliases, unfit_settings, changed_published_rules
    ) %}
        {{ rule(rows, declared) }}
        {{ 'union all' if not loop.last }}
    {%- endfor %}
{%- endif %}
