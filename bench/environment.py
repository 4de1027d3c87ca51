"""Who measures and with what: the identity of a machine and of an environment, without serial numbers."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import subprocess
from pathlib import Path

import psutil
import torch

from bench.noise import usable_cores
from bench.nvml import RefusedError, driver_version
from bench.results import Environment, Machine

PACKAGES = (
    "torchvision",
    "numpy",
    "scipy",
    "scikit-learn",
    "scikit-image",
    "pillow",
    "onnxruntime",
    "torchao",
    "triton",
    "pytest-benchmark",
)
# Not CUDA_VISIBLE_DEVICES: a scheduler gives another index every night, and the machine names the GPUs it left visible.
FLAGS = (
    "OMP_NUM_THREADS",
    "OMP_WAIT_POLICY",
    "MKL_NUM_THREADS",
    "CUDA_LAUNCH_BLOCKING",
    "NVIDIA_TF32_OVERRIDE",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_ALLOC_CONF",
)


# What a tree is of that was shipped without its history.
COMMIT_VARIABLE = "TORCHPROOF_COMMIT"


def describe_machine() -> Machine:
    """This machine: processor, cores it may use, memory, GPUs by model, driver."""
    gpus = [_gpu_name(i) for i in range(torch.cuda.device_count())]
    cpu, cores = _cpu_model(), len(usable_cores())
    memory = round(psutil.virtual_memory().total / 2**30, 1)
    try:
        driver = driver_version() if gpus else None
    except RefusedError:
        driver = None
    return Machine(
        name=machine_name(cpu, cores, gpus),
        cpu=cpu,
        cores=cores,
        memory_gib=memory,
        gpus=gpus,
        driver=driver,
        system=f"{platform.system()} {platform.machine()}",
    )


def machine_name(cpu: str, cores: int, gpus: list[str]) -> str:
    """A folder name: the GPUs' model and number, else the processor and its cores."""
    text = f"{len(gpus)}x {gpus[0]}" if len(gpus) > 1 else gpus[0] if gpus else f"{cpu} {cores} cores"
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:80] or "unknown"


def describe_environment() -> Environment:
    """Versions of what takes part in the measurements, and the flags that change it."""
    cudnn = torch.backends.cudnn.version() if torch.cuda.device_count() else None
    return Environment(
        python=platform.python_version(),
        torch=torch.__version__,
        cuda=torch.version.cuda,
        cudnn=str(cudnn) if cudnn else None,
        packages={p: v for p in PACKAGES if (v := _version(p)) is not None},
        flags={f: os.environ[f] for f in FLAGS if f in os.environ},
    )


def commit(folder: Path) -> str | None:
    """The checkout's commit, with ``-dirty`` after it when tracked files were changed; None outside of git."""
    if COMMIT_VARIABLE in os.environ:
        return os.environ[COMMIT_VARIABLE]
    head = _git(folder, "rev-parse", "--short=10", "HEAD")
    if not head:
        return None
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return f"{head}-dirty" if changed else head


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _gpu_name(index: int) -> str:
    try:
        return torch.cuda.get_device_name(index)
    except RuntimeError:
        # It was counted and cannot be used, so its pairs will be BROKEN, each with what CUDA says.
        return "unknown GPU"


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
