"""Text to print: of documents, file names and queries without what drives a terminal, and numbers with their words."""

import re
from collections.abc import Mapping

# Control characters except line breaks and tabs, line separators, changes of the writing direction, and surrogates for bytes that are
# not UTF-8 in file names and arguments.
_ORDERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """Escape characters that would drive a terminal, as `\\x1b`, in a text of one or more lines."""
    return _ORDERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def visible_line(text: str) -> str:
    """Do the same for a text that must stay on its line: a file name, a cell."""
    return visible(text).replace("\n", r"\n").replace("\t", r"\t")


def counted(number: int, one: str, many: str) -> str:
    """Return a number with the word that fits it: `1 rating`, `1,096 ratings`."""
    return f"{number:,} {one if number == 1 else many}"


def in_own_words(phrase: str, words: Mapping[str, str]) -> str:
    """Return a phrase of the project, such as the name of a rule or a kind, in the words of a collection (see `words_in`)."""
    own = {"World Championship": words["championship"], "world championship": words["championship"].lower()}
    for name in ("players", "player", "tournaments", "tournament"):
        own |= {name: words[name], name.capitalize(): words[name][:1].upper() + words[name][1:]}
    return re.sub("|".join(own), lambda found: own[found[0]], phrase)
