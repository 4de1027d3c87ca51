"""What a document writes once and says of more than one claim, as the least code that does so."""

from __future__ import annotations

import torch
from torch import nn

from bench import Setup


def save_and_load_the_weights(setup: Setup) -> None:
    """The memory guide, section 6.1: a state_dict is saved, and loaded with map_location."""
    path = setup.folder / "model.pth"
    torch.save(nn.Linear(2, 2).state_dict(), path)
    model = nn.Linear(2, 2)
    model.load_state_dict(torch.load(path, map_location="cpu"))
    model.eval()


def keep_the_graph_for_a_second_loss(setup: Setup) -> None:
    """The memory guide, section 3.1: two losses, two backwards, the first of which keeps the graph."""
    features = torch.tanh(torch.ones(3, device=setup.device, requires_grad=True))
    first, second = features.sum(), features.square().sum()
    first.backward(retain_graph=True)
    second.backward()
