"""Weights saved on a GPU are said not to load on a machine without one, unless map_location says where to put them.

The anti-pattern loads a state_dict without map_location, the recommended arm with it; both run a batch through the
weights. Neither arm sees a GPU, also where there is one. The file "from a GPU" is made here: what tells it from a CPU's
is the tag "cuda:0" on its tensors.

Theory: torch.load puts each tensor back where its tag says and raises if there is no such device. A file saved from a
CPU has the tag "cpu", so there is nothing to map.
"""

import torch
from torch import nn

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, exactly, outcome
from suites.workloads.saved_elsewhere import Arrived, arrived, output

NO_GPU = {"CUDA_VISIBLE_DEVICES": ""}


def without_map_location(a: Arrived) -> Step:
    return lambda: output(a, torch.load(a.path))


def with_map_location(a: Arrived) -> Step:
    return lambda: output(a, torch.load(a.path, map_location=a.x.device))


def as_written(setup: Setup) -> None:
    path = setup.folder / "model.pth"
    torch.save(nn.Linear(2, 2).state_dict(), path)
    model = nn.Linear(2, 2)
    model.load_state_dict(torch.load(path, map_location="cpu"))
    model.eval()


PAIR = Pair(
    claims=("map-location",),
    inputs=arrived,
    anti_pattern=without_map_location,
    recommended=with_map_location,
    same=exactly,
    metrics=(outcome,),
    axis=Axis("saved-on", full=("gpu",), outside=("cpu",)),
    needs=Needs(cpu=True),
    environment={"anti_pattern": NO_GPU, "recommended": NO_GPU},
)
AS_WRITTEN = AsWritten(claim="map-location", where="G 6.1", usage=as_written)
