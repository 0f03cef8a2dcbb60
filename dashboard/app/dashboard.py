"""The dashboard of the published rankings: `make dashboard` opens it. It reads, and nobody waits for it.

The publication is opened for every showing of a page and closed after it. A page looks every few seconds whether another
one was published, and shows that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

import addresses
from addresses import plain
from dippouch.errors import UserError
from dippouch.printable import visible_line
from dippouch.settings import published_database
from reading import Identity, Publication, Row, identity, opened
from views import data_quality, day_ranking, laboratory, nations_over_time, one_player, one_tournament, record_lists
from visits import Visit

_HERE = Path(__file__).parent
# How often a page looks for a new publication.
_LOOK = "4s"

# The pages by their names in the address; the first one is at the root.
_PAGES: dict[str, Callable[[Visit], None]] = {
    "ranking": day_ranking.show,
    "player": one_player.show,
    "tournament": one_tournament.show,
    "nations": nations_over_time.show,
    "laboratory": laboratory.show,
    "records": record_lists.show,
    "quality": data_quality.show,
}
_TITLES = {
    "ranking": "Ranking",
    "player": "Players",
    "tournament": "Tournaments",
    "nations": "Nations",
    "laboratory": "Laboratory",
    "records": "Records",
    "quality": "Data",
}


def main() -> None:
    """Draw the page that the address asks for."""
    st.set_page_config(page_icon=str(_HERE / "icon.svg"), layout="wide")
    st.html(_HERE / "dashboard.css")
    database = published_database()
    # Looked at before it is opened, so that what is published meanwhile is noticed.
    shown = identity(database)
    try:
        with opened(database) as publication:
            _show(publication)
    except UserError as error:
        # Every address stays one of ours, to be drawn when the publication is there.
        st.navigation(list(_pages(_TITLES, lambda show: _nothing).values()), position="hidden")
        _show_fault(error)
    addresses.end_run()
    _look_for_another(database, shown)


def _show(publication: Publication) -> None:
    """Draw the page, with everything from one publication.

    Raises:
        UserError: when the publication has not what the page shows.
    """
    facts = publication.facts
    pages: dict[str, Page] = {}
    visit = Visit(publication, pages)
    words = {name: str(facts[f"{name}s_word"]).capitalize() for name in ("player", "tournament")}
    pages |= _pages(_TITLES | words, lambda show: partial(show, visit))
    st.logo(_HERE / "icon.svg")
    page = st.navigation(list(pages.values()), position="top")
    st.set_page_config(page_title=f"{page.title} · {visible_line(facts['title'])}")
    st.caption(plain(facts["title"]))
    try:
        page.run()
    finally:
        _show_foot(facts)


def _pages(
    titles: Mapping[str, str], draws: Callable[[Callable[[Visit], None]], Callable[[], None]]
) -> dict[str, Page]:
    """The pages by their names in the address, the first one at the root.

    Args:
        titles: what they are called.
        draws: makes what draws a page of what draws it for a visit.
    """
    return {
        name: st.Page(draws(show), title=plain(titles[name]), url_path=name, default=number == 0)
        for number, (name, show) in enumerate(_PAGES.items())
    }


def _show_foot(facts: Row) -> None:
    """As of when everything is."""
    code = f"code {facts['code_version']}, " if facts["code_version"] else ""
    seeds = f"seeds {facts['seeds_sha256'][:12]}" if facts["seeds_sha256"] else "unpublished build"
    st.divider()
    st.caption(
        plain(
            f"{facts['title']} · rating system {facts['rating_system_name']} · up to {facts['last_tournament_name'] or 'nothing yet'}"
        )
        + f" · {facts['results']:,} results · {plain(code + seeds)}"
    )


def _nothing() -> None:
    """A page that cannot be drawn."""


def _show_fault(error: UserError) -> None:
    """Say in words why there is nothing to see, and what helps."""
    st.subheader("This cannot be shown yet")
    st.error(plain(error))
    st.markdown(
        "`make rankings` publishes the rankings. This page looks every few seconds, and shows them as soon as they are there."
    )


@st.fragment(run_every=_LOOK)
def _look_for_another(database: Path, shown: Identity) -> None:
    """Draw the page again when another publication took the place of the one that it shows."""
    if identity(database) != shown:
        st.rerun()


if __name__ == "__main__":
    main()
