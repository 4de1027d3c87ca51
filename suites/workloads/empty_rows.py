"""A padded batch in which one sequence is empty, so that a mask leaves attention nothing to attend to."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from suites.workloads.layers import normal

HEADS = 2
LENGTHS = (0, 3, 6, 12)


@dataclass(frozen=True)
class WithEmpty:
    """Embedded sequences (rows, length, width), which positions are real, a layer, and how attention is computed."""

    x: Tensor
    real: Tensor
    layer: nn.TransformerEncoderLayer
    how: str


def with_empty(width: int, how: str, device: torch.device) -> WithEmpty:
    """Random sequences of LENGTHS. Without dropout, so that training and inference would give the same."""
    real = (torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]).to(device)
    layer = nn.TransformerEncoderLayer(width, HEADS, dim_feedforward=2 * width, dropout=0.0, batch_first=True)
    return WithEmpty(normal(*real.shape, width, device=device), real, layer.to(device), how)


def attend(w: WithEmpty, x: Tensor, keep: Tensor) -> Tensor:
    """What comes out at every position when only those in ``keep`` are attended to."""
    if w.how == "own-softmax":
        scores = x @ x.transpose(1, 2) / math.sqrt(x.shape[-1])
        return scores.masked_fill(~keep[:, None, :], -math.inf).softmax(-1) @ x
    if w.how == "fused-attention":
        return F.scaled_dot_product_attention(x, x, x, attn_mask=keep[:, None, :])
    with torch.no_grad():
        found: Tensor = w.layer.train(w.how == "layer-training")(x, src_key_padding_mask=~keep)
    return found


def beside_alone(w: WithEmpty, keep: Tensor) -> dict[str, object]:
    """The output at real positions, what each sequence gives by itself, and how much of all output is finite."""
    found = attend(w, w.x, keep)
    rows = zip(w.x, w.real.sum(1).tolist(), strict=True)
    alone = [attend(w, x[None, :n], keep.new_ones(1, n))[0] for x, n in rows if n]
    return {"output": found[w.real], "true output": torch.cat(alone), "finite": float(found.isfinite().float().mean())}
