{#
    The rows of a model are valid. The column `fault` names the fault of each row that is not. One test per model,
    because every test costs a build a tenth of a second.

    - `key`: no two rows have the same values in these columns. They are never null, except those of `may_be_null`,
      where nulls count as equal.
    - `never_null`: further columns that are never null.
    - `holds`: expressions by the name of their fault. Each is true for every row. Unlike in a filter, null fails.
#}
{% test rows_are_valid(model, key, may_be_null=[], never_null=[], holds={}) %}
{%- set columns = [] -%}
{%- for column in key -%}
    {%- do columns.append("coalesce(cast(" ~ column ~ " as string), '')" if column in may_be_null else column) -%}
{%- endfor -%}
select
    'repeated {{ key | join(', ') }}' as fault,
    *
from {{ model }}
where ({{ columns | join(', ') }}) in (
    select {{ columns | join(', ') }}
    from {{ model }}
    group by {{ columns | join(', ') }}
    having count(*) > 1
)

union all

select *
from (
    select
        case
            {%- for column in key + never_null if column not in may_be_null %}
            when {{ column }} is null then '{{ column }} is null'
            {%- endfor %}
            {%- for fault, expression in holds.items() %}
            when ({{ expression }}) is not true then '{{ fault }}'
            {%- endfor %}
        end as fault,
        *
    from {{ model }}
) as checked
where fault is not null
{% endtest %}
