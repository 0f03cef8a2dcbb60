"""The seeds of a collection: their schema and files, and the models on them in memory.

In: a folder of seeds, and rows that a program adds or removes. Out: answers to SQL, faults with file and line, the folder changed as a whole.

    with Collection.existing(seeds) as collection:
        collection.query("select count(*) from int_results")
"""
