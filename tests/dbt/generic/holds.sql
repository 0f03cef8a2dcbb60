{# An expression is true for every row. Unlike a plain filter, a null does not pass. #}
{% test holds(model, expression) %}
select *
from {{ model }}
where ({{ expression }}) is not true
{% endtest %}
