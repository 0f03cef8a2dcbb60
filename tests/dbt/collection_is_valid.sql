-- Each row is a fault of a collection beyond its cells: of a tournament, a published ranking, a decision or a setting.
-- The codes are those of `scripts/dippouch/collection/faults.py`. `printed_figures_agree` warns about printed figures.
select * from ({{ model_checks() }}) as faults
