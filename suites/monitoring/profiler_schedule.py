"""Profiling a few scheduled steps, instead of the whole run, is said to be the way to use PyTorch's profiler.

A run of twenty steps writes its trace for TensorBoard. The anti-pattern records every step; the recommended arm has the
document's schedule, one step of waiting, one of warm-up and three recorded, and once. Variants: the schedule without
repeat=1, as the document writes it, in a loop that does not stop after five steps, and no profiler.

Theory: recording costs something for each operation of a recorded step, and writing a trace something for each event,
so both shrink with the share of steps that is recorded; a schedule that repeats records three of every five steps to
the end of the run and writes a file for each cycle. Starting and stopping cost the same however little is recorded, so
with few steps the window cannot be free.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from torch import Tensor
from torch.profiler import ProfilerAction, ProfilerActivity, profile, schedule, tensorboard_trace_handler

from bench import AsWritten, Axis, Pair, Setup, Step, size, time, within
from suites.workloads.watched import Training, nothing, trained, training

TRACE_SIZE = replace(size, exact=False)  # the trace holds the times
WINDOW = partial(schedule, wait=1, warmup=1, active=3)


def profiled(t: Training, steps: Callable[[int], ProfilerAction] | None) -> Tensor:
    for old in t.folder.iterdir():
        old.unlink()
    on_cuda = t.batches[0][0].device.type == "cuda"
    with profile(
        activities=[ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if on_cuda else [])],
        schedule=steps,
        on_trace_ready=tensorboard_trace_handler(str(t.folder)),
        record_shapes=True,
        profile_memory=True,
    ) as profiler:
        return trained(t, lambda number, model, loss: profiler.step())


def always_on(t: Training) -> Step:
    return lambda: profiled(t, None)


def one_window(t: Training) -> Step:
    return lambda: profiled(t, WINDOW(repeat=1))


def window_that_repeats(t: Training) -> Step:
    return lambda: profiled(t, WINDOW())


def not_profiled(t: Training) -> Step:
    return lambda: trained(t, nothing)


def written_in_the_document(setup: Setup) -> None:
    with profile(
        activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
        schedule=schedule(wait=1, warmup=1, active=3),
        on_trace_ready=tensorboard_trace_handler(str(setup.folder)),
        record_shapes=True,
        profile_memory=True,
    ) as profiler:
        for _ in range(5):
            profiler.step()


PAIR = Pair(
    claims=("profiler-schedule",),
    inputs=training,
    anti_pattern=always_on,
    recommended=one_window,
    variants={"window_that_repeats": window_that_repeats, "not_profiled": not_profiled},
    same=within(rtol=1e-4, atol=1e-6),
    metrics=(time, TRACE_SIZE),
    axis=Axis("rows", full=(16, 256), quick=(16,), smoke=(4,)),
)
AS_WRITTEN = AsWritten(claim="profiler-schedule", where="F 4", usage=written_in_the_document)
