"""Lines of real text as MiniLM reads them, and which of them float32 finds nearest to each."""

from __future__ import annotations

import io
import random
import re
import unicodedata
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from suites.workloads import minilm, texts
from suites.workloads.cache import cached, versioned

PACKAGES = (minilm.PACKAGE, *texts.PACKAGES)
LINES = 1024
NEIGHBOURS = 10
LONGEST = 128


@dataclass(frozen=True)
class Sentences:
    """Lines as token ids (lines x tokens, padded with 0), and float32's embedding of each."""

    ids: Tensor
    embeddings: Tensor


def sentences(model: minilm.Encoder) -> Sentences:
    """``LINES`` different lines, embedded by ``model`` at first use, one by one so that nothing is padded."""

    def content() -> bytes:
        vocabulary = load_vocabulary()
        lines = random.Random(0).sample(sorted({line for _, line in texts.labelled_lines()}), LINES)
        rows = [torch.tensor(token_ids(line, vocabulary)) for line in lines]
        with torch.inference_mode():
            embeddings = torch.cat([model(row[None]) for row in rows])
        buffer = io.BytesIO()
        torch.save({"ids": pad_sequence(rows, batch_first=True), "embeddings": embeddings.clone()}, buffer)
        return buffer.getvalue()

    return Sentences(**torch.load(cached(versioned("minilm-lines.pt"), content), weights_only=True))


def random_sentences(model: minilm.Encoder) -> Sentences:
    """32 lines of eight random tokens each, for the tiny encoder."""
    ids = torch.randint(1, len(model.tokens.weight), (32, 8), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        return Sentences(ids, model(ids))


def without_padding(ids: Tensor) -> Tensor:
    """Padded no further than the longest of these lines."""
    return ids[:, : int((ids != 0).sum(1).max())]


def nearest(embeddings: Tensor, rows: Tensor, found: Tensor) -> Tensor:
    """The lines nearest to each that was found (lines x ``NEIGHBOURS``), but for itself, which stands in ``rows``."""
    alike = found @ embeddings.T
    return alike.scatter(1, rows[:, None], -2.0).topk(NEIGHBOURS).indices


def load_vocabulary() -> dict[str, int]:
    """Every token's id."""
    tokens = (minilm.folder() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    return {token: i for i, token in enumerate(tokens)}


def token_ids(line: str, vocabulary: dict[str, int]) -> list[int]:
    """WordPiece: every word, in lower case and without accents, as the longest tokens that it begins with in turn."""
    plain = "".join(c for c in unicodedata.normalize("NFD", line.lower()) if unicodedata.category(c) != "Mn")
    tokens = ["[CLS]"]
    for word in re.findall(r"[^\W_]+|[^\w\s]|_", plain):
        tokens += _pieces(word, vocabulary)
    return [vocabulary[token] for token in [*tokens[: LONGEST - 1], "[SEP]"]]


def _pieces(word: str, vocabulary: dict[str, int]) -> list[str]:
    found: list[str] = []
    while word:
        mark = "##" if found else ""
        end = next((n for n in range(len(word), 0, -1) if mark + word[:n] in vocabulary), 0)
        if not end:
            return ["[UNK]"]
        found.append(mark + word[:end])
        word = word[end:]
    return found
