{#
    All faults of a collection beyond its cells. Every rule is a query over models in a file of this folder; dbt, the
    refresh and the importer run the same ones. A row without a code is no fault.
#}
{% macro model_checks() -%}
    {%- for rule in [
        impossible_days, crowded_placements, disordered_rankings, listed_nobodies, people_listed_twice, faulty_corrections,
        faulty_aliases, merged_pairs, unfit_settings, changed_published_rules, faulty_openings, undecided_statements,
        rival_placements
    ] %}
    select * from ({{ rule() }}) as faults where code is not null
    {{ 'union all' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
