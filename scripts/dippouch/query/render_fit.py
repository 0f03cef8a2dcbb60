"""What can be said on other rules, as people and as scripts read it."""

from __future__ import annotations

from dippouch.console import out, plain_table
from dippouch.query.fit import ENOUGH, Advantage, Answer, Part

_VERDICTS = {
    "better": "These rules predict the later tournaments better than the published ones.",
    "worse": "What fitted the earlier tournaments predicts the later ones worse: the published rules are to be kept.",
    "not told apart": "The later tournaments cannot tell them from the published rules: nothing found here beats those.",
}


def print_fit(answer: Answer) -> None:
    """Print the rules that were found, and whether they beat the published ones."""
    if answer.fitted is not None:
        table = plain_table("rule", ">published", ">fitted", ">as good")
        for name, value in answer.fitted.rules.items():
            low, high = answer.fitted.ranges[name]
            table.add_row(name, f"{answer.published[name]:g}", f"{value:g}", f"{low:g} to {high:g}")
        out.print(table)
        out.print()
    out.print("\n\n".join(in_words(answer)))


def in_words(answer: Answer) -> list[str]:
    """What can be said, as paragraphs; the last one is the verdict."""
    fitted = answer.fitted
    if fitted is None:
        count = answer.earlier.tournaments + answer.later.tournaments
        return [
            (
                f"Nothing can be said: {count} {'tournament' if count == 1 else 'tournaments'} can be predicted,"
                f" {answer.earlier.tournaments} earlier and {answer.later.tournaments} later. Rules are searched on the earlier part and"
                f" judged on the later, and each needs at least {ENOUGH}."
            )
        ]
    return [
        (
            f"Fitted is the best of {fitted.tried} sets of rules on the {_part(answer.earlier, 'earlier')}:"
            f" {_points(fitted.earlier)} of 100 pairs there, which flatters it. As good are those that were tried and these tournaments"
            " cannot tell from it."
        ),
        (
            f"Of every 100 pairs in the {_part(answer.later, 'later')}, which the search never saw, the published rules"
            f" predict {100 * fitted.later_published:.2f} rightly and the fitted ones {100 * fitted.later_fitted:.2f}:"
            f" {_points(fitted.later)}."
        ),
        _VERDICTS[answer.verdict],
    ]


def _part(part: Part, which: str) -> str:
    return f"{part.tournaments} {which} tournaments ({part.first_day} to {part.last_day})"


def _points(advantage: Advantage) -> str:
    if advantage.mean is None or advantage.low is None or advantage.high is None:
        return "a difference that cannot be estimated"
    return f"{100 * advantage.mean:+.2f} (95 % interval {100 * advantage.low:+.2f} to {100 * advantage.high:+.2f})"
