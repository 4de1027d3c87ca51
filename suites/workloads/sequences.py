"""Sequences of unequal length, padded to one batch, and what a model makes of each of them alone."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

TOKENS = 50
PADDING = 0
IGNORED = -100


@dataclass(frozen=True)
class Padded:
    """Token ids padded with 0 (which is also a real token), their embedding, a next token for each, and ``real``,
    which is True where a position is no padding."""

    ids: Tensor
    embedding: Tensor
    targets: Tensor
    real: Tensor
    use: str


def padded(lengths: list[int], width: int, use: str, device: torch.device) -> Padded:
    """Random tokens of these lengths."""
    real = (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]).to(device)
    ids = torch.randint(TOKENS, real.shape).to(device).where(real, PADDING)
    targets = torch.randint(TOKENS, real.shape).to(device)
    return Padded(ids, torch.randn(TOKENS, width).to(device), targets, real, use)


def output(p: Padded, keep: Tensor) -> Tensor:
    """What the batch comes to when only the positions in ``keep`` count; attention's output at real positions."""
    x = p.embedding[p.ids]
    if p.use == "loss":
        targets = p.targets.where(keep, IGNORED)
        return F.cross_entropy((x @ p.embedding.T).transpose(1, 2), targets, ignore_index=IGNORED)
    if p.use == "mean-pooling":
        return (x * keep[..., None]).sum(1) / keep.sum(1, keepdim=True)
    return F.scaled_dot_product_attention(x, x, x, attn_mask=keep[:, None, :])[p.real]


def truth(p: Padded) -> Tensor:
    """The same from every sequence alone, without any padding."""
    alone = []
    for i, n in enumerate(p.real.sum(1).tolist()):
        one = Padded(p.ids[i : i + 1, :n], p.embedding, p.targets[i : i + 1, :n], p.real[i : i + 1, :n], p.use)
        alone.append((output(one, one.real), n))
    if p.use == "loss":
        return torch.stack([loss * n for loss, n in alone]).sum() / p.real.sum()
    return torch.cat([found for found, _ in alone])
