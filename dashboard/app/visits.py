"""One showing of a page: the publication that it shows, and the way to other pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

import streamlit as st
from streamlit.navigation.page import Page

from reading import Publication


@dataclass(frozen=True)
class Visit:
    """One showing of a page.

    Attributes:
        publication: what is shown; open as long as the page is drawn.
        pages: the pages by their names in the address.
    """

    publication: Publication
    pages: Mapping[str, Page]

    def word(self, which: str) -> str:
        """A word of the collection, such as that for its `players`."""
        return str(self.publication.facts[f"{which}_word"])

    def go(self, page: str, parameters: Mapping[str, str]) -> NoReturn:
        """Show another page, as its address with these parameters would."""
        st.switch_page(self.pages[page], query_params=dict(parameters))
