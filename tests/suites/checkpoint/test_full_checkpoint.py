from pathlib import Path

import pytest

from suites.checkpoint import full_checkpoint
from tests.suites.points import metrics

pytest.importorskip("sklearn")


# Everything the update depends on is restored, so the same additions are made in the same order: the error is 0.
@pytest.mark.parametrize("recipe", ["momentum", "adam"])
def test_the_documents_list_resumes_bit_for_bit(tmp_path: Path, recipe: str) -> None:
    found = metrics(full_checkpoint.PAIR, tmp_path, recipe)
    assert found["weight error"]["anti_pattern"] > 0
    assert found["weight error"]["recommended"] == 0
    assert found["loss jump"]["recommended"] == 0


def test_plain_sgd_has_nothing_but_its_weights(tmp_path: Path) -> None:
    found = metrics(full_checkpoint.PAIR, tmp_path, "plain-sgd")
    assert set(found["weight error"].values()) == {0}


# Dropout draws from the random state; amid an epoch the next batch is another; a new scale skips updates that overflow.
@pytest.mark.filterwarnings("ignore:Detected call of `lr_scheduler.step")
@pytest.mark.parametrize("recipe", ["adam-dropout", "adam-mid-epoch", "momentum-half"])
def test_the_documents_list_lacks_what_these_depend_on(tmp_path: Path, recipe: str) -> None:
    errors = metrics(full_checkpoint.PAIR, tmp_path, recipe)["weight error"]
    assert errors["recommended"] > 0
    assert errors["everything"] == 0
