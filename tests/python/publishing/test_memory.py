"""Too little memory is a message before the build, and a build that is killed says by what."""

from __future__ import annotations

import resource
import signal
import sys
from pathlib import Path

import pytest

from dippouch.errors import UserError
from dippouch.publishing import build, memory
from dippouch.publishing.build import run_dbt_build
from dippouch.publishing.memory import SETTING, Limit, check_memory, describe_signal
from dippouch.seeds.schema import RATING_SYSTEMS, RESULTS
from dippouch.settings import PROJECT
from support.programs import run_program

SEEDS = PROJECT / "seeds"


def large(tmp_path: Path) -> Path:
    """A collection of three million results in two rating systems, as far as counting goes."""
    for name in (RESULTS.path, RATING_SYSTEMS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / RESULTS.path).write_text("header\n" * 3_000_001)
    (tmp_path / RATING_SYSTEMS).write_text("header\none\ntwo\n")
    return tmp_path


def test_a_refresh_with_a_really_low_limit_says_what_is_needed(tmp_path: Path) -> None:
    done = run_program("refresh_rankings.py", DPTR_WAREHOUSE=tmp_path, DPTR_MEMORY="40MB")
    assert done.returncode == 1
    assert "found 0.0 GB of memory (DPTR_MEMORY=40MB); expected at least 0.2 GB" in done.stderr
    assert "Set DPTR_MEMORY to 1GB or more, or leave it out" in done.stderr
    assert "the last publication is untouched" in done.stderr
    assert not (tmp_path / "rankings.duckdb").exists()


def test_the_need_grows_with_the_updates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "500MB")
    check_memory(SEEDS)
    needed = (memory.BYTES_OF_DUCKDB + memory.BYTES_OF_UPDATE * 6_000_000) / 10**9
    with pytest.raises(UserError, match=rf"expected at least {needed:.1f} GB for 6,000,000 updates"):
        check_memory(large(tmp_path))


def test_a_setting_that_is_no_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "plenty")
    with pytest.raises(UserError, match="DPTR_MEMORY: found `plenty`; expected a size such as `4GB`"):
        check_memory(SEEDS)


@pytest.mark.parametrize("limited", [resource.RLIMIT_AS, resource.RLIMIT_DATA])
def test_a_limit_of_the_shell_counts(limited: int, monkeypatch: pytest.MonkeyPatch) -> None:
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (200_000_000, 0) if kind == limited else unlimited)
    with pytest.raises(UserError, match=r"found 0.2 GB of memory \(`ulimit -[vd]`\); expected at least 0.4 GB"):
        check_memory(SEEDS)


@pytest.mark.parametrize(
    ("said", "file"),
    [
        ("0::/jobs/one\n", "jobs/memory.max"),
        ("9:name=systemd:/\n4:memory:/jobs/one\n", "memory/jobs/one/memory.limit_in_bytes"),
    ],
)
def test_the_limit_of_a_container_counts(said: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text("300000000\n")
    (tmp_path / "cgroup").write_text(said)
    monkeypatch.setattr(memory, "_GROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(memory, "_CGROUPS", tmp_path)
    with pytest.raises(UserError, match=r"found 0.3 GB of memory \(the limit of the control group, .*memory"):
        check_memory(SEEDS)


def test_what_the_machine_has_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_of_process", lambda: iter([Limit(10**8, "the machine's")]))
    with pytest.raises(
        UserError, match=r"found 0.1 GB of memory \(the machine's\).* A machine or a container with more"
    ):
        check_memory(SEEDS)


@pytest.mark.parametrize("number", [signal.SIGFPE, signal.SIGKILL])
def test_a_build_that_is_killed_says_by_what(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = [sys.executable, "-c", f"import os; os.kill(os.getpid(), {int(number)})"]
    monkeypatch.setattr(build, "_command", lambda *_: killed)
    with pytest.raises(UserError, match=f"the build failed: dbt was killed by {number.name}; .*memory"):
        run_dbt_build(SEEDS, tmp_path / "warehouse", target_path=tmp_path / "dbt")


def test_a_build_that_ends_by_itself_was_not_killed() -> None:
    assert [describe_signal(code) for code in (0, 1, 2)] == ["", "", ""]
    assert "SIGKILL" in describe_signal(137)


def test_the_setting_reaches_dbt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "told"
    monkeypatch.setenv(SETTING, "3GB")
    script = f"import os; open({str(told)!r}, 'w').write(os.environ['{SETTING}'])"
    monkeypatch.setattr(build, "_command", lambda *_: [sys.executable, "-c", script])
    with pytest.raises(UserError, match="dbt could not go on"):
        run_dbt_build(SEEDS, tmp_path / "warehouse", target_path=tmp_path / "dbt")
    assert told.read_text() == "3GB"
    assert "DPTR_MEMORY" in (PROJECT / "profiles.yml").read_text()
