"""pad_sequence() is said to pad a batch faster than a Python loop that copies sample after sample into a tensor.

A step collates several batches of token ids with their labels. The anti-pattern is the memory-and-loop guide's own
collate_fn, the recommended arm calls pad_sequence() in its place; both make the same tensors.

Theory: pad_sequence() makes the same copies one after the other, but in C++: what it saves is the interpreter's share
of each, a few microseconds per sample. So the gain does not grow with the batch, and beside sequences of many thousand
tokens, where copying them takes longest, it is lost. A batch of very few samples has other costs than its loop, too.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, exactly, time
from suites.workloads.padding import random_tokens

Sample = tuple[Tensor, int]
Fill = Callable[[Sequence[Tensor]], Tensor]
BATCHES = 8
SIZES = {"32-lines": 32, "256-lines": 256, "2-lines": 2, "32-documents": 32}


def batches(setup: Setup) -> list[list[Sample]]:
    torch.manual_seed(setup.seed)
    case = setup.point(str)
    rows, longest = setup.pick(full=SIZES[case], smoke=2), 40
    if case == "32-documents":
        longest = setup.pick(full=20000, smoke=80)
    lengths = torch.randint(longest // 10, longest + 1, (BATCHES, rows)).tolist()
    return [[(t, i) for i, t in enumerate(random_tokens(row))] for row in lengths]


def collate(batch: list[Sample], fill: Fill) -> tuple[Tensor, Tensor]:
    sequences, labels = zip(*batch, strict=True)
    return fill(sequences), torch.tensor(labels)


def fill_in_a_loop(sequences: Sequence[Tensor]) -> Tensor:
    padded = torch.zeros(len(sequences), max(len(s) for s in sequences), dtype=torch.long)
    for i, s in enumerate(sequences):
        padded[i, : len(s)] = s
    return padded


def python_loop(samples: list[list[Sample]]) -> Step:
    return lambda: [collate(batch, fill_in_a_loop) for batch in samples]


def pad_sequence_call(samples: list[list[Sample]]) -> Step:
    return lambda: [collate(batch, lambda s: pad_sequence(list(s), batch_first=True)) for batch in samples]


def loop_over_the_samples(setup: Setup) -> None:
    fill_in_a_loop(random_tokens([2, 5, 3]))


PAIR = Pair(
    claims=("collate-loop",),
    inputs=batches,
    anti_pattern=python_loop,
    recommended=pad_sequence_call,
    same=exactly,
    metrics=(time,),
    axis=Axis("batch", full=("32-lines", "256-lines"), quick=("32-lines",), outside=("2-lines", "32-documents")),
    needs=Needs(cpu=True),
)
AS_WRITTEN = AsWritten(claim="collate-loop", where="G 5.3", usage=loop_over_the_samples)
