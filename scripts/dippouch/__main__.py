"""Run the command as `dptr` or as `python -m dippouch`."""

from __future__ import annotations

import signal
import sys
from importlib import import_module


def main() -> None:
    """Run the command; Ctrl-C ends it with a message even while its modules are imported."""
    try:
        import_module("dippouch.commands.main").main(prog_name="dptr")
    except KeyboardInterrupt:
        sys.stderr.write("stopped; nothing was changed\n")
        sys.exit(130)
    finally:
        # Nothing is left to stop; a late Ctrl-C would print a traceback of the interpreter's last steps.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    main()
