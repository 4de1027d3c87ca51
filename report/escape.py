"""Text from a result is somebody else's: what may be shown of it, in HTML and in Markdown."""

from __future__ import annotations

import re
import unicodedata

# Control and format characters (bidi overrides among them), lone surrogates, private use, line separators.
_UNSHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKDOWN = re.compile(r"([\\`*_{}\[\]#|~$])")
_MENTION = re.compile(r"@(?=\w)")
_LONGEST = 1000


def plain(text: str) -> str:
    """``text`` on one line, without characters that act instead of being seen; each run of those becomes a space."""
    # Nothing printable is unshown, and almost all text is printable.
    if not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in _UNSHOWN else c for c in text)
    return " ".join(text.split())


def clip(text: str, longest: int = _LONGEST) -> str:
    """``text`` as ``plain`` leaves it, cut where it becomes a burden for the page, with how much is missing."""
    shown = plain(text)
    return shown if len(shown) <= longest else f"{shown[:longest]}… (+{len(shown) - longest})"


def markdown(text: str) -> str:
    """``text`` for a Markdown table cell or a line of a list: no cell, mark-up or HTML can begin in it."""
    safe = plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # A bare address would become a link and a name a mention; entities keep it readable and dead.
    marked = _MARKDOWN.sub(r"\\\1", safe)
    return _MENTION.sub("&#64;", marked.replace("://", "&#58;//").replace("www.", "www&#46;"))


def markdown_code(text: str) -> str:
    """``text`` as code in a Markdown table cell; backticks and pipes cannot be escaped there, so they are replaced."""
    return f"`{plain(text).replace('`', chr(0x2BC)).replace('|', chr(0xA6)) or ' '}`"
