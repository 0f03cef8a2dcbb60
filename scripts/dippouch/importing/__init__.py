"""Import documents: make rows of seeds from them, and find their faults with the models that dbt builds.

In: files, and the rating keeper's choices. Out: the rows that the documents state, each with the id of its document, and a report.

    outcome = import_documents([Path("standings.csv")], Path("seeds"), Choices(), on_file=print, on_changed=print)

The steps, in `run`: `identify` finds the tournament and the people of a file, and makes its rows; `run` adds them to the collection in
memory; `ask` asks its models for faults. Faulty files are left out. `outcome` and `report` tell what changed.
"""
