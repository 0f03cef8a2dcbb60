"""Names of people: repairing broken text, splitting a listed name, and what cannot be a name."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from functools import lru_cache

import ftfy.bad_codecs

from dippouch.lookalikes import fault_of_scripts

# A name is made of letters, their accents, and what joins them. Digits occur (Ry4an BRASE).
_JOINERS = set(" '’`.,-‐()/&\"")

# What else people put into names, to tell people apart or for a nickname.
_IN_NAMES = _JOINERS | set("’‘“”«»‑–_:;!?#*+[]")
# Of these, what marks text up (`[bold]`), and is no part of a name.
_MARKUP = frozenset("[]")

# Bytes in the right-hand encoding that somebody read in the left-hand one. Latin-1 read as DOS reads it leaves the lines and
# blocks of which boxes were drawn, and nobody types them.
_MISREADINGS = (("sloppy-windows-1252", "utf-8"), ("latin-1", "utf-8"), ("cp850", "latin-1"), ("cp437", "latin-1"))
_BOXES = re.compile(r"[\u2500-\u259f]")
# UTF-8 that somebody read as Windows-1252, where all of it became letters, in pairs that no language has: `GROÃŸ`.
_PAIRS = re.compile(r"Ã[ŠŽšžŸŒœƒªµº]|[ÄÅ][ŒœƒŸªµº]")

# People occur in many documents: what was made of a name once is kept.
_REMEMBERED = 200_000
# What almost every name is, told at a glance.
_PLAIN_NAME = re.compile(r"[\w '’.-]*")

# Words that belong to the last name behind them; in lower case others do, too.
PARTICLES = frozenset(
    ["af", "al", "d'", "da", "de", "del", "della", "den", "di", "do", "dos", "du", "la", "le", "van", "von", "zu"]
)

# Spaces of every width, and the ends of lines that people write; not those that nobody sees.
_BLANKS = re.compile(r"[ \t\r\n\f\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")

# What may stand behind a last name, and is none by itself.
SUFFIXES = frozenset(["II", "III", "IV", "JR", "SR"])

LONGEST_NAME = 100
# Why the rating keeper decided so.
LONGEST_REASON = 500

# What takes a letter's place and shows nothing: fillers of Hangul and Braille, joiners, selectors of Khmer and Mongolian, the
# supplementary variation selectors; and the characters that take the place of one that was lost.
_UNSEEN = re.compile("[\ufffd\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U000e0100-\U000e01ef]")
# How a symbol is drawn, which is right behind one (a heart in a tournament's name), not in the name of a person.
_DRAWN_AS = frozenset(map(chr, range(0xFE00, 0xFE10)))
# What a spreadsheet takes for the beginning of a formula, also in the width of Chinese characters.
_FORMULA = tuple("=+-@＝＋－＠")

# Windows-1252 as browsers read it, with its five holes filled.
ftfy.bad_codecs.ok()


def tidy_text(text: str) -> str:
    """A text that is no person's name (a tournament, a place), composed (NFC) and with one blank where blanks are.

    It is never repaired: `3° Torneo` and `£5 Open` hold symbols that names of people do not have.
    """
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip(" ")


def _reads_as_name(text: str, signs: set[str] = _JOINERS) -> bool:
    return all(c in signs or unicodedata.category(c)[0] in "LMN" for c in text)


@lru_cache(_REMEMBERED)
def repair_text(text: str) -> str:
    """Undo a mistaken decoding of a person's name, where the text shows one; otherwise give it back, composed (NFC).

    `BjÃ¶rn` is UTF-8 read as Windows-1252. `Le´ S──RLAINEN` is Latin-1 read as code page 850, and becomes `Leï SÄÄRLAINEN`. A
    name is touched only when it holds what no name has, and when the known mistake turns it into a name.
    """
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text)
    if _reads_as_name(composed, _IN_NAMES) and not _PAIRS.search(composed):
        return composed
    candidates = set()
    for wrong, right in _MISREADINGS:
        if right == "utf-8" or _BOXES.search(composed):
            with contextlib.suppress(UnicodeError):
                candidates.add(unicodedata.normalize("NFC", composed.encode(wrong).decode(right)))
    names = [candidate for candidate in candidates if _reads_as_name(candidate)]
    return names[0] if len(names) == 1 else composed


def split_listed_name(listed_name: str) -> tuple[str, str]:
    """First and last name of a listed name whose last name is in capitals.

    `Vincent DIAS DE ALMEIDA` gives (`Vincent`, `DIAS DE ALMEIDA`). Particles before the capitals belong to
    the last name (`René van ROOIJEN`), initials before it do not (`Jean P. DUPONT`).

    Raises:
        ValueError: when no word is in capitals; the message says what was expected.
    """
    words, suffixes = _without_suffixes(repair_text(listed_name).split())
    if not words:
        raise ValueError("an empty name")

    start = len(words)
    while start > 0 and _is_capitals(words[start - 1]) and not (start < len(words) and _is_initial(words[start - 1])):
        start -= 1
    if start == len(words):
        raise ValueError("no last name in capitals")
    if start == 0 and len(words) > 1:
        # Everything is in capitals (JP DUPONT): the first word is the first name.
        start = 1
    while start > 0 and _is_particle(words[start - 1]) and (start > 1 or words[0] in PARTICLES):
        start -= 1
    return " ".join(words[:start]), " ".join(words[start:] + suffixes)


def split_full_name(full_name: str) -> tuple[str, str]:
    """First and last name of a name as a person may write it.

    `John SMITH`, `SMITH John` and `Smith, John` give (`John`, `SMITH`). Without capitals and comma the last word is the
    last name, with the particles before it: `Ludwig van Beethoven` gives (`Ludwig`, `VAN BEETHOVEN`).

    Raises:
        ValueError: when it is no name, or has more than one comma; the message says what was found.
    """
    words = repair_text(full_name).split()
    if full_name.count(",") > 1:
        raise ValueError("more than one comma")
    if "," in full_name:
        last_name, first_name = (part.strip() for part in repair_text(full_name).split(","))
        if not first_name or not last_name:
            raise ValueError("nothing on one side of the comma")
        return first_name, in_capitals(last_name)
    leading = 0
    while leading < len(words) and _is_capitals(words[leading]) and not _is_initial(words[leading]):
        leading += 1
    if 0 < leading < len(words) and not _is_capitals(words[-1].replace(".", "")[1:]):
        return " ".join(words[leading:]), " ".join(words[:leading])
    try:
        return split_listed_name(full_name)
    except ValueError:
        if not words:
            raise
    words, suffixes = _without_suffixes(words)
    start = len(words) - 1
    while start > 1 and _is_particle(words[start - 1]):
        start -= 1
    return " ".join(words[:start]), in_capitals(" ".join(words[start:] + suffixes))


def in_capitals(last_name: str) -> str:
    """A last name in capitals, as the World Diplomacy Database writes them, so that a person reads the same everywhere.

    A name that has a word in capitals already is left alone: `van ROOIJEN`.
    """
    if last_name.isupper():
        return last_name
    words, _ = _without_suffixes(last_name.split())
    return last_name if any(map(_is_capitals, words)) else last_name.upper()


def _without_suffixes(words: list[str]) -> tuple[list[str], list[str]]:
    """The words of a name without what stands behind it (`Thomas PRENDERGAST III`), and that."""
    end = len(words)
    while end > 1 and words[end - 1].rstrip(".").upper() in SUFFIXES:
        end -= 1
    return words[:end], words[end:]


def shortened(text: str, longest: int = 60) -> str:
    """A text as a message can quote it."""
    if not text.isprintable() or _UNSEEN.search(text):
        text = text.encode("unicode_escape").decode("ascii")
    return text if len(text) <= longest else f"{text[:longest]}..."


def fault_of_person(first_name: str, last_name: str) -> tuple[str, str] | None:
    """What makes two texts unfit for the first and last name of a person, each of them and together; None when nothing does."""
    fault = fault_of_text(first_name) or fault_of_text(last_name)
    return fault or fault_of_name(f"{first_name} {last_name}".strip())


def fault_of_name(name: str) -> tuple[str, str] | None:
    """What makes a text unfit for the name of a person, and what was expected; None when nothing does."""
    if fault := fault_of_text(name):
        return fault
    if _PLAIN_NAME.fullmatch(name):
        return fault_of_scripts(name)
    for character in name:
        fits = character in _IN_NAMES or unicodedata.category(character)[0] in "LMN"
        if not fits or character in _MARKUP or character in _DRAWN_AS:
            described = unicodedata.name(character, "unnamed").lower()
            return f"the character `{character}` ({described})", "letters and what joins them"
    return fault_of_scripts(name)


def fault_of_text(text: str, longest: int = LONGEST_NAME) -> tuple[str, str] | None:
    """What makes a text unfit for a name of somebody or something, and what was expected; None when nothing does.

    Characters that nobody sees are refused rather than removed: two names that look the same must be the same, and
    whoever sent the document should know. So is what a spreadsheet would run as a formula.
    """
    if len(text) > longest:
        return f"{len(text)} characters", f"at most {longest}"
    is_seen = text.isprintable() and (text.isascii() or not _UNSEEN.search(text))
    for character in "" if is_seen else text:
        # A space of another width is blank paper, too, but people see it.
        if _UNSEEN.match(character) or not (character.isprintable() or unicodedata.category(character) == "Zs"):
            name = unicodedata.name(character, "a control character").lower()
            return f"the character U+{ord(character):04X} ({name})", "characters that can be seen"
    if text.startswith(_FORMULA):
        return f"`{text[0]}` at its beginning, which a spreadsheet runs as a formula", "a name"
    return None


# Prefixes that keep their small letters before a last name in capitals: McDONALD, DeMARCO.
_PREFIX = re.compile(r"(Mc|Mac|De|Di|Da|Du|La|Le|Van|Von|St)(?=[^\W\d_]{2})")


def _is_capitals(word: str) -> bool:
    letters = [c for c in _PREFIX.sub("", word, count=1) if c.isalpha()]
    return bool(letters) and not any(c.islower() for c in letters)


def _is_particle(word: str) -> bool:
    return word.islower() or (word != "Al" and word.lower() in PARTICLES)


def _is_initial(word: str) -> bool:
    return re.fullmatch(r"(\w\.)+", word) is not None
