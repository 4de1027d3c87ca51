from __future__ import annotations

import pytest

from bench.claims import Claims, Table
from bench.results import Run
from bench.verdict import judge_run
from report.document_tables import DocumentTable, document_tables
from report.words import words_of

ROWS = [
    {"claim": "checkpoint-memory", "said_en": "saves memory", "said_zh": "省内存"},
    {"claim": "reshape-copies", "arm": "contiguous_inside"},
    {"claim": "quantise"},
    {"claim": "read-the-manual"},
]


@pytest.fixture
def table(run: Run, claims: Claims) -> DocumentTable:
    rows = [{"label_en": r["claim"], "label_zh": "行", **r} for r in ROWS]
    fields = {"id": "t", "source": "G", "section": "5", "title_en": "T", "title_zh": "表"}
    made = Table.model_validate({**fields, "metrics": ["peak_memory", "time"], "row": rows})
    (found,) = document_tables(judge_run(run, claims), claims.model_copy(update={"table": (made,)}), words_of("en"))
    return found


def test_promised_and_measured_stand_beside_each_other(table: DocumentTable) -> None:
    memory, time = table.rows[0].cells
    assert (memory.promised, time.promised) == ("30-50 % less", "")
    (line,) = memory.measured
    assert line.startswith("● −31.0 % peak memory [−31.0, −31.0] (")
    assert " → " in line
    assert table.promises == (True, False)


def test_a_row_may_show_another_arm_at_the_points_that_have_it(table: DocumentTable) -> None:
    _, time = table.rows[1].cells
    (line,) = time.measured
    assert line.startswith("4096: ● 1.1")


def test_a_row_without_a_measurement_says_why(table: DocumentTable) -> None:
    assert table.rows[2].reason == "recommended raises ImportError"
    assert table.rows[3].reason == "no arm can read"
