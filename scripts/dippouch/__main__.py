"""Run the command as `python -m dippouch`."""

from dippouch.commands.main import main

main(prog_name="dptr")
