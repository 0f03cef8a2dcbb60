{#
    The columns of every check: a code, the faulty row (seed, key), the column, its value, and up to two further values
    that belong to the fault. `scripts/dippouch/collection/faults.py` has the message of each code. Without a code, a seed or
    a column, the query has a column of that name.
#}
{% macro fault(code, seed, key, column, value, other="''", further="''") -%}
    {{ "'" ~ code ~ "'" if code else 'code' }} as code,
    {{ "'" ~ seed ~ "'" if seed else 'seed' }} as seed,
    cast({{ key if key is string else key | join(" || ' ' || ") }} as varchar) as row_key,
    {{ "'" ~ column ~ "'" if column else 'column_name' }} as column_name,
    cast({{ value }} as varchar) as value,
    cast({{ other }} as varchar) as other,
    cast({{ further }} as varchar) as further
{%- endmacro %}
