"""The tournaments of a collection: which one a document describes, and the rating keeper's decisions on it.

In: a document's name, days and ids; decisions with their reasons. Out: the id of the tournament; rows of ref_corrections.

    Tournaments(collection).identify(document)    # wac-6-2009
"""
