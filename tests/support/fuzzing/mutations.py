"""Random faults in documents, chosen and placed by a seeded generator."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

# Characters that copying, saving and typing may insert.
_INTRUDERS = (
    *("", " ", "-", "0", "-1", "1.5", "NaN", "inf", "1e99", "DNF", "=3", "T3", "99999999", "10000", "١٢"),
    *("=1+1", "@SUM(A1)", "'", '"', '""', ",", ";", "\t", "|", "\n", "\r\n", "\r", "\0", "\x1a", "\x1f", "\x85"),
    *("\u200b", "\u202e", "\ufeff", "\u2028", "\ufffd", "é", "Ã©", "ß", "Ж", "漢", "😀", "e\u0301"),
    *(
        "<td>",
        "</tr>",
        "<tr class='row_even'>",
        "</table>",
        "<!--",
        "<![",
        "&#0;",
        "&nbsp;",
        "<script>",
        "<table><tr><td>",
    ),
    *("{", "}", "[", "]", "null", "true", ":", "\\", "../", "/", "%", "2013-02-30", "03/04/2013", "August 32, 2013"),
    *("Rank", "placement", "Date", "Place", "Number of players", "Coeff 1", "Author", "A" * 300),
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


def _lines(change: Callable[[list[str], Random], list[str]]) -> Callable[[str, Random], str]:
    return lambda text, rng: "\n".join(change(text.split("\n"), rng))


def _swap(lines: list[str], rng: Random) -> list[str]:
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return lines


def _drop(lines: list[str], rng: Random) -> list[str]:
    at = rng.randrange(len(lines))
    return lines[:at] + lines[at + 1 :]


def _double(lines: list[str], rng: Random) -> list[str]:
    at = rng.randrange(len(lines))
    return [*lines[: at + 1], *lines[at:]]


def _reorder(lines: list[str], rng: Random) -> list[str]:
    at = rng.randrange(len(lines))
    below = lines[at:]
    rng.shuffle(below)
    return lines[:at] + below


_OF_TEXT: tuple[Callable[[str, Random], str], ...] = (
    *(_insert, _replace, _delete, _repeat, _truncate, _digit, _digit),
    *(_lines(_swap), _lines(_drop), _lines(_double), _lines(_reorder)),
)

_ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252")


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
