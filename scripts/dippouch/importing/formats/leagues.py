"""What a player's page lists beside tournaments: leagues, circuits and their like, which nobody is rated by."""

from __future__ import annotations

# The kinds under which the World Diplomacy Database and its younger sibling list them.
_KINDS = frozenset({"LEAGUE", "EGP", "NAGP", "BIC", "CIR", "GHOST"})
_SHOWN = 10


def is_league(kind: str | None) -> bool:
    """Whether a kind is that of a league or a circuit."""
    return (kind or "").strip().upper() in _KINDS


def left_aside(names: list[str]) -> tuple[str, ...]:
    """The remark on the leagues and circuits that a page names; none without any."""
    if not names:
        return ()
    shown = ", ".join(f"`{name}`" for name in names[:_SHOWN]) + (" ..." if len(names) > _SHOWN else "")
    return (f"left aside {len(names)} of a kind that is no tournament (leagues and circuits): {shown}",)
