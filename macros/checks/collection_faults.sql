{#
    All faults of a collection: of the cells and keys of some seeds, and of rules across seeds. An import and a decision
    check the rules about changes, a refresh everything (`scope`).
#}
{% macro collection_faults(declared, seeds, scope='collection') -%}
    with tidy_corrections as (
        {{ tidy_corrections() }}
    ),

    tidy_aliases as (
        {{ tidy_aliases() }}
    )

    {% for seed in seeds %}
    {{ unfit_cells(seed, declared[seed]) }}

    union all

    {{ repeated_keys(seed, declared[seed]) }}

    union all

    {{ unknown_references(seed, declared[seed]) }}
    {% endfor %}
    {%- set rules = [unknown_kinds, impossible_days, crowded_placements, disordered_rankings, listed_nobodies, people_listed_twice] -%}
    {%- set rules = rules + [faulty_corrections, endless_aliases] -%}
    {%- set rules = rules + ([faulty_aliases, unfit_settings, changed_published_rules, faulty_openings] if scope == 'collection' else []) -%}
    {% for rule in rules %}
    {{ rule(declared) }}
    {{ 'union all' if not loop.last }}
    {% endfor %}
{%- endmacro %}
