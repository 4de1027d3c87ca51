"""A plausible run with one pair for every kind of verdict, made with a fixed random generator, and its claims."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.results import (
    Environment,
    Machine,
    MetricInfo,
    Noise,
    Point,
    PointRecord,
    Replicate,
    Run,
    Timing,
    UsageRecord,
    Values,
    to_json,
)

TIME = MetricInfo(name="time", kind="time", unit="s", better="lower", comparison="ratio", zone=0.02)
PEAK = MetricInfo(name="peak memory", kind="peak_memory", unit="B", better="lower", comparison="ratio", zone=0.02)
ACCURACY = MetricInfo(
    name="accuracy", kind="accuracy", unit="share", better="higher", comparison="difference", zone=0.01
)
OUTCOME = MetricInfo(name="outcome", kind="outcome", unit="", better="lower", comparison="outcome", zone=0.02)

CLAIMS = """
[sources]
G = { title_en = "The guide", title_zh = "指南" }

[[claim]]
id = "reshape-copies"
topic = "tensors"
source = "G"
section = "2.1"
metric = "time"
hardware = ["cpu", "cuda"]
advice_en = "Fix the layout once instead of reshaping in the loop"
advice_zh = "先整理好内存布局，不要在循环里 reshape"

[[claim]]
id = "amp-faster"
topic = "numerics"
source = "G"
section = "5.1"
metric = "time"
hardware = ["cpu", "cuda"]
advice_en = "Use automatic mixed precision"
advice_zh = "使用自动混合精度"
promised = [{ metric = "time", low = 0.33, high = 0.5, text_en = "2-3 times faster", text_zh = "快 2-3 倍" }]

[[claim]]
id = "set-to-none"
topic = "training"
source = "G"
section = "4.1"
metric = "time"
hardware = ["cpu", "cuda"]
advice_en = "Clear gradients with set_to_none"
advice_zh = "用 set_to_none 清除梯度"

[[claim]]
id = "more-workers"
topic = "data"
source = "G"
section = "6.1"
metric = "time"
hardware = ["cpu", "cuda"]
advice_en = "Raise num_workers"
advice_zh = "增大 num_workers"

[[claim]]
id = "benchmark-flag"
topic = "cudnn"
source = "G"
section = "6.2"
metric = "time"
hardware = ["cpu", "cuda"]
advice_en = "Switch the benchmark flag on"
advice_zh = "打开 benchmark 标志"

[[claim]]
id = "checkpoint-memory"
topic = "checkpoint"
source = "G"
section = "7.1"
also = [{ source = "G", section = "7.2" }]
metric = "peak_memory"
hardware = ["cpu", "cuda"]
advice_en = "Checkpoint activations to save memory"
advice_zh = "用激活检查点节省内存"
promised = [{ metric = "peak_memory", low = 0.5, high = 0.7, text_en = "30-50 % less", text_zh = "少 30-50 %" }]

[[claim]]
id = "smoothing-accuracy"
topic = "training"
source = "G"
section = "4.3"
metric = "accuracy"
hardware = ["cpu", "cuda"]
advice_en = "Smooth the labels"
advice_zh = "使用标签平滑"

[[claim]]
id = "second-backward"
topic = "autograd"
source = "G"
section = "3.1"
metric = "outcome"
hardware = ["cpu", "cuda"]
advice_en = "A second backward needs retain_graph"
advice_zh = "第二次反向传播需要 retain_graph"

[[claim]]
id = "device-hops"
topic = "transfer"
source = "G"
section = "2.3"
metric = "time"
hardware = ["cuda"]
advice_en = "Do not hop between devices in the loop"
advice_zh = "不要在循环里来回搬运设备"

[[claim]]
id = "pinned-memory"
topic = "transfer"
source = "G"
section = "2.3"
metric = "time"
hardware = ["cuda"]
advice_en = "Pin the loader's memory"
advice_zh = "使用锁页内存"

[[claim]]
id = "quantise"
topic = "deploy"
source = "G"
section = "8.1"
metric = "time"
hardware = ["cpu"]
advice_en = "Quantise linear layers"
advice_zh = "量化线性层"

