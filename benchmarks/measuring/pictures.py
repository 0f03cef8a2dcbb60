"""The charts of docs/benchmarks.md, drawn by Vega-Lite."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import vl_convert

from measuring.ledger_race import LedgerRace
from measuring.refresh_stages import STAGES, Refreshes, of_sizes

_THIS, _OTHER = "#b45309", "#94a3b8"
# A logarithmic scale has no zero.
_LEAST = 0.01
# A reader's font may be wider than the one used for the layout.
_ROOM = {"left": 48, "right": 24, "top": 5, "bottom": 5}
_LOOK = {"background": "white", "font": "sans-serif", "padding": _ROOM, "view": {"stroke": None}}


def draw_race(found: LedgerRace, path: Path) -> None:
    """Draw the duration of each contender as bars, beside the copy of the finished history."""
    copy = found.seconds("copied_history")
    rows = [
        {
            "by": f"{place.contender.title.replace('`', '')} ({place.contender.output})",
            "times": place.seconds / copy,
            "label": f"{place.seconds / copy:.2f}",
            "is this": place.contender.name in {"ledger", "history"},
        }
        for place in found.places
    ]
    bars = {"y": {"field": "by", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 420}}}
    times = {"x": {"field": "times", "type": "quantitative", "title": "times what copying the finished history takes"}}
    colour = {"color": {"condition": {"test": "datum['is this']", "value": _THIS}, "value": _OTHER}}
    _save(
        {
            "title": f"From stored updates to stored ratings, {found.results:,} results",
            "data": {"values": rows},
            "width": 420,
            "encoding": bars | times,
            "layer": [
                {"mark": {"type": "bar"}, "encoding": colour},
                {
                    "mark": {"type": "text", "align": "left", "dx": 4},
                    "encoding": {"text": {"field": "label", "type": "nominal"}},
                },
            ],
        },
        path,
    )


def draw_stages(found: Sequence[Refreshes], path: Path) -> None:
    """Draw how the stages of a refresh grow with the results, on logarithmic scales."""
    rows = [
        {"results": size, "stage": stage, "seconds": max(one.typical.stages[stage], _LEAST)}
        for size, one in of_sizes(found).items()
        for stage in STAGES
    ]
    scale = {"type": "log"}
    sizes = {"format": ",d", "values": list(of_sizes(found))}
    seconds = {"values": [10**power for power in range(-2, 6)]}
    _save(
        {
            "title": "The stages of a refresh, one rating system",
            "data": {"values": rows},
            "width": 520,
            "height": 320,
            "mark": {"type": "line", "point": True},
            "encoding": {
                "x": {"field": "results", "type": "quantitative", "scale": scale, "axis": sizes},
                "y": {"field": "seconds", "type": "quantitative", "scale": scale, "axis": seconds},
                "color": {"field": "stage", "type": "nominal", "sort": list(STAGES), "title": None},
            },
        },
        path,
    )


def _save(spec: dict[str, Any], path: Path) -> None:
    path.write_text(vl_convert.vegalite_to_svg({**spec, "config": _LOOK}), encoding="utf-8")
