"""Random faults in documents, chosen and placed by a seeded generator."""

from __future__ import annotations

from random import Random

# Characters that copying, saving and typing may insert.
_INTRUDERS = (
    *("", " ", "-", "0", "-1", "1.5", "DNF", "=3", "99999999", "10000", "١٢", "=1+1", "'", '"', ",", ";", "\t"),
    *("|", "\n", "\r", "\0", "\x1a", "\u200b", "\u202e", "\ufeff", "\ufffd", "é", "Ã©", "ß", "漢", "e\u0301"),
    *("<td>", "</tr>", "<tr class='row_even'>", "</table>", "<!--", "&#0;", "<table><tr><td>", "{", "]", "null"),
    *(":", "\\", "../", "2013-02-30", "03/04/2013", "A" * 300, "Rank", "placement", "Date", "Place", "Coeff 1"),
)


def _span(text: str, rng: Random, longest: int = 40) -> tuple[int, int]:
    start = rng.randrange(len(text) + 1)
    return start, min(len(text), start + rng.randrange(longest))


def _insert(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(_INTRUDERS) + text[at:]


def _replace(text: str, rng: Random) -> str:
    start, end = _span(text, rng, 8)
    return text[:start] + rng.choice(_INTRUDERS) + text[end:]


def _delete(text: str, rng: Random) -> str:
    start, end = _span(text, rng)
    return text[:start] + text[end:]


def _repeat(text: str, rng: Random) -> str:
    start, end = _span(text, rng, 200)
    return text[:end] + text[start:end] * rng.randrange(1, 4) + text[end:]


def _truncate(text: str, rng: Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _digit(text: str, rng: Random) -> str:
    """Replace a digit with another one."""
    places = [i for i, c in enumerate(text) if c.isdigit()]
    if not places:
        return text
    at = rng.choice(places)
    return text[:at] + rng.choice("0123456789") + text[at + 1 :]


def _reorder(text: str, rng: Random) -> str:
    """Drop a line, and shuffle those below another."""
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    at = rng.randrange(len(lines) + 1)
    below = lines[at:]
    rng.shuffle(below)
    return "\n".join(lines[:at] + below)


_OF_TEXT = (_insert, _replace, _delete, _repeat, _truncate, _digit, _digit, _reorder)

_ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252")


def mutate_text(text: str, rng: Random) -> bytes:
    """Put one to four faults into a text; choose an encoding and line ends at random."""
    for _ in range(rng.randrange(1, 5)):
        text = rng.choice(_OF_TEXT)(text, rng)
    if rng.random() < 0.1:
        text = text.replace("\n", rng.choice(("\r\n", "\r")))
    content = text.encode(rng.choice(_ENCODINGS), "replace")
    return mutate_bytes(content, rng) if rng.random() < 0.1 else content


def mutate_bytes(content: bytes, rng: Random) -> bytes:
    """Change, remove or insert one to four bytes."""
    made = bytearray(content)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(made) + 1)
        fault = rng.randrange(4)
        if fault == 0:
            made[at : at + 1] = bytes([rng.randrange(256)])
        elif fault == 1:
            del made[at : at + rng.randrange(20)]
        elif fault == 2:
            made[at:at] = rng.randbytes(rng.randrange(6))
        elif rng.random() < 0.2:
            del made[at:]
    return bytes(made)
