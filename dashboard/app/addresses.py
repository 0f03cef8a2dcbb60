"""What is chosen on a page stands in its address, so that every view can be kept, sent and opened again.

A control takes its value from the address when the page is opened or somebody goes back, and writes it there when it is
moved. What cannot be meant is told on the page, and the page shows what it shows without it.

A default that is the same for good, such as the first of a page's lists, need not stand there. One that moves with the
data, such as the newest tournament, has to, wherever it was asked for: who is sent the address shall see the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar

import streamlit as st

from dippouch.printable import visible_line

T = TypeVar("T")

_LONGEST_SHOWN = 60
# Set while a page is drawn because somebody moved a control: the address is older than the control then.
_MOVED = "a control was moved"


def plain(text: object) -> str:
    """A text for where Streamlit reads Markdown: letters stay letters, nothing becomes a link, a picture or a formula."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", visible_line(str(text)))


def end_run() -> None:
    """Forget that a control was moved; called when a page has drawn its controls.

    The browser is told the address, too: a link to the same page with other values leaves the old one standing there.
    """
    st.session_state.pop(_MOVED, None)
    st.query_params.from_dict({name: st.query_params.get_all(name) for name in st.query_params})


def expect_only(*names: str) -> None:
    """Say of every other part of the address that it means nothing, and leave it out; called before controls are drawn.

    What Streamlit itself reads from an address, such as `embed`, is none of them.
    """
    others = [name for name in st.query_params if name not in names]
    for name in others:
        del st.query_params[name]
    if others:
        st.warning(f"This page knows no “{_shown(others)}”: that part of the address means nothing here.")


def choice(
    page: str,
    name: str,
    label: str,
    options: Mapping[str, str],
    fallback: str,
    *,
    moving: bool = False,
    dropped: Collection[str] = (),
    **looks: Any,
) -> str:
    """One of some options, by its id.

    Args:
        page: the page, whose controls are its own.
        name: the name in the address.
        label: what people read.
        options: ids, and what people read for them.
        fallback: what is chosen where the address does not say.
        moving: whether the fallback moves with the data.
        dropped: ids that may be asked for and are passed over without a word.
        looks: further arguments of the control.
    """
    part = _Part(
        page,
        name,
        lambda texts: fallback if texts[0] in dropped else texts[0],
        lambda value: value in options,
        fallback,
        lambda value: [value],
        moving,
    )
    st.selectbox(label, list(options), format_func=lambda key: options.get(key, key), **part.bound, **looks)
    return part.keep()


def segment(page: str, name: str, label: str, options: Mapping[str, str], fallback: str, **looks: Any) -> str:
    """The same for few options, which all can be seen; one is always chosen."""
    part = _Part(page, name, lambda texts: texts[0], lambda value: value in options, fallback, lambda value: [value])
    st.segmented_control(
        label, list(options), format_func=lambda key: plain(options[key]), required=True, **part.bound, **looks
    )
    return part.keep()


def choices(
    page: str,
    name: str,
    label: str,
    options: Mapping[str, str],
    fallback: Sequence[str],
    most: int,
    *,
    moving: bool = False,
    dropped: Collection[str] = (),
    **looks: Any,
) -> list[str]:
    """Some of the options, at most so many, by their ids."""
    part = _Part(
        page,
        name,
        lambda texts: list(dict.fromkeys(text for text in texts if text and text not in dropped)),
        lambda values: len(values) <= most and all(value in options for value in values),
        list(fallback),
        # Nothing chosen, where something is by default, is an empty text.
        lambda values: values or [""],
        moving,
    )
    st.multiselect(
        label, list(options), format_func=lambda key: options.get(key, key), max_selections=most, **part.bound, **looks
    )
    return part.keep()


def day(
    page: str, name: str, label: str, first: date, last: date, fallback: date, *, moving: bool = False, **looks: Any
) -> date:
    """A day from the first to the last, which are different."""
    part = _Part(
        page,
        name,
        lambda texts: date.fromisoformat(texts[0]),
        lambda value: first <= value <= last,
        fallback,
        lambda value: [value.isoformat()],
        moving,
    )
    st.slider(label, min_value=first, max_value=last, format="YYYY-MM-DD", **part.bound, **looks)
    return part.keep()


