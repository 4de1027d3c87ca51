"""The run document: written whole, read back, and whatever is no run document named with the reason."""

import json
import os
import re
from pathlib import Path

import pytest

from bench import store
from bench.results import PointRecord, Run, UnreadableRunError, Values, read_run, read_runs, to_json
from tests.bench.runs import make_run


def test_a_run_reads_back_as_it_was_written(tmp_path: Path) -> None:
    run = make_run()
    path = store.path_of(run, tmp_path)
    store.write(run, path)
    assert read_run(path) == run
    assert [p.name for p in path.parent.iterdir()] == ["run.json"]


def test_one_point_is_one_line() -> None:
    lines = to_json(make_run()).splitlines()
    assert sum('"pair":"tensors/' in line for line in lines) == len(make_run().points)


def test_numbers_that_are_not_finite_survive(tmp_path: Path) -> None:
    values = {"g": Values(by_arm={"anti_pattern": [float("inf"), float("nan")]})}
    record = PointRecord(pair="a/b", claims=[], device="cpu", status="measured", values=values)
    store.write(run := make_run([record]), path := store.path_of(run, tmp_path))
    assert str(read_run(path).points[0].values["g"].by_arm["anti_pattern"]) == "[inf, nan]"


def test_fields_of_a_newer_version_are_tolerated(tmp_path: Path) -> None:
    document = json.loads(to_json(make_run()))
    document |= {"version": 99, "colour": "green"}
    document["points"][0]["mood"] = {"deep": [1]}
    (path := tmp_path / "run.json").write_text(json.dumps(document))
    assert read_run(path).version == 99


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe\x00",
        b'{"schema": "something/else"}',
        b"[" * 100_000,
        to_json(make_run()).encode()[:-40],
        to_json(make_run()).replace('"quick"', '"slow"').encode(),
        to_json(make_run()).replace('"host":{', '"host":{"x":[-1.0],').encode(),
    ],
)
def test_what_is_no_run_document_is_named_and_left_out(tmp_path: Path, content: bytes) -> None:
    (bad := tmp_path / "bad.json").write_bytes(content)
    store.write(make_run(), good := tmp_path / "good.json")
    runs, left_out = read_runs([bad, good])
    assert len(runs) == 1
    assert len(left_out) == 1
    assert str(bad) in left_out[0]


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    document = json.loads(to_json(make_run())) | {"seed": "x", "profile": "y"}
    (bad := tmp_path / "bad.json").write_text(json.dumps(document))
    with pytest.raises(UnreadableRunError) as raised:
        read_run(bad)
    assert "seed" in str(raised.value)
    assert "profile" in str(raised.value)


def test_a_huge_file_is_not_even_read(tmp_path: Path) -> None:
    with (bad := tmp_path / "huge.json").open("wb") as file:
        file.truncate(2**30)
    with pytest.raises(UnreadableRunError, match=r"1073741824 bytes > \d+ allowed"):
        read_run(bad)


@pytest.mark.parametrize(
    "faults",
    [
        {"points": [1] * 300_000},
        {"machine": {"gpus": [1] * 300_000}},
        {"environment": {"flags": {str(i): 1 for i in range(30_000)}}},
    ],
)
def test_a_file_made_of_faults_is_refused_without_telling_them_all(tmp_path: Path, faults: dict[str, object]) -> None:
    """Each fault that is told costs a kilobyte of memory, and a file of the allowed size holds eight million."""
    document = json.loads(to_json(make_run([]))) | faults
    (bad := tmp_path / "bad.json").write_text(json.dumps(document))
    with pytest.raises(UnreadableRunError) as raised:
        read_run(bad)
    assert re.fullmatch(r".{,500}( and \d more)?", str(raised.value))


def test_a_later_version_that_cannot_be_read_is_told_as_such(tmp_path: Path) -> None:
    document = json.loads(to_json(make_run())) | {"version": 2, "profile": "weekly"}
    (path := tmp_path / "run.json").write_text(json.dumps(document))
    with pytest.raises(UnreadableRunError, match=r"written by a newer torchproof \(document version 2 > 1\)"):
        read_run(path)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        with pytest.raises(UnreadableRunError, match="not a file"):
            read_run(path)


def test_a_document_cut_anywhere_is_no_document(tmp_path: Path) -> None:
    whole = to_json(make_run()).encode().rstrip()
    for length in range(0, len(whole), 97):
        (path := tmp_path / "run.json").write_bytes(whole[:length])
        with pytest.raises(UnreadableRunError, match="not a run document"):
            read_run(path)


def test_a_machine_name_cannot_leave_the_results_folder() -> None:
    document = to_json(make_run()).replace('"name":"box"', '"name":"../../etc"')
    with pytest.raises(ValueError, match="pattern"):
        Run.model_validate_json(document)
