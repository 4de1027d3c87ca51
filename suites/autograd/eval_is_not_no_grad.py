"""eval() and no_grad() are said to be two things, both of them needed for inference.

The anti-pattern runs a batch under no_grad() with the model still in training, the variant in eval() without no_grad(),
and the recommended arm has both. The drift is the output's from that of the same network in eval() and float64; beside
it stand the buffers that the pass changed and the tensors that a graph kept.

Theory: without eval() Dropout drops, and BatchNorm uses the batch's own statistics and writes them into its running
ones, three buffers per layer; a single sample has no variance and raises. Without no_grad() the output is right and the
graph is kept. A model with neither layer does not need eval().
"""

import copy

import torch
from torch import Tensor, nn

from bench import AsWritten, Axis, Pair, Setup, Step, count, error, may_differ, outcome
from suites.workloads.classifiers import Inference, inference
from suites.workloads.compare import error_of


def infer(i: Inference, evaluating: bool, recording: bool) -> dict[str, object]:
    model, saved = copy.deepcopy(i.model).train(not evaluating), list[int]()

    def note(tensor: Tensor) -> Tensor:
        saved.append(tensor.nbytes)
        return tensor.detach()

    with torch.set_grad_enabled(recording), torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        output = model(i.x)
    changed = sum(not a.equal(b) for a, b in zip(model.buffers(), i.model.buffers(), strict=True))
    return {"output": output.detach(), "true output": i.true_output, "buffers changed": changed, "kept": len(saved)}


def no_grad_only(i: Inference) -> Step:
    return lambda: infer(i, evaluating=False, recording=False)


def eval_only(i: Inference) -> Step:
    return lambda: infer(i, evaluating=True, recording=True)


def both(i: Inference) -> Step:
    return lambda: infer(i, evaluating=True, recording=False)


def as_in_the_guide(setup: Setup) -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout()).to(setup.device)
    model.eval()
    with torch.no_grad():
        model(torch.ones(1, 2, device=setup.device))


PAIR = Pair(
    claims=("eval-is-not-no-grad",),
    inputs=inference,
    anti_pattern=no_grad_only,
    recommended=both,
    variants={"eval_only": eval_only},
    same=may_differ("the output", because="what training mode makes of it is what is measured"),
    metrics=(
        error(error_of("output"), "output drift"),
        count(lambda r: r["buffers changed"], "buffers changed"),
        count(lambda r: r["kept"], "tensors kept by a graph"),
        outcome,
    ),
    axis=Axis("layers", full=("dropout", "batchnorm"), outside=("batchnorm-one-sample", "neither")),
)
AS_WRITTEN = AsWritten(claim="eval-is-not-no-grad", where="G 3.2", usage=as_in_the_guide)
