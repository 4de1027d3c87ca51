"""Recorded durations shown to pytest-benchmark as if they passed now."""

from __future__ import annotations

from collections.abc import Sequence


class ReplayTimer:
    """A clock for pytest-benchmark that shows 0 and then a recorded duration, round after round."""

    __name__ = "torchproof_replay"

    def __init__(self) -> None:
        self._ticks: list[float] = []
        self.rounds = 0

    def load(self, durations: Sequence[float]) -> None:
        """The durations in seconds that the next rounds will seem to take."""
        self.rounds = len(durations)
        self._ticks = [t for d in reversed(durations) for t in (d, 0.0)]

    def __call__(self) -> float:
        """The next reading, in seconds."""
        return self._ticks.pop()


def nothing() -> None:
    """What pytest-benchmark runs while the recorded durations are replayed."""
