"""Letters that look alike, from the data of Unicode TR 39: words of mixed scripts, and names that look the same."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache

# Scripts that one word may mix, as Japanese and Korean do.
_MIXED = (frozenset({"HAN", "HIRAGANA", "KATAKANA"}), frozenset({"HAN", "HANGUL"}), frozenset({"HAN", "BOPOMOFO"}))
# Classes of characters without a script: digits, signs, accents.
_OF_NO_SCRIPT = frozenset({"COMMON", "INHERITED", "Unknown"})

# Compatibility forms of letters, used by mathematicians and typesetters: another character for the same letter.
_DRAWN = ("<font>", "<wide>", "<narrow>", "<circle>", "<square>")

# The same people occur in many documents; results are cached.
_REMEMBERED = 200_000


def fault_of_scripts(name: str) -> tuple[str, str] | None:
    """Return why a name looks like another one, and what was expected; None if it is fine.

    A word has letters of one script. A name may have words of several, unless a word looks like one of another word's script.
    """
    if name.isascii():
        return None
    words = [(word, _scripts(word)) for word in re.findall(r"[^\W\d_]+", name)]
    for character in name:
        kind = unicodedata.decomposition(character).partition(" ")[0]
        if character.isalpha() and kind in _DRAWN and unicodedata.normalize("NFKC", character).isascii():
            return f"{_described(character)} for `{_looks(character)}`", "ordinary letters"
    for word, scripts in words:
        if len(scripts) > 1 and not any(scripts.keys() <= mixed for mixed in _MIXED):
            most = max(scripts, key=lambda script: (scripts[script], script == "LATIN"))
            odd = next(c for c in word if _script(c) not in {most, *_OF_NO_SCRIPT})
            looks = f", which looks like `{_looks(odd)}`," if _looks(odd).isascii() and not odd.isascii() else ""
            return f"{_described(odd)}{looks} among {most.title()} letters", "letters of one script in a word"
    if any("LATIN" in scripts for _, scripts in words):
        for word, scripts in words:
            if "LATIN" not in scripts and skeleton(word).isascii():
                (script, *_) = scripts
                return (
                    f"the word `{word}` in {script.title()} letters, which looks like `{skeleton(word)}`",
                    "letters of one script in a name whose words look alike",
                )
    return None


@lru_cache(_REMEMBERED)
def skeleton(text: str) -> str:
    """Return a text's visual skeleton, ignoring case and accents: texts with equal skeletons look alike."""
    plain = unicodedata.normalize("NFD", text.upper())
    if not plain.isascii():
        plain = "".join(c for c in plain if not unicodedata.combining(c))
    return plain.translate(_prototypes())


@cache
def _prototypes() -> dict[int, str]:
    """Map each character to a prototype, so that lookalikes become equal.

    The library gives the table of TR 39 in both directions: there a character has one prototype, and a prototype many
    characters. If both sides have a single entry, the first of the two is the prototype.
    """
    from confusable_homoglyphs.confusables import confusables_data  # type: ignore[import-untyped]

    found = {}
    for character, alike in confusables_data.items():
        if len(character) == 1 and len(alike) == 1:
            other = alike[0]["c"]
            back = confusables_data.get(other, [])
            found[ord(character)] = other if len(back) != 1 else min(character, other)
    return found


def _script(character: str) -> str:
    """Return the script of a character."""
    from confusable_homoglyphs.categories import alias  # type: ignore[import-untyped]

    return str(alias(character))


def _scripts(word: str) -> Counter[str]:
    """Count the letters of each script in a word."""
    return Counter(script for c in word if (script := _script(c)) not in _OF_NO_SCRIPT)


def _described(character: str) -> str:
    """Describe a character by its code point and its name."""
    return f"the character U+{ord(character):04X} ({unicodedata.name(character, 'unnamed').lower()})"


def _looks(character: str) -> str:
    """Return the skeleton of one character."""
    return unicodedata.normalize("NFKC", character).translate(_prototypes())
