"""Names of people, repaired and split into first and last name, and readable ids: a name gives the same id in every document and language."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import count, takewhile

from slugify import slugify

from dippouch.settings import project_variable

# The same people and words occur in many documents; results are cached.
_REMEMBERED = 200_000

# Latin-1 read as a DOS code page shows box-drawing characters, which nobody types.
_BOXES = re.compile(r"[\u2500-\u259f]")

# Words that belong to the following last name. In lower case, other words do, too.
PARTICLES = frozenset(
    "'t ’t ‘t af al am d' da de degli dei del della dem den der di do dos du het la las le los ó ten ter v.d. van vd vom von"
    " zu zum zur".split()
)

# Words that may follow a last name, but are not last names themselves.
SUFFIXES = frozenset("CBE ESQ II III IV JR MBE OBE PHD SR".split())

# Letters that first names shorten to: `JP`.
_INITIALS = 2

# What messages expect of a whole name.
_EXPECTED = "a name such as `Edi BIRSAN` or `Birsan, Edi`"

_IDS = project_variable("ids")
ID_PATTERN: str = _IDS["pattern"]
_LONGEST_ID: int = _IDS["longest"]

# What messages expect of an id.
VALID_ID = (
    f"an id of small letters and digits, with hyphens between words, and at most {_LONGEST_ID} characters, such as `john-smith-2`,"
    " but no reserved file name such as `index`"
)


def tidy_text(text: str) -> str:
    """Compose (NFC) a text other than a person's name, such as a tournament or a place, and collapse its spaces.

    This function never repairs text: `3° Torneo` and `£5 Open` have symbols that occur in no person's name.
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


@lru_cache(_REMEMBERED)
def repair_text(text: str) -> str:
    """Undo a mistaken decoding of a person's name, if the text shows one, and compose it (NFC).

    `BjÃ¶rn` is UTF-8 read as Windows-1252. `Le´ S──RLAINEN` is Latin-1 read as code page 850, and becomes `Leï SÄÄRLAINEN`.
    """
    if text.isascii():
        return text
    if _BOXES.search(text):
        try:
            return text.encode("cp850").decode("latin-1")
        except UnicodeError:
            return text
    # Importing it takes a tenth of a second.
    from ftfy import fix_encoding

    # A name of which a part cannot be decoded stays as it is.
    return unicodedata.normalize("NFC", fix_encoding(text, decode_inconsistent_utf8=False))


def split_name(name: str, *, last_first: bool = False) -> tuple[str, str]:
    """Split a whole name into first and last name.

    Words in capitals are the last name, or those before a comma; otherwise the last word is, or with `last_first` the first one.
    In front of other words, only capitals of three letters or more are: `JP Dupont` begins with initials.
    Small words before a last name belong to it: `Ludwig van Beethoven` gives (`Ludwig`, `VAN BEETHOVEN`).

    Raises:
        ValueError: when it is empty or has commas without a meaning; the message says what was expected.
    """
    before, comma, behind = (part.strip() for part in repair_text(name).partition(","))
    if before and _is_suffix(behind) and behind.rstrip(".").isalnum():
        before, comma = f"{before} {behind}", ""
    if comma and (not (before and behind) or "," in behind or _is_suffix(behind)):
        raise ValueError(f"{_EXPECTED}, not with a comma that does not divide last and first name")
    if comma:
        return behind, in_capitals(before)
    words, suffixes = _without_suffixes(before.split())
    if not words:
        raise ValueError(f"{_EXPECTED}, not an empty name")
    start, end = _place_of_last_name(words, last_first=last_first)
    return " ".join(words[:start] + words[end:]), in_capitals(" ".join(words[start:end] + suffixes))


def has_capitals(name: str) -> bool:
    """Return whether a name has words before a last name in capitals, as the World Diplomacy Database writes names."""
    words, _ = _without_suffixes(repair_text(name).split())
    return len(words) > 1 and _is_capitals(words[-1])


def in_capitals(last_name: str) -> str:
    """Put a last name in capitals, as in the World Diplomacy Database, so that it is the same everywhere.

    A name with a word in capitals does not change: `van ROOIJEN`.
    """
    words, _ = _without_suffixes(last_name.split())
    return last_name if any(map(_is_capitals, words)) else last_name.upper()


def _place_of_last_name(words: list[str], *, last_first: bool) -> tuple[int, int]:
    """Return the positions of the first word of the last name, and of the word after it."""
    particles = _count_first(_is_particle, words)
    end = particles + _count_first(_is_capitals, words[particles:])
    is_in_front = last_first or any(len(word) > _INITIALS for word in words[particles:end])
    if is_in_front and not _is_capitals(words[-1]):
        return 0, max(end, particles + 1)
    # If all words are in capitals (JP DUPONT), the first word is the first name.
    start = max(len(words) - max(_count_first(_is_capitals, words[::-1]), 1), min(len(words) - 1, 1))
    return start - _count_first(_is_particle, words[start - 1 : 0 : -1]), len(words)


def _without_suffixes(words: list[str]) -> tuple[list[str], list[str]]:
    """Split the words of a name into the name and its suffixes (`Thomas PRENDERGAST III`), with signs such as emoji."""
    end = len(words) - _count_first(_is_suffix, words[:0:-1])
    return words[:end], words[end:]


def _count_first(fits: Callable[[str], bool], words: list[str]) -> int:
    return sum(1 for _ in takewhile(fits, words))


def _is_capitals(word: str) -> bool:
    """Return whether a word ends with two capital letters: `SMITH`, `McDONALD`, `ST.`, `DE'`; not the initials `J.`, `J-P`."""
    end = word.rstrip(".'’")[-2:]
    return len(end) > 1 and end.isalpha() and end.isupper()


def _is_particle(word: str) -> bool:
    return word.islower() or word.lower() in PARTICLES


def _is_suffix(word: str) -> bool:
    return word.rstrip(".").upper() in SUFFIXES or not any(map(str.isalnum, word))


def readable_id_or_empty(text: str) -> str:
    """Return a stable, readable id: lower-case ASCII words joined by hyphens (`Leï SÄÄRLAINEN` gives `lei-saarlainen`).

    It is empty when the text has no letter or digit.
    """
    # Word by word, because a million results have a million names but few distinct words.
    return "-".join(filter(None, map(_slug_of_word, text.split())))


def name_and_year_id(name: str, year: str) -> str:
    """Return a readable id of a name and a year: `wac-6-2009` for both `WAC 6` and `WAC 6 2009`; empty if the name has no letter or digit."""
    made = readable_id_or_empty(name)
    return made if not made or year in made.split("-") else f"{made}-{year}"


def is_reserved(made: str) -> bool:
    """Return whether an id is reserved, because the site or an export has another file of that name."""
    return re.fullmatch(_IDS["reserved"], made) is not None


def free_id(made: str, is_used: Callable[[str], bool]) -> str:
    """Return an id, with the first free number if it is used or reserved: `john-smith-2`."""
    numbered = (made if number == 1 else f"{made}-{number}" for number in count(1))
    return next(one for one in numbered if not (is_reserved(one) or is_used(one)))


def is_valid_id(given: str) -> bool:
    """Return whether an id is as `VALID_ID` says."""
    return re.fullmatch(ID_PATTERN, given) is not None and len(given) <= _LONGEST_ID and not is_reserved(given)


@lru_cache(_REMEMBERED)
def _slug_of_word(word: str) -> str:
    # Treat a typographic apostrophe like a typewriter's.
    return slugify(word.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
