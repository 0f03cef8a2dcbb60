{#
    All faults of a collection beyond its cells. Each rule is a query over models in a file of this folder; dbt runs all as one,
    the importer one after the other to take less memory, divided by `between`. A row without a code is no fault.
#}
{% macro model_checks(between='union all') -%}
    {%- for rule in [
        impossible_days, crowded_placements, disordered_rankings, listed_nobodies, people_listed_twice, faulty_corrections,
        faulty_aliases, merged_pairs, unfit_settings, changed_published_rules, faulty_openings, undecided_statements,
        rival_placements
    ] %}
    select * from ({{ rule() }}) as faults where code is not null
    {{ between if not loop.last }}
    {%- endfor %}
{%- endmacro %}
