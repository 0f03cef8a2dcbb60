{#
    None of the columns is ever null. One test covers all columns: a test per column would dominate the time of a build.
#}
{% test never_null(model, columns) %}
select *
from {{ model }}
where
    {%- for column in columns %}
    {{ 'or ' if not loop.first }}{{ column }} is null
    {%- endfor %}
{% endtest %}
