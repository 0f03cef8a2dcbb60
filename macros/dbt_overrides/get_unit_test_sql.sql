{#
    Unit tests compare doubles to nine decimals, not to the last bit: an expected value is written as a person would
    write it (88.461538462), and an error of the rules is many orders larger.
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
