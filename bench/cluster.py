"""A Ray cluster: joining it, its nodes as Ray sees them, and placing work on one of them."""

from __future__ import annotations

import importlib
import socket
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from bench import fleet_node
from bench.collect import ROOT

# Not shipped, besides what .gitignore names: a node has no use for them, and Ray takes 500 MiB at most.
LEFT_HERE = ("/results/", "/.git/", "/.venv/", "/site/")
CONNECT_S = 5.0
GPU_MODEL = "accelerator_type:"


class FleetError(Exception):
    """The fleet cannot be started; the message says why and what to do."""


@dataclass(frozen=True)
class Node:
    """A machine of the cluster as Ray sees it."""

    id: str
    host: str
    cpus: int
    gpus: int
    model: str


def find_ray() -> ModuleType:
    """Ray, which is optional. Raises FleetError with how to get it."""
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise FleetError('needs ray: pip install --editable ".[fleet]"') from error


def connect(ray: ModuleType, address: str) -> None:
    """Join the cluster and ship the working tree to it. Raises FleetError when nobody answers."""
    _require_answer(address)
    shipped = {"working_dir": str(ROOT), "excludes": list(LEFT_HERE)}
    ray.cloudpickle.register_pickle_by_value(fleet_node)
    try:
        ray.init(address=address, runtime_env=shipped, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, ValueError, RuntimeError) as error:
        told = str(error).strip().splitlines()[0]
        raise FleetError(f"no Ray cluster at {address}: {told}; start one with: ray start --head") from error


def _require_answer(address: str) -> None:
    """Ray itself tries for minutes before it says that nobody is there."""
    host, _, port = address.rpartition(":")
    if not port.isdigit():
        return
    try:
        socket.create_connection((host.removeprefix("ray://").strip("[]"), int(port)), CONNECT_S).close()
    except OSError as error:
        told = f"no Ray cluster at {address} ({error.strerror or error}); start one with: ray start --head"
        raise FleetError(told) from error


def usable_nodes(ray: ModuleType, tell: Callable[[str], None]) -> list[Node]:
    """The nodes that can measure. One without a CPU for tasks, as a head often is, cannot.

    Raises FleetError when there is none.
    """
    alive = [n for n in ray.nodes() if n["Alive"] and n["Resources"].get("CPU", 0) >= 1]
    if not alive:
        raise FleetError("the cluster has no node with a CPU for tasks; add one with: ray start --address=…")
    ask = ray.remote(num_cpus=0, max_retries=0)(fleet_node.cpu_model)
    asked = {n["NodeID"]: pinned(ask, n["NodeID"]).remote() for n in alive if _gpu_model(n) is None}
    found = []
    for node in alive:
        try:
            model = _gpu_model(node) or f"cpu {ray.get(asked[node['NodeID']])}"
        except ray.exceptions.RayError as error:
            tell(f"left out: {node['NodeManagerHostname']} does not answer ({first_line(error)})")
            continue
        resources = node["Resources"]
        found.append(
            Node(
                id=node["NodeID"],
                host=node["NodeManagerHostname"],
                cpus=int(resources["CPU"]),
                gpus=int(resources.get("GPU", 0)),
                model=model,
            )
        )
    return found


def _gpu_model(node: dict[str, Any]) -> str | None:
    if node["Resources"].get("GPU", 0) < 1:
        return None
    named = (r.removeprefix(GPU_MODEL) for r in node["Resources"] if r.startswith(GPU_MODEL))
    return next(named, "unknown GPU")


def pinned(remote: Any, node: str, **options: Any) -> Any:
    """A remote function or actor that runs on this node or not at all."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
    return remote.options(scheduling_strategy=here, **options)


def share_of(node: Node, gpus: int) -> tuple[int, int]:
    """GPUs and CPUs that a run takes: its GPUs with their part of the CPUs; all CPUs where there is no GPU."""
    wanted = min(gpus, node.gpus)
    return wanted, max(1, node.cpus * wanted // node.gpus) if wanted else node.cpus


def first_line(error: Exception) -> str:
    """What an error of Ray says, without the trace that follows."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
