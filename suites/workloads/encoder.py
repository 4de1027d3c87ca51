"""A small transformer encoder that finds the topic of lines of text."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from suites.workloads.texts import PADDING

HEADS = 4
LAYERS = 2


class LineEncoder(nn.Module):
    """Word ids (rows, length), padded with 0, to a score for each topic (rows, topics). Padding changes nothing in it.

    Without dropout, so that a line's scores depend on nothing but the line.
    """

    def __init__(self, words: int, longest: int, topics: int, width: int) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width, padding_idx=PADDING)
        self.places = nn.Parameter(torch.randn(longest, width))
        layer = nn.TransformerEncoderLayer(width, HEADS, dim_feedforward=4 * width, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
        self.head = nn.Linear(width, topics)

    def forward(self, ids: Tensor) -> Tensor:
        """Attention leaves the padding out, and so does the mean over each line."""
        padding = ids == PADDING
        x = self.encoder(self.words(ids) + self.places[: ids.shape[1]], src_key_padding_mask=padding)
        real = ~padding[..., None]
        scores: Tensor = self.head((x * real).sum(1) / real.sum(1))
        return scores
