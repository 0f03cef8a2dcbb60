"""The few figures at the head of a page, beside each other, below each other on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from addresses import plain
from reading import Row


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes:
        label: what it is.
        value: what it says.
        note: what else is to be said; with a sign it is a gain or a loss.
    """

    label: str
    value: str
    note: str | None = None


def listed(facts: Row) -> str:
    """How many results there are; the numbers add up to the declared players."""
    counts = [
        f"{facts['results_with_placement']:,} with a placement",
        f"{facts['results_without_placement']:,} without",
    ]
    missing = facts["results_missing"]
    return ", ".join([*counts, *([] if missing is None else [f"{missing:,} missing"])])


def show_figures(figures: Sequence[Figure]) -> None:
    """Draw figures in a row."""
    with st.container(horizontal=True, gap="large", key="figures"):
        for figure in figures:
            is_change = figure.note is not None and figure.note[0] in "+-"
            st.metric(
                plain(figure.label),
                plain(figure.value),
                figure.note if figure.note is None else plain(figure.note) if not is_change else figure.note,
                delta_color="normal" if is_change else "off",
                delta_arrow="auto" if is_change else "off",
                width="content",
            )


def part_of(number: int | None, whole: int | None, without: str = "–") -> str:
    """`3 of 20`, as far as it is known."""
    if number is None:
        return without
    return f"{number:,}" if whole is None else f"{number:,} of {whole:,}"
