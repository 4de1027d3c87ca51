"""Ending a run by Ctrl-C or SIGTERM without losing what has landed."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType


@contextlib.contextmanager
def interrupts() -> Iterator[Callable[[], None]]:
    """SIGTERM ends a run as Ctrl-C does: what has landed is kept, and the way to go on is printed.

    Gives a check that raises KeyboardInterrupt again: Python drops one that strikes while it tidies an object away.
    """
    asked = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        raise KeyboardInterrupt

    def check() -> None:
        if asked:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield check
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
