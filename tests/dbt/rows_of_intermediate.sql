-- The rows of every model in this layer are as `meta` in its YAML file declares: its key, and what holds.
{{ faulty_rows_of([
    'int_current_ratings',
    'int_player_aliases',
    'int_players',
    'int_prediction_skill',
    'int_published_ratings',
    'int_rating_ledger',
    'int_rating_periods',
    'int_rating_updates',
    'int_result_statements',
    'int_results',
    'int_starting_ratings',
    'int_tournament_statements',
    'int_tournament_values',
    'int_tournaments',
    'int_year_end_rankings',
]) }}
