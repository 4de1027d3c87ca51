"""The life of one usage in its own process: run as a document writes it, with every warning kept."""

from __future__ import annotations

import tempfile
import warnings
from multiprocessing.connection import Connection
from pathlib import Path

from bench import wire
from bench.arm import Outcome, distinct, settle
from bench.collect import load_usages
from bench.devices import device_named
from bench.pair import Setup


def live(channel: Connection, request: wire.Message) -> None:
    """Use it once when the run asks, and say how that went."""
    settle(request)
    written = next(w for w in load_usages(Path(request["file"])) if w.name == request["usage"])
    wire.receive(channel)
    outcome, device = Outcome(), device_named(request["device"])
    with tempfile.TemporaryDirectory(dir=request["folder"]) as folder:
        setup = Setup(device.torch_device, Path(folder), seed=request["seed"], smoke=True)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with outcome:
                written.as_written.usage(setup)
                device.synchronize()
    wire.send(channel, {"outcome": outcome.said, "warnings": distinct(caught)})
