"""Run the command as `dptr` or as `python -m dippouch`."""

import sys
from importlib import import_module


def main() -> None:
    """Run the command; Ctrl-C ends it with a message even while its modules are imported."""
    try:
        import_module("dippouch.commands.main").main(prog_name="dptr")
    except KeyboardInterrupt:
        sys.stderr.write("stopped; nothing was changed\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
