"""Importing documents into a collection, and undoing changes."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click
from rich.console import RenderableType

from dippouch.collection.files import read_settings
from dippouch.collection.folder import KeptChange, check_is_collection, is_new, kept_changes, locked, undo
from dippouch.collection.memory import Collection
from dippouch.command_line import Command, seeds_option
from dippouch.console import print_line, working_on
from dippouch.importing.files import Choices
from dippouch.importing.report import print_report
from dippouch.importing.run import import_documents
from dippouch.messages import shortened
from dippouch.people.questions import Answers
from dippouch.reading.context import OPTIONS
from dippouch.reading.reader import FORMATS, group_inputs
from dippouch.reading.table import stated_columns
from dippouch.settings import PROJECT

# Length at which a command that imported hundreds of files is cut.
_SHOWN_COMMAND = 300


@click.command(
    "import",
    cls=Command,
    epilog="Exit code 1: a file was rejected; 2: wrong usage; 3: internal error.\n\nThen `dptr refresh` rates everybody again.",
)
@seeds_option()
@click.option("--dry-run", is_flag=True, help="Show the statements that would change; write nothing.")
@click.option("--strict", is_flag=True, help="Write nothing if any file is rejected.")
@click.option("--as", "format_name", type=click.Choice(FORMATS), help="The format of the files.  [default: detected]")
@click.option("--name", help="Name of the tournament.")
@click.option("--subtitle", help="Its subtitle.")
@click.option("--date", help="Its day or days: `2013-08-23`, `August 23-25, 2013`.")
@click.option("--place", help="Its place.")
@click.option("--nation", help="Its nation: ISO code or English name.")
@click.option("--kind", help="Its kind: WDC for a World Championship, none for an ordinary tournament.")
@click.option("--players", type=click.IntRange(min=1), help="Its declared number of players.")
@click.option("--rounds", type=click.IntRange(min=1), help="Its number of rounds.")
@click.option("--boards", type=click.IntRange(min=1), help="Its number of boards.")
@click.option("--ranking", default="", metavar="NAME", help="A table is the published ranking NAME of the day --date.")
@click.option("--encoding", help="The encoding of files that are not UTF-8, such as cp1250.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="HEADING=COLUMN",
    help='The column that a heading means: "#=placement", or "Seed=-" for none; may be repeated.',
)
@click.option(
    "--names",
    "last_first",
    type=click.Choice(["first-last", "last-first"]),
    callback=lambda _, __, order: order == "last-first",
    help="The order of names without a comma.",
)
@click.option("--future", is_flag=True, help="Accept days after today.")
@click.option("--another-event", is_flag=True, help="Accept a new tournament with the people of a known one.")
@click.option("--replace", is_flag=True, help="Replace what other documents stated; the report shows both.")
@click.option("--same", multiple=True, metavar="NAME=ID", help="Assign a new name to a known person; may be repeated.")
@click.option(
    "--new",
    multiple=True,
    metavar="NAME",
    help="Accept a new person with a name like a known one; `all` accepts every new person.",
)
@click.argument("documents", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE_OR_FOLDER...")
def import_(
    documents: tuple[Path, ...],
    seeds: Path,
    same: tuple[str, ...],
    new: tuple[str, ...],
    *,
    future: bool,
    **given: Any,  # noqa: ANN401 (options with the names of OPTIONS and Choices)
) -> None:
    """Import tournament results, published rankings and players' pages.

    \b
    dptr import page.html                   one page
    dptr import --dry-run pages/            what a folder of pages would change
    dptr import --seeds my_club page.txt    into another collection
    curl ADDRESS | dptr import - --as html  from standard input; --as is optional
    dptr import standings.csv --name "Club Cup" --date 2026-05-02 \\
        --players 21 --rounds 3             a table; options override facts in the file

    The importer rejects faulty files, with the place, what was found and what was expected. It imports all other files in one step.
    """
    options = {name: str(value) for name in OPTIONS if (value := given.pop(name)) is not None}
    paths = group_inputs(documents)
    if options and len(paths) > 1:
        raise click.UsageError(f"the facts of one tournament with {len(paths)} files; name one file")
    if given["ranking"] and options.keys() != {"date"}:
        raise click.UsageError("--ranking needs --date, the day of the ranking, and no other fact of a tournament")
    given["columns"] = stated_columns(given["columns"])
    last_day = None if future else datetime.now().astimezone().date()
    choices = Choices(options, last_day=last_day, answers=Answers(same, new), **given)
    was_new = is_new(seeds)
    moves: list[RenderableType] = []

    def foresee(before: Collection, after: Collection) -> None:
        from dippouch.publishing.moves import foresee_moves, moves_table  # noqa: PLC0415 (few runs foresee moves)

        moves.append(moves_table(foresee_moves(before, after), "who would move"))

    with working_on("Importing") as say:
        outcome = import_documents(paths, seeds, choices, on_file=lambda path: say(path.name), on_changed=foresee)
    words = read_settings(PROJECT / "seeds" if is_new(seeds) else seeds)
    print_report(outcome, seeds, words, dry_run=choices.dry_run, moves=moves)
    if was_new and not is_new(seeds):
        print_line(f"{seeds} is a new collection with the project's rules; `dptr new` also writes settings")
    if outcome.rejections:
        raise SystemExit(1)


@click.command("undo", cls=Command, epilog="Then `dptr refresh` rates everybody again.")
@seeds_option()
@click.option("--list", "lists", is_flag=True, help="List the changes that can be undone, the last one first.")
def undo_(seeds: Path, *, lists: bool) -> None:
    """Undo the last change of the collection as a whole; repeat to undo earlier ones. The last 20 changes are kept.

    \b
    dptr undo --list
    dptr undo
    """
    check_is_collection(seeds)
    if lists:
        changes = [_made(change) for change in kept_changes(seeds)]
        for line in changes or ["No change to undo."]:
            print_line(line)
    else:
        with locked(seeds):
            change = undo(seeds)
        print_line(f"{seeds}: took back: {_made(change)} ({', '.join(change.files())})")


def _made(change: KeptChange) -> str:
    return f"{change.made_at[:16].replace('T', ' ')}  {shortened(change.command, _SHOWN_COMMAND)}"
