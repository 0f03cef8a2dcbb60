{# None of the columns is ever null. One test for all of them: a build that asks column by column spends its time asking. #}
{% test never_null(model, columns) %}
select *
from {{ model }}
where
    {%- for column in columns %}
    {{ 'or ' if not loop.first }}{{ column }} is null
    {%- endfor %}
{% endtest %}
