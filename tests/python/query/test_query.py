"""Running a query, rendering its result, and keeping it as a snapshot on a page."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from dippouch.errors import DocumentError, UserError
from dippouch.query.render import as_csv, as_json, as_text
from dippouch.query.run import QueryResult, run_query
from dippouch.query.snapshots import read_questions, with_answers, write_page
from query import main as query
from refresh_answers import main as refresh_answers

PAGE = """# Insight

### Who won?

Ann did.

```sql
select 1
# not a heading
```

```text
old
```

He may win again.

## Else

Text.

### 1,000 results

No question.

### Who lost?

Bob did,
as `results` say.

```sql
select 2
```

```text
old
```
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with one small mart."""
    path = tmp_path / "it's.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema marts")
        connection.execute("create table marts.medals as select 'ann' as player_id, 2 as golds")
    return path


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_an_answer_has_columns_and_rows(database: Path) -> None:
    assert run_query(database, "select * from marts.medals;") == QueryResult(("player_id", "golds"), [("ann", 2)])


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("select * from marts.medal", 'Did you mean "medals"'),
        ("select player from marts.medals", 'Candidate bindings: "player_id"'),
        ("update marts.medals set golds = 3", "of the kind UPDATE"),
        ("from read_csv('elsewhere.csv')", "it asks for a file"),
        ("", "found no queries"),
        ("select 1; select 2", "found 2 queries"),
    ],
)
def test_a_query_that_cannot_be_answered_says_why(database: Path, sql: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        run_query(database, sql)


def test_a_missing_database_names_the_way_to_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="make rankings"):
        run_query(tmp_path / "none.duckdb", "select 1")


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "text.duckdb"
    path.write_text("no database\n" * 1000)
    with pytest.raises(UserError, match=r"text\.duckdb: cannot be read"):
        run_query(path, "select 1")


ANSWER = QueryResult(
    ("player", "rating", "since", "is_leader"), [("Zoë", 58.5, date(2013, 8, 25), True), ("Bo, jr", None, None, False)]
)


def test_text_has_numbers_to_the_right_and_no_trailing_blanks() -> None:
    assert as_text(ANSWER).splitlines() == [
        "player  rating  since       is_leader",
        "Zoë       58.5  2013-08-25  true",
        "Bo, jr       -  -           false",
    ]


def test_no_rows_are_said() -> None:
    assert as_text(QueryResult(("rank",), [])) == "(no rows)"


def test_csv_and_json_hold_the_same() -> None:
    assert as_csv(ANSWER).splitlines()[1:] == ["Zoë,58.5,2013-08-25,True", '"Bo, jr",,,False']
    assert json.loads(as_json(ANSWER))[0] == {"player": "Zoë", "rating": 58.5, "since": "2013-08-25", "is_leader": True}


def test_a_page_is_read_by_its_layout(page: Path) -> None:
    first, second = read_questions(page)
    assert (first.line, first.title, first.sentence, first.sql) == (
        3,
        "Who won?",
        "Ann did.",
        "select 1\n# not a heading",
    )
    assert (second.line, second.sentence, second.text) == (26, "Bob did,\nas `results` say.", "old")


def test_a_page_gets_its_answers_and_nothing_else(page: Path) -> None:
    fresh = with_answers(page, lambda sql: f"answer to {sql[:8]}")
    assert fresh == PAGE.replace("old", "answer to select 1", 1).replace("old", "answer to select 2", 1)


@pytest.mark.parametrize("cut", ["Bob did,\nas `results` say.\n\n", "```text\nold\n```\n"])
def test_a_question_without_its_form_is_refused_with_its_line(page: Path, cut: str) -> None:
    head, _, tail = PAGE.rpartition(cut)
    page.write_text(head + tail, encoding="utf-8")
    with pytest.raises(DocumentError, match=r"page\.md:26: found `### Who lost\?`"):
        read_questions(page)


def _run_query(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(query, arguments, input=stdin)


def test_the_program_prints_the_answer(database: Path) -> None:
    done = _run_query("--database", str(database), "select golds from marts.medals")
    assert (done.exit_code, done.stdout) == (0, "golds\n    2\n")


def test_the_program_reads_standard_input(database: Path) -> None:
    done = _run_query("--database", str(database), "--as", "csv", stdin="select golds\nfrom marts.medals\n")
    assert (done.exit_code, done.stdout) == (0, "golds\n2\n")


def test_a_bad_question_is_an_error_without_a_traceback(database: Path) -> None:
    done = _run_query("--database", str(database), "select nothing")
    assert done.exit_code == 1
    assert done.stderr.startswith("error: the query cannot be run")
    assert "Traceback" not in done.stderr


def test_a_page_is_answered_again_and_left_alone_when_true(
    database: Path, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.rename(tmp_path / "rankings.duckdb")
    monkeypatch.setenv("DPTR_WAREHOUSE", str(tmp_path))
    page.write_text(PAGE.replace("# not a heading\n", ""), encoding="utf-8")
    first, second = (CliRunner().invoke(refresh_answers, [str(page)]) for _ in range(2))
    assert "answers changed" in first.stdout
    assert "up to date" in second.stdout
    assert [question.text for question in read_questions(page)] == ["1\n1", "2\n2"]


def test_a_page_with_a_query_that_cannot_run_is_left_alone(
    database: Path, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.rename(tmp_path / "rankings.duckdb")
    monkeypatch.setenv("DPTR_WAREHOUSE", str(tmp_path))
    done = CliRunner().invoke(refresh_answers, [str(page)])
    assert (done.exit_code, page.read_text(encoding="utf-8")) == (1, PAGE)


def test_a_page_that_is_no_text_is_refused_with_its_line(page: Path) -> None:
    page.write_bytes(b"# Insight\n\n\xff\n")
    done = CliRunner().invoke(refresh_answers, [str(page)])
    assert (done.exit_code, done.stderr) == (
        1,
        f"error: {page}:3: found a byte that is no UTF-8; expected a page in UTF-8\n",
    )


def test_a_page_is_written_whole_or_not_at_all(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("dippouch.query.snapshots.sync", full)
    with pytest.raises(UserError, match=r"page\.md: could not be written .*No space left on device.*; it is as it was"):
        write_page(page, "new")
    assert page.read_text(encoding="utf-8") == PAGE
    assert [*page.parent.iterdir()] == [page]
