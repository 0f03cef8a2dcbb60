"""The promises that random tests check."""

from __future__ import annotations


class BrokenPromise(AssertionError):  # noqa: N818
    """Something that the project promises is not true."""


def demand(kept: object, broken: str) -> None:
    """Raise BrokenPromise unless a promise is kept."""
    if not kept:
        raise BrokenPromise(broken)
