"""Who a listed person is: an index of everybody, the fold that identifies the people of documents, likeness, questions and decisions.

In: listed names, with nations and ids of sources. Out: ids, questions with possible answers, rows of decisions.

    identify_players(People(collection), players, Answers(), faults, sha256=sha256, tournament_id="wac-6-2009")
"""
