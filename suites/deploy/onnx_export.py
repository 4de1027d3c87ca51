"""Exporting to ONNX, with a batch size that may vary, is said to be the way to deploy across platforms.

The anti-pattern is the eager model, the recommended arm the exported one in ONNX Runtime, on as many threads; before
anything is timed the outputs must agree, and how far they are apart is a metric. One file serves every batch size. What
a step does at the point ``minilm-8``, half_precision_inference.py says; what the export costs, onnx_export_cost.py.

Theory: ONNX Runtime fuses operators and calls them without Python in between, which counts for small models and small
batches; in large products both do the same arithmetic.
"""

import torch

from bench import AsWritten, Axis, Metric, Needs, Pair, Setup, Step, first_step, size, time, within
from suites.workloads import exporting
from suites.workloads.compare import in_part
from suites.workloads.deployed import SERVED, Deployment, deploy, deployment, serve
from suites.workloads.sentences import PACKAGES


def eager(d: Deployment) -> Step:
    return deploy(d, d.model, apart=0.0)


def onnx_runtime(d: Deployment) -> Step:
    run = exporting.session(exporting.put_in(d.folder, exporting.exported(d)))
    with torch.inference_mode():
        apart = max(float((run(batch) - d.model(batch)).abs().max()) for batch in d.batches)
    return serve(d, run, apart=apart)


def as_written(setup: Setup) -> None:
    axes = {"input": {0: "batch_size"}, "output": {0: "batch_size"}}
    model, dummy, path = torch.nn.Conv2d(3, 4, 3).eval(), torch.randn(1, 3, 8, 8), setup.folder / exporting.FILE
    torch.onnx.export(model, dummy, path, input_names=["input"], output_names=["output"], dynamic_axes=axes)


AS_WRITTEN = AsWritten(
    claim="onnx-export",
    where="F 5",
    usage=as_written,
    modern="dynamic_shapes=({0: 'batch_size'},) instead of dynamic_axes",
    needs=Needs(packages=exporting.PACKAGES),
)
PAIR = Pair(
    claims=("onnx-export",),
    inputs=deployment,
    anti_pattern=eager,
    recommended=onnx_runtime,
    same=in_part("output", within(rtol=1e-3, atol=1e-4)),
    metrics=(
        time,
        SERVED,
        first_step,
        size,
        Metric("error", "largest difference", "", comparison="difference", zone=1e-3, read=lambda r: r["apart"]),
    ),
    axis=Axis(
        "model-batch",
        full=("digits-cnn-1", "digits-cnn-64", "minilm-1", "minilm-8", "minilm-64", "resnet50-1", "resnet50-8"),
        quick=("digits-cnn-1", "digits-cnn-64", "minilm-1"),
        smoke=("digits-cnn-64", "minilm-8"),
    ),
    needs=Needs(cpu=True, packages=("sklearn", *PACKAGES, *exporting.PACKAGES)),
    inputs_read="at set-up",
    seeds=2,
    timeout=120,
)
