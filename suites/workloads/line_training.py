"""One pass over real lines of text, forward and backward, with the padding that an arm asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup, Step
from suites.workloads.encoder import LineEncoder
from suites.workloads.padding import by_length, longest_of, pad_to, share_of_padding
from suites.workloads.texts import load_texts

COMPILED_BATCH = 8


@dataclass(frozen=True)
class LineTraining:
    """A model, lines with their topics in random order, the longest line of all texts, and the batch's size."""

    model: nn.Module
    lines: list[Tensor]
    topics: Tensor
    longest: int
    batch: int
    compiled: bool


def line_training(setup: Setup) -> LineTraining:
    """A new model and the lines drawn for the seed. The point is the batch's size, or ``compiled``."""
    torch.manual_seed(setup.seed)
    texts, compiled = load_texts(), setup.value == "compiled"
    chosen = torch.randperm(len(texts.lines))[: setup.pick(full=64, smoke=16, cuda=512)].tolist()
    longest, width = longest_of(texts.lines), setup.pick(full=32, smoke=8, cuda=1024)
    model = LineEncoder(texts.words, longest, len(texts.topics), width).to(setup.device)
    topics, batch = texts.labels[chosen].to(setup.device), COMPILED_BATCH if compiled else setup.point(int)
    return LineTraining(model, [texts.lines[i] for i in chosen], topics, longest, batch, compiled)


def one_pass(t: LineTraining, length: Callable[[list[Tensor]], int], bucketed: bool = False) -> Step:
    """A step that pads each batch to ``length`` of it and adds up the gradients of all; by length if ``bucketed``.

    It returns every line's loss in the lines' own order, the share of padding, the number of real tokens, and that of
    graphs compiled so far.
    """
    graphs: list[object] = []
    model = torch.compile(t.model, backend=_counting(graphs)) if t.compiled else t.model
    device = t.topics.device

    def step() -> dict[str, object]:
        t.model.zero_grad()
        losses, places = torch.empty(len(t.lines), device=device), 0
        order = by_length(t.lines) if bucketed else list(range(len(t.lines)))
        for begin in range(0, len(order), t.batch):
            rows = order[begin : begin + t.batch]
            batch = [t.lines[i] for i in rows]
            ids = pad_to(batch, length(batch)).to(device)
            loss = F.cross_entropy(model(ids), t.topics[rows], reduction="none")
            loss.sum().backward()
            losses[rows] = loss.detach()
            places += ids.numel()
        padding = share_of_padding(t.lines, places)
        return {"losses": losses, "padding": padding, "tokens": tokens, "graphs": len(graphs)}

    tokens = sum(len(line) for line in t.lines)
    return step


def _counting(graphs: list[object]) -> Callable[[Any, Any], Any]:
    """torch.compile's usual backend, which keeps what it compiles in ``graphs``."""
    inductor = torch._dynamo.lookup_backend("inductor")

    def compile_and_keep(graph: Any, examples: Any) -> Any:
        graphs.append(graph)
        return inductor(graph, examples)

    return compile_and_keep
