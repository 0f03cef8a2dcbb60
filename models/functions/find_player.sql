-- Grain: one row per person that a typed text matches, the likeliest first.
-- select * from marts.find_player('birsan')

with asked as (
    select
        lower(trim(text)) as id,
        list_sort({{ words_of('text') }}) as words
),

people as (
    select
        players.player_id,
        players.player_name,
        players.nation_code,
        list(distinct aliases.listed_player_id) as listed_ids,
        list_sort({{ words_of('players.player_name') }}) as words,
        array_to_string(words, '') as letters
    from {{ mart('players') }} as players
    left join {{ mart('player_aliases') }} as aliases on players.player_id = aliases.player_id
    group by players.player_id, players.player_name, players.nation_code
),

-- An id spells a name in plain letters, whatever its alphabet.
words as (
    select distinct
        player_id,
        unnest({{ words_of("concat_ws(' ', player_name, player_id, array_to_string(listed_ids, ' '))") }}) as word
    from people
),

typed as (
    select unnest(words) as word
    from asked
),

asked_words as (
    select
        typed.word,
        -- Each typed word needs a word of its own: `alex a` is not Alex COLLINS.
        count(*) as needed,
        case when length(typed.word) >= 8 then 2 when length(typed.word) >= 4 then 1 else 0 end as letters_apart
    from (select distinct word from typed) as typed
    inner join typed as longer on starts_with(longer.word, typed.word)
    group by typed.word
),

compared as (
    select
        words.player_id,
        asked_words.word,
        bool_or(words.word = asked_words.word) as is_word,
        count(*) filter (where starts_with(words.word, asked_words.word)) >= any_value(asked_words.needed) as is_begun,
        -- The lengths are compared first, which is twice as fast.
        bool_or(
            case
                when abs(length(words.word) - length(asked_words.word)) <= asked_words.letters_apart
                    then damerau_levenshtein(words.word, asked_words.word) <= asked_words.letters_apart
                else false
            end
        ) as is_similar
    from words
    cross join asked_words
    group by words.player_id, asked_words.word
),

spelt as (
    select
        player_id,
        bool_and(is_word) as is_word,
        bool_and(is_begun) as is_begun,
        bool_and(is_begun or is_similar) as is_similar
    from compared
    group by player_id
),

matches as (
    select
        people.*,
        case
            when people.player_id = asked.id then 'id'
            when people.words = asked.words then 'name'
            when list_contains(people.listed_ids, asked.id) then 'listed id'
            when spelt.is_word and spelt.is_begun then 'words'
            when spelt.is_begun then 'beginnings of words'
            else 'similar words'
        end as matched_by,
        list_position(
            ['id', 'name', 'listed id', 'words', 'beginnings of words', 'similar words'], matched_by
        ) as number
    from people
    inner join spelt on people.player_id = spelt.player_id
    cross join asked
    -- Whole names, too, as an import compares them.
    where
        spelt.is_similar
        or damerau_levenshtein(people.letters, array_to_string(asked.words, ''))
        <= case when least(length(people.letters), length(array_to_string(asked.words, ''))) >= 8 then 2 else 1 end
)

select
    matches.player_id,
    matches.player_name,
    matches.nation_code,
    ranking.rank as international_rank,
    matches.matched_by
from matches
left join {{ mart('international_ranking') }} as ranking
    on matches.player_id = ranking.player_id and ranking.rating_system_id = {{ asked_system() }}
-- Similar words are a guess, which only helps when nothing else matches.
qualify matches.matched_by != 'similar words' or min(matches.number) over () = matches.number
order by matches.number, international_rank nulls last, matches.player_id
