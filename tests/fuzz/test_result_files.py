"""Whatever stands in a file, it is a run, or it is named as none; and a run that was read can be judged and written."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bench.claims import Claims, read_claims
from bench.collect import CLAIMS_FILE
from bench.lines import point_line, summary_lines
from bench.results import Run, UnreadableRunError, read_run, to_json
from bench.verdict import check_controls, judge_run
from tests.bench.runs import controls, make_run, timed
from tests.fuzz.mutations import ANYTHING, Mutant, fuzzed, mutated, small

DOCUMENT = small(json.loads(to_json(make_run([timed(0.5), *controls()]))))
TEXT = json.dumps(DOCUMENT).encode()
CLAIMS = read_claims(CLAIMS_FILE)


def read(folder: Path, content: bytes) -> Run | None:
    (path := folder / "run.json").write_bytes(content)
    try:
        return read_run(path)
    except UnreadableRunError as error:
        told = str(error)
    assert told.startswith(str(path))
    assert told.isprintable()
    assert len(told) < 5000
    return None


def is_usable(run: Run, claims: Claims, folder: Path) -> None:
    """What the command that goes on with a run does with it."""
    assert read(folder, to_json(run).encode()) is not None
    for record in run.points:
        point_line(record, claims.by_id())
    summary_lines(run, judge_run(run, claims), check_controls(run))


@given(content=st.binary(max_size=200))
@fuzzed()
def test_any_bytes(content: bytes, folder: Path) -> None:
    assert read(folder, content) is None


@given(document=ANYTHING)
@fuzzed()
def test_any_json(document: object, folder: Path) -> None:
    assert read(folder, json.dumps(document).encode()) is None


@given(data=st.data())
@fuzzed()
def test_damaged_bytes(data: st.DataObject, folder: Path) -> None:
    content = bytearray(TEXT)
    for _ in range(data.draw(st.integers(1, 4))):
        begin = data.draw(st.integers(0, len(content)))
        content[begin : begin + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=8))
    read(folder, bytes(content))


@given(mutant=mutated(DOCUMENT))
@fuzzed()
def test_a_mutated_document(mutant: Mutant, folder: Path) -> None:

    run = read(folder, json.dumps(mutant.document).encode())
    if run is not None:
        is_usable(run, CLAIMS, folder)


@given(mutant=mutated(DOCUMENT, same_type=True))
@fuzzed()
def test_a_document_with_other_values(mutant: Mutant, folder: Path) -> None:

    run = read(folder, json.dumps(mutant.document).encode())
    if run is not None:
        is_usable(run, CLAIMS, folder)
