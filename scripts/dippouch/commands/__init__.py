"""The command `dptr`: `main.py` lists its subcommands; each other module holds one group of them."""