def number(
    page: str, name: str, label: str, low: float, high: float, step: float, fallback: float, **looks: Any
) -> float:
    """A number from the lowest to the highest, in steps."""
    part = _Part(
        page,
        name,
        lambda texts: type(fallback)(texts[0]),
        lambda value: low <= value <= high,
        fallback,
        lambda value: [f"{value:.10g}"],
    )
    st.slider(label, min_value=low, max_value=high, step=step, **part.bound, **looks)
    return part.keep()


def flag(page: str, name: str, label: str, *, fallback: bool = False, **looks: Any) -> bool:
    """Yes or no."""
    words = {"yes": True, "no": False}
    part = _Part(
        page,
        name,
        lambda texts: words[texts[0]],
        lambda value: True,
        fallback,
        lambda value: ["yes" if value else "no"],
    )
    st.toggle(label, **part.bound, **looks)
    return part.keep()


@dataclass
class _Part(Generic[T]):
    """A value of a page that stands in its address.

    Attributes:
        page: the page.
        name: its name in the address.
        read: makes it of the texts in the address; raises where they mean nothing.
        valid: whether it can be chosen here and now.
        fallback: what it is where the address does not say.
        write: the texts that stand for it.
        moving: whether the fallback moves with the data.
    """

    page: str
    name: str
    read: Callable[[list[str]], T]
    valid: Callable[[T], bool]
    fallback: T
    write: Callable[[T], list[str]]
    moving: bool = False

    def __post_init__(self) -> None:
        self.key = f"{self.page}: {self.name}"
        state, texts = st.session_state, st.query_params.get_all(self.name)
        if self.key not in state or (_MOVED not in state and texts != state.get(_in_address(self.key))):
            self._take(texts)
        elif not state.get(_asked_for(self.key)):
            # Another publication may have another one.
            if state[self.key] != self.fallback:
                state[self.key] = self.fallback
        elif not self.valid(state[self.key]):
            # Another publication does not have it.
            self._take(self.write(state[self.key]))

    @property
    def bound(self) -> dict[str, Any]:
        """The arguments that bind a control to this value."""
        return {"key": self.key, "on_change": _say_moved, "args": (self.key,)}

    def keep(self) -> T:
        """The value that the control has, which is in the address from now on."""
        state = st.session_state
        value: T = state[self.key]
        is_told = value != self.fallback or (self.moving and state.get(_asked_for(self.key), False))
        texts = self.write(value) if is_told else []
        if texts != st.query_params.get_all(self.name):
            if texts:
                st.query_params[self.name] = texts
            else:
                st.query_params.pop(self.name, None)
        state[_in_address(self.key)] = texts
        return value

    def _take(self, texts: list[str]) -> None:
        """Stand at what texts ask for, or at the fallback, with a word where they cannot be meant."""
        state = st.session_state
        state[self.key], state[_asked_for(self.key)] = self.fallback, False
        if not texts:
            return
        with suppress(ValueError, KeyError, OverflowError):
            value = self.read(texts)
            if self.valid(value):
                state[self.key], state[_asked_for(self.key)] = value, True
                return
        st.warning(
            f"The address asks for {plain(self.name)} “{_shown(texts)}”, which is not here; this page goes without."
        )


def _in_address(key: str) -> str:
    """Where the session keeps what the address says for a control."""
    return f"{key} in the address"


def _asked_for(key: str) -> str:
    """Where the session keeps whether an address or a person asked for what a control stands at."""
    return f"{key} asked for"


def _shown(texts: Sequence[str]) -> str:
    """Texts of an address, for a sentence."""
    shown = ", ".join(texts)
    return plain(shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + "…")


def _say_moved(key: str) -> None:
    st.session_state[_MOVED] = True
    st.session_state[_asked_for(key)] = True