[[claim]]
id = "nobody-measures-me"
topic = "deploy"
source = "G"
section = "8.2"
metric = "time"
hardware = ["cpu"]
advice_en = "Nothing"
advice_zh = "无"

[[unmeasured]]
id = "read-the-manual"
source = "G"
section = "9"
advice_en = "Read the manual"
advice_zh = "阅读手册"
reason_en = "no arm can read"
reason_zh = "没有可测的写法"

[[contradiction]]
id = "reshape-against-clearing"
claims = ["reshape-copies", "set-to-none"]
shown_by = ["tensors/reshape-copies[rows=4096]", "training/set-to-none"]
text_en = "Reshaping and clearing exclude each other"
text_zh = "reshape 与清零互相排斥"

[[contradiction]]
id = "written-two-ways"
claims = ["amp-faster", "quantise"]
shown_by_usage = true
text_en = "One guide writes it so and the other so"
text_zh = "两篇文档写法不同"

[[contradiction]]
id = "never-shown"
claims = ["nobody-measures-me"]
text_en = "Nothing shows this one"
text_zh = "这一条没有测量"
"""

MakeRun = Callable[..., Run]

HOSTILE = (
    "<script>alert(1)</script> | `x` \u202eright-to-left\u202c \x1b[31m\nnew line $\\frac{ \x00 </td> --> {{ 7*7 }}"
)


def timed(
    pair: str,
    claim: str,
    ratio: float,
    *,
    seed: int,
    sd: float = 0.005,
    replicates: int = 12,
    base: float = 80e-6,
    variants: dict[str, float] | None = None,
    **fields: Any,
) -> PointRecord:
    """A pair whose recommended arm takes ``ratio`` times as long; replicates differ by ``sd``."""
    random = np.random.default_rng(seed)
    ratios = {"anti_pattern": 1.0, "recommended": ratio, **(variants or {})}
    found = []
    for _ in range(replicates):
        drift = base * (1 + 0.03 * random.random())
        host, cpu = {}, {}
        for arm, factor in ratios.items():
            own = drift * factor * np.exp(random.normal(0, sd))
            host[arm] = [float(f"{own * np.exp(random.normal(0, 0.004)):.5g}") for _ in range(6)]
            cpu[arm] = [0.8 if random.random() < 0.02 else 1.0 for _ in range(6)]
        first = dict.fromkeys(ratios, base * 10)
        found.append(Replicate(first=first, host=host, cpu=cpu, orders=["01", "10"] * 3))
    defaults: dict[str, Any] = {
        "device": "cpu",
        "status": "measured",
        "arms": list(ratios),
        "metrics": [TIME],
        "same": "exactly",
        "noise": Noise(load=0.5 + random.random(), steal=0.01, others=0.1),
        "seconds": 3.5,
    }
    timing = Timing(inner=60, cores=[1], replicates=found, looks=[12, 24], stopped="narrow enough")
    return PointRecord(pair=pair, claims=[claim], timing=timing, **{**defaults, **fields})


def plain_record(pair: str, claim: str, **fields: Any) -> PointRecord:
    """A pair without timing."""
    defaults: dict[str, Any] = {"device": "cpu", "status": "measured", "arms": ["anti_pattern", "recommended"]}
    return PointRecord(pair=pair, claims=[claim], **{**defaults, **fields})


def controls(same: float = 1.0, planted: float = 1.05) -> list[PointRecord]:
    """The run's controls, whose truth can be bent."""
    return [
        timed("controls/same-work", "control", same, seed=90 + i, role="control", turn=turn, sd=0.003)
        for i, turn in enumerate((":before", ":amid", ":after"))
    ] + [timed("controls/planted-5-percent", "control", planted, seed=95, role="control", turn=":before", sd=0.003)]


