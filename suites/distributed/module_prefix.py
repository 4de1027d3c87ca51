"""A wrapped model's state_dict is said to carry a prefix in every key, so that a bare model loads nothing of it.

The anti-pattern saves the state_dict of the wrapper, the recommended arm that of the module inside, and the variant
takes the prefix away at loading. A bare model then loads the weights with strict=False, as code for foreign weights
does: the share of its tensors that arrived is counted, and the error of its output.

Theory: both wrappers keep the model as their attribute ``module``, so each key begins with "module."; with strict=True
the bare model raises instead. torch.compile does the same under another name, "_orig_mod.".
"""

import copy

import torch
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present
from torch.nn.parallel import DataParallel

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, error, may_differ, share
from suites.workloads.compare import error_of
from suites.workloads.layers import dense
from suites.workloads.wrapping import Wrapping, loaded, wrapped, wrapping


def of_the_wrapper(w: Wrapping) -> Step:
    with wrapped(w) as model:
        weights = copy.deepcopy(model.state_dict())
    return lambda: loaded(w, weights)


def of_the_module_inside(w: Wrapping) -> Step:
    with wrapped(w) as model:
        weights = copy.deepcopy(getattr(model, w.inside).state_dict())
    return lambda: loaded(w, weights)


def prefix_taken_away(w: Wrapping) -> Step:
    with wrapped(w) as model:
        weights = copy.deepcopy(model.state_dict())
    consume_prefix_in_state_dict_if_present(weights, f"{w.inside}.")
    return lambda: loaded(w, weights)


def save_the_inside(setup: Setup) -> None:
    torch.save(DataParallel(dense(8, depth=1)).module.state_dict(), setup.folder / "weights.pth")


AS_WRITTEN = AsWritten(claim="module-prefix", where="G 7.3", usage=save_the_inside)
PAIR = Pair(
    claims=("module-prefix",),
    inputs=wrapping,
    anti_pattern=of_the_wrapper,
    recommended=of_the_module_inside,
    variants={"prefix_taken_away": prefix_taken_away},
    same=may_differ("the weights that arrive", because="those that do not are what is counted"),
    metrics=(
        share(lambda r: r["arrived"], "tensors loaded", better="higher"),
        error(error_of("output"), "output error"),
    ),
    # Names and shapes decide, and no number.
    seeds=2,
    axis=Axis("wrapper", full=("data-parallel", "distributed"), outside=("compiled",)),
    needs=Needs(cpu=True),
)
