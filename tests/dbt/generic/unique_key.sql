{#
    The columns together identify a row: no combination occurs twice.
    A part of the key may be null only where `may_be_null` names it; nulls count as equal.
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
