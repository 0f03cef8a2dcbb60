"""What is said when a cluster of Spark cannot start, and that nothing is left of it; scripts stand in for Java and Spark."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.spark_cluster import check_java, running


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_java_that_is_missing_or_too_old_is_named_with_the_way_out(tmp_path: Path) -> None:
    for said in ('openjdk version "17.0.15" 2025-04-15', 'java version "21"'):
        check_java({"PATH": str(program(tmp_path / "java", f"echo '{said}' >&2").parent)})
    for said in ('openjdk version "11.0.2" 2019-01-15', 'java version "1.8.0_392"', "no such thing"):
        program(tmp_path / "bin" / "java", f"echo '{said}' >&2")
        with pytest.raises(AssertionError, match=r"found .*; install Java 17 or later"):
            check_java({"JAVA_HOME": str(tmp_path), "PATH": ""})
    with pytest.raises(AssertionError, match="found no Java; install Java 17 or later"):
        check_java({"PATH": ""})


# A master that says of itself what Spark's says, and a worker that ends.
_CLUSTER = r"""
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
echo 'no memory'; exit 3
"""


def test_a_worker_that_does_not_start_is_told_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON", sys.executable)
    spark = program(tmp_path / "bin" / "spark-class", _CLUSTER)
    told = "the worker-1 ended with exit code 3:\nno memory"
    with pytest.raises(AssertionError, match=told), running(tmp_path / "cluster", spark):
        pass


def test_nothing_is_left_when_the_work_on_a_cluster_fails(tmp_path: Path) -> None:
    """Neither the processes that were started nor what these started."""
    spark = program(tmp_path / "bin" / "spark-class", f"sleep 300 & echo $$ $! > {tmp_path}/processes; wait")
    with pytest.raises(AssertionError, match="the master does not answer"), running(tmp_path / "cluster", spark, 1):
        pass
    for process in (tmp_path / "processes").read_text(encoding="utf-8").split():
        # What has ended has no command line any more.
        command = Path("/proc", process, "cmdline")
        assert not command.exists() or command.read_bytes() == b""
