"""What claims.toml names of the pairs is there."""

import pytest

from bench.claims import read_claims
from bench.collect import CLAIMS_FILE, Declared, load_pairs, practice_files
from bench.plan import points_of
from bench.results import point_id

CLAIMS = read_claims(CLAIMS_FILE)


@pytest.fixture(scope="module")
def declared() -> dict[str, Declared]:
    return {d.id: d for file in practice_files() for d in load_pairs(file)}


def test_every_claim_has_a_pair(declared: dict[str, Declared]) -> None:
    covered = {claim for d in declared.values() for claim in d.pair.claims}
    assert [c.id for c in CLAIMS.claim if c.id not in covered] == []


def test_what_shows_a_contradiction_is_a_pair_or_a_point(declared: dict[str, Declared]) -> None:
    points = {
        point_id(d.id, d.pair.axis.name, v) for d in declared.values() if d.pair.axis for v in points_of(d, "full")
    }
    named = [name for c in CLAIMS.contradiction for name in c.shown_by]
    assert [name for name in named if name not in points and name not in declared] == []
    assert all(c.shown_by or c.shown_by_usage for c in CLAIMS.contradiction)


def test_every_row_of_a_documents_table_has_its_pairs_and_its_arm(declared: dict[str, Declared]) -> None:
    for row in (row for table in CLAIMS.table for row in table.row):
        assert set(row.pairs) <= set(declared), row
        pairs = [
            d.pair for d in declared.values() if row.claim in d.pair.claims and (not row.pairs or d.id in row.pairs)
        ]
        measurable = row.claim in CLAIMS.by_id()
        assert any(row.arm in pair.arms for pair in pairs) or not measurable, row
