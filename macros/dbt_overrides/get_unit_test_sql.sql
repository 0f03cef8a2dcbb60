{#
    Compare doubles to nine decimals in unit tests, not to the last bit: expected values stay readable (88.461538462),
    and an error in the rules is far larger.
#}
{% macro duckdb__get_unit_test_sql(main_sql, expected_fixture_sql, expected_column_names) -%}
    {%- set roundings = [] -%}
    {%- for column in adapter.get_column_schema_from_query(main_sql) -%}
        {%- if column.dtype == 'DOUBLE' and column.name in (expected_column_names | map('replace', '"', '') | list) -%}
            {%- do roundings.append('round(' ~ column.name ~ ', 9) as ' ~ column.name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set replaced = '* replace (' ~ (roundings | join(', ')) ~ ')' if roundings else '*' -%}
    {{ default__get_unit_test_sql(
        'select ' ~ replaced ~ ' from (' ~ main_sql ~ ') as actual_rows',
        'select ' ~ replaced ~ ' from (' ~ expected_fixture_sql ~ ') as expected_rows',
        expected_column_names
    ) }}
{%- endmacro %}
