from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.claims import Claims
from bench.results import Machine, PointRecord, Run
from report.select import select

Save = Callable[[Run, Path], Path]


@pytest.fixture
def results(tmp_path: Path, make_run: Callable[..., Run], save: Save) -> Path:
    """Two machines; the first has an old run, a newer one, and one that was not finished."""
    folder = tmp_path / "results"
    other = Machine(name="gpu-box", cpu="x", cores=8, memory_gib=64, system="Linux")
    save(make_run(id="old", started="2026-01-01T00:00:00+00:00", points=[]), folder)
    # An hour later than the old one, though its text sorts before that.
    save(make_run(id="newer", started="2025-12-31T23:00:00-02:00", points=[]), folder)
    save(make_run(id="cut", started="2026-01-03T00:00:00+00:00", finished=None, points=[]), folder)
    save(make_run(id="other", machine=other, started="2025-06-01T00:00:00+00:00", points=[]), folder)
    return folder


def test_without_arguments_the_newest_finished_run_of_each_machine(results: Path, claims: Claims) -> None:
    chosen = select([], results, claims)
    assert [r.id for r in chosen.runs] == ["newer", "other"]
    assert chosen.left_out == ()


def test_a_named_run_is_taken_as_it_is(results: Path, claims: Claims) -> None:
    machine = results / "two-cores"
    cut = machine / "cut"
    assert [r.id for r in select([cut], results, claims).runs] == ["cut"]
    assert [r.id for r in select([cut / "run.json", machine / "old"], results, claims).runs] == ["cut", "old"]
    assert [r.id for r in select([machine, machine], results, claims).runs] == ["newer"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"schema": "torchproof/run", "id"', "not a run document"),
        (b'{"version": "foreign"}', "not a run document"),
        (b"[NaN]", "not a run document"),
        (b"\xff\xfe\x00", "not a run document"),
        (b"", "not a run document"),
    ],
)
def test_damaged_files_are_named_and_left_out(results: Path, claims: Claims, content: bytes, reason: str) -> None:
    bad = results / "two-cores" / "bad.json"
    bad.write_bytes(content)
    chosen = select([], results, claims)
    assert [r.id for r in chosen.runs] == ["newer", "other"]
    assert len(chosen.left_out) == 1
    assert chosen.left_out[0].startswith(str(bad))
    assert reason in chosen.left_out[0]


def test_what_is_still_being_written_is_not_read(results: Path, claims: Claims) -> None:
    (results / "two-cores" / "old" / ".run-abc.json").write_text("{", encoding="utf-8")
    assert select([], results, claims).left_out == ()


def test_a_missing_file_is_named(tmp_path: Path, claims: Claims) -> None:
    chosen = select([tmp_path / "none.json"], tmp_path, claims)
    assert chosen.runs == ()
    assert "cannot be read" in chosen.left_out[0]


def test_a_document_that_cannot_be_judged_is_left_out(
    tmp_path: Path,
    make_run: Callable[..., Run],
    make_record: Callable[..., PointRecord],
    save: Save,
    claims: Claims,
) -> None:
    wild = make_record("a/b", "set-to-none", 1.0, seed=1)
    wild.metrics = [wild.metrics[0].model_copy(update={"zone": -3.0})]
    path = save(make_run(points=[wild]), tmp_path)
    chosen = select([path], tmp_path, claims)
    assert chosen.runs == ()
    assert "zone: Input should be greater than or equal to 0" in chosen.left_out[0]
