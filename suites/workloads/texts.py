"""Real English lines with a topic each, from the package chatterbot-corpus, as the ids of their words."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor

from suites.workloads.cache import cached

PADDING = 0
# The distribution keeps its texts as YAML and leaves a reader for them to be installed beside it.
PACKAGES = ("chatterbot_corpus", "yaml")


@dataclass(frozen=True)
class Texts:
    """``lines`` holds a row of word ids per line, the commonest word first and never 0, which is free for padding.

    ``labels`` has the number of each line's topic in ``topics``, and ids are smaller than ``words``.
    """

    lines: list[Tensor]
    labels: Tensor
    topics: list[str]
    words: int


def load_texts() -> Texts:
    """Every line that has a word in it, in the order of the package's files."""
    found = torch.load(cached("texts.pt", _ids), weights_only=True)
    return Texts(list(found["ids"].split(found["lengths"])), found["labels"], found["topics"], found["words"])


def labelled_lines() -> list[tuple[str, str]]:
    """Every line that has a word in it as (topic, line), in the order of the package's files."""
    return [(topic, line) for topic, line in json.loads(cached("texts.json", _table).read_bytes())]


def words_of(line: str) -> list[str]:
    """Words and numbers in lower case; what is in between is dropped."""
    return re.findall(r"[a-z0-9']+", line.lower())


def _ids() -> bytes:
    table = labelled_lines()
    topics = sorted({topic for topic, _ in table})
    split = [words_of(line) for _, line in table]
    common = Counter(word for words in split for word in words).most_common()
    ids = {word: i for i, (word, _) in enumerate(common, start=PADDING + 1)}
    found = {
        "ids": torch.tensor([ids[word] for words in split for word in words]),
        "lengths": [len(words) for words in split],
        "labels": torch.tensor([topics.index(topic) for topic, _ in table]),
        "topics": topics,
        "words": len(ids) + 1,
    }
    buffer = io.BytesIO()
    torch.save(found, buffer)
    return buffer.getvalue()


def _table() -> bytes:
    import yaml  # with chatterbot_corpus an extra: the pairs that come here say Needs(packages=PACKAGES)

    package = find_spec("chatterbot_corpus")
    assert package is not None
    assert package.origin is not None
    table = []
    for path in sorted(Path(package.origin).parent.glob("data/english/*.yml")):
        conversations = yaml.safe_load(path.read_text(encoding="utf-8"))["conversations"]
        lines = [str(line) for conversation in conversations for line in conversation]
        table += [(path.stem, line) for line in lines if words_of(line)]
    return json.dumps(table).encode()
