"""Weights saved on a GPU are said not to load on a machine without one, unless map_location says where to put them.

The anti-pattern loads a state_dict without map_location, the recommended arm with it; both run a batch through the
weights. Neither arm sees a GPU, also where there is one. The file "from a GPU" is made here: what tells it from a CPU's
is the tag "cuda:0" on its tensors.

Theory: torch.load puts each tensor back where its tag says and raises if there is no such device. A file saved from a
CPU has the tag "cpu", so there is nothing to map.
"""

import torch

from bench import AsWritten, Axis, Needs, Pair, Step, exactly, outcome
from suites.workloads.saved_elsewhere import Arrived, arrived, output
from suites.workloads.snippets import save_and_load_the_weights

NO_GPU = {"CUDA_VISIBLE_DEVICES": ""}


def without_map_location(a: Arrived) -> Step:
    return lambda: output(a, torch.load(a.path))


def with_map_location(a: Arrived) -> Step:
    return lambda: output(a, torch.load(a.path, map_location=a.x.device))


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
AS_WRITTEN = AsWritten(claim="map-location", where="G 6.1", usage=save_and_load_the_weights)
