{# The cells and the key of a seed satisfy the declarations of its columns (`config.meta`). #}
{% test seed_is_valid(model) %}
{%- if execute %}
    {%- set seed = model.identifier %}
{{ seed_faults(seed, text_rows(seed, model), declared_seeds()[seed]) }}
{%- endif %}
{% endtest %}
