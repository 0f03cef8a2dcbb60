"""The project's own SQL, and copies of its results: storing the same rows cannot be faster than a copy."""

from __future__ import annotations

from contenders.race import Course


def copied_ledger(course: Course) -> None:
    """Copy the finished ledger."""
    course.store("select update_number, rating_before, rating_after from build.intermediate.int_rating_ledger")


def copied_history(course: Course) -> None:
    """Copy the finished history."""
    course.store("select * from build.marts.rating_history")


def ledger(course: Course) -> None:
    """Run the ledger as dbt compiled it."""
    course.store(course.race.ledger)


def history(course: Course) -> None:
    """Run the ledger, and the history made from it, as dbt compiled them."""
    course.store(course.race.ledger, "ledger")
    course.store(course.race.history.replace(course.race.ledger_name, "stored.ledger"))
