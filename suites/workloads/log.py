"""The log of a training."""

from __future__ import annotations

import io
from itertools import count

from torch import Tensor


class Log:
    """A training's log, in memory: a line for each ``every``-th loss, whose number has to be there by then."""

    def __init__(self, every: int) -> None:
        self.text = io.StringIO()
        self._every, self._noted = every, count(1)

    def note(self, loss: Tensor) -> Tensor:
        """Write the loss down if it is its turn, and hand it back."""
        number = next(self._noted)
        if number % self._every == 0:
            print(f"batch {number}: loss {loss.detach()}", file=self.text)
        return loss
