"""Files that are made at first use and kept outside the repository: crops of photographs, tables, trained weights."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch


def cache_folder() -> Path:
    """``$TORCHPROOF_CACHE``, else ``torchproof`` in ``$XDG_CACHE_HOME`` or ``~/.cache``."""
    own = os.environ.get("TORCHPROOF_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "torchproof"


def cached(name: str, make: Callable[[], bytes]) -> Path:
    """The cached file ``name``, made by ``make`` if it is missing. Processes may race: each writes a whole file."""
    path = cache_folder() / name
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    content = make()
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return path


def versioned(name: str) -> str:
    """``name`` under a folder of this torch version, for what depends on its random numbers and kernels."""
    return f"torch-{torch.__version__}/{name}"
