#!/usr/bin/env python3
"""Import documents with tournament results, published rankings and players into a collection of seeds."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from datetime import datetime
from pathlib import Path

import click
from rich.markup import escape
from rich.progress import Progress

from dippouch.command_line import Command, json_option, program, seeds_option
from dippouch.console import err, out
from dippouch.importing.kinds import new_kind
from dippouch.importing.options import TournamentOptions
from dippouch.importing.pipeline import import_documents
from dippouch.importing.reader import FORMATS, group_inputs
from dippouch.importing.render_report import print_json, print_report
from dippouch.importing.report import ImportReport
from dippouch.importing.template import write_template
from dippouch.seeds.folder import locked, undo


@click.command(
    cls=Command,
    epilog="Exit code 1: a file was rejected; 2: wrong usage.\n\nAfter an import `make rankings` rates everybody again.",
)
@seeds_option("The collection; a new or empty folder becomes a new one.")
@click.option("--dry-run", is_flag=True, help="Show every row that would change, and write nothing.")
@click.option("--strict", is_flag=True, help="Write nothing at all when a file is rejected.")
@click.option("--as", "format_name", type=click.Choice(FORMATS), help="The format of the files.  [default: detected]")
@json_option("the import report")
@click.option("--name", help="Name of the one tournament in the file, where the file does not state it.")
@click.option("--subtitle", help="Subtitle of that tournament.")
@click.option("--date", "days", help="Its day or days: `2013-08-23`, `August 23-25, 2013`.")
@click.option("--place", help="Where it was.")
@click.option("--nation", help="In which nation: ISO code or English name.")
@click.option("--kind", help="Its kind: WDC for a World Championship.")
@click.option("--players", type=click.IntRange(min=1), help="How many players it declares.")
@click.option("--rounds", type=click.IntRange(min=1), help="How many rounds it had.")
@click.option("--boards", type=click.IntRange(min=1), help="How many boards it had.")
@click.option("--encoding", help="The encoding of the files, such as cp1250, where it is not UTF-8.")
@click.option("--future", is_flag=True, help="Take days that are still to come.")
@click.option("--another-event", is_flag=True, help="The event is another one, although a known one has its results.")
@click.option(
    "--add-kind", "kinds", multiple=True, metavar="CODE=NAME", help="Add a kind of tournaments to the collection."
)
@click.option(
    "--template", type=click.Path(path_type=Path), help="Write a template (.xlsx or .csv) to fill in; no more."
)
@click.option("--undo", "take_back", is_flag=True, help="Take the last change of the collection back whole; no more.")
@click.argument("documents", nargs=-1, type=click.Path(path_type=Path), metavar="FILE_OR_FOLDER...")
@program
def main(
    documents: tuple[Path, ...],
    seeds: Path,
    dry_run: bool,
    strict: bool,
    format_name: str | None,
    as_json: bool,
    name: str | None,
    subtitle: str | None,
    days: str | None,
    place: str | None,
    nation: str | None,
    kind: str | None,
    players: int | None,
    rounds: int | None,
    boards: int | None,
    encoding: str | None,
    future: bool,
    another_event: bool,
    kinds: tuple[str, ...],
    template: Path | None,
    take_back: bool,
) -> None:
    """Import tournament results, published rankings and players' pages.

    \b
    scripts/import_results.py page.html                   one page
    scripts/import_results.py --dry-run pages/            what a folder of pages would change
    scripts/import_results.py --seeds my_club page.txt    into a collection of its own
    scripts/import_results.py standings.csv --name "Club Cup" --date 2026-05-02 \\
        --players 21 --rounds 3                           a table, its facts beside it

    A file that cannot be right is rejected, with the place, what was found and what was expected; nothing of it is
    written, the others are. All that a run writes appears at one moment.
    """
    if sum(map(bool, (documents, template, take_back))) != 1:
        raise click.UsageError("expected documents, or --template FILE, or --undo")
    options = TournamentOptions(name, subtitle, kind, days, place, nation, players, rounds, boards)
    others = (dry_run, strict, format_name, as_json, options.given(), encoding, future, another_event, kinds)
    if any(others) and not documents:
        raise click.UsageError(
            "--template and --undo with options of an import; expected them alone, with --seeds at most"
        )
    if template:
        write_template(template)
        out.print(f"{escape(str(template))}: fill it in, and import it.")
        return
    if take_back:
        with locked(seeds):
            undone = undo(seeds)
        out.print(
            f"{escape(str(seeds))}: took back the last change of {undone.program}: {escape(', '.join(undone.files))}"
        )
        return
    paths = group_inputs(documents)
    if options.given() and len(paths) > 1:
        raise click.UsageError(f"the facts of one tournament with {len(paths)} files; name one file")
    report = ImportReport(every_row=dry_run)
    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("Importing", total=len(paths))
        outcome = import_documents(
            paths,
            seeds,
            report=report,
            format_name=format_name,
            options=options,
            encoding=encoding,
            last_day=None if future else datetime.now().astimezone().date(),
            another_event=another_event,
            new_kinds=dict(new_kind(kind) for kind in kinds),
            dry_run=dry_run,
            strict=strict,
            on_file=lambda path: progress.advance(task),
        )
    show = print_json if as_json else print_report
    show(outcome, report, seeds, dry_run=dry_run)
    if outcome.rejections:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
