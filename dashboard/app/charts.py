"""Charts in the colours of the theme, light or dark, each with a sentence for those who do not see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import altair as alt
import pyarrow as pa  # type: ignore[import-untyped]
import streamlit as st

# Seen on light and on dark paper.
UP, DOWN, QUIET = "#2f8f5b", "#cc5a49", "#8e98a6"

# What a function here gives; Altair itself says no more of what it makes.
Drawn = Any

_HEIGHT = 300
# A bar with the room beside it, and the axis below them all.
_BAR, _ROOM = 25, 70
# So that no letter at an edge is cut off.
_PADDING = {"left": 2, "right": 14, "top": 8, "bottom": 2}
# Names below each other where a chart is as narrow as a phone.
_LEGEND_COLUMNS = alt.ExprRef("width < 480 ? 1 : 3")
# How many marks an axis of ranks has beside the first, and how far they are apart.
_MARKS, _STEPS = 5, [digit * 10**zeros for zeros in range(7) for digit in (1, 2, 5)]


def show(chart: Drawn, sentence: str) -> None:
    """Draw a chart as wide as its place; a sentence says what it shows."""
    st.altair_chart(
        chart.properties(description=sentence, padding=_PADDING).configure_axis(labelLimit=220, labelFlush=False),
        width="stretch",
    )


def told_apart(table: pa.Table, name: str = "player_name", key: str = "player_id") -> pa.Table:
    """The rows with names that are nobody else's among them: a chart would draw two of one name as one.

    Args:
        table: the rows.
        name: the column of the names.
        key: the column of the ids; an id stands behind a name that several have.
    """
    rows = list(zip(table[name].to_pylist(), table[key].to_pylist(), strict=True))
    people = Counter(named for named, _ in set(rows))
    names = pa.array([f"{named} ({of})" if people[named] > 1 else named for named, of in rows], pa.string())
    return table.set_column(table.column_names.index(name), name, names)


def tooltips(columns: Sequence[tuple[str, str, str]]) -> list[alt.Tooltip]:
    """What is told of a mark: columns, their labels, and formats (an empty one: as it is)."""
    return [
        alt.Tooltip(column, title=label, format=form) if form else alt.Tooltip(column, title=label)
        for column, label, form in columns
    ]


def lines(
    table: pa.Table,
    x: str,
    y: str,
    series: str,
    label: str,
    told: Sequence[tuple[str, str, str]],
    *,
    steps: bool = False,
    reverse: bool = False,
    marked: str | None = None,
    height: int = _HEIGHT - 60,
) -> Drawn:
    """A line a series, with a mark for every row, or for some.

    Args:
        table: the rows.
        x: the column across, such as `ended_on:T`.
        y: the column upwards.
        series: the column whose values have a line each.
        label: what stands beside the vertical axis.
        told: what is told of a mark.
        steps: a value holds until the next one, instead of changing evenly.
        reverse: the lowest is on top, as in ranks.
        marked: the column that says which rows have a mark; none: every row has.
        height: of the lines, in pixels.
    """
    names = list(dict.fromkeys(table[series].to_pylist()))
    legend = alt.Legend(orient="top", labelLimit=200, columns=_LEGEND_COLUMNS, symbolType="stroke")
    base = alt.Chart(table, height=height).encode(
        x=alt.X(x, title=None, axis=_axis(x)),
        y=alt.Y(
            y,
            title=label,
            scale=alt.Scale(zero=False, reverse=reverse, nice=not reverse, padding=8),
            axis=_places(table, y.removesuffix(":Q")) if reverse else alt.Undefined,
        ),
        color=alt.Color(series, sort=names, title=None, legend=legend if len(names) > 1 else None),
    )
    line = base.mark_line(interpolate="step-after" if steps else "linear", strokeWidth=2)
    dots = base.mark_circle(size=45, opacity=1).encode(tooltip=tooltips(told))
    # The names take room of their own: below each other on a phone they would leave none to the lines.
    return alt.layer(line, dots if marked is None else dots.transform_filter(alt.datum[marked])).properties(
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
    )


def _axis(x: str) -> alt.Axis:
    """A year is a number that is written without a comma."""
    is_number = x.endswith(":Q")
    return alt.Axis(
        grid=False,
        tickCount=6,
        labelOverlap=True,
        format="d" if is_number else "%Y-%m",
        tickMinStep=1 if is_number else alt.Undefined,
    )


def bars(
    table: pa.Table, name: str, value: str, label: str, told: Sequence[tuple[str, str, str]], *, signed: bool = False
) -> Drawn:
    """A bar a row, from the top down in the order of the rows; with signs, gains and losses have colours of their own."""
    colour: Any = (
        alt.condition(alt.datum[value] < 0, alt.value(DOWN), alt.value(UP)) if signed else alt.value(alt.Undefined)
    )
    encoded = {
        "x": alt.X(value, type="quantitative", title=label, axis=alt.Axis(grid=True, tickCount=6)),
        "y": alt.Y(
            name, type="nominal", sort=None, title=None, axis=alt.Axis(ticks=False, domain=False, labelOverlap=False)
        ),
        "tooltip": tooltips(told),
    }
    if signed:
        encoded["color"] = colour
    return alt.Chart(table, height=_BAR * table.num_rows + _ROOM).mark_bar(size=14, cornerRadius=2).encode(**encoded)


def dots(
    table: pa.Table,
    x: str,
    y: str,
    labels: tuple[str, str],
    told: Sequence[tuple[str, str, str]],
    *,
    diagonal: bool = False,
) -> Drawn:
    """A dot a row; with a diagonal, where both columns are equal."""
    # With a diagonal both axes are of the same values.
    scales = [_scale(table, *((x, y) if diagonal else (column,))) for column in (x, y)]
    across = alt.X(x, type="quantitative", title=labels[0], scale=scales[0], axis=alt.Axis(grid=False, tickCount=8))
    upwards = alt.Y(y, type="quantitative", title=labels[1], scale=scales[1])
    marks = (
        alt.Chart(table, height=_HEIGHT + 40)
        .mark_circle(size=50, opacity=0.65)
        .encode(x=across, y=upwards, tooltip=tooltips(told))
    )
    if not diagonal:
        return alt.layer(marks)
    ends = _bounds(table, x, y)
    corners = pa.table({x: ends, y: ends})
    line = alt.Chart(corners).mark_line(color=QUIET, strokeDash=[3, 4], strokeWidth=1).encode(x=across, y=upwards)
    return alt.layer(line, marks)


def _bounds(table: pa.Table, *columns: str) -> tuple[float, float]:
    values = [value for column in columns for value in table[column].to_pylist() if value is not None]
    return (min(values), max(values)) if values else (0, 0)


def _scale(table: pa.Table, *columns: str) -> alt.Scale:
    """A scale of the values of columns that is never narrower than two points: equal ones stand in its middle."""
    low, high = _bounds(table, *columns)
    room = max(0.0, 2 - (high - low)) / 2
    return alt.Scale(domain=[low - room, high + room], zero=False, nice=True)


def _places(table: pa.Table, column: str) -> alt.Axis:
    """Marks of an axis of ranks or places: the best that there is, then round ones; nobody has the place 0."""
    first, last = (int(bound) for bound in _bounds(table, column))
    step = next((step for step in _STEPS if step * _MARKS >= last - first), _STEPS[-1])
    later = [mark for mark in range(step, last + 1, step) if mark - first >= step / 2]
    return alt.Axis(values=[first, *later], format="d")


def changes(table: pa.Table, x: str, y: str, labels: tuple[str, str], told: Sequence[tuple[str, str, str]]) -> Drawn:
    """A narrow bar a row, up for a gain and down for a loss."""
    return (
        alt.Chart(table, height=_HEIGHT - 60)
        .mark_bar()
        .encode(
            x=alt.X(x, type="ordinal", title=labels[0], axis=alt.Axis(labelOverlap=True, labelAngle=0, ticks=False)),
            y=alt.Y(y, type="quantitative", title=labels[1]),
            color=alt.condition(alt.datum[y] < 0, alt.value(DOWN), alt.value(UP)),
            tooltip=tooltips(told),
        )
    )


def columns(table: pa.Table, x: str, y: str, labels: tuple[str, str], told: Sequence[tuple[str, str, str]]) -> Drawn:
    """A column a row, such as a year."""
    return (
        alt.Chart(table, height=_HEIGHT - 60)
        .mark_bar(size=14, cornerRadius=2)
        .encode(
            x=alt.X(x, type="quantitative", title=labels[0] or None, axis=alt.Axis(format="d", grid=False)),
            y=alt.Y(y, type="quantitative", title=labels[1]),
            tooltip=tooltips(told),
        )
    )


def spans(table: pa.Table, name: str, start: str, end: str, told: Sequence[tuple[str, str, str]]) -> Drawn:
    """A bar a row from a day to a day, those of one name on one line; a dot where it begins, for those of a day."""
    names = list(dict.fromkeys(table[name].to_pylist()))
    base = alt.Chart(table, height=_BAR * len(names) + _ROOM).encode(
        x=alt.X(start, type="temporal", title=None, axis=_axis(f"{start}:T")),
        y=alt.Y(
            name, type="nominal", sort=names, title=None, axis=alt.Axis(ticks=False, domain=False, labelOverlap=False)
        ),
        tooltip=tooltips(told),
    )
    return alt.layer(base.mark_bar(size=12, cornerRadius=2).encode(x2=end), base.mark_circle(size=110, opacity=1))


def gains(
    table: pa.Table, x: str, y: str, change: str, labels: tuple[str, str], told: Sequence[tuple[str, str, str]]
) -> Drawn:
    """A dot a row, coloured by a gain or a loss, the first place on top."""
    return (
        alt.Chart(table, height=_HEIGHT + 40)
        .mark_circle(size=60, opacity=0.75)
        .encode(
            x=alt.X(
                x, type="quantitative", title=labels[0], scale=_scale(table, x), axis=alt.Axis(grid=False, tickCount=10)
            ),
            y=alt.Y(
                y,
                type="quantitative",
                title=labels[1],
                scale=alt.Scale(reverse=True, zero=False, nice=False, padding=8),
                axis=_places(table, y),
            ),
            color=alt.condition(alt.datum[change] < 0, alt.value(DOWN), alt.value(UP)),
            tooltip=tooltips(told),
        )
    )
