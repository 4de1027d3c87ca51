from __future__ import annotations

from collections.abc import Callable

from bench.claims import Claims
from bench.results import Environment, Machine, PointRecord, Run
from report.side_by_side import side_by_side
from report.view import look


def test_one_run_has_nothing_beside_it(run: Run, claims: Claims) -> None:
    assert side_by_side([look(run, claims)]) is None


def test_what_is_not_hardware_is_said_loudly(run: Run, claims: Claims, make_run: Callable[..., Run]) -> None:
    machine = Machine(name="other", cpu="x", cores=8, memory_gib=32, system="Linux")
    alike = make_run(id="r2", machine=machine)
    found = side_by_side([look(run, claims), look(alike, claims)])
    assert found is not None
    assert found.cautions == ()
    around = Environment(python="3.11.9", torch="2.15.0+cu130", packages={"numpy": "2.4.0", "triton": "3.5"})
    newer = make_run(id="r3", machine=machine, environment=around)
    found = side_by_side([look(run, claims), look(newer, claims)])
    assert found is not None
    assert found.cautions == (
        "Not only the hardware differs: numpy is 2.3.1 in the first column and 2.4.0 on other.",
        "Not only the hardware differs: torch is 2.14.1 in the first column and 2.15.0 on other.",
    )


def test_a_run_whose_controls_failed_is_named(
    run: Run, claims: Claims, make_run: Callable[..., Run], make_controls: Callable[..., list[PointRecord]]
) -> None:
    found = side_by_side([look(run, claims), look(make_run(id="r2", points=make_controls(same=1.2)), claims)])
    assert found is not None
    (caution,) = found.cautions
    assert caution.startswith("The controls failed in the run on Some Processor @ 2.5 GHz · cpu")


def test_a_claim_without_a_pair_in_one_run_is_an_empty_cell(
    run: Run, claims: Claims, make_run: Callable[..., Run]
) -> None:
    other = make_run(id="r2", points=[p for p in run.points if "set-to-none" not in p.claims])
    found = side_by_side([look(run, claims), look(other, claims)])
    assert found is not None
    cells = dict(found.rows)["set-to-none"]
    assert cells[0] is not None
    assert cells[1] is None
