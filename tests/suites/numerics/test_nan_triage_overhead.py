from pathlib import Path

from suites.numerics import nan_triage_overhead
from tests.suites.points import metrics


def test_looking_reads_one_value_a_step(tmp_path: Path) -> None:
    reads = metrics(nan_triage_overhead.PAIR, tmp_path, "twelve-layers")["values read from the device"]
    assert reads == {"anti_pattern": 0, "recommended": 1, "anomaly_mode_always": 0}
