"""Readers who query, each in a process of its own, while a file is published repeatedly."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from queue import Empty
from typing import NamedTuple, Self

# The question of a reader: a picklable function that returns the answer as text.
Ask = Callable[[], str]


class Heard(NamedTuple):
    """A reader's answer, or the error that disturbed them."""

    answer: str
    fault: str


class Readers:
    """Readers who query inside a `with` block, each in a process of its own, with a pause between two questions."""

    def __init__(self, asks: Sequence[Ask], pause: float = 0.0) -> None:
        context = get_context("spawn")
        self._pause = pause
        self._heard: Queue[Heard] = context.Queue()
        self._ended, self._asking = context.Event(), context.Event()
        shared = (pause, self._heard, self._ended, self._asking)
        self._processes = [context.Process(target=_ask_on, args=(ask, *shared), daemon=True) for ask in asks]

    def __enter__(self) -> Self:
        self._asking.set()
        for process in self._processes:
            process.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        for process in self._processes:
            process.join(timeout=10)
            process.kill()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Pause all readers within the block."""
        self._asking.clear()
        time.sleep(3 * self._pause)
        try:
            yield
        finally:
            self._asking.set()

    def heard(self) -> Iterator[Heard]:
        """Yield the answers since the last call; raise an `AssertionError` if a reader has ended."""
        for number, process in enumerate(self._processes):
            assert process.exitcode is None, f"reader {number} ended with exit code {process.exitcode}"
        with suppress(Empty):
            while True:
                yield self._heard.get(timeout=0.01)


def _ask_on(ask: Ask, pause: float, heard: Queue[Heard], ended: Event, asking: Event) -> None:
    # A parent that is killed cannot tell its readers to end.
    parent = os.getppid()
    while not ended.is_set() and os.getppid() == parent:
        if not asking.wait(timeout=1):
            continue
        answer = fault = ""
        try:
            answer = ask()
        except Exception as error:  # noqa: BLE001 (any error disturbs a reader)
            fault = f"{type(error).__name__}: {error}"
        heard.put(Heard(answer, fault))
        time.sleep(pause)
