"""Pages of the dashboard, drawn in this process without a server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from support.dashboard_server import ENTRY

# Draws a page of a warehouse; what is in its address is named.
OpenPage = Callable[..., AppTest]


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> OpenPage:
    """Draws a page, and sees that no error of Python's is on it."""

    def opened(warehouse: Path, name: str = "", **address: str | list[str]) -> AppTest:
        monkeypatch.setenv("DPTR_WAREHOUSE", str(warehouse))
        page = AppTest.from_file(str(ENTRY), default_timeout=60)
        page.query_params.update(address)
        if name:
            # How Streamlit knows a page of `st.navigation`.
            page._page_hash = calc_hash(name)
        page.run()
        assert not page.exception, page.exception
        return page

    return opened
