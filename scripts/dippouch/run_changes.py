"""The running command and its durable changes, for messages."""

from __future__ import annotations

_command = "dptr"
# An ordered set.
_made: dict[str, None] = {}


def say_changed(what: str) -> None:
    """Record a change once it is durable, as a clause without a full stop: `seeds/ was written`."""
    _made[what] = None


def changes_made() -> tuple[str, ...]:
    """Return the changes of this run, in order."""
    return tuple(_made)


def begin_run(command: str) -> None:
    """Begin a run without changes; `command` is the command line, such as `dptr import cup.csv`."""
    global _command  # noqa: PLW0603 (one run at a time)
    _command = command
    _made.clear()


def running_command() -> str:
    """Return the command line of this run."""
    return _command
