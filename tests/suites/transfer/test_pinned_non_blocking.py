from pathlib import Path

from suites.transfer.pinned_non_blocking import PAIR
from suites.workloads.timelines import Timeline, overlap, total
from tests.suites.points import results


# Eight batches through n products each: one mean per batch.
def test_every_batch_is_computed(tmp_path: Path) -> None:
    assert {len(found) for found in results(PAIR, tmp_path, 2).values()} == {8}


# Copies from 0 to 2 and from 3 to 4 take 3 s, of which 1 to 2 and 3 to 3.5 lie beside products.
def test_overlap_is_the_share_of_the_copying_beside_products() -> None:
    copies = [(0.0, 2.0), (3.0, 4.0)]
    assert total(copies) == 3
    assert overlap(copies, [(1.0, 3.5)]) == 0.5
    assert overlap(copies, [(2.0, 3.0), (4.0, 9.0)]) == 0
    assert overlap([], copies) == 0


def test_without_a_gpu_nothing_is_marked() -> None:
    timeline = Timeline(marking=False)
    with timeline.span("copy"):
        pass
    assert timeline.spans("copy") == []
