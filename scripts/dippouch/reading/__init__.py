"""Read files into documents: formats, dates, numbers, words.

In: a path, the collection's nations and words, the rating keeper's choices for reading. Out: documents, each a tournament, a player's page
or a published ranking, with the place of every fact; or faults, each with its place.

    for document in read_documents(Path("page.html"), read_context(seeds, ReadingChoices())): ...
"""
