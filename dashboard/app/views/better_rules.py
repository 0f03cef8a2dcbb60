"""Whether any rules would predict better, searched where the laboratory is asked for it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import streamlit as st

import addresses
from addresses import plain
from dippouch.query.fit import EARLIER, SEED, TRIES, Answer, Fitted, fit_rules, in_words
from shown_tables import show_table
from visits import Visit

# What was found for a publication, so that moving a rule does not search again.
_FOUND = "rules that predict better"


def show_better_rules(visit: Visit, page: str, labels: dict[str, str]) -> None:
    """Draw the switch, and what was found where it is on.

    Args:
        visit: the showing.
        page: the page that the switch is on.
        labels: the rules that can be moved there, and what people read for each.
    """
    st.subheader("Would other rules predict better?")
    if not addresses.flag(page, "search", "Search the rules that foretell finishing orders best"):
        return
    answer = _answer(visit)
    *told, verdict = in_words(answer, {name: visit.word(name) for name in ("tournament", "tournaments")})
    st.markdown(f"**{plain(verdict)}**")
    if answer.fitted is None:
        return
    changed = {rule: f"{value:.10g}" for rule, value in answer.fitted.rules.items() if value != answer.published[rule]}
    st.page_link(
        visit.pages[page], label="See who gains and who loses by them", icon=":material/science:",
        query_params=changed | {"search": "yes"},
    )  # fmt: skip
    table = _table(answer.fitted, answer.published, labels)
    show_table(
        visit, table, "rules that predict best", rule="Rule", now="Published", fitted="Found", as_good_from="As good from", as_good_to="to"
    )  # fmt: skip
    for sentence in told:
        st.caption(plain(sentence))


def _answer(visit: Visit) -> Answer:
    publication = visit.publication
    kept = st.session_state.get(_FOUND)
    if kept is not None and publication.identity is not None and kept[0] == publication.identity:
        found: Answer = kept[1]
        return found
    with st.empty():
        bar = st.progress(0.0, "Searching")

        def tell(done: int, most: int) -> None:
            bar.progress(min(done / most, 1.0), f"Searching: {done:,} sets of rules tried")

        answer = fit_rules(publication.path, share=EARLIER / 100, tries=TRIES, seed=SEED, on_try=tell)
        st.write("")
    st.session_state[_FOUND] = publication.identity, answer
    return answer


def _table(fitted: Fitted, published: dict[str, float], labels: dict[str, str]) -> Any:
    rows = []
    for rule, value in fitted.rules.items():
        low, high = fitted.ranges[rule]
        rows.append(
            {"rule": labels[rule], "now": published[rule], "fitted": value, "as_good_from": low, "as_good_to": high}
        )
    return pa.Table.from_pylist(rows)
