"""Run the command as `dptr` or as `python -m dippouch`."""

from dippouch.commands.main import main

if __name__ == "__main__":
    main(prog_name="dptr")
