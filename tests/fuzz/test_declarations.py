"""Whatever is declared, and whatever stands in the claims file: every fault is told, a line each; nothing crashes."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import AsWritten, Axis, Metric, Needs, Pair, exactly, time
from bench.claims import Claim, Claims, ClaimsError, read_claims
from bench.collect import CLAIMS_FILE, Declared, Written, _faults, _usage_faults
from tests.fuzz.mutations import ANYTHING, SCALARS, Mutant, fuzzed, mutated

CLAIMS = tomllib.loads(CLAIMS_FILE.read_text(encoding="utf-8"))
for _entries in ("claim", "unmeasured", "contradiction", "table"):
    del CLAIMS[_entries][4:]


def arm(x: object) -> Any:
    return lambda: x


GOOD = Pair(claims=("known",), inputs=arm, anti_pattern=arm, recommended=arm, same=exactly, metrics=(time,))
USAGE = AsWritten(claim="known", where="G 1", usage=arm)
KNOWN = {
    "known": Claim(
        id="known", topic="t", source="G", section="1", metric="time", hardware=("cpu",), advice_en="a", advice_zh="b"
    )
}
AXES = st.builds(Axis, ANYTHING, full=ANYTHING, quick=ANYTHING, smoke=st.just(()), outside=st.lists(SCALARS))
NEEDS = st.builds(Needs, cuda=st.booleans(), gpus=ANYTHING, packages=ANYTHING, cores=ANYTHING)
FACTORIES = st.sampled_from([arm, len, dict, print, Pair, lambda: 1, lambda a, b: 1, 3])
METRICS = st.lists(st.sampled_from([time, Metric("loss", "time", "s")]) | ANYTHING, max_size=3)
FIELDS = ANYTHING | AXES | NEEDS | FACTORIES | METRICS | st.dictionaries(st.text(max_size=9), FACTORIES | ANYTHING)


def changed(declared: Any) -> st.SearchStrategy[Any]:
    """The declaration with up to four fields that are something else."""
    names = [f.name for f in dataclasses.fields(declared)]
    fields = st.dictionaries(st.sampled_from(names), FIELDS, min_size=1, max_size=4)
    return fields.map(lambda found: dataclasses.replace(declared, **found))


def check(faults: list[str]) -> None:
    for line in faults:
        assert line.startswith("practice.py:7: ")
        assert "; " in line


@given(pair=changed(GOOD))
@fuzzed(60)
def test_any_pair(pair: Pair[Any]) -> None:
    check(_faults(Declared("topic/practice", pair, Path("practice.py"), 7), KNOWN))


@given(usage=changed(USAGE))
@fuzzed(60)
def test_any_usage(usage: AsWritten) -> None:
    check(_usage_faults(Written("ONE", usage, Path("practice.py"), 7), KNOWN))


def test_the_good_ones_have_no_fault() -> None:
    assert _faults(Declared("topic/practice", GOOD, Path("practice.py"), 7), KNOWN) == []
    assert _usage_faults(Written("ONE", USAGE, Path("practice.py"), 7), KNOWN) == []


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"metrics": time}, "has metrics=Metric("),
        ({"claims": "known"}, "has claims='known'; write it like claims=(\"claim-id\",)"),
        ({"zone": "2 %"}, "has zone='2 %'; write it like zone=0.02"),
        ({"timeout": float("nan")}, "has the timeout nan s"),
        ({"axis": Axis("shape", full=((3, 4),))}, "has the point shape=(3, 4)"),
        ({"axis": Axis("pinned", full=(False, True))}, "has the point pinned=False"),
        ({"environment": {"recommended": {"THREADS": 1}}}, "gives recommended the environment {'THREADS': 1}"),
        ({"inputs": len}, ""),
    ],
)
def test_what_mypy_would_have_told_is_told(fields: dict[str, Any], told: str) -> None:
    faults = _faults(Declared("topic/practice", dataclasses.replace(GOOD, **fields), Path("practice.py"), 7), KNOWN)
    assert told in "\n".join(faults)
    assert bool(faults) == bool(told)


def as_toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k, ensure_ascii=False)} = {as_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    if isinstance(value, float) or value is None:
        return repr(value).replace("None", "''")
    return json.dumps(value, ensure_ascii=False)


def read(folder: Path, content: bytes) -> Claims | None:
    (path := folder / "claims.toml").write_bytes(content)
    try:
        return read_claims(path)
    except ClaimsError as error:
        told = str(error)
    assert all(line.startswith(str(path)) for line in told.split("\n"))
    return None


@given(mutant=mutated(CLAIMS))
@fuzzed()
def test_a_mutated_claims_file(mutant: Mutant, folder: Path) -> None:
    text = "\n".join(f"{json.dumps(k)} = {as_toml(v)}" for k, v in dict(mutant.document).items())
    found = read(folder, text.encode())
    for claim in found.claim if found is not None else ():
        assert claim.places


@given(content=st.binary(max_size=200), at=st.integers(0, 3000))
@fuzzed()
def test_a_damaged_claims_file(content: bytes, at: int, folder: Path) -> None:
    whole = CLAIMS_FILE.read_bytes()
    read(folder, whole[:at] + content + whole[at + len(content) :])
    read(folder, content)


@pytest.mark.parametrize("content", [b"x = " + b"[" * 100_000, b"\xff\xfe", b"x = 1" + b"0" * 5000, b"a.b" * 10_000])
def test_a_hostile_claims_file(content: bytes, folder: Path) -> None:
    assert read(folder, content) is None
