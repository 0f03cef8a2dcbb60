"""What this run has changed for good, so that an error that comes later does not say that nothing was changed."""

from __future__ import annotations

# What was changed, in order; a program may change one thing often.
_made: dict[str, None] = {}


def say_changed(what: str) -> None:
    """Keep that something was changed, in the moment in which it cannot be lost any more.

    Args:
        what: a sentence without its end, such as `seeds/ was written`.
    """
    _made[what] = None


def changes_made() -> tuple[str, ...]:
    """What was changed, in order; empty: nothing."""
    return tuple(_made)


def forget_changes() -> None:
    """Begin a run that has changed nothing."""
    _made.clear()
