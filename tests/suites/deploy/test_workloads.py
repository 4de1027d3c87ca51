from pathlib import Path

import pytest
import torch

from bench import Setup
from suites.workloads import minilm
from suites.workloads.deployed import deployment, share_right
from suites.workloads.digits import PIXELS, load_digits
from suites.workloads.sentences import load_vocabulary, nearest, token_ids, without_padding

pytest.importorskip("sklearn")

WORDS = {t: i for i, t in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "cafe", "!", "_"])}


def test_digits_are_split_without_overlap() -> None:
    digits = load_digits(seed=1)
    assert digits.train_x.shape == (1348, PIXELS)
    assert digits.test_x.shape == (449, PIXELS)
    assert [float(digits.train_x.amin()), float(digits.train_x.amax())] == [0, 1]
    assert not load_digits(seed=2).test_x.equal(digits.test_x)
    # Each of the 1,797 images is in one of the parts, whatever the seed.
    whole = sum(float(part.sum()) for part in (digits.train_x, digits.test_x))
    other = load_digits(seed=2)
    assert whole == pytest.approx(float(other.train_x.sum() + other.test_x.sum()), rel=1e-6)


@pytest.mark.parametrize(
    ("line", "ids"),
    [("Unaffable!", [2, 4, 5, 6, 8, 3]), ("Café_", [2, 7, 9, 3]), ("unknown", [2, 1, 3]), ("", [2, 3])],
)
def test_words_are_cut_into_the_longest_pieces(line: str, ids: list[int]) -> None:
    assert token_ids(line, WORDS) == ids


def test_padding_changes_no_embedding() -> None:
    model = minilm.tiny()
    ids = torch.tensor([[3, 4, 5, 0, 0], [6, 7, 0, 0, 0]])
    assert without_padding(ids).shape == (2, 3)
    alone = torch.cat([model(ids[:1, :3]), model(ids[1:, :2])])
    torch.testing.assert_close(model(ids), alone, rtol=1e-5, atol=1e-6)


# Lines on a circle at 0, 10, 20 ... degrees: a line's ten nearest are the next five on either side, and not itself.
def test_the_nearest_lines_leave_out_the_line_itself() -> None:
    angles = torch.arange(36) * torch.pi / 18
    circle = torch.stack([angles.cos(), angles.sin()], 1)
    found = nearest(circle, torch.tensor([10]), circle[10:11])
    assert sorted(found[0].tolist()) == [5, 6, 7, 8, 9, 11, 12, 13, 14, 15]


# Of the first item's two right answers one is given, of the second's both, in the other order: 3 of 4.
def test_right_answers_count_in_any_order() -> None:
    result = {"answers": torch.tensor([[1, 2], [3, 4]]), "right": torch.tensor([[2, 5], [4, 3]])}
    assert share_right(result) == 0.75


def test_resnet_has_random_weights_by_the_seed(tmp_path: Path) -> None:
    first, again, other = (
        deployment(Setup(torch.device("cpu"), tmp_path, seed=seed, smoke=True, value="resnet50-1")).model.conv1.weight
        for seed in (0, 0, 1)
    )
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


# The similarities that Hugging Face's documentation prints for this model.
def test_the_real_encoder_gives_the_published_similarities() -> None:
    pytest.importorskip(minilm.PACKAGE)
    model, vocabulary = minilm.load(), load_vocabulary()
    source, *others = (
        model(torch.tensor([token_ids(line, vocabulary)]))
        for line in (
            "That is a happy person",
            "That is a happy dog",
            "That is a very happy person",
            "Today is a sunny day",
        )
    )
    found = [float(source @ other.T) for other in others]
    assert found == pytest.approx([0.6946, 0.9429, 0.2569], abs=2e-4)
