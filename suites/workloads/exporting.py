"""A model as an ONNX file, in float32 and in int8, and ONNX Runtime to run it on as many threads as torch has."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from torch import Tensor

from suites.workloads.cache import cached, versioned
from suites.workloads.deployed import Deployment, Run

# Extras, imported where they are used: the pairs that come here say Needs(packages=PACKAGES).
PACKAGES = ("onnx", "onnxscript", "onnxruntime")
FILE = "model.onnx"
NAMES = {"input_names": ["input"], "output_names": ["output"]}


def exported(d: Deployment) -> Path:
    """The model's ONNX file with the weights in it, for batches of any size; made once and kept in the cache."""

    def content() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            export(d, Path(folder) / FILE, external_data=False)
            return (Path(folder) / FILE).read_bytes()

    return cached(versioned(f"{d.name}.onnx"), content)


def exported_in_int8(d: Deployment) -> Path:
    """The ONNX file with all weights in 8 bits that ONNX Runtime has a kernel for, those of convolutions too."""

    def content() -> bytes:
        from onnxruntime.quantization import QuantType, quantize_dynamic

        with tempfile.TemporaryDirectory() as folder:
            quantize_dynamic(exported(d), Path(folder) / FILE, weight_type=QuantType.QUInt8)
            return (Path(folder) / FILE).read_bytes()

    return cached(versioned(f"{d.name}-int8.onnx"), content)


def export(d: Deployment, path: Path, external_data: bool = True) -> None:
    """Write the model by the exporter that is torch's default; by default too, the weights go into a file beside it."""
    shapes = (dict(d.varying),)
    torch.onnx.export(
        d.model, (d.batches[0],), path, **NAMES, dynamic_shapes=shapes, external_data=external_data, verbose=False
    )


def session(path: Path) -> Run:
    """The file in ONNX Runtime, with torch's number of threads, which wait without spinning."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = torch.get_num_threads()
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    opened = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def run(batch: Tensor) -> Tensor:
        return torch.from_numpy(opened.run(None, {"input": batch.numpy()})[0])

    return run


def share_in_8_bits(path: Path) -> float:
    """How many of the file's weights are 8 bits wide."""
    import onnx

    weights = onnx.load(path).graph.initializer
    numbers = [onnx.numpy_helper.to_array(w).size for w in weights]
    narrow = [w.data_type in (onnx.TensorProto.INT8, onnx.TensorProto.UINT8) for w in weights]
    return sum(n for n, is_narrow in zip(numbers, narrow, strict=True) if is_narrow) / sum(numbers)


def put_in(folder: Path, path: Path) -> Path:
    """Let ``folder`` hold the file, without a copy of it."""
    (folder / FILE).symlink_to(path)
    return folder / FILE
