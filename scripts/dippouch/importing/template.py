"""An empty table of standings to fill in: `template.xlsx`, and the same rows as Excel writes them in `template.csv`."""

from pathlib import Path

from dippouch.disk import explained
from dippouch.errors import UserError, durable_changes


def write_template(path: Path) -> None:
    """Copy the empty table with its explanations into a new file that ends in `.xlsx` or `.csv`.

    Raises:
        UserError: for another suffix, an existing file, or a folder that cannot be written.
    """
    empty = Path(__file__).with_suffix(path.suffix.lower())
    if empty.suffix not in (".xlsx", ".csv"):
        raise UserError(f"{path}: found the ending `{path.suffix}`; expected .xlsx or .csv")
    with explained(f"{path}: cannot be written as a new file"):
        with path.open("xb") as file:
            file.write(empty.read_bytes())
        durable_changes.append(f"{path} was written")
