"""The suite on each kind of machine of a Ray cluster, each run alone on its GPU, the documents brought back here.

The working tree is shipped, so a node needs Python packages and no checkout. A document is fetched whenever a point
has landed, so a node that is lost costs the pair in flight, and what the fleet was to do is written beside the runs,
so that ``--resume`` goes on with what did not arrive.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from pydantic import ValidationError

from bench import fleet_node, store
from bench.cluster import FleetError, Node, connect, find_ray, first_line, pinned, share_of, usable_nodes
from bench.collect import ROOT
from bench.environment import COMMIT_VARIABLE, commit
from bench.interrupts import interrupts
from bench.results import Part, Run, UnreadableRunError, parse_run

Tell = Callable[[str], None]
Per = Literal["gpu-model", "node"]

QUIET = ("-q", "--no-header", "--color=no", "--benchmark-quiet", "-p", "no:cacheprovider")
PLAN_FILE = ".fleet.json"
STOP_S = 60.0
TAIL = 8

# What a run says of its own paths is true on the node only.
_TRUE_THERE = ("run: ", "report: ", "not finished; ")


class Member(Part):
    """A run that the fleet is to bring back: ``run`` is its place under the results folder, once there is one."""

    name: str
    model: str
    node: str
    host: str
    run: str | None = None
    arrived: bool = False


class Plan(Part):
    """What a fleet command was to do, and how far it came."""

    arguments: list[str]
    members: list[Member]


@dataclass
class Job:
    """A member while it is measured."""

    member: Member
    node: Node
    actor: Any
    tail: list[str] = field(default_factory=list)
    points: int = 0
    finished: bool = False
    doubtful: bool = False
    fault: str = ""


def pytest_arguments(profile: str, budget: str | None, seed: int, keyword: str | None) -> list[str]:
    """The measuring command of every node, without where it writes."""
    found = ["--benchmark", "--profile", profile, "--seed", str(seed), *QUIET]
    found += ["--budget", budget] if budget else []
    return found + (["-k", keyword] if keyword else [])


def choose(nodes: Sequence[Node], per: Per) -> list[Member]:
    """One node of each model, the one with most GPUs; or every node."""
    ordered = sorted(nodes, key=lambda n: (n.model, -n.gpus, -n.cpus, n.host, n.id))
    if per == "gpu-model":
        first = {n.model: n for n in reversed(ordered)}
        return [Member(name=m, model=m, node=first[m].id, host=first[m].host) for m in sorted(first)]
    found: list[Member] = []
    for node in ordered:
        name = f"{node.model} on {node.host}"
        same = sum(m.name.split(" #")[0] == name for m in found)
        found.append(
            Member(name=f"{name} #{same + 1}" if same else name, model=node.model, node=node.id, host=node.host)
        )
    return found


def place(member: Member, nodes: Sequence[Node], taken: Iterable[str]) -> Node | None:
    """The node for a member: its own, else one of its model that no other member has had."""
    used = set(taken)
    able = [n for n in nodes if n.model == member.model and (n.id == member.node or n.id not in used)]
    return min(able, key=lambda n: (n.id != member.node, n.host != member.host, n.id), default=None)


def run_fleet(
    address: str, per: Per, arguments: list[str], resume: bool, results: Path, gpus: int, tell: Tell
) -> tuple[int, list[str]]:
    """Measure on every member; the exit code (0 all arrived, 1 some did not) and what to say at the end.

    Raises FleetError when nothing can be started, KeyboardInterrupt after the runs were ended and fetched.
    """
    ray = find_ray()
    tell(f"connecting to Ray at {address}")
    plan_path = results / PLAN_FILE
    before = _read_plan(plan_path) if resume else None
    connect(ray, address)
    try:
        nodes = usable_nodes(ray, tell)
        plan = before or Plan(arguments=arguments, members=choose(nodes, per))
        waiting = [m for m in plan.members if not m.arrived]
        _keep_plan(plan, plan_path)
        jobs, missing = _start(ray, plan, waiting, nodes, results, gpus, tell)
        keep = _keeper(plan, plan_path, results)
        with interrupts():
            _follow(ray, jobs, keep, tell)
    finally:
        ray.shutdown()
    return _told(jobs, missing, address, results)


def _start(
    ray: ModuleType,
    plan: Plan,
    waiting: Sequence[Member],
    nodes: Sequence[Node],
    results: Path,
    gpus: int,
    tell: Tell,
) -> tuple[list[Job], list[Member]]:
    """A job for each member that has a node, and the members that have none."""
    measurer = ray.remote(max_restarts=0)(fleet_node.Measurer)
    head = commit(ROOT)
    jobs: list[Job] = []
    missing: list[Member] = []
    for member in waiting:
        node = place(member, nodes, (m.node for m in plan.members))
        if node is None:
            missing.append(member)
            continue
        wanted, cpus = share_of(node, gpus)
        member.node, member.host = node.id, node.host
        actor = pinned(measurer, node.id, num_gpus=wanted, num_cpus=cpus)
        variables = {COMMIT_VARIABLE: head} if head else {}
        jobs.append(Job(member, node, actor.remote(plan.arguments, variables, _unfinished(member, results))))
        tell(f"[{member.name}] asks for {wanted} of {node.gpus} GPUs and {cpus} of {node.cpus} CPUs of {node.host}")
    return jobs, missing


def _unfinished(member: Member, results: Path) -> tuple[str, bytes] | None:
    if member.run is None:
        return None
    with contextlib.suppress(OSError):
        return member.run, (results / member.run).read_bytes()
    return None


def _follow(ray: ModuleType, jobs: Sequence[Job], keep: Callable[[Job, bytes], None], tell: Tell) -> None:
    """Fetch lines and documents until every run has ended or is lost."""
    pending = {job.actor.take.remote(): job for job in jobs}
    try:
        while pending:
            ready, _ = ray.wait(list(pending), num_returns=1, timeout=1.0)
            for ref in ready:
                job = pending[ref]
                more = _take(ray, ref, job, keep, tell)
                del pending[ref]
                if more:
                    pending[job.actor.take.remote(again=job.doubtful)] = job
    except KeyboardInterrupt:
        _end(ray, list(pending.values()), keep, tell)
        raise


def _take(ray: ModuleType, ref: Any, job: Job, keep: Callable[[Job, bytes], None], tell: Tell) -> bool:
    """Keep and tell what came; whether more is to come."""
    job.doubtful = False
    try:
        lines, document, code = ray.get(ref, timeout=STOP_S)
    except ray.exceptions.ActorUnavailableError:
        # A passing fault of the network, or the first sign of a lost node: Ray knows which at the next call.
        job.doubtful = True
        return True
    except ray.exceptions.RayError as error:
        job.fault = f"the node was lost ({type(error).__name__}: {first_line(error)})"
        tell(f"[{job.member.name}] {job.fault}")
        return False
    # First kept and then told, so that whoever reads a line finds its point on record.
    if document is not None:
        try:
            keep(job, document)
        except (UnreadableRunError, store.StoreError) as error:
            job.fault = str(error)
    for line in lines:
        if line.strip() and not line.startswith(_TRUE_THERE):
            tell(f"[{job.member.name}] {line}")
    job.tail = [*job.tail, *lines][-TAIL:]
    if code is None:
        return True
    if not job.finished and not job.fault:
        job.fault = (
            f"pytest ended with code {code} before the run was whole: {' | '.join(job.tail) or 'it said nothing'}"
        )
    # What did not arrive stays on the node, where somebody may still fetch it.
    if job.finished:
        job.actor.clear.remote()
    return False


def _end(ray: ModuleType, jobs: Sequence[Job], keep: Callable[[Job, bytes], None], tell: Tell) -> None:
    """End the runs as Ctrl-C would, and fetch what they had."""
    tell(f"ending {len(jobs)} runs and fetching what they have")
    stopped = {job.actor.stop.remote(): job for job in jobs}
    ready, late = ray.wait(list(stopped), num_returns=len(stopped), timeout=STOP_S)
    for ref in ready:
        _take(ray, ref, stopped[ref], keep, tell)
    for ref in late:
        tell(f"[{stopped[ref].member.name}] does not answer; left as it is")


def _keeper(plan: Plan, plan_path: Path, results: Path) -> Callable[[Job, bytes], None]:
    """How a document that came is kept: under its machine, by an id that no other run has."""

    def keep(job: Job, document: bytes) -> None:
        run = parse_run(document, f"the document of {job.member.name}")
        if job.member.run is None:
            run = _renamed(run, results)
            path = store.path_of(run, results)
            store.prepare(path)
            job.member.run = str(path.relative_to(results))
        else:
            path = results / job.member.run
            run = run.model_copy(update={"id": path.parent.name})
        store.write(run, path)
        job.points, job.finished = len(run.points), run.finished is not None
        job.member.arrived = job.finished
        _keep_plan(plan, plan_path)

    return keep


def _renamed(run: Run, results: Path) -> Run:
    """Machines of one kind that start in the same second would share an id."""
    number, found = 1, run
    while store.path_of(found, results).exists():
        number += 1
        found = run.model_copy(update={"id": f"{run.id}-{number}"})
    return found


def _read_plan(path: Path) -> Plan:
    try:
        plan = Plan.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise FleetError(f"--resume: no fleet was measured into {path.parent}") from error
    except (OSError, ValidationError) as error:
        raise FleetError(f"--resume: {path} cannot be read; start anew without --resume") from error
    if all(m.arrived for m in plan.members):
        raise FleetError("--resume: every run of the last fleet has arrived; start anew without --resume")
    return plan


def _keep_plan(plan: Plan, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".part")
        beside.write_text(plan.model_dump_json(indent=1), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise FleetError(f"{path} cannot be written ({error.strerror}); give --results another folder") from error


def _told(jobs: Sequence[Job], missing: Sequence[Member], address: str, results: Path) -> tuple[int, list[str]]:
    lines = [f"arrived: {j.member.name}: {results / j.member.run}" for j in jobs if j.finished and j.member.run]
    lost = [j for j in jobs if not j.finished]
    for job in lost:
        kept = f"{job.points} points are in {results / job.member.run}" if job.member.run else "nothing came back"
        lines.append(f"NOT ARRIVED: {job.member.name}: {job.fault}; {kept}")
    lines += [f"NOT ARRIVED: {m.name}: no such node is alive; start it with: ray start --address=…" for m in missing]
    if lost or missing:
        lines.append(f"when that is mended, go on with: python -m bench fleet --address {address} --resume")
    return int(bool(lost or missing)), lines
