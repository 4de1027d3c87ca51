from pathlib import Path

import pytest
import torch

from suites.data import pad_to_batch_max
from suites.workloads.line_training import LineTraining, one_pass
from suites.workloads.padding import by_length, longest_of
from suites.workloads.texts import PADDING, load_texts, words_of
from tests.suites.points import metrics


class Mean(torch.nn.Module):
    """Scores for two topics from the mean of the ids that are no padding."""

    def __init__(self) -> None:
        super().__init__()
        self.slope = torch.nn.Parameter(torch.tensor([1.0, -1.0]))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return ids.sum(1, keepdim=True) / (ids != PADDING).sum(1, keepdim=True) * self.slope


# Lines of 1, 6, 2 and 3 words in batches of two: 12 words stand in 4 x 6 places padded to the longest of all, in
# 2 x 6 + 2 x 3 padded to the batch's longest, and by length (1 and 2, then 3 and 6) in 2 x 2 + 2 x 6.
def test_how_much_is_padding() -> None:
    lines = [torch.arange(1, n + 1) for n in (1, 6, 2, 3)]
    training = LineTraining(Mean(), lines, torch.tensor([0, 1, 0, 1]), longest=6, batch=2, compiled=False)
    passes = {
        12 / 24: one_pass(training, lambda batch: 6)(),
        6 / 18: one_pass(training, longest_of)(),
        4 / 16: one_pass(training, longest_of, bucketed=True)(),
    }
    for padding, result in passes.items():
        assert result["padding"] == pytest.approx(padding)
        torch.testing.assert_close(result["losses"], passes[12 / 24]["losses"])


def test_sorting_by_length_keeps_the_order_of_equals() -> None:
    assert by_length([torch.zeros(n) for n in (3, 1, 3, 2)]) == [1, 3, 0, 2]


def test_less_padding_and_the_same_losses_on_real_text(tmp_path: Path) -> None:
    pytest.importorskip("chatterbot_corpus")
    padding = metrics(pad_to_batch_max.PAIR, tmp_path, 8)["padding share"]
    assert padding["anti_pattern"] > padding["recommended"] > padding["length_buckets"]


def test_words_are_cut_at_what_is_between_them() -> None:
    assert words_of("What's 2+2?  Four -- I think.") == ["what's", "2", "2", "four", "i", "think"]


def test_every_line_has_words_and_a_topic() -> None:
    pytest.importorskip("chatterbot_corpus")
    texts = load_texts()
    assert len(texts.lines) == len(texts.labels)
    assert min(int(line.min()) for line in texts.lines) == PADDING + 1
    assert max(int(line.max()) for line in texts.lines) == texts.words - 1
    assert sorted(set(texts.labels.tolist())) == list(range(len(texts.topics)))
