from pathlib import Path

import pytest

from bench.claims import ClaimsError, read_claims

GOOD = """
[sources.G]
title_en = "guide"
title_zh = "指南"
[[claim]]
id = "one"
topic = "tensors"
source = "G"
section = "2.1"
metric = "time"
hardware = ["cpu"]
advice_en = "do"
advice_zh = "做"
"""


def faults(tmp_path: Path, text: str) -> str:
    (file := tmp_path / "claims.toml").write_text(text)
    with pytest.raises(ClaimsError) as raised:
        read_claims(file)
    return str(raised.value)


def test_a_good_file_is_read(tmp_path: Path) -> None:
    (file := tmp_path / "claims.toml").write_text(GOOD)
    assert read_claims(file).by_id()["one"].places == "G 2.1"


def test_every_fault_is_told_with_its_place(tmp_path: Path) -> None:
    bad = GOOD.replace('metric = "time"', 'metric = "speed"').replace('section = "2.1"', "sektion = 1")
    told = faults(tmp_path, bad)
    assert "claim.[1].metric" in told
    assert "claim.[1].section: Field required" in told
    assert "claim.[1].sektion: Extra inputs" in told


def test_ids_are_unique_and_references_exist(tmp_path: Path) -> None:
    doubled = GOOD + GOOD[GOOD.index("[[claim]]") :].replace('source = "G"', 'source = "X"')
    doubled += '[[contradiction]]\nid = "c"\nclaims = ["nowhere"]\ntext_en = "a"\ntext_zh = "b"\n'
    told = faults(tmp_path, doubled)
    assert "the id 'one' is used twice" in told
    assert "source 'X' is not under [sources]" in told
    assert "there is no claim 'nowhere'" in told


def test_a_promise_has_its_ends_in_order(tmp_path: Path) -> None:
    upside_down = 'promised = [{ metric = "time", low = 0.7, high = 0.6, text_en = "x", text_zh = "y" }]\n'
    assert "low 0.7 > high 0.6" in faults(tmp_path, GOOD + upside_down)


@pytest.mark.parametrize("text", ["not toml [", ""])
def test_what_is_no_claims_file_is_told(tmp_path: Path, text: str) -> None:
    assert "claims.toml" in faults(tmp_path, text)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ClaimsError, match=r"nothing\.toml"):
        read_claims(tmp_path / "nothing.toml")
