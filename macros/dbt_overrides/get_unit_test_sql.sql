{#
    Compare numbers to nine decimals in unit tests, not to the last bit: expected values stay readable (88.461538462),
    and an error in the rules is far larger.
#}
{% macro duckdb__get_unit_test_sql(main_sql, expected_fixture_sql, expected_column_names) -%}
    {%- set rounded = {} -%}
    {%- for row in config.get('expected_rows') -%}
        {#- The types of the columns would take another query. -#}
        {%- for column, value in row.items() if value is number and value is not boolean -%}
            {%- do rounded.update({column: 'round(' ~ column ~ ', 9) as ' ~ column}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set replaced = '* replace (' ~ (rounded.values() | join(', ')) ~ ')' if rounded else '*' -%}
    {{ default__get_unit_test_sql(
        'select ' ~ replaced ~ ' from (' ~ main_sql ~ ') as actual_rows',
        'select ' ~ replaced ~ ' from (' ~ expected_fixture_sql ~ ') as expected_rows',
        expected_column_names
    ) }}
{%- endmacro %}
