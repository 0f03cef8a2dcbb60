-- The rows of every model in this layer are as `meta` in its YAML file declares: its key, and what holds.
-- `opponent_list` groups by its key, and all its pairs take longer than everything else.
{{ faulty_rows_of([
    'collection_card',
    'nation_card',
    'neighbour_list',
    'player_card',
    'rank_period_list',
    'ranking_list',
    'rating_part_list',
    'rating_system_card',
    'result_list',
    'tournament_card',
    'year_card',
]) }}
