from pathlib import Path

import pytest
import torch

from suites.data.mask_padding import PAIR
from suites.workloads.sequences import PADDING, Padded, output, truth
from tests.suites.points import metrics


@pytest.mark.parametrize("use", ["attention", "loss", "mean-pooling"])
def test_only_a_mask_gives_each_sequence_its_own_output(tmp_path: Path, use: str) -> None:
    errors = metrics(PAIR, tmp_path, use)["output error"]
    assert errors["anti_pattern"] > 0.01
    assert errors["recommended"] == pytest.approx(0, abs=1e-5)


def test_equal_lengths_need_no_mask(tmp_path: Path) -> None:
    errors = metrics(PAIR, tmp_path, "equal-lengths")["output error"]
    assert errors["anti_pattern"] == pytest.approx(0, abs=1e-5)


# Token 0 is both a real token and the padding's id, so ids != 0 loses the first position of the second sequence, and
# the mean of 0 and 3 becomes 3. Unmasked, the padding of the first counts: (1 + 0) / 2.
def test_a_mask_by_id_loses_real_tokens_of_the_padding_id() -> None:
    ids = torch.tensor([[1, PADDING], [0, 3]])
    real = torch.tensor([[True, False], [True, True]])
    padded = Padded(ids, torch.arange(4.0)[:, None], ids, real, "mean-pooling")
    assert truth(padded).flatten().tolist() == [1.0, 1.5]
    assert output(padded, real).flatten().tolist() == [1.0, 1.5]
    assert output(padded, ids != PADDING).flatten().tolist() == [1.0, 3.0]
    assert output(padded, torch.ones_like(real)).flatten().tolist() == [0.5, 1.5]
