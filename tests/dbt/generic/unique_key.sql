{#
    The columns are a primary key: no combination occurs twice. A column may be null only if `may_be_null` names it;
    nulls count as equal.
#}
{% test unique_key(model, columns, may_be_null=[]) %}
select
    {{ columns | join(', ') }},
    count(*) as occurrences
from {{ model }}
group by {{ columns | join(', ') }}
having
    count(*) > 1
    {%- for column in columns if column not in may_be_null %}
    or {{ column }} is null
    {%- endfor %}
{% endtest %}
