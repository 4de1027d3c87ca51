"""Four situations in which digits are learned, from scratch and by fine-tuning, with digits held out for choices."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from bench import Setup
from suites.workloads.digits import CLASSES, Digits, load_digits, perceptron, train

VALIDATION = 0.25
OLD_CLASSES = 5
FEW = 45

Part = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Task:
    """A model to train; digits to fit, to validate on and to test on; and the accuracy that counts as reached.

    ``factor`` is how far from the tuned rate the constant rate is set, 1 but where the point says otherwise.
    """

    setup: Setup
    name: str
    model: nn.Module
    fit: Part
    validation: Part
    test: Part
    batch: int
    epochs: int
    target: float
    factor: float = 1.0

    def to(self, device: torch.device) -> Task:
        """The same task with model and digits on ``device``."""
        parts = {part: _moved(getattr(self, part), device) for part in ("fit", "validation", "test")}
        return replace(self, model=copy.deepcopy(self.model).to(device), **parts)


def task(setup: Setup, name: str) -> Task:
    """One of four situations, with the digits split and the weights drawn by the set-up's seed.

    ``basic-model`` and ``large-model`` learn digits; ``complex-task`` has a fifth of its labels wrong; ``fine-tuning``
    goes on from a model of the digits 0 to 4 with a few images of 5 to 9.
    """
    torch.manual_seed(setup.seed)
    digits = load_digits(setup.seed)
    if name == "fine-tuning":
        return _fine_tuning(digits, setup)
    # Enough epochs for the tuned constant rate to have levelled off; fine-tuning's are shorter.
    epochs, rows = setup.pick(full=20, smoke=2), setup.pick(full=len(digits.train_x), smoke=128)
    fit_x, fit_y = digits.train_x[:rows], digits.train_y[:rows]
    if name == "complex-task":
        wrong = torch.rand(rows) < 0.2
        fit_y = torch.where(wrong, torch.randint(CLASSES, (rows,)), fit_y)
    model = perceptron(256 if name == "large-model" else 32)
    fit, validation = _split((fit_x, fit_y))
    return Task(setup, name, model, fit, validation, (digits.test_x, digits.test_y), 64, epochs, 0.9)


def _fine_tuning(digits: Digits, setup: Setup) -> Task:
    old = digits.train_y < OLD_CLASSES
    model = perceptron(32)
    old_digits = replace(digits, train_x=digits.train_x[old], train_y=digits.train_y[old])
    train(model, old_digits, steps=setup.pick(full=100, smoke=10), seed=setup.seed)
    hidden = model[-1].in_features
    model[-1] = nn.Linear(hidden, CLASSES)
    new_x, new_y, new_test = digits.train_x[~old], digits.train_y[~old], digits.test_y >= OLD_CLASSES
    test = digits.test_x[new_test], digits.test_y[new_test]
    # More to choose the rate on than there would be, so that luck in choosing is no part of the comparison.
    fit, validation = (new_x[:FEW], new_y[:FEW]), (new_x[FEW:], new_y[FEW:])
    return Task(setup, "fine-tuning", model, fit, validation, test, 15, setup.pick(full=40, smoke=2), 0.8)


def _split(part: Part) -> tuple[Part, Part]:
    x, y = part
    held_out = int(VALIDATION * len(x))
    return (x[held_out:], y[held_out:]), (x[:held_out], y[:held_out])


def _moved(part: Part, device: torch.device) -> Part:
    x, y = part
    return x.to(device), y.to(device)
