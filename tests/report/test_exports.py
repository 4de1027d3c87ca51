"""The exports against the schemas they follow: required keys, types, intervals around the value, nothing hostile."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.claims import Claims
from bench.results import Machine, PointRecord, Run
from bench.verdict import judge_run
from report.__main__ import main
from report.exports import bencher, github_action, numbers, pytorch_v3
from report.junit import junit

MakeRun = Callable[..., Run]

# junit-10.xsd of Jenkins' xUnit plugin: what an element may hold, and which attributes it must and may have.
SCHEMA: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": ({"testsuite"}, set(), {"name", "time", "tests", "failures", "errors"}),
    "testsuite": (
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
    ),
    "properties": ({"property"}, set(), set()),
    "property": (set(), {"name", "value"}, set()),
    "testcase": ({"skipped", "error", "failure", "system-out", "system-err"}, {"name"}, {"time", "classname", "group"}),
    "skipped": (set(), set(), {"type", "message"}),
    "error": (set(), set(), {"type", "message"}),
    "system-out": (set(), set(), set()),
}


def test_numbers_have_their_interval_and_come_once(run: Run, claims: Claims) -> None:
    found = numbers(run, claims)
    keys = [(n.name, n.judgement.metric.name) for n in found]
    assert len(keys) == len(set(keys)) > 8
    assert all(n.low <= n.value <= n.high for n in found)
    halved = next(n for n in found if n.name == "tensors/reshape-copies[rows=4096]")
    assert halved.value == pytest.approx(0.25, rel=0.02)
    assert halved.unit == "recommended / anti_pattern"
    assert any(n.name.endswith(" contiguous_inside") for n in found)


def test_pytorch_v3_has_what_its_table_takes(run: Run, claims: Claims) -> None:
    records = json.loads(pytorch_v3(run, claims))
    assert len(records) == len(numbers(run, claims))
    for record in records:
        assert record["benchmark"]["name"] == "torchproof"
        assert isinstance(record["model"]["name"], str)
        values = record["metric"]["benchmark_values"]
        assert values
        assert all(isinstance(v, float) and math.isfinite(v) for v in values)
        extras = [record[part]["extra_info"] for part in ("benchmark", "model", "metric")]
        assert all(isinstance(v, str) for extra in extras for v in extra.values())
        about = extras[0]
        assert float(about["lower"]) <= float(about["value"]) <= float(about["upper"])
        assert about["verdict"]
        (runner,) = record["runners"]
        assert all(isinstance(runner[k], int) for k in ("cpu_count", "gpu_count", "avail_mem_in_gb"))
        assert record["dependencies"]["pytorch"]["version"] == "2.14.1+cpu"


def test_bencher_has_values_between_their_bounds(run: Run, claims: Claims) -> None:
    document = json.loads(bencher(run, claims))
    assert set(document["checkpoint/checkpoint-memory"]) == {"peak-memory", "time"}
    for name, measures in document.items():
        assert 0 < len(name) <= 1024
        for measure, metric in measures.items():
            assert 0 < len(measure) <= 64
            assert set(metric) == {"value", "lower_value", "upper_value"}
            assert metric["lower_value"] <= metric["value"] <= metric["upper_value"]


def test_github_action_compares_ratios_of_which_less_is_better(run: Run, claims: Claims) -> None:
    entries = json.loads(github_action(run, claims))
    assert len({e["name"] for e in entries}) == len(entries)
    for entry in entries:
        assert {k: type(v) for k, v in entry.items()} == {
            "name": str,
            "unit": str,
            "value": float,
            "range": str,
            "extra": str,
        }
        assert entry["value"] > 0
    assert not any("accuracy" in e["name"] for e in entries)


def test_github_action_turns_ratios_around_of_which_more_is_better(
    make_run: MakeRun,
    make_record: Callable[..., PointRecord],
    make_controls: Callable[[], list[PointRecord]],
    claims: Claims,
) -> None:
    record = make_record("tensors/one", "reshape-copies", 0.5, seed=1)
    record.metrics = [record.metrics[0].model_copy(update={"better": "higher"})]
    (entry,) = json.loads(github_action(make_run(points=[*make_controls(), record]), claims))
    assert entry["value"] == pytest.approx(2.0, rel=0.02)
    low, high = map(float, entry["range"].split(" to "))
    assert low <= entry["value"] <= high


def test_junit_follows_the_schema_and_only_what_is_broken_is_an_error(run: Run, claims: Claims) -> None:
    root = ET.fromstring(junit(run, claims))
    for element in root.iter():
        children, must, may = SCHEMA[element.tag]
        assert {c.tag for c in element} <= children
        assert must <= set(element.attrib) <= must | may
    by_claim = {s.get("name"): s for s in root.iter("testsuite")}
    told = {c.claim.id: str(c.verdict) for c in judge_run(run, claims) if c.records}
    properties = {
        name: {p.get("name"): p.get("value") for p in suite.iter("property")} for name, suite in by_claim.items()
    }
    assert {name: properties[name]["verdict"] for name in told} == told
    assert properties["reshape-copies"]["tensors/reshape-copies[rows=4096] recommended time"].startswith(
        "CONFIRMED ×0.2"
    )
    assert [e.get("message") for e in root.iter("error")] == ["recommended raises ImportError"]
    assert root.find(".//failure") is None
    assert (root.get("tests"), root.get("errors"), root.get("failures")) == (str(len(told)), "1", "0")
    skipped = {s.get("name") for s in root.iter("testsuite") if s.find("testcase/skipped") is not None}
    assert skipped == {"device-hops", "pinned-memory"}


def test_text_from_a_hostile_result_stays_text(
    make_run: MakeRun, make_pairs: Callable[[], list[PointRecord]], claims: Claims, hostile: str
) -> None:
    machine = Machine(name="box", cpu=hostile, cores=2, memory_gib=8.0, system=hostile, gpus=[hostile])
    points = [p.model_copy(update={"reason": p.reason and hostile, "said": [hostile]}) for p in make_pairs()]
    run = make_run(machine=machine, points=points, started=hostile)
    for text in (junit(run, claims), pytorch_v3(run, claims), bencher(run, claims), github_action(run, claims)):
        assert not any(c in text for c in "\x00\x1b\u202e")
    assert "<script>" not in junit(run, claims)
    ET.fromstring(junit(run, claims))


def test_the_command_writes_a_file_or_to_the_terminal(
    tmp_path: Path,
    run: Run,
    save: Callable[[Run, Path], Path],
    claims_file: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = save(run, tmp_path)
    arguments = ["export", str(path.parent), "--claims", str(claims_file), "--format", "bencher"]
    assert main(arguments) == 0
    to_terminal = capsys.readouterr().out
    assert main([*arguments, "--out", str(tmp_path / "deep" / "bmf.json")]) == 0
    assert (tmp_path / "deep" / "bmf.json").read_text(encoding="utf-8") == to_terminal
    assert main(["export", str(tmp_path / "none"), "--claims", str(claims_file), "--format", "junit"]) == 2
