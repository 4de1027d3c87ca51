"""The weights alone are said not to be enough to resume from: optimizer, epoch and schedule belong in a checkpoint.

Digits are trained for two epochs of four, saved, and gone on with in a new model and a new optimizer; the error is how
far the final weights are from those of the same training without a stop, and the jump the largest rise of the loss over
it. The anti-pattern restores weights and epoch, the recommended arm the document's list, the variant also the position
in the epoch, the random state and the scale of the loss.

Theory: plain SGD at a constant rate has no other state, so there the weights are enough. The document's list is not
enough with dropout, whose random numbers go on elsewhere; nor amid an epoch, which begins anew; nor with a scaled loss
in half precision, where updates are skipped again until the scale has come down.
"""

import torch
from torch import nn, optim

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, error, loss, may_differ
from suites.workloads.compare import error_of
from suites.workloads.digits import load_digits
from suites.workloads.resuming import Stop

WEIGHTS = {"epoch", "model"}
DOCUMENT = {*WEIGHTS, "optimizer", "scheduler"}
EVERYTHING = {*DOCUMENT, "position", "random", "scaler"}


def half_way(setup: Setup) -> Stop:
    batches = setup.pick(full=20, smoke=2)
    return Stop(load_digits(setup.seed), setup.point(str), batches, setup.seed, setup.folder / "checkpoint.pth")


def weights_only(s: Stop) -> Step:
    return lambda: s.resumed(WEIGHTS)


def documents_list(s: Stop) -> Step:
    return lambda: s.resumed(DOCUMENT)


def everything(s: Stop) -> Step:
    return lambda: s.resumed(EVERYTHING)


def as_written(setup: Setup) -> None:
    model, epoch, best_acc = nn.Linear(2, 2), 3, 0.9
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1)
    checkpoint = {
        "epoch": epoch,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "best_acc": best_acc,
    }
    path = setup.folder / f"ckpt_epoch{epoch}.pth"
    torch.save(checkpoint, path)
    found = torch.load(path)
    for part, owner in (("model", model), ("optimizer", optimizer), ("scheduler", scheduler)):
        owner.load_state_dict(found[part])


PAIR = Pair(
    claims=("full-checkpoint",),
    inputs=half_way,
    anti_pattern=weights_only,
    recommended=documents_list,
    variants={"everything": everything},
    same=may_differ("the weights after resuming", because="what is lost with the rest is what is measured"),
    metrics=(error(error_of("weights"), "weight error"), loss(lambda r: r["jump"], "loss jump")),
    axis=Axis(
        "recipe",
        full=("momentum", "adam"),
        outside=("plain-sgd", "adam-dropout", "adam-mid-epoch", "momentum-half"),
    ),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
AS_WRITTEN = AsWritten(claim="full-checkpoint", where="G 6.2", usage=as_written)
