"""The command that is running and what it has changed permanently, for messages."""

from __future__ import annotations

_command = "dptr"
# In order and without repetition.
_made: dict[str, None] = {}


def say_changed(what: str) -> None:
    """Record a change once it is durable, as a sentence without its end: `seeds/ was written`."""
    _made[what] = None


def changes_made() -> tuple[str, ...]:
    """The changes of this run, in order."""
    return tuple(_made)


def begin_run(command: str) -> None:
    """Begin a run that has changed nothing; the command is the words that started it, such as `dptr import cup.csv`."""
    global _command  # noqa: PLW0603 (one run at a time)
    _command = command
    _made.clear()


def running_command() -> str:
    """The words that started this run."""
    return _command
