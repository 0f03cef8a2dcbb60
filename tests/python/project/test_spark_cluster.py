"""What is said when a cluster of Spark cannot start; programs that do as Java and Spark do stand in for them."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from dippouch.errors import UserError
from support.spark_cluster import java_version, running


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(("said", "version"), [('openjdk version "17.0.15" 2025-04-15', 17), ('java version "21"', 21)])
def test_a_java_that_is_new_enough_is_taken(tmp_path: Path, said: str, version: int) -> None:
    java = program(tmp_path / "java", f"echo '{said}' >&2")
    assert java_version({"PATH": str(java.parent)}) == version


@pytest.mark.parametrize("said", ['openjdk version "11.0.2" 2019-01-15', 'java version "1.8.0_392"', "no such thing"])
def test_a_java_that_is_too_old_is_named_with_the_way_out(tmp_path: Path, said: str) -> None:
    java = program(tmp_path / "bin" / "java", f"echo '{said}' >&2")
    expected = f"{java}: found {said}; expected Java 17 or later: install Java 17"
    with pytest.raises(UserError) as error:
        java_version({"JAVA_HOME": str(tmp_path), "PATH": ""})
    assert str(error.value).startswith(expected)


@pytest.mark.parametrize(("name", "value"), [("PATH", ""), ("JAVA_HOME", "/nowhere")])
def test_without_java_the_message_says_where_it_was_looked_for(name: str, value: str) -> None:
    with pytest.raises(UserError, match="found no Java; expected the one that Spark runs in: install Java 17 or later"):
        java_version({"PATH": "", name: value})


def test_without_spark_the_message_says_what_installs_it(tmp_path: Path) -> None:
    with (
        pytest.raises(UserError, match=r"found no Spark; `make .venv-spark/spark.lock` installs it"),
        running(tmp_path, spark_class=None),
    ):
        pass


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    spark = program(tmp_path / "bin" / "spark-class", "echo 'java.net.BindException: Address already in use'; exit 1")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        with (
            pytest.raises(
                UserError, match=f"port {port} of 127.0.0.1: found it taken by another program; expected the master"
            ),
            running(tmp_path / "cluster", port=port, spark_class=spark),
        ):
            pass


# A master that says of itself what Spark's says, and workers that do not come.
_MASTER = r"""
case "$1" in
    *Master) exec "$PYTHON" - "$7" <<'END' ;;
import http.server, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"workers": []}')
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
END
esac
"""


@pytest.mark.parametrize(
    ("worker", "found"),
    [
        ("echo 'no memory'; exit 3", "found that the worker 1 ended with exit code 3; expected the worker 1 there"),
        ("echo 'no memory'; sleep 60", "found no worker 1 there after 3 seconds"),
    ],
)
def test_a_worker_that_does_not_start_is_told_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worker: str, found: str
) -> None:
    monkeypatch.setenv("PYTHON", sys.executable)
    spark = program(tmp_path / "bin" / "spark-class", f"{_MASTER}\n{worker}")
    with pytest.raises(UserError) as error, running(tmp_path / "cluster", spark_class=spark, seconds=3):
        pass
    assert found in str(error.value)
    assert "worker-1.log:\n  no memory" in str(error.value)


def test_nothing_is_left_when_the_work_on_a_cluster_fails(tmp_path: Path) -> None:
    """Neither the processes that were started nor what these started."""
    spark = program(tmp_path / "bin" / "spark-class", f"sleep 300 & echo $$ $! > {tmp_path}/processes; wait")
    with pytest.raises(UserError), running(tmp_path / "cluster", spark_class=spark, seconds=1):
        pass
    for process in (tmp_path / "processes").read_text(encoding="utf-8").split():
        # What has ended has no command line any more.
        command = Path("/proc", process, "cmdline")
        assert not command.exists() or command.read_bytes() == b""
