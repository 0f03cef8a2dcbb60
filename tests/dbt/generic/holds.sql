{# The expression is true for every row. Unlike in a filter, null fails. #}
{% test holds(model, expression) %}
select *
from {{ model }}
where ({{ expression }}) is not true
{% endtest %}
