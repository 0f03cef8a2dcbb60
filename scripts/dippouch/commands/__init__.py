"""The command `dptr`: `main.py` names its subcommands, the other modules hold them, one module per group."""
