"""Synthetic names of people: pronounceable, with unique readable ids."""

from __future__ import annotations

_FIRST_NAMES = (
    "Ada Bela Cato Dario Edda Ferran Gita Hanno Ines Jori Kalle Lena Marek Nadia Otis Petra Quin Rosa Sven Talia"
    " Ugo Vera Wim Xenia Yann Zora Aurel Britt Cyril Dunja Emil Freya Goran Heidi Ivo Juna Karel Livia Milo Noor"
).split()
_SYLLABLES = "ba do fe gri ha jo ka lu men nor pe qua ro sti tal ur va wen xi zo mar sel bri".split()


def player_name(number: int) -> tuple[str, str]:
    """Return the first and last name of synthetic player `number`, from 0; every number has a different name."""
    rest, first = divmod(number, len(_FIRST_NAMES))
    syllables: list[str] = []
    # At least three syllables; the number is written in base 23 with syllables for digits.
    while rest or len(syllables) < 3:
        rest, digit = divmod(rest, len(_SYLLABLES))
        syllables.append(_SYLLABLES[digit])
    return _FIRST_NAMES[first], "".join(syllables).upper()