def pairs() -> list[PointRecord]:
    """One pair or more for every verdict."""
    random = np.random.default_rng(7)
    scores = [0.9 + 0.002 * random.random() for _ in range(5)]
    return [
        timed("tensors/reshape-copies", "reshape-copies", 0.7, seed=1, point=Point(axis="rows", value=256)),
        timed(
            "tensors/reshape-copies",
            "reshape-copies",
            0.25,
            seed=2,
            point=Point(axis="rows", value=4096),
            variants={"contiguous_inside": 0.9},
            warnings={"anti_pattern": ["UserWarning: a slow path was taken"]},
        ),
        timed(
            "tensors/reshape-copies",
            "reshape-copies",
            1.0,
            seed=3,
            point=Point(axis="rows", value="contiguous", outside=True),
        ),
        timed("numerics/amp-faster", "amp-faster", 0.8, seed=4),
        timed("training/set-to-none", "set-to-none", 1.0, seed=5),
        timed("data/more-workers", "more-workers", 1.3, seed=6, base=0.012),
        timed("cudnn/benchmark-flag", "benchmark-flag", 0.97, seed=8, sd=0.06),
        timed(
            "checkpoint/checkpoint-memory",
            "checkpoint-memory",
            1.33,
            seed=9,
            metrics=[PEAK, TIME],
            values={
                "peak memory": Values(
                    by_arm={"anti_pattern": [200e6, 200e6], "recommended": [138e6, 138e6]},
                )
            },
        ),
        plain_record(
            "training/smoothing-accuracy",
            "smoothing-accuracy",
            metrics=[ACCURACY],
            values={
                "accuracy": Values(
                    by_arm={
                        "anti_pattern": scores,
                        "recommended": [s + 0.03 + 0.002 * random.random() for s in scores],
                    }
                )
            },
            notes=["5 seeds"],
            seconds=20.0,
        ),
        plain_record(
            "autograd/second-backward",
            "second-backward",
            metrics=[OUTCOME],
            outcomes={"anti_pattern": ["raises RuntimeError"] * 2, "recommended": ["returns"] * 2},
        ),
        timed("transfer/device-hops", "device-hops", 0.5, seed=10),
        plain_record(
            "transfer/pinned-memory", "pinned-memory", status="not measured", reason="needs CUDA", metrics=[TIME]
        ),
        plain_record(
            "deploy/quantise",
            "quantise",
            status="broken",
            reason="recommended raises ImportError",
            said=["Traceback (most recent call last):", "ImportError: no torchao"],
            metrics=[TIME],
        ),
    ]


def usages() -> list[UsageRecord]:
    """A usage of every state."""
    return [
        UsageRecord(claim="reshape-copies", where="G 2.1", device="cpu", outcome="returns"),
        UsageRecord(
            claim="amp-faster",
            where="G 5.1",
            device="cpu",
            outcome="returns",
            warnings=["FutureWarning: torch.cuda.amp.autocast is deprecated"],
            modern='torch.amp.autocast("cuda")',
        ),
        UsageRecord(claim="quantise", where="G 8.1", device="cpu", outcome="raises ImportError: gone"),
        UsageRecord(claim="pinned-memory", where="G 2.3", device="cpu", reason="needs CUDA"),
    ]


def plausible_run(**fields: Any) -> Run:
    document: dict[str, Any] = {
        "id": "20260102T030405-abcdef0123",
        "started": "2026-01-02T03:04:05+00:00",
        "finished": "2026-01-02T03:12:09+00:00",
        "profile": "quick",
        "budget_s": 480.0,
        "seed": 0,
        "device": "cpu",
        "command": ["pytest", "--benchmark", "--budget", "8m"],
        "commit": "abcdef0123",
        "machine": Machine(
            name="two-cores", cpu="Some Processor @ 2.5 GHz", cores=2, memory_gib=7.6, system="Linux x86_64"
        ),
        "environment": Environment(python="3.11.9", torch="2.14.1+cpu", packages={"numpy": "2.3.1"}),
        "points": [*controls()[:1], *pairs(), *controls()[1:]],
        "as_written": usages(),
    }
    return Run(**{**document, **fields})


def write_run(run: Run, folder: Path) -> Path:
    """The run where the store would put it."""
    path = folder / run.machine.name / run.id / "run.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_json(run), encoding="utf-8")
    return path
