"""Reads runs and says what they say: tables, a chart, a page, Markdown. Never measures."""

from report.tables import tables
from report.view import View, look

__all__ = ["View", "look", "tables"]
