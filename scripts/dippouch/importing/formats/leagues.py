"""Leagues, circuits and the like, which players' pages list beside tournaments, and which are not rated."""

from __future__ import annotations

# Their kinds in the World Diplomacy Database and its younger sibling.
_KINDS = frozenset({"LEAGUE", "EGP", "NAGP", "BIC", "CIR", "GHOST"})
_SHOWN = 10


def is_league(kind: str | None) -> bool:
    """Return whether a kind is that of a league or a circuit."""
    return (kind or "").strip().upper() in _KINDS


def left_aside(names: list[str]) -> tuple[str, ...]:
    """Return the remark on the leagues and circuits that a page names; none without any."""
    if not names:
        return ()
    shown = ", ".join(f"`{name}`" for name in names[:_SHOWN]) + (" ..." if len(names) > _SHOWN else "")
    return (f"skipped {len(names)} that are not tournaments (leagues and circuits): {shown}",)
