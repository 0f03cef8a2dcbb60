-- Grain: one row per imported document.
-- The only order of statements: `precedence` 1 holds before 2, for every fact that both documents state.

with documents as (
    select
        trim(document_id) as document_id,

        trim(about) as about,
        trim(source_document) as source_document,
        trim(source_sha256) as source_sha256,
        trim(source_form) as source_form,

        cast(import_number as integer) as import_number,
        -- The World Diplomacy Reference states no numbers of players, and copies from the World Diplomacy Database.
        case
            when trim(source_form) like 'wdd%' then 1
            when trim(source_form) like 'wdr%' then 3
            else 2
        end as source_rank,

        cast(last_update as date) as last_update,
        cast(trim(cast(replaces as string)) as boolean) as replaces
    from {{ raw_rows('raw_documents') }}
)

select
    *,
    -- A table or a ranking goes before a player's page, then a document that replaces, then the better source, then the
    -- earlier import; of documents that replace, the later import.
    row_number() over (
        order by
            about = 'player' asc nulls last,
            replaces desc nulls last,
            source_rank asc nulls last,
            case when replaces then -import_number else import_number end asc nulls last,
            document_id asc nulls last
    ) as precedence
from documents
