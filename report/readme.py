"""The headline table in a README, between two markers: written by one command, and checked against the runs."""

from __future__ import annotations

import difflib

BEGIN, END = "<!-- torchproof:table -->", "<!-- /torchproof:table -->"


class MarkersError(Exception):
    """The text has no single place for the table; the message says what is wrong and what would be right."""


def with_table(text: str, table: str) -> str:
    """``text`` with ``table`` between its markers. Raises MarkersError unless there is one pair of them, in order."""
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        found = f"{BEGIN} {text.count(BEGIN)} times and {END} {text.count(END)} times"
        raise MarkersError(f"has {found}; put each on a line of its own, once, where the table belongs")
    before, rest = text.split(BEGIN)
    if END not in rest:
        raise MarkersError(f"has {END} before {BEGIN}; swap them")
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def difference(text: str, table: str, name: str) -> str:
    """What ``with_table`` would change, as a unified diff; empty when text and table agree."""
    lines = difflib.unified_diff(
        text.splitlines(), with_table(text, table).splitlines(), name, "rebuilt from the results", lineterm=""
    )
    return "\n".join(lines)
