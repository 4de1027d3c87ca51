import os
import time

import pytest

from bench import noise
from bench.environment import machine_name
from bench.noise import NoiseMeter, cores_for
from bench.nvml import Gauges, RefusedError


def test_meter_that_never_ran_has_nulls() -> None:
    found = NoiseMeter().read()
    assert (found.load, found.steal, found.others) == (None, None, None)


def test_meter_tells_others_from_ourselves() -> None:
    meter = NoiseMeter()
    meter.start()
    until = time.monotonic() + 0.3
    while time.monotonic() < until:
        pass
    meter.stop(own_cpu=0.0)
    found = meter.read()
    assert found.others is not None
    assert found.others < (os.cpu_count() or 1)
    assert found.steal is not None


def test_the_gpu_is_read_at_the_end_of_every_stretch_and_the_worst_kept() -> None:
    readings = iter([gauges(1980.0, 60.0), gauges(1200.0, 80.0, "power cap")])
    meter = NoiseMeter(lambda: next(readings))
    for _ in range(2):
        meter.start()
        time.sleep(0.05)
        meter.stop(own_cpu=0.0)
    found = meter.read()
    assert (found.mhz, found.celsius, found.throttle) == (1200.0, 80.0, ["power cap"])


def test_a_gpu_that_refuses_leaves_nulls() -> None:
    def refuse() -> Gauges:
        raise RefusedError("no")

    meter = NoiseMeter(refuse)
    meter.start()
    time.sleep(0.05)
    meter.stop(own_cpu=0.0)
    assert (meter.read().mhz, meter.read().throttle) == (None, [])


def gauges(mhz: float, celsius: float, *throttle: str) -> Gauges:
    return Gauges(None, None, mhz, celsius, throttle, None, ())


def test_one_core_is_one_of_those_we_may_use() -> None:
    assert len(cores_for("one")) == 1
    assert set(cores_for("one")) <= set(noise.usable_cores())
    assert cores_for("all") == noise.usable_cores()


def test_the_quieter_core_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Times:
        def __init__(self, idle: float) -> None:
            self.idle = idle

    readings = iter([[Times(0), Times(0), Times(0)], [Times(1), Times(9), Times(5)]])
    monkeypatch.setattr(noise, "usable_cores", lambda: [0, 1, 2])
    monkeypatch.setattr(noise.psutil, "cpu_times", lambda percpu: next(readings))
    assert cores_for("one") == [1]


@pytest.mark.parametrize(
    ("gpus", "name"),
    [
        ([], "amd-epyc-2-cores"),
        (["NVIDIA H200"], "nvidia-h200"),
        (["NVIDIA H200", "NVIDIA H200"], "2x-nvidia-h200"),
    ],
)
def test_a_machine_is_named_after_what_counts(gpus: list[str], name: str) -> None:
    assert machine_name("AMD EPYC", 2, gpus) == name
