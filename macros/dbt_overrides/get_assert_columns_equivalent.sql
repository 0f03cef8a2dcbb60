{#
    A statement that fails if a model does not have the columns of its contract. It runs together with the one that
    creates the model. dbt describes both, with two queries and a comparison in Jinja, which takes a tenth of the time
    of a small build.
#}
{% macro duckdb__get_assert_columns_equivalent(sql) -%}
    select error('this model differs from its contract: ' || string_agg(
        'found ' || coalesce(built.column_name || ' ' || built.column_type, 'no ' || stated.column_name)
        || ', expected ' || coalesce(stated.column_name || ' ' || stated.column_type, 'no ' || built.column_name), '; '
    ))
    from (describe {{ sql }}) as built
    full join (describe {{ get_empty_schema_sql(model.columns) }}) as stated on built.column_name = stated.column_name
    where built.column_type is distinct from stated.column_type
    having count(*) > 0;
{%- endmacro %}
