"""Names of people: repair broken text, and split whole names into first and last name."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import takewhile

# Characters between the letters of a name. Digits occur, too (Ry4an BRASE).
_JOINERS = set(" '’`.,-‐()/&\"")

# Further characters in names, used for nicknames and to tell namesakes apart.
_IN_NAMES = _JOINERS | set("’‘“”«»‑–_:;!?#*+[]")

# Pairs (mistaken encoding, true encoding). Latin-1 read as a DOS code page shows box-drawing characters, which nobody types.
_MISREADINGS = (("sloppy-windows-1252", "utf-8"), ("latin-1", "utf-8"), ("cp850", "latin-1"), ("cp437", "latin-1"))
_BOXES = re.compile(r"[\u2500-\u259f]")
# UTF-8 read as Windows-1252 where every byte became a letter, in pairs that no language has: `GROÃŸ`.
_PAIRS = re.compile(r"Ã[ŠŽšžŸŒœƒªµº]|[ÄÅ][ŒœƒŸªµº]")

# The same people occur in many documents; results are cached.
_REMEMBERED = 200_000

# Words that belong to the following last name. In lower case, other words do, too.
PARTICLES = frozenset(
    "'t ’t ‘t af al am d' da de degli dei del della dem den der di do dos du het la las le los ten ter v.d. van vd vom von"
    " zu zum zur".split()
)

# Visible spaces of every width, and line ends; not the invisible ones.
_BLANKS = re.compile(r"[ \t\r\n\f\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")

# Words that may follow a last name, but are not last names themselves.
SUFFIXES = frozenset("CBE ESQ II III IV JR MBE OBE PHD SR".split())

# `J.`, `J.P.`, `J.-Cl.`, `J-P`.
_INITIALS = re.compile(r"(?![JS]r)([^\W\d_][a-z]?\.-?)+[^\W\d_]?|[^\W\d_](-[^\W\d_])+")
# Before a last name in small letters: `K Larsson`, `JP Dupont`. NG is a last name.
_WITHOUT_POINTS = re.compile(r"[A-Z]|(?!NG)[B-DF-HJ-NP-TV-XZ]{2}")

LONGEST_NAME = 100
# Length limit of the reason that a rating keeper gives for a decision.
LONGEST_REASON = 500

# Invisible characters in a letter's place: fillers of Hangul and Braille, joiners, selectors of Khmer and Mongolian, and the
# supplementary variation selectors. Also the replacement character for a lost letter.
_UNSEEN = re.compile("[\ufffd\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U000e0100-\U000e01ef]")
# Characters that start a formula in a spreadsheet, also in full width.
_FORMULA = tuple("=+-@＝＋－＠")


def tidy_text(text: str) -> str:
    """Compose (NFC) a text other than a person's name, such as a tournament or a place, and collapse its spaces.

    This function never repairs text: `3° Torneo` and `£5 Open` have symbols that occur in no person's name.
    """
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip(" ")


def _reads_as_name(text: str, signs: set[str] = _JOINERS) -> bool:
    return all(c in signs or unicodedata.category(c)[0] in "LMN" for c in text)


@lru_cache(_REMEMBERED)
def repair_text(text: str) -> str:
    """Undo a mistaken decoding of a person's name, if the text shows one; otherwise return it composed (NFC).

    `BjÃ¶rn` is UTF-8 read as Windows-1252. `Le´ S──RLAINEN` is Latin-1 read as code page 850, and becomes `Leï SÄÄRLAINEN`.
    A name changes only if it holds characters that no name has, and if undoing a known mistake gives a valid name.
    """
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text)
    if _reads_as_name(composed, _IN_NAMES) and not _PAIRS.search(composed):
        return composed
    from ftfy import bad_codecs

    # Registers Windows-1252 as browsers read it, with its five undefined bytes filled.
    bad_codecs.ok()
    candidates = set()
    for wrong, right in _MISREADINGS:
        if right == "utf-8" or _BOXES.search(composed):
            with contextlib.suppress(UnicodeError):
                candidates.add(unicodedata.normalize("NFC", composed.encode(wrong).decode(right)))
    names = [candidate for candidate in candidates if _reads_as_name(candidate)]
    return names[0] if len(names) == 1 else composed


def split_name(name: str, *, last_first: bool = False) -> tuple[str, str]:
    """Split a whole name into first and last name.

    Words in capitals are the last name, or those before a comma; otherwise the last word is, or with `last_first` the first one.
    Small words before a last name belong to it: `Ludwig van Beethoven` gives (`Ludwig`, `VAN BEETHOVEN`).

    Raises:
        ValueError: when it is empty or has commas without a meaning; the message says what was found.
    """
    before, comma, behind = (part.strip() for part in repair_text(name).partition(","))
    if "," in behind:
        raise ValueError("more than one comma")
    if comma and not (before and behind):
        raise ValueError("nothing on one side of the comma")
    if " " in before and behind.rstrip(".").upper() in SUFFIXES:
        raise ValueError("a suffix behind the comma")
    if comma:
        return behind, in_capitals(before)
    words, suffixes = _without_suffixes(before.split())
    if not words:
        raise ValueError("an empty name")
    start, end = _place_of_last_name(words, last_first=last_first)
    return " ".join(words[:start] + words[end:]), in_capitals(" ".join(words[start:end] + suffixes))


def has_capitals(name: str) -> bool:
    """Return whether a name has words before a last name in capitals, as the World Diplomacy Database writes names."""
    words, _ = _without_suffixes(repair_text(name).split())
    return len(words) > 1 and _is_capitals(words[-1])


def _place_of_last_name(words: list[str], *, last_first: bool) -> tuple[int, int]:
    """Return the positions of the first word of the last name, and of the word after it."""
    small = _count_first(str.islower, words)
    end = small + _count_first(_is_in_last_name, words[small:])
    if last_first and end == small:
        end += 1
    has_initials = all(map(_WITHOUT_POINTS.fullmatch, words[small:end]))
    if small < end < len(words) and not _is_in_last_name(words[-1]) and not has_initials:
        return 0, end
    # If all words are in capitals (JP DUPONT), the first word is the first name.
    start = max(len(words) - max(_count_first(_is_in_last_name, words[::-1]), 1), min(len(words) - 1, 1))
    return max(start - _count_first(_is_particle, words[start - 1 : 0 : -1]), 0), len(words)


def _count_first(fits: Callable[[str], bool], words: list[str]) -> int:
    return sum(1 for _ in takewhile(fits, words))


def in_capitals(last_name: str) -> str:
    """Put a last name in capitals, as in the World Diplomacy Database, so that it is the same everywhere.

    A name with a word in capitals does not change: `van ROOIJEN`.
    """
    if last_name.isupper():
        return last_name
    words, _ = _without_suffixes(last_name.split())
    return last_name if any(map(_is_capitals, words)) else last_name.upper()


def _without_suffixes(words: list[str]) -> tuple[list[str], list[str]]:
    """Split the words of a name into the name and its suffixes (`Thomas PRENDERGAST III`)."""
    end = len(words)
    while end > 1 and words[end - 1].rstrip(".").upper() in SUFFIXES:
        end -= 1
    return words[:end], words[end:]


def shortened(text: str, longest: int = 60) -> str:
    """Shorten a text so that a message can quote it."""
    if not text.isprintable() or _UNSEEN.search(text):
        text = text.encode("unicode_escape").decode("ascii")
    return text if len(text) <= longest else f"{text[:longest]}..."


def fault_of_text(text: str, longest: int = LONGEST_NAME) -> tuple[str, str] | None:
    """Return why a text cannot be a name of a person or thing, and what was expected; None if it can.

    Invisible characters are refused, not removed: two names that look the same must be the same, and the sender of the
    document should know. Formulas of spreadsheets are refused, too.
    """
    if len(text) > longest:
        return f"{len(text)} characters", f"at most {longest}"
    is_seen = text.isprintable() and (text.isascii() or not _UNSEEN.search(text))
    for character in "" if is_seen else text:
        # Spaces of other widths are allowed: people see them.
        if _UNSEEN.match(character) or not (character.isprintable() or unicodedata.category(character) == "Zs"):
            name = unicodedata.name(character, "a control character").lower()
            return f"the character U+{ord(character):04X} ({name})", "visible characters"
    if text.startswith(_FORMULA):
        return f"`{text[0]}` at its beginning, which a spreadsheet runs as a formula", "a name"
    return None


# Prefixes that keep their small letters before a last name in capitals: McDONALD, DeMARCO, d'ARTAGNAN.
_PREFIX = re.compile(r"(Mc|Mac|De|Di|Da|Du|La|Le|Van|Von|St|d['’])(?=[^\W\d_]{2})")


def _is_capitals(word: str) -> bool:
    letters = [c for c in _PREFIX.sub("", word, count=1) if c.isalpha()]
    return bool(letters) and not any(c.islower() for c in letters)


def _is_in_last_name(word: str) -> bool:
    return _is_capitals(word) and not _INITIALS.fullmatch(word)


def _is_particle(word: str) -> bool:
    return word.islower() or (word not in ("Al", "V.D.") and word.lower() in PARTICLES)
