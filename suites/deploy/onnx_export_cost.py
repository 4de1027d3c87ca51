"""An ONNX file is said to be what to deploy; this is what making it costs, beside saving the state_dict.

A step writes the deployed form of a convolutional network trained on digits: the anti-pattern its state_dict, the
recommended arm an ONNX export for any batch size by the exporter that is torch's default. Its first step has the import
of the exporter in it.

Theory: the exporter traces the model with torch.export and translates it operator by operator, which takes seconds
where saving takes a millisecond; that is paid once per model. It writes the weights into a second file beside
model.onnx, so that copying the named file alone deploys nothing.
"""

from collections.abc import Callable

import torch

from bench import Axis, Needs, Pair, Step, count, first_step, may_differ, size, time
from suites.workloads import exporting
from suites.workloads.deployed import Deployment, deployment


def writes(d: Deployment, write: Callable[[], object]) -> Step:
    def step() -> dict[str, int]:
        write()
        return {"files": len(list(d.folder.iterdir()))}

    return step


def save_the_state_dict(d: Deployment) -> Step:
    return writes(d, lambda: torch.save(d.model.state_dict(), d.folder / "model.pth"))


def export(d: Deployment) -> Step:
    return writes(d, lambda: exporting.export(d, d.folder / exporting.FILE))


PAIR = Pair(
    claims=("onnx-export",),
    inputs=deployment,
    anti_pattern=save_the_state_dict,
    recommended=export,
    same=may_differ("the number of files", because="it is one of the things measured"),
    metrics=(time, first_step, size, count(lambda r: r["files"], "files to deploy")),
    axis=Axis("model-batch", outside=("digits-cnn-64",)),
    needs=Needs(cpu=True, packages=("sklearn", *exporting.PACKAGES)),
    inputs_read="at set-up",
    seeds=2,
    from_profile="full",
)
