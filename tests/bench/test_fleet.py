"""The fleet: which nodes measure, what a run takes of its node, and a cluster that loses one of three in the middle."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from bench import cluster as cluster_module
from bench import fleet
from bench.__main__ import main
from bench.cluster import FleetError, Node, share_of
from bench.fleet import Member, choose, place, pytest_arguments, run_fleet
from bench.results import read_run
from tests.bench.checkout import Checkout

NEEDS_RAY = 'needs ray: pip install --editable ".[fleet]"'

# Ray waits 15 s before it calls a silent node dead; a test need not.
IMPATIENT = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 4}

NODES = (
    Node(id="a", host="one", cpus=32, gpus=4, model="H100"),
    Node(id="b", host="two", cpus=64, gpus=8, model="H100"),
    Node(id="c", host="three", cpus=16, gpus=1, model="L4"),
    Node(id="d", host="four", cpus=8, gpus=0, model="cpu A"),
)


def test_each_model_is_measured_once_on_the_node_with_most_gpus() -> None:
    assert [(m.name, m.node) for m in choose(NODES, "gpu-model")] == [("H100", "b"), ("L4", "c"), ("cpu A", "d")]


def test_every_node_has_a_name_of_its_own() -> None:
    twins = [*NODES, Node(id="e", host="one", cpus=32, gpus=4, model="H100")]
    names = [m.name for m in choose(twins, "node")]
    assert names == ["H100 on two", "H100 on one", "H100 on one #2", "L4 on three", "cpu A on four"]


def test_a_run_takes_its_gpus_part_of_the_node_and_all_of_a_node_without() -> None:
    assert share_of(NODES[1], 1) == (1, 8)
    assert share_of(NODES[1], 99) == (8, 64)
    assert share_of(NODES[3], 1) == (0, 8)


def test_a_lost_member_goes_to_its_own_node_or_one_of_its_model_that_nobody_had() -> None:
    lost = Member(name="H100", model="H100", node="a", host="one")
    taken = ["a", "b"]
    back = Node(id="f", host="one", cpus=32, gpus=4, model="H100")
    assert place(lost, NODES, taken) is NODES[0]
    assert place(lost, NODES[1:], taken) is None
    assert place(lost, [*NODES[1:], back], taken) is back


def test_what_cannot_be_done_is_told_before_anything_is_measured(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason=NEEDS_RAY)
    with pytest.raises(FleetError, match=r"no Ray cluster at 127.0.0.1:1 .*; start one with: ray start --head"):
        run_fleet("127.0.0.1:1", "node", [], False, tmp_path, 1, print)
    with pytest.raises(FleetError, match="--resume: no fleet was measured into"):
        run_fleet("nowhere:1", "node", [], True, tmp_path, 1, print)


def test_what_cannot_be_started_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "--budget", "soon"]) == 2
    assert "'soon' is no budget" in capsys.readouterr().err


class Cluster:
    """A cluster of three simulated nodes on this machine, of which any but the first can be killed."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster as Simulated

        head = {"num_cpus": 1, "_system_config": IMPATIENT}
        self._cluster = Simulated(initialize_head=True, head_node_args=head)
        self._others = [self._cluster.add_node(num_cpus=1, wait=False) for _ in range(2)]
        self._cluster.wait_for_nodes()
        self.address = str(self._cluster.address)

    def kill(self, node_id: str) -> None:
        """End the node's daemon as a power cut would."""
        self._cluster.remove_node(next(n for n in self._others if n.node_id == node_id), allow_graceful=False)

    def can_be_killed(self, node_id: str) -> bool:
        """Whether it is not the head."""
        return any(n.node_id == node_id for n in self._others)

    def add(self) -> None:
        """One more node."""
        self._cluster.add_node(num_cpus=1)

    def end(self) -> None:
        """Take it down."""
        self._cluster.shutdown()


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    pytest.importorskip("ray", reason=NEEDS_RAY)
    found = Cluster()
    yield found
    found.end()


@pytest.mark.slow
def test_a_node_that_dies_costs_its_own_run_only_and_is_gone_on_with(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = Checkout(tmp_path)
    checkout.practice("good")
    for module in (cluster_module, fleet):
        monkeypatch.setattr(module, "ROOT", checkout.folder)
    results = checkout.folder / "results"
    lost: dict[str, Any] = {}

    def tell(line: str) -> None:
        """Kill a node as soon as its second point is on record here."""
        for member in [] if lost else _members(results):
            if member.run and cluster.can_be_killed(member.node) and len(read_run(results / member.run).points) > 1:
                lost.update(member.model_dump(), points=read_run(results / member.run).points)
                cluster.kill(member.node)
                return

    code, told = run_fleet(cluster.address, "node", pytest_arguments("smoke", None, 0, None), False, results, 1, tell)
    assert lost
    assert code == 1
    assert [line.split(":")[0] for line in told[:-1]] == ["arrived", "arrived", "NOT ARRIVED"]
    assert lost["name"] in told[2]
    assert "points are in" in told[2]
    assert told[3].endswith(f"python -m bench fleet --address {cluster.address} --resume")
    arrived = {m.run: (results / m.run).read_bytes() for m in _members(results) if m.arrived and m.run}
    assert len(arrived) == 2
    assert all(read_run(results / run).finished for run in arrived)
    assert read_run(results / lost["run"]).finished is None
    assert _no_run_is_left(tmp_path)

    cluster.add()
    asked: list[str] = []
    code, told = run_fleet(cluster.address, "node", [], True, results, 1, asked.append)
    assert (code, len(told)) == (0, 1)
    assert all(line.startswith(f"[{lost['name']}]") for line in asked[1:])
    assert {run: (results / run).read_bytes() for run in arrived} == arrived
    whole = read_run(results / lost["run"])
    assert whole.finished is not None
    assert whole.points[: len(lost["points"])] == lost["points"]
    assert len(whole.points) == 6


def _members(results: Path) -> list[Member]:
    path = results / fleet.PLAN_FILE
    return fleet.Plan.model_validate_json(path.read_bytes()).members if path.exists() else []


def _no_run_is_left(results: Path) -> bool:
    """Whether every measuring pytest of the fleet has ended, also that of the node that died."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if not any("torchproof-fleet-" in " ".join(p.info["cmdline"] or []) for p in psutil.process_iter(["cmdline"])):
            return True
        time.sleep(0.2)
    return False
