"""Nothing that is read from a disk may run: no pickles, no eval, and torch.load of tensors only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from bench.collect import ROOT

PICKLERS = {"pickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
RUNNERS = {"eval", "exec", "compile", "__import__"}
AS_WRITTEN = "a document's own usage, on a file that it wrote itself; torch's default is weights_only=True since 2.6"
# What is allowed where it stands, since it is what the practice is about. Whatever is not found any more has to go.
EXCEPTIONS = {
    ("suites/data/memory_mapping_open_handle.py", "imports pickle"): "the practice is what pickling a data set copies",
    ("suites/checkpoint/state_dict.py", "torch.load without weights_only=True"): "the practice is what it refuses",
    ("suites/checkpoint/map_location.py", "torch.load without weights_only=True"): AS_WRITTEN,
    ("suites/checkpoint/full_checkpoint.py", "torch.load without weights_only=True"): AS_WRITTEN,
    ("suites/workloads/snippets.py", "torch.load without weights_only=True"): AS_WRITTEN,
}


def unsafe(tree: ast.AST) -> Iterator[str]:
    """What a source does that may run what it reads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (f"imports {a.name}" for a in node.names if a.name.split(".")[0] in PICKLERS)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PICKLERS:
            yield f"imports {node.module}"
        elif isinstance(node, ast.Call):
            yield from _unsafe_call(node)


def _unsafe_call(call: ast.Call) -> Iterator[str]:
    given = {k.arg: k.value.value if isinstance(k.value, ast.Constant) else ... for k in call.keywords}
    name = ast.unparse(call.func)
    if name in RUNNERS:
        yield f"calls {name}"
    if name.endswith("torch.load") and given.get("weights_only") is not True:
        yield "torch.load without weights_only=True"
    if given.get("allow_pickle", False) is not False:
        yield f"{name} with allow_pickle"
    if name.startswith("yaml.") and name not in ("yaml.safe_load", "yaml.safe_dump"):
        yield f"calls {name}"
    if name in ("os.system", "os.popen") or given.get("shell", False) is not False:
        yield f"{name} through a shell"


def test_nothing_read_from_disk_is_run() -> None:
    found = set()
    for package in ("bench", "report", "suites"):
        for path in sorted((ROOT / package).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            found |= {(place, fault) for fault in unsafe(ast.parse(path.read_text(encoding="utf-8")))}
    assert found - set(EXCEPTIONS) == set()
    assert set(EXCEPTIONS) - found == set(), "these exceptions are not needed any more"


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from pickle import loads",
        "import torch\ntorch.load('x')",
        "import torch\ntorch.load('x', weights_only=False)",
        "import torch\ntorch.load('x', weights_only=flag)",
        "import numpy as np\nnp.load('x', allow_pickle=True)",
        "import yaml\nyaml.load('x')",
        "eval('1')",
        "exec('1')",
        "import subprocess\nsubprocess.run('x', shell=True)",
    ],
)
def test_what_would_run_is_found(source: str) -> None:
    assert list(unsafe(ast.parse(source)))


def test_a_models_eval_runs_nothing() -> None:
    assert not list(unsafe(ast.parse("model.eval()\nre.compile('x')\ntorch.compile(model)")))
