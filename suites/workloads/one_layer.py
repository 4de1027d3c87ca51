"""The least there is to train, for usages of mixed precision that are tried as the documents write them."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from bench import Setup


def one_layer(setup: Setup) -> tuple[nn.Linear, torch.optim.Optimizer, Tensor]:
    """A linear layer, its optimizer and a batch."""
    model = nn.Linear(4, 2).to(setup.device)
    return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.ones(3, 4, device=setup.device)


def with_scaler_as_written(setup: Setup) -> None:
    """One step with autocast and scaler under their old names, as in G 4.3, and in F 3 on its own."""
    model, optimizer, x = one_layer(setup)
    scaler = torch.cuda.amp.GradScaler()
    optimizer.zero_grad()
    with torch.cuda.amp.autocast():
        loss = model(x).sum()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def without_scaler_as_written(setup: Setup) -> None:
    """One step of F 3's whole loop: autocast and clipping, and no scaler."""
    model, optimizer, x = one_layer(setup)
    optimizer.zero_grad(set_to_none=True)
    with torch.cuda.amp.autocast():
        loss = model(x).sum()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def clipped_with_scaler_as_written(setup: Setup) -> None:
    """One step that unscales and then clips, in the order of G 4.3, with the scaler under its old name."""
    model, optimizer, x = one_layer(setup)
    scaler = torch.cuda.amp.GradScaler()
    scaler.scale(model(x).sum()).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    scaler.step(optimizer)
    scaler.update()
