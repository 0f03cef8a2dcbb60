-- Grain: one row per id that a source has assigned to a person or a tournament.

select
    trim(source) as source,
    trim(kind) as kind,
    trim(source_id) as source_id,
    trim(our_id) as our_id
from {{ raw_rows('raw_source_ids') }}
