"""JSON messages over a pipe between the run and its processes. Never pickles: what an arm says is data."""

from __future__ import annotations

import json
from multiprocessing.connection import Connection
from typing import Any

Message = dict[str, Any]


def send(channel: Connection, message: Message) -> None:
    """Send one message. Raises OSError when the other side is gone."""
    # An undecodable file name in an exception holds lone surrogates, which no document could hold: they become "?".
    channel.send_bytes(json.dumps(message, ensure_ascii=False).encode(errors="replace"))


def receive(channel: Connection) -> Message:
    """The next message. Raises EOFError when the other side is gone and ValueError when it is no JSON object."""
    message = json.loads(channel.recv_bytes())
    if not isinstance(message, dict):
        raise ValueError(f"expected a JSON object, got {type(message).__name__}")
    return message
